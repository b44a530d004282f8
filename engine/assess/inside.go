package assess

import (
	"fmt"
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/result"
)

// Stump is a tree of boosting, a row of Stumps: what it asks, what it answers, and how much it
// counts. What a leaf or an older file does not have is NaN.
type Stump struct {
	Round                                    int // from 1
	Feature                                  string
	Threshold, Below, Above, Error, Weighted float64
}

// BoostStumps are the trees of an assessor of boosting, in their order.
func (a *Assessor) BoostStumps() []Stump {
	last := len(a.Classes) - 1
	at := func(list []float64, k int) float64 {
		if k < len(list) {
			return list[k]
		}
		return nan
	}
	var list []Stump
	for k, s := range a.Boost.Stumps {
		one := Stump{k + 1, "(leaf)", nan, nan, nan, at(a.Boost.Errors, k), at(a.Boost.Weights, k)}
		if s.Left[0] >= 0 {
			one.Feature, one.Threshold = a.Names[s.Feature[0]], s.Threshold[0]
			one.Below = s.Counts[s.Left[0]][last] / s.Cover[s.Left[0]]
			one.Above = s.Counts[s.Right[0]][last] / s.Cover[s.Right[0]]
		}
		list = append(list, one)
	}
	return list
}

// Stumps is the table of the trees of boosting.
var Stumps = result.Table[Stump]{
	Name: "stumps", Title: "Trees of AdaBoost", Noun: "tree", ID: func(s Stump) string { return strconv.Itoa(s.Round) },
	Columns: []result.Column[Stump]{
		result.Counts("round", "round", "", func(s Stump) int { return s.Round }),
		result.Texts("feature", "feature", "", func(s Stump) string { return s.Feature }),
		result.Numbers("threshold", "threshold", "", result.Number, func(s Stump) float64 { return s.Threshold }),
		result.Numbers("variant_below", "variant below", "share of variant among the models below the threshold",
			result.Share, func(s Stump) float64 { return s.Below }),
		result.Numbers("variant_above", "variant above", "share of variant among the models above the threshold",
			result.Share, func(s Stump) float64 { return s.Above }),
		result.Numbers("training_error", "training error", "weighted", result.Share,
			func(s Stump) float64 { return s.Error }),
		result.Numbers("weight", "weight", "", result.Number, func(s Stump) float64 { return s.Weighted }),
	},
}

// Rule says what the baseline compares with; scenes names its score for models that are measured in
// testing scenes. A threshold has four decimals; it may be infinite.
func (t *Threshold) Rule(scenes bool) string {
	text := fmt.Sprintf("A model is variant when its score (%s) is below %s", t.Score.Title(scenes),
		limit(t.Thresholds[0]))
	if len(t.Thresholds) > 1 {
		text += ", and borderline when it is below " + limit(t.Thresholds[1])
	}
	return text + "."
}

func limit(v float64) string {
	if math.IsInf(v, 0) {
		return result.Significant(v, 3)
	}
	return result.Digits(math.Round(v*1e4)/1e4, 6)
}
