package corrupted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/imageset"
)

// card says for people, and for the next write, what a folder was made of. Equal cards mean equal
// images: it names all that they depend on. A corruption truncates, the format is Folder or IDX.
func card(m suite.Manifest, change derive.Change, o Options) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: %s\n", m.Name, change.Short())
	line("- suite: %s, %d images, content hash %s", m.Name, m.Images, m.Hash)
	if _, ok := change.(corrupt.Setting); ok {
		line("- corruption: `%s`", change)
		line("- values: 8 bits, by truncation")
	} else {
		line("- change: `%s`", change)
		line("- values: 8 bits, rounded")
	}
	line("- format: %s", o.Format)
	for _, remark := range remarks(change, m.Shape, o.Frost) {
		line("- %s", remark)
	}
	for _, note := range imageset.ClassNotes(m, o.Format) {
		line("%s", note)
	}
	line("- made by: Variscope %s", o.Version)
	return b.String()
}

// remarks are what a change means for images of one size (zeros where there are several).
func remarks(change derive.Change, shape [3]int, frost []suite.Image) (list []string) {
	one := shape != [3]int{}
	switch c := change.(type) {
	case derive.Shift:
		if one {
			p := region.Pad(shape[1], shape[2], c.N, c.T, c.Region)
			list = append(list,
				fmt.Sprintf("black pixels around an image of %d x %d: "+
					"%d above, %d below, %d left, %d right; then resized to its size",
					shape[1], shape[2], p.Top, p.Bottom, p.Left, p.Right))
		}
	case corrupt.Setting:
		if one {
			if scaled := corrupt.Scaled(shape[0], shape[1], shape[2]); scaled != "" {
				list = append(list, "parameters: "+scaled)
			}
		}
		if c.Name == "frost" {
			list = append(list, "frost: "+frostOf(frost))
		}
	}
	return list
}

// frostOf names the photographs by what is in them.
func frostOf(photographs []suite.Image) string {
	if len(photographs) == 0 {
		return "synthetic: drawn, not photographed"
	}
	sum := sha256.New()
	for _, p := range photographs {
		// a hash takes everything
		_ = binary.Write(sum, binary.BigEndian, [3]uint32{uint32(p.Channels), uint32(p.Height), uint32(p.Width)})
		_ = binary.Write(sum, binary.BigEndian, p.Pix)
	}
	return fmt.Sprintf("%d photographs, SHA-256 of their pixels %s", len(photographs), hex.EncodeToString(sum.Sum(nil)))
}
