package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Codes of why it is not known how far a model lies from what an assessor has seen.
const (
	FeaturesNotKept = "features_not_kept" // the assessor's file has none
	NoFeatures      = "no_features"       // the baseline looks at none
	NoSpread        = "no_spread"         // the models that were learned from are all alike
)

// Training is what is known of the models that an assessor learned from, when it judges models.
type Training struct {
	Models  int
	Learned func(row int) bool // tells of a row that is judged whether it is among them
	Seen    *Seen              // nil where their features were not kept
}

// Seen are the features of the models that an assessor learned from, by which it is known how far
// another model lies from them. It is immutable.
type Seen struct {
	names  []string
	models []string
	rows   [][]float64
	scale  seenScale
	own    []float64 // distances of the models to their own nearest ones, ascending
}

// seenScale is what distances are measured in.
type seenScale struct {
	columns []seenColumn
	varying int // columns that are not constant
}

// seenColumn is what is known of a feature. width is half of its range, since the difference of two
// huge numbers may overflow and that of their halves does not, and 0 of a constant one; sd, with
// divisor n-1, is in units of the range.
type seenColumn struct{ low, high, width, sd float64 }

// rounding is the range of a feature, as a share of its values, up to which it counts as constant.
const rounding = 1e-12

// NewSeen takes the features of models: names are those of the columns, models those of the rows.
// A model's distance to its own nearest is in standard deviations of the others, as that of a model
// that was not learned from is.
func NewSeen(names, models []string, rows [][]float64) *Seen {
	s := &Seen{names: names, models: models, rows: rows, scale: scaleOf(len(names), rows, -1)}
	for i, row := range rows {
		distance := 0.0
		if scale := scaleOf(len(names), rows, i); scale.varying > 0 {
			_, distance = scale.nearest(row, rows, i)
		}
		s.own = append(s.own, distance)
	}
	slices.Sort(s.own)
	return s
}

// scaleOf is that of all rows but one (-1: none).
func scaleOf(columns int, rows [][]float64, without int) (s seenScale) {
	for c := range columns {
		var column []float64
		for i, row := range rows {
			if i != without {
				column = append(column, row[c])
			}
		}
		if len(column) == 0 {
			return seenScale{}
		}
		of := seenColumn{low: slices.Min(column), high: slices.Max(column)}
		if width := of.high/2 - of.low/2; width > rounding*max(math.Abs(of.low), math.Abs(of.high)) {
			for i := range column {
				column[i] = (column[i]/2 - of.low/2) / width
			}
			of.width = width
			_, of.sd = meanAndSD(column)
			s.varying++
		}
		s.columns = append(s.columns, of)
	}
	return s
}

// SeenOf takes the features of rows of d.
func SeenOf(d Data, rows []int) *Seen {
	models, x := make([]string, len(rows)), make([][]float64, len(rows))
	for k, i := range rows {
		models[k], x[k] = d.Rows[i].ID, d.Rows[i].X
	}
	return NewSeen(d.Names, models, x)
}

// apart is the difference of two values of a feature, in standard deviations of the models.
func (c seenColumn) apart(a, b float64) float64 { return (a/2 - b/2) / c.width / c.sd }

// nearest is the row that lies nearest to x, the first of equal ones, without one of them (-1:
// none); -1 where there is no other.
func (s seenScale) nearest(x []float64, rows [][]float64, without int) (model int, distance float64) {
	model, distance = -1, math.Inf(1)
	for i, row := range rows {
		sum := 0.0
		for c, of := range s.columns {
			if of.width > 0 {
				z := of.apart(x[c], row[c])
				sum += float64(z * z)
			}
		}
		d := min(math.Sqrt(sum/float64(s.varying)), math.MaxFloat64)
		if i != without && d < distance {
			model, distance = i, d
		}
	}
	return model, distance
}

// Distance is how far a model lies from those that an assessor learned from. The distance of two
// models is the root mean square of the differences of their features, each in standard deviations
// (divisor n-1) of the feature among the models that were learned from; features that are constant
// there do not count.
//
// The model lies outside when the nearest of these n models is farther from it than Limit, a
// distance of one of the n to its own nearest (in deviations of the others): the largest one, from
// 39 models on the second largest, and so on with every 20 more. A model that is like them is
// called outside once in about 20, or in n+1 of few; in simulations with normal features somewhat
// less often.
type Distance struct {
	Why     result.Reason // why nothing is known
	Models  int           // n
	Nearest string        // the nearest model's name
	Value   float64       // the distance to it
	Limit   float64
	Share   float64 // of the n models, those that lie at least as far from their own nearest
	Outside bool
	Beyond  []BeyondRange // features outside of the range of the n models, the farthest first
}

// BeyondRange is a feature of a model that lies below or above all models that an assessor learned
// from: a row of Beyond.
type BeyondRange struct {
	ID, Hash               string // of the model
	Feature                string
	Value, Lowest, Highest float64
	// SDs is the distance to the nearest end of the range in standard deviations of the feature;
	// NaN where the n models have the same value.
	SDs float64
}

// Distance measures how far a row with the same columns lies. Nothing is known of rows with other
// columns or numbers that are not finite, since these are not judged.
func (s *Seen) Distance(r Row) Distance {
	d := Distance{Value: nan, Limit: nan, Share: nan}
	switch {
	case s == nil || len(s.rows) == 0:
		d.Why = result.Because(FeaturesNotKept, "the assessor was saved without the features of the models that it "+
			"learned from; train it again")
		return d
	case checkCells(r, s.names) != nil:
		d.Why = result.Because(NotJudged, "%s", checkCells(r, s.names))
		return d
	case len(s.rows) < 3 || s.scale.varying == 0:
		d.Why = result.Because(NoSpread, "the models that the assessor learned from are all alike, or fewer than three")
		return d
	}
	nearest, n := 0, len(s.rows)
	nearest, d.Value = s.scale.nearest(r.X, s.rows, -1)
	d.Models, d.Nearest, d.Limit = n, s.models[nearest], s.own[n-max(1, (n+1)/20)]
	first, _ := slices.BinarySearch(s.own, d.Value)
	d.Share, d.Outside = share(n-first, n), d.Value > d.Limit
	for c, of := range s.scale.columns {
		v := r.X[c]
		if v >= of.low && v <= of.high {
			continue
		}
		b := BeyondRange{r.ID, r.Hash, s.names[c], v, of.low, of.high, nan}
		if of.width > 0 {
			b.SDs = min(max(of.apart(of.low, v), of.apart(v, of.high)), math.MaxFloat64)
		}
		d.Beyond = append(d.Beyond, b)
	}
	slices.SortStableFunc(d.Beyond, func(a, b BeyondRange) int { // what has no distance last
		return cmp.Or(cmp.Compare(b.SDs, a.SDs), cmp.Compare(a.Feature, b.Feature))
	})
	return d
}

// String says that the model lies outside, and by which features; "" where it does not.
func (d Distance) String() string {
	if !d.Outside {
		return ""
	}
	text := fmt.Sprintf("outside of what the assessor has seen: %s SD from the nearest model that it learned from "+
		"(%s), where at most %s is usual", result.Number.Say(d.Value, 2), d.Nearest, result.Number.Say(d.Limit, 2))
	var names []string
	for _, b := range d.Beyond[:min(3, len(d.Beyond))] {
		names = append(names, b.String())
	}
	if len(names) > 0 {
		text += "; farthest out: " + strings.Join(names, ", ")
	}
	return text
}

// String names the feature and how far it lies beyond.
func (b BeyondRange) String() string {
	if math.IsNaN(b.SDs) {
		return b.Feature + " (constant there)"
	}
	return fmt.Sprintf("%s (%s SD)", b.Feature, result.Number.Say(b.SDs, 1))
}

// DistanceColumns say how far a model lies from what an assessor has seen.
var DistanceColumns = []result.Column[Distance]{
	result.Numbers("outside", "outside",
		"the model lies farther from the nearest model that the assessor learned from "+
			"than these lie from one another: the verdict is a guess", result.Bool, func(d Distance) float64 {
			switch {
			case !d.Why.None():
				return nan
			case d.Outside:
				return 1
			}
			return 0
		}).Because(Distance.why),
	result.Numbers("distance", "distance",
		"from the nearest model that the assessor learned from: root mean square of "+
			"the features' differences in standard deviations of these models", result.Number,
		func(d Distance) float64 { return d.Value }).Because(Distance.why),
	result.Numbers("distance_limit", "usual up to",
		"the largest usual distance: fewer than 5 % of the models that the "+
			"assessor learned from are farther from their own nearest", result.Number,
		func(d Distance) float64 { return d.Limit }).In(result.Offered),
	result.Numbers("as_far", "as far", "share of the models that the assessor learned from that lie at least as far "+
		"from their own nearest", result.Share, func(d Distance) float64 { return d.Share }).In(result.Offered),
	result.Texts("nearest", "nearest", "the nearest model that the assessor learned from",
		func(d Distance) string { return d.Nearest }).In(result.Offered),
	result.Texts("farthest_features", "farthest out", "features outside of the range of the models that the assessor "+
		"learned from, the farthest first", func(d Distance) string {
		var names []string
		for _, b := range d.Beyond {
			names = append(names, b.Feature)
		}
		return strings.Join(names, ", ")
	}).In(result.FileOnly),
}

func (d Distance) why() result.Reason { return d.Why }

// Beyond is the table of the features of judged models that lie outside of what the assessor has
// seen, model by model, the farthest first.
var Beyond = result.Table[BeyondRange]{
	Name: "outside", Title: "Features outside of what the assessor has seen", Noun: "feature",
	ID: func(b BeyondRange) string { return b.ID + "/" + b.Hash + "/" + b.Feature },
	Columns: append(modelColumns(func(b BeyondRange) (string, string) { return b.ID, b.Hash }),
		result.Texts("feature", "feature", "", func(b BeyondRange) string { return b.Feature }),
		number("value", "value", "of the model", func(b BeyondRange) float64 { return b.Value }),
		number("lowest", "from", "the smallest value of the models that the assessor learned from",
			func(b BeyondRange) float64 { return b.Lowest }),
		number("highest", "to", "the largest value of these", func(b BeyondRange) float64 { return b.Highest }),
		result.Numbers("distance", "distance", "from the nearest of these two, in standard deviations of these models",
			result.Number, func(b BeyondRange) float64 { return b.SDs }).Because(func(BeyondRange) result.Reason {
			return result.Because(NoSpread, "the models that the assessor learned from have the same value")
		})),
}

// BeyondOf are the features of all models that lie outside of what the assessor has seen.
func BeyondOf(list []Judgement) (all []BeyondRange) {
	for _, j := range list {
		all = append(all, j.Distance.Beyond...)
	}
	return all
}
