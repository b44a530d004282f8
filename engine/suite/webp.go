package suite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"

	"golang.org/x/image/webp"
)

// webpFrame is the only picture of a WebP file, or the first one of an animation.
type webpFrame struct {
	canvas image.Point
	place  image.Rectangle // of the picture on the canvas
	alpha  bool            // whether the file says that it has alpha; what lies in the picture is nothing without it
	file   []byte          // the picture as a file of its own
}

// webpChunk is a part of a WebP file.
type webpChunk struct {
	name string
	data []byte
}

var errWebP = errors.New("the file ends inside of a chunk or its chunks contradict each other")

// webpChunks cuts data into chunks. An incomplete one at the end is left out.
func webpChunks(data []byte) (chunks []webpChunk) {
	for len(data) >= 8 {
		size := int(binary.LittleEndian.Uint32(data[4:]))
		if size > len(data)-8 {
			break
		}
		chunks = append(chunks, webpChunk{string(data[:4]), data[8 : 8+size]})
		data = data[min(8+size+size%2, len(data)):]
	}
	return chunks
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// readWebP finds the first picture. It unpacks nothing.
func readWebP(data []byte) (f webpFrame, err error) {
	const header, frameHeader, hasAlpha = 12, 16, 1 << 4
	var size []byte // of the canvas or frame, as an extended header holds it
	chunks := webpChunks(data[min(header, len(data)):])
	for i, c := range chunks {
		switch {
		case c.name == "VP8X" && len(c.data) >= 10:
			size, f.alpha = c.data[4:10], c.data[0]&hasAlpha != 0
			f.canvas = image.Pt(uint24(size)+1, uint24(size[3:])+1)
			f.place = image.Rectangle{Max: f.canvas}
		case c.name == "ANMF" && size != nil && len(c.data) >= frameHeader:
			at := image.Pt(2*uint24(c.data), 2*uint24(c.data[3:]))
			size = c.data[6:12]
			f.place = image.Rectangle{at, at.Add(image.Pt(uint24(size)+1, uint24(size[3:])+1))}
			return f.with(webpChunks(c.data[frameHeader:]), size)
		case c.name == "VP8 " || c.name == "VP8L" || c.name == "ALPH":
			return f.with(chunks[i:], size)
		}
	}
	return f, errWebP
}

// with adds the picture, which begins with the first of chunks. size is that of its extended
// header, nil without one.
func (f webpFrame) with(chunks []webpChunk, size []byte) (webpFrame, error) {
	var alpha *webpChunk
	for _, c := range chunks {
		switch {
		case c.name == "ALPH":
			alpha = &c
		case c.name == "VP8 " || c.name == "VP8L":
			var body []byte
			if size != nil {
				flags := byte(0)
				if alpha != nil && c.name == "VP8 " {
					flags = 1 << 4
				}
				body = appendChunk(body, "VP8X", append([]byte{flags, 0, 0, 0}, size...))
				if flags != 0 {
					body = appendChunk(body, "ALPH", alpha.data)
				}
			} else if len(c.data) >= 5 && c.name == "VP8L" {
				f.alpha = c.data[4]&(1<<4) != 0
			}
			body = append([]byte("WEBP"), appendChunk(body, c.name, c.data)...)
			f.file = append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
			if size == nil {
				config, err := webp.DecodeConfig(bytes.NewReader(f.file))
				if err != nil {
					return f, err
				}
				f.canvas = image.Pt(config.Width, config.Height)
				f.place = image.Rectangle{Max: f.canvas}
			}
			if !f.place.In(image.Rectangle{Max: f.canvas}) {
				return f, errWebP
			}
			return f, nil
		}
	}
	return f, errWebP
}

func appendChunk(to []byte, name string, data []byte) []byte {
	to = append(binary.LittleEndian.AppendUint32(append(to, name...), uint32(len(data))), data...)
	return append(to, make([]byte, len(data)%2)...)
}

// headerOfWebP counts two copies of the pixels of the picture beside the result, a decoder's own
// and one that it unfolds, and the Huffman trees of a lossless one: at most 2600 x 5 of them, to
// which a byte of the file adds 256 at most.
func headerOfWebP(data []byte) (header, error) {
	const trees, grows = 160 << 20, 256
	f, err := readWebP(data)
	return header{Point: f.canvas, bytes: bytesRGB + 8, more: min(trees, grows*len(f.file))}, err
}

// decodeWebP reads a WebP as libwebp does: YCbCr of limited range, chroma enlarged smoothly; of
// an animation the first frame, at its place on a transparent canvas.
func decodeWebP(data []byte, c *clock) (Image, error) {
	f, err := readWebP(data)
	if err != nil {
		return Image{}, err
	}
	m, err := webp.Decode(c.reader(f.file))
	if err != nil {
		return Image{}, err
	}
	row, size := func([][3]float32, int) error { return nil }, m.Bounds().Size()
	switch m := m.(type) {
	case *image.NRGBA:
		row = func(line [][3]float32, y int) error {
			pix := m.Pix[y*m.Stride:]
			for x := range line {
				alpha := pix[4*x+3]
				if !f.alpha {
					alpha = 255
				}
				line[x] = straight8(pix[4*x], pix[4*x+1], pix[4*x+2], alpha)
			}
			return nil
		}
	case *image.YCbCr:
		row = rowsOfWebP(m, nil)
	case *image.NYCbCrA:
		alpha := m.A
		if !f.alpha {
			alpha = nil
		}
		row = rowsOfWebP(&m.YCbCr, alpha)
	}
	if size != f.place.Size() {
		return Image{}, errWebP
	}
	return fromRows(f.canvas, 3, c, func(line [][3]float32, y int) error {
		clear(line)
		if y < f.place.Min.Y || y >= f.place.Max.Y {
			return nil
		}
		return row(line[f.place.Min.X:f.place.Max.X], y-f.place.Min.Y)
	})
}

// rowsOfWebP converts the planes of a lossy WebP as libwebp's upsampling.c and yuv.h do. alpha has
// a value for each pixel, or is nil.
func rowsOfWebP(m *image.YCbCr, alpha []byte) func(line [][3]float32, y int) error {
	size := m.Rect.Size()
	width, height := (size.X+1)/2, (size.Y+1)/2
	us, vs := make([]byte, size.X), make([]byte, size.X)
	return func(line [][3]float32, y int) error {
		near, far := nearFar(y, height)
		smoothWebP(us, m.Cb[near*m.CStride:][:width], m.Cb[far*m.CStride:][:width])
		smoothWebP(vs, m.Cr[near*m.CStride:][:width], m.Cr[far*m.CStride:][:width])
		for x, luma := range m.Y[y*m.YStride:][:size.X] {
			l, u, v, a := int(luma)*19077>>8, int(us[x]), int(vs[x]), byte(255)
			if alpha != nil {
				a = alpha[y*size.X+x]
			}
			line[x] = straight8(clip8((l+v*26149>>8-14234)>>6), clip8((l-u*6419>>8-v*13320>>8+8708)>>6),
				clip8((l+u*33050>>8-17685)>>6), a)
		}
		return nil
	}
}

// smoothWebP enlarges a row of chroma: 9/16 of the nearest value, 3/16 of the next one in each
// direction, 1/16 of the one beyond both, rounded as libwebp does.
func smoothWebP(line, near, far []byte) {
	edge := func(i int) byte { return byte((3*int(near[i]) + int(far[i]) + 2) >> 2) }
	line[0] = edge(0)
	for i := 1; i < len(near); i++ {
		n0, n1, f0, f1 := int(near[i-1]), int(near[i]), int(far[i-1]), int(far[i])
		all := n0 + n1 + f0 + f1 + 8
		line[2*i-1] = byte(((all+2*(n1+f0))>>3 + n0) >> 1)
		if 2*i < len(line) {
			line[2*i] = byte(((all+2*(n0+f1))>>3 + n1) >> 1)
		}
	}
	if len(line)%2 == 0 {
		line[len(line)-1] = edge(len(near) - 1)
	}
}
