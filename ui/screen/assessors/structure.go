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
func CoefficientBars(a *assess.Assessor) result.Figure {
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
func ImportanceBars(name string, list []assess.Permuted) result.Figure {
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
func MeanBars(name string, s assess.Summary) result.Figure {
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
func strongestBars(list []named, weight func(v float64) float64, title, unit string, line func(named) string) result.Figure {
	d := result.Figure{
		Title: title, Empty: "nothing to show", X: result.Axis{Name: unit, Format: result.Number},
		Groups: []result.Group{{Name: "above 0", Look: result.Category(0)}, {Name: "below 0", Look: result.Category(1)}},
	}
	slices.SortStableFunc(list, func(a, b named) int { return cmp.Compare(weight(b.value), weight(a.value)) })
	if len(list) > mostBars {
		d.Note = fmt.Sprintf("the strongest %d of %d features", mostBars, len(list))
		list = list[:mostBars]
	}
	for _, n := range list {
		group := 0
		if n.value < 0 {
			group = 1
		}
		bar := d.AddBar(n.name, result.Significant(n.value, 3), line(n), 0, n.value, group)
		bar.Low, bar.High = n.value-n.spread, n.value+n.spread
	}
	return d
}

// mostRows is how many features a bee-swarm shows.
const mostRows = 15

// SwarmOf is a summary as a bee-swarm, the features with the largest mean first: a point per model
// at its Shapley value, coloured by the feature's value, with the model's hash as its ID.
func SwarmOf(name string, data assess.Data, s assess.Summary) result.Figure {
	order := make([]int, len(s.Names))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Mean[b], s.Mean[a]) })
	order = order[:min(len(order), mostRows)]
	f := result.Figure{
		Title: "Shapley values of " + name, Note: present.ByCount(len(s.Rows), "%d model", "%d models", len(s.Rows)), Empty: "nothing to show",
		X: result.Axis{Name: fmt.Sprintf("Shapley value for %s (%s)", string(s.Class), s.Unit), Format: result.Number},
		Y: result.Axis{Each: true}, Groups: []result.Group{{}}, Levels: [2]string{"low value", "high value"},
	}
	values := make([][]float64, len(order)) // by row, then model
	for row, column := range order {
		for k := range s.Rows {
			values[row] = append(values[row], s.Phi[k][column])
		}
		f.X.Low, f.X.High = min(f.X.Low, slices.Min(append(values[row], 0))), max(f.X.High, slices.Max(append(values[row], 0)))
	}
	for row, column := range order {
		f.Y.Names = append(f.Y.Names, s.Names[column])
		level, places := levels(s.X, column), result.Swarm(values[row], f.X.Low, f.X.High)
		for k, x := range values[row] {
			model := data.Rows[s.Rows[k]]
			f.Points = append(f.Points, result.Point{
				Name: fmt.Sprintf("%s: %s = %s, Shapley value %s", model.ID, s.Names[column], result.Significant(s.X[k][column], 3), result.Significant(x, 3)),
				ID:   model.Hash, X: x, Y: float64(row) + places[k], Level: level[k],
			})
		}
	}
	return f
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
