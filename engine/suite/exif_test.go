package suite

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/variscope/variscope/internal/testdata"
)

// exifBytes is a TIFF structure whose first directory has a width and an orientation.
func exifBytes(order binary.AppendByteOrder, orientation uint16) []byte {
	out := []byte("II")
	if order.String() == binary.BigEndian.String() {
		out = []byte("MM")
	}
	out = order.AppendUint32(order.AppendUint16(out, 42), 8)
	out = order.AppendUint16(out, 2)
	for _, entry := range [][2]uint16{{256, 7}, {274, orientation}} {
		out = order.AppendUint16(order.AppendUint16(out, entry[0]), 3)
		out = order.AppendUint16(order.AppendUint32(out, 1), entry[1])
		out = append(out, 0, 0)
	}
	return append(out, 0, 0, 0, 0)
}

// jpegWith puts an APP0 and an Exif APP1 segment behind the first marker.
func jpegWith(plain, exif []byte) []byte {
	body := append([]byte(exifMark), exif...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xe1},
		binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))...)
	return append(append(out, body...), plain[2:]...)
}

func pngWith(plain, exif []byte) []byte {
	const ihdr = 8 + 25
	return append(append(bytes.Clone(plain[:ihdr]), chunk("eXIf", exif)...), plain[ihdr:]...)
}

// TestOrientations: the stored image is 1 2 3 / 4 5 6; what is shown follows the EXIF standard's
// table of row 0 and column 0.
func TestOrientations(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(51 * i)
	}
	var plain bytes.Buffer
	testdata.OK(t, png.Encode(&plain, img))
	for orientation, want := range map[uint16][]float32{
		0: {0, 1, 2, 3, 4, 5}, // not defined: as stored
		1: {0, 1, 2, 3, 4, 5},
		2: {2, 1, 0, 5, 4, 3},
		3: {5, 4, 3, 2, 1, 0},
		4: {3, 4, 5, 0, 1, 2},
		5: {0, 3, 1, 4, 2, 5},
		6: {3, 0, 4, 1, 5, 2},
		7: {5, 2, 4, 1, 3, 0},
		8: {2, 5, 1, 4, 0, 3},
		9: {0, 1, 2, 3, 4, 5},
	} {
		for i := range want {
			want[i] *= 0.2
		}
		h, w := 2, 3
		if orientation >= 5 && orientation <= 8 {
			h, w = 3, 2
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			near(t, decoded(t, pngWith(plain.Bytes(), exifBytes(order, orientation))), 1, h, w, 1e-7, want...)
		}
	}
}

func TestOrientationInEveryFormat(t *testing.T) {
	exif := exifBytes(binary.BigEndian, 6)
	img := image.NewGray(image.Rect(0, 0, 16, 8))
	var j, g bytes.Buffer
	testdata.OK(t, jpeg.Encode(&j, img, nil))
	testdata.OK(t, tiff.Encode(&g, img, nil))
	webpExif := append(append([]byte("EXIF"), binary.LittleEndian.AppendUint32(nil, uint32(len(exif)))...), exif...)
	withMark := append([]byte(exifMark), exif...)
	webpMarked := append(append([]byte("EXIF"), binary.LittleEndian.AppendUint32(nil, uint32(len(withMark)))...),
		withMark...)
	for name, data := range map[string][]byte{
		"JPEG":        jpegWith(j.Bytes(), exif),
		"WebP":        webpBytes(16, 8, color.RGBA{1, 2, 3, 255}, webpExif),
		"WebP marked": webpBytes(16, 8, color.RGBA{1, 2, 3, 255}, webpMarked),
	} {
		if img := decoded(t, data); img.Height != 16 || img.Width != 8 {
			t.Errorf("%s: %d x %d is not turned", name, img.Height, img.Width)
		}
	}
	// A TIFF file carries the tag itself: the encoder writes none, so the resolution unit (296) is
	// made one.
	turned := bytes.Clone(g.Bytes())
	at := bytes.Index(turned, []byte{0x28, 0x01, 3, 0, 1, 0, 0, 0})
	if at < 0 {
		t.Fatal("the encoder writes no resolution unit")
	}
	binary.LittleEndian.PutUint16(turned[at:], 274)
	turned[at+8] = 8
	testdata.Is(t, "TIFF", tiffOrientation(turned), 8)
}

func TestDamagedExifIsUpright(t *testing.T) {
	good := exifBytes(binary.LittleEndian, 6)
	long := bytes.Clone(good)
	binary.LittleEndian.PutUint16(long[8+2+12+2:], 2) // ASCII instead of SHORT
	far := bytes.Clone(good)
	binary.LittleEndian.PutUint32(far[4:], 0xffffffff)
	for name, data := range map[string][]byte{
		"empty": nil, "short": good[:7], "cut directory": good[:20], "no entry": good[:9], "magic": flip(good, 0),
		"type": long, "offset": far,
	} {
		testdata.Is(t, name, tiffOrientation(data), 1)
	}
	testdata.Is(t, "the good one is not read", tiffOrientation(good), 6)
	for name, got := range map[string]int{
		"JPEG without segments": jpegOrientation([]byte{0xff, 0xd8}),
		"JPEG segment too long": jpegOrientation([]byte{0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0}),
		"JPEG size below two":   jpegOrientation([]byte{0xff, 0xd8, 0xff, 0xe1, 0, 1, 0}),
		"JPEG data first":       jpegOrientation([]byte{0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0}),
		"PNG chunk too long": pngOrientation(append(make([]byte, 8), 0xff, 0xff, 0xff, 0xff, 'e', 'X', 'I', 'f', 0,
			0, 0, 0)),
		"WebP chunk too long": webpOrientation(append(make([]byte, 12), 'E', 'X', 'I', 'F', 0xff, 0xff, 0xff, 0x7f)),
	} {
		testdata.Is(t, name, got, 1)
	}
}

// FuzzEXIF: whatever the bytes, every finder gives 1 to 8 and ends.
func FuzzEXIF(f *testing.F) {
	for _, orientation := range []uint16{1, 6, 9} {
		f.Add(exifBytes(binary.LittleEndian, orientation))
		f.Add(exifBytes(binary.BigEndian, orientation))
		f.Add(jpegWith([]byte{0xff, 0xd8, 0xff, 0xd9}, exifBytes(binary.BigEndian, orientation)))
		f.Add(pngWith(pngBytes(1, 1, red), exifBytes(binary.BigEndian, orientation)))
	}
	f.Add(webpBytes(1, 1, red, []byte("EXIF\x04\x00\x00\x00abcd")))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, find := range []func([]byte) int{tiffOrientation, jpegOrientation, pngOrientation, webpOrientation} {
			if got := find(data); got < 1 || got > 8 {
				t.Fatalf("orientation %d", got)
			}
		}
	})
}

// FuzzDecode: damaged images give errors, good ones as many pixels as they say.
func FuzzDecode(f *testing.F) {
	f.Add(pngBytes(2, 2, red))
	f.Add(webpBytes(2, 2, red, nil))
	for _, name := range []string{
		"j420.jpg", "animated.webp", "lossy.webp", "tiled.tif", "g4.tif", "jpeg.tif",
		"big.tif", "text.pgm", "raw.pbm", "no_end.png",
	} {
		f.Add(bytesOf(f, "testdata/pillow/"+name))
	}
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c := codecOf(data); c != nil {
			if h, err := c.header(data); err == nil && h.X*h.Y > 1<<16 {
				return // large and good is slow, not wrong
			}
		}
		if img, err := Decode(data); err == nil && len(img.Pix) != img.Channels*img.Height*img.Width {
			t.Fatalf("%d values for %d x %d x %d", len(img.Pix), img.Channels, img.Height, img.Width)
		}
	})
}
