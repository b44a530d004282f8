package findings

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/widget"
)

// OverDistance is accuracy in the scenes by their distance: the mean of all models with their
// spread, and one model alone.
func (v *View) OverDistance() widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("Accuracy over semantic distance, scenes of %s", v.Selection.Name), Note: v.Caption(),
		XName: "semantic distance of the scene", YName: "accuracy in scenes", High: 1.02,
		Empty: "the targets have no labels, so that no prediction is right or wrong",
	}
	all := widget.Series{Name: modelsName(len(v.Rows))}
	for k := range intervals {
		var values []float64
		for _, r := range v.Rows {
			if a := r.Distance[k].Accuracy(); !math.IsNaN(a) {
				values = append(values, a)
			}
		}
		if len(values) > 0 {
			mean, sd := stat.PopMeanStdDev(values, nil)
			all.X, all.Y, all.Spread = append(all.X, middle(v.Rows[0], k)), append(all.Y, mean), append(all.Spread, sd)
		}
	}
	if len(all.X) == 0 {
		return d
	}
	d.Series = []widget.Series{all}
	if r, ok := v.Selected(); ok {
		own := widget.Series{Name: r.Model.ID}
		for k, b := range r.Distance {
			if a := b.Accuracy(); !math.IsNaN(a) {
				own.X, own.Y = append(own.X, middle(r, k)), append(own.Y, a)
			}
		}
		d.Series = append(d.Series, own)
	}
	return d
}

func modelsName(n int) string {
	if n == 1 {
		return "1 model"
	}
	return fmt.Sprintf("mean and SD of %s", result.Counted(n, "model"))
}

func middle(r Row, k int) float64 { return (r.Distance[k].From + r.Distance[k].To) / 2 }

// distanceRow is the accuracy of a model in an interval of distances.
type distanceRow struct {
	Model model.Model
	scenes.DistanceBin
}

// distanceRows are those of all models.
func (v *View) distanceRows() (list []distanceRow) {
	for _, r := range v.Rows {
		for _, b := range r.Distance {
			list = append(list, distanceRow{r.Model, b})
		}
	}
	return list
}

// distanceTable is accuracy by distance of all models.
var distanceTable = result.Table[distanceRow]{
	Name: "accuracy-over-distance", Title: "Accuracy over distance", Noun: "interval",
	ID: func(r distanceRow) string { return r.Model.Hash + result.Number.Write(r.From) },
	Columns: []result.Column[distanceRow]{
		result.Texts("model_id", "model", "", func(r distanceRow) string { return r.Model.ID }),
		result.Texts("model_hash", "hash", "", func(r distanceRow) string { return r.Model.Hash }),
		result.Numbers("from", "from", "semantic distance", result.Number, func(r distanceRow) float64 { return r.From }),
		result.Numbers("to", "to", "semantic distance", result.Number, func(r distanceRow) float64 { return r.To }),
		result.Counts("composites", "composites", "in the interval", func(r distanceRow) int { return r.Composites }),
		result.Counts("right", "right", "that are classified rightly", func(r distanceRow) int { return r.Right }),
		result.Numbers("accuracy", "accuracy", "share of them", result.Share,
			func(r distanceRow) float64 { return r.Accuracy() }),
	},
}

// Shares is how far the matrices of a share of the targets lie from that of all (B3).
type Shares struct {
	Model   string // id
	Measure background.Measure
	Effects [][]scatter.ShareEffect // by interpolant, then share
}

// shares measures a model.
func shares(ctx context.Context, ws *store.Workspace, selection string, m model.Model, measure background.Measure, p engine.Progress) (Shares, error) {
	s := Shares{Model: m.ID, Measure: measure}
	e, reason, err := background.Read(ctx, ws, m, selection)
	if err != nil {
		return s, err
	}
	cloud, ok := e.Clouds[measure]
	if !ok {
		if reason == "" {
			reason = e.Absent[measure]
		}
		return s, fmt.Errorf("%s: %s", m.ID, reason)
	}
	s.Effects, err = scatter.ByShare(ctx, cloud, scatter.DefaultRaster, scatter.Interpolants(),
		scatter.Sampling{Shares: scatter.Shares(), Draws: scatter.DefaultDraws, Seed: 1}, p)
	return s, err
}

// Chart draws it.
func (s Shares) Chart() widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("Share of the targets, %s of %s", string(s.Measure),
			s.Model), Note: fmt.Sprintf("mean and SD of %d draws", scatter.DefaultDraws),
		XName: "share of the targets", XUnit: "%", YName: "difference from the matrix of all targets",
		Empty: "not measured yet: matrices of 100, 75, 50, 25, 10 and 5 % of the targets, each drawn ten times",
	}
	for i, effects := range s.Effects {
		one := widget.Series{Name: scatter.Interpolants()[i].Name()}
		for _, e := range slices.Backward(effects) {
			one.X, one.Y, one.Spread = append(one.X, 100*e.Share), append(one.Y, e.Mean), append(one.Spread, e.Std)
		}
		d.Series = append(d.Series, one)
	}
	return d
}

// Runs is how far the matrices of runs with different seeds lie apart (B4).
type Runs struct {
	Model   string // id
	Measure background.Measure
	List    []background.Repeats
	Asked   int // selections that could be compared
}

// Bars draws it.
func (r Runs) Bars() widget.BarsData {
	d := widget.BarsData{Empty: "not compared yet: matrices of selections whose settings differ by the seed alone"}
	if r.Model != "" {
		d.Empty = "nothing to compare: it takes two selections of these targets whose settings differ by the seed alone, and runs in both"
	}
	d.Title = fmt.Sprintf("Runs with different seeds, %s of %s", string(r.Measure), r.Model)
	d.XName = "root mean square difference, mean and SD of the pairs"
	var ways []string
	for _, one := range r.List {
		if !slices.Contains(ways, one.Way) {
			ways = append(ways, one.Way)
		}
	}
	for _, p := range scatter.Interpolants() {
		for _, one := range r.List {
			if one.Interpolant != p {
				continue
			}
			_, sd := stat.PopMeanStdDev(one.Pairs, nil)
			name := fmt.Sprintf("%s, %s", p.Name(), one.Way)
			d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: name, To: one.Mean, Spread: sd, Text: result.Number.Say(one.Mean, 0), Tone: render.Tone(slices.Index(ways, one.Way) % tones)})
			d.Hints = append(d.Hints, fmt.Sprintf("%s: %s, difference %s, SD %s", name,
				result.Counted(len(one.Selections), "selection"), result.Number.Say(one.Mean, 0), result.Number.Say(sd, 0)))
		}
	}
	return d
}

// tones are the colours that tell ways of choosing apart.
const tones = 3
