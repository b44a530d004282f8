package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/predictions"
)

// methods are what is measured of models beside their matrices: tables and figures of a section are
// those that the method's package declares.
var methods = []section[*gathering]{
	{"Effective invariance", (*gathering).invariance},
	{"Calibration", (*gathering).calibration},
	{"Ranking", (*gathering).ranking},
	{"D-Score", (*gathering).dscore},
	{"Background invariance", (*gathering).background},
}

// addMethods adds the sections of the methods that have measured the models on the suite.
func (g *gathering) addMethods(ctx context.Context, d *Document, level int) error {
	for k := range methods {
		if g.view.known {
			if err := addAll(ctx, d, level, g, methods[k:k+1]); err != nil {
				return err
			}
		}
		g.progress.Add(1)
	}
	return nil
}

// told are the columns that say what the report says above: its suite, and a model that is alone.
func (g *gathering) told() []string {
	if len(g.q.Models) == 1 {
		return []string{"suite", "model_id"}
	}
	return []string{"suite"}
}

// invariance is the effective invariance under the report's family and the sets of the paper: as
// studies against accuracy where there are models enough, else over the transformations.
func (g *gathering) invariance(ctx context.Context) ([]Block, error) {
	v := g.view
	families := append([]string{v.family}, evaluate.Usual()...)
	ask := evaluate.Ask{Models: g.q.Models, Suites: []string{v.suite.Hash}, Families: families}
	measured, left, err := evaluate.Measure(ctx, g.ws, ask, nil)
	if err != nil || len(measured) == 0 {
		return nil, err
	}
	asked := invariance.Asked{Scores: []invariance.Score{invariance.ScoreEI}, Over: invariance.OverModels}
	option.SetDefaults(&asked.Fit)
	studies, err := asked.Studies(ctx, measured, nil)
	if err != nil {
		return nil, err
	}
	studies = slices.DeleteFunc(studies, func(s *invariance.Studied) bool { return !s.Why.None() })
	var drawn []result.Figure
	for _, s := range studies {
		drawn = append(drawn, s.Figure())
	}
	if len(studies) == 0 {
		for _, m := range measured {
			drawn = append(drawn, invariance.Curves()[0].Figure(m))
		}
	}
	var figures Figures
	for _, figure := range drawn {
		if err := figures.Draw(figure, figure.Y.Name+" over "+figure.X.Name+": "+figure.Title); err != nil {
			return nil, err
		}
	}
	left = slices.DeleteFunc(left, func(l invariance.LeftOut) bool {
		return !slices.ContainsFunc(measured, func(m invariance.Measured) bool { return m.Family == l.Family })
	})
	blocks := append([]Block{figures}, Titled(invariance.Studies.Sheet(studies))...)
	blocks = append(blocks, Table{Sheet: invariance.Results.Place(result.FileOnly, g.told()...).Sheet(measured)})
	return append(blocks, Titled(invariance.Lacks.Place(result.FileOnly, "suite").Sheet(invariance.Lacking(left)))...),
		nil
}

// mostDiagrams is of how many models a report shows reliability diagrams.
const mostDiagrams = 12

// calibration is how well the models are calibrated on the images as they are, each by the first of
// the report's family and the sets of the paper that it has signals under.
func (g *gathering) calibration(ctx context.Context) ([]Block, error) {
	if lookup.Labels(g.view.suite) == nil {
		return nil, nil
	}
	var o calibration.Settings
	option.SetDefaults(&o)
	o.Original = true
	var measured []calibration.Measured
	for _, hash := range g.q.Models {
		for _, family := range append([]string{g.view.family}, evaluate.Usual()...) {
			ask := evaluate.Ask{Models: []string{hash}, Suites: []string{g.view.suite.Hash}, Families: []string{family}}
			one, _, err := evaluate.Calibrate(ctx, g.ws, ask, o, nil)
			if err != nil {
				return nil, err
			}
			if measured = append(measured, one...); len(one) > 0 {
				break
			}
		}
	}
	if len(measured) == 0 {
		return nil, nil
	}
	var figures Figures
	for _, m := range measured[:min(len(measured), mostDiagrams)] {
		figure := m.Original().Figure()
		if err := figures.Draw(figure, "accuracy over confidence: "+figure.Title); err != nil {
			return nil, err
		}
	}
	sheet := calibration.Results.Place(result.FileOnly, append(g.told(), "family")...).Sheet(measured)
	blocks := []Block{Table{Sheet: sheet}, figures}
	if n := len(measured); n > mostDiagrams {
		blocks = append(blocks, remarks(fmt.Sprintf("Diagrams of the first %d of %d models.", mostDiagrams, n))...)
	}
	return blocks, nil
}

// ranking ranks the models by what needs no labels, and by what was measured of them.
func (g *gathering) ranking(ctx context.Context) ([]Block, error) {
	v := g.view
	ask := predictions.Ask{Suite: v.suite.Hash, Models: g.q.Models, Given: true, Family: v.family}
	data, left, err := predictions.Gather(ctx, g.ws, ask, engine.NoProgress{})
	reason, err := lookup.Reason(err)
	switch {
	case err != nil:
		return nil, err
	case !reason.None():
		return remarks("The models are not ranked: " + reason.Text), nil
	case data.Check() != nil || data.Identical():
		return nil, nil
	}
	var o rank.Options
	option.SetDefaults(&o)
	for _, m := range []rank.Method{
		rank.LaFMethod, rank.CRC, rank.EI, rank.DScore, rank.RobustAccuracy, rank.MeanVariance,
	} {
		if data.Allows(m) {
			o.Methods = append(o.Methods, m)
		}
	}
	board, err := rank.MakeLeaderboard(ctx, data, o, nil)
	if err != nil {
		return nil, err
	}
	on := &rank.OnSuite{Leaderboard: board, Suite: v.suite.Name, SuiteHash: v.suite.Hash}
	ranks, quality := rank.Ranks.Sheet(rank.RankedOf(on)), rank.Qualities.Sheet(rank.RatedOf(on))
	return append(Titled(ranks, quality), joined(rank.LeftOuts.Sheet(left))...), nil
}

// averaged is how many images of a suite the average below the maps of a D-Score is made of.
const averaged = 2000

// dscore are the D-Scores of all grids that the models were run for.
func (g *gathering) dscore(ctx context.Context) ([]Block, error) {
	v := g.view
	o := dscore.Defaults()
	scores, left, err := diagnosis.Diagnose(ctx, g.ws, diagnosis.Ask{
		Models: g.q.Models, Suites: []string{v.suite.Hash},
		Bootstrap: dscore.BootstrapOptions{Samples: o.Samples, Seed: o.Seed},
	}, nil)
	if err != nil || len(scores) == 0 {
		return nil, err
	}
	image, err := diagnosis.Average(ctx, g.ws, v.suite.Hash, averaged, engine.NoProgress{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // maps stand without it
		image = suite.Image{}
	}
	maps, figures := make([]dscore.Distributions, len(scores)), make(Figures, len(scores))
	for k, d := range scores {
		maps[k] = d.Distributions()
	}
	dscore.ScaleTogether(maps, &render.Viridis)
	for k, m := range maps {
		title := m.Title()
		figures[k] = Figure{
			Caption: title, Alt: "features, attention and their difference over regions: " + title, OwnColours: true,
		}
		if figures[k].Drawing, err = render.RowOnPage(m.Figures(image)); err != nil {
			return nil, err
		}
	}
	blocks := []Block{Table{Sheet: dscore.Scores.Place(result.FileOnly, g.told()...).Sheet(scores)}}
	blocks = append(blocks, remarks(dscore.Notes(scores)...)...)
	if len(scores) == 1 {
		blocks = append(blocks, Titled(dscore.OfOneScore.Sheet(dscore.RegionsOf(scores)))...)
	}
	return append(append(blocks, figures), joined(dscore.LeftOuts.Place(result.FileOnly, "suite").Sheet(left))...), nil
}

// background is what the models did in the scenes of the selections whose targets are the suite,
// with the matrices that the command background matrix makes by default.
func (g *gathering) background(ctx context.Context) ([]Block, error) {
	selections, err := g.ws.Selections()
	if err != nil {
		return nil, err
	}
	var found export.InScenes
	for _, record := range selections {
		for _, m := range g.all {
			if record.Targets != g.view.suite.Hash || !slices.Contains(g.q.Models, m.Hash) {
				continue
			}
			if err := found.Add(ctx, g.ws, m, record, background.ConfMax, background.HeadMax); err != nil {
				return nil, err
			}
		}
	}
	colours, err := g.colourMap(settingFieldMap, &render.Green)
	if err != nil || len(found.Outcomes) == 0 {
		return nil, err
	}
	var o scenes.MatrixOptions
	option.SetDefaults(&o)
	var figures Figures
	for list := range slices.Chunk(found.Matrices, len(scatter.Interpolants())) {
		var tiles []render.Tile
		var names []string
		for _, f := range list {
			matrix := variance.Matrix{N: f.Matrix.R, Data: f.Matrix.Values}
			tiles = append(tiles, render.Tile{Matrix: matrix, Scale: render.FieldScale(o.High, colours)})
			names = append(names, f.Name)
		}
		caption := list[0].Model + " in the scenes of " + list[0].Selection + ", " + list[0].Measure
		figures = append(figures,
			Figure{Drawing: render.Tiles(tiles, names), Caption: caption, Alt: "interpolated matrices of " + caption})
	}
	outcomes := scenes.Outcomes.Place(result.FileOnly, g.told()...)
	matrices := scenes.Matrices.Place(result.FileOnly, g.told()...)
	blocks := append(Titled(outcomes.Sheet(found.Outcomes), matrices.Sheet(found.Matrices)), figures)
	return append(blocks, joined(scenes.LeftOuts.Sheet(found.Left))...), nil
}
