package widget

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

// rising is a scatter over a logit axis with a line, a band and a bar.
func rising() ScatterData {
	logit := func(a float64) float64 { return math.Log(a / (1 - a)) }
	return ScatterData{
		XName: "EI", YName: "accuracy", Logit: true, Groups: []Group{{Name: "suites", Look: Category(2)}},
		Points: []ScatterPoint{
			{X: 0, Y: logit(0.5), Name: "a"},
			{X: 1, Y: logit(0.99), Name: "b"},
			{X: 0.5, Y: logit(0.9), Name: "c", Low: logit(0.8), High: logit(0.95)},
		},
		Trends: []render.Trend{{
			X: []float64{0, 1}, Y: []float64{logit(0.5), logit(0.99)},
			Low: []float64{logit(0.4), logit(0.98)}, High: []float64{logit(0.6), logit(0.995)},
		}},
	}
}

func TestLogitAxisShowsShares(t *testing.T) {
	s := NewScatter()
	show(t, s, fyne.NewSize(500, 400))
	s.SetData(rising())
	texts := textsOf(t, s)
	for _, want := range []string{"0.5", "0.9", "0.99"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the axis lacks %s: %q", want, texts)
		}
	}
	if got := s.Data().readOut(2); got != "c, suites: EI 0.5, accuracy 0.9" {
		t.Errorf("read off %q", got)
	}
	d := rising()
	d.Groups[0].Name = ""
	if got := d.readOut(0); got != "a: EI 0, accuracy 0.5" {
		t.Errorf("a group without a name is read off as %q", got)
	}
}

// TestTrendPixels: the line is darker than the band, the band than the ground, and the bar stands
// on its point.
func TestTrendPixels(t *testing.T) {
	d := dotted{
		frame: frame{width: 200, height: 200, x1: 1, y1: 1}, ground: color.White, line: color.Black,
		trends: []render.Trend{{X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Low: []float64{0.3, 0.3}, High: []float64{0.7, 0.7}}},
		groups: []Group{{Look: LookInvariant}}, points: []ScatterPoint{{X: 0.25, Y: 0.9, Low: 0.75, High: 0.95}},
	}
	img := d.draw(200, 200).(*image.NRGBA)
	if a := img.NRGBAAt(100, 100).A; a < 200 {
		t.Errorf("the line has an opacity of %d", a)
	}
	for _, y := range []int{65, 135} {
		if got := img.NRGBAAt(100, y); got != (color.NRGBA{A: bandAlpha}) {
			t.Errorf("the band is %v at row %d", got, y)
		}
	}
	for _, y := range []int{55, 145} {
		if got := img.NRGBAAt(100, y); got != (color.NRGBA{}) {
			t.Errorf("the band reaches row %d: %v", y, got)
		}
	}
	want := colourOf(LookInvariant, color.White)
	if img.NRGBAAt(50, 48) != want && img.NRGBAAt(49, 48) != want {
		t.Errorf("no bar below the point: %v", img.NRGBAAt(50, 48))
	}
	if img.NRGBAAt(50, 54).A > bandAlpha {
		t.Error("the bar is too long")
	}
}

func TestRaggedTrendsAreNotDrawn(t *testing.T) {
	d := dotted{frame: frame{width: 50, height: 50, x1: 1, y1: 1}, ground: color.White, line: color.Black, trends: []render.Trend{{X: []float64{0, 1}, Y: []float64{1}}}}
	for _, v := range d.draw(50, 50).(*image.NRGBA).Pix {
		if v != 0 {
			t.Fatal("a trend with fewer values than places is drawn")
		}
	}
}

func TestBetween(t *testing.T) {
	xs, y := []float64{0, 1, 3}, []float64{2, 4, 0}
	for x, want := range map[float64]float64{0: 2, 0.5: 3, 1: 4, 2: 2, 3: 0} {
		if got := between(xs, y, x); got != want {
			t.Errorf("at %v it is %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{-0.1, 3.1} {
		if !math.IsNaN(between(xs, y, x)) {
			t.Errorf("there is a value at %v", x)
		}
	}
}

func TestRangesHoldTheBars(t *testing.T) {
	d := ScatterData{Points: []ScatterPoint{{X: 0, Y: 0, Low: -3, High: 2}, {X: 1, Y: 1}}}
	if f, ok := d.ranges(); !ok || f.y0 > -3 || f.y1 < 2 {
		t.Errorf("the axis goes from %v to %v", f.y0, f.y1)
	}
}

func TestTrendsNeverClip(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		d := ScatterData{XName: "EI", YName: "accuracy", Logit: true, Groups: []Group{{Name: strings.Repeat("g", 30)}, {Name: "h"}}}
		for range rapid.IntRange(1, 20).Draw(t, "points") {
			y := rapid.Float64Range(-12, 12).Draw(t, "y")
			d.Points = append(d.Points, ScatterPoint{X: rapid.Float64Range(0, 1).Draw(t, "x"), Y: y, Low: y - 1, High: y + 1})
		}
		s := NewScatter()
		s.SetData(d)
		size := fyne.NewSize(float32(rapid.IntRange(160, 900).Draw(t, "width")), float32(rapid.IntRange(120, 600).Draw(t, "height")))
		s.Resize(size)
		if err := checkTexts(test.WidgetRenderer(s).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}
