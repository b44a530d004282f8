package background

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/subject"
)

// InScenes is what one model did in the scenes of a selection, or why nothing is known of it.
type InScenes struct {
	Model     model.Model
	Selection string        // name
	Key       string        // of the model's signals in the scenes, "" without them
	Reason    result.Reason // why there are none
	Outcome   Outcome
	Neurons   int      // of the model, 0 where the share of those that the scenes reach is not known
	Coverage  float64  // that share
	Flags     []string // what is unusual about the signals, in words
}

// Ran tells whether the model has signals in the scenes.
func (r InScenes) Ran() bool { return r.Key != "" }

// Outcomes is the table of what models did in the scenes of selections.
var Outcomes = result.Table[InScenes]{
	Name: "outcome", Title: "Models and accuracies", Noun: "model",
	ID:    func(r InScenes) string { return r.Model.Hash + "/" + r.Selection },
	First: result.Order{Key: "model_id"},
	Columns: slices.Concat(
		result.Lift(subject.Columns[:2], func(r InScenes) subject.Subject {
			return subject.Subject{Model: r.Model.ID, ModelHash: r.Model.Hash}
		}),
		[]result.Column[InScenes]{
			result.Texts("selection", "selection", "whose scenes the model ran in",
				func(r InScenes) string { return r.Selection }),
			result.Counts("targets", "targets", "targets of the selection",
				func(r InScenes) int { return r.Outcome.Targets }),
			shareOf("accuracy", "clean", "accuracy on the targets as they are",
				func(o Outcome) float64 { return o.Accuracy }),
			shareOf("mean_composite_accuracy", "scenes", "mean accuracy on the targets in their testing scenes",
				func(o Outcome) float64 { return o.MeanComposite }),
			shareOf("worst_case_accuracy", "worst",
				"worst-case accuracy: targets that are right as they are and in every scene",
				func(o Outcome) float64 { return o.WorstCase }),
			shareOf("changed_share", "changed", "share of composites whose prediction is not that of their target",
				func(o Outcome) float64 { return o.ChangedShare }),
			result.Texts("flags", "flags", "what is unusual about the signals",
				func(r InScenes) string { return strings.Join(r.Flags, "; ") }).In(result.FileOnly),
		}),
	More: func(rows []InScenes) (list []result.Column[InScenes]) {
		if slices.ContainsFunc(rows, func(r InScenes) bool { return r.Neurons > 0 }) {
			list = append(list, result.Numbers("neuron_coverage", "coverage",
				"share of the model's neurons that the scenes reach", result.Share, func(r InScenes) float64 {
					if r.Neurons == 0 {
						return math.NaN()
					}
					return r.Coverage
				}), result.Counts("neurons", "neurons", "of the model",
				func(r InScenes) int { return r.Neurons }).In(result.FileOnly))
		}
		return append(list, model.RecordColumns(rows, func(r InScenes) model.Model { return r.Model })...)
	},
}

func shareOf(key, title, help string, value func(Outcome) float64) result.Column[InScenes] {
	return result.Numbers(key, title, help, result.Share, func(r InScenes) float64 {
		if !r.Ran() {
			return math.NaN()
		}
		return value(r.Outcome)
	}).Because(func(r InScenes) result.Reason { return r.Reason })
}

// Detail is the model in a line.
func (r InScenes) Detail() string {
	if !r.Ran() {
		return fmt.Sprintf("%s: %s", r.Model.ID, r.Reason)
	}
	say := func(v float64) string { return result.Share.Say(v, 0) }
	return fmt.Sprintf("%s: %s clean, %s in scenes, worst case %s; the prediction changes in %s of the composites",
		r.Model.ID, say(r.Outcome.Accuracy), say(r.Outcome.MeanComposite), say(r.Outcome.WorstCase),
		say(r.Outcome.ChangedShare))
}

// Interpolated is an interpolated matrix with where it comes from.
type Interpolated struct {
	Model, Hash, Selection string
	Measure                string
	Name                   string              // I1, I2, I3 or SIZE,SIGMA,K
	By                     scatter.Interpolant // zero where it is none
	Targets, Points        int
	Constant               float64 // that signals were divided by
	Matrix                 scatter.Matrix
	Far                    float64                // where both axes end
	Undefined              int                    // elements without a value
	Features               [scatter.Count]float64 // NaN where elements have no value
	// Apart is how far matrices of samples of the targets lie from that of all: the root mean
	// square difference, mean over the draws, with their standard deviation. NaN where all targets
	// take part.
	Apart, ApartSD float64
}

// Measured adds to a description what follows from the matrix: its undefined elements and features.
func (f Interpolated) Measured() Interpolated {
	f.Undefined = 0
	for _, v := range f.Matrix.Values {
		if math.IsNaN(v) {
			f.Undefined++
		}
	}
	features, err := scatter.Measure(f.Matrix, scatter.DefaultThreshold)
	for k := range features {
		if f.Features[k] = features[k]; err != nil {
			f.Features[k] = math.NaN()
		}
	}
	return f
}

// Matrices is the table of interpolated matrices with their features (spec/background.md section
// 13).
var Matrices = result.Table[Interpolated]{
	Name: "matrices", Title: "Interpolated variance matrices", Noun: "matrix",
	ID: func(f Interpolated) string { return fmt.Sprint(f.Hash, "/", f.Selection, "/", f.Measure, "/", f.Name) },
	Columns: slices.Concat(interpolated, []result.Column[Interpolated]{
		result.Texts("kernel", "size, sigma, K", "size of the circle, sigma, and neighbours of the point made up",
			func(f Interpolated) string {
				if f.By == (scatter.Interpolant{}) {
					return ""
				}
				return f.By.String()
			}).In(result.FileOnly),
		result.Counts("targets", "targets", "targets that take part",
			func(f Interpolated) int { return f.Targets }).In(result.FileOnly),
		result.Counts("points", "points", "points of the cloud",
			func(f Interpolated) int { return f.Points }).In(result.FileOnly),
		result.Numbers("constant", "constant", "that signals were divided by", result.Number,
			func(f Interpolated) float64 { return f.Constant }).In(result.FileOnly),
		result.Numbers("d", "D", "semantic distance at the end of both axes", result.Number,
			func(f Interpolated) float64 { return f.Far }).In(result.FileOnly),
		result.Counts("undefined", "undefined", "elements without a value",
			func(f Interpolated) int { return f.Undefined }).In(result.FileOnly),
	}, featureColumns()),
	More: func(rows []Interpolated) []result.Column[Interpolated] {
		if !slices.ContainsFunc(rows, func(f Interpolated) bool { return !math.IsNaN(f.Apart) }) {
			return nil
		}
		apart := result.Numbers("from_all_targets", "from all targets",
			"root mean square difference from the matrix of all targets: mean and deviation over the draws",
			result.Number, func(f Interpolated) float64 { return f.Apart })
		apart.Decimals = 4
		return []result.Column[Interpolated]{apart.Spread(func(f Interpolated) float64 { return f.ApartSD })}
	},
}

// interpolated say which matrix a row is about.
var interpolated = append(
	result.Lift(subject.Columns[:2], func(f Interpolated) subject.Subject {
		return subject.Subject{Model: f.Model, ModelHash: f.Hash}
	}),
	result.Texts("selection", "selection", "whose scenes the model ran in",
		func(f Interpolated) string { return f.Selection }),
	result.Texts("measure", "measure", "of a signal, and its position",
		func(f Interpolated) string { return f.Measure }),
	result.Texts("interpolant", "interpolant", "I1, I2 and I3 are those of the paper",
		func(f Interpolated) string { return f.Name }),
)

// featureColumns are the features of a matrix.
func featureColumns() (list []result.Column[Interpolated]) {
	helps := [scatter.Count]string{
		"mean of the elements", "their standard deviation", "the largest element",
		fmt.Sprintf("share of elements of %v and above", scatter.DefaultThreshold),
		"mean of the upper right corner less that of the lower left one", "mean length of the gradient",
		"weighted standard deviations along the diagonals",
	}
	for k, help := range helps {
		feature := scatter.Feature(k)
		c := result.Numbers(feature.String(), strings.ReplaceAll(feature.String(), "_", " "), help, result.Number,
			func(f Interpolated) float64 { return f.Features[feature] })
		c.Decimals = 4
		if feature == scatter.ErrorRate {
			c.Format, c.Decimals = result.Share, 0
		}
		list = append(list, c.Because(Interpolated.undefined))
	}
	return list
}

// undefined is why a matrix has no features.
func (f Interpolated) undefined() result.Reason {
	if f.Undefined == 0 {
		return result.Reason{}
	}
	return result.Because("undefined", "%s without a value", result.Counted(f.Undefined, "element"))
}

// Element is one element of a matrix: column A, from the left, of row B, from below.
type Element struct {
	Of   *Interpolated
	A, B int
}

// Elements is the table of the elements of matrices, which is streamed.
var Elements = result.Table[Element]{
	Name: "elements", Title: "Elements of matrices", Noun: "element",
	ID: func(e Element) string {
		return fmt.Sprint(e.Of.Hash, "/", e.Of.Measure, "/", e.Of.Name, "/", e.A, "/", e.B)
	},
	Columns: append(result.Lift(result.Seen(interpolated), func(e Element) Interpolated { return *e.Of }),
		result.Counts("raster", "raster", "elements along a side", func(e Element) int { return e.Of.Matrix.R }),
		result.Counts("column", "column", "from the left, from 0", func(e Element) int { return e.A }),
		result.Counts("row", "row", "from below, from 0", func(e Element) int { return e.B }),
		result.Numbers("distance_i", "distance i",
			"semantic distance of image i in the middle of the element", result.Number,
			func(e Element) float64 { return e.middle(e.A) }),
		result.Numbers("distance_j", "distance j",
			"semantic distance of image j in the middle of the element", result.Number,
			func(e Element) float64 { return e.middle(e.B) }),
		result.Numbers("value", "value", "of the element", result.Number,
			func(e Element) float64 { return e.Of.Matrix.At(e.A, e.B) }),
	),
}

func (e Element) middle(k int) float64 { return (float64(k) + 0.5) * e.Of.Far / float64(e.Of.Matrix.R) }

// ElementsOf are the elements of a matrix, row by row from below.
func ElementsOf(f *Interpolated) (list []Element) {
	for b := range f.Matrix.R {
		for a := range f.Matrix.R {
			list = append(list, Element{f, a, b})
		}
	}
	return list
}

// ImageSignals are the signals of one image of a target, which clouds are made of.
type ImageSignals struct {
	Target     string
	Image      int     // 0 is the target itself
	Background string  // "" for the target itself
	Distance   float64 // semantic distance from the target
	Values     []float64
}

// Signals is the table of the signals of a model by these measures, divided by their constants. It
// has many rows: it is streamed.
func Signals(name string, measures []string) result.Table[ImageSignals] {
	t := result.Table[ImageSignals]{
		Name: "signals_" + name, Title: "Signals over distances", Noun: "image",
		ID: func(s ImageSignals) string { return s.Target + "/" + strconv.Itoa(s.Image) },
		Columns: []result.Column[ImageSignals]{
			result.Texts("target", "target", "name of the target", func(s ImageSignals) string { return s.Target }),
			result.Counts("image", "image", "0 is the target itself", func(s ImageSignals) int { return s.Image }),
			result.Texts("background", "background", "name of the scene",
				func(s ImageSignals) string { return s.Background }),
			result.Numbers("distance", "distance", "semantic distance", result.Number,
				func(s ImageSignals) float64 { return s.Distance }),
		},
	}
	for k, m := range measures {
		t.Columns = append(t.Columns, result.Numbers(m, m, "signal, divided by the model's constant", result.Number,
			func(s ImageSignals) float64 { return s.Values[k] }))
	}
	return t
}

// Repeats is how far the matrices of one model and measure lie apart in selections whose settings
// differ by the seed alone (Ways; spec/background.md section 12, B4).
type Repeats struct {
	Model, Hash string // ID and hash
	Measure     string
	Way         string
	Selections  []string // names
	Interpolant scatter.Interpolant
	Mean        float64   // root mean square difference, mean over the pairs; NaN for fewer than two selections
	Pairs       []float64 // of each pair, see scatter.Pairwise
}

// Runs is the table of repeated runs.
var Runs = result.Table[Repeats]{
	Name: "runs", Title: "Runs with different seeds", Noun: "row",
	ID: func(r Repeats) string { return fmt.Sprint(r.Hash, "/", r.Measure, "/", r.Interpolant, "/", r.Way) },
	Columns: []result.Column[Repeats]{
		result.Texts("model_id", "model", "name of the model", func(r Repeats) string { return r.Model }),
		result.Texts("measure", "measure", "of a signal, and its position",
			func(r Repeats) string { return r.Measure }),
		result.Texts("interpolant", "interpolant", "I1, I2 and I3 are those of the paper",
			func(r Repeats) string { return r.Interpolant.Name() }),
		result.Texts("scenes_by", "scenes by", "how the scenes were chosen", func(r Repeats) string { return r.Way }),
		result.Counts("selections", "selections", "selections that are compared",
			func(r Repeats) int { return len(r.Selections) }),
		result.Texts("selection_names", "names", "of the selections",
			func(r Repeats) string { return strings.Join(r.Selections, ", ") }).In(result.FileOnly),
		result.Counts("pairs", "pairs", "of selections",
			func(r Repeats) int { return len(r.Pairs) }).In(result.FileOnly),
		meanDifference(),
	},
}

func meanDifference() result.Column[Repeats] {
	c := result.Numbers("mean_difference", "mean difference",
		"root mean square difference of two matrices, mean over the pairs",
		result.Number, func(r Repeats) float64 { return r.Mean })
	c.Decimals = 4
	return c
}

// Compare sets the matrices of one model and measure in several selections against each other, way
// by way and interpolant by interpolant: matrices[k][i] is of selection k, whose scenes were chosen
// by ways[k], and interpolant i; nil where the selection takes no part. Ways with fewer than two
// selections are left out.
func Compare(of Repeats, ways, names []string, by []scatter.Interpolant, matrices [][]scatter.Matrix) (list []Repeats) {
	for k, way := range ways {
		if slices.Contains(ways[:k], way) {
			continue
		}
		for i, p := range by {
			one := of
			one.Way, one.Interpolant = way, p
			var runs []scatter.Matrix
			for k := range ways {
				if ways[k] == way && matrices[k] != nil {
					one.Selections, runs = append(one.Selections, names[k]), append(runs, matrices[k][i])
				}
			}
			if len(runs) > 1 {
				one.Mean, one.Pairs = scatter.Pairwise(runs)
				list = append(list, one)
			}
		}
	}
	return list
}

// LeftOut is a model without signals in the scenes of a selection, or without those of one measure.
type LeftOut struct {
	Model, Hash, Selection string
	Measure                string // "" for all
	Reason                 string // in words
}

// LeftOuts is the table of what has no matrices.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row",
	ID: func(l LeftOut) string { return l.Hash + "/" + l.Selection + "/" + l.Measure },
	Columns: append(
		result.Lift(subject.Columns[:2], func(l LeftOut) subject.Subject {
			return subject.Subject{Model: l.Model, ModelHash: l.Hash}
		}),
		result.Texts("selection", "selection", "whose scenes", func(l LeftOut) string { return l.Selection }),
		result.Texts("measure", "measure", "missing where all measures are",
			func(l LeftOut) string { return l.Measure }),
		result.Texts("reason", "why", "why there is no matrix", func(l LeftOut) string { return l.Reason }),
	),
}

// Lacking says what has no matrices in lines: models that lack all for the same reason together.
func Lacking(list []LeftOut) (lines []string) {
	models := map[string][]string{}
	var order []string
	for _, l := range list {
		about := l.Selection + ": " + l.Reason
		switch {
		case l.Measure != "":
			lines = append(lines, fmt.Sprintf("%s has no %s: %s", l.Model, l.Measure, l.Reason))
			continue
		case models[about] == nil:
			order = append(order, about)
		}
		models[about] = append(models[about], l.Model)
	}
	for _, about := range order {
		lines = append(lines, result.Some(models[about])+" in the scenes of "+about)
	}
	return lines
}
