package invariance

import (
	"cmp"
	"context"
	"slices"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/study"
	"github.com/variscope/variscope/ui/widget"
)

// Store is what the screen needs of a workspace; Of gives one.
type Store interface {
	Current() (store.Current, error)
	Models() ([]model.Model, error)
	Suites() ([]suite.Manifest, error)
	Suite(hash string) (suite.Manifest, error)
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	OpenComposites(ctx context.Context, selection string) (*scenes.Composites, error)
	SetSummary(key string) (store.Summary, bool, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
	Subscribe(func(store.Change)) (cancel func())
	Measure(ctx context.Context, ask study.Ask, p engine.Progress) ([]measure.Measured, []measure.LeftOut, error)
	PerImage(ctx context.Context, key string, visit func(image, transformation int, v measure.Values)) error
}

// Of makes a workspace into a Store.
func Of(ws *store.Workspace) Store { return workspace{ws} }

type workspace struct{ *store.Workspace }

// OpenComposites implements Store.
func (w workspace) OpenComposites(ctx context.Context, selection string) (*scenes.Composites, error) {
	return scenes.OpenContext(ctx, w.Workspace, selection)
}

// Measure implements Store.
func (w workspace) Measure(ctx context.Context, ask study.Ask, p engine.Progress) ([]measure.Measured, []measure.LeftOut, error) {
	return study.Measure(ctx, w.Workspace, ask, p)
}

// PerImage implements Store.
func (w workspace) PerImage(ctx context.Context, key string, visit func(image, transformation int, v measure.Values)) error {
	return study.PerImage(ctx, w.Workspace, key, visit)
}

// Data is what was measured in a workspace. It is immutable.
type Data struct {
	Current store.Current
	Models  []model.Model
	Suites  []suite.Manifest
	Rows    []Row
	Left    []measure.Lack
}

// Row is one model on one suite under one family or set, with names for people.
type Row struct {
	measure.Measured
	FamilyName string // "rotation -15..15 step 1", "rot90"
}

// read measures everything that has signals. It is slow (files) unless the results are kept.
func read(ctx context.Context, from Store, p engine.Progress) (d Data, err error) {
	if d.Current, err = from.Current(); err != nil {
		return d, err
	}
	if d.Models, err = from.Models(); err != nil {
		return d, err
	}
	if d.Suites, err = from.Suites(); err != nil {
		return d, err
	}
	measured, left, err := from.Measure(ctx, study.Ask{}, p)
	if err != nil {
		return d, err
	}
	d.Left = measure.Lacking(left)
	for _, m := range measured {
		d.Rows = append(d.Rows, Row{Measured: m, FamilyName: familyName(m.Family)})
	}
	return d, nil
}

// familyName is a family or set as people read it; what cannot be read stays as it is.
func familyName(text string) string {
	f, err := transform.ParseAny(text)
	if err != nil {
		return text
	}
	return f.Short()
}

// suiteChoices are the suites that something was measured on, by name; shifted ones follow what they are made from.
func (d Data) suiteChoices() []widget.Option {
	seen := map[string]string{}
	for _, r := range d.Rows {
		seen[r.Suite] = r.SuiteName
	}
	var list []widget.Option
	for hash, name := range seen {
		list = append(list, widget.Option{Key: hash, Name: name})
	}
	slices.SortFunc(list, func(a, b widget.Option) int {
		return cmp.Or(result.Natural(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return list
}

// familyChoices are the families and sets that something was measured under, sets first.
func (d Data) familyChoices() []widget.Option {
	var list []widget.Option
	for _, r := range d.Rows {
		if c := (widget.Option{Key: r.Family, Name: r.FamilyName}); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b widget.Option) int {
		return cmp.Or(cmp.Compare(setRank(a.Key), setRank(b.Key)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// setRank orders sets, as menus do, before families; those that no menu has come last of the sets.
func setRank(family string) int {
	sets := transform.Sets()
	f, err := transform.ParseAny(family)
	if err != nil || !f.IsSet() {
		return len(sets) + 1
	}
	if at := slices.Index(sets, f.Name()); at >= 0 {
		return at
	}
	return len(sets)
}

// modelChoices are the models that were measured, by name.
func (d Data) modelChoices() []widget.Option {
	var list []widget.Option
	for _, r := range d.Rows {
		if c := (widget.Option{Key: r.Model.Hash, Name: r.Model.ID}); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b widget.Option) int { return result.Natural(a.Name, b.Name) })
	return list
}

// columns are the columns of the training records by which models can be coloured: those with two values at least and no more than
// there are looks, in the order in which they are met.
func (d Data) columns() []string {
	var order []string
	seen := map[string]map[string]bool{}
	for _, m := range d.Models {
		for _, f := range m.Record {
			if seen[f.Name] == nil {
				seen[f.Name] = map[string]bool{}
				order = append(order, f.Name)
			}
			seen[f.Name][f.Value] = true
		}
	}
	return slices.DeleteFunc(order, func(name string) bool { return len(seen[name]) < 2 || len(seen[name]) > widget.Categories })
}

// Gap is a set that some models have no signals for on a suite, and could have.
type Gap struct {
	Set    string
	Models []string // hashes
}

// gaps are the sets that are usual for effective invariance and not computed for all models on a suite. Gray does not change
// models of one channel, and only square images can be turned.
func (d Data) gaps(suiteHash string) []Gap {
	var list []Gap
	for _, set := range []string{transform.Rot90, transform.Grayscale} {
		gap := Gap{Set: set}
		for _, m := range d.Models {
			if d.has(m.Hash, suiteHash, set) || !suits(m, set) {
				continue
			}
			gap.Models = append(gap.Models, m.Hash)
		}
		if len(gap.Models) > 0 {
			list = append(list, gap)
		}
	}
	return list
}

func (d Data) has(modelHash, suiteHash, family string) bool {
	return slices.ContainsFunc(d.Rows, func(r Row) bool {
		return r.Model.Hash == modelHash && r.Suite == suiteHash && r.Family == family
	})
}

// suits tells whether a set makes sense for a model's input; sizes that are not known may fit.
func suits(m model.Model, set string) bool {
	in := m.Graph.Input
	if set == transform.Grayscale {
		return in.Channels != 1
	}
	return in.Height == in.Width
}
