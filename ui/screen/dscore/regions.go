package dscore

import (
	"fmt"
	"io"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/diagnosis"
)

// Region is a line of the table of regions: of all images, or of a single one, whose accuracies
// are then scores of its class.
type Region struct {
	score.Region
	Single bool
	// The predictions of a single image: for the model as it is, without the region, and shifted to
	// it.
	Predicted, WithoutRegion, WhenShifted string
}

// regionsOf are the regions of a diagnosis.
func regionsOf(d Row) []Region {
	var list []Region
	for _, r := range score.RegionsOf([]Row{d}) {
		list = append(list, Region{Region: r})
	}
	return list
}

// regionsOfImage are the regions of one image; class names a class of the model.
func regionsOfImage(d Row, img diagnosis.Image, class func(int) string) []Region {
	d.Accuracies = score.Accuracies{
		Original: img.Original, Variants: img.Variants, Shifted: img.Shifted,
		Classes: d.Accuracies.Classes,
	}
	d.Score, d.Intervals = score.Score{Grid: d.N, Features: img.Features, Attention: img.Attention}, score.Intervals{}
	list := regionsOf(d)
	for k := range list {
		list[k].Single, list[k].Predicted = true, class(img.Predicted)
		list[k].WithoutRegion, list[k].WhenShifted = class(img.PredictedVariants[k]), class(img.PredictedShifted[k])
	}
	return list
}

// regionTable are the regions of all images or, single, of one image: score.OfOneScore, whose
// accuracies are then scores of the image's class.
func regionTable(single bool) result.Table[Region] {
	from := score.OfOneScore.Place(result.Offered, "row", "column", "top", "bottom", "left", "right")
	t := result.Table[Region]{
		Name: from.Name, Title: from.Title, Noun: from.Noun, First: from.First,
		ID:      func(r Region) string { return from.ID(r.Region) },
		Columns: result.Lift(from.Columns, func(r Region) score.Region { return r.Region }),
	}
	if !single {
		return t
	}
	for k, c := range t.Columns {
		c.Low, c.High = nil, nil
		switch c.Key {
		case "variant_accuracy":
			c.Key, c.Title = "variant_score", "score without it"
			c.Help = "score of the image's class with the region deleted from the model's feature maps"
		case "loss":
			c.Help = "what of the score of the image's class goes with the region"
		case "shifted_accuracy":
			c.Key, c.Title = "shifted_score", "score shifted there"
			c.Help = "score of the image's class when the image is shifted to the region"
		}
		t.Columns[k] = c
	}
	t.Columns = append(t.Columns,
		result.Texts("without", "without it", "the prediction with the region deleted",
			func(r Region) string { return r.WithoutRegion }),
		result.Texts("moved", "shifted to it", "the prediction for the image shifted to the region",
			func(r Region) string { return r.WhenShifted }))
	return t
}

// besideMaps is regionTable without intervals but those of losses: there is no room for others.
func besideMaps(single bool) result.Table[Region] {
	t := regionTable(single)
	for k, c := range t.Columns {
		if c.Key != "loss" {
			t.Columns[k] = c.Between(nil, nil)
		}
	}
	return t
}

// regionsCSV writes regions as a file.
func regionsCSV(list []Region) func(io.Writer) error {
	return csvOf(func() *result.Sheet { return regionTable(len(list) > 0 && list[0].Single).Sheet(list) })
}

// Line is everything about a region in one line.
func (r Region) Line() string {
	k, a, s := r.Number-1, r.Of.Accuracies, r.Of.Score
	share := func(v float64) string { return result.Share.Say(v, 0) }
	what := fmt.Sprintf("region %d, row %d, column %d", r.Number, r.Row(), r.Col())
	if r.Single {
		return fmt.Sprintf("%s: without it the score is %s in place of %s (%s); shifted to it %s (%s); features "+
			"%s, attention %s", what, share(a.Variants[k]), share(a.Original), r.WithoutRegion, share(a.Shifted[k]),
			r.WhenShifted, share(s.Features[k]), share(s.Attention[k]))
	}
	text := fmt.Sprintf("%s: deleting it costs %s", what, lost(r.Loss(), r.Of.Intervals.Loss, k))
	return fmt.Sprintf("%s; features %s, attention %s, accuracy when shifted to it %s", text, share(s.Features[k]),
		share(s.Attention[k]), share(a.Shifted[k]))
}

// lost is the loss of the k-th region in points, with its interval where there is one.
func lost(v float64, in []score.Interval, k int) string {
	if k >= len(in) {
		return result.Points.Say(v, 0)
	}
	return result.Points.SayInterval(v, in[k].Low, in[k].High, 0)
}
