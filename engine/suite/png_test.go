package suite

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// anyPNG is a PNG of a kind and depth whose rows are noise under filters that are noise.
func anyPNG(t *rapid.T) []byte {
	kind := rapid.SampledFrom([]int{pngGray, pngRGB, pngPalette, pngGrayAlpha, pngRGBA}).Draw(t, "kind")
	depths := map[int][]int{pngGray: {1, 2, 4, 8, 16}, pngPalette: {1, 2, 4, 8}}[kind]
	depth := rapid.SampledFrom(append(depths, 8, min(16, 8*max(1, 3-len(depths))))).Draw(t, "depth")
	side := rapid.IntRange(1, 19)
	width, height, interlaced := side.Draw(t, "width"), side.Draw(t, "height"),
		rapid.IntRange(0, 1).Draw(t, "interlaced")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	noise := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(random.Uint32() & random.Uint32()) // zero often enough to be transparent
		}
		return out
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	file := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR",
		append(head, byte(depth), byte(kind), 0, 0, byte(interlaced)))...)
	if kind == pngPalette {
		file = append(file, chunk("PLTE", noise(3*rapid.IntRange(1, 1<<depth).Draw(t, "colours")))...)
	}
	if rapid.Bool().Draw(t, "transparent") {
		switch kind {
		case pngGray, pngRGB:
			file = append(file, chunk("tRNS", slices.Repeat([]byte{0, byte(random.IntN(2))}, pngSamples[kind]))...)
		case pngPalette:
			file = append(file, chunk("tRNS", noise(rapid.IntRange(0, 256).Draw(t, "alphas")))...)
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	for _, pass := range pngPasses[interlaced] {
		across, down := (width-pass.x+pass.stepX-1)/pass.stepX, (height-pass.y+pass.stepY-1)/pass.stepY
		for range down {
			if across > 0 {
				_, _ = w.Write(append([]byte{byte(random.IntN(5))}, noise((across*depth*pngSamples[kind]+7)/8)...))
			}
		}
	}
	_ = w.Close()
	for part := range slices.Chunk(packed.Bytes(), 1+random.IntN(200)) {
		file = append(file, chunk("IDAT", part)...)
	}
	return append(file, chunk("IEND", nil)...)
}

// slowColour composites one colour on black from its own definition.
func slowColour(c color.Color) [3]float32 {
	share := func(v, a uint32) float32 { return float32(float64(v) * float64(a) / (65535 * 65535)) }
	switch c := c.(type) {
	case color.NRGBA:
		if c.A == 255 {
			return [3]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
		}
		alpha := float64(c.A) / (255 * 255)
		return [3]float32{float32(float64(c.R) * alpha), float32(float64(c.G) * alpha), float32(float64(c.B) * alpha)}
	case color.NRGBA64:
		a := uint32(c.A)
		return [3]float32{share(uint32(c.R), a), share(uint32(c.G), a), share(uint32(c.B), a)}
	}
	r, g, b, _ := c.RGBA()
	return [3]float32{share(r, 65535), share(g, 65535), share(b, 65535)}
}

// TestPNGEqualsTheStandardLibrary: every kind, depth and filter, interlaced or not.
func TestPNGEqualsTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := anyPNG(t)
		m := testdata.Must(png.Decode(bytes.NewReader(data)))(t)
		img, err := Decode(data)
		if err != nil || img.Height != m.Bounds().Dy() || img.Width != m.Bounds().Dx() {
			t.Fatalf("%d x %d for %v, %v", img.Height, img.Width, m.Bounds(), err)
		}
		if gray := data[25] == pngGray || data[25] == pngGrayAlpha; (img.Channels == 1) != gray {
			t.Fatalf("%d channels of kind %d", img.Channels, data[25])
		}
		for i := range img.Height * img.Width {
			want := slowColour(m.At(i%img.Width, i/img.Width))
			for c := range img.Channels {
				if got := img.Pix[c*img.Height*img.Width+i]; got != want[c] {
					t.Fatalf("pixel %d, channel %d: %v, want %v", i, c, got, want[c])
				}
			}
		}
	})
}
