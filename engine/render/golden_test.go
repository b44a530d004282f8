package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// ridge is a matrix of a usual look: it grows away from the diagonal, more at high values of V.
func ridge(n int) variance.Matrix {
	return matrix(n, func(i, j int) float64 {
		return float64((i-j)*(i-j)*(n+i+j)) / float64(3*n*n*n)
	})
}

func sum(img *image.RGBA) string {
	h := sha256.Sum256(append(fmt.Append(nil, img.Rect), img.Pix...))
	return hex.EncodeToString(h[:4])
}

// TestPicturesAreExactlyThese holds whole pictures by a digest of their pixels; TestRasterPixels
// and others say what the pixels mean. The matrices hold rational numbers, so that no digest
// depends on the processor.
func TestPicturesAreExactlyThese(t *testing.T) {
	viridis := Scale{High: 0.25}
	for _, c := range []struct {
		name string
		img  *image.RGBA
		want string
	}{
		{"viridis 31", Raster(ridge(31), viridis), "470639c5"},
		{"cividis 31", Raster(ridge(31), Scale{High: 0.25, Map: &Cividis}), "a79428b4"},
		{"marked 31", Raster(ridge(31), Scale{Low: 0.0625, High: 0.125, Map: &Gray}), "6fff54d0"},
		{"diverging 61", Raster(ridge(61), Scale{Low: -0.25, High: 0.25, Map: &Diverging}), "6bcf58cc"},
		{"bar", ColourBar(viridis, 200), "972a8258"},
		{"hatch", Hatch(40), "ce34f1ca"},
		{"strip", Strip([]Tile{{ridge(31), viridis}, {}, {ridge(5), viridis}}, 24, 3), "1e28c483"},
	} {
		if got := sum(c.img); got != c.want {
			t.Errorf("%s has digest %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLargeFigureIsOneImage: 100 x 100 elements are drawn as one picture, which keeps the file
// small.
func TestLargeFigureIsOneImage(t *testing.T) {
	f := figure(100)
	f.Matrix.Values = ridge(100).Data
	svg := drawn(t, "svg", writes(f))
	if n := bytes.Count(svg, []byte("<image")); n != 2 || len(svg) > 100_000 {
		t.Errorf("%d images in %d bytes, want matrix and colour bar in less than 100 kB", n, len(svg))
	}
	small := figure(31)
	svg = drawn(t, "svg", writes(small))
	if n := bytes.Count(svg, []byte("<path")); n < 31*31 {
		t.Errorf("%d paths, want one per element of a small matrix", n)
	}
}

func TestCapsOnTheColourBar(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	f := figure(31)
	for _, c := range []struct {
		name        string
		low, high   float64
		under, over bool
	}{
		{"inside", 0, 1, false, false},
		{"over", 0, 0.5, false, true},
		{"under", 0.5, 1, true, false},
		{"both", 0.3, 0.5, true, true},
	} {
		f.Matrix.Colours = Scale{Low: c.low, High: c.high}
		img := decode(t, drawn(t, "png", writes(f)))
		b := img.Bounds()
		right := img.(*image.RGBA).SubImage(image.Rect(b.Dx()*3/4, 0, b.Max.X, b.Max.Y))
		over, under := extent(right, OverColour), extent(right, UnderColour)
		if over.Empty() == c.over || under.Empty() == c.under {
			t.Errorf("%s: caps %v and %v", c.name, over, under)
		}
		if c.over && c.under && over.Max.Y >= under.Min.Y {
			t.Errorf("%s: the cap for high values must be above the other", c.name)
		}
	}
}

// TestAbsentFigure: the hatched tile has its place where a matrix would have it, and no colours of
// any map.
func TestAbsentFigure(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	present := figure(31)
	absent := missing(present.Title, "no second convolution")
	img := decode(t, drawn(t, "png", writes(absent)))
	hatched := extent(img, hatching)
	square := extent(crop(decode(t, drawn(t, "png", writes(present))), 0.75), Viridis[0])
	if d := hatched.Dx() - square.Dx(); d < -12 || d > 12 {
		t.Errorf("the hatched tile is %v, a matrix %v", hatched, square)
	}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			if c.R != c.G || c.G != c.B {
				t.Fatalf("pixel %d,%d has the colour %v", x, y, c)
			}
		}
	}
}

func TestLineStylesDiffer(t *testing.T) {
	for _, ground := range []Ground{paper, {Dark: true, screen: true, scale: 1}} {
		seen := map[string]int{}
		for k := range result.Categories {
			style := ground.lineStyle(k)
			id := fmt.Sprint(style.Color, style.Dashes)
			if other, twice := seen[id]; twice {
				t.Errorf("lines %d and %d look alike", other, k)
			}
			seen[id] = k
		}
	}
}
