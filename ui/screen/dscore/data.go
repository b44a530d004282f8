package dscore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Row is the D-Score of one model on the suite with one grid.
type Row = score.Diagnosis

// Data is what was diagnosed on one suite. It is immutable.
type Data struct {
	Models []model.Model
	Suites []suite.Manifest
	Suite  suite.Manifest // without a hash: there is none
	// Grids can be chosen, Usual is the one that speaks for the models. Wanted is the chosen one,
	// which Rows has too where its masks are those of single layers; zero for Usual.
	Grids         []score.Grid
	Usual, Wanted score.Grid
	Rows          []Row // of all grids whose masks are of all layers, and of the wanted one
	Left          []Lack
	Colours       *render.Map // of what is not signed
}

// Settings are what is shown and how; the workspace remembers them.
type Settings struct {
	Suite       string     `json:"suite,omitempty"` // content hash; "" for the current one
	Grid        score.Grid `json:"grid"`            // zero for the usual one
	Columns     []string   `json:"columns"`         // of the training records; nil for those that are usual
	NoIntervals bool       `json:"no_intervals,omitempty"`
	Tolerance   float64    `json:"tolerance"` // of accuracy lost, a share
}

// keySettings is the workspace setting that remembers them, settingMap the one with the name of
// the colour map.
const keySettings, settingMap = "dscore.settings", evidence.SettingMap

// Lack is what has no score for one reason: models with one grid.
type Lack struct {
	Models []string // ids
	Hashes []string
	Grid   score.Grid
	Reason result.Reason
	Sets   []string // what a run of would end it; empty where none helps
}

// lacks joins models that lack the same for the same reason, in the order in which they are met. A
// model without any convolution lacks something that no run brings.
func lacks(left []score.LeftOut, models []model.Model) []Lack {
	plain := map[string]bool{}
	for _, m := range models {
		plain[m.Hash] = len(m.Graph.Convs) == 0
	}
	type kind struct {
		grid         score.Grid
		reason, sets string
	}
	var list []Lack
	at := map[kind]int{}
	for _, l := range left {
		if plain[l.Hash] && len(l.Sets) > 0 {
			l.Sets, l.Reason = nil, noConvolution
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
		return fmt.Sprintf("%s: %s…", present.Counted(int64(n), "model"), strings.Join(l.Models[:few], ", "))
	}
}

// Why is the reason for people.
func (l Lack) Why() string { return l.Reason.Text }

// Runs are what ends the lack.
func (l Lack) Runs(suiteHash string) []Run {
	var list []Run
	for _, set := range l.Sets {
		list = append(list, Run{Models: l.Hashes, Suite: suiteHash, Set: set})
	}
	return list
}

// read diagnoses all models on the suite of the settings. It is slow (files) unless the results
// are kept.
func read(ctx context.Context, from Store, s Settings, p engine.Progress) (d Data, err error) {
	if d.Models, err = from.Models(); err != nil {
		return d, err
	}
	if d.Suites, err = from.Suites(); err != nil {
		return d, err
	}
	name := evidence.DefaultMap
	if _, err := from.Setting(settingMap, &name); err != nil {
		return d, err
	}
	d.Colours, _ = render.MapByName(name)
	hash, err := d.choose(from, s.Suite)
	if err != nil || hash == "" || len(d.Models) == 0 {
		return d, err
	}
	if d.Suite, err = from.Suite(hash); err != nil {
		return d, err
	}
	if d.Grids, err = from.Available(hash); err != nil || len(d.Grids) == 0 {
		return d, err
	}
	if d.Usual, _, err = from.Usual(hash); err != nil {
		return d, err
	}
	if slices.Contains(d.Grids, s.Grid) {
		d.Wanted = s.Grid
	}
	rows, left, err := from.Diagnose(ctx, diagnosis.Ask{Suites: []string{hash}, Grids: d.asked()}, p)
	d.Rows, d.Left = rows, lacks(left, d.Models)
	return d, err
}

// choose is the suite with a hash, else the current one, else the first on which something was
// computed, else the first of all; "" without any. The current one comes second only as long as
// nothing was computed on it and something on another.
func (d Data) choose(from Store, wanted string) (string, error) {
	if d.manifest(wanted).Hash != "" {
		return wanted, nil
	}
	current, err := from.Current()
	if err != nil || len(d.Suites) == 0 {
		return "", err
	}
	first := cmp.Or(d.manifest(current.Suite).Hash, d.Suites[0].Hash)
	for _, hash := range append([]string{first}, hashes(d.Suites)...) {
		grids, err := from.Available(hash)
		if err != nil {
			return "", err
		}
		if len(grids) > 0 {
			return hash, nil
		}
	}
	return first, nil
}

func hashes(suites []suite.Manifest) []string {
	list := make([]string, len(suites))
	for k, s := range suites {
		list[k] = s.Hash
	}
	return list
}

// asked are the grids that are diagnosed: single layers are the business of what would be lost,
// unless one is chosen.
func (d Data) asked() []score.Grid {
	var list []score.Grid
	for _, g := range d.Grids {
		if ofAllLayers(g) || g == d.Wanted || g == d.Usual {
			list = append(list, g)
		}
	}
	return list
}

// Grid is the grid that is looked at.
func (d Data) Grid() score.Grid { return cmp.Or(d.Wanted, d.Usual) }

func (d Data) manifest(hash string) suite.Manifest {
	for _, s := range d.Suites {
		if s.Hash == hash {
			return s
		}
	}
	return suite.Manifest{}
}

// labelled tells whether an image of the suite has a class.
func (d Data) labelled() bool {
	return slices.ContainsFunc(d.Suite.Labels, func(l int) bool { return l >= 0 })
}

// withConvolution are the models that masks can do something to.
func (d Data) withConvolution() []model.Model {
	return slices.DeleteFunc(slices.Clone(d.Models), func(m model.Model) bool { return len(m.Graph.Convs) == 0 })
}

// usualColumns are the columns of the training records that tell variants of one network apart:
// what they are called in the records that come with the program.
func usualColumns(has []string) []string {
	var list []string
	for _, name := range []string{"group", "architecture", "augmentation"} {
		if slices.Contains(has, name) {
			list = append(list, name)
		}
	}
	return list
}

// Run is a run that the screen wants: models under a set on a suite.
type Run struct {
	Models     []string // hashes
	Suite, Set string
}
