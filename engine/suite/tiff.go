package suite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
)

// The tags of a TIFF directory that are read (TIFF 6.0, and its technical note 2 for JPEG).
const (
	tagWidth, tagHeight, tagBits, tagCompression   = 256, 257, 258, 259
	tagPhotometric, tagFillOrder, tagOrientation   = 262, 266, 274
	tagStripOffsets, tagRowsPerStrip, tagStripSize = 273, 278, 279
	tagSamples, tagPlanar, tagT4, tagPredictor     = 277, 284, 292, 317
	tagColours, tagTileWidth, tagTileHeight        = 320, 322, 323
	tagTileOffsets, tagTileSize, tagExtra          = 324, 325, 338
	tagFormat, tagJPEGTables                       = 339, 347
)

// Photometric interpretations, sample formats and compressions.
const (
	whiteIsZero, blackIsZero, rgbColours, palette, separated, yCbCr = 0, 1, 2, 3, 5, 6
	unsigned, signed, float                                         = 1, 2, 3
	group3, group4, jpegStrips, zstandard                           = 3, 4, 7, 50000
)

var errTIFF = errors.New("its directory, strips or tiles are cut off or contradict each other")

func isTIFF(b []byte) bool {
	magics := []string{"II*\x00", "MM\x00*", "II+\x00", "MM\x00+"}
	return slices.ContainsFunc(magics, func(magic string) bool { return begins(magic)(b) })
}

// directory is the first directory of a TIFF or BigTIFF structure.
type directory struct {
	order   binary.ByteOrder
	entries map[uint16]entry
}

// entry is a directory's entry: count numbers of a kind.
type entry struct {
	kind  uint16
	count uint64
	data  []byte
}

// kindBytes is the size of one value of the kinds of entries that hold whole numbers or bytes:
// BYTE, SHORT, LONG, UNDEFINED and LONG8.
var kindBytes = map[uint16]uint64{1: 1, 3: 2, 4: 4, 7: 1, 16: 8}

// readDirectory reads the first directory. Entries whose values lie outside of data are left out;
// with an error comes what was read before it.
func readDirectory(data []byte) (directory, error) {
	d := directory{order: binary.LittleEndian, entries: map[uint16]entry{}}
	if !isTIFF(data) || len(data) < 8 {
		return d, errTIFF
	}
	if data[0] == 'M' {
		d.order = binary.BigEndian
	}
	uint := func(b []byte) uint64 { return uint64(d.order.Uint32(b)) }
	at, countBytes, wide := uint(data[4:]), uint64(2), uint64(4)
	if d.order.Uint16(data[2:]) == 43 {
		if len(data) < 16 {
			return d, errTIFF
		}
		at, countBytes, wide, uint = d.order.Uint64(data[8:]), 8, 8, d.order.Uint64
	}
	size := uint64(len(data))
	if at > size || size-at < countBytes {
		return d, errTIFF
	}
	count := uint64(d.order.Uint16(data[at:]))
	if countBytes == 8 {
		count = d.order.Uint64(data[at:])
	}
	at += countBytes
	for entryBytes := 4 + 2*wide; count > 0; count, at = count-1, at+entryBytes {
		if size-at < entryBytes {
			return d, errTIFF
		}
		e := entry{kind: d.order.Uint16(data[at+2:]), count: uint(data[at+4:])}
		one, known := kindBytes[e.kind]
		if !known || e.count > size/one {
			continue
		}
		from := at + 4 + wide
		if e.count*one > wide {
			from = uint(data[from:])
		}
		if tag := d.order.Uint16(data[at:]); from <= size && size-from >= e.count*one {
			if _, twice := d.entries[tag]; !twice {
				e.data = data[from : from+e.count*one]
				d.entries[tag] = e
			}
		}
	}
	return d, nil
}

// count is how many values a tag has, 0 without it.
func (d directory) count(tag uint16) int { return int(d.entries[tag].count) }

// at is value i of a tag.
func (d directory) at(tag uint16, i int) uint64 {
	switch e := d.entries[tag]; e.kind {
	case 3:
		return uint64(d.order.Uint16(e.data[2*i:]))
	case 4:
		return uint64(d.order.Uint32(e.data[4*i:]))
	case 16:
		return d.order.Uint64(e.data[8*i:])
	default:
		return uint64(e.data[i])
	}
}

// number is the first value of a tag, or otherwise without it; larger ones than a 32-bit number
// are that.
func (d directory) number(tag uint16, otherwise int) int {
	if d.count(tag) > 0 {
		return int(min(d.at(tag, 0), math.MaxInt32))
	}
	return otherwise
}

// headerOfTIFF leaves it to decodeTIFF to say what cannot be read.
func headerOfTIFF(data []byte) (header, error) {
	d, err := readDirectory(data)
	if err != nil {
		return header{}, err
	}
	h := header{Point: image.Pt(d.number(tagWidth, 0), d.number(tagHeight, 0))}
	f, err := openTIFF(data)
	if err != nil {
		return h, nil
	}
	h.bytes = bytesGray * max(f.kept(), f.channels())
	switch f.compression {
	case jpegStrips: // a block's image beside the whole one
		const mostOfJPEG = bytesRGB + 4 + 4 + 4*4 // result, second copy, planes, coefficients
		h.more = f.block.X * f.block.Y * mostOfJPEG
	case zstandard:
		h.more = 2 * maxWindow
	}
	return h, nil
}

// tiffFile is a TIFF that is being read.
type tiffFile struct {
	directory
	data                                       []byte
	width, height                              int
	samples, bits, format                      int // per pixel; bits and kind of each
	photometric, compression, predictor, extra int
	planar                                     bool        // each sample in blocks of its own
	block                                      image.Point // size of a strip or tile
	planes                                     [][]float32 // what was read, sample by sample
	clock                                      *clock
}

// decodeTIFF reads the first picture of a TIFF or BigTIFF: gray, palette, RGB, CMYK and YCbCr
// (JPEG); 1 to 16 bits, and gray of 32-bit integers and floats; strips or tiles, chunky or
// planar. Float and 32-bit values are levels of 0..255, as Pillow takes them; values beyond that,
// or floats within 0..1, are refused, since Pillow clips them.
func decodeTIFF(data []byte, c *clock) (Image, error) {
	f, err := openTIFF(data)
	if err != nil {
		return Image{}, err
	}
	f.clock = c
	area, kept := f.width*f.height, f.kept()
	pix := make([]float32, max(kept, f.channels())*area)
	for c := range kept {
		f.planes = append(f.planes, pix[c*area:(c+1)*area])
	}
	if err := f.read(); err != nil {
		return Image{}, err
	}
	img := Image{Channels: f.channels(), Height: f.height, Width: f.width, Pix: pix[:f.channels()*area]}
	return img, f.finish(pix)
}

// kept is how many samples of a pixel count: the first extra one can be alpha, others mean nothing.
func (f *tiffFile) kept() int {
	if f.samples > f.colours() && f.photometric < palette {
		return f.colours() + 1
	}
	return f.colours()
}

func openTIFF(data []byte) (*tiffFile, error) {
	d, err := readDirectory(data)
	if err != nil {
		return nil, err
	}
	f := &tiffFile{
		directory: d, data: data, width: d.number(tagWidth, 0), height: d.number(tagHeight, 0),
		samples: d.number(tagSamples, 1), bits: d.number(tagBits, 1), format: d.number(tagFormat, unsigned),
		photometric: d.number(tagPhotometric, -1), compression: d.number(tagCompression, 1),
		predictor: d.number(tagPredictor, 1), extra: d.number(tagExtra, 2), planar: d.number(tagPlanar, 1) == 2,
	}
	f.block = image.Pt(f.width, min(d.number(tagRowsPerStrip, math.MaxInt32), f.height))
	least := 1
	if _, tiled := d.entries[tagTileWidth]; tiled {
		// real ones are multiples of 16
		f.block, least = image.Pt(d.number(tagTileWidth, 0), d.number(tagTileHeight, 0)), 8
	}
	const most = 1024 // of a side that is longer than the image's
	if f.block.X < least || f.block.X > max(most, f.width+16) ||
		f.block.Y < least || f.block.Y > max(most, f.height+16) {
		return nil, errTIFF
	}
	if f.samples < 1 || f.samples < f.colours() {
		return nil, errTIFF
	}
	return f, f.refused()
}

// refused names what is not read.
func (f *tiffFile) refused() error {
	not := func(format string, args ...any) error {
		return refusal("TIFF with " + fmt.Sprintf(format, args...) +
			", which is not read; save it as PNG or as an 8-bit TIFF")
	}
	const mostSamples = 64 // of one bit
	for i := range min(f.count(tagBits), mostSamples) {
		if int(f.at(tagBits, i)) != f.bits {
			return not("samples of different sizes")
		}
	}
	names := map[int]string{
		2: "CCITT run lengths", 6: "old-style JPEG", 34712: "JPEG 2000", 34887: "LERC", 34925: "LZMA",
		50001: "WebP", 50002: "JPEG XL",
	}
	known := []int{1, group3, group4, 5, jpegStrips, 8, 32773, 32946, zstandard}
	deep := f.deep()
	switch {
	case names[f.compression] != "":
		return not("%s compression", names[f.compression])
	case !slices.Contains(known, f.compression):
		return not("compression %d", f.compression)
	case f.photometric == 8 || f.photometric == 9 || f.photometric == 10:
		return not("L*a*b* colours")
	case f.colours() == 0:
		return not("photometric interpretation %d", f.photometric)
	case f.samples*f.bits > 64:
		return not("%d samples of %d bits", f.samples, f.bits)
	case f.photometric == yCbCr && f.compression != jpegStrips:
		return not("YCbCr colours that are not compressed as JPEG")
	case f.compression == jpegStrips && (f.bits != 8 || f.photometric == separated || f.samples > f.colours()):
		return not("JPEG compression of %d samples of %d bits", f.samples, f.bits)
	case (f.compression == group3 || f.compression == group4) && (f.bits != 1 || f.samples != 1):
		return not("CCITT compression of %d samples of %d bits", f.samples, f.bits)
	case f.compression == group3 && f.number(tagT4, 0) != 0:
		return not("CCITT Group 3 coding that is two-dimensional, uncompressed or filled up to whole bytes")
	case deep && f.samples > 1, f.format < unsigned || f.format > float,
		f.format == signed && f.bits < 16, f.format == float && f.bits < 32:
		return not("%d samples of %d bits in sample format %d", f.samples, f.bits, f.format)
	case deep && f.bits != 16 && f.bits != 32 && f.bits != 64 || f.bits == 64 && f.format != float:
		return not("%d bits per sample", f.bits)
	case !deep && f.bits != 1 && f.bits != 2 && f.bits != 4 && f.bits != 8 && f.bits != 16:
		return not("%d bits per sample", f.bits)
	case f.photometric == palette && (f.bits > 8 || deep), f.photometric == separated && f.bits != 8:
		return not("%d bits per sample in this kind of colours", f.bits)
	case f.colours() > 1 && f.bits < 8:
		return not("%d bits per colour", f.bits)
	case f.predictor == 2 && f.bits != 8 && f.bits != 16 && f.bits != 32, f.predictor == 3 && f.format != float,
		f.predictor > 3:
		return not("predictor %d of %d bits", f.predictor, f.bits)
	}
	return nil
}

// deep tells numbers that are levels of 0..255 by themselves from levels that are shares of their
// type's largest value.
func (f *tiffFile) deep() bool { return f.format != unsigned || f.bits > 16 }

// colours is the number of samples that make a colour, 0 for an interpretation that is not read.
func (f *tiffFile) colours() int {
	return map[int]int{whiteIsZero: 1, blackIsZero: 1, palette: 1, rgbColours: 3, yCbCr: 3, separated: 4}[f.photometric]
}

func (f *tiffFile) channels() int {
	if f.photometric == whiteIsZero || f.photometric == blackIsZero {
		return 1
	}
	return 3
}

// read reads all blocks into the planes.
func (f *tiffFile) read() error {
	offsets, sizes := uint16(tagStripOffsets), uint16(tagStripSize)
	if _, tiled := f.entries[tagTileOffsets]; tiled {
		offsets, sizes = tagTileOffsets, tagTileSize
	}
	// No compression needs as many bytes for a block; more would make many blocks that share them
	// slow.
	most := 1<<16 + uint64(f.block.X*f.block.Y*f.samples*f.bits)
	across, down := (f.width+f.block.X-1)/f.block.X, (f.height+f.block.Y-1)/f.block.Y
	count := across * down
	if f.planar {
		count *= f.samples
	}
	unsized := f.count(sizes) == 0 && f.count(offsets) == 1 // some writers leave the size of a single strip out
	if f.count(offsets) < count || f.count(sizes) < count && !unsized {
		return errTIFF
	}
	for i := range count {
		if err := f.clock.check(); err != nil {
			return err
		}
		from := f.at(offsets, i)
		if from > uint64(len(f.data)) {
			return errTIFF
		}
		part := f.data[from:]
		part = part[:min(uint64(len(part)), most)]
		if !unsized {
			part = part[:min(f.at(sizes, i), uint64(len(part)))]
		}
		first := 0
		if f.planar {
			first = i / (across * down)
		}
		if first >= len(f.planes) {
			break
		}
		at := image.Pt(i%across*f.block.X, i/across%down*f.block.Y)
		if err := f.readBlock(part, at, first); err != nil {
			return err
		}
	}
	return nil
}

// finish turns the samples into gray or RGB in [0, 1], in place at the beginning of pix.
func (f *tiffFile) finish(pix []float32) error {
	if f.deep() {
		if err := f.fromLevels(pix); err != nil {
			return err
		}
	}
	area := f.width * f.height
	switch f.photometric {
	case whiteIsZero:
		for i, v := range f.planes[0] {
			f.planes[0][i] = 1 - v
		}
	case palette:
		size := f.count(tagColours) / 3
		var colours [256][3]float32
		for i := range min(size, len(colours)) {
			for c := range 3 { // they have 16 bits of which the upper 8 count
				colours[i][c] = levels[f.at(tagColours, c*size+i)>>8&255]
			}
		}
		for i := range area {
			index := int(pix[i])
			if index >= size {
				return fmt.Errorf("colour %d is not in the palette of %d", index, size)
			}
			for c, v := range colours[index] {
				pix[c*area+i] = v
			}
		}
	case separated:
		byteOf := func(v float32) uint8 { return uint8(v*255 + 0.5) }
		for i := range area {
			black := byteOf(f.planes[3][i])
			for c := range 3 {
				pix[c*area+i] = levels[cmyk8(byteOf(f.planes[c][i]), black)]
			}
		}
	}
	if n := f.channels(); f.extra == 2 && f.photometric < palette && len(f.planes) > n {
		for i, alpha := range f.planes[n] {
			for c := range n {
				pix[c*area+i] = float32(float64(pix[c*area+i]) * float64(alpha))
			}
		}
	}
	return nil
}

// fromLevels takes deep samples as levels of 0..255, cut off to whole ones as Pillow does.
func (f *tiffFile) fromLevels(pix []float32) error {
	least, most := pix[0], pix[0]
	for _, v := range pix {
		if math.IsNaN(float64(v)) {
			return errors.New("a value is not a number")
		}
		least, most = min(least, v), max(most, v)
	}
	const slack = 1
	switch {
	case least < -slack || most > 255+slack:
		return refusal(fmt.Sprintf("TIFF of %d bits with values below 0 or above 255, which readers of images cut "+
			"off; save it with 8 or 16 unsigned bits", f.bits))
	case f.format == float && most <= 1 && most > 0:
		return refusal("TIFF with floating-point values from 0 to 1, which readers of images take as levels of 0 to " +
			"255, that is as black; save it with 8 or 16 unsigned bits")
	}
	for i, v := range pix {
		pix[i] = levels[int(max(0, min(255, v)))]
	}
	return nil
}
