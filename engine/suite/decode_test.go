package suite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/variscope/variscope/internal/testdata"
)

// encoded is one image in a format's bytes.
func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	testdata.OK(t, encode(&out))
	return out.Bytes()
}

func decoded(t *testing.T, data []byte) Image {
	t.Helper()
	img := testdata.Must(Decode(data))(t)
	if len(img.Pix) != img.Channels*img.Height*img.Width {
		t.Fatalf("%d values for %d x %d x %d", len(img.Pix), img.Channels, img.Height, img.Width)
	}
	return img
}

// near compares an image with wanted values, channel by channel.
func near(t *testing.T, img Image, channels, height, width int, tolerance float64, want ...float32) {
	t.Helper()
	if img.Channels != channels || img.Height != height || img.Width != width || len(want) != len(img.Pix) {
		t.Fatalf("%d x %d x %d with %v, want %d x %d x %d", img.Channels, img.Height, img.Width, img.Pix, channels,
			height, width)
	}
	for i, v := range img.Pix {
		if math.Abs(float64(v-want[i])) > tolerance {
			t.Fatalf("%v, want %v", img.Pix, want)
		}
	}
}

// webpBytes is a lossless WebP of w x h pixels of one colour: five prefix codes of one symbol each,
// so that the pixels themselves take no bits. Extra chunks go behind.
func webpBytes(w, h int, c color.RGBA, extra []byte) []byte {
	var bits []byte
	n := 0
	put := func(value, count int) {
		for k := range count {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(value>>k&1) << (n % 8)
			n++
		}
	}
	put(0x2f, 8)
	put(w-1, 14)
	put(h-1, 14)
	put(1, 1) // alpha is used
	put(0, 3) // version
	put(0, 3) // no transform, no colour cache, no meta codes
	for _, symbol := range []byte{c.G, c.R, c.B, c.A, 0} {
		put(1, 1) // simple code
		put(0, 1) // of one symbol
		put(1, 1) // of eight bits
		put(int(symbol), 8)
	}
	if len(bits)%2 == 1 {
		bits = append(bits, 0)
	}
	chunk := append([]byte("VP8L"), binary.LittleEndian.AppendUint32(nil, uint32(len(bits)))...)
	body := append(append([]byte("WEBP"), append(chunk, bits...)...), extra...)
	return append(append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...), body...)
}

func TestDecodeFormats(t *testing.T) {
	rgb := image.NewRGBA(image.Rect(0, 0, 2, 1))
	rgb.SetRGBA(0, 0, color.RGBA{255, 0, 51, 255})
	rgb.SetRGBA(1, 0, color.RGBA{0, 102, 255, 255})
	want := []float32{1, 0, 0, 0.4, 0.2, 1}
	palette := image.NewPaletted(rgb.Rect, color.Palette{rgb.At(0, 0), rgb.At(1, 0)})
	palette.SetColorIndex(1, 0, 1)
	flat := image.NewRGBA(image.Rect(0, 0, 2, 1)) // JPEG keeps a gray level, not edges of colours
	copy(flat.Pix, []byte{128, 128, 128, 255, 128, 128, 128, 255})
	for name, data := range map[string][]byte{
		"PNG":         encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, rgb) }),
		"PNG palette": encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, palette) }),
		"GIF":         encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, palette, nil) }),
		"BMP":         encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, rgb) }),
		"BMP palette": encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, palette) }),
		"TIFF":        encoded(t, func(b *bytes.Buffer) error { return tiff.Encode(b, rgb, nil) }),
	} {
		t.Run(name, func(t *testing.T) { near(t, decoded(t, data), 3, 1, 2, 0, want...) })
	}
	grayLevel := float32(128) / 255
	near(t, decoded(t, encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, flat, nil) })), 3, 1, 2, 0.005,
		grayLevel, grayLevel, grayLevel, grayLevel, grayLevel, grayLevel)
	near(t, decoded(t, webpBytes(2, 1, color.RGBA{255, 51, 0, 255}, nil)), 3, 1, 2, 0, 1, 1, 0.2, 0.2, 0, 0)
	near(t, decoded(t, webpBytes(1, 1, color.RGBA{255, 51, 0, 51}, nil)), 3, 1, 1, 1e-7, 0.2, 0.04, 0)
}

func TestGrayStaysOneChannel(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 2, 1))
	gray.Pix[1] = 51
	deep := image.NewGray16(image.Rect(0, 0, 2, 1))
	deep.SetGray16(1, 0, color.Gray16{Y: 13107})
	for name, data := range map[string][]byte{
		"PNG":     encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, gray) }),
		"PNG 16":  encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, deep) }),
		"TIFF":    encoded(t, func(b *bytes.Buffer) error { return tiff.Encode(b, gray, nil) }),
		"TIFF 16": encoded(t, func(b *bytes.Buffer) error { return tiff.Encode(b, deep, nil) }),
	} {
		t.Run(name, func(t *testing.T) { near(t, decoded(t, data), 1, 1, 2, 1e-7, 0, 0.2) })
	}
	flat := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range flat.Pix {
		flat.Pix[i] = 200
	}
	img := decoded(t, encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, flat, nil) }))
	if img.Channels != 1 || math.Abs(float64(img.Pix[9])-200/255.0) > 0.005 {
		t.Errorf("%d channels, %v", img.Channels, img.Pix[9])
	}
}

// chunk is a PNG chunk.
func chunk(name string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(name), data...)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

func TestGIFFirstFrameAtItsPlace(t *testing.T) {
	p := color.Palette{color.RGBA{}, red, blue}
	first := image.NewPaletted(image.Rect(1, 0, 2, 1), p)
	first.Pix[0] = 1
	second := image.NewPaletted(image.Rect(0, 0, 3, 1), p)
	second.Pix = []byte{2, 2, 2}
	data := encoded(t, func(b *bytes.Buffer) error {
		return gif.EncodeAll(b, &gif.GIF{
			Image: []*image.Paletted{first, second}, Delay: []int{1, 1},
			Config: image.Config{ColorModel: p, Width: 3, Height: 1},
		})
	})
	near(t, decoded(t, data), 3, 1, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
}

func TestDecodeRefuses(t *testing.T) {
	bomb := func(w, h uint32) []byte {
		header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
		return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, 8, 2, 0, 0, 0))...)
	}
	whole := pngBytes(30, 30, red)
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"empty":       {nil, "is empty"},
		"text":        {[]byte("hello, this is no image"), "is no PNG"},
		"only magic":  {[]byte("\xff\xd8\xff"), "damaged JPEG"},
		"half":        {whole[:len(whole)/2], "damaged PNG"},
		"wide bomb":   {bomb(40000, 1), "PNG of 40000 x 1 pixels"},
		"large bomb":  {bomb(30000, 30000), "PNG of 30000 x 30000 pixels; at most 41 million"},
		"webp header": {[]byte("RIFF\x04\x00\x00\x00WEBP"), "damaged WebP"},
		"tiff header": {[]byte("II*\x00\x08\x00\x00\x00"), "damaged TIFF"},
	} {
		testdata.Refused(t, name, testdata.Err(Decode(test.data)), test.want)
	}
}

func TestPanickingDecoderIsAnError(t *testing.T) {
	broken := &codec{
		name: "XYZ", magic: begins("XYZ"), header: func([]byte) (header, error) { panic("index out of range") },
	}
	codecs = append(codecs, broken)
	defer func() { codecs = codecs[:len(codecs)-1] }()
	if _, err := Decode([]byte("XYZ")); err == nil || err.Error() != "damaged XYZ: its parts contradict each other" {
		t.Errorf("%v", err)
	}
}

func TestImageNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.png": true, "a.PNG": true, "a.jpg": true, "a.JPEG": true, "a.gif": true, "a.bmp": true, "a.tif": true,
		"a.tiff": true, "a.webp": true, "a.txt": false, "png": false, "a.png.txt": false, "a.npy": false,
	} {
		testdata.Is(t, fmt.Sprintf("%s: %v", name, !want), isImageName(name), want)
	}
}

func TestRGBA(t *testing.T) {
	gray := Image{Channels: 1, Height: 1, Width: 2, Pix: []float32{0.5, 2}}
	testdata.Is(t, "RGBA", fmt.Sprint(gray.RGBA().Pix), "[128 128 128 255 255 255 255 255]")
	rgb := Image{Channels: 3, Height: 1, Width: 1, Pix: []float32{1, 0.2, -1}}
	testdata.Is(t, "RGBA", fmt.Sprint(rgb.RGBA().Pix), "[255 51 0 255]")
}

// BenchmarkDecodeUsual decodes noise of the sizes that usual suites have.
func BenchmarkDecodeUsual(b *testing.B) {
	digit, photograph := noisy(1, 1, 28, 28), noisy(2, 3, 375, 500).RGBA()
	gray := image.NewGray(image.Rect(0, 0, 28, 28))
	for i, v := range digit.Pix {
		gray.Pix[i] = uint8(255 * v)
	}
	var small, large bytes.Buffer
	_, _ = png.Encode(&small, gray), jpeg.Encode(&large, photograph, nil)
	for name, data := range map[string][]byte{"PNG of 28 x 28": small.Bytes(), "JPEG of 500 x 375": large.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testdata.Must(Decode(data))(b)
			}
		})
	}
}
