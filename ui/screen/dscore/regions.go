package dscore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/present"
)

// Region is a line of the table of regions: of all images, or of a single one, whose accuracies are then scores of its class.
type Region struct {
	Number   int // from 1
	N        int
	Original float64 // f_b
	Variant  float64 // f_i
	Interval score.Interval
	Known    bool // whether there is an interval
	Feature  float64
	Shifted  float64 // a_i
	Attend   float64
	Single   bool
	// The predictions of a single image: for the model as it is, without the region, and shifted to it.
	Predicted, WithoutRegion, WhenShifted string
}

// Row and Col are where the region lies, from 1.
func (r Region) Row() int { return (r.Number-1)/r.N + 1 }

// Col is its column, from 1.
func (r Region) Col() int { return (r.Number-1)%r.N + 1 }

// Loss is what deleting the region costs.
func (r Region) Loss() float64 { return r.Original - r.Variant }

// regionsOf are the regions of a diagnosis.
func regionsOf(d Row) []Region {
	list := make([]Region, len(d.Accuracies.Variants))
	for k := range list {
		list[k] = Region{
			Number: k + 1, N: d.N, Original: d.Accuracies.Original, Variant: d.Accuracies.Variants[k], Shifted: d.Accuracies.Shifted[k],
			Feature: d.Score.Features[k], Attend: d.Score.Attention[k],
		}
		if k < len(d.Intervals.Loss) {
			list[k].Interval, list[k].Known = d.Intervals.Loss[k], true
		}
	}
	return list
}

// regionsOfImage are the regions of one image; class names a class of the model.
func regionsOfImage(d Row, img diagnosis.Image, class func(int) string) []Region {
	list := make([]Region, len(img.Variants))
	for k := range list {
		list[k] = Region{
			Number: k + 1, N: d.N, Original: img.Original, Variant: img.Variants[k], Shifted: img.Shifted[k], Feature: img.Features[k],
			Attend: img.Attention[k], Single: true, Predicted: class(img.Predicted),
			WithoutRegion: class(img.PredictedVariants[k]), WhenShifted: class(img.PredictedShifted[k]),
		}
	}
	return list
}

// RegionColumn is a column of the table of regions.
type RegionColumn struct {
	Key, Title, Hint string
	Value            func(r Region) float64
	Text             func(r Region) string
	Left             bool // aligned as a text
}

// keyRegion is the key of the column of the regions themselves.
const keyRegion = "region"

// regionColumns are the columns of the table of regions, of all images or of a single one.
func regionColumns(single bool) []RegionColumn {
	percent := func(value func(r Region) float64) func(r Region) string {
		return func(r Region) string { return present.Percent(value(r)) }
	}
	point := func(value func(r Region) float64) func(r Region) string {
		return func(r Region) string { return points(value(r)) }
	}
	number := RegionColumn{
		Key: keyRegion, Title: "region", Hint: "number of the region, row by row from the upper left; its row and its column",
		Value: func(r Region) float64 { return float64(r.Number) }, Text: func(r Region) string { return fmt.Sprintf("%d (%d, %d)", r.Number, r.Row(), r.Col()) },
	}
	variant := RegionColumn{Key: "f", Title: "f_i", Value: func(r Region) float64 { return r.Variant }, Hint: "f_i: accuracy with the region deleted from the model's feature maps"}
	loss := RegionColumn{Key: "loss", Title: "lost", Value: Region.Loss, Hint: "f_b − f_i: what deleting the region costs, in percentage points"}
	feature := RegionColumn{Key: "feature", Title: "f~_i", Value: func(r Region) float64 { return r.Feature }, Hint: "f~_i: the region's share of the features"}
	shifted := RegionColumn{Key: "a", Title: "a_i", Value: func(r Region) float64 { return r.Shifted }, Hint: "a_i: accuracy on images that are shifted to the region"}
	attend := RegionColumn{Key: "attention", Title: "a~_i", Value: func(r Region) float64 { return r.Attend }, Hint: "a~_i: the region's share of the attention"}
	differ := RegionColumn{Key: "difference", Title: "f~ − a~", Value: func(r Region) float64 { return r.Feature - r.Attend }, Hint: "features minus attention, in percentage points"}
	if single {
		variant.Hint = "score of the image's class with the region deleted from the model's feature maps"
		loss.Hint = "what of the score of the image's class goes with the region, in percentage points"
		shifted.Hint = "score of the image's class when the image is shifted to the region"
	}
	for _, c := range []*RegionColumn{&variant, &feature, &shifted, &attend} {
		c.Text = percent(c.Value)
	}
	for _, c := range []*RegionColumn{&loss, &differ} {
		c.Text = point(c.Value)
	}
	if !single {
		return []RegionColumn{number, variant, loss, intervalColumn(), feature, shifted, attend, differ}
	}
	without := RegionColumn{Key: "without", Title: "without it", Left: true, Text: func(r Region) string { return r.WithoutRegion }, Hint: "the prediction with the region deleted"}
	moved := RegionColumn{Key: "moved", Title: "shifted to it", Left: true, Text: func(r Region) string { return r.WhenShifted }, Hint: "the prediction for the image shifted to the region"}
	return []RegionColumn{number, variant, loss, without, feature, shifted, moved, attend, differ}
}

// intervalColumn is the interval of what deleting a region costs; it is sorted by its lower end.
func intervalColumn() RegionColumn {
	return RegionColumn{
		Key: "interval", Title: "95 % interval", Hint: "interval of what is lost, in percentage points, from bootstrap samples over the images",
		Value: func(r Region) float64 {
			if !r.Known {
				return math.NaN()
			}
			return r.Interval.Low
		},
		Text: func(r Region) string {
			if !r.Known {
				return present.None
			}
			return points(r.Interval.Low) + ".." + points(r.Interval.High)
		},
	}
}

// Line is everything about a region in one line.
func (r Region) Line() string {
	what := fmt.Sprintf("region %d, row %d, column %d", r.Number, r.Row(), r.Col())
	if r.Single {
		return fmt.Sprintf("%s: without it the score is %s in place of %s (%s); shifted to it %s (%s); features %s, attention %s", what,
			present.Percent(r.Variant), present.Percent(r.Original), r.WithoutRegion, present.Percent(r.Shifted), r.WhenShifted,
			present.Percent(r.Feature), present.Percent(r.Attend))
	}
	text := fmt.Sprintf("%s: deleting it costs %s points", what, points(r.Loss()))
	if r.Known {
		text = fmt.Sprintf("%s (%s to %s)", text, points(r.Interval.Low), points(r.Interval.High))
	}
	return fmt.Sprintf("%s; features %s, attention %s, accuracy when shifted to it %s", text, present.Percent(r.Feature), present.Percent(r.Attend), present.Percent(r.Shifted))
}

// regionTable is a table of regions for a file.
func regionTable(name, hash string, list []Region) (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "region", "row", "col", "f", "loss", "loss_low", "loss_high", "f_share", "a", "a_share", "difference"}
	for _, r := range list {
		low, high := "", ""
		if r.Known {
			low, high = whole(r.Interval.Low), whole(r.Interval.High)
		}
		rows = append(rows, []string{
			name, hash, strconv.Itoa(r.Number), strconv.Itoa(r.Row()), strconv.Itoa(r.Col()), whole(r.Variant), whole(r.Loss()), low, high,
			whole(r.Feature), whole(r.Shifted), whole(r.Attend), whole(r.Feature - r.Attend),
		})
	}
	return head, rows
}

// sortRegions orders regions by a column; what has no value stands last, and equal ones by their number.
func sortRegions(list []Region, c RegionColumn, falling bool) {
	turn := 1
	if falling {
		turn = -1
	}
	slices.SortStableFunc(list, func(a, b Region) int {
		if c.Value == nil {
			return cmp.Or(turn*result.Natural(c.Text(a), c.Text(b)), a.Number-b.Number)
		}
		x, y := c.Value(a), c.Value(b)
		if math.IsNaN(x) || math.IsNaN(y) {
			return cmp.Or(cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y))), a.Number-b.Number)
		}
		return cmp.Or(turn*cmp.Compare(x, y), a.Number-b.Number)
	})
}
