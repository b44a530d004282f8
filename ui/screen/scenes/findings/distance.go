package findings

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// overDistance is the accuracy of all models by the distance of scenes.
func (v *View) overDistance() (list []scenes.ModelDistance) {
	for _, r := range v.Rows {
		for _, b := range r.Distance {
			list = append(list, scenes.ModelDistance{Model: r.Model, Selection: v.Selection.Name, DistanceBin: b})
		}
	}
	return list
}

// Shares is how far the matrices of a share of the targets lie from that of all (B3).
type Shares struct {
	Model   string // id
	Measure background.Measure
	Effects [][]scatter.ShareEffect // by interpolant, then share
}

// shares measures a model.
func shares(ctx context.Context, ws *store.Workspace, selection string, m model.Model, measure background.Measure,
	p engine.Progress,
) (Shares, error) {
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

// Runs is how far the matrices of runs with different seeds lie apart (B4).
type Runs struct {
	Model   string // id
	Measure background.Measure
	List    []background.Repeats
	Of      []string // names of the selections that the model ran in
}

// Bars draws it.
func (r Runs) Bars() result.Figure {
	d := result.Figure{
		Title: fmt.Sprintf("Runs with different seeds, %s of %s", string(r.Measure), r.Model),
		Empty: "not compared yet: matrices of selections whose settings differ by the seed alone",
		X:     result.Axis{Name: "root mean square difference, mean and SD of the pairs", Format: result.Number},
	}
	if r.Model != "" {
		d.Empty = "nothing to compare: it takes two selections of these targets whose settings differ by the seed " +
			"alone, and runs in both"
	}
	way := func(name string) int {
		return slices.IndexFunc(d.Groups, func(g result.Group) bool { return g.Name == name })
	}
	for _, one := range r.List {
		if way(one.Way) < 0 {
			d.Groups = append(d.Groups, result.Group{Name: one.Way, Look: result.Category(len(d.Groups))})
		}
	}
	for _, p := range scatter.Interpolants() {
		for _, one := range r.List {
			if one.Interpolant != p {
				continue
			}
			_, sd := stat.PopMeanStdDev(one.Pairs, nil)
			name := fmt.Sprintf("%s, %s", p.Name(), one.Way)
			line := fmt.Sprintf("%s: %s, difference %s, SD %s", name,
				result.Counted(len(one.Selections), "selection"), result.Number.Say(one.Mean, 0),
				result.Number.Say(sd, 0))
			bar := d.AddBar(name, result.Number.Say(one.Mean, 0), line, 0, one.Mean, way(one.Way))
			bar.Low, bar.High = one.Mean-sd, one.Mean+sd
		}
	}
	return d
}
