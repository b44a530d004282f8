package dscore

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/engine/stats"
)

// What the intervals of scores take. Simulations (TestCoverage) show those of less to miss the true value too often.
const (
	minImages = 500
	minLoss   = 6    // mean loss over its standard error
	small     = 2    // a loss of fewer standard errors may be none
	flat      = 0.99 // quantile of chi-squared up to which a spread may be none
)

// The reasons why scores have no interval.
var (
	TooFewImages  = fmt.Sprintf("fewer than %d images", minImages)
	LossUncertain = fmt.Sprintf("mean loss of accuracy below %d standard errors", minLoss)
)

// pivot computes the intervals of v_robust, v_fitness and D-Score.
//
// Noise makes the distances of Eq. 3 and 4 too large, and a sample of the sample has it twice, so percentile intervals miss, most of
// all where regions are alike. Therefore what counts is the error, score minus true score, when the bootstrap's deviations are added
// to accuracies that could be the true ones: those measured; those with a spread over the regions removed that could be noise; those
// with small losses removed. The interval reaches over all that these errors leave possible.
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
	reason := p.lacks()
	value := p.scores(p.at)
	for k := range list {
		list[k] = Interval{Low: value[k], High: value[k], Reason: reason}
	}
	if reason != "" {
		return [3]Interval{{Reason: reason}, {Reason: reason}, {Reason: reason}}
	}
	for _, truth := range p.possible() {
		errors, from := p.errors(truth), p.scores(truth)
		for k := range list {
			for b := range errors[k] {
				errors[k][b] -= from[k]
			}
			slices.Sort(errors[k])
			list[k].Low = min(list[k].Low, value[k]-stats.Quantile(errors[k], (1+level)/2))
			list[k].High = max(list[k].High, value[k]-stats.Quantile(errors[k], (1-level)/2))
		}
	}
	list[0].Low, list[1].High, list[2].High = max(list[0].Low, 0), min(list[1].High, 1), min(list[2].High, 1)
	return list
}

// errors are the scores of the samples when truth is what they deviate from.
func (p pivot) errors(truth Accuracies) [3][]float64 {
	var list [3][]float64
	moved := Accuracies{Classes: truth.Classes, Variants: make([]float64, len(truth.Variants)), Shifted: make([]float64, len(truth.Shifted))}
	for b := range p.samples {
		s := &p.samples[b]
		moved.Original = truth.Original + s.Original - p.at.Original
		for i := range moved.Variants {
			moved.Variants[i] = truth.Variants[i] + s.Variants[i] - p.at.Variants[i]
			moved.Shifted[i] = truth.Shifted[i] + s.Shifted[i] - p.at.Shifted[i]
		}
		for k, v := range p.scores(moved) {
			list[k] = append(list[k], v)
		}
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

// lacks is why there are no intervals of scores, "" where there are.
func (p pivot) lacks() string {
	loss := func(a *Accuracies) float64 { return a.Original - mean(a.Variants) }
	switch {
	case p.images < minImages:
		return TooFewImages
	case p.grid > 1 && loss(&p.at) <= minLoss*p.deviation(loss):
		return LossUncertain
	}
	return ""
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
	few := even
	few.Variants = slices.Clone(p.at.Variants)
	none := true
	for i, f := range few.Variants {
		if p.at.Original-f < small*p.deviation(func(a *Accuracies) float64 { return a.Original - a.Variants[i] }) {
			few.Variants[i] = p.at.Original
		}
		none = none && few.Variants[i] == p.at.Original
	}
	if none {
		return []Accuracies{p.at, even}
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
