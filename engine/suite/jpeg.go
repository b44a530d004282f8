package suite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"iter"
	"slices"
	"strings"
)

// decodeJPEG reads a JPEG as libjpeg does by default: chroma that is stored smaller is enlarged
// smoothly, and YCbCr becomes RGB in libjpeg's integers. The standard library reads the
// coefficients and planes.
func decodeJPEG(data []byte) (Image, error) {
	m, err := imageOfJPEG(data)
	if err != nil {
		return Image{}, err
	}
	return fromImage(m, isGray(m)), nil
}

func imageOfJPEG(data []byte) (image.Image, error) {
	m, err := jpeg.Decode(bytes.NewReader(withAdobe(data)))
	if planes, ok := m.(*image.YCbCr); ok {
		return rgbOfJPEG(planes), nil
	}
	return m, err
}

// jpegSegments yields the segments before the image data: the marker's second byte and the
// segment's content.
func jpegSegments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		const scan, end = 0xda, 0xd9
		for at := 2; at+4 <= len(data) && data[at] == 0xff; {
			marker := data[at+1]
			if marker == 0xff { // padding
				at++
				continue
			}
			size := int(binary.BigEndian.Uint16(data[at+2:]))
			if marker == scan || marker == end || size < 2 || at+2+size > len(data) || !yield(marker, data[at+4:at+2+size]) {
				return
			}
			at += 2 + size
		}
	}
}

// jpegFrame finds the frame header (SOF): the kind of coding (its marker's second byte) and the
// header's content, nil without one or with one whose length is wrong.
func jpegFrame(data []byte) (kind byte, header []byte) {
	const tables, reserved, arithmetic = 0xc4, 0xc8, 0xcc // lie among the markers of frames
	for marker, s := range jpegSegments(data) {
		if marker < 0xc0 || marker > 0xcf || marker == tables || marker == reserved || marker == arithmetic {
			continue
		}
		if len(s) < frameFixed || len(s) != frameFixed+frameComponent*int(s[5]) {
			break
		}
		return marker, s
	}
	return 0, nil
}

// A frame header has precision, height, width and the number of components, then id, sampling
// and table of each component.
const frameFixed, frameComponent = 6, 3

// sizeOfJPEG refuses by name the kinds of JPEG that the standard library does not read. What is
// damaged is its errors.
func sizeOfJPEG(data []byte) (image.Point, error) {
	const again = "which is not read; save it again as a usual JPEG or as PNG"
	kind, header := jpegFrame(data)
	switch {
	case header == nil:
	case kind == 0xc3 || kind == 0xc7 || kind == 0xcb || kind == 0xcf:
		return image.Point{}, refusal("lossless JPEG, " + again)
	case kind >= 0xc9:
		return image.Point{}, refusal("JPEG with arithmetic coding, " + again)
	case kind >= 0xc5:
		return image.Point{}, refusal("hierarchical JPEG, " + again)
	case header[0] != 8:
		return image.Point{}, refusal(fmt.Sprintf("JPEG with %d bits per value, %s", header[0], again))
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if unsupported := jpeg.UnsupportedError(""); errors.As(err, &unsupported) && header != nil {
		var sampling []string
		for component := range slices.Chunk(header[frameFixed:], frameComponent) {
			sampling = append(sampling, fmt.Sprintf("%dx%d", component[1]>>4, component[1]&15))
		}
		all := strings.Join(sampling, ", ")
		return image.Point{}, refusal(fmt.Sprintf("JPEG whose components are sampled %s, %s", all, again))
	}
	return image.Pt(config.Width, config.Height), err
}

// withAdobe adds Adobe's segment to an image of four components that has none: libjpeg takes such
// components as CMYK.
func withAdobe(data []byte) []byte {
	const app14, adobe = 0xee, "Adobe"
	if _, header := jpegFrame(data); header == nil || header[5] != 4 {
		return data
	}
	for marker, segment := range jpegSegments(data) {
		if marker == app14 && bytes.HasPrefix(segment, []byte(adobe)) {
			return data
		}
	}
	segment := append([]byte{0xff, 0xd8, 0xff, app14, 0, 14}, adobe+"\x00\x64\x00\x00\x00\x00\x00"...)
	return append(segment, data[2:]...)
}

// rgbOfJPEG converts the planes of a JPEG as libjpeg's jdsample.c and jdcolor.c do.
func rgbOfJPEG(m *image.YCbCr) *image.RGBA {
	size := m.Rect.Size()
	out := image.NewRGBA(image.Rectangle{Max: size})
	h, v := ratio(m.SubsampleRatio)
	blue := chroma{m.Cb, m.CStride, (size.X + h - 1) / h, (size.Y + v - 1) / v, h, v}
	red := blue
	red.pix = m.Cr
	sums := make([]int, blue.width)
	cbs, crs := make([]byte, blue.width*h), make([]byte, blue.width*h)
	for y := range size.Y {
		blue.row(cbs, sums, y)
		red.row(crs, sums, y)
		luma := m.Y[y*m.YStride:][:size.X]
		line := out.Pix[y*out.Stride:][:4*size.X]
		for x, level := range luma {
			l, cb, cr := int(level), int(cbs[x])-128, int(crs[x])-128
			line[4*x] = clip8(l + (91881*cr+1<<15)>>16)             // 1.40200
			line[4*x+1] = clip8(l + (-22554*cb-46802*cr+1<<15)>>16) // 0.34414, 0.71414
			line[4*x+2] = clip8(l + (116130*cb+1<<15)>>16)          // 1.77200
			line[4*x+3] = 255
		}
	}
	return out
}

func clip8(v int) byte { return byte(max(0, min(255, v))) }

// ratio is how many pixels share one chroma value, across and down.
func ratio(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// chroma is a plane of width x height values, each of which stands for across x down pixels.
type chroma struct {
	pix                                 []byte
	stride, width, height, across, down int
}

// row writes row y of the enlarged plane to line (width * across values); sums is scratch space
// of width numbers. Factors of two are enlarged by libjpeg's triangle filter (3/4 of the nearer
// and 1/4 of the farther value in each direction, with its alternating rounding), others by
// repetition, as is a plane of one or two values across that is halved across.
func (c chroma) row(line []byte, sums []int, y int) {
	near := c.pix[y/c.down*c.stride:][:c.width]
	if c.across > 2 || c.across == 2 && c.width <= 2 {
		for x := range line {
			line[x] = near[x/c.across]
		}
		return
	}
	if c.down == 2 {
		_, other := nearFar(y, c.height)
		far := c.pix[other*c.stride:][:c.width]
		for x, v := range near {
			sums[x] = 3*int(v) + int(far[x])
		}
	} else {
		for x, v := range near {
			sums[x] = int(v)
		}
	}
	switch {
	case c.across == 1 && c.down == 1:
		copy(line, near)
	case c.across == 1:
		for x, s := range sums {
			line[x] = byte((s + 1 + y%2) >> 2)
		}
	default:
		left, right, shift := 1, 2, 2
		if c.down == 2 {
			left, right, shift = 8, 7, 4
		}
		for x, s := range sums {
			line[2*x] = byte((3*s + sums[max(x-1, 0)] + left) >> shift)
			line[2*x+1] = byte((3*s + sums[min(x+1, len(sums)-1)] + right) >> shift)
		}
	}
}

// nearFar are the nearer and the farther of the two rows of a plane of half the height that make
// row y of the image.
func nearFar(y, height int) (near, far int) {
	if y%2 == 0 {
		return y / 2, max(y/2-1, 0)
	}
	return y / 2, min(y/2+1, height-1)
}
