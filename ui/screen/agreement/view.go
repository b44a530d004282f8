package agreement

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// blindFloor is the number of labels below which the numbers and tables of a blind and open round
// stay hidden: with fewer, they would give away a single label.
const blindFloor = 5

// hideSmallCounts stands in place of a number that would give away a single label.
var hideSmallCounts = result.Because("blind", "hidden until %d common items: the round is blind", blindFloor)

// hiddenSeries is why neither agreement over time nor kinds are shown in a blind round.
const hiddenSeries = "Hidden while the round is blind: with few models at a time, a number gives away single labels."

// Input is what a view is made from.
type Input struct {
	Round   label.Round
	Events  []label.Event
	Names   map[string]string // model id by hash
	People  map[string]string // annotators' names by id; those without are their own
	Viewer  string            // id of the annotator who signed in last at this desk
	Records map[string][]model.Field
	Options measure.Options
}

// View is everything the screen shows about one round. It is immutable.
type View struct {
	Input
	Blind bool // single labels are hidden from whoever looks: the round is blind
	// Measured is what was measured, of a blind round without what few labels would give away.
	Measured *measure.Round
	Lines    []measure.Line // of all annotators, and of each with the known answers and with themselves
	Tallies  []label.Tally
	// Disagree are the models whose labels are not all equal, Unresolved those of them without a
	// majority; both are empty while Blind. Their numbers are shown also then, from blindFloor
	// rated models on.
	Disagree, Unresolved   []measure.Item
	DisagreeN, UnresolvedN int
	Cases                  []label.Case
	NoQueue                string // why nothing can be adjudicated now, "" when it can
}

// Build measures a round.
func Build(in Input) *View {
	names := make([]string, len(in.Round.Annotators))
	for a, id := range in.Round.Annotators {
		names[a] = in.person(id)
	}
	models := make([]string, len(in.Round.Models))
	for k, hash := range in.Round.Models {
		models[k] = in.modelID(hash)
	}
	v := &View{Input: in, Blind: !in.Round.Sees(in.Viewer, in.Events)}
	v.Measured = measure.OfRound(in.Round, in.Events, models, names, in.Options)
	v.Tallies = label.Tallies(in.Round, names, in.Events)
	for _, item := range v.Measured.Items() {
		if !item.Divided() {
			continue
		}
		v.DisagreeN++
		v.Disagree = append(v.Disagree, item)
		if item.Majority() == "" {
			v.UnresolvedN++
			v.Unresolved = append(v.Unresolved, item)
		}
	}
	if v.Blind {
		v.hide()
	}
	for _, l := range v.Measured.Lines() {
		if l.A == l.B && l.Class == "" || l.Section == measure.WithKnown {
			v.Lines = append(v.Lines, l)
		}
	}
	v.queue()
	return v
}

// person is the name to show of an annotator.
func (in Input) person(id string) string { return cmp.Or(in.People[id], id) }

func (in Input) modelID(hash string) string { return cmp.Or(in.Names[hash], result.ID.SayText(hash)) }

// rated is the number of models with two or more labels.
func (v *View) rated() int { return v.Measured.Report.ItemsTwo }

// few tells whether a number that rests on so many items has to be hidden.
func (v *View) few(items int) bool { return v.Blind && items < blindFloor }

// hide takes out of a blind round what tells single labels, and the numbers that rest on so few
// items that whoever knows their own labels could tell others' from them: with one common item, an
// agreement of 1 is the other's label. The counts of items stay. Of how people agree with
// themselves one's own stays alone.
func (v *View) hide() {
	m := *v.Measured
	v.Measured, v.Disagree, v.Unresolved = &m, nil, nil
	for k := range v.Tallies {
		if t := &v.Tallies[k]; t.Labelled < blindFloor {
			t.Counts, t.Hidden = nil, hideSmallCounts
		}
	}
	m.Self = slices.DeleteFunc(slices.Clone(m.Self),
		func(s measure.SelfAgreement) bool { return s.Annotator != v.Viewer })
	hidden := func(e *measure.Estimate) *measure.Estimate {
		if e == nil {
			return nil
		}
		// another reason would tell as much
		return &measure.Estimate{Value: measure.Value{Reason: hideSmallCounts}, N: e.N}
	}
	cohen := func(c *measure.Cohen) {
		if c.N < blindFloor {
			c.Percent, c.Kappa, c.Linear, c.Quadratic = *hidden(&c.Percent), *hidden(&c.Kappa), hidden(c.Linear),
				hidden(c.Quadratic)
		}
	}
	r := &m.Report
	r.Cohen, r.VsMajority = slices.Clone(r.Cohen), slices.Clone(r.VsMajority)
	for k := range r.Cohen {
		cohen(&r.Cohen[k].Cohen)
	}
	for k := range r.VsMajority {
		cohen(&r.VsMajority[k].Cohen)
	}
	if r.ItemsTwo >= blindFloor {
		return
	}
	m.PerClass, v.DisagreeN, v.UnresolvedN = nil, 0, 0
	for _, e := range []*measure.Estimate{&r.Percent, &r.CohenMean, &r.Fleiss, &r.GwetAC1, &r.KrippendorffNominal} {
		*e = *hidden(e)
	}
	for _, e := range []**measure.Estimate{
		&r.CohenMeanLinear, &r.CohenMeanQuadratic, &r.GwetAC2Linear, &r.GwetAC2Quadratic,
		&r.KrippendorffOrdinal, &r.KrippendorffInterval,
	} {
		*e = hidden(*e)
	}
}

// Heading is the line over the measures.
func (v *View) Heading() string {
	people := result.Counted(len(v.Round.Annotators), "annotator")
	if k := v.Round.Overlap; k > 0 && k < len(v.Round.Annotators) {
		people += fmt.Sprintf(", %d of them for each model", k)
	}
	text := fmt.Sprintf("%s, %s, %s with two or more labels", result.Counted(len(v.Round.Models), "model"), people,
		result.Counted(v.rated(), "model"))
	if v.Round.ByRule {
		text = label.ByRuleNote + "; " + text
	}
	switch {
	case v.Round.Closed:
		return text + ", closed"
	case v.Blind && v.Round.Reveal == label.RevealFinished:
		return text + ", blind: single labels are hidden until it is closed or you have finished"
	case v.Blind:
		return text + ", blind and open: single labels are hidden until it is closed"
	}
	return text + ", open"
}

// kappaColumns are the columns of the matrix of kappas: the annotators, the majority, and the
// known answers where they may be seen.
func (v *View) kappaColumns() []string {
	list := append(slices.Clone(v.Measured.Report.Raters), measure.MajorityName)
	if v.Measured.Known != nil {
		list = append(list, measure.KnownName)
	}
	return list
}

// kappas is the matrix of Cohen's kappas, annotators x kappaColumns; the diagonal is empty. of is
// the kappa of a pair that it holds.
func (v *View) kappas(of func(measure.Cohen) *measure.Estimate) [][]widget.GridCell {
	r := v.Measured.Report
	n := len(r.Raters)
	rows := make([][]widget.GridCell, n)
	for a := range rows {
		rows[a] = make([]widget.GridCell, len(v.kappaColumns()))
		rows[a][a].Shade = -1
		for b := range n {
			if pair, ok := r.Pair(a, b); ok {
				rows[a][b] = gridCell(*of(pair.Cohen), r.Raters[a]+" and "+r.Raters[b], result.Coefficient)
			}
		}
	}
	for _, against := range r.VsMajority {
		c := gridCell(*of(against.Cohen), against.Rater+" and the majority", result.Coefficient)
		c.Hint += "; " + r.Note
		rows[against.Index][n] = c
	}
	if v.Measured.Known != nil {
		for _, against := range v.Measured.Known.Against {
			rows[against.Index][n+1] = gridCell(*of(against.Cohen),
				against.Rater+" and the known answers", result.Coefficient)
		}
	}
	return rows
}

// gridCell is a number of a grid; its shade grows with it.
func gridCell(e measure.Estimate, name string, format result.Format) widget.GridCell {
	c := widget.GridCell{Text: format.Say(e.Value.Number(), 0), Shade: -1, Hint: name + ": " + e.Tell(format)}
	if e.Value.Defined() {
		c.Shade = min(1, max(0, e.Value.Value))
	}
	return c
}

// Behind is what lies behind a number that was chosen on the screen.
type Behind struct {
	Title, Hint   string
	First, Second string                   // whose labels are the rows and the columns of Counts
	Counts        [][]int                  // nil of all annotators together, and while hidden
	Hidden        string                   // why there are no counts
	Classes       []measure.ClassAgreement // agreement on each class by itself; nil while hidden
	// Items are the models on which the labels differ, empty while the round is blind; N is their
	// number, 0 where it is hidden.
	Items []measure.Item
	N     int
}

// BehindPair is what lies behind a cell of the matrix of kappas; ok is false where there is none.
func (v *View) BehindPair(row, col int) (b Behind, ok bool) {
	r, ratings := v.Measured.Report, v.Measured.Ratings
	if row >= 0 && row < len(ratings) && col == len(ratings) {
		against := r.VsMajority[row]
		majority := r.Majority.Unresolved
		if r.LeaveOneOut {
			others := slices.Delete(slices.Clone(ratings), row, row+1)
			majority = measure.Measure(others, v.Round.Classes, make([]string, len(others)),
				measure.Options{}).Majority.Unresolved
		}
		return v.between(against.Rater, measure.MajorityName, ratings[row], majority, against.Cohen,
			v.few(against.N)), true
	}
	if known := v.Measured.Known; known != nil && row >= 0 && row < len(ratings) && col == len(ratings)+1 {
		against := known.Against[row]
		return v.between(against.Rater, measure.KnownName, ratings[row], known.Answers, against.Cohen,
			v.few(against.N)), true
	}
	pair, ok := r.Pair(row, col)
	if !ok {
		return Behind{}, false
	}
	return v.between(pair.Raters[0], pair.Raters[1], ratings[pair.A], ratings[pair.B], pair.Cohen, v.few(pair.N)), true
}

// between is what lies behind the comparison of two columns of labels.
func (v *View) between(first, second string, a, b []int, c measure.Cohen, few bool) Behind {
	out := Behind{
		Title: fmt.Sprintf("%s (rows) and %s", first, second), Hint: describe(c), First: first, Second: second,
	}
	if few {
		out.Hidden = hideSmallCounts.Text
		return out
	}
	out.Counts = c.Confusion
	out.Classes = measure.PerClass([][]int{a, b}, v.Round.Classes,
		measure.Options{Classes: v.Measured.Report.Classes, Intervals: true})
	for _, item := range v.Measured.Items() {
		if x, y := at(a, item.K), at(b, item.K); x != measure.Missing && y != measure.Missing && x != y {
			out.N++
			if !v.Blind {
				out.Items = append(out.Items, item)
			}
		}
	}
	return out
}

// at is an item's class in a column, which is empty where nobody is left to vote.
func at(column []int, item int) int {
	if item >= len(column) {
		return measure.Missing
	}
	return column[item]
}

// describe is a pair's numbers in one line.
func describe(c measure.Cohen) string {
	text := result.Counted(c.N, "common model") + ", agreement " + result.Share.Say(c.Percent.Value.Number(), 0)
	for _, one := range []struct {
		name string
		of   *measure.Estimate
	}{{"kappa", &c.Kappa}, {"weighted linearly", c.Linear}, {"weighted quadratically", c.Quadratic}} {
		if one.of == nil {
			continue
		}
		text += ", " + one.name + " " + result.Coefficient.Say(one.of.Value.Number(), 0)
		if !one.of.Value.Defined() {
			text += " (" + one.of.Value.Reason.Text + ")"
		}
	}
	return text
}

// BehindLine is what lies behind a line of the list of measures.
func (v *View) BehindLine(l measure.Line) Behind {
	if l.Section == measure.WithKnown {
		b, _ := v.BehindPair(slices.Index(v.Measured.Report.Raters, l.A), len(v.Measured.Ratings)+1)
		return b
	}
	for _, self := range v.Measured.Self {
		if l.A == self.Rater {
			first, second := label.Passes(v.Round, self.Annotator, v.Events)
			b := v.between(self.Rater, self.Rater+" again", first, second, self.Cohen, false)
			b.Title = self.Rater + ": first labels (rows) and again"
			return b
		}
	}
	return Behind{
		Title: "All annotators", Hint: l.Title + ": " + l.Tell(), Classes: v.Measured.PerClass, Items: v.Disagree,
		N: v.DisagreeN,
	}
}

// series is what is shown over time: the figures, or why there are none.
type series struct {
	fleiss, percent result.Figure
	known           result.Figure // shares of the known answers; nothing to draw where they are hidden
	hidden          string
}

// overTime follows agreement over the models in the order in which they were completed.
func (v *View) overTime(window int) (s series) {
	order := label.Completed(v.Round, v.Events)
	switch {
	case v.Blind:
		s.hidden = hiddenSeries
	case len(order) == 0 && v.Measured.Known == nil:
		s.hidden = "Nothing yet: no model has labels of two annotators."
	default:
		points := measure.OverTime(v.Measured.Ratings, v.Round.Classes, order, window)
		s.fleiss, s.percent = measure.Figures(points, window)
		s.known = measure.DriftFigure(v.Measured.Drifts(window), window)
	}
	return s
}

// kinds are the kinds of models by a column of their records, the most dividing ones first.
func (v *View) kinds(column string, opts measure.Options) []measure.GroupAgreement {
	values := make([]string, len(v.Round.Models))
	for i, hash := range v.Round.Models {
		values[i] = model.Model{Record: v.Records[hash]}.Value(column)
	}
	return measure.MeasureGroups(v.Measured.Ratings, v.Round.Classes, measure.GroupBy(values), opts)
}

// divided are the items of a kind on which the annotators disagree.
func (v *View) divided(kind measure.GroupAgreement) (list []measure.Item) {
	for _, item := range v.Disagree {
		if slices.Contains(kind.Items, item.K) {
			list = append(list, item)
		}
	}
	return list
}

// columns are the columns of the models' records that tell models apart, in the order in which they
// appear; without any, all.
func (v *View) columns() []string {
	models := make([]model.Model, len(v.Round.Models))
	for k, hash := range v.Round.Models {
		models[k].Record = v.Records[hash]
	}
	if telling := model.RecordNames(models, 2, math.MaxInt); len(telling) > 0 {
		return telling
	}
	return model.RecordNames(models, 0, math.MaxInt)
}
