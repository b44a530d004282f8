package suite

import (
	"encoding/binary"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// bmpOf is a BMP with Windows' header of 40 bytes; rest is what follows that.
func bmpOf(width, height int32, bits, compression, colours int, rest ...byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00"), uint32(54+len(rest))), 40)
	b = le.AppendUint32(le.AppendUint32(b, uint32(width)), uint32(height))
	b = le.AppendUint16(le.AppendUint16(b, 1), uint16(bits))
	for _, v := range []int{compression, 0, 0, 0, colours, 0} {
		b = le.AppendUint32(b, uint32(v))
	}
	return append(b, rest...)
}

// Runs may leave pixels out and pass the edge; what they do not write is colour 0.
func TestRunsOfBMP(t *testing.T) {
	palette := []byte{10, 10, 10, 0, 20, 20, 20, 0, 30, 30, 30, 0}
	got := decoded(t, append(bmpOf(3, 2, 8, bmpRuns8, 3, palette...), 0, 2, 1, 0, 9, 1, 0, 0, 2, 2, 0, 1))
	area := 6
	for i, want := range []int{30, 30, 10, 10, 20, 20} {
		if got.Pix[i] != levels[want] || got.Pix[2*area+i] != levels[want] {
			t.Errorf("pixel %d is %v of 255, want %d", i, got.Pix[i]*255, want)
		}
	}
	got = decoded(t, append(bmpOf(3, 1, 4, bmpRuns4, 3, palette...), 3, 0x12))
	for i, want := range []int{20, 30, 20} {
		if got.Pix[i] != levels[want] {
			t.Errorf("pixel %d is %v of 255, want %d", i, got.Pix[i]*255, want)
		}
	}
}

func TestRefusesBMP(t *testing.T) {
	for want, data := range map[string][]byte{
		"24 bits per pixel in compression 4": bmpOf(1, 1, 24, 4, 0, 0, 0, 0, 0),
		"7 bits per pixel":                   bmpOf(1, 1, 7, 0, 0, 0, 0, 0, 0),
		"no bits or gaps": bmpOf(1, 1, 32, bmpBitFields, 0,
			0xf1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
		"2 bytes of pixels, 4 are needed":         bmpOf(1, 1, 24, 0, 0, 1, 2)[:56],
		"cut off or contradict":                   bmpOf(1, 1, 8, 0, 0, 1, 2, 3),
		"BMP of 1 x 0 pixels":                     bmpOf(1, 0, 24, 0, 0),
		"BMP of -1 x 1 pixels":                    bmpOf(-1, 1, 24, 0, 0),
		"BMP of 60000 x 60000 pixels; at most 41": bmpOf(60000, 60000, 8, bmpRuns8, 1, 0, 0, 0, 0),
	} {
		if want == "2 bytes of pixels, 4 are needed" {
			data[10] = 54
		}
		testdata.Refused(t, want, testdata.Err(Decode(data)), want)
	}
}
