package assessors

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// TreeData is a tree as a diagram. The way of x through it is marked; nil marks nothing.
func TreeData(a *assess.Assessor, t *tree.Tree, x []float64) widget.DiagramData {
	d := widget.DiagramData{Diagram: render.Diagram{
		Classes: classWords(a.Classes), Yes: "yes", No: "no", Nodes: make([]render.DiagramNode, t.Nodes()),
	}}
	for k := range t.Nodes() {
		n := render.DiagramNode{Left: t.Left[k], Right: t.Right[k], Shares: shares(t.Counts[k], t.Cover[k])}
		weight := fmt.Sprintf("weight %s", result.Significant(t.Cover[k], 3))
		question := classWords(a.Classes)[likeliest(t.Counts[k])]
		if n.Left >= 0 {
			question = a.Names[t.Feature[k]]
			weight = fmt.Sprintf("≤ %s, %s", result.Significant(t.Threshold[k], 3), weight)
		}
		n.Lines = []string{question, weight}
		d.Nodes[k] = n
		d.Hints = append(d.Hints, nodeHint(a, t, k))
	}
	if x != nil {
		markWay(d.Nodes, t, x)
	}
	return d
}

// markWay marks the nodes that x comes through.
func markWay(nodes []render.DiagramNode, t *tree.Tree, x []float64) {
	for k := 0; k >= 0; {
		nodes[k].Marked = true
		switch {
		case t.Left[k] < 0:
			return
		case x[t.Feature[k]] <= t.Threshold[k]:
			k = t.Left[k]
		default:
			k = t.Right[k]
		}
	}
}

// nodeHint is all that is known of a node.
func nodeHint(a *assess.Assessor, t *tree.Tree, k int) string {
	var text string
	for class, share := range shares(t.Counts[k], t.Cover[k]) {
		text += fmt.Sprintf(", %s %s", classWords(a.Classes)[class], result.Share.Say(share, 0))
	}
	text = fmt.Sprintf("weight %s of %s, gini %s%s", result.Significant(t.Cover[k], 3), result.Significant(t.Cover[0], 3), result.Significant(t.Impurity[k], 3), text)
	if t.Left[k] < 0 {
		return fmt.Sprintf("leaf: %s", text)
	}
	return fmt.Sprintf("%s ≤ %s goes left: %s", a.Names[t.Feature[k]], result.Digits(t.Threshold[k], 6), text)
}

func shares(counts []float64, cover float64) []float64 {
	list := make([]float64, len(counts))
	for k, c := range counts {
		if cover > 0 {
			list[k] = c / cover
		}
	}
	return list
}

// likeliest is the class with the largest count, the first among equals, as trees decide.
func likeliest(counts []float64) int {
	best := 0
	for k, c := range counts {
		if c > counts[best] {
			best = k
		}
	}
	return best
}

// Stump is a tree of boosting: what it asks, what it answers, and how much it counts. What a leaf
// or an older file does not have is NaN.
type Stump struct {
	Round                                    int // from 1
	Feature                                  string
	Threshold, Below, Above, Error, Weighted float64
}

// Stumps are the trees of boosting in their order.
func Stumps(a *assess.Assessor) []Stump {
	nan, last := math.NaN(), len(a.Classes)-1
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
			one.Below = shares(s.Counts[s.Left[0]], s.Cover[s.Left[0]])[last]
			one.Above = shares(s.Counts[s.Right[0]], s.Cover[s.Right[0]])[last]
		}
		list = append(list, one)
	}
	return list
}

var stumpTable = result.Table[Stump]{
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

// ThresholdText says what the baseline compares with.
func ThresholdText(a *assess.Assessor) string {
	th := a.Threshold
	score := th.Score.Title(judgesScenes(a))
	switch len(th.Thresholds) {
	case 1:
		return fmt.Sprintf("A model is variant when its score (%s) is below %s.", score, thresholdText(th.Thresholds[0]))
	case 2:
		return fmt.Sprintf("A model is variant when its score (%s) is below %s, and borderline when it is below %s.",
			score, thresholdText(th.Thresholds[0]), thresholdText(th.Thresholds[1]))
	}
	return ""
}

// thresholdText writes a threshold with four digits; it may be infinite.
func thresholdText(v float64) string {
	if math.IsInf(v, 0) {
		return result.Significant(v, 3)
	}
	return result.Digits(math.Round(v*1e4)/1e4, 6)
}

// mostBars is how many bars are shown; the rest is joined.
const mostBars = 20

// CoefficientBars are a regression's coefficients, the largest first.
func CoefficientBars(a *assess.Assessor) widget.BarsData {
	unit := "coefficient of rows of length 1"
	if a.Linear.ZScores {
		unit = "coefficient of z-scores"
	}
	var list []named
	for k, c := range a.Linear.Coefficients {
		list = append(list, named{a.Names[k], c, 0})
	}
	return strongestBars(list, math.Abs, barText{"Coefficients", unit, func(n named) string {
		return fmt.Sprintf("%s: coefficient %s, intercept %s", n.name, result.Significant(n.value, 3), result.Significant(a.Linear.Intercept, 3))
	}})
}

// ImportanceBars are permutation importances, the largest first; whiskers are their standard
// deviations.
func ImportanceBars(name string, list []assess.Permuted) widget.BarsData {
	var all []named
	for _, p := range list {
		all = append(all, named{p.Name, p.Mean, p.SD})
	}
	itself := func(v float64) float64 { return v } // below 0 is chance: the feature does not matter
	return strongestBars(all, itself, barText{fmt.Sprintf("Permutation importance, %s", name), "accuracy lost by shuffling", func(n named) string {
		return fmt.Sprintf("%s: shuffling it costs %s of accuracy, ± %s", n.name, percent(n.value), percent(n.spread))
	}})
}

// MeanBars are the mean absolute Shapley values of a summary, the largest first.
func MeanBars(name string, s assess.Summary) widget.BarsData {
	var list []named
	for k, v := range s.Mean {
		list = append(list, named{s.Names[k], v, 0})
	}
	return strongestBars(list, math.Abs, barText{
		fmt.Sprintf("Mean absolute Shapley values, %s", name), fmt.Sprintf("mean |Shapley value| (%s)", s.Unit),
		func(n named) string { return fmt.Sprintf("%s: %s on the mean", n.name, result.Significant(n.value, 3)) },
	})
}

// named is a number of a feature.
type named struct {
	name          string
	value, spread float64
}

// barText is what a figure of bars says of itself: its title, its axis, and the hint of a bar.
type barText struct {
	title, unit string
	hint        func(named) string
}

// strongestBars shows those with the largest weights, the earlier column first among equals.
func strongestBars(list []named, weight func(v float64) float64, text barText) widget.BarsData {
	d := widget.BarsData{Bars: render.Bars{Title: text.title, XName: text.unit}, Empty: "nothing to show"}
	slices.SortStableFunc(list, func(a, b named) int { return cmp.Compare(weight(b.value), weight(a.value)) })
	if len(list) > mostBars {
		d.Note = fmt.Sprintf("the strongest %d of %d features", mostBars, len(list))
		list = list[:mostBars]
	}
	for _, n := range list {
		tone := render.Plain
		if n.value < 0 {
			tone = render.Lowers
		}
		d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: n.name, Text: result.Significant(n.value, 3), To: n.value, Spread: n.spread, Tone: tone})
		d.Hints = append(d.Hints, text.hint(n))
	}
	return d
}

// mostRows is how many features a bee-swarm shows.
const mostRows = 15

// SwarmOf is a summary as a bee-swarm, the features with the largest mean first.
func SwarmOf(name string, data assess.Data, s assess.Summary) widget.SwarmData {
	order := make([]int, len(s.Names))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Mean[b], s.Mean[a]) })
	order = order[:min(len(order), mostRows)]
	d := widget.SwarmData{Swarm: render.Swarm{
		Title: fmt.Sprintf("Shapley values of %s", name), Note: present.ByCount(len(s.Rows), "%d model", "%d models", len(s.Rows)),
		XName: fmt.Sprintf("Shapley value for %s (%s)", string(s.Class), s.Unit), Low: "low value", High: "high value",
	}, Empty: "nothing to show"}
	for _, column := range order {
		row := render.SwarmRow{Name: s.Names[column], Level: levels(s.X, column)}
		for k := range s.Rows {
			row.X = append(row.X, s.Phi[k][column])
		}
		d.Rows = append(d.Rows, row)
	}
	d.Hint = func(row, k int) string {
		return fmt.Sprintf("%s: %s = %s, Shapley value %s", data.Rows[s.Rows[k]].ID, s.Names[order[row]],
			result.Significant(s.X[k][order[row]], 3), result.Significant(s.Phi[k][order[row]], 3))
	}
	return d
}

// levels are the ranks of a column's values between 0 and 1; equal values have one rank, a
// constant column NaN.
func levels(x [][]float64, column int) []float64 {
	var sorted []float64
	for _, row := range x {
		sorted = append(sorted, row[column])
	}
	slices.Sort(sorted)
	list := make([]float64, len(x))
	last := float64(len(x) - 1)
	for k, row := range x {
		first, _ := slices.BinarySearch(sorted, row[column])
		next, _ := slices.BinarySearchFunc(sorted, row[column], func(a, b float64) int {
			if a <= b {
				return -1
			}
			return 1
		})
		list[k] = (float64(first) + float64(next-1)) / 2 / last
		if next-first == len(x) {
			list[k] = math.NaN()
		}
	}
	return list
}
