package features

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Neighbours is how many models "looks like" shows beside the selected one.
const Neighbours = 5

// note is the small line below saved figures.
func (v *View) note() string {
	return fmt.Sprintf("%s, %s, %s", present.Counted(int64(len(v.shown)), "model"), v.Suite, v.Family)
}

// Histogram is the distribution of the chosen number over the models that are shown, by label.
func (v *View) Histogram() widget.StackedData {
	d := widget.StackedData{
		Title: AxisName(v.chosen), Note: v.note(), XName: AxisName(v.chosen), YName: "models", Groups: v.groups(),
		Marked: math.NaN(), Empty: fmt.Sprintf("no model has a value of %s", AxisName(v.chosen)),
	}
	var values []float64
	for _, at := range v.shown {
		if x := v.Value(v.Rows[at], v.chosen); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return d
	}
	bins := 0
	d.Low, d.High, bins = binning(values)
	d.Counts = make([][]int, len(d.Groups))
	for g := range d.Counts {
		d.Counts[g] = make([]int, bins)
	}
	for _, at := range v.shown {
		if x := v.Value(v.Rows[at], v.chosen); !math.IsNaN(x) {
			bin := int((x - d.Low) / (d.High - d.Low) * float64(bins))
			d.Counts[v.groupOf(v.Rows[at])][min(max(bin, 0), bins-1)]++
		}
	}
	if r, ok := v.Selected(); ok {
		d.Marked, d.MarkedName = v.Value(r, v.chosen), r.Model.ID
	}
	return d
}

// The number of bins grows with the square root of the number of values, between these.
const fewestBins, mostBins = 8, 40

// binning divides the range of values into bins with round ends, about twice the square root of
// their number.
func binning(values []float64) (low, high float64, bins int) {
	low, high = slices.Min(values), slices.Max(values)
	if low == high {
		low, high = render.Widen(low, high)
	}
	wanted := min(max(int(2*math.Sqrt(float64(len(values)))), fewestBins), mostBins)
	step := render.RoundUp((high - low) / float64(wanted))
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	if last <= first {
		last = first + 1
	}
	return first * step, last * step, int(last - first)
}

// Scatter are the models that are shown over two chosen numbers; point k is row k of the table.
func (v *View) Scatter() widget.ScatterData {
	d := widget.ScatterData{
		Title: fmt.Sprintf("%s and %s", AxisName(v.chosen), AxisName(v.against)), Note: v.note() + "\n" + strings.Join(v.Relation(), "\n"), XName: AxisName(v.chosen),
		YName: AxisName(v.against), Groups: v.groups(), Empty: "no model has both numbers",
		Crossed: "not above chance",
	}
	for _, at := range v.shown {
		r := v.Rows[at]
		d.Points = append(d.Points, widget.ScatterPoint{
			X: v.Value(r, v.chosen), Y: v.Value(r, v.against), Group: v.groupOf(r), Name: r.Model.ID, Crossed: r.Chance.Code == chance.NotAbove,
		})
	}
	return d
}

// Alike is a model that looks like another.
type Alike struct {
	Row
	Distance float64 // 0 for the model itself, see feature.Nearest
}

// Alikes are the selected model and its nearest ones, nearest first, by the features that the
// table has, over all models; nil without a selection.
func (v *View) Alikes() []Alike {
	at := v.find(v.selected)
	if at < 0 {
		return nil
	}
	list := []Alike{{Row: v.Rows[at]}}
	for _, n := range feature.Nearest(v.table(), at, Neighbours) {
		list = append(list, Alike{Row: v.Rows[n.Row], Distance: n.Distance})
	}
	return list
}

// table are the features of all models in the columns of the table.
func (v *View) table() [][]float64 {
	var places []int
	for _, c := range v.Columns() {
		if c.At >= 0 {
			places = append(places, c.At)
		}
	}
	x := make([][]float64, len(v.Rows))
	for i, r := range v.Rows {
		x[i] = make([]float64, len(places))
		for k, at := range places {
			x[i][k] = r.X[at]
		}
	}
	return x
}

// Title is the line over an alike model: its id and how far it is.
func (a Alike) Title() string {
	if a.Distance == 0 {
		return a.Model.ID
	}
	return fmt.Sprintf("%s  %s", a.Model.ID, present.Number(a.Distance))
}
