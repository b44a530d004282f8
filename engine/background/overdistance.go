package background

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
)

// DistanceBin is an interval of semantic distances with what a classifier did in the scenes that
// lie in it.
type DistanceBin struct {
	From, To   float64
	Composites int // of targets with a label
	Right      int // of these
	Targets    int // that the composites are of
	// Low to High is the 95 % interval of the accuracy: that of stats.Clustered, since the
	// composites of a target are alike. Both are NaN for composites of fewer than two targets.
	Low, High float64
}

// Accuracy is the share of right composites, NaN without any.
func (b DistanceBin) Accuracy() float64 { return share(b.Right, b.Composites) }

// OverDistance tells accuracy in the scenes by their distance from the target: the composites of
// targets with a label, in equal intervals of [0, far], each closed below and open above, the last
// one closed. predictions and labels are those of Judge, distances[t][j] is the distance of image j
// of target t (image 0, the target itself, is not counted). Distances beyond far count in the last
// interval. It panics for fewer than one interval and for lists whose lengths do not fit together.
func OverDistance(
	predictions [][]int32, labels []int, distances [][]float64, far float64, intervals int,
) []DistanceBin {
	if intervals < 1 || len(distances) != len(labels) {
		panic(fmt.Sprintf("background: %d intervals, distances of %d targets for %d labels", intervals, len(distances),
			len(labels)))
	}
	bins := make([]DistanceBin, intervals)
	right, of := make([][]int, intervals), make([][]int, intervals) // by target
	for k := range bins {
		right[k], of[k] = make([]int, len(labels)), make([]int, len(labels))
		bins[k].From, bins[k].To = far*float64(k)/float64(intervals), far*float64(k+1)/float64(intervals)
	}
	for t, label := range labels {
		if label < 0 {
			continue
		}
		for j := 1; j < len(predictions); j++ {
			k := intervals - 1 // the last interval that begins at or below the distance
			for k > 0 && distances[t][j] < bins[k].From {
				k--
			}
			bins[k].Composites++
			if of[k][t]++; of[k][t] == 1 {
				bins[k].Targets++
			}
			if int(predictions[j][t]) == label {
				bins[k].Right++
				right[k][t]++
			}
		}
	}
	for k := range bins {
		bins[k].Low, bins[k].High = stats.Clustered(right[k], of[k])
	}
	return bins
}

// DistanceIntervals is in how many intervals of distances accuracy is told.
const DistanceIntervals = 10

// ModelDistance is the accuracy of a model in an interval of distances of a selection's scenes.
type ModelDistance struct {
	Model     model.Model
	Selection string // name
	DistanceBin
}

// OverDistances is the table of accuracy by the distance of scenes.
var OverDistances = result.Table[ModelDistance]{
	Name: "accuracy_over_distance", Title: "Accuracy over distance", Noun: "interval",
	ID: func(r ModelDistance) string {
		return r.Model.Hash + "/" + r.Selection + "/" + result.Number.Write(r.From)
	},
	Columns: append(
		result.Lift(subject.Columns[:2], func(r ModelDistance) subject.Subject {
			return subject.Subject{Model: r.Model.ID, ModelHash: r.Model.Hash}
		}),
		result.Texts("selection", "selection", "whose scenes the model ran in",
			func(r ModelDistance) string { return r.Selection }),
		result.Numbers("from", "from", "semantic distance", result.Number,
			func(r ModelDistance) float64 { return r.From }),
		result.Numbers("to", "to", "semantic distance", result.Number, func(r ModelDistance) float64 { return r.To }),
		result.Counts("composites", "composites", "in the interval", func(r ModelDistance) int { return r.Composites }),
		result.Counts("targets", "targets", "that these are of", func(r ModelDistance) int { return r.Targets }),
		result.Counts("right", "right", "that are classified rightly", func(r ModelDistance) int { return r.Right }),
		result.Numbers("accuracy", "accuracy",
			"share of the composites that are classified rightly, with its 95 % interval, for "+
				"which composites of one target count as alike; those of one target alone have none", result.Share,
			func(r ModelDistance) float64 { return r.Accuracy() }).Between(
			func(r ModelDistance) float64 { return r.Low },
			func(r ModelDistance) float64 { return r.High }).Because(func(ModelDistance) result.Reason {
			return result.Because("no_composites", "no composite with a label lies in the interval")
		}),
	),
}

// AccuracyFigure draws accuracy in the scenes by their distance: the mean of all models with their
// standard deviation, where there are several, and one model (its hash; of one alone, that) with
// the 95 % interval of every value.
func AccuracyFigure(title, note string, rows []ModelDistance, own string) result.Figure {
	f := result.Figure{
		Title: title, Note: note, Empty: "the targets have no labels, so that no prediction is right or wrong",
		X: result.Axis{Name: "semantic distance of the scene", Format: result.Number},
		Y: result.Axis{Name: "accuracy in scenes", Format: result.Share, High: 1},
	}
	models, values := map[string]bool{}, map[float64][]float64{} // by the middle of an interval
	for _, r := range rows {
		models[r.Model.Hash] = true
	}
	if len(models) == 1 {
		own = rows[0].Model.Hash
	}
	line := result.Trend{Look: result.Category(1)} // of the one model
	for _, r := range rows {
		a, at := r.Accuracy(), (r.From+r.To)/2
		if math.IsNaN(a) {
			continue
		}
		values[at] = append(values[at], a)
		if r.Model.Hash == own {
			line.Group, line.X, line.Y = r.Model.ID+" with 95 % intervals", append(line.X, at), append(line.Y, a)
			f.Points = append(f.Points, result.Point{Name: r.Model.ID, ID: own, X: at, Y: a, Low: r.Low, High: r.High})
		}
	}
	if line.X != nil {
		f.Groups, f.Trends = []result.Group{{Name: line.Group, Look: line.Look}}, []result.Trend{line}
	}
	if len(models) < 2 || len(values) == 0 {
		return f
	}
	all := result.Line{Name: "mean and SD of " + result.Counted(len(models), "model")}
	for _, at := range slices.Sorted(maps.Keys(values)) {
		mean, sd := stats.Moments(values[at])
		all.X, all.Y, all.SD = append(all.X, at), append(all.Y, mean), append(all.SD, sd)
	}
	f.Lines = []result.Line{all}
	return f
}

// ShareFigure draws how far the matrices of a share of the targets lie from that of all
// (spec/background.md section 12, B3), as scatter.ByShare gives it: effects[interpolant][share].
func ShareFigure(title string, by []scatter.Interpolant, effects [][]scatter.ShareEffect) result.Figure {
	f := result.Figure{
		Title: title,
		X:     result.Axis{Name: "share of the targets", Format: result.Share},
		Y:     result.Axis{Name: "difference from the matrix of all targets", Format: result.Number},
		Empty: "not measured yet: matrices of 100, 75, 50, 25, 10 and 5 % of the targets, each drawn ten times",
	}
	for i, list := range effects {
		line := result.Line{Name: by[i].Name()}
		for _, e := range slices.Backward(list) {
			line.X, line.Y, line.SD = append(line.X, e.Share), append(line.Y, e.Mean), append(line.SD, e.Std)
			f.Note = "mean and SD of " + result.Counted(len(e.Differences), "draw")
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}
