package background

import (
	"context"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
)

// Measuring says which models are measured in the scenes of which selections, and how.
type Measuring struct {
	Workspace  *store.Workspace
	Selections []store.SelectionRecord // with their scenes; matrices of several have common axes
	Models     []model.Model
	Options    background.MatrixOptions
	// Runtime computes the coverage of neurons, where it is asked for.
	Runtime func() (engine.Runtime, error)
	// Keep keeps the evidence, which is large: files and figures are made of it.
	Keep bool
}

// Measured is what was found out about models in the scenes of selections.
type Measured struct {
	Measuring
	Measures []Measure
	Far      float64 // where the axes of all selections end
	Of       []MeasuredModel
	Runs     []background.Repeats // of selections whose settings differ by the seed alone
	Left     []background.LeftOut
}

// MeasuredModel is one model in the scenes of one selection.
type MeasuredModel struct {
	background.InScenes
	Evidence  Evidence // where it was to be kept
	Selection int      // place among the selections
	Matrices  map[Measure][]background.Interpolated
	Distance  []background.DistanceBin            // accuracy by the distance of scenes
	Shares    map[Measure][][]scatter.ShareEffect // by interpolant and share, where they were asked for
}

// Measure reads signals and interpolates, model by model, and compares repeated runs. It is an
// error where no model can be measured. Progress counts models, selection by selection.
func (m Measuring) Measure(ctx context.Context, p engine.Progress) (Measured, error) {
	found := Measured{Measuring: m}
	for _, text := range m.Options.Measures() {
		found.Measures = append(found.Measures, Measure(text))
	}
	for _, s := range m.Selections {
		found.Far = max(found.Far, s.Selection.Far())
	}
	p.SetTotal(int64(len(m.Models) * len(m.Selections)))
	for k := range m.Selections {
		for _, one := range m.Models {
			if err := found.add(ctx, one, k); err != nil {
				return found, err
			}
			p.Add(1)
		}
	}
	if len(found.Of) == 0 {
		left := found.Left[0]
		return found, fmt.Errorf("no model of %s can be measured in the scenes of %s: %s",
			m.Workspace.Path(), left.Selection, left.Reason)
	}
	for _, one := range m.Models {
		for _, measure := range found.Measures {
			found.Runs = append(found.Runs, found.compare(one, measure)...)
		}
	}
	return found, nil
}

// add reads and interpolates a model in the scenes of the k-th selection.
func (f *Measured) add(ctx context.Context, m model.Model, k int) error {
	selection := f.Selections[k]
	e, reason, err := Read(ctx, f.Workspace, m, selection.Hash)
	if err != nil {
		return fmt.Errorf("model %s in the scenes of %s: %w", m.ID, selection.Name, err)
	}
	left := background.LeftOut{Model: m.ID, Hash: m.Hash, Selection: selection.Name, Reason: reason}
	if reason != "" {
		f.Left = append(f.Left, left)
		return nil
	}
	one := MeasuredModel{
		InScenes: e.InScenes(), Selection: k, Matrices: map[Measure][]background.Interpolated{},
		Distance: e.OverDistance(), Shares: map[Measure][][]scatter.ShareEffect{},
	}
	if f.Keep {
		one.Evidence = e
	}
	for _, measure := range f.Measures {
		if _, there := e.Clouds[measure]; !there {
			left.Measure, left.Reason = string(measure), e.Absent[measure]
			f.Left = append(f.Left, left)
			continue
		}
		if err = f.interpolate(ctx, e, measure, &one); err != nil {
			return fmt.Errorf("model %s, %s in the scenes of %s: %w", m.ID, measure, selection.Name, err)
		}
	}
	if f.Options.Coverage {
		rt, err := f.Runtime()
		if err != nil {
			return err
		}
		c, reason, err := Cover(ctx, f.Workspace, rt, m, selection.Hash, 0, engine.NoProgress{})
		if err != nil {
			return err
		}
		if one.Neurons, one.Coverage = c.Neurons, c.Share; reason != "" {
			one.Flags = append(one.Flags, "no coverage: "+reason)
		}
	}
	f.Of = append(f.Of, one)
	return nil
}

// interpolate makes the matrices of a measure: of all targets as the workspace keeps them, else of
// a share of them, or with the common axes of several selections.
func (f *Measured) interpolate(ctx context.Context, e Evidence, measure Measure, one *MeasuredModel) (err error) {
	o, interpolants := f.Options, f.Options.Interpolants()
	cloud := e.Clouds[measure]
	cloud.D = f.Far
	var matrices []scatter.Matrix
	if len(f.Selections) == 1 {
		matrices, err = Matrices(ctx, f.Workspace, e, measure, o.Raster, interpolants)
	} else {
		matrices, err = scatter.Interpolate(ctx, cloud, o.Raster, interpolants)
	}
	var effects [][]scatter.ShareEffect
	sampling := scatter.Sampling{Draws: o.Draws, Seed: o.Seed, Whole: matrices}
	switch {
	case err != nil:
		return err
	case o.Shares:
		one.Shares[measure], err = scatter.ByShare(ctx, cloud, o.Raster, interpolants, sampling, nil)
	case o.Share < 1:
		sampling.Shares = []float64{o.Share}
		effects, err = scatter.ByShare(ctx, cloud, o.Raster, interpolants, sampling, nil)
	}
	if err != nil {
		return err
	}
	cloud = f.sample(cloud)
	for k, by := range interpolants {
		m := matrices[k]
		if effects != nil {
			m = effects[k][0].Example
		}
		made := e.Interpolated(measure, cloud, by, m)
		if effects != nil {
			made.Apart, made.ApartSD = effects[k][0].Mean, effects[k][0].Std
		}
		one.Matrices[measure] = append(one.Matrices[measure], made)
	}
	return nil
}

// sample is the cloud of the share of the targets that is shown.
func (f *Measured) sample(cloud scatter.Cloud) scatter.Cloud {
	if f.Options.Share == 1 {
		return cloud
	}
	return cloud.Of(scatter.Draw(len(cloud.Signals), f.Options.Share, f.Options.Seed, 0))
}

// compare sets the matrices of a model in selections against each other whose settings differ by
// the seed alone (spec section 12, B4).
func (f *Measured) compare(m model.Model, measure Measure) []background.Repeats {
	chosen, names := make([]background.Selection, len(f.Selections)), make([]string, len(f.Selections))
	for k, record := range f.Selections {
		chosen[k], names[k] = record.Selection, record.Name
	}
	matrices := make([][]scatter.Matrix, len(f.Selections))
	for _, one := range f.Of {
		for _, made := range one.Matrices[measure] {
			if one.Model.Hash == m.Hash {
				matrices[one.Selection] = append(matrices[one.Selection], made.Matrix)
			}
		}
	}
	of := background.Repeats{Model: m.ID, Hash: m.Hash, Measure: string(measure)}
	return background.Compare(of, background.Ways(chosen), names, f.Options.Interpolants(), matrices)
}

// Outcomes are what the models did in the scenes.
func (f Measured) Outcomes() (list []background.InScenes) {
	for _, one := range f.Of {
		list = append(list, one.InScenes)
	}
	return list
}

// Interpolated are all matrices, model by model.
func (f Measured) Interpolated() (list []background.Interpolated) {
	for _, one := range f.Of {
		for _, measure := range f.Measures {
			list = append(list, one.Matrices[measure]...)
		}
	}
	return list
}

// OverDistance is the accuracy of all models by the distance of scenes.
func (f Measured) OverDistance() (list []background.ModelDistance) {
	for _, one := range f.Of {
		for _, b := range one.Distance {
			list = append(list, background.ModelDistance{
				Model: one.Model, Selection: one.InScenes.Selection, DistanceBin: b,
			})
		}
	}
	return list
}

// ByShare is how far the matrices of shares of the targets lie from those of all, where it was
// asked for.
func (f Measured) ByShare() (list []background.ShareOf) {
	for _, one := range f.Of {
		for _, measure := range f.Measures {
			for k, effects := range one.Shares[measure] {
				for _, effect := range effects {
					list = append(list, background.ShareOf{Interpolated: one.Matrices[measure][k], ShareEffect: effect})
				}
			}
		}
	}
	return list
}

// Remarks say what is absent, flagged or left out.
func (f Measured) Remarks() (lines []string) {
	for _, one := range f.Of {
		for _, measure := range f.Measures {
			for _, made := range one.Matrices[measure] {
				if made.Undefined > 0 {
					lines = append(lines,
						fmt.Sprintf("%s, %s, %s: %d elements have no value and the matrix no features",
							made.Model, made.Measure, made.Name, made.Undefined))
				}
			}
		}
		if len(one.Flags) > 0 {
			lines = append(lines, one.Model.ID+": "+strings.Join(one.Flags, ", "))
		}
	}
	return append(lines, background.Lacking(f.Left)...)
}
