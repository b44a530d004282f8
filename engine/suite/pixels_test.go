package suite

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// picture is a drawable image of one of the standard types, filled with noise.
func picture(kind string, r image.Rectangle, seed uint64) image.Image {
	random := rand.New(rand.NewPCG(seed, 1))
	fill := func(pix []byte) {
		for i := range pix {
			pix[i] = byte(random.Uint32())
		}
	}
	switch kind {
	case "gray":
		m := image.NewGray(r)
		fill(m.Pix)
		return m
	case "gray16":
		m := image.NewGray16(r)
		fill(m.Pix)
		return m
	case "rgba", "rgba64":
		m := map[string]draw.Image{"rgba": image.NewRGBA(r), "rgba64": image.NewRGBA64(r)}[kind]
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ { // premultiplied: no colour above alpha
				a := uint16(random.Uint32())
				part := func() uint16 { return uint16(random.IntN(int(a) + 1)) }
				m.Set(x, y, color.RGBA64{part(), part(), part(), a})
			}
		}
		return m
	case "nrgba":
		m := image.NewNRGBA(r)
		fill(m.Pix)
		return m
	case "nrgba64":
		m := image.NewNRGBA64(r)
		fill(m.Pix)
		return m
	case "cmyk":
		m := image.NewCMYK(r)
		fill(m.Pix)
		return m
	case "paletted":
		m := image.NewPaletted(r, color.Palette{color.RGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}, color.Gray{77}, color.RGBA{}})
		fill(m.Pix)
		for i := range m.Pix {
			m.Pix[i] &= 3
		}
		return m
	}
	panic("no picture of kind " + kind)
}

// part is the image's own view of r.
func part(m image.Image, r image.Rectangle) image.Image {
	return m.(interface {
		SubImage(r image.Rectangle) image.Image
	}).SubImage(r)
}

// slowColour composites one colour on black from its own definition.
func slowColour(c color.Color) [3]float64 {
	switch c := c.(type) {
	case color.NRGBA:
		a := float64(c.A) / 255
		return [3]float64{float64(c.R) / 255 * a, float64(c.G) / 255 * a, float64(c.B) / 255 * a}
	case color.NRGBA64:
		a := float64(c.A) / 65535
		return [3]float64{float64(c.R) / 65535 * a, float64(c.G) / 65535 * a, float64(c.B) / 65535 * a}
	case color.CMYK: // as Pillow: what is left of the light that black lets through, in whole levels
		light := 255 - float64(c.K)
		left := func(ink uint8) float64 { return (light - math.Round(float64(ink)*light/255)) / 255 }
		return [3]float64{left(c.C), left(c.M), left(c.Y)}
	}
	r, g, b, _ := c.RGBA()
	return [3]float64{float64(r) / 65535, float64(g) / 65535, float64(b) / 65535}
}

// TestPixelsAgainstSlow compares every fast path with the colours that the image itself reports, also for views that do
// not begin at (0, 0).
func TestPixelsAgainstSlow(t *testing.T) {
	kinds := []string{"gray", "gray16", "rgba", "rgba64", "nrgba", "nrgba64", "cmyk", "paletted"}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		side := rapid.IntRange(1, 7)
		whole := image.Rect(0, 0, side.Draw(t, "w"), side.Draw(t, "h"))
		x0, y0 := rapid.IntRange(0, whole.Dx()-1).Draw(t, "x0"), rapid.IntRange(0, whole.Dy()-1).Draw(t, "y0")
		m := part(picture(kind, whole, rapid.Uint64().Draw(t, "seed")), image.Rect(x0, y0, whole.Dx(), whole.Dy()))
		gray := kind == "gray" || kind == "gray16"
		img := fromImage(m, gray)
		b := m.Bounds()
		if img.Height != b.Dy() || img.Width != b.Dx() || (img.Channels == 1) != gray {
			t.Fatalf("%s of %v: %d x %d x %d", kind, b, img.Channels, img.Height, img.Width)
		}
		for y := range img.Height {
			for x := range img.Width {
				want := slowColour(m.At(b.Min.X+x, b.Min.Y+y))
				for c := range img.Channels {
					if got := img.Pix[(c*img.Height+y)*img.Width+x]; math.Abs(float64(got)-want[c]) > 1e-7 {
						t.Fatalf("%s at (%d, %d), channel %d: %v, want %v", kind, x, y, c, got, want[c])
					}
				}
			}
		}
	})
}

// TestUprightUndoesItself: the orientations 1 to 5 and 7 are their own inverses, 6 and 8 undo each other.
func TestUprightUndoesItself(t *testing.T) {
	inverse := map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}
	rapid.Check(t, func(t *rapid.T) {
		img := noisy(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]int{1, 3}).Draw(t, "channels"), rapid.IntRange(1, 6).Draw(t, "h"), rapid.IntRange(1, 6).Draw(t, "w"))
		o := rapid.IntRange(1, 8).Draw(t, "orientation")
		back := img.upright(o).upright(inverse[o])
		if back.Height != img.Height || back.Width != img.Width || fmt.Sprint(back.Pix) != fmt.Sprint(img.Pix) {
			t.Fatalf("orientation %d does not come back", o)
		}
	})
}

func TestBytesAreExactShares(t *testing.T) {
	for i, v := range levels {
		if v != float32(float64(i)/255) {
			t.Errorf("level %d is %v", i, v)
		}
	}
}
