package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/variance"
)

func matrix(n int, f func(i, j int) float64) variance.Matrix {
	m := variance.Matrix{N: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			m.Data[i*n+j] = f(i, j)
		}
	}
	return m
}

// TestRasterPixels is exact: every pixel of a 3 x 3 matrix with a value at each end, outside on
// both sides and NaN.
func TestRasterPixels(t *testing.T) {
	nan := math.NaN()
	m := variance.Matrix{N: 3, Data: []float64{
		0, 1, 2, // i = 0, the bottom row of the picture
		0.5, nan, 9,
		-1, 0.25, nan,
	}}
	img := Raster(m, Scale{Low: 0, High: 2, Map: &Gray})
	want := [3][3]color.RGBA{ // from the top
		{UnderColour, Gray[32], nanDark},
		{Gray[64], nanDark, OverColour},
		{Gray[0], Gray[128], Gray[255]},
	}
	if img.Bounds() != image.Rect(0, 0, 3, 3) {
		t.Fatalf("bounds %v", img.Bounds())
	}
	for y := range 3 {
		for x := range 3 {
			if got := img.RGBAAt(x, y); got != want[y][x] {
				t.Errorf("pixel %d,%d is %v, want %v", x, y, got, want[y][x])
			}
		}
	}
}

func TestRasterHatchesNaN(t *testing.T) {
	img := Raster(matrix(4, func(_, _ int) float64 { return math.NaN() }), Scale{High: 1})
	for y := range 4 {
		for x := range 4 {
			want := nanDark
			if (x+3-y)%2 == 1 {
				want = nanLight
			}
			if got := img.RGBAAt(x, y); got != want {
				t.Errorf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
	own := color.RGBA{9, 9, 9, 255}
	img = Raster(matrix(2, func(_, _ int) float64 { return math.NaN() }), Scale{High: 1, NaN: own})
	if img.RGBAAt(0, 0) != own || img.RGBAAt(1, 0) != own {
		t.Error("an own colour for NaN is not hatched")
	}
}

func TestColourBar(t *testing.T) {
	img := ColourBar(Scale{Low: 3, High: 5, Map: &Gray}, 256)
	for y := range 256 {
		if got := img.RGBAAt(0, y); got != Gray[255-y] {
			t.Fatalf("row %d is %v, want %v", y, got, Gray[255-y])
		}
	}
	if got := ColourBar(Scale{}, 2); got.RGBAAt(0, 0) != Viridis[255] || got.RGBAAt(0, 1) != Viridis[0] {
		t.Error("two pixels are the two ends, the high one on top")
	}
	if got := ColourBar(Scale{}, 1).Bounds(); got != image.Rect(0, 0, 1, 1) {
		t.Errorf("one pixel has bounds %v", got)
	}
}

func TestStrip(t *testing.T) {
	low := matrix(2, func(_, _ int) float64 { return 0 })
	mixed := variance.Matrix{N: 2, Data: []float64{0, 1, 1, 1}} // only delta_00 is low
	s := Scale{High: 1, Map: &Gray}
	img := Strip([]Tile{{low, s}, {mixed, s}, {}}, 4, 3)
	if img.Bounds() != image.Rect(0, 0, 3*4+2*3, 4) {
		t.Fatalf("bounds %v", img.Bounds())
	}
	for _, c := range []struct {
		x, y int
		want color.RGBA
	}{
		{0, 0, Gray[0]},
		{3, 3, Gray[0]},
		{4, 0, color.RGBA{}}, // gap
		{6, 3, color.RGBA{}},
		{7, 3, Gray[0]}, // delta_00 at the bottom-left
		{8, 2, Gray[0]},
		{9, 3, Gray[255]},
		{7, 0, Gray[255]},
		{14, 0, Hatch(4).RGBAAt(0, 0)},
		{17, 3, Hatch(4).RGBAAt(3, 3)},
	} {
		if got := img.RGBAAt(c.x, c.y); got != c.want {
			t.Errorf("pixel %d,%d is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if got := Strip(nil, 4, 3).Bounds(); !got.Empty() {
		t.Errorf("no tiles have bounds %v", got)
	}
}

// TestShrinkingAverages compares with the slow way: enlarge so that both sizes divide, then average
// blocks.
func TestShrinkingAverages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		size := rapid.IntRange(1, n-1).Draw(t, "size")
		values := rapid.SliceOfN(rapid.Float64Range(0, 1), n*n, n*n).Draw(t, "values")
		src := Raster(variance.Matrix{N: n, Data: values}, Scale{High: 1})
		got := resample(src, size)
		for y := range size {
			for x := range size {
				var sum [3]float64
				for dy := range n {
					for dx := range n {
						c := src.RGBAAt((x*n+dx)/size, (y*n+dy)/size)
						sum[0], sum[1], sum[2] = sum[0]+float64(c.R), sum[1]+float64(c.G), sum[2]+float64(c.B)
					}
				}
				c := got.RGBAAt(x, y)
				for k, v := range []uint8{c.R, c.G, c.B} {
					if math.Abs(float64(v)-sum[k]/float64(n*n)) > 0.51 {
						t.Fatalf("pixel %d,%d channel %d is %d, want %.2f", x, y, k, v, sum[k]/float64(n*n))
					}
				}
			}
		}
	})
}

func BenchmarkRaster31(b *testing.B) { benchmarkRaster(b, 31) }
func benchmarkRaster(b *testing.B, n int) {
	m := matrix(n, func(i, j int) float64 { return math.Abs(float64(i-j)) / float64(n) })
	for b.Loop() {
		Raster(m, Scale{High: 0.8})
	}
}

func BenchmarkStripOfFive(b *testing.B) {
	m := matrix(31, func(i, j int) float64 { return math.Abs(float64(i-j)) / 31 })
	tiles := make([]Tile, 5)
	for k := range tiles {
		tiles[k] = Tile{m, Scale{High: 0.8}}
	}
	for b.Loop() {
		Strip(tiles, 36, 4)
	}
}
