package agreement

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// Widths is the table of how wide intervals become.
var Widths = result.Table[Width]{
	Name: "agreement_widths", Title: "Widths of intervals", Noun: "width",
	ID: func(w Width) string { return fmt.Sprint(w.id(), "/", w.Models) },
	Columns: slices.Concat(result.Lift(targetColumns, func(w Width) Target { return w.Target }), []result.Column[Width]{
		result.Counts("models", "models", "with two or more labels, in all", func(w Width) int { return w.Models }),
		halfWidth(result.Numbers("half_width", "half-width",
			"half of the width of the interval of 95 %: median over simulated rounds, between the ends of 95 % of them",
			result.Coefficient, func(w Width) float64 { return w.HalfWidth.Number() }).
			Because(func(w Width) result.Reason { return w.HalfWidth.Reason }).
			Between(func(w Width) float64 { return w.Low }, func(w Width) float64 { return w.High }),
			func(w Width) Target { return w.Target }),
		result.Numbers("given", "with interval", "share of the simulated rounds that have an interval", result.Share,
			func(w Width) float64 { return w.Given }),
	}),
}

// Needs is the table of how many models and annotators a wanted half-width takes.
var Needs = result.Table[Need]{
	Name: "agreement_needs", Title: "How many more labels", Noun: "row", ID: func(n Need) string { return n.id() },
	Columns: slices.Concat(result.Lift(targetColumns, func(n Need) Target { return n.Target }), []result.Column[Need]{
		halfWidth(result.Numbers("wanted", "wanted half-width",
			"half of the width that the interval of 95 % is to have", result.Coefficient,
			func(n Need) float64 { return n.Wanted }), func(n Need) Target { return n.Target }),
		{
			Key: "needed", Title: "models needed", Format: result.Count,
			Help: "with two or more labels, in all: with so many, half of the simulated rounds have an interval " +
				"as narrow as wanted; the ends are those for 2.5 and 97.5 % of the rounds",
			Value: func(n Need) float64 { return n.Models.Number() },
			Why:   func(n Need) result.Reason { return n.Models.Reason },
			Low:   func(n Need) float64 { return n.Low }, High: func(n Need) float64 { return n.High },
			Caveat: Need.caveat,
		},
		result.Numbers("more", "more models", "models needed beside those that there are", result.Count, Need.More).
			Because(func(n Need) result.Reason { return n.Models.Reason }),
		result.Numbers("labels", "labels in all", "of all annotators, where each labels all models",
			result.Count, Need.Labels).
			Because(func(n Need) result.Reason { return n.Models.Reason }),
	}),
}

var targetColumns = slices.Concat(
	ofRound(func(t Target) *Round { return t.Of }),
	result.Lift([]result.Column[Line]{measureColumn}, func(t Target) Line { return t.Line }),
	[]result.Column[Target]{
		result.Counts("annotators", "annotators", "who label each model", func(t Target) int { return t.Annotators }),
		result.Counts("now", "models now", "with two or more labels",
			func(t Target) int { return t.Now }).In(result.Offered),
	})

func (t Target) id() string { return fmt.Sprint(roundOf(t.Of), "/", t.Measure, "/", t.Annotators) }

// halfWidth is a column of half-widths in the format of their measures.
func halfWidth[R any](c result.Column[R], of func(R) Target) result.Column[R] {
	c.As, c.Descending = func(r R) (result.Format, int) { return of(r).Format(), 0 }, false
	return c
}

// steady is the number of models from which on plans were found to hold (docs/guide/planning.md).
const steady = 20

// caveat is what to know of a plan from few models, and of one that needs fewer than there are.
func (n Need) caveat() result.Reason {
	switch {
	case !n.Models.Defined():
	case n.Now < steady:
		return result.Because("few_models", "planned from %s with two or more labels, fewer than %d: "+
			"plan again when there are more", result.Counted(n.Now, "model"), steady)
	case n.More() <= 0:
		return result.Because("enough", "the models that there are do, perhaps fewer")
	}
	return result.Reason{}
}

// Figures draw the half-widths of each measure over the number of models, a line for each number
// of annotators; the shade is the range of 95 % of the simulated rounds with the annotators that
// there are. Each is named by its measure; one without a line says why in place of it.
func (p Plan) Figures() (list []result.Drawn) {
	for k, w := range p.Widths {
		if k > 0 && w.Measure == p.Widths[k-1].Measure {
			continue
		}
		n := k
		for n < len(p.Widths) && p.Widths[n].Measure == w.Measure {
			n++
		}
		list = append(list, result.Drawn{Name: w.Measure, Figure: p.figure(p.Widths[k:n])})
	}
	return list
}

// figure draws the half-widths of one measure.
func (p Plan) figure(widths []Width) result.Figure {
	first := widths[0]
	f := result.Figure{
		Title: "Half-width of " + first.Title,
		X:     result.Axis{Name: "models with two or more labels", Format: result.Count, Log: true},
		Y:     result.Axis{Name: "half-width of the interval", Format: first.Format()},
		Rules: []result.Rule{{Name: "now", X: result.LogCount(float64(first.Now))}},
	}
	var band result.Trend
	for _, w := range widths {
		x, name := result.LogCount(float64(w.Models)), result.Counted(w.Annotators, "annotator")
		if n := len(f.Lines); n == 0 || f.Lines[n-1].Name != name {
			f.Lines = append(f.Lines, result.Line{Name: name})
		}
		l := &f.Lines[len(f.Lines)-1]
		l.X, l.Y = append(l.X, x), append(l.Y, w.HalfWidth.Number())
		if w.Annotators == len(w.Of.Ratings) {
			band.X, band.Y = append(band.X, x), append(band.Y, w.HalfWidth.Number())
			band.Low, band.High = append(band.Low, w.Low), append(band.High, w.High)
		}
	}
	places := f.Lines[0].X
	seen := func(y []float64) bool { return len(slices.DeleteFunc(slices.Clone(y), math.IsNaN)) > 1 }
	if !slices.ContainsFunc(f.Lines, func(l result.Line) bool { return seen(l.Y) }) {
		f.Lines, f.Rules = nil, nil
		f.Empty = fmt.Sprintf("a half-width is known for fewer than two numbers of models: plan up to more than "+
			"the %s that there are, or from more labels", result.Counted(first.Now, "model"))
		return f
	}
	wanted := slices.Repeat([]float64{p.Wanted}, len(places))
	f.Lines = append(f.Lines, result.Line{Name: "wanted", X: places, Y: wanted})
	if seen(band.Y) {
		f.Trends = []result.Trend{band}
	}
	return f
}
