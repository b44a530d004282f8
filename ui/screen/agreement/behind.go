package agreement

import (
	"fmt"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// behind adds to each pair what lies behind its numbers: the agreement per class and the items on
// which the two differ.
func (v *View) behind(in Input) {
	v.Everybody = v.classLines(in, in.Ratings, v.Rated)
	for k := range v.Pairs {
		p := &v.Pairs[k]
		first, second := in.Ratings[p.row], in.Report.Majority.Unresolved
		if p.col < len(in.Ratings) {
			second = in.Ratings[p.col]
		} else if in.Options.LeaveOneOut {
			second = majorityOfOthers(in, p.row)
		}
		v.explain(in, p, first, second)
		if v.few(p.Items) {
			p.ConcernedN = 0
		}
	}
}

// explain fills what is behind a comparison of two columns of ratings.
func (v *View) explain(in Input, c *Confusion, first, second []int) {
	c.Classes = v.classLines(in, [][]int{first, second}, c.Items)
	for i := range first {
		if first[i] == measure.Missing || second[i] == measure.Missing || first[i] == second[i] {
			continue
		}
		c.ConcernedN++
		if !v.Blind {
			c.Concerned = append(c.Concerned, v.labelled(in, i))
		}
	}
}

// labelled is an item with everybody's labels.
func (v *View) labelled(in Input, i int) Item {
	item := v.bare(in, i)
	for a, row := range in.Ratings {
		if row[i] != measure.Missing {
			item.Labels[a] = v.Classes[row[i]]
		}
	}
	return item
}

// majorityOfOthers is the majority vote without one annotator.
func majorityOfOthers(in Input, annotator int) []int {
	var others [][]int
	var names []string
	for a, row := range in.Ratings {
		if a != annotator {
			others, names = append(others, row), append(names, in.Round.Annotators[a])
		}
	}
	if len(others) == 0 {
		none := make([]int, len(in.Round.Models))
		for i := range none {
			none[i] = measure.Missing
		}
		return none
	}
	return measure.Measure(others, in.Round.Classes, names, measure.Options{}).Majority.Unresolved
}

// classLines measures each class by itself; few labels in a blind round would give themselves away.
func (v *View) classLines(in Input, ratings [][]int, items int) []ClassLine {
	if v.few(items) {
		return nil
	}
	var lines []ClassLine
	opts := in.Options
	opts.Classes = v.Classes
	for _, c := range measure.PerClass(ratings, in.Round.Classes, opts) {
		lines = append(lines, ClassLine{Class: c.Class, Percent: line(fmt.Sprintf("%s, agreement", c.Class), &c.Percent), Kappa: line(fmt.Sprintf("%s, kappa", c.Class), &c.Kappa)})
	}
	return lines
}

// self compares the passes of every annotator who saw items again, and adds two measures for each.
// In a blind round this tells something of others, so all but the viewer's own stays hidden.
func (v *View) self(in Input) {
	for _, annotator := range in.Round.Annotators {
		if v.Blind && annotator != in.Viewer {
			continue
		}
		first, second := label.Passes(in.Round, annotator, in.Events)
		s := measure.Self(in.person(annotator), first, second, in.Round.Classes, in.Options)
		if s.N == 0 {
			continue
		}
		c := confusion(s.Rater, fmt.Sprintf("%s again", s.Rater), s.Cohen, false)
		v.explain(in, &c, first, second)
		v.Self = append(v.Self, c)
		for _, m := range []Measure{
			line(fmt.Sprintf("self-consistency, %s", s.Rater), &s.Percent),
			line(fmt.Sprintf("self-consistency, %s, kappa", s.Rater), &s.Kappa),
		} {
			m.self = len(v.Self)
			v.Measures = append(v.Measures, m)
		}
	}
}

// Behind is what lies behind a number that was chosen on the screen.
type Behind struct {
	Title string
	Hint  string
	Confusion
}

// BehindPair is what lies behind a cell of the kappa matrix; ok is false where there is none.
func (v View) BehindPair(row, col int) (b Behind, ok bool) {
	c, ok := v.PairAt(row, col)
	if !ok {
		return Behind{}, false
	}
	return Behind{Title: fmt.Sprintf("%s (rows) and %s", c.First, c.Second), Hint: c.describe(), Confusion: c}, true
}

// BehindMeasure is what lies behind a line of the list of measures; ok is false outside.
func (v View) BehindMeasure(row int) (b Behind, ok bool) {
	if row < 0 || row >= len(v.Measures) {
		return Behind{}, false
	}
	m := v.Measures[row]
	if m.self > 0 {
		c := v.Self[m.self-1]
		return Behind{Title: fmt.Sprintf("%s: first labels (rows) and again", c.First), Hint: c.describe(), Confusion: c}, true
	}
	hint := m.Name + ": " + m.Value.Hint
	return Behind{Title: "All annotators", Hint: hint, Confusion: Confusion{
		Classes: v.Everybody, Concerned: v.Disagree, ConcernedN: v.DisagreeN, Items: v.Rated,
	}}, true
}
