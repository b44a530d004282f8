package assessors

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
		Classes: classWords(a), Yes: "yes", No: "no", Nodes: make([]render.DiagramNode, t.Nodes()),
	}}
	for k := range t.Nodes() {
		n := render.DiagramNode{Left: t.Left[k], Right: t.Right[k], Shares: shares(t.Counts[k], t.Cover[k])}
		weight := fmt.Sprintf("weight %s", result.Significant(t.Cover[k], 3))
		question := classWords(a)[likeliest(t.Counts[k])]
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
		text += fmt.Sprintf(", %s %s", classWords(a)[class], result.Share.Say(share, 0))
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
	return strongestBars(list, math.Abs, "Coefficients", unit, func(n named) string {
		return fmt.Sprintf("%s: coefficient %s, intercept %s", n.name, result.Significant(n.value, 3), result.Significant(a.Linear.Intercept, 3))
	})
}

// ImportanceBars are permutation importances, the largest first; whiskers are their standard
// deviations.
func ImportanceBars(name string, list []assess.Permuted) widget.BarsData {
	var all []named
	for _, p := range list {
		all = append(all, named{p.Name, p.Mean, p.SD})
	}
	itself := func(v float64) float64 { return v } // below 0 is chance: the feature does not matter
	return strongestBars(all, itself, "Permutation importance, "+name, "accuracy lost by shuffling", func(n named) string {
		return fmt.Sprintf("%s: shuffling it costs %s of accuracy, ± %s", n.name, result.Share.Say(n.value, 2), result.Share.Say(n.spread, 2))
	})
}

// MeanBars are the mean absolute Shapley values of a summary, the largest first.
func MeanBars(name string, s assess.Summary) widget.BarsData {
	var list []named
	for k, v := range s.Mean {
		list = append(list, named{s.Names[k], v, 0})
	}
	return strongestBars(list, math.Abs, "Mean absolute Shapley values, "+name, fmt.Sprintf("mean |Shapley value| (%s)", s.Unit),
		func(n named) string { return fmt.Sprintf("%s: %s on the mean", n.name, result.Significant(n.value, 3)) })
}

// named is a number of a feature.
type named struct {
	name          string
	value, spread float64
}

// strongestBars shows those with the largest weights, the earlier column first among equals.
func strongestBars(list []named, weight func(v float64) float64, title, unit string, hint func(named) string) widget.BarsData {
	d := widget.BarsData{Bars: render.Bars{Title: title, XName: unit}, Empty: "nothing to show"}
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
		d.Hints = append(d.Hints, hint(n))
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
