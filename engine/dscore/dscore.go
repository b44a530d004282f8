// Package dscore computes where the features of a data set lie and where a CNN looks: their
// distributions over regions, the D-Score with its parts and intervals, and the augmentation that
// it recommends (spec/dscore.md).
//
// Regions are those of package region, numbered 1..n*n from the upper left; slices over regions
// hold region i at index i-1. Accuracies are shares in [0, 1]. The package is pure: values in,
// values and errors out.
package dscore

// Flag marks a score that rests on one of the zero rules of section 3, or exceeds its bound.
type Flag string

// The flags, in the order in which a score lists them.
const (
	// no variant is worse than the model: the feature distribution is uniform
	NoRegionMatters Flag = "no_region_matters"
	// no shifted suite has a correct prediction: the attention distribution is uniform
	NoAttention Flag = "no_attention"
	AboveBound  Flag = "above_bound" // v_robust > g(n)
	// SmallMaps says that some map has fewer rows or columns than regions a side: whoever knows the
	// maps sets it (section 1).
	SmallMaps Flag = "maps_smaller_than_n"
)

// Word is the flag for people.
func (f Flag) Word() string {
	switch f {
	case NoRegionMatters:
		return "no region matters"
	case NoAttention:
		return "no attention"
	case AboveBound:
		return "above the bound g(n)"
	case SmallMaps:
		return "maps smaller than n"
	}
	return string(f)
}

// Sentence says what the flag means.
func (f Flag) Sentence() string {
	switch f {
	case NoRegionMatters:
		return "no region matters: deleting none of them makes the model worse, " +
			"so the features are taken as spread evenly"
	case NoAttention:
		return "no attention: no shifted image is classified correctly, so the attention is taken as spread evenly"
	case AboveBound:
		return "v_robust is above its bound g, since the model is worse than chance somewhere; p is cut to 1"
	case SmallMaps:
		return "some maps are smaller than n x n: a region that is empty there cannot be deleted"
	}
	return string(f)
}

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
	// RobustTerms are the three addends of v_robust: unevenness of features, unevenness of
	// attention, accuracy lost by shifting.
	RobustTerms [3]float64
	Robust      float64 // v_robust, smaller is better (Eq. 4)
	Fitness     float64 // v_fitness, larger is better (Eq. 3)
	DScore      float64 // fitness - robust (Eq. 6)
	Bound       float64 // g(n) (Eq. 5)
	// probability of augmentation, min(1, robust/g) (Eq. 7); for g = 0 (n = 1, one class) 0 where
	// robust is 0, else 1
	P     float64
	Flags []Flag
}
