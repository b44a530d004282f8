package dscore

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/region"
)

// Compute is the score of accuracies. Errors: not n*n numbers of both kinds for one n in
// 1..region.MaxGrid, accuracies outside [0, 1] or NaN, fewer than one class.
func Compute(a Accuracies) (Score, error) {
	n, err := grid(len(a.Variants), len(a.Shifted), a.Classes)
	if err != nil {
		return Score{}, err
	}
	if !isShare(a.Original) {
		return Score{}, notShare("the accuracy of the model", a.Original)
	}
	if err := checkShares("the accuracy on the suite shifted to region", a.Shifted); err != nil {
		return Score{}, err
	}
	if err := checkShares("the accuracy of the model without region", a.Variants); err != nil {
		return Score{}, err
	}
	return compute(n, a), nil
}

// compute is Compute of n x n regions whose numbers are known to be right.
func compute(n int, a Accuracies) Score {
	features, matter := featureShares(a.Original, a.Variants)
	s := score(n, a.Original, features, a.Shifted, a.Classes)
	if !matter {
		s.Flags = append([]Flag{NoRegionMatters}, s.Flags...)
	}
	return s
}

// grid is n of n*n variants and as many shifted suites.
func grid(variants, shifted, classes int) (int, error) {
	n := int(math.Round(math.Sqrt(float64(variants))))
	switch {
	case variants != shifted:
		return 0, fmt.Errorf("a D-Score needs as many regions of maps as shifted suites, not %d and %d",
			variants, shifted)
	case n < 1 || n > region.MaxGrid || n*n != variants:
		return 0, fmt.Errorf("a D-Score needs n x n regions with n from 1 to %d, not %d", region.MaxGrid, variants)
	case classes < 1:
		return 0, fmt.Errorf("a D-Score needs at least one class, not %d", classes)
	}
	return n, nil
}

func isShare(v float64) bool { return v >= 0 && v <= 1 }

func notShare(what string, v float64) error {
	return fmt.Errorf("%s is %v; it must be a share from 0 to 1, not a percentage", what, v)
}

func checkShares(what string, perRegion []float64) error {
	for i, v := range perRegion {
		if !isShare(v) {
			return notShare(fmt.Sprintf("%s %d", what, i+1), v)
		}
	}
	return nil
}

// featureShares is Eq. 1; without a variant that is worse than the model it is uniform and ok is
// false.
func featureShares(original float64, variants []float64) (features []float64, ok bool) {
	loss := make([]float64, len(variants))
	for i, f := range variants {
		loss[i] = max(original-f, 0)
	}
	return normalised(loss)
}

// normalised divides by the sum; where that is 0, all are alike and ok is false.
func normalised(values []float64) (_ []float64, ok bool) {
	total := 0.0
	for _, v := range values {
		total += v
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v / total
		if total == 0 {
			out[i] = 1 / float64(len(values))
		}
	}
	return out, total != 0
}

// score is Eq. 2 to 7. The flags are those after NoRegionMatters. It keeps features.
func score(n int, original float64, features, shifted []float64, classes int) Score {
	attention, attended := normalised(shifted)
	regions := float64(n * n)
	even := func(int) float64 { return 1 / regions }
	s := Score{Grid: n, Features: features, Attention: attention, RobustTerms: [3]float64{
		distance(features, even) / regions,
		distance(attention, even) / regions,
		distance(shifted, func(int) float64 { return original }) / regions,
	}}
	s.Robust = s.RobustTerms[0] + s.RobustTerms[1] + s.RobustTerms[2]
	s.Fitness = original - distance(features, func(i int) float64 { return attention[i] })/regions
	s.DScore = s.Fitness - s.Robust
	s.Bound = bound(n, classes)
	s.P = probability(s.Robust, s.Bound)
	if !attended {
		s.Flags = append(s.Flags, NoAttention)
	}
	if s.Robust > s.Bound {
		s.Flags = append(s.Flags, AboveBound)
	}
	return s
}

// distance is the Euclidean one.
func distance(values []float64, from func(int) float64) float64 {
	sum := 0.0
	for i, v := range values {
		d := v - from(i)
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// bound is g(n), Eq. 5.
func bound(n, classes int) float64 {
	side, c := float64(n), float64(classes)
	return 2*math.Sqrt(float64(side*side)-1)/float64(side*side*side) + (c-1)/float64(c*side)
}

// probability is Eq. 7. One region and one class have a bound of 0, where Eq. 7 says nothing: p is
// 0 where v_robust is 0 too, else 1.
func probability(robust, bound float64) float64 {
	switch {
	case robust == 0:
		return 0
	case bound == 0:
		return 1
	}
	return min(1, robust/bound)
}

// Single are the distributions of one image: how much of the class's score goes with each region,
// and how much of it is there on each shifted image. original, variants and shifted are softmax
// scores of one class, the true one or the prediction. The zero rules are those of Compute. A score
// that is NaN makes its whole distribution NaN.
func Single(original float64, variants, shifted []float64) (features, attention []float64) {
	features, _ = featureShares(original, variants)
	attention, _ = normalised(shifted)
	return features, attention
}
