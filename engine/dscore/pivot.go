package dscore

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/engine/stats"
)

// What the intervals of scores take. Simulations (TestCoverage) show those of less to miss the
// true value too often.
const (
	MinImages = 500
	minLoss   = 8 // mean loss over its standard error, below which the losses could lie anywhere
	// share of 1 - level that quantiles of errors leave out, since those of few samples lie too
	// close together
	beyond = 0.6
	small  = 2    // a loss of fewer standard errors may be none
	flat   = 0.99 // quantile of chi-squared up to which a spread may be none
)

// TooFewImages is why scores have no interval.
var TooFewImages = fmt.Sprintf("fewer than %d images", MinImages)

// pivot computes the intervals of v_robust, v_fitness and D-Score.
//
// Noise makes the distances of Eq. 3 and 4 too large, and a sample of the sample has it twice, so
// percentile intervals miss, most of all where regions are alike. Therefore what counts is the
// error, score minus true score, when the bootstrap's deviations are added to accuracies that
// could be the true ones: those measured; those with a spread over the regions removed that could
// be noise; those with small losses removed; where losses are small altogether, also none at all
// and all of it in one region. The interval reaches over all that these errors leave possible.
type pivot struct {
	grid    int
	images  int
	at      Accuracies // measured
	samples []resampled
}

// scores are v_robust, v_fitness and D-Score.
type scores [3]float64

func (p pivot) scores(a Accuracies) scores {
	s := compute(p.grid, a)
	return scores{s.Robust, s.Fitness, s.DScore}
}

// intervals are those of the scores, each with the value itself inside.
func (p pivot) intervals(level float64) [3]Interval {
	var list [3]Interval
	if none := (Interval{Reason: TooFewImages}); p.images < MinImages {
		return [3]Interval{none, none, none}
	}
	errors := p.errors()
	for k, value := range p.scores(p.at) {
		list[k] = Interval{Low: value, High: value}
		for _, some := range errors {
			list[k].reach(value, some[k], level)
		}
	}
	list[0].Low, list[1].High, list[2].High = max(list[0].Low, 0), min(list[1].High, 1), min(list[2].High, 1)
	return list
}

// reach makes an interval reach over what errors of its value leave possible. It sorts them.
func (i *Interval) reach(value float64, errors []float64, level float64) {
	tail := beyond * (1 - level) / 2
	slices.Sort(errors)
	i.Low = min(i.Low, value-stats.Quantile(errors, 1-tail))
	i.High = max(i.High, value-stats.Quantile(errors, tail))
}

// errors are, for each of the possible accuracies and each score, those of the samples that
// deviate from these accuracies, minus the true score.
func (p pivot) errors() (list [][3][]float64) {
	for _, truth := range p.possible() {
		var errors [3][]float64
		from := p.scores(truth)
		moved := Accuracies{Classes: truth.Classes}
		moved.Variants, moved.Shifted = make([]float64, len(truth.Variants)), make([]float64, len(truth.Shifted))
		for b := range p.samples {
			s := &p.samples[b]
			moved.Original = truth.Original + s.Original - p.at.Original
			for i := range moved.Variants {
				moved.Variants[i] = truth.Variants[i] + s.Variants[i] - p.at.Variants[i]
				moved.Shifted[i] = truth.Shifted[i] + s.Shifted[i] - p.at.Shifted[i]
			}
			for k, v := range p.scores(moved) {
				errors[k] = append(errors[k], v-from[k])
			}
		}
		list = append(list, errors)
	}
	return list
}

// deviation is the standard error of what of takes from accuracies linearly.
func (p pivot) deviation(of func(a *Accuracies) float64) float64 {
	at, squares := of(&p.at), 0.0
	for b := range p.samples {
		d := of(&p.samples[b].Accuracies) - at
		squares += float64(d * d)
	}
	return math.Sqrt(squares / float64(len(p.samples)))
}

// possible are the accuracies that could be the true ones.
func (p pivot) possible() []Accuracies {
	even := p.at
	even.Variants = p.evened(func(a *Accuracies) []float64 { return a.Variants })
	even.Shifted = p.evened(func(a *Accuracies) []float64 { return a.Shifted })
	gap := func(a *Accuracies) float64 { return mean(a.Shifted) - a.Original }
	if lost := gap(&p.at); math.Abs(lost) < small*p.deviation(gap) {
		even.Shifted = slices.Clone(even.Shifted)
		for i := range even.Shifted {
			even.Shifted[i] -= lost
		}
	}
	few, none, alone := even, even, even
	few.Variants = slices.Clone(p.at.Variants)
	none.Variants = slices.Repeat([]float64{p.at.Original}, len(p.at.Variants))
	alone.Variants = slices.Clone(none.Variants)
	lost, least := 0.0, 0
	for i, f := range p.at.Variants {
		lost += max(0, p.at.Original-f)
		if f < p.at.Variants[least] {
			least = i
		}
		if p.at.Original-f < small*p.deviation(func(a *Accuracies) float64 { return a.Original - a.Variants[i] }) {
			few.Variants[i] = p.at.Original
		}
	}
	alone.Variants[least] -= lost
	if loss := func(a *Accuracies) float64 {
		return a.Original - mean(a.Variants)
	}; loss(&p.at) < minLoss*p.deviation(loss) {
		return []Accuracies{p.at, even, few, none, alone}
	}
	return []Accuracies{p.at, even, few}
}

// evened are accuracies per region, all alike where their spread could be noise.
func (p pivot) evened(of func(a *Accuracies) []float64) []float64 {
	at := of(&p.at)
	centre, spread, noise := mean(at), 0.0, 0.0
	for _, v := range at {
		spread += float64((v - centre) * (v - centre))
	}
	for i := range at {
		d := p.deviation(func(a *Accuracies) float64 { return of(a)[i] - mean(of(a)) })
		noise += float64(d * d)
	}
	free := float64(len(at) - 1)
	if free == 0 || spread*free > noise*(distuv.ChiSquared{K: free}).Quantile(flat) {
		return at
	}
	return slices.Repeat([]float64{centre}, len(at))
}

func mean(values []float64) float64 {
	m, _ := stats.Moments(values)
	return m
}
