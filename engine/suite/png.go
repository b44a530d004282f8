package suite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"iter"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// pngChunk is a chunk of a PNG file.
type pngChunk struct {
	name    string
	from    int // where it begins
	content []byte
	ok      bool // it is complete and its checksum is right
}

// The bytes of a PNG before its chunks, of a chunk before its content, and of both ends of one.
const pngSignature, pngHead, pngFrame = 8, 8, 12

// pngChunks yields a file's chunks; the last one can be cut off.
func pngChunks(data []byte) iter.Seq[pngChunk] {
	return func(yield func(pngChunk) bool) {
		for at := pngSignature; at+pngHead <= len(data); {
			size := int(binary.BigEndian.Uint32(data[at:]))
			end := min(at+pngHead+size, len(data))
			c := pngChunk{name: string(data[at+4 : at+pngHead]), from: at, content: data[at+pngHead : end]}
			c.ok = end+4 <= len(data) && crc32.ChecksumIEEE(data[at+4:end]) == binary.BigEndian.Uint32(data[end:])
			if at += pngFrame + size; !yield(c) {
				return
			}
		}
	}
}

// Types of the pixels of a PNG.
const pngGray, pngRGB, pngPalette, pngGrayAlpha, pngRGBA = 0, 2, 3, 4, 6

// pngSamples is how many samples a pixel has.
var pngSamples = map[int]int{pngGray: 1, pngRGB: 3, pngPalette: 1, pngGrayAlpha: 2, pngRGBA: 4}

// pngFile is a PNG that is being read: what stands before its image data.
type pngFile struct {
	size           image.Point
	depth, kind    int // bits of a sample, type of the pixels
	interlaced     bool
	palette        []byte
	one            [256][3]float32 // pixels by their value, of palettes and of gray up to 8 bits
	transparent    [3]uint16       // the colour that is, of gray of 16 bits and RGB
	hasTransparent bool
	pixels         []byte // the file from its image data on
}

var (
	errPNGOrder = errors.New("a chunk is missing, comes twice or stands at the wrong place")
	errPNGChunk = errors.New("the header, palette or transparency is wrong")
)

// openPNG reads what Pillow reads: from the image data on it looks at no checksum and misses no
// end, since the compressed data carries a checksum of its own.
func openPNG(data []byte) (*pngFile, error) {
	var p *pngFile
	for c := range pngChunks(data) {
		switch {
		case c.name == "IDAT" && p != nil && (p.kind != pngPalette || p.palette != nil):
			p.pixels = data[c.from:]
			return p, nil
		case c.name == "IDAT", c.name == "IEND", c.name == "IHDR" && p != nil, (c.name == "PLTE" || c.name == "tRNS") &&
			p == nil:
			return nil, errPNGOrder
		case !c.ok:
			return nil, errors.New("a chunk is cut off or its checksum is wrong")
		}
		var err error
		switch c.name {
		case "IHDR":
			p, err = headOfPNG(c.content)
		case "PLTE":
			err = p.takePalette(c.content)
		case "tRNS":
			err = p.takeTransparency(c.content)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, io.ErrUnexpectedEOF
}

func headOfPNG(b []byte) (*pngFile, error) {
	const length = 13
	if len(b) != length {
		return nil, errPNGChunk
	}
	p := &pngFile{
		size:  image.Pt(int(int32(binary.BigEndian.Uint32(b))), int(int32(binary.BigEndian.Uint32(b[4:])))),
		depth: int(b[8]), kind: int(b[9]), interlaced: b[12] == 1,
	}
	samples, few := pngSamples[p.kind], p.kind == pngGray || p.kind == pngPalette
	switch {
	case p.size.X < 1 || p.size.Y < 1 || b[10] != 0 || b[11] != 0 || b[12] > 1:
		return nil, errPNGChunk
	case samples > 0 && p.depth == 8, samples > 0 && p.depth == 16 && p.kind != pngPalette:
	case few && (p.depth == 1 || p.depth == 2 || p.depth == 4):
	default:
		return nil, fmt.Errorf("there is no colour type %d of %d bits", p.kind, p.depth)
	}
	if p.kind == pngGray && p.depth <= 8 {
		for v := range 1 << p.depth {
			level := levels[v*255/(1<<p.depth-1)]
			p.one[v] = [3]float32{level, level, level}
		}
	}
	return p, nil
}

// takePalette reads a palette. Values beyond it are black.
func (p *pngFile) takePalette(b []byte) error {
	switch n := len(b) / 3; {
	case p.palette != nil || p.hasTransparent:
		return errPNGOrder
	case len(b)%3 != 0 || n < 1 || n > 256 || n > 1<<p.depth || p.kind == pngGray || p.kind == pngGrayAlpha:
		return errPNGChunk
	case p.kind == pngPalette:
		for i := range n {
			p.one[i] = straight8(b[3*i], b[3*i+1], b[3*i+2], 255)
		}
	}
	p.palette = b
	return nil
}

// takeTransparency reads the alphas of a palette, or the one colour that is transparent.
func (p *pngFile) takeTransparency(b []byte) error {
	switch {
	case p.hasTransparent || p.kind == pngGray && p.palette != nil || p.kind == pngPalette && p.palette == nil:
		return errPNGOrder
	case p.kind == pngPalette && len(b) <= 256:
		for i, alpha := range b[:min(len(b), len(p.palette)/3)] {
			p.one[i] = straight8(p.palette[3*i], p.palette[3*i+1], p.palette[3*i+2], alpha)
		}
	case (p.kind == pngGray || p.kind == pngRGB) && len(b) == 2*pngSamples[p.kind]:
		for i := range len(b) / 2 {
			p.transparent[i] = binary.BigEndian.Uint16(b[2*i:])
			if p.depth <= 8 {
				p.transparent[i] &= 255
			}
		}
		if p.kind == pngGray && p.depth <= 8 {
			p.one[p.transparent[0]] = [3]float32{}
		}
	default:
		return errPNGChunk
	}
	p.hasTransparent = true
	return nil
}

func (p *pngFile) channels() int {
	if p.kind == pngGray || p.kind == pngGrayAlpha {
		return 1
	}
	return 3
}

func headerOfPNG(data []byte) (header, error) {
	for c := range pngChunks(data) {
		if c.name != "IHDR" || !c.ok {
			continue
		}
		p, err := headOfPNG(c.content)
		if err != nil {
			return header{}, err
		}
		return header{Point: p.size, bytes: bytesGray * p.channels()}, nil
	}
	_, err := openPNG(data)
	return header{}, err
}

// pngPasses are the pixels of an image and of the seven parts of an interlaced one: every stepX-th
// pixel of every stepY-th row, from x and y on.
var pngPasses = [][]struct{ stepX, stepY, x, y int }{
	{{1, 1, 0, 0}},
	{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}},
}

// decodePNG reads row by row: beside the result it holds two rows.
func decodePNG(data []byte, c *clock) (Image, error) {
	p, err := openPNG(data)
	if err != nil {
		return Image{}, err
	}
	z, err := inflate(&pngPixels{c, p.pixels, nil})
	if err != nil {
		return Image{}, errors.New("its pixels are missing or not packed as a PNG's are")
	}
	defer z.close()
	passes := pngPasses[0]
	if p.interlaced {
		passes = pngPasses[1]
	}
	img := newImage(p.size, p.channels())
	bits := pngSamples[p.kind] * p.depth
	line := make([][3]float32, p.size.X)
	row, above := make([]byte, 1+(p.size.X*bits+7)/8), make([]byte, 1+(p.size.X*bits+7)/8)
	for _, pass := range passes {
		line := line[:(p.size.X-pass.x+pass.stepX-1)/pass.stepX]
		if len(line) == 0 {
			continue
		}
		row, above = row[:1+(len(line)*bits+7)/8], above[:1+(len(line)*bits+7)/8]
		clear(above)
		for y := pass.y; y < p.size.Y; y += pass.stepY {
			if err := c.check(); err != nil {
				return Image{}, err
			}
			if _, err := io.ReadFull(z, row); err != nil {
				return Image{}, fmt.Errorf("its pixels end or are wrong in row %d of %d", y+1, p.size.Y)
			}
			if err := unfilter(row[0], row[1:], above[1:], max(1, bits/8)); err != nil {
				return Image{}, err
			}
			p.read(line, row[1:])
			img.put(line, y, pass.x, pass.stepX)
			row, above = above, row
		}
	}
	switch n, err := io.ReadFull(z, row[:1]); { // the end has the checksum
	case n > 0:
		return Image{}, errors.New("it has more pixels than its header says")
	case err != io.EOF:
		return Image{}, errors.New("its pixels are not those of their checksum")
	}
	return img, nil
}

// inflater unpacks; its buffers are used again, since they are larger than many an image.
type inflater struct {
	io.ReadCloser
	from *bufio.Reader
}

var inflaters sync.Pool

func inflate(from io.Reader) (*inflater, error) {
	if z, ok := inflaters.Get().(*inflater); ok {
		z.from.Reset(from)
		return z, z.ReadCloser.(zlib.Resetter).Reset(z.from, nil)
	}
	buffered := bufio.NewReader(from)
	z, err := zlib.NewReader(buffered)
	return &inflater{z, buffered}, err
}

func (z *inflater) close() {
	z.from.Reset(nil) // keeps no file
	inflaters.Put(z)
}

// pngPixels reads the contents of the chunks of image data, one after the other.
type pngPixels struct {
	clock       *clock
	file, chunk []byte
}

func (p *pngPixels) Read(to []byte) (int, error) {
	if err := p.clock.check(); err != nil {
		return 0, err
	}
	for len(p.chunk) == 0 {
		if len(p.file) < pngHead || string(p.file[4:pngHead]) != "IDAT" {
			return 0, io.EOF
		}
		size := int(binary.BigEndian.Uint32(p.file))
		p.chunk = p.file[pngHead:min(pngHead+size, len(p.file))]
		p.file = p.file[min(pngFrame+size, len(p.file)):]
	}
	n := copy(to, p.chunk)
	p.chunk = p.chunk[n:]
	return n, nil
}

// unfilter undoes the differences of a row to its left and to the row above. step is the distance
// to the pixel at the left.
func unfilter(filter byte, row, above []byte, step int) error {
	step = min(step, len(row))
	switch filter {
	case 0:
	case 1:
		for i := step; i < len(row); i++ {
			row[i] += row[i-step]
		}
	case 2:
		for i, up := range above[:len(row)] {
			row[i] += up
		}
	case 3:
		for i := range step {
			row[i] += above[i] / 2
		}
		for i := step; i < len(row); i++ {
			row[i] += uint8((int(row[i-step]) + int(above[i])) / 2)
		}
	case 4:
		for i := range step {
			row[i] += above[i]
		}
		for i := step; i < len(row); i++ {
			row[i] += paeth(int(row[i-step]), int(above[i]), int(above[i-step]))
		}
	default:
		return fmt.Errorf("there is no filter %d", filter)
	}
	return nil
}

// paeth is what of left, up and both lies nearest to left + up - both.
func paeth(left, up, both int) byte {
	toLeft, toUp := up-both, left-both
	toBoth := max(toLeft+toUp, -toLeft-toUp)
	toLeft, toUp = max(toLeft, -toLeft), max(toUp, -toUp)
	switch {
	case toLeft <= toUp && toLeft <= toBoth:
		return byte(left)
	case toUp <= toBoth:
		return byte(up)
	}
	return byte(both)
}

// read reads the pixels of a row.
func (p *pngFile) read(line [][3]float32, row []byte) {
	samples := pngSamples[p.kind]
	switch {
	case p.depth < 8:
		for x := range line {
			at := x * p.depth
			line[x] = p.one[row[at/8]>>(8-p.depth-at%8)&(1<<p.depth-1)]
		}
	case p.depth == 16:
		p.read16(line, row)
	case samples == 1:
		for x, v := range row[:len(line)] {
			line[x] = p.one[v]
		}
	case samples == 2:
		for x := range line {
			line[x] = straight8(row[2*x], row[2*x], row[2*x], row[2*x+1])
		}
	case samples == 3:
		for x := range line {
			r, g, b := row[3*x], row[3*x+1], row[3*x+2]
			line[x] = [3]float32{levels[r], levels[g], levels[b]}
			if p.hasTransparent && p.transparent == [3]uint16{uint16(r), uint16(g), uint16(b)} {
				line[x] = [3]float32{}
			}
		}
	default:
		for x := range line {
			line[x] = straight8(row[4*x], row[4*x+1], row[4*x+2], row[4*x+3])
		}
	}
}

func (p *pngFile) read16(line [][3]float32, row []byte) {
	be := binary.BigEndian
	for x := range line {
		v, alpha := [3]uint16{}, uint16(65535)
		switch p.kind {
		case pngGray:
			v[0] = be.Uint16(row[2*x:])
		case pngGrayAlpha:
			v[0], alpha = be.Uint16(row[4*x:]), be.Uint16(row[4*x+2:])
		case pngRGB:
			v = [3]uint16{be.Uint16(row[6*x:]), be.Uint16(row[6*x+2:]), be.Uint16(row[6*x+4:])}
		case pngRGBA:
			v = [3]uint16{be.Uint16(row[8*x:]), be.Uint16(row[8*x+2:]), be.Uint16(row[8*x+4:])}
			alpha = be.Uint16(row[8*x+6:])
		}
		if p.hasTransparent && v == p.transparent {
			alpha = 0
		}
		line[x] = [3]float32{straight16(v[0], alpha), straight16(v[1], alpha), straight16(v[2], alpha)}
	}
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

// pngOrientation looks for an eXIf chunk.
func pngOrientation(data []byte) int {
	for c := range pngChunks(data) {
		if c.name == "eXIf" {
			return tiffOrientation(c.content)
		}
	}
	return 1
}
