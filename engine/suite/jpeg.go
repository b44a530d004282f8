package suite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"iter"
	"slices"
	"strings"
)

// maxScans is the most passes over a JPEG's image that are read. A progressive one has about ten;
// each needs a few bytes and work for all pixels. libjpeg-turbo's tests stop at the same number.
const maxScans = 500

// again is what to do with a JPEG of a kind that is not read.
const again = "which is not read; save it again as a usual JPEG or as PNG"

// decodeJPEG reads a JPEG as libjpeg does by default: chroma that is stored smaller is enlarged
// smoothly, and YCbCr becomes RGB in libjpeg's integers. The standard library reads the
// coefficients and planes.
func decodeJPEG(data []byte, c *clock) (Image, error) {
	data = withAdobe(data)
	scans := jpegScans(data)
	if len(scans) > maxScans {
		return Image{}, refusal(fmt.Sprintf("JPEG with more than %d scans, %s", maxScans, again))
	}
	m, err := jpeg.Decode(c.reader(data, scans...))
	if err != nil {
		return Image{}, err
	}
	size := m.Bounds().Size()
	switch m := m.(type) {
	case *image.Gray:
		return fromRows(size, 1, c, func(line [][3]float32, y int) error {
			for x, v := range m.Pix[y*m.Stride:][:size.X] {
				line[x][0] = levels[v]
			}
			return nil
		})
	case *image.YCbCr:
		return fromRows(size, 3, c, rowsOfJPEG(m))
	case *image.CMYK:
		return fromRows(size, 3, c, func(line [][3]float32, y int) error {
			pix := m.Pix[y*m.Stride:]
			for x := range line {
				for c := range line[x] {
					line[x][c] = levels[cmyk8(pix[4*x+c], pix[4*x+3])]
				}
			}
			return nil
		})
	case *image.RGBA:
		return fromRows(size, 3, c, func(line [][3]float32, y int) error {
			pix := m.Pix[y*m.Stride:]
			for x := range line {
				line[x] = [3]float32{levels[pix[4*x]], levels[pix[4*x+1]], levels[pix[4*x+2]]}
			}
			return nil
		})
	}
	return Image{}, fmt.Errorf("unknown kind of image %T", m)
}

// jpegScans are the places of the markers of scans (SOS), at most one more than maxScans.
func jpegScans(data []byte) (scans []int) {
	const scan, end, restart0, restart7 = 0xda, 0xd9, 0xd0, 0xd7
	for at := 2; len(scans) <= maxScans; {
		next := bytes.IndexByte(data[min(at, len(data)):], 0xff)
		if at += next; next < 0 || at+4 > len(data) {
			break
		}
		switch marker := data[at+1]; {
		case marker == 0xff: // padding
			at++
		case marker == 0, marker >= restart0 && marker <= restart7: // within a scan
			at += 2
		case marker == end:
			return scans
		default:
			if marker == scan {
				scans = append(scans, at)
			}
			at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		}
	}
	return scans
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
			if marker == scan || marker == end || size < 2 || at+2+size > len(data) ||
				!yield(marker, data[at+4:at+2+size]) {
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

// progressive is the marker of a frame whose scans refine each other (SOF2).
const progressive = 0xc2

// headerOfJPEG refuses by name the kinds of JPEG that the standard library does not read. What is
// damaged is its errors.
func headerOfJPEG(data []byte) (header, error) {
	kind, frame := jpegFrame(data)
	switch {
	case frame == nil:
	case kind == 0xc3 || kind == 0xc7 || kind == 0xcb || kind == 0xcf:
		return header{}, refusal("lossless JPEG, " + again)
	case kind >= 0xc9:
		return header{}, refusal("JPEG with arithmetic coding, " + again)
	case kind >= 0xc5:
		return header{}, refusal("hierarchical JPEG, " + again)
	case frame[0] != 8:
		return header{}, refusal(fmt.Sprintf("JPEG with %d bits per value, %s", frame[0], again))
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if unsupported := jpeg.UnsupportedError(""); errors.As(err, &unsupported) && frame != nil {
		var sampling []string
		for component := range slices.Chunk(frame[frameFixed:], frameComponent) {
			sampling = append(sampling, fmt.Sprintf("%dx%d", component[1]>>4, component[1]&15))
		}
		all := strings.Join(sampling, ", ")
		return header{}, refusal(fmt.Sprintf("JPEG whose components are sampled %s, %s", all, again))
	}
	h := header{Point: image.Pt(config.Width, config.Height), bytes: bytesRGB}
	components := 3
	switch config.ColorModel {
	case color.GrayModel:
		h.bytes, components = bytesGray, 1
	case color.RGBAModel: // a second copy, with alpha
		h.bytes += 4
	case color.CMYKModel:
		h.bytes, components = h.bytes+4, 4
	}
	h.bytes += components
	if kind == progressive { // coefficients of 32 bits
		h.bytes += 4 * components
	}
	return h, err
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

// rowsOfJPEG converts the planes of a JPEG as libjpeg's jdsample.c and jdcolor.c do.
func rowsOfJPEG(m *image.YCbCr) func(line [][3]float32, y int) error {
	size := m.Rect.Size()
	h, v := ratio(m.SubsampleRatio)
	blue := chroma{m.Cb, m.CStride, (size.X + h - 1) / h, (size.Y + v - 1) / v, h, v}
	red := blue
	red.pix = m.Cr
	sums := make([]int, blue.width)
	cbs, crs := make([]byte, blue.width*h), make([]byte, blue.width*h)
	return func(line [][3]float32, y int) error {
		blue.row(cbs, sums, y)
		red.row(crs, sums, y)
		for x, level := range m.Y[y*m.YStride:][:size.X] {
			l, cb, cr := int(level), int(cbs[x])-128, int(crs[x])-128
			line[x] = [3]float32{
				levels[clip8(l+(91881*cr+1<<15)>>16)],           // 1.40200
				levels[clip8(l+(-22554*cb-46802*cr+1<<15)>>16)], // 0.34414, 0.71414
				levels[clip8(l+(116130*cb+1<<15)>>16)],          // 1.77200
			}
		}
		return nil
	}
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
