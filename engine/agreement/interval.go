package agreement

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/stats"
)

// Confidence is the share of samples whose interval is meant to hold the true value.
const Confidence = 0.95

// What an interval takes, in items. Simulations (TestCoverage) show intervals of fewer items to
// miss the true value too often.
const (
	MinItems  = 8 // behind the value (spec/agreement.md, "Intervals")
	MinSecond = 3 // for kappas and alpha: items with agreement on another class than the commonest
	// for AC1 and AC2, and all coefficients of two classes: items with more agreement than the
	// least possible
	MinAgreeing = 2
)

// The reasons why a defined value has no interval.
var (
	TooFewItems    = fmt.Sprintf("fewer than %d items", MinItems)
	TooFewSecond   = fmt.Sprintf("fewer than %d items with agreement on a class other than the commonest", MinSecond)
	TooFewAgreeing = fmt.Sprintf("fewer than %d items with more agreement than the least possible", MinAgreeing)
)

// More reasons why a defined value has no interval.
const (
	NoVariance    = "the variance is 0"
	OneItemNeeded = "undefined without one of the items"
)

// support counts the items from which an interval can be told.
type support struct {
	second   int // two or more raters agree on a class that is not the commonest
	agreeing int // the raters agree more than they would if they spread over the classes evenly
}

// support is that of all raters.
func (t *table) support() support {
	votes, times := make([]int, t.classes), t.times()
	for q, p := range t.patterns {
		for k, n := range p.votes {
			votes[k] += times[q] * n
		}
	}
	top, s := stats.Largest(votes), support{}
	for q, p := range t.patterns {
		second, most := false, 0
		for k, n := range p.votes {
			second = second || k != top && n >= 2
			most = max(most, n)
		}
		if second {
			s.second += times[q]
		}
		if p.rated >= 2 && most > (p.rated+t.classes-1)/t.classes {
			s.agreeing += times[q]
		}
	}
	return s
}

// slots hands out values with their intervals in order.
type slots struct {
	classes int
	values  []Value
	without [][]Value // per pattern: the values without one item of it; nil where no intervals are asked for
	times   []int     // per pattern
	next    int
}

// slots measures all items, and for intervals all items but one, once per pattern.
func (t *table) slots(opts Options, whole *tally, measure func(*tally, []Value) []Value) *slots {
	s := &slots{classes: t.classes, values: measure(whole, nil)}
	if !opts.Intervals {
		return s
	}
	s.times, s.without = t.times(), make([][]Value, len(t.patterns))
	less := t.newTally()
	for q := range t.patterns {
		if opts.Err() != nil {
			return &slots{classes: t.classes, values: s.values}
		}
		t.without(less, whole, &t.patterns[q])
		s.without[q] = measure(less, nil)
	}
	return s
}

// share takes the next value, a share of agreement over n items. A share of 0 or 1, where all
// items are alike, has the exact interval of Clopper and Pearson (1934) over the items.
func (s *slots) share(n int) Estimate {
	e := s.take(n, stats.Logit, "")
	if e.Interval != nil && e.Interval.Reason == NoVariance {
		bound := math.Pow((1-Confidence)/2, 1/float64(n))
		switch e.Value.Value {
		case 0:
			e.Interval = &stats.Interval{Low: 0, High: 1 - bound}
		case 1:
			e.Interval = &stats.Interval{Low: bound, High: 1}
		}
	}
	return e
}

// kappa takes the next value, a coefficient that measures agreement by the shares of the classes.
func (s *slots) kappa(n int, has support) Estimate {
	lacking := ""
	switch {
	case has.second < MinSecond:
		lacking = TooFewSecond
	case s.classes == 2 && has.agreeing < MinAgreeing:
		lacking = TooFewAgreeing
	}
	return s.take(n, stats.FisherScale, lacking).interpreted()
}

// gwet takes the next value, an AC1 or AC2.
func (s *slots) gwet(n int, has support) Estimate {
	lacking := ""
	if has.agreeing < MinAgreeing {
		lacking = TooFewAgreeing
	}
	return s.take(n, stats.FisherScale, lacking).interpreted()
}

func (e Estimate) interpreted() Estimate {
	if e.Value.Defined() {
		e.Words = Words(e.Value.Value)
	}
	return e
}

// take takes the next value; lacking is what its interval lacks, "" for nothing.
func (s *slots) take(n int, on stats.Scale, lacking string) Estimate {
	e := Estimate{Value: s.values[s.next], N: n}
	if s.without != nil {
		e.Interval = s.interval(e, on, lacking)
	}
	s.next++
	return e
}

// interval is the jackknife's with Student's t, the first of the candidates of spec/agreement.md
// that covers: bias-corrected and accelerated bootstrap intervals miss more often
// (docs/results.md). The value and the shares of the classes cost degrees of freedom.
func (s *slots) interval(e Estimate, on stats.Scale, lacking string) *stats.Interval {
	switch {
	case !e.Value.Defined():
		return &stats.Interval{Reason: e.Value.Reason.Text}
	case e.N < MinItems:
		return &stats.Interval{Reason: TooFewItems}
	case lacking != "":
		return &stats.Interval{Reason: lacking}
	}
	without := make([]float64, len(s.without))
	for q, values := range s.without {
		if !values[s.next].Defined() {
			return &stats.Interval{Reason: OneItemNeeded}
		}
		without[q] = values[s.next].Value
	}
	low, high, ok := stats.Jackknife(e.Value.Value, without, s.times, e.N, float64(e.N-2-s.classes), Confidence, on)
	if ok {
		return &stats.Interval{Low: low, High: high}
	}
	return &stats.Interval{Reason: NoVariance}
}
