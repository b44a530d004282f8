// Package agreement is the screen that shows how well the annotators of a round agree. View is
// what it shows, computed by Build without Fyne; Screen draws it.
package agreement

import (
	"fmt"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/present"
)

// blindFloor is the number of labels below which the numbers and tables of a blind and open round
// stay hidden: with fewer, they would give away a single label.
const blindFloor = 5

// Cell is a number as text, or a dash with the reason why there is none.
type Cell struct {
	Text   string
	Reason string // why it is undefined; empty otherwise
	Hint   string // interpretation word, interval and n, for the status line
	// Shade is how strong the cell's background is: the value between 0 and 1, -1 for an undefined
	// one.
	Shade float64
}

// Measure is one line of the list of measures.
type Measure struct {
	Name     string
	Value    Cell
	Estimate measure.Estimate

	self int // 1 + index of View.Self behind it, 0 for a measure of all annotators
}

// Confusion is the counts of one pair: row the first column's label, column the second's. Counts
// is nil while hidden.
type Confusion struct {
	First, Second string
	Items         int
	Counts        [][]int
	Percent       string
	Kappa         Cell
	Weighted      []Measure // linear and quadratic, three classes only
	Hidden        string    // why there are no counts
	// Classes is the agreement on each class by itself; Concerned are the items on which the two
	// differ, empty while Blind.
	Classes    []ClassLine
	Concerned  []Item
	ConcernedN int

	row, col int // its cell above the diagonal of the matrix
}

// ClassLine is the agreement on one class: the specific agreement, and the kappa of this class
// against the others.
type ClassLine struct {
	Class          string
	Percent, Kappa Measure
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
	Blind      bool // single labels are hidden from whoever looks: the round is blind
	Items      int
	Rated      int // items with two or more labels
	Measures   []Measure
	Matrix     [][]Cell // annotators x (annotators + majority), plain kappa
	// Linear and Quadratic are the same with weighted kappas; nil for two classes, where all are
	// equal.
	Linear, Quadratic [][]Cell
	Note              string // beside the majority column
	Pairs             []Confusion
	Self              []Confusion // first pass (rows) and second pass, of each annotator who saw items again
	Everybody         []ClassLine // agreement of all annotators per class
	Columns           []Column
	Disagree          []Item // not all labels equal; empty while Blind
	Unresolved        []Item // rated, but without a majority; empty while Blind
	DisagreeN         int    // their numbers, shown also while Blind, from blindFloor rated items on
	UnresolveN        int
	Intervals         bool // the report had intervals
	Course            Course
	Kinds             Kinds
	Cases             []Case
	NoQueue           string // why nothing can be adjudicated now, "" when it can
}

// Input is what a view is made from.
type Input struct {
	Round   label.Round
	Events  []label.Event
	Names   map[string]string // model id by hash
	People  map[string]string // annotators' names by id; those without are their own
	Viewer  string            // id of the annotator who signed in last at this desk
	Ratings [][]int           // annotators x items in the order of Round.Annotators and Round.Models
	Report  measure.Report    // with the names of the annotators
	Records map[string][]model.Field
	Column  string // of the record, by which items are sorted into kinds; "" for the first
	Window  int    // items of the sliding window, 0 for the default
	Options measure.Options
}

// blind tells whether single labels are hidden from whoever looks.
func blind(in Input) bool { return !in.Round.Sees(in.Viewer, in.Events) }

// person is the name to show of an annotator.
func (in Input) person(id string) string {
	if name := in.People[id]; name != "" {
		return name
	}
	return id
}

// Build makes the view of a round from its report.
func Build(in Input) View {
	r := in.Report
	v := View{
		Round: in.Round, Annotators: r.Raters, Classes: r.Classes, Blind: blind(in),
		Items: r.Items, Rated: r.ItemsTwo, Note: r.Note, Intervals: r.Percent.Interval != nil,
	}
	if v.Blind {
		r = veiled(r)
	}
	v.Measures = measures(r)
	v.Matrix = kappaMatrix(r, func(c measure.Cohen) *measure.Estimate { return &c.Kappa })
	if in.Round.Classes > 2 {
		v.Linear = kappaMatrix(r, func(c measure.Cohen) *measure.Estimate { return c.Linear })
		v.Quadratic = kappaMatrix(r, func(c measure.Cohen) *measure.Estimate { return c.Quadratic })
	}
	v.Pairs = confusions(r, v.Blind)
	v.Columns = columns(in, v.Blind)
	v.items(in)
	v.behind(in)
	v.self(in)
	v.Course = course(in, v.Blind)
	v.Kinds = kinds(in, v.Blind)
	v.cases(in)
	return v
}

func measures(r measure.Report) []Measure {
	fleiss, alpha := "Fleiss' kappa", "Krippendorff's alpha"
	if r.Generalised {
		fleiss = "Fleiss, generalised"
	}
	if r.KrippendorffOrdinal != nil {
		alpha = "Krippendorff, nominal"
	}
	list := []Measure{
		line("percent agreement", &r.Percent),
		line(fleiss, &r.Fleiss),
		line("Cohen's kappa, mean", &r.CohenMean),
		line("Gwet's AC1", &r.GwetAC1),
		line(alpha, &r.KrippendorffNominal),
	}
	for _, extra := range []struct {
		name string
		e    *measure.Estimate
	}{
		{"Cohen, linear, mean", r.CohenMeanLinear},
		{"Cohen, quadratic, mean", r.CohenMeanQuadratic},
		{"Gwet's AC2, linear", r.GwetAC2Linear},
		{"Gwet's AC2, quadratic", r.GwetAC2Quadratic},
		{"Krippendorff, ordinal", r.KrippendorffOrdinal},
		{"Krippendorff, interval", r.KrippendorffInterval},
	} {
		if extra.e != nil {
			list = append(list, line(extra.name, extra.e))
		}
	}
	return list
}

func line(name string, e *measure.Estimate) Measure {
	return Measure{Name: name, Value: cell(*e), Estimate: *e}
}

func cell(e measure.Estimate) Cell {
	shown := present.KappaCell(e.Value.Value, e.Value.Reason)
	switch {
	case e.Value.Reason == veilReason(): // it may be defined
		return Cell{Text: shown.Text, Reason: e.Value.Reason, Hint: e.Value.Reason, Shade: shown.Shade}
	case !e.Value.Defined():
		return Cell{Text: shown.Text, Reason: e.Value.Reason, Hint: shown.Hint, Shade: shown.Shade}
	}
	hint := fmt.Sprintf("%.4f, n = %d", e.Value.Value, e.N)
	if e.Words != "" {
		hint += ", " + e.Words
	}
	if e.Interval != nil && e.Interval.Reason == "" {
		hint = fmt.Sprintf("%s, 95 %% interval %s", hint, interval(e))
	}
	return Cell{Text: shown.Text, Hint: hint, Shade: shown.Shade}
}

func interval(e measure.Estimate) string {
	if e.Interval == nil || !e.Value.Defined() || e.Interval.Reason != "" {
		return ""
	}
	return present.Kappa(e.Interval.Low) + " .. " + present.Kappa(e.Interval.High)
}

// kappaMatrix is annotators x (annotators + 1); the diagonal is empty and the last column the
// majority. kappa is the one of a pair that it holds.
func kappaMatrix(r measure.Report, kappa func(measure.Cohen) *measure.Estimate) [][]Cell {
	n := len(r.Raters)
	rows := make([][]Cell, n)
	for a := range rows {
		rows[a] = make([]Cell, n+1)
		rows[a][a].Shade = -1
		for b := range n {
			pair, ok := r.Pair(a, b)
			if !ok {
				continue
			}
			rows[a][b] = cell(*kappa(pair.Cohen))
			rows[a][b].Hint = fmt.Sprintf("%s and %s: %s", r.Raters[a], r.Raters[b], rows[a][b].Hint)
		}
	}
	for _, against := range r.VsMajority {
		c := cell(*kappa(against.Cohen))
		c.Hint = fmt.Sprintf("%s and the majority: %s; %s", against.Rater, c.Hint, r.Note)
		rows[against.Index][n] = c
	}
	return rows
}

func confusions(r measure.Report, blind bool) []Confusion {
	var list []Confusion
	for _, p := range r.Cohen {
		c := confusion(p.Raters[0], p.Raters[1], p.Cohen, blind)
		c.row, c.col = p.A, p.B
		list = append(list, c)
	}
	for _, a := range r.VsMajority {
		c := confusion(a.Rater, majorityName, a.Cohen, blind)
		c.row, c.col = a.Index, len(r.Raters)
		list = append(list, c)
	}
	return list
}

// majorityName is the name of the majority vote's column.
const majorityName = "majority"

func confusion(first, second string, c measure.Cohen, blind bool) Confusion {
	out := Confusion{
		First: first, Second: second, Items: c.N, Counts: c.Confusion, Kappa: cell(c.Kappa),
		Percent: cell(c.Percent).Text,
	}
	for _, w := range []struct {
		name string
		e    *measure.Estimate
	}{{"weighted linearly", c.Linear}, {"weighted quadratically", c.Quadratic}} {
		if w.e != nil {
			out.Weighted = append(out.Weighted, line(w.name, w.e))
		}
	}
	if blind && c.N < blindFloor {
		out.Counts = nil
		out.Hidden = veilReason()
	}
	return out
}

// PairAt is the confusion of matrix cell (a, b), in either order; b = number of annotators is the
// majority. ok is false on the diagonal and outside.
func (v View) PairAt(a, b int) (c Confusion, ok bool) {
	row, col := min(a, b), max(a, b)
	for _, p := range v.Pairs {
		if p.row == row && p.col == col && a < len(v.Annotators) {
			return p, true
		}
	}
	return Confusion{}, false
}
