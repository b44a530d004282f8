package dscore

import (
	"fmt"
	"slices"
	"strconv"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Losses are what deleting regions costs one model: in the convolutions of the grid together, then
// in each alone for which that was computed.
type Losses struct {
	Model  model.Model
	Grid   score.Grid
	Suite  string // name
	Layers []LossLayer
	// Notes say what the numbers do not tell: regions that hold nothing, convolutions that are left
	// alone.
	Notes []string
}

// LossLayer is what deleting regions of some convolutions costs; Number is 0 for all of the grid
// together.
type LossLayer struct {
	score.Layer
	Name string
}

// newLosses joins what a diagnosis knows with the layers.
func newLosses(d Row, layers []score.Layer) Losses {
	l := Losses{Model: d.Model, Grid: d.Grid, Suite: d.SuiteName}
	all := LossLayer{Layer: d.Layer(model.FeatureMap{}), Name: "all layers"}
	switch masks, err := d.Masks(); {
	case err != nil:
	case len(masks.Layers) > 0 || masks.Auto:
		all.Name = score.MasksText(masks)
	case masks.AfterBatchNorm:
		all.Name = fmt.Sprintf("%s, after batch-norm", all.Name)
	}
	l.Layers = append(l.Layers, all)
	for _, one := range layers {
		name := fmt.Sprintf("layer %d", one.Number)
		if one.AfterBatchNorm {
			name = fmt.Sprintf("%s, after batch-norm", name)
		}
		l.Layers = append(l.Layers, LossLayer{one, name})
	}
	return l
}

// note adds what the model's file says: regions that hold nothing, and convolutions that are left
// alone.
func (l *Losses) note(maps []model.FeatureMap, leftAlone []int) {
	for _, m := range maps {
		if m.Small {
			l.Notes = append(l.Notes, fmt.Sprintf("layer %d with its maps of %d × %d is left out", m.Number, m.Height, m.Width))
		}
		if len(m.Empty) > 0 {
			l.Notes = append(l.Notes, fmt.Sprintf("layer %d has maps of %d × %d: regions %s hold nothing there", m.Number, m.Height, m.Width, numbers(m.Empty)))
		}
	}
	if len(leftAlone) > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("layers %s have no maps of two dimensions and are left alone", numbers(leftAlone)))
	}
}

// Loss are the percentage points of accuracy lost per region.
func (l LossLayer) Loss() []float64 {
	list := make([]float64, len(l.Variants))
	for k, v := range l.Variants {
		list[k] = 100 * (l.Original - v)
	}
	return list
}

// FreeText is "5 of 9".
func (l LossLayer) FreeText(tolerance float64) string {
	if !l.Reason.None() {
		return present.None
	}
	return fmt.Sprintf("%d of %d", len(l.Free(tolerance)), len(l.Variants))
}

// missing are the numbers of the convolutions that were not computed alone.
func (l Losses) missing() []int {
	var list []int
	for n := 1; n <= len(l.Model.Graph.Convs); n++ {
		if !slices.ContainsFunc(l.Layers, func(one LossLayer) bool { return one.Number == n && one.Reason.None() }) {
			list = append(list, n)
		}
	}
	return list
}

// Hint says in a sentence what the regions that nothing is lost with may be good for.
func (l Losses) Hint(tolerance float64) string {
	all := l.Layers[0]
	free, n := len(all.Free(tolerance)), len(all.Variants)
	most := LossLayer{}
	for _, one := range l.Layers[1:] {
		if len(one.Free(tolerance)) > len(most.Free(tolerance)) {
			most = one
		}
	}
	var text string
	switch {
	case n == 0:
		return ""
	case free == 0 && len(most.Free(tolerance)) == 0:
		return fmt.Sprintf("No region can be deleted %s: every part of the feature maps is used.", toleranceText(tolerance))
	case free == 0:
		text = fmt.Sprintf("No region can be deleted from %s %s.", all.Name, toleranceText(tolerance))
	default:
		text = fmt.Sprintf("%d of %d regions can be deleted from %s %s, each alone.", free, n, all.Name, toleranceText(tolerance))
	}
	if k := len(most.Free(tolerance)); k > 0 {
		text = fmt.Sprintf("%s Of single layers, %s has the most such regions, %d of %d.", text, most.Name, k, n)
	}
	if len(l.Layers) == 1 && len(l.missing()) > 1 {
		text = fmt.Sprintf("%s In which layers, computing each layer alone tells.", text)
	}
	return fmt.Sprintf("%s This hints that a smaller network may do: a region is 1/%d of what a convolution computes.", text, n)
}

// tolerances are what can be chosen as no loss, as shares.
var tolerances = []float64{0, 0.005, 0.01}

// toleranceOptions are the menu of tolerances.
func toleranceOptions() []widget.Option {
	list := make([]widget.Option, len(tolerances))
	for k, t := range tolerances {
		list[k] = widget.Option{Key: toleranceKey(t), Name: present.ByCount(int(100*t), "%s point", "%s points", strconv.FormatFloat(100*t, 'g', -1, 64))}
	}
	return list
}

func toleranceKey(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) }

func toleranceText(t float64) string {
	if t == 0 {
		return "without any loss"
	}
	return present.ByCount(int(100*t), "at a loss of at most %s point", "at a loss of at most %s points", strconv.FormatFloat(100*t, 'g', -1, 64))
}

// validTolerance is a tolerance that can be chosen: the usual one for any other.
func validTolerance(t float64) float64 {
	if slices.Contains(tolerances, t) {
		return t
	}
	return score.Defaults().Tolerance
}

// fixedLossColumns are the columns before those of the regions: convolution, tensor, accuracy,
// regions without loss.
const fixedLossColumns = 4

// Titles are the headings of the table of layers.
func (l Losses) Titles() []string {
	list := []string{"deleted in", "tensor", "accuracy", "no loss in"}
	for region := range l.Grid.N * l.Grid.N {
		list = append(list, fmt.Sprintf("region %d", region+1))
	}
	return list
}

// Cell is a cell of the table of layers; a region that nothing is lost with has a tick.
func (l Losses) Cell(row, col int, tolerance float64) string {
	if row < 0 || row >= len(l.Layers) {
		return ""
	}
	one := l.Layers[row]
	switch col {
	case 0:
		return one.Name
	case 1:
		return one.Tensor
	case 2:
		if !one.Reason.None() {
			return one.Reason.Text
		}
		return present.Percent(one.Original)
	case 3:
		return one.FreeText(tolerance)
	}
	k := col - fixedLossColumns
	if k >= len(one.Variants) {
		return ""
	}
	text := points(one.Original - one.Variants[k])
	if k >= len(one.Intervals) {
		return text
	}
	text += "  (" + points(one.Intervals[k].Low) + ".." + points(one.Intervals[k].High) + ")"
	if slices.Contains(one.Free(tolerance), k+1) {
		return "✓ " + text
	}
	return text
}

// Line is everything about a region of a layer in one line.
func (l LossLayer) Line(region int, tolerance float64) string {
	if region < 1 || region > len(l.Variants) {
		return ""
	}
	text := fmt.Sprintf("%s, region %d: deleting it costs %s points", l.Name, region, points(l.Original-l.Variants[region-1]))
	if region <= len(l.Intervals) {
		in := l.Intervals[region-1]
		text = fmt.Sprintf("%s (%s to %s)", text, points(in.Low), points(in.High))
	}
	if slices.Contains(l.Free(tolerance), region) {
		text = fmt.Sprintf("%s: nothing is lost", text)
	}
	return text
}

// sheet is the table for a file, a row per layer and region.
func (l Losses) sheet(tolerance float64) *result.Sheet {
	list := make([]score.Layer, len(l.Layers))
	for k, one := range l.Layers {
		list[k] = one.Layer
	}
	return score.LayerRegions.Sheet(score.LayerRegionsOf(list, tolerance))
}
