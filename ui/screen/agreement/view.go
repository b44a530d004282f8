// Package agreement is the screen that shows how well the annotators of a round agree. View is what it shows, computed
// by Build without Fyne; Screen draws it.
package agreement

import (
	"fmt"
	"strconv"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// blindFloor is the number of labels below which the tables of a blind and open round stay hidden: with fewer, a count
// would give away a single label.
const blindFloor = 5

// Cell is a number as text, or a dash with the reason why there is none.
type Cell struct {
	Text   string
	Reason string // why it is undefined; empty otherwise
	Hint   string // interpretation word, interval and n, for the status line
}

// Measure is one line of the list of measures.
type Measure struct {
	Name     string
	Value    Cell
	Interval string // "0.61 .. 0.88", or why there is none
	Items    string
	Word     string // Landis and Koch, a hint only
}

// Confusion is the counts of one pair: row the first column's label, column the second's. Counts is nil while hidden.
type Confusion struct {
	First, Second string
	Items         int
	Counts        [][]int
	Percent       string
	Kappa         Cell
	Weighted      []Measure // linear and quadratic, three classes only
	Hidden        string    // why there are no counts
}

// Column is what one annotator did: how many of each label, how many unsure, skipped and open.
type Column struct {
	Annotator                    string
	Counts                       []int // per class; nil while hidden
	Done, Unsure, Skipped, Total int
}

// Item is a model on which the annotators do not agree or that has no majority.
type Item struct {
	Model, ID string
	Labels    []string // per annotator, "" without label
	Majority  string   // "" without
}

// View is everything the screen shows about one round.
type View struct {
	Round      label.Round
	Annotators []string
	Classes    []string
	Blind      bool // single labels are hidden: the round is blind and open
	Items      int
	Rated      int // items with two or more labels
	Measures   []Measure
	Matrix     [][]Cell // annotators x (annotators + majority), plain kappa
	Note       string   // beside the majority column
	Pairs      []Confusion
	Columns    []Column
	Disagree   []Item // not all labels equal; empty while Blind
	Unresolved []Item // rated, but without a majority; empty while Blind
	DisagreeN  int    // their numbers, shown also while Blind
	UnresolveN int
	Intervals  bool // the report had intervals
}

// Input is what a view is made from.
type Input struct {
	Round   label.Round
	Events  []label.Event
	Names   map[string]string // model id by hash
	Ratings [][]int           // annotators x items in the order of Round.Annotators and Round.Models
	Report  measure.Report
}

// Build makes the view of a round from its report.
func Build(in Input) View {
	r := in.Report
	v := View{Round: in.Round, Annotators: r.Raters, Classes: r.Classes, Blind: in.Round.Blind && !in.Round.Closed,
		Items: r.Items, Rated: r.ItemsTwo, Note: r.Note, Intervals: r.Resamples > 0}
	v.Measures = measures(r)
	v.Matrix = kappaMatrix(r)
	v.Pairs = confusions(r, v.Blind)
	v.Columns = columns(in, v.Blind)
	v.items(in)
	return v
}

func measures(r measure.Report) []Measure {
	fleiss := "Fleiss' kappa"
	if r.Generalised {
		fleiss += " (generalised)"
	}
	list := []Measure{
		line("percent agreement", &r.Percent),
		line(fleiss, &r.Fleiss),
		line("mean of Cohen's kappas", &r.CohenMean),
		line("Gwet's AC1", &r.GwetAC1),
		line("Krippendorff's alpha", &r.KrippendorffNominal),
	}
	for _, extra := range []struct {
		name string
		e    *measure.Estimate
	}{
		{"Gwet's AC2, linear", r.GwetAC2Linear},
		{"Gwet's AC2, quadratic", r.GwetAC2Quadratic},
		{"Krippendorff's alpha, ordinal", r.KrippendorffOrdinal},
		{"Krippendorff's alpha, interval", r.KrippendorffInterval},
	} {
		if extra.e != nil {
			list = append(list, line(extra.name, extra.e))
		}
	}
	return list
}

func line(name string, e *measure.Estimate) Measure {
	return Measure{Name: name, Value: cell(*e), Interval: interval(*e), Items: strconv.Itoa(e.N), Word: e.Words}
}

func cell(e measure.Estimate) Cell {
	if !e.Value.Defined() {
		return Cell{Text: "–", Reason: e.Value.Reason, Hint: "undefined: " + e.Value.Reason}
	}
	hint := fmt.Sprintf("%.4f, n = %d", e.Value.Value, e.N)
	if e.Words != "" {
		hint += ", " + e.Words
	}
	if e.Interval != nil && e.Interval.Reason == "" {
		hint += ", 95 % interval " + interval(e)
	}
	return Cell{Text: fmt.Sprintf("%.3f", e.Value.Value), Hint: hint}
}

func interval(e measure.Estimate) string {
	switch {
	case e.Interval == nil || !e.Value.Defined():
		return ""
	case e.Interval.Reason != "":
		return e.Interval.Reason
	}
	return fmt.Sprintf("%.3f .. %.3f", e.Interval.Low, e.Interval.High)
}

// kappaMatrix is annotators x (annotators + 1); the diagonal is empty and the last column the majority.
func kappaMatrix(r measure.Report) [][]Cell {
	n := len(r.Raters)
	rows := make([][]Cell, n)
	for a := range rows {
		rows[a] = make([]Cell, n+1)
		for b := range n {
			pair, ok := r.Pair(a, b)
			if !ok {
				continue
			}
			rows[a][b] = cell(pair.Kappa)
			rows[a][b].Hint = r.Raters[a] + " and " + r.Raters[b] + ": " + rows[a][b].Hint
		}
	}
	for _, against := range r.VsMajority {
		c := cell(against.Kappa)
		c.Hint = against.Rater + " and the majority: " + c.Hint + "; " + r.Note
		rows[against.Index][n] = c
	}
	return rows
}

func confusions(r measure.Report, blind bool) []Confusion {
	var list []Confusion
	for _, p := range r.Cohen {
		list = append(list, confusion(p.Raters[0], p.Raters[1], p.Cohen, blind))
	}
	for _, a := range r.VsMajority {
		list = append(list, confusion(a.Rater, majorityName, a.Cohen, blind))
	}
	return list
}

// majorityName is the name of the majority vote's column.
const majorityName = "majority"

func confusion(first, second string, c measure.Cohen, blind bool) Confusion {
	out := Confusion{First: first, Second: second, Items: c.N, Counts: c.Confusion, Kappa: cell(c.Kappa),
		Percent: cell(c.Percent).Text}
	for _, w := range []struct {
		name string
		e    *measure.Estimate
	}{{"linear", c.Linear}, {"quadratic", c.Quadratic}} {
		if w.e != nil {
			out.Weighted = append(out.Weighted, line(w.name, w.e))
		}
	}
	if blind && c.N < blindFloor {
		out.Counts = nil
		out.Hidden = fmt.Sprintf("hidden until %d common items: the round is blind and open", blindFloor)
	}
	return out
}

// PairAt is the confusion of matrix cell (a, b); b = number of annotators is the majority. ok is false on the diagonal.
func (v View) PairAt(a, b int) (c Confusion, ok bool) {
	if a < 0 || b < 0 || a >= len(v.Annotators) || b > len(v.Annotators) || a == b {
		return Confusion{}, false
	}
	second := majorityName
	if b < len(v.Annotators) {
		a, b = min(a, b), max(a, b)
		second = v.Annotators[b]
	}
	first := v.Annotators[a]
	for k, p := range v.Pairs {
		fromPairs := k < len(v.Pairs)-len(v.Annotators)
		if p.First == first && p.Second == second && fromPairs == (b < len(v.Annotators)) {
			return p, true
		}
	}
	return Confusion{}, false
}
