package dscore

import (
	"cmp"
	"fmt"
	"slices"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/present"
)

// Region is a line of the table of regions: of all images, or of a single one, whose accuracies are then scores of its class.
type Region struct {
	score.Region
	Single bool
	// The predictions of a single image: for the model as it is, without the region, and shifted to it.
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

// RegionColumn is a column of the table of regions.
type RegionColumn = result.Column[Region]

// keyRegion is the key of the column of the regions themselves.
const keyRegion = "region"

// regionColumns are the columns of the table of regions, of all images or of a single one: some of
// score.Regions.
func regionColumns(single bool) []RegionColumn {
	list := result.Lift(some(score.Regions.Columns, keyRegion, "row", "column", "variant_accuracy", "loss", "feature",
		"shifted_accuracy", "attention",
		"difference"), func(r Region) score.Region { return r.Region })
	for k, c := range list { // beside the maps there is room for the intervals of losses alone
		if c.Key != "loss" {
			list[k] = c.Between(nil, nil)
		}
	}
	if !single {
		return list
	}
	rename := func(key, to, title, help string) {
		c := &list[slices.IndexFunc(list, func(c RegionColumn) bool { return c.Key == key })]
		c.Key, c.Title, c.Help = to, title, help
	}
	rename("variant_accuracy", "variant_score", "score without it",
		"score of the image's class with the region deleted from the model's feature maps")
	rename("loss", "loss", "loss", "what of the score of the image's class goes with the region")
	rename("shifted_accuracy", "shifted_score", "score shifted there",
		"score of the image's class when the image is shifted to the region")
	return append(list,
		result.Texts("without", "without it", "the prediction with the region deleted",
			func(r Region) string { return r.WithoutRegion }),
		result.Texts("moved", "shifted to it", "the prediction for the image shifted to the region",
			func(r Region) string { return r.WhenShifted }))
}

// regionSheet is the table of regions for a file.
func regionSheet(list []Region) *result.Sheet {
	if len(list) > 0 && list[0].Single {
		t := result.Table[Region]{
			Name: "image_regions", Title: "Regions of an image", Noun: "region",
			ID: func(r Region) string { return fmt.Sprint(r.Number) },
			Columns: slices.Concat(
				result.Lift(score.Regions.Columns[:6], func(r Region) score.Region { return r.Region }), regionColumns(true)),
		}
		return t.Sheet(list)
	}
	all := make([]score.Region, len(list))
	for k, r := range list {
		all[k] = r.Region
	}
	return score.Regions.Sheet(all)
}

// Line is everything about a region in one line.
func (r Region) Line() string {
	k, a, s := r.Number-1, r.Of.Accuracies, r.Of.Score
	what := fmt.Sprintf("region %d, row %d, column %d", r.Number, r.Row(), r.Col())
	if r.Single {
		return fmt.Sprintf("%s: without it the score is %s in place of %s (%s); shifted to it %s (%s); features %s, attention %s", what,
			present.Percent(a.Variants[k]), present.Percent(a.Original), r.WithoutRegion, present.Percent(a.Shifted[k]),
			r.WhenShifted,
			present.Percent(s.Features[k]), present.Percent(s.Attention[k]))
	}
	text := fmt.Sprintf("%s: deleting it costs %s points", what, points(r.Loss()))
	if losses := r.Of.Intervals.Loss; k < len(losses) {
		text = fmt.Sprintf("%s (%s to %s)", text, points(losses[k].Low), points(losses[k].High))
	}
	return fmt.Sprintf("%s; features %s, attention %s, accuracy when shifted to it %s", text,
		present.Percent(s.Features[k]), present.Percent(s.Attention[k]), present.Percent(a.Shifted[k]))
}

// sortRegions orders regions by a column; what has no value stands last, and equal ones by their number.
func sortRegions(list []Region, c RegionColumn, falling bool) {
	slices.SortStableFunc(list, func(a, b Region) int { return cmp.Or(compare(c, a, b, falling), a.Number-b.Number) })
}
