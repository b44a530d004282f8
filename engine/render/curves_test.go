package render

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"testing"
)

func curves() Curves {
	return Curves{
		Title: "row", X: AxisRange{Name: "V_j: rotation", Unit: "°"}, Y: AxisRange{Name: "delta"},
		Curves: []Curve{
			{Name: "max@CONF", X: []float64{-2, -1, 0, 1, 2}, Y: []float64{0.2, 0.1, 0, 0.1, 0.2}},
			{Name: "max@CONV-1", X: []float64{-2, -1, 0, 1, 2}, Y: []float64{0.4, math.NaN(), 0, 0.2, 0.4}},
		},
		Note: "60 images",
	}
}

func curvesAs(t *testing.T, f Curves, format string) []byte {
	t.Helper()
	return drawn(t, format, func(b *bytes.Buffer, format string) error { return f.Write(b, format) })
}

func TestCurvesNameEverything(t *testing.T) {
	svg := string(curvesAs(t, curves(), "svg"))
	for _, text := range []string{">row<", "V_j: rotation (°)", ">delta<", "max@CONF", "max@CONV-1", "60 images", ">-2.0<", ">0.4<"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
	if !bytes.Equal(curvesAs(t, curves(), "pdf"), curvesAs(t, curves(), "pdf")) {
		t.Error("equal figures give different files")
	}
}

// TestCurvesAreCut: what lies outside the ends of the axes is not drawn, and the ends are those asked for.
func TestCurvesAreCut(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	whole := decode(t, curvesAs(t, curves(), "png"))
	f := curves()
	f.X.Low, f.X.High, f.Y.Low, f.Y.High = -1, 1, 0, 0.15
	cut := decode(t, curvesAs(t, f, "png"))
	inside := extent(cut, lineColours[0])
	// The legend's key stands at the left above; the plotted area begins right of the ticks.
	if all := extent(whole, lineColours[0]); inside.Max.X > all.Max.X+4 || inside.Max.Y > cut.Bounds().Dy() {
		t.Errorf("cut curve reaches %v, the whole one %v", inside, all)
	}
	svg := string(curvesAs(t, f, "svg"))
	if strings.Contains(svg, ">2.0<") || !strings.Contains(svg, ">-1.0<") || !strings.Contains(svg, ">0.15<") {
		t.Error("the ticks do not follow the ends of the axes")
	}
}

// TestCurvesShadeDeviations: a band twice as high has twice the area, lies around its line, and widens the axis.
func TestCurvesShadeDeviations(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	f := Curves{X: AxisRange{High: 2}, Y: AxisRange{Low: -1, High: 1}, Curves: []Curve{{Name: "random", X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}}}}
	area := func(spread ...float64) int {
		f.Curves[0].Spread = spread
		img, count := decode(t, curvesAs(t, f, "png")), 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if color.RGBAModel.Convert(img.At(x, y)) == (color.RGBA{0xd6, 0xe9, 0xf3, 0xff}) { // 16 % of the first line's colour
					count++
				}
			}
		}
		return count
	}
	near := func(what string, got int, want float64) {
		t.Helper()
		if share := float64(got) / want; share < 0.95 || share > 1.05 {
			t.Errorf("%s has an area of %d, want about %.0f", what, got, want)
		}
	}
	if bare := area(); bare > 0 {
		t.Errorf("a curve without deviations has a band of %d pixels", bare)
	}
	half := float64(area(0.5, 0.5, 0.5))
	near("the whole range", area(1, 1, 1), 2*half)
	near("more than the range", area(4, 4, 4), 2*half)
	near("a band that tapers", area(0.5, math.NaN(), 0.5), half/2)
	f.Curves[0].Y[2] = math.NaN()
	near("a band with a gap", area(0.5, 0.5, 0.5), half/2)
	f.Y = AxisRange{}
	f.Curves[0].Spread = []float64{0.3, 0.1, 0}
	if !strings.Contains(string(curvesAs(t, f, "svg")), ">-0.3<") {
		t.Error("the axis does not reach the foot of the band")
	}
}

func TestCurvesRefuse(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	short, spread := curves(), curves()
	short.Curves[0].Y = short.Curves[0].Y[:3]
	spread.Curves[1].Spread = []float64{1}
	for want, f := range map[string]Curves{
		"no curve": {Title: "x"}, "has 3 values for 5 places": short, "has 1 deviations for 5 places": spread,
	} {
		if err := f.Write(io.Discard, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := curves().Write(io.Discard, "bmp"); err == nil {
		t.Error("a format that nobody knows")
	}
	nothing := Curves{Curves: []Curve{{Name: "a", X: []float64{math.NaN()}, Y: []float64{1}}}}
	point := Curves{Curves: []Curve{{Name: "a", X: []float64{3}, Y: []float64{1}}}}
	for _, f := range []Curves{nothing, point} {
		if err := f.Write(io.Discard, "png"); err != nil {
			t.Error(err)
		}
	}
}

func TestGridPlacesRows(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	a, b := figure(5), figure(5)
	a.Title, b.Title = "first", "second"
	grid := func(rows ...[]Figure) image.Image {
		return decode(t, drawn(t, "png", func(out *bytes.Buffer, format string) error { return Grid(out, format, rows, "models") }))
	}
	one, two := grid([]Figure{a, b}).Bounds(), grid([]Figure{a, b}, []Figure{b}).Bounds()
	if two.Dx() != one.Dx() || two.Dy()-one.Dy() < 600 {
		t.Errorf("one row %v, two rows %v", one, two)
	}
	svg := string(drawn(t, "svg", func(out *bytes.Buffer, format string) error {
		return Grid(out, format, [][]Figure{{a}, {b, a}}, "models")
	}))
	if strings.Count(svg, ">first<") != 2 || strings.Count(svg, ">second<") != 1 || !strings.Contains(svg, ">models<") {
		t.Error("figures are missing")
	}
	if err := Grid(io.Discard, "png", [][]Figure{{}}, ""); err == nil {
		t.Error("no figures")
	}
	a.Axis.Values = a.Axis.Values[:2]
	if err := Grid(io.Discard, "png", [][]Figure{{a}}, ""); err == nil {
		t.Error("a matrix that does not fit its axis")
	}
}
