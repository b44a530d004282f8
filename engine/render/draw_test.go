package render

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/figuretest"
	"github.com/variscope/variscope/internal/testdata"
)

func forecast() result.Figure      { return figuretest.Kinds()["points"] }
func underRotation() result.Figure { return figuretest.Kinds()["lines"] }
func waterfall() result.Figure     { return figuretest.Kinds()["bars"] }
func histogram() result.Figure     { return figuretest.Kinds()["histogram"] }

// TestBoxesStandWhereTheyBelong finds boxes by their colours: the second group of a histogram above
// the first one, names from the top down.
func TestBoxesStandWhereTheyBelong(t *testing.T) {
	blue, orange := color.RGBA(Looks[result.LookInvariant].Light), color.RGBA(Looks[result.LookVariant].Light)
	draw := func(f result.Figure) image.Image {
		f.Groups[0].Name, f.Groups[1].Name = "", "" // no legend
		f.Groups = f.Groups[:2]
		return decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error {
			return Draw(b, f, Part{}, format)
		}))
	}
	h := histogram()
	h.Boxes = h.Boxes[:2] // the first bin
	img := draw(h)
	b := img.Bounds()
	img = img.(*image.RGBA).SubImage(image.Rect(b.Min.X, b.Min.Y+66, b.Max.X, b.Max.Y))
	lower, upper := extent(img, blue), extent(img, orange)
	if lower.Empty() || upper.Empty() || upper.Max.Y > lower.Min.Y+1 || !near(lower.Min.X, upper.Min.X) {
		t.Errorf("the groups of a histogram cover %v and %v", lower, upper)
	}
	if d := lower.Dy() - upper.Dy(); d < -3 || d > 3 {
		t.Errorf("equal counts are %d and %d pixels high", lower.Dy(), upper.Dy())
	}
	c := figuretest.Kinds()["cells"]
	c.Boxes = []result.Box{c.Boxes[0], c.Boxes[5]} // the first of the first row, the second of the last
	c.Boxes[1].Group = 1
	img = draw(c)
	b = img.Bounds()
	img = img.(*image.RGBA).SubImage(image.Rect(b.Min.X, b.Min.Y+66, b.Max.X, b.Max.Y))
	first, last := extent(img, blue), extent(img, orange)
	if first.Empty() || last.Empty() || first.Max.Y > last.Min.Y || first.Max.X > last.Min.X {
		t.Errorf("the first row is at %v, the last at %v", first, last)
	}
}

// TestDeviationsAreShaded: a band reaches as far as the deviation and stops at a gap.
func TestDeviationsAreShaded(t *testing.T) {
	f := underRotation()
	f.Lines = []result.Line{{
		X: []float64{-15, 0, 5, 15}, Y: []float64{0.5, 0.5, math.NaN(), 0.5}, SD: []float64{0.2, 0.2, 0.2, 0.2},
	}}
	l, ok := Lay(f, Part{X0: -15, X1: 15, Y1: 1}, window, 400, 300)
	if !ok {
		t.Fatal("no room")
	}
	img := l.Image(400, 300)
	shaded := func(x, y float64) bool {
		_, _, _, a := img.At(int(float64(l.Left)+(x+15)/30*float64(l.Width)),
			int(float64(l.Top)+(1-y)*float64(l.Height))).RGBA()
		return a > 0 && a < 0x8000
	}
	if !shaded(-8, 0.65) || !shaded(-8, 0.35) || shaded(-8, 0.75) || shaded(8, 0.55) {
		t.Error("the band does not reach from mean - SD to mean + SD")
	}
}

func TestManyPointsAreDrawnSmaller(t *testing.T) {
	drawn := func(n int) string {
		f := result.Figure{Groups: []result.Group{{Name: "models"}}}
		for k := range n {
			f.Points = append(f.Points, result.Point{X: float64(k), Y: float64(k * k)})
		}
		var b bytes.Buffer
		testdata.OK(t, Draw(&b, f, Part{}, "svg"))
		return b.String()
	}
	few, many := drawn(crowd), drawn(crowd+1)
	if strings.Contains(few, "A1.7,1.7") || !strings.Contains(many, "A1.7,1.7") {
		t.Error("the size of the points does not follow their number")
	}
}

func TestFigureThatCannotBeDrawnIsRefused(t *testing.T) {
	wrong, odd := forecast(), waterfall()
	wrong.Points[0].Group = 7
	odd.Boxes[1].X1 = math.NaN()
	for part, f := range map[string]result.Figure{
		"is of group 7": wrong, "nothing to draw": {Title: "none"},
		"box 1 (the first) runs from": odd,
	} {
		if err := Draw(&bytes.Buffer{}, f, Part{}, "png"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %s", err, part)
		}
	}
}

func TestExtentCoversDataAndAxes(t *testing.T) {
	if p := Extent(forecast()); p.Y0 != 0 || p.Y1 != 1 || !(p.X0 < 0.2 && p.X0 > 0.1 && p.X1 > 0.9 && p.X1 < 1) {
		t.Errorf("points: %+v", p)
	}
	if p := Extent(underRotation()); p.X0 != -15 || p.X1 != 15 || p.Y0 != 0 || p.Y1 != 1 {
		t.Errorf("lines: %+v", p)
	}
	one := result.Figure{Lines: []result.Line{{X: []float64{3}, Y: []float64{2}}}}
	if p := Extent(one); !(p.X0 < 3 && p.X1 > 3 && p.Y0 < 2 && p.Y1 > 2) {
		t.Errorf("one point of a line: %+v", p)
	}
	share := result.Figure{
		Y:     result.Axis{Format: result.Share, High: 1},
		Lines: []result.Line{{X: []float64{1, 2}, Y: []float64{0.1, 0.9}, SD: []float64{0.4, 0.4}}},
	}
	if p := Extent(share); p.Y0 != 0 || p.Y1 != 1 {
		t.Errorf("deviations of shares: %+v", p)
	}
	if p := Extent(histogram()); p.X0 != 0 || p.X1 != 0.4 || p.Y0 != 0 || math.Abs(p.Y1-4.2) > 1e-9 {
		t.Errorf("a histogram: %+v", p)
	}
	if p := Extent(waterfall()); p.X0 != 0 || p.X1 != 0.75 || p.Y0 != 2.5 || p.Y1 != -0.5 {
		t.Errorf("bars: %+v", p)
	}
	if p := Extent(result.Figure{}); p != (Part{0, 1, 0, 1}) {
		t.Errorf("nothing: %+v", p)
	}
}

func TestAxisTicks(t *testing.T) {
	for name, c := range map[string]struct {
		axis      result.Axis
		low, high float64
		most      int
		want      string
	}{
		"shares":  {result.Axis{Format: result.Share}, 0, 1, 6, "0 % 20 % 40 % 60 % 80 % 100 %"},
		"points":  {result.Axis{Format: result.Points}, -0.1, 0.1, 5, "-10 pp -5 pp 0 pp 5 pp 10 pp"},
		"counts":  {result.Axis{Format: result.Count}, 0, 2, 9, "0 1 2"},
		"numbers": {result.Axis{}, 0, 1, 3, "0.0 0.5 1.0"},
		"logits":  {result.Axis{Logit: true}, -3, 3, 4, "0.1 0.5 0.9"},
		"places":  {result.Axis{Ticks: []float64{-15, -10, -5, 0, 5, 10, 15}}, -15, 15, 3, "-15 0 15"},
		"powers":  {result.Axis{Log: true}, result.LogCount(0), 3.2, 9, "1 10 100 1,000"},
		"between": {result.Axis{Ticks: []float64{-15, 0, 15}}, 1, 2, 2, "1 2"},
	} {
		at, texts := AxisTicks(c.axis, c.low, c.high, c.most)
		if got := strings.Join(texts, " "); got != c.want || len(at) != len(texts) {
			t.Errorf("%s: %q at %v, want %q", name, got, at, c.want)
		}
	}
}
