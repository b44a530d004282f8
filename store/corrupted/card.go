package corrupted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/imageset"
)

// card says for people, and for the next write, what a folder was made of.
// Equal cards mean equal images: it names all that they depend on. The setting truncates, the format is one of Formats.
func card(m suite.Manifest, setting corrupt.Setting, o Options) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: %s\n", m.Name, setting.Short())
	line("- suite: %s, %d images, content hash %s", m.Name, m.Images, m.Hash)
	line("- corruption: `%s`", setting)
	line("- values: 8 bits, by truncation")
	line("- format: %s", o.Format)
	if m.Shape != [3]int{} {
		if scaled := corrupt.Scaled(m.Shape[0], m.Shape[1], m.Shape[2]); scaled != "" {
			line("- parameters: %s", scaled)
		}
	}
	if setting.Name == "frost" {
		line("- frost: %s", frostOf(o.Frost))
	}
	for _, note := range imageset.ClassNotes(m, o.Format) {
		line("%s", note)
	}
	line("- made by: Variscope %s", o.Version)
	return b.String()
}

// frostOf names the photographs by what is in them.
func frostOf(photographs []suite.Image) string {
	if len(photographs) == 0 {
		return "synthetic: drawn, not photographed"
	}
	sum := sha256.New()
	for _, p := range photographs {
		_ = binary.Write(sum, binary.BigEndian, [3]uint32{uint32(p.Channels), uint32(p.Height), uint32(p.Width)}) // a hash takes everything
		_ = binary.Write(sum, binary.BigEndian, p.Pix)
	}
	return fmt.Sprintf("%d photographs, SHA-256 of their pixels %s", len(photographs), hex.EncodeToString(sum.Sum(nil)))
}
