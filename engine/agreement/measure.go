package agreement

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/stats"
)

// Options are the choices of Measure. The zero value measures without intervals, for a live screen.
type Options struct {
	// Classes are the words of the classes in order; missing ones are written as digits.
	Classes []string
	// LeaveOneOut compares each rater with the majority of the others.
	LeaveOneOut bool
	// Intervals asks for the interval of every measure, or the reason why it has none.
	Intervals bool
	// Context ends the computing of intervals, which takes a while for many raters; nil for none.
	// What is measured then is worth nothing: whoever gives a context asks Err before using it.
	Context context.Context
}

// Err is the error of the options' context, nil without one.
func (o Options) Err() error {
	if o.Context == nil {
		return nil
	}
	return o.Context.Err()
}

// The notes of spec/agreement.md beside the comparison with the majority.
const (
	biasedNote      = "the rater's own vote is part of the majority, so these values are biased upward"
	leaveOneOutNote = "against the majority of the other raters"
)

// Measure computes every measure of spec/agreement.md. ratings is raters x items with classes
// 0..classes-1 or Missing; raters names its rows. It panics when rows differ in length, names and
// rows differ in number, or a rating is no class: callers check what comes from files.
func Measure(ratings [][]int, classes int, raters []string, opts Options) Report {
	check(ratings, classes, raters)
	t := newTable(ratings, classes, opts.LeaveOneOut)
	s := t.whole()
	r := Report{
		Raters: append([]string{}, raters...), Classes: classNames(opts.Classes, classes),
		Items: t.items, ItemsRated: s.rated, ItemsTwo: s.two,
		Majority:    majorities(ratings, classes, t.items),
		LeaveOneOut: opts.LeaveOneOut, Note: biasedNote, Generalised: t.generalised(),
	}
	if opts.LeaveOneOut {
		r.Note = leaveOneOutNote
	}
	from := t.slots(opts, s, t.values)
	t.fillTogether(&r, s, from)
	r.Cohen, r.VsMajority = []Pair{}, []AgainstMajority{}
	q := 0
	for a := range t.raters {
		for b := a + 1; b < t.raters; b++ {
			r.Cohen = append(r.Cohen, Pair{
				A: a, B: b, Raters: [2]string{r.Raters[a], r.Raters[b]}, Cohen: t.cohenReport(s.pairs[q], from),
			})
			q++
		}
	}
	for a := range t.raters {
		r.VsMajority = append(r.VsMajority, AgainstMajority{
			Index: a, Rater: r.Raters[a], Cohen: t.cohenReport(s.against[a], from),
		})
	}
	return r
}

// times says how many items are of each pattern.
func (t *table) times() []int {
	times := make([]int, len(t.patterns))
	for _, p := range t.of {
		times[p]++
	}
	return times
}

// whole is the tally of all items.
func (t *table) whole() *tally {
	s := t.newTally()
	t.count(s, t.times())
	return s
}

func check(ratings [][]int, classes int, raters []string) {
	if len(ratings) != len(raters) {
		panic(fmt.Sprintf("agreement: %d rows of ratings for %d raters", len(ratings), len(raters)))
	}
	for r, row := range ratings {
		if len(row) != len(ratings[0]) {
			panic(fmt.Sprintf("agreement: rater %d has %d ratings, rater 0 has %d", r, len(row), len(ratings[0])))
		}
		for i, class := range row {
			if class != Missing && (class < 0 || class >= classes) {
				panic(fmt.Sprintf("agreement: rating %d of rater %d is class %d of %d", i, r, class, classes))
			}
		}
	}
}

// generalised tells whether rated items differ in their number of ratings.
func (t *table) generalised() bool {
	first := 0
	for _, p := range t.patterns {
		if p.rated == 0 {
			continue
		}
		if first == 0 {
			first = p.rated
		}
		if p.rated != first {
			return true
		}
	}
	return false
}

// values appends the values of all measures to list in the order in which fill takes them.
func (t *table) values(s *tally, list []Value) []Value {
	if t.classes < 2 {
		comparisons := t.raters*(t.raters-1)/2 + t.raters
		return append(list, slices.Repeat([]Value{undefined(TooFewClasses)}, 5+2*comparisons)...)
	}
	list, pairs := t.together(s, list)
	list = append(list, pairs...)
	for _, cells := range s.against {
		list = t.cohenValues(cells, list)
	}
	return list
}

// together appends the values of all raters to list in the order in which fillTogether takes them,
// and returns those of each pair.
func (t *table) together(s *tally, list []Value) (all, pairs []Value) {
	list = append(list, t.percent(s), t.fleiss(s), t.gwet(s, nominal), t.krippendorff(s, alphaNominal))
	if t.classes > 2 {
		list = append(list, t.gwet(s, linear), t.gwet(s, quadratic),
			t.krippendorff(s, alphaOrdinal), t.krippendorff(s, alphaInterval))
	}
	kappas := make([][]Value, t.weighted())
	for _, cells := range s.pairs {
		first := len(pairs) + 1 // after percent
		pairs = t.cohenValues(cells, pairs)
		for k := range kappas {
			kappas[k] = append(kappas[k], pairs[first+k])
		}
	}
	for _, of := range kappas {
		list = append(list, meanOf(of))
	}
	return list, pairs
}

// weighted is the number of weightings in which kappas of pairs are measured: the plain one alone
// for two classes.
func (t *table) weighted() int {
	if t.classes > 2 {
		return weightings
	}
	return 1
}

func (t *table) cohenValues(cells []int, list []Value) []Value {
	_, percent, kappa := t.cohen(cells)
	return append(append(list, percent), kappa[:t.weighted()]...)
}

// fillTogether puts the values of all raters into the report, in the order of together.
func (t *table) fillTogether(r *Report, s *tally, from *slots) {
	support := t.support()
	kappa := func() Estimate { return from.kappa(s.two, support) }
	r.Percent, r.Fleiss = from.share(s.two), kappa()
	r.GwetAC1, r.KrippendorffNominal = from.gwet(s.two, support), kappa()
	if t.classes > 2 {
		r.GwetAC2Linear, r.GwetAC2Quadratic = new(from.gwet(s.two, support)), new(from.gwet(s.two, support))
		r.KrippendorffOrdinal, r.KrippendorffInterval = new(kappa()), new(kappa())
	}
	r.CohenMean = kappa()
	if t.classes > 2 {
		r.CohenMeanLinear, r.CohenMeanQuadratic = new(kappa()), new(kappa())
	}
}

func (t *table) cohenReport(cells []int, from *slots) Cohen {
	c := Cohen{Confusion: make([][]int, t.classes)}
	for k := range c.Confusion {
		c.Confusion[k] = append([]int(nil), cells[k*t.classes:(k+1)*t.classes]...)
		for _, n := range c.Confusion[k] {
			c.N += n
		}
	}
	votes, agreeing := make([]int, t.classes), 0
	for k := range t.classes {
		agreeing += cells[k*t.classes+k]
		for l := range t.classes {
			votes[k] += cells[k*t.classes+l]
			votes[l] += cells[k*t.classes+l]
		}
	}
	top := stats.Largest(votes)
	support := support{second: agreeing - cells[top*t.classes+top], agreeing: agreeing}
	c.Percent, c.Kappa = from.share(c.N), from.kappa(c.N, support)
	if t.classes > 2 {
		c.Linear, c.Quadratic = new(from.kappa(c.N, support)), new(from.kappa(c.N, support))
	}
	return c
}
