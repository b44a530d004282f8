package render

import (
	"bytes"
	"image"
	"io"
	"math"
	"strings"
	"testing"
)

func curves() Curves {
	return Curves{
		Title: "row", X: AxisRange{Name: "V_j: rotation", Unit: "°"}, Y: AxisRange{Name: "delta"},
		Curves: []Curve{
			{"max@CONF", []float64{-2, -1, 0, 1, 2}, []float64{0.2, 0.1, 0, 0.1, 0.2}},
			{"max@CONV-1", []float64{-2, -1, 0, 1, 2}, []float64{0.4, math.NaN(), 0, 0.2, 0.4}},
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

func TestCurvesRefuse(t *testing.T) {
	short := curves()
	short.Curves[0].Y = short.Curves[0].Y[:3]
	for want, f := range map[string]Curves{"no curve": {Title: "x"}, "has 3 values for 5 places": short} {
		if err := f.Write(io.Discard, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := curves().Write(io.Discard, "bmp"); err == nil {
		t.Error("a format that nobody knows")
	}
	nothing := Curves{Curves: []Curve{{"a", []float64{math.NaN()}, []float64{1}}}}
	point := Curves{Curves: []Curve{{"a", []float64{3}, []float64{1}}}}
	for _, f := range []Curves{nothing, point} {
		if err := f.Write(io.Discard, "png"); err != nil {
			t.Error(err)
		}
	}
}

func TestGridPlacesRows(t *testing.T) {
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
