package render

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
)

// forecast is a figure with all that a figure can have.
func forecast() result.Figure {
	return result.Figure{
		Title: "Accuracy without labels", Note: "12 sets of images", Crossed: "at chance",
		X:      result.Axis{Name: "EI", Format: result.Number},
		Y:      result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Groups: []result.Group{{Name: "in the fit", Look: result.LookInvariant}, {Name: "held back", Look: result.LookNone}},
		Points: []result.Point{
			{Name: "m1", ID: "1", X: 0.2, Y: 0.5, Low: 0.4, High: 0.6},
			{Name: "m2", ID: "2", X: 0.9, Y: 0.98, Group: 1, Crossed: true},
			{Name: "m3", X: math.NaN(), Y: 0.5},
		},
		Lines: []result.Line{{Name: "diagonal", X: []float64{0.2, 0.9}, Y: []float64{0.2, 0.9}}},
		Trends: []result.Trend{{
			X: []float64{0.2, 0.9}, Y: []float64{0.5, 0.9}, Low: []float64{0.4, 0.8},
			High: []float64{0.6, 1},
		}},
	}
}

func underRotation() result.Figure {
	x := []float64{-15, -10, -5, 0, 5, 10, 15}
	return result.Figure{
		Title: "Accuracy under rotation", X: result.Axis{Name: "rotation", Unit: "°", Ticks: x},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Lines: []result.Line{
			{Name: "accuracy", X: x, Y: []float64{0.8, 0.9, 0.95, 0.97, math.NaN(), 0.9, 0.8}},
			{Name: "robust", X: []float64{-15, 15}, Y: []float64{0.7, 0.7}},
		},
	}
}

func TestFigureAsDataIsDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		f    result.Figure
		says []string
	}{
		"points": {forecast(), []string{
			"Accuracy without labels", "12 sets", "in the fit", "held back", "at chance",
			"diagonal", "80 %", ">EI<",
		}},
		"lines":        {underRotation(), []string{"rotation (°)", "-15", "100 %", "robust"}},
		"bars":         {waterfall(), []string{"mean@CONV-1.dctny", "share of variant", "+0.3", "raises it", ">0.6<"}},
		"histogram":    {histogram(), []string{">models<", "max@CONF.svm", ">0.20<", "invariant", "m07", ">4<"}},
		"cells":        {cells3(), []string{">m1<", "models by rank", ">#7<", "wrong"}},
		"over":         {overlaid(), []string{"keywords", "random", "semantic distance", "20 %"}},
		"matrix":       {figure(31), []string{"V_i: rotation (°)", "max@CONF"}},
		"absent":       {missing("model 307", "no second convolution"), []string{"no second convolution"}},
		"field":        {slope(64), []string{"semantic distance of image j"}},
		"regions":      {shares(3, 28, 20), []string{"share of features"}},
		"coefficients": {coefficients(), []string{">truth<"}},
		"swarm":        {swarm(), []string{"max@CONF.svm", "low value", "high value", "Shapley value"}},
	} {
		for _, format := range Formats() {
			var b bytes.Buffer
			if err := Draw(&b, c.f, Part{}, format); err != nil {
				t.Fatal(err)
			}
			for _, text := range c.says {
				if format == "svg" && !strings.Contains(b.String(), text) {
					t.Errorf("%s: %q is not in the figure", name, text)
				}
			}
			if folder := os.Getenv("VARISCOPE_SHOTS"); folder != "" { // for people
				if err := os.WriteFile(filepath.Join(folder, "figure-"+name+"."+format), b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// waterfall has bars that begin where others end, with an interval.
func waterfall() result.Figure {
	f := result.Figure{
		Title: "m01", Note: "rotation", X: result.Axis{Name: "share of variant", Format: result.Number},
		Groups: []result.Group{{Name: "base"}, {Name: "raises it", Look: result.LookVariant}, {Name: "lowers it", Look: result.LookInvariant}},
		Rules:  []result.Rule{{X: 0.4, Y0: 0.36, Y1: 0.64}},
	}
	f.AddBar("base", "0.4", "", 0, 0.4, 0)
	bar := f.AddBar("max@CONF.svm", "+0.3", "", 0.4, 0.7, 1)
	bar.Low, bar.High = 0.65, 0.75
	f.AddBar("mean@CONV-1.dctny", "-0.1", "", 0.7, 0.6, 2)
	return f
}

func histogram() result.Figure {
	return result.Figure{
		Title: "svm", X: result.Axis{Name: "max@CONF.svm", Format: result.Number}, Y: result.Axis{Name: "models", Format: result.Count},
		Groups: []result.Group{{Name: "invariant", Look: result.LookInvariant}, {Name: "variant", Look: result.LookVariant}},
		Boxes:  result.Stacked(result.Edges(0, 0.4, 4), [][]int{{2, 0, 0, 4}, {2, 0, 0, 0}}),
		Rules:  []result.Rule{{Name: "m07", X: 0.05}},
	}
}

func cells3() result.Figure {
	f := result.Figure{
		Title: "The hardest images", X: result.Axis{Name: "models by rank", Names: []string{"m1", "m2"}},
		Y:      result.Axis{Name: "images", Names: []string{"#7", "#3", "#9"}},
		Groups: []result.Group{{Name: "right", Look: result.LookInvariant}, {Name: "wrong", Look: result.LookVariant}},
	}
	for r := range 3 {
		for c := range 2 {
			cell := result.Cell(r, c)
			cell.Group = (r + c) % 2
			f.Boxes = append(f.Boxes, cell)
		}
	}
	return f
}

func overlaid() result.Figure {
	return result.Figure{
		Title: "Distances", X: result.Axis{Name: "semantic distance", Format: result.Number}, Y: result.Axis{Name: "share", Format: result.Share},
		Groups: []result.Group{{Name: "keywords", Look: result.Category(0)}, {Name: "random", Look: result.Category(1)}}, Over: true,
		Boxes: []result.Box{{X1: 1, Y1: 0.2}, {X0: 1, X1: 2, Y1: 0.1}, {X1: 1, Y1: 0.05, Group: 1}, {X0: 1, X1: 2, Y1: 0.25, Group: 1}},
	}
}

func swarm() result.Figure {
	return result.Figure{
		Title: "forest", X: result.Axis{Name: "Shapley value", Low: -1, High: 2}, Y: result.Axis{Names: []string{"max@CONF.svm"}, Each: true},
		Groups: []result.Group{{}}, Levels: [2]string{"low value", "high value"},
		Points: []result.Point{{X: -1}, {X: 0, Level: 0.2}, {X: 2, Level: 1}, {X: math.NaN(), Level: math.NaN()}},
	}
}

// TestBoxesStandWhereTheyBelong finds boxes by their colours: the second group of a histogram above
// the first one, names from the top down.
func TestBoxesStandWhereTheyBelong(t *testing.T) {
	blue, orange := color.RGBA(Looks[result.LookInvariant].Light), color.RGBA(Looks[result.LookVariant].Light)
	draw := func(f result.Figure) image.Image {
		f.Groups[0].Name, f.Groups[1].Name = "", "" // no legend
		f.Groups = f.Groups[:2]
		return decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return Draw(b, f, Part{}, format) }))
	}
	h := histogram()
	h.Boxes = h.Boxes[:2] // the first bin
	img := draw(h)
	b := img.Bounds()
	img = img.(*image.RGBA).SubImage(image.Rect(b.Min.X, b.Min.Y+130, b.Max.X, b.Max.Y))
	lower, upper := extent(img, blue), extent(img, orange)
	if lower.Empty() || upper.Empty() || upper.Max.Y > lower.Min.Y+1 || !near(lower.Min.X, upper.Min.X) {
		t.Errorf("the groups of a histogram cover %v and %v", lower, upper)
	}
	if d := lower.Dy() - upper.Dy(); d < -3 || d > 3 {
		t.Errorf("equal counts are %d and %d pixels high", lower.Dy(), upper.Dy())
	}
	c := cells3()
	c.Boxes = []result.Box{c.Boxes[0], c.Boxes[5]} // the first of the first row, the second of the last
	c.Boxes[1].Group = 1
	img = draw(c)
	b = img.Bounds()
	img = img.(*image.RGBA).SubImage(image.Rect(b.Min.X, b.Min.Y+130, b.Max.X, b.Max.Y))
	first, last := extent(img, blue), extent(img, orange)
	if first.Empty() || last.Empty() || first.Max.Y > last.Min.Y || first.Max.X > last.Min.X {
		t.Errorf("the first row is at %v, the last at %v", first, last)
	}
}

// TestDeviationsAreShaded: a band reaches as far as the deviation and stops at a gap.
func TestDeviationsAreShaded(t *testing.T) {
	f := underRotation()
	f.Lines = []result.Line{{X: []float64{-15, 0, 5, 15}, Y: []float64{0.5, 0.5, math.NaN(), 0.5}, SD: []float64{0.2, 0.2, 0.2, 0.2}}}
	ground := Ground{Ink: color.Black, Faint: color.Black, Grid: color.White, Size: 10, Measure: measured}
	l, ok := Lay(f, Part{X0: -15, X1: 15, Y1: 1}, ground, 400, 300)
	if !ok {
		t.Fatal("no room")
	}
	img := l.Image(400, 300)
	shaded := func(x, y float64) bool {
		_, _, _, a := img.At(int(float64(l.Left)+(x+15)/30*float64(l.Width)), int(float64(l.Top)+(1-y)*float64(l.Height))).RGBA()
		return a > 0 && a < 0x8000
	}
	if !shaded(-8, 0.65) || !shaded(-8, 0.35) || shaded(-8, 0.75) || shaded(8, 0.55) {
		t.Error("the band does not reach from mean - SD to mean + SD")
	}
}

// measured is as wide as half of its size per letter.
func measured(text string, size float32) (width, height float32) {
	return size / 2 * float32(len([]rune(text))), 1.4 * size
}

// TestLayLeavesUprightTextsToTheWindow: every figure is laid out with its texts inside and apart, the
// image has the plotted area where Laid says, at any scale, and what has no room says so.
func TestLayLeavesUprightTextsToTheWindow(t *testing.T) {
	ground := Ground{Ink: color.Black, Faint: color.Black, Grid: color.White, Back: color.White, Size: 11, Measure: measured}
	for name, f := range map[string]result.Figure{
		"points": forecast(), "lines": underRotation(), "bars": waterfall(), "histogram": histogram(), "cells": cells3(), "over": overlaid(), "swarm": swarm(),
	} {
		for _, size := range [][2]float32{{300, 200}, {700, 400}} {
			l, ok := Lay(f, Extent(f), ground, size[0], size[1])
			if !ok || len(l.Texts) < 4 {
				t.Fatalf("%s: %v, %d texts", name, ok, len(l.Texts))
			}
			for _, text := range l.Texts {
				w, h := measured(text.Text, text.Size)
				if text.X < -2 || text.Y < -2 || text.X+w > size[0]+2 || text.Y+h > size[1]+2 {
					t.Errorf("%s: %q at %v,%v sticks out of %v", name, text.Text, text.X, text.Y, size)
				}
			}
			if l.Left < 0 || l.Top < 0 || l.Left+l.Width > size[0] || l.Top+l.Height > size[1] {
				t.Errorf("%s: the area is %+v of %v", name, l, size)
			}
			if img := l.Image(int(1.5*size[0]), int(1.5*size[1])); img.Bounds().Dx() != int(1.5*size[0]) {
				t.Errorf("%s: the image is %v", name, img.Bounds())
			}
		}
		if _, ok := Lay(f, Extent(f), ground, 40, 30); ok {
			t.Errorf("%s has room in 40 x 30", name)
		}
	}
}

func TestManyPointsAreDrawnSmaller(t *testing.T) {
	drawn := func(n int) string {
		f := result.Figure{Groups: []result.Group{{Name: "models"}}}
		for k := range n {
			f.Points = append(f.Points, result.Point{X: float64(k), Y: float64(k * k)})
		}
		var b bytes.Buffer
		if err := Draw(&b, f, Part{}, "svg"); err != nil {
			t.Fatal(err)
		}
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
	for part, f := range map[string]result.Figure{"is of group 7": wrong, "nothing to draw": {Title: "none"}, "box 1 () runs from": odd} {
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
