package dscore

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/present"
)

// Region is a line of the table of regions: of all images, or of a single one, whose accuracies are then scores of its class.
type Region struct {
	Model, Hash string // of the model
	Number      int    // from 1
	N           int
	Original    float64 // f_b
	Variant     float64 // f_i
	Interval    score.Interval
	Known       bool // whether there is an interval
	Feature     float64
	Shifted     float64 // a_i
	Attend      float64
	Single      bool
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
			Model: d.Model.ID, Hash: d.Model.Hash, Number: k + 1, N: d.N, Original: d.Accuracies.Original, Variant: d.Accuracies.Variants[k], Shifted: d.Accuracies.Shifted[k],
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
			Model: d.Model.ID, Hash: d.Model.Hash, Number: k + 1, N: d.N, Original: img.Original, Variant: img.Variants[k], Shifted: img.Shifted[k], Feature: img.Features[k],
			Attend: img.Attention[k], Single: true, Predicted: class(img.Predicted),
			WithoutRegion: class(img.PredictedVariants[k]), WhenShifted: class(img.PredictedShifted[k]),
		}
	}
	return list
}

// regionTable are the regions of all images or, single, of one image.
func regionTable(single bool) result.Table[Region] {
	share := func(key, title, help string, value func(Region) float64) result.Column[Region] {
		return result.Numbers(key, title, help, result.Share, value)
	}
	end := func(value func(score.Interval) float64) func(Region) float64 {
		return func(r Region) float64 {
			if !r.Known {
				return math.NaN()
			}
			return value(r.Interval)
		}
	}
	f, lost := "f_i: accuracy with the region deleted from the model's feature maps", "f_b − f_i: what deleting the region costs"
	a := "a_i: accuracy on images that are shifted to the region"
	if single {
		f = "score of the image's class with the region deleted from the model's feature maps"
		lost = "what of the score of the image's class goes with the region"
		a = "score of the image's class when the image is shifted to the region"
	}
	t := result.Table[Region]{
		Name: "dscore_regions", Title: "Regions", Noun: "region",
		ID: func(r Region) string { return r.Hash + " " + strconv.Itoa(r.Number) }, First: result.Order{Key: "region"},
		Columns: []result.Column[Region]{
			result.Counts("region", "region", "number of the region, row by row from the upper left", func(r Region) int { return r.Number }),
			result.Texts("model_id", "model", "", func(r Region) string { return r.Model }).In(result.FileOnly),
			result.Texts("model_hash", "hash", "", func(r Region) string { return r.Hash }).In(result.FileOnly),
			result.Counts("row", "row", "from 1", Region.Row).In(result.Offered),
			result.Counts("col", "column", "from 1", Region.Col).In(result.Offered),
			share("f", "f_i", f, func(r Region) float64 { return r.Variant }),
			result.Numbers("loss", "lost", lost, result.Points, Region.Loss).Between(
				end(func(i score.Interval) float64 { return i.Low }), end(func(i score.Interval) float64 { return i.High })),
			share("f_share", "f~_i", "f~_i: the region's share of the features", func(r Region) float64 { return r.Feature }),
			share("a", "a_i", a, func(r Region) float64 { return r.Shifted }),
			share("a_share", "a~_i", "a~_i: the region's share of the attention", func(r Region) float64 { return r.Attend }),
			result.Numbers("difference", "f~ − a~", "features minus attention", result.Points,
				func(r Region) float64 { return r.Feature - r.Attend }),
		},
	}
	t.Columns[0].Descending = false
	if single {
		t.Columns = append(t.Columns,
			result.Texts("without", "without it", "the prediction with the region deleted", func(r Region) string { return r.WithoutRegion }),
			result.Texts("moved", "shifted to it", "the prediction for the image shifted to the region", func(r Region) string { return r.WhenShifted }))
	}
	return t
}

// regionsCSV writes regions as a file.
func regionsCSV(list []Region) func(io.Writer) error {
	single := len(list) > 0 && list[0].Single
	return func(w io.Writer) error { return regionTable(single).Sheet(list).CSV(w, false) }
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
