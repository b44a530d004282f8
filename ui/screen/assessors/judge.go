package assessors

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Judgements asks a subject for its verdicts on all of its models, in the order of the data.
func Judgements(s Subject) []assess.Judgement {
	rows, models := s.learned()
	all := make([]int, len(rows))
	for k := range all {
		all[k] = k
	}
	return assess.Judgements(s.Assessor, s.Data, all, s.votes(), func(row int) bool { return rows[row] }, models)
}

// verdictFilters are the choices of the menu beside the list, each with its filter.
var verdictFilters = [][2]string{
	{"all models", ""},
	{"without a label", `label=""`},
	{"somebody says otherwise", `differs!=""`},
	{"judged variant", "verdict=variant"},
	{"judged invariant", "verdict=invariant"},
}

// mostParts is how many parts a waterfall shows by themselves.
const mostParts = 12

// Waterfall is an explanation as bars: from the base over its strongest parts, the rest joined, to
// the output.
func Waterfall(id string, e assess.Explanation) widget.BarsData {
	d := widget.BarsData{
		Bars:  render.Bars{Title: fmt.Sprintf("Why %s is judged so", id), XName: fmt.Sprintf("%s of %s", e.Unit, string(e.Class)), Steps: true},
		Empty: "nothing to show",
	}
	zero := 0.0
	if e.Base*e.Output > 0 && math.Min(math.Abs(e.Base), math.Abs(e.Output)) > 4*math.Abs(e.Base-e.Output) {
		zero = math.Min(e.Base, e.Output) // far from 0 the bars of both would hide the parts
	}
	add := func(b render.Bar, hint string) {
		d.Bars.Bars, d.Hints = append(d.Bars.Bars, b), append(d.Hints, hint)
	}
	add(render.Bar{Name: "base", Text: result.Significant(e.Base, 3), From: zero, To: e.Base, Tone: render.Stands},
		fmt.Sprintf("base: %s, the output without knowing any feature", result.Significant(e.Base, 3)))
	at, rest := e.Base, e.Output-e.Base
	parts := e.Strongest(mostParts)
	for _, p := range parts {
		add(step(p.Name+" = "+result.Significant(p.Value, 3), at, p.Phi), fmt.Sprintf("%s = %s moves the output by %s", p.Name, result.Significant(p.Value, 3), signed(p.Phi)))
		at += p.Phi
		rest -= p.Phi
	}
	if n := others(e) - len(parts); n > 0 {
		name := present.ByCount(n, "%d other feature", "%d other features", n)
		add(step(name, at, rest), fmt.Sprintf("%s move the output by %s", name, signed(rest)))
	}
	add(render.Bar{Name: "output", Text: result.Significant(e.Output, 3), From: zero, To: e.Output, Tone: render.Stands},
		fmt.Sprintf("output: %s", result.Significant(e.Output, 3)))
	return d
}

// others are the parts that move the output at all.
func others(e assess.Explanation) int {
	n := 0
	for _, p := range e.Parts {
		if p.Phi != 0 {
			n++
		}
	}
	return n
}

func step(name string, from, by float64) render.Bar {
	tone := render.Raises
	if by < 0 {
		tone = render.Lowers
	}
	return render.Bar{Name: name, Text: signed(by), From: from, To: from + by, Tone: tone}
}

// signed writes a number with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + result.Significant(v, 3)
	}
	return result.Significant(v, 3)
}
