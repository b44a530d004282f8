package corrupt

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

// largestJPEG is the longest side that the format can say.
const largestJPEG = 65535

// prepareJPEG encodes and decodes with the standard library: baseline, 4:2:0 for RGB. Pixels differ
// by a few units from other codecs, which smooth the colours between pixels.
func prepareJPEG(s setup) (filter, error) {
	if max(s.height, s.width) > largestJPEG {
		return nil, fmt.Errorf("the image has %d x %d pixels; JPEG holds at most %d a side",
			s.width, s.height, largestJPEG)
	}
	options := &jpeg.Options{Quality: int(s.p[0])}
	return func(_ *call, r raster) error {
		var file bytes.Buffer
		if err := jpeg.Encode(&file, pictureOf(r), options); err != nil {
			return fmt.Errorf("encode as JPEG: %w", err)
		}
		decoded, err := jpeg.Decode(&file)
		if err != nil {
			return fmt.Errorf("decode the JPEG: %w", err)
		}
		return r.take(decoded)
	}, nil
}

// pictureOf is the image in 8 bits.
func pictureOf(r raster) image.Image {
	size := image.Rect(0, 0, r.width, r.height)
	if r.channels == 1 {
		m := image.NewGray(size)
		for i, v := range r.pix {
			m.Pix[i] = byteOf(v)
		}
		return m
	}
	m := image.NewRGBA(size)
	for i := range r.area() {
		pixel := m.Pix[4*i:][:4]
		for c := range 3 {
			pixel[c] = byteOf(r.plane(c)[i])
		}
		pixel[3] = 255
	}
	return m
}

// take sets the image to what was decoded.
func (r raster) take(decoded image.Image) error {
	area := r.area()
	switch m := decoded.(type) {
	case *image.Gray:
		for i := range area {
			r.pix[i] = steps[m.Pix[i/r.width*m.Stride+i%r.width]]
		}
	case *image.YCbCr:
		for i := range area {
			at, chroma := m.YOffset(i%r.width, i/r.width), m.COffset(i%r.width, i/r.width)
			red, green, blue := color.YCbCrToRGB(m.Y[at], m.Cb[chroma], m.Cr[chroma])
			r.pix[i], r.pix[area+i], r.pix[2*area+i] = steps[red], steps[green], steps[blue]
		}
	default:
		return fmt.Errorf("decode the JPEG: unexpected form %T", decoded)
	}
	return nil
}
