package dscore

import (
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// The kinds of distributions over regions, in the order in which they stand side by side.
const (
	Features = iota
	Attention
	Difference // features minus attention
	Kinds      // their number
)

// kinds are what people and files call them, and what their values are.
var kinds = [Kinds]struct{ title, key, legend string }{
	{"Features", "features", "share of the features, %"},
	{"Attention", "attention", "share of the attention, %"},
	{"Features − attention", "difference", "features minus attention, points"},
}

// KindTitle is the heading of a distribution, KindKey its name in files.
func KindTitle(kind int) string { return kinds[kind].title }

// KindKey is the name of a distribution in files: features, attention, difference.
func KindKey(kind int) string { return kinds[kind].key }

// Distributions are those of one score, or of one image, over n x n regions: row by row from the
// upper left, in percent.
type Distributions struct {
	// Name is what they are of, in names of files, too, such as the model; On is the suite.
	Name, On string
	Grid
	Values [Kinds][]float64
	Scales [Kinds]render.Scale // set by ScaleTogether
}

// NewDistributions makes those of two lists of shares, which have n x n values or none.
func NewDistributions(name, on string, g Grid, features, attention []float64) Distributions {
	d := Distributions{Name: name, On: on, Grid: g}
	for k := range min(len(features), len(attention)) {
		d.Values[Features] = append(d.Values[Features], 100*features[k])
		d.Values[Attention] = append(d.Values[Attention], 100*attention[k])
		d.Values[Difference] = append(d.Values[Difference], 100*(features[k]-attention[k]))
	}
	return d
}

// Distributions are those of the score.
func (d Diagnosis) Distributions() Distributions {
	return NewDistributions(d.Model.ID, d.SuiteName, d.Grid, d.Score.Features, d.Score.Attention)
}

// ScaleTogether gives distributions the same colours: shares from 0 to the largest of all, rounded
// up, and differences as far to both sides as the largest goes.
func ScaleTogether(list []Distributions, colours *render.Map) {
	var shares, signed []float64
	for _, d := range list {
		shares = slices.Concat(shares, d.Values[Features], d.Values[Attention])
		signed = append(signed, d.Values[Difference]...)
	}
	scale := render.Scale{High: ceiling(shares), Map: colours}
	for k := range list {
		list[k].Scales = [Kinds]render.Scale{scale, scale, SignedScale(signed)}
	}
}

// SignedScale colours differences in points as far to both sides as the largest goes, rounded up.
func SignedScale(values []float64) render.Scale {
	end := ceiling(values)
	return render.Scale{Low: -end, High: end, Map: &render.Diverging}
}

// ceiling is the end of a scale of values in percent: the largest magnitude, at least 1, rounded up
// to one of few numbers, so that scales of different models are often the same. NaN does not count.
func ceiling(values []float64) float64 {
	steps := []float64{1, 1.5, 2, 3, 4, 5, 6, 8}
	const slack = 1 - 1e-9
	most := 1.0
	for _, v := range values {
		if !math.IsNaN(v) {
			most = max(most, math.Abs(v))
		}
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, s := range steps {
		if s*power >= most*slack {
			return s * power
		}
	}
	return 10 * power
}

// Figure is a distribution over an image, which may be a zero one.
func (d Distributions) Figure(kind int, over suite.Image) result.Figure {
	f := RegionFigure(d.N, d.Values[kind], d.Scales[kind], over, kinds[kind].legend, kind == Difference)
	f.Title = fmt.Sprintf("%s of %s on %s, n = %d", kinds[kind].title, d.Name, d.On, d.N)
	return f
}

// Title is what all three are of.
func (d Distributions) Title() string { return fmt.Sprintf("%s on %s, %s", d.Name, d.On, d.Grid) }

// Figures are all three side by side.
func (d Distributions) Figures(over suite.Image) (row []result.Figure) {
	for kind := range Kinds {
		f := d.Figure(kind, over)
		f.Title = kinds[kind].title
		row = append(row, f)
	}
	return row
}

// RegionFigure draws values over n x n regions of an image, row by row from the upper left, with
// their numbers. Of a zero image the regions form a square.
func RegionFigure(
	n int, values []float64, scale render.Scale, over suite.Image, legend string, signed bool,
) result.Figure {
	var under image.Image
	if len(over.Pix) > 0 {
		under = over.RGBA()
	}
	return result.Regions(n, values, scale, under, legend, RegionText(n, signed))
}

// RegionText writes percent, or signed points, into the cells of a map of n x n regions: without
// decimals where there is no room for them.
func RegionText(n int, signed bool) func(v float64) string {
	const fine = 4
	format, digits := result.Number, 1
	if n > fine {
		format, digits = result.Count, 0
	}
	return func(v float64) string {
		text := format.Say(v, digits)
		if signed && v > 0 && text[0] != '<' && text != format.Say(0, digits) {
			return "+" + text
		}
		return text
	}
}
