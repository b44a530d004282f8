package dscore

import (
	"context"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// Row is the D-Score of one model on the suite with one grid.
type Row = score.Diagnosis

// Data is what was diagnosed on one suite. It is immutable.
type Data struct {
	Models []model.Model
	Suites []suite.Manifest
	Suite  suite.Manifest // without a hash: there is none
	Grids  []score.Grid   // that can be chosen
	Grid   score.Grid     // the one that is looked at; zero without any
	// Rows are of all grids whose masks are of all layers, and of the one that is looked at.
	Rows    []Row
	Left    []Lack
	Colours *render.Map // of what is not signed

	average suite.Image // of the suite, empty without one
	picture image.Image // the same as it is shown, nil without one
	problem error       // why there is none, nil while all is well
	at      int         // Screen.Version before it was read; -1 for a part
}

// Lack is what has no score for one reason: models with one grid.
type Lack struct {
	Models []string // ids
	Hashes []string
	Grid   score.Grid
	Reason result.Reason
	Sets   []string // what a run of would end it; empty where none helps
}

// lacks joins models that lack the same for the same reason, in the order in which they are met. A
// model without the convolutions that lose regions lacks something that no run brings.
func lacks(left []score.LeftOut, models []model.Model) []Lack {
	convolutions := map[string]int{}
	for _, m := range models {
		convolutions[m.Hash] = len(m.Graph.Convs)
	}
	type kind struct {
		grid         score.Grid
		reason, sets string
	}
	var list []Lack
	at := map[kind]int{}
	for _, l := range left {
		masks, err := l.Grid.Masks()
		switch has, known := convolutions[l.Hash]; {
		case !known || err != nil || len(l.Sets) == 0:
		case has == 0:
			l.Sets, l.Reason = nil, noConvolution
		case len(masks.Layers) > 0 && slices.Max(masks.Layers) > has:
			l.Sets, l.Reason = nil, result.Because(score.NoConvolution, "it has no layer %d: it has %s",
				slices.Max(masks.Layers), result.Counted(has, "convolution"))
		}
		key := kind{l.Grid, l.Reason.Text, strings.Join(l.Sets, "|")}
		k, ok := at[key]
		if !ok {
			k = len(list)
			at[key] = k
			list = append(list, Lack{Grid: l.Grid, Reason: l.Reason, Sets: l.Sets})
		}
		list[k].Models, list[k].Hashes = append(list[k].Models, l.ID), append(list[k].Hashes, l.Hash)
	}
	return list
}

// noConvolution is the reason of a model whose file has no convolution.
var noConvolution = result.Because(score.NoConvolution,
	"it has no convolution: there are no feature maps to delete regions of")

// Name is the model, or how many there are with the first ones.
func (l Lack) Name() string {
	const few = 3
	switch n := len(l.Models); {
	case n <= few:
		return strings.Join(l.Models, ", ")
	default:
		return fmt.Sprintf("%s: %s…", result.Counted(n, "model"), strings.Join(l.Models[:few], ", "))
	}
}

// String is what is lacking, and why.
func (l Lack) String() string { return l.Name() + ": " + l.Reason.Text }

// Runs are what ends the lack.
func (l Lack) Runs(suiteHash string) []kit.Run {
	var list []kit.Run
	for _, set := range l.Sets {
		list = append(list, kit.Run{Models: l.Hashes, Suite: suiteHash, Family: set})
	}
	return list
}

// read diagnoses all models on the current suite, or the first one where none is chosen. It is slow
// (files) unless the results are kept.
func read(ctx context.Context, from *store.Workspace, o Shown, p engine.Progress) (d Data, err error) {
	d.at = -1
	if d.Models, err = from.Models(); err != nil {
		return d, err
	}
	if d.Suites, err = from.Suites(); err != nil {
		return d, err
	}
	name := evidence.DefaultMap
	if _, err := from.Setting(evidence.SettingMap, &name); err != nil {
		return d, err
	}
	d.Colours, _ = render.MapByName(name)
	current, err := from.Current()
	if err != nil || len(d.Suites) == 0 || len(d.Models) == 0 {
		return d, err
	}
	at := slices.IndexFunc(d.Suites, func(s suite.Manifest) bool { return s.Hash == current.Suite })
	hash := d.Suites[max(0, at)].Hash
	if d.Suite, err = from.Suite(hash); err != nil {
		return d, err
	}
	if d.Grids, err = diagnosis.Available(from, hash); err != nil || len(d.Grids) == 0 {
		return d, err
	}
	if d.Grid, _, err = diagnosis.Usual(from, hash, nil); err != nil {
		return d, err
	}
	asked := slices.DeleteFunc(slices.Clone(d.Grids), func(g score.Grid) bool {
		// single layers are the business of what would be lost
		return !ofAllLayers(g) && gridKey(g) != o.Regions && g != d.Grid
	})
	d.Grid = d.grid(o.Regions)
	rows, left, err := diagnosis.Diagnose(ctx, from, diagnosis.Ask{Suites: []string{hash}, Grids: asked}, p)
	d.Rows, d.Left = rows, lacks(left, d.Models)
	return d, err
}

// averageImages is how many images of a suite an average is made of at most: more change no pixel
// that could be seen.
const averageImages = 4096

// gridKey names a grid among options.
func gridKey(g score.Grid) string { return strings.TrimSpace(g.Mask + " " + g.Shift) }

// grid is the one with a key, or the one that is looked at where there is none.
func (d Data) grid(key string) score.Grid {
	for _, g := range d.Grids {
		if gridKey(g) == key {
			return g
		}
	}
	return d.Grid
}

// of are the data with the options, where they have what these ask for.
func (d Data) of(o Shown) (Data, bool) {
	d.Grid = d.grid(o.Regions)
	there := slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Grid == d.Grid })
	return d, there && o.Regions == gridKey(d.Grid)
}

// rows are those of the grid that is looked at, by name.
func (d Data) rows() []Row {
	rows := slices.DeleteFunc(slices.Clone(d.Rows), func(r Row) bool { return r.Grid != d.Grid })
	slices.SortStableFunc(rows, func(a, b Row) int { return result.Natural(a.Model.ID, b.Model.ID) })
	return rows
}

// line says what is shown.
func (d Data) line() string {
	rows := d.rows()
	text := result.Counted(len(rows), "model")
	for _, r := range rows {
		if why := r.NoInterval(); !why.None() {
			return fmt.Sprintf("%s; scores have no intervals: %s", text, why)
		}
	}
	return text
}

// labelled tells whether an image of the suite has a class.
func (d Data) labelled() bool {
	return slices.ContainsFunc(d.Suite.Labels, func(l int) bool { return l >= 0 })
}

// withConvolution are the models that masks can do something to.
func (d Data) withConvolution() []model.Model {
	return slices.DeleteFunc(slices.Clone(d.Models), func(m model.Model) bool { return len(m.Graph.Convs) == 0 })
}

// csvOf writes a sheet, which is made in the background, as the commands do.
func csvOf(sheet func() *result.Sheet) func(w io.Writer) error {
	return func(w io.Writer) error { return sheet().CSV(w, false) }
}

// numbers are whole numbers with commas between them.
func numbers(list []int) string {
	texts := make([]string, len(list))
	for k, n := range list {
		texts[k] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// ofAllLayers tells whether a grid's masks delete regions of the convolutions together.
func ofAllLayers(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0
}

// takesSmall tells whether a grid's masks delete regions of all convolutions, those with maps
// smaller than n x n too.
func takesSmall(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0 && !masks.Auto
}

// behindNorm tells whether a grid's masks lie behind batch-norm.
func behindNorm(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && masks.AfterBatchNorm
}

// mapsOf is what masks do to a model's file, nil where it is not here or nobody can look. It is
// slow (files).
func (s *Screen) mapsOf(d Row) (maps []model.FeatureMap, leftAlone []int, err error) {
	if s.maps == nil || !s.store.HasFile(d.Model.Hash) {
		return nil, nil, nil
	}
	return diagnosis.Maps(s.store, d.Model, d.Suite, d.Grid, s.maps)
}
