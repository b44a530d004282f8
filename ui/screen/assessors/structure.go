package assessors

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/ui/present"
)

// TreeFigure is a tree with its root at the top, what answers yes below it to the left. Each node
// says what it asks, and has the shares of the classes at its foot. The way of x through it is
// strong; nil has none.
func TreeFigure(a *assess.Assessor, t *tree.Tree, x []float64) result.Figure {
	across, row, width, rows := t.Places()
	f := result.Figure{
		Note: fmt.Sprintf("%d nodes, depth %d", t.Nodes(), t.Depth()), NoAxes: true,
		X: result.Axis{High: width}, Y: result.Axis{Low: -float64(rows)}, Groups: classGroups(a),
	}
	on := onWay(t, x)
	const half, high, bar = 0.46, 0.64, 0.09 // of a node, in widths and rows
	for k := range t.Nodes() {
		left, top := across[k]-half, -0.04-float64(row[k])
		weight := fmt.Sprintf("weight %s", result.Significant(t.Cover[k], 3))
		question := classWords(a)[likeliest(t.Counts[k])]
		if t.Left[k] >= 0 {
			question = a.Names[t.Feature[k]]
			weight = fmt.Sprintf("≤ %s, %s", result.Significant(t.Threshold[k], 3), weight)
		}
		node := result.Box{
			X0: left, X1: left + 2*half, Y0: top - high, Y1: top, Name: nodeHint(a, t, k),
			Lines: []string{question, weight},
		}
		if on[k] {
			node.Emphasis = result.Chosen
		}
		f.Boxes = append(f.Boxes, node)
	}
	for k, node := range f.Boxes {
		part := node
		part.Lines, part.X1, part.Y0, part.Y1 = nil, node.X0, node.Y0+0.02, node.Y0+bar
		for class, share := range shares(t.Counts[k], t.Cover[k]) {
			part.Group, part.X0, part.X1 = class, part.X1, part.X1+(node.X1-node.X0)*share
			f.Boxes = append(f.Boxes, part)
		}
		for side, child := range []int{t.Left[k], t.Right[k]} {
			if child >= 0 {
				link := result.Link{From: k, To: child, Weight: 1, Text: []string{"yes", "no"}[side]}
				if on[k] && on[child] {
					link.Emphasis = result.Chosen
				}
				f.Links = append(f.Links, link)
			}
		}
	}
	return f
}

// classGroups are the classes with their looks, those at the ends for two.
func classGroups(a *assess.Assessor) (groups []result.Group) {
	looks := []result.Look{result.LookInvariant, result.LookBorderline, result.LookVariant}
	names := classWords(a)
	for k, name := range names {
		if len(names) == 2 && k == 1 {
			k = 2
		}
		groups = append(groups, result.Group{Name: name, Look: looks[min(k, 2)]})
	}
	return groups
}

// onWay are the nodes that x comes through.
func onWay(t *tree.Tree, x []float64) map[int]bool {
	on := map[int]bool{}
	for k := 0; k >= 0 && x != nil; {
		on[k] = true
		switch {
		case t.Left[k] < 0:
			return on
		case x[t.Feature[k]] <= t.Threshold[k]:
			k = t.Left[k]
		default:
			k = t.Right[k]
		}
	}
	return on
}

// nodeHint is all that is known of a node.
func nodeHint(a *assess.Assessor, t *tree.Tree, k int) string {
	var text string
	for class, share := range shares(t.Counts[k], t.Cover[k]) {
		text += fmt.Sprintf(", %s %s", classWords(a)[class], result.Share.Say(share, 0))
	}
	text = fmt.Sprintf("weight %s of %s, gini %s%s", result.Significant(t.Cover[k], 3),
		result.Significant(t.Cover[0], 3), result.Significant(t.Impurity[k], 3), text)
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
		return fmt.Sprintf("%s: coefficient %s, intercept %s", n.name, result.Significant(n.value, 3),
			result.Significant(a.Linear.Intercept, 3))
	})
}

// ImportanceBars are permutation importances, the largest first; whiskers are their standard
// deviations.
func ImportanceBars(name string, i assess.Importance) result.Figure {
	var all []named
	for _, p := range i.Features {
		all = append(all, named{p.Name, p.Mean, p.SD})
	}
	itself := func(v float64) float64 { return v } // below 0 is chance: the feature does not matter
	f := strongestBars(all, itself, "Permutation importance, "+name, "accuracy lost by shuffling",
		func(n named) string {
			return fmt.Sprintf("%s: shuffling it costs %s of accuracy, ± %s", n.name, result.Share.Say(n.value, 2),
				result.Share.Say(n.spread, 2))
		})
	if i.Problem != nil {
		f.Empty = present.Sentence(i.Problem)
	}
	return f
}

// MeanBars are the mean absolute Shapley values of a summary, the largest first.
func MeanBars(name string, s assess.Summary) result.Figure {
	var list []named
	for k, v := range s.Mean {
		list = append(list, named{s.Names[k], v, 0})
	}
	return strongestBars(list, math.Abs, "Mean absolute Shapley values, "+name,
		fmt.Sprintf("mean |Shapley value| (%s)", s.Unit),
		func(n named) string { return fmt.Sprintf("%s: %s on the mean", n.name, result.Significant(n.value, 3)) })
}

// named is a number of a feature.
type named struct {
	name          string
	value, spread float64
}

// strongestBars shows those with the largest weights, the earlier column first among equals.
func strongestBars(
	list []named, weight func(v float64) float64, title, unit string, line func(named) string,
) result.Figure {
	d := result.Figure{
		Title: title, Empty: "the assessor looks at no features", X: result.Axis{Name: unit, Format: result.Number},
		Groups: []result.Group{
			{Name: "above 0", Look: result.Category(0)}, {Name: "below 0", Look: result.Category(1)},
		},
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
		Title: "Shapley values of " + name, Note: present.ByCount(len(s.Rows), "%d model", "%d models", len(s.Rows)),
		Empty: "no model has all features that the assessor looks at",
		X: result.Axis{
			Name: fmt.Sprintf("Shapley value for %s (%s)", string(s.Class), s.Unit), Format: result.Number,
		},
		Y: result.Axis{Each: true}, Groups: []result.Group{{}}, Levels: [2]string{"low value", "high value"},
	}
	values := make([][]float64, len(order)) // by row, then model
	for row, column := range order {
		for k := range s.Rows {
			values[row] = append(values[row], s.Phi[k][column])
		}
		f.X.Low, f.X.High = min(f.X.Low, slices.Min(append(values[row], 0))),
			max(f.X.High, slices.Max(append(values[row], 0)))
	}
	for row, column := range order {
		f.Y.Names = append(f.Y.Names, s.Names[column])
		level, places := levels(s.X, column), result.Swarm(values[row], f.X.Low, f.X.High)
		for k, x := range values[row] {
			model := data.Rows[s.Rows[k]]
			f.Points = append(f.Points, result.Point{
				Name: fmt.Sprintf("%s: %s = %s, Shapley value %s", model.ID, s.Names[column],
					result.Significant(s.X[k][column], 3), result.Significant(x, 3)),
				ID: model.Hash, X: x, Y: float64(row) + places[k], Level: level[k],
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
