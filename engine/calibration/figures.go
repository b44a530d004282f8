package calibration

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
)

// Figure is the reliability diagram of a step: the accuracy of each bin over its confidence beside
// the diagonal, on which a calibrated model lies, and the shares of the images below.
func (s Step) Figure() result.Figure {
	f := result.Figure{
		Title: "Reliability of " + s.Of.Model + " on " + s.Of.Suite, Empty: s.unlabelled().Text,
		X: result.Axis{Name: "confidence", Format: result.Share, High: 1},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
	}
	if s.Of.Labelled == 0 {
		return f
	}
	f.Note = fmt.Sprintf("%s, %s: ECE %s, temperature %s", s.Name, result.Counted(s.Of.Labelled, "image"),
		result.Share.SayInterval(s.ECE(), s.Low, s.High, 0), result.Number.Say(known(s.Temperature, s.unfitted()), 0))
	f.Groups = []result.Group{
		{Name: "accuracy in bins", Look: result.LookInvariant},
		{Name: "share of images", Colour: color.NRGBA{0x80, 0x80, 0x80, 0x60}},
	}
	f.Trends = []result.Trend{{X: []float64{0, 1}, Y: []float64{0, 1}}}
	edges := result.Edges(0, 1, steps)
	for k, n := range s.Spread {
		share := float64(n) / float64(s.Of.Labelled)
		f.Boxes = append(f.Boxes, result.Box{
			X0: edges[k], X1: edges[k+1], Y1: share, Group: 1,
			Name: fmt.Sprintf("confidence %s..%s: %s of the images", f.X.Say(edges[k]), f.X.Say(edges[k+1]),
				f.Y.Say(share)),
		})
	}
	for k, b := range s.Bins {
		name := fmt.Sprintf("bin %d, %s", k+1, result.Counted(b.Images, "image"))
		p := result.Point{Name: name, X: b.Confidence, Y: b.Accuracy()}
		p.Low, p.High = b.Interval()
		f.Points = append(f.Points, p)
	}
	return f
}

// Curve is what a figure over the transformations of a row shows.
type Curve struct {
	Name   string
	format result.Format
	lines  []curveLine
	band   bool // the interval of the ECE
}

type curveLine struct {
	name  string
	value func(Step) float64
}

// Curves are all of them, in the order of menus.
func Curves() []Curve {
	column := func(key string) curveLine {
		c := measures[slices.IndexFunc(measures, func(c result.Column[Step]) bool { return c.Key == key })]
		return curveLine{c.Title, c.Value}
	}
	return []Curve{
		{"ECE", result.Share, []curveLine{column("ece"), column("ece_scaled"), column("ece_chance")}, true},
		{"confidence, accuracy", result.Share, []curveLine{column("confidence"), column("accuracy")}, false},
		{"temperature", result.Number, []curveLine{column("temperature")}, false},
		{"NLL", result.Number, []curveLine{column("nll")}, false},
	}
}

// Figure draws the curve of a row over its transformations. A line without any value is left away.
func (c Curve) Figure(m Measured) result.Figure {
	f := result.Figure{
		Title: m.Model + " on " + m.Suite, Note: fmt.Sprintf("%s, %s", m.FamilyName,
			result.Counted(m.Labelled, "image")),
		X: result.Axis{Format: result.Number}, Y: result.Axis{Name: c.Name, Format: c.format},
		Empty: "no values: " + c.Name,
	}
	f.X.Name, f.X.Unit = transform.Axis(m.Family)
	steps := Steps([]Measured{m})
	for _, part := range c.lines {
		var x, y []float64
		for _, s := range steps {
			x, y = append(x, s.At()), append(y, part.value(s))
		}
		f.AddLine(part.name, x, y)
	}
	if c.band && m.Labelled > 0 {
		t := result.Trend{X: f.Lines[0].X, Y: f.Lines[0].Y}
		for _, s := range steps {
			t.Low, t.High = append(t.Low, s.Low), append(t.High, s.High)
			f.Y.High = max(f.Y.High, s.High)
		}
		f.Trends = []result.Trend{t}
	}
	return f
}
