// Package dscore computes where the features of a data set lie and where a CNN looks: regions of feature maps and images,
// padded translation, the D-Score with its parts, and the augmentation that it recommends (spec/dscore.md).
//
// Regions are numbered 1..n*n row-major from the upper left, as in the paper; slices over regions hold region i at index i-1.
// Accuracies are shares in [0, 1]. The package is pure: values in, values and errors out.
package dscore

import (
	"context"

	"github.com/variscope/variscope/engine"
)

// Flag marks a score that rests on one of the zero rules of section 3, or exceeds its bound.
type Flag string

// The flags, in the order in which a score lists them.
const (
	NoRegionMatters Flag = "no_region_matters" // no variant is worse than the model: the feature distribution is uniform
	NoAttention     Flag = "no_attention"      // no shifted suite has a correct prediction: the attention distribution is uniform
	AboveBound      Flag = "above_bound"       // v_robust > g(n)
)

// Accuracies are what a score is computed from.
type Accuracies struct {
	Original float64   // f_b and a-hat: the untouched model on the untouched suite
	Variants []float64 // f_i: the model with region i deleted, on the untouched suite
	Shifted  []float64 // a_i: the untouched model on shifted suite i
	Classes  int       // C
}

// Score is Eq. 1 to 7 of section 3 and 4.
type Score struct {
	Grid      int       // n
	Features  []float64 // f~, sums to 1 (Eq. 1)
	Attention []float64 // a~, sums to 1 (Eq. 2)
	// RobustTerms are the three addends of v_robust: unevenness of features, unevenness of attention, accuracy lost by shifting.
	RobustTerms [3]float64
	Robust      float64 // v_robust, smaller is better (Eq. 4)
	Fitness     float64 // v_fitness, larger is better (Eq. 3)
	DScore      float64 // fitness - robust (Eq. 6)
	Bound       float64 // g(n) (Eq. 5)
	P           float64 // probability of augmentation, min(1, robust/g) (Eq. 7)
	Flags       []Flag
}

// Compute is the score of accuracies. Errors: not n*n numbers of both kinds for one n in 1..region.MaxGrid, accuracies outside [0, 1]
// or NaN, fewer than one class.
func Compute(a Accuracies) (Score, error) { panic("not built yet") }

// FromShares is Compute with a feature distribution in place of the variants' accuracies (Table VI).
func FromShares(original float64, features, shifted []float64, classes int) (Score, error) {
	panic("not built yet")
}

// Hits tell for every image with a label whether its prediction was right.
type Hits struct {
	Grid     int
	Classes  int
	Original []bool   // image
	Variants [][]bool // region, image
	Shifted  [][]bool // region, image
}

// Accuracies are the shares of right predictions. No image is an error.
func (h Hits) Accuracies() (Accuracies, error) { panic("not built yet") }

// Interval is a percentile interval of bootstrap samples over images.
type Interval struct{ Low, High float64 }

// Intervals are those of a score's parts, and of every region.
type Intervals struct {
	Level                      float64 // 0.95
	Samples                    int
	Original                   Interval
	Robust, Fitness, DScore, P Interval
	Features, Attention        []Interval // per region
	Variants, Shifted          []Interval // accuracies, per region
	Loss                       []Interval // Original - Variants, per region
}

// BootstrapOptions say how intervals are drawn.
type BootstrapOptions struct {
	Samples int     // 0 for 1,000
	Level   float64 // 0 for 0.95
	Seed    uint64  // 0 for 1
	Workers int     // 0 for one per processor; the result has the same bits for any number
}

// Bootstrap draws images with replacement; one draw serves all parts of the score. progress (may be nil) counts samples.
func Bootstrap(ctx context.Context, h Hits, o BootstrapOptions, progress engine.Progress) (Intervals, error) {
	panic("not built yet")
}

// Single are the distributions of one image: how much of the class's score goes with each region, and how much of it is there
// on each shifted image. original, variants and shifted are softmax scores of one class, the true one or the prediction. The
// zero rules are those of Compute.
func Single(original float64, variants, shifted []float64) (features, attention []float64) {
	panic("not built yet")
}
