package suite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"math/bits"
)

// bmpFile is a BMP that is being read: what its headers say.
type bmpFile struct {
	size        image.Point
	topDown     bool
	bits        int       // per pixel
	compression uint32    // one of the bmp constants
	masks       [4]uint32 // of red, green, blue and alpha, for 16 and 32 bits
	palette     [256][3]float32
	pixels      []byte
}

// Compressions of a BMP.
const (
	bmpPlain     = 0
	bmpRuns8     = 1
	bmpRuns4     = 2
	bmpBitFields = 3
)

var errBMP = errors.New("its headers or pixels are cut off or contradict each other")

// openBMP reads the headers: OS/2's of 12 bytes, or Windows' of 40 bytes and more.
func openBMP(data []byte) (*bmpFile, error) {
	const fileHeader, os2, windows, masked = 14, 12, 40, 56
	le := binary.LittleEndian
	if len(data) < fileHeader+os2 {
		return nil, errBMP
	}
	f := &bmpFile{}
	size, colours, entry := int(le.Uint32(data[fileHeader:])), 0, 4
	h := data[fileHeader:]
	switch {
	case size == os2:
		f.size, f.bits, entry = image.Pt(int(le.Uint16(h[4:])), int(le.Uint16(h[6:]))), int(le.Uint16(h[10:])), 3
	case size >= windows && size <= len(h):
		height := int(int32(le.Uint32(h[8:])))
		f.topDown = height < 0
		f.size, f.bits = image.Pt(int(int32(le.Uint32(h[4:]))), max(height, -height)), int(le.Uint16(h[14:]))
		f.compression, colours = le.Uint32(h[16:]), int(le.Uint32(h[32:]))
	default:
		return nil, errBMP
	}
	at := fileHeader + size
	switch {
	case f.bits == 16:
		f.masks = [4]uint32{0x7c00, 0x3e0, 0x1f}
	case f.bits == 24 || f.bits == 32:
		f.masks = [4]uint32{0xff0000, 0xff00, 0xff}
	}
	if f.compression == bmpBitFields {
		if size < masked { // they follow the header, or are its last part, without one of alpha
			size = windows
			at = max(at, fileHeader+size+12)
		}
		if len(h) < size+12 {
			return nil, errBMP
		}
		for i := range f.masks[:3] {
			f.masks[i] = le.Uint32(h[windows+4*i:])
		}
		if size >= masked && f.bits == 32 { // Pillow knows none of 16 bits
			f.masks[3] = le.Uint32(h[windows+12:])
		}
	}
	if err := f.refused(); err != nil {
		return nil, err
	}
	if f.bits <= 8 {
		if colours == 0 || colours > 1<<f.bits {
			colours = 1 << f.bits
		}
		if len(data) < at+colours*entry {
			return nil, errBMP
		}
		for i := range f.palette { // Pillow's colours beyond the palette are grays
			f.palette[i] = [3]float32{levels[i], levels[i], levels[i]}
			if i < colours {
				c := data[at+i*entry:]
				f.palette[i] = [3]float32{levels[c[2]], levels[c[1]], levels[c[0]]}
			}
		}
	}
	from := int(le.Uint32(data[10:]))
	if from > len(data) {
		return nil, errBMP
	}
	f.pixels = data[from:]
	return f, nil
}

// refused names what is not read.
func (f *bmpFile) refused() error {
	known := map[int]uint32{
		1: bmpPlain, 2: bmpPlain, 4: bmpRuns4, 8: bmpRuns8, 16: bmpBitFields, 24: bmpPlain,
		32: bmpBitFields,
	}
	compressed, ok := known[f.bits]
	if !ok || f.compression != bmpPlain && f.compression != compressed {
		return refusal(fmt.Sprintf("BMP of %d bits per pixel in compression %d, which is not read; save it as PNG",
			f.bits, f.compression))
	}
	if f.compression != bmpBitFields {
		return nil
	}
	for i, mask := range f.masks {
		mask >>= bits.TrailingZeros32(mask)
		if i < 3 && mask == 0 || mask&(mask+1) != 0 {
			return refusal("BMP whose masks of colours have no bits or gaps, which is not read; save it as PNG")
		}
	}
	return nil
}

func headerOfBMP(data []byte) (header, error) {
	f, err := openBMP(data)
	if err != nil {
		return header{}, err
	}
	return header{Point: f.size, bytes: bytesRGB + 1}, nil
}

// decodeBMP reads palettes of 1 to 8 bits, also as runs, and colours of 16, 24 and 32 bits, from
// the bottom up or top down. Alpha counts where the file has a mask for it.
func decodeBMP(data []byte, c *clock) (Image, error) {
	f, err := openBMP(data)
	if err != nil {
		return Image{}, err
	}
	rowBytes := (f.size.X*f.bits + 31) / 32 * 4
	if f.compression == bmpRuns8 || f.compression == bmpRuns4 {
		if err := f.unpackRuns(c); err != nil {
			return Image{}, err
		}
		rowBytes = f.size.X
	}
	if len(f.pixels) < rowBytes*f.size.Y {
		return Image{}, fmt.Errorf("it has %d bytes of pixels, %d are needed", len(f.pixels), rowBytes*f.size.Y)
	}
	return fromRows(f.size, 3, c, func(line [][3]float32, y int) error {
		if !f.topDown {
			y = f.size.Y - 1 - y
		}
		row := f.pixels[y*rowBytes:][:rowBytes]
		for x := range line {
			line[x] = f.colour(row, x)
		}
		return nil
	})
}

// colour is pixel x of a row.
func (f *bmpFile) colour(row []byte, x int) [3]float32 {
	var v uint32
	switch f.bits {
	case 16:
		v = uint32(binary.LittleEndian.Uint16(row[2*x:]))
	case 24:
		v = uint32(row[3*x]) | uint32(row[3*x+1])<<8 | uint32(row[3*x+2])<<16
	case 32:
		v = binary.LittleEndian.Uint32(row[4*x:])
	default:
		at := x * f.bits
		return f.palette[row[at/8]>>(8-f.bits-at%8)&(1<<f.bits-1)]
	}
	c := [4]uint8{3: 255}
	for i, mask := range f.masks {
		if mask != 0 { // cut off to a whole level as Pillow does
			zeros := bits.TrailingZeros32(mask)
			c[i] = uint8(uint64(v&mask>>zeros) * 255 / uint64(mask>>zeros))
		}
	}
	return straight8(c[0], c[1], c[2], c[3])
}

// unpackRuns undoes the run-length coding into a byte per pixel; what is passed over or missing is
// colour 0.
func (f *bmpFile) unpackRuns(c *clock) error {
	part, out := f.pixels, make([]byte, f.size.X*f.size.Y)
	x, y := 0, 0
	put := func(v byte) {
		if x < f.size.X && y < f.size.Y {
			out[y*f.size.X+x] = v
		}
		x++
	}
	one := func(bytes []byte, i int) byte { // value i of a run
		if f.compression == bmpRuns8 {
			return bytes[i]
		}
		return bytes[i/2] >> (4 - 4*(i%2)) & 15
	}
	for n := 0; len(part) >= 2 && y < f.size.Y; n++ {
		if n%(1<<10) == 0 {
			if err := c.check(); err != nil {
				return err
			}
		}
		count, second := int(part[0]), part[1]
		if part = part[2:]; count > 0 {
			for i := range count {
				put(one([]byte{second, second}, i%2))
			}
			continue
		}
		switch second {
		case 0: // end of the line
			x, y = 0, y+1
		case 1: // end of the picture
			part = nil
		case 2: // to another place
			if len(part) >= 2 {
				x, y, part = x+int(part[0]), y+int(part[1]), part[2:]
			}
		default: // values one by one, filled up to an even number of bytes
			n := int(second)
			if f.compression == bmpRuns4 {
				n = (n + 1) / 2
			}
			if n > len(part) {
				part = nil
				break
			}
			for i := range int(second) {
				put(one(part, i))
			}
			part = part[min(n+n%2, len(part)):]
		}
	}
	f.bits, f.pixels = 8, out
	return nil
}
