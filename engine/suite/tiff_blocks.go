package suite

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/ccitt"
	"golang.org/x/image/tiff/lzw"
)

// readBlock reads the strip or tile whose top left pixel is at; first is the first sample that it
// holds.
func (f *tiffFile) readBlock(part []byte, at image.Point, first int) error {
	rows := f.block.Y
	if _, tiled := f.entries[tagTileWidth]; !tiled {
		rows = min(rows, f.height-at.Y)
	}
	if f.compression == jpegStrips {
		return f.readJPEG(part, at, first, rows)
	}
	samples := f.samples
	if f.planar {
		samples = 1
	}
	from, done, err := f.unpacked(part, rows)
	if err != nil {
		return err
	}
	defer done()
	row := make([]byte, (f.block.X*samples*f.bits+7)/8)
	for y := range rows {
		if err := f.clock.check(); err != nil {
			return err
		}
		if n, err := io.ReadFull(from, row); err != nil {
			return fmt.Errorf("a strip or tile has %d of %d bytes: %w", y*len(row)+n, rows*len(row), err)
		}
		if at.Y+y >= f.height {
			continue
		}
		f.unpredict(row, samples)
		for s := range min(samples, len(f.planes)) {
			to := f.planes[first+s][(at.Y+y)*f.width+at.X:][:min(f.block.X, f.width-at.X)]
			for x := range to {
				to[x] = f.sample(row, x*samples+s)
			}
		}
	}
	return nil
}

// unpacked reads the block's rows without compression, until done.
func (f *tiffFile) unpacked(part []byte, rows int) (from io.Reader, done func(), err error) {
	if f.number(tagFillOrder, 1) == 2 {
		part = bytes.Clone(part)
		for i, b := range part {
			part[i] = bits.Reverse8(b)
		}
	}
	from = f.clock.reader(part)
	switch f.compression {
	case group3, group4:
		kind := ccitt.Group3
		if f.compression == group4 {
			kind = ccitt.Group4
		}
		// Whatever the photometric interpretation, CCITT's white is bit 0.
		return ccitt.NewReader(from, ccitt.MSB, kind, f.block.X, rows, &ccitt.Options{Invert: true}), func() {}, nil
	case 5:
		r := lzw.NewReader(from, lzw.MSB, 8)
		return r, func() { _ = r.Close() }, nil
	case 8, 32946:
		r, err := zlib.NewReader(from)
		return r, func() {}, err
	case zstandard:
		r, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	case 32773:
		from = &packBits{part: part}
	}
	return from, func() {}, nil
}

// maxWindow is how much memory a strip may ask of Zstandard's decoder: what its levels up to 19 do.
const maxWindow = 8 << 20

// packBits undoes PackBits.
type packBits struct{ part, run []byte }

func (p *packBits) Read(to []byte) (int, error) {
	for len(p.run) == 0 {
		if len(p.part) < 2 {
			return 0, io.EOF
		}
		n := int(int8(p.part[0]))
		switch p.part = p.part[1:]; {
		case n >= 0:
			n = min(n+1, len(p.part))
			p.run, p.part = p.part[:n], p.part[n:]
		case n > -128:
			p.run, p.part = bytes.Repeat(p.part[:1], 1-n), p.part[1:]
		}
	}
	n := copy(to, p.run)
	p.run = p.run[n:]
	return n, nil
}

// unpredict undoes the differences to the pixel at the left.
func (f *tiffFile) unpredict(row []byte, samples int) {
	switch size := f.bits / 8; {
	case f.predictor == 2 && size == 1:
		for i := samples; i < len(row); i++ {
			row[i] += row[i-samples]
		}
	case f.predictor == 2 && size == 2:
		for i := 2 * samples; i+2 <= len(row); i += 2 {
			f.order.PutUint16(row[i:], f.order.Uint16(row[i:])+f.order.Uint16(row[i-2*samples:]))
		}
	case f.predictor == 2:
		for i := 4 * samples; i+4 <= len(row); i += 4 {
			f.order.PutUint32(row[i:], f.order.Uint32(row[i:])+f.order.Uint32(row[i-4*samples:]))
		}
	case f.predictor == 3: // all first bytes, then all second bytes, ..., the most significant first (Adobe's note 3)
		for i := samples; i < len(row); i++ {
			row[i] += row[i-samples]
		}
		mixed, count := bytes.Clone(row), len(row)/size
		for i := range count {
			for b := range size {
				to := b
				if f.order == binary.ByteOrder(binary.LittleEndian) {
					to = size - 1 - b
				}
				row[i*size+to] = mixed[b*count+i]
			}
		}
	}
}

// sample is value i of a row: for deep samples the number, else the level in [0, 1] or, in a
// palette, the index.
func (f *tiffFile) sample(row []byte, i int) float32 {
	order := f.order
	switch {
	case f.bits == 8 && f.photometric != palette:
		return levels[row[i]]
	case f.format == float && f.bits == 64:
		return float32(math.Float64frombits(order.Uint64(row[8*i:])))
	case f.format == float:
		return math.Float32frombits(order.Uint32(row[4*i:]))
	case f.format == signed && f.bits == 16:
		return float32(int16(order.Uint16(row[2*i:])))
	case f.format == signed:
		return float32(int32(order.Uint32(row[4*i:])))
	case f.bits == 32:
		return float32(order.Uint32(row[4*i:]))
	case f.bits == 16:
		return float32(float64(order.Uint16(row[2*i:])) / 65535)
	}
	most := 1<<f.bits - 1
	at := i * f.bits
	v := int(row[at/8]) >> (8 - f.bits - at%8) & most
	if f.photometric == palette {
		return float32(v)
	}
	return levels[v*255/most]
}

// readJPEG reads a strip or tile that is a JPEG of its own, apart from the tables that all share.
func (f *tiffFile) readJPEG(part []byte, at image.Point, first, rows int) error {
	const start, end = 2, 2 // bytes of the markers around each
	if len(part) < start {
		return errTIFF
	}
	// libtiff takes the kind of colours from the TIFF alone; Adobe's segment says it to the
	// JPEG's reader.
	transform := map[int]byte{rgbColours: 0, yCbCr: 1}[f.photometric]
	whole := append([]byte("\xff\xd8\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00"), transform)
	if tables := f.entries[tagJPEGTables].data; len(tables) > start+end {
		whole = append(whole, tables[start:len(tables)-end]...)
	}
	whole = append(whole, part[start:]...)
	h, err := headerOfJPEG(whole)
	if err != nil {
		return err
	}
	if h.X > f.block.X || h.Y > max(rows, f.block.Y) {
		return errTIFF
	}
	img, err := decodeJPEG(whole, f.clock)
	if err != nil {
		return err
	}
	if img.Channels+first > len(f.planes) || f.planar && img.Channels > 1 || !f.planar && img.Channels < f.channels() {
		return errTIFF
	}
	for c := range img.Channels {
		for y := range min(img.Height, f.height-at.Y) {
			from := img.Pix[(c*img.Height+y)*img.Width:][:min(img.Width, f.width-at.X)]
			copy(f.planes[first+c][(at.Y+y)*f.width+at.X:], from)
		}
	}
	return nil
}
