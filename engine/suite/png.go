package suite

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/png"
	"iter"
)

// pngChunk is a chunk of a PNG file.
type pngChunk struct {
	name    string
	content []byte
	ok      bool // it is complete and its checksum is right
}

const pngHeader = 8 // bytes of the signature

// pngChunks yields a file's chunks; the last one can be cut off.
func pngChunks(data []byte) iter.Seq[pngChunk] {
	return func(yield func(pngChunk) bool) {
		const frame = 12 // length, name and checksum
		for at := pngHeader; at+8 <= len(data); {
			size := int(binary.BigEndian.Uint32(data[at:]))
			end := min(at+8+size, len(data))
			c := pngChunk{name: string(data[at+4 : at+8]), content: data[at+8 : end]}
			c.ok = end+4 <= len(data) && crc32.ChecksumIEEE(data[at+4:end]) == binary.BigEndian.Uint32(data[end:])
			if at += frame + size; !yield(c) {
				return
			}
		}
	}
}

func appendPNGChunk(to []byte, name string, content []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(len(content)))
	from := len(to)
	to = append(append(to, name...), content...)
	return binary.BigEndian.AppendUint32(to, crc32.ChecksumIEEE(to[from:]))
}

// decodePNG reads what Pillow reads: from the image data on it looks at no checksum and misses no
// end, since the compressed data carries a checksum of its own.
func decodePNG(data []byte) (Image, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil && remarkOnPNG(data) != "" {
		m, err = png.Decode(bytes.NewReader(mendedPNG(data)))
	}
	if err != nil {
		return Image{}, err
	}
	const colourType = 25 // of IHDR: 0 gray, 4 gray with alpha, which the decoder widens to colours
	return fromImage(m, isGray(m) || data[colourType] == 0 || data[colourType] == 4), nil
}

// remarkOnPNG says what is wrong with a PNG behind the beginning of its image data, "" where
// nothing is.
func remarkOnPNG(data []byte) string {
	begun := false
	for c := range pngChunks(data) {
		begun = begun || c.name == "IDAT"
		switch {
		case begun && !c.ok:
			return "a checksum of the PNG is wrong or missing"
		case c.name == "IEND":
			return ""
		}
	}
	return "the PNG has no end (IEND)"
}

// mendedPNG is the file with right checksums from its image data on, without what stands behind
// that.
func mendedPNG(data []byte) []byte {
	out := bytes.Clone(data[:min(pngHeader, len(data))])
	begun := false
	for c := range pngChunks(data) {
		if begun = begun || c.name == "IDAT"; begun && c.name != "IDAT" {
			break
		} else if !begun && !c.ok {
			return data
		}
		out = appendPNGChunk(out, c.name, c.content)
	}
	return appendPNGChunk(out, "IEND", nil)
}

// pngOrientation looks for an eXIf chunk.
func pngOrientation(data []byte) int {
	for c := range pngChunks(data) {
		if c.name == "eXIf" {
			return tiffOrientation(c.content)
		}
	}
	return 1
}
