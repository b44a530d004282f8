package render

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"
)

func accuracy() Lines {
	f := figure(31)
	falling := make([]float64, 31)
	for i := range falling {
		falling[i] = 0.9 - 0.01*float64(i)
	}
	return Lines{Title: "accuracy", Axis: f.Axis, Series: []Series{{"model 1", falling}}, YName: "accuracy"}
}

// TestLineGoesDown samples the drawn line: its first pixels lie at the left and higher than its last ones at the right.
func TestLineGoesDown(t *testing.T) {
	l := accuracy()
	l.Series[0].Name = ""
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return l.Write(b, format) }))
	if w, h := img.Bounds().Dx(), img.Bounds().Dy(); !near(w, 1102) || !near(h, 630) {
		t.Errorf("%d x %d pixels, want 14 x 8 cm at 200 dpi", w, h)
	}
	r := extent(img, lineColours[0])
	if r.Dx() < 700 || r.Dy() < 300 {
		t.Fatalf("the line covers only %v", r)
	}
	top := func(x int) int {
		for y := range img.Bounds().Dy() {
			if color.RGBAModel.Convert(img.At(x, y)) == lineColours[0] {
				return y
			}
		}
		return -1
	}
	if left, right := top(r.Min.X+5), top(r.Max.X-6); left >= right || left < 0 {
		t.Errorf("the line is at %d on the left and at %d on the right", left, right)
	}
}

func TestLegend(t *testing.T) {
	l := accuracy()
	for k := range 20 {
		l.Series = append(l.Series, Series{Name: "a model with a long name " + string(rune('a'+k)), Values: l.Series[0].Values})
	}
	l.Note = "10,000 images"
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, format string) error { return l.Write(b, format) }))
	for _, s := range l.Series {
		if !strings.Contains(svg, s.Name) {
			t.Errorf("the legend lacks %q", s.Name)
		}
	}
	for _, text := range []string{"V: rotation (°)", ">-15<", ">0<", ">15<", "10,000 images", "stroke-dasharray"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

func TestBounds(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name      string
		l         Lines
		low, high float64
	}{
		{"given", Lines{Low: 0, High: 1, Series: []Series{{"", []float64{5}}}}, 0, 1},
		{"data with 5 % around", Lines{Series: []Series{{"", []float64{1, nan, 3}}}}, 0.9, 3.1},
		{"one value", Lines{Series: []Series{{"", []float64{2}}}}, 1.9, 2.1},
		{"nothing", Lines{Series: []Series{{"", []float64{nan, math.Inf(1)}}}}, 0, 1},
		{"zeros", Lines{Series: []Series{{"", []float64{0, 0}}}}, -0.001, 0.001},
	} {
		if low, high := c.l.bounds(); math.Abs(low-c.low) > 1e-12 || math.Abs(high-c.high) > 1e-12 {
			t.Errorf("%s: got %v..%v, want %v..%v", c.name, low, high, c.low, c.high)
		}
	}
}

func TestRunsBreakAtNaN(t *testing.T) {
	nan := math.NaN()
	got := Curve{X: []float64{0, 1, 2, 3, 4, 5, 6}, Y: []float64{nan, 1, 2, nan, nan, 3, math.Inf(1)}}.runs()
	if len(got) != 2 || len(got[0]) != 2 || len(got[1]) != 1 || got[1][0].X != 5 || got[0][0].X != 1 {
		t.Errorf("got %v, want 1..2 and 5", got)
	}
	if (Curve{X: []float64{0}, Y: []float64{nan}}).runs() != nil {
		t.Error("nothing to draw must give no runs")
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"rotation (°)": "rotation (°)", "δ − 3…": "delta - 3...", "0.9×": "0.9×", "日": "?", "Spearman's ρ, τ-b": "Spearman's rho, tau-b", "a\nb": "a b", "“x”": "?x?", "it’s – so": "it's - so",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
