package features

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Store is what the screen needs of a workspace; Of gives one.
type Store interface {
	Current() (store.Current, error)
	Models() ([]model.Model, error)
	Suite(hash string) (suite.Manifest, error)
	Rounds() ([]label.Round, error)
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
	Measure(ctx context.Context, ask training.Ask, p engine.Progress) ([]training.Measured, []training.LeftOut, error)
	Label(measured []training.Measured, layout feature.Layout, from training.Labels) (assess.Data, []training.LeftOut, error)
}

// Of makes a workspace into a Store that keeps what was measured.
func Of(ws *store.Workspace) Store { return &workspace{Workspace: ws} }

type workspace struct {
	*store.Workspace
	cache training.Cache
}

// Measure implements Store.
func (w *workspace) Measure(ctx context.Context, ask training.Ask, p engine.Progress) ([]training.Measured, []training.LeftOut, error) {
	return training.Measure(ctx, w.Workspace, ask, &w.cache, p)
}

// Label implements Store.
func (w *workspace) Label(measured []training.Measured, layout feature.Layout, from training.Labels) (assess.Data, []training.LeftOut, error) {
	return training.Label(w.Workspace, measured, layout, from)
}

// The workspace settings that the screen remembers, and the one of others that it follows.
const (
	settingLayout = "features.layout" // feature.Layout
	settingLabels = "features.labels" // Labelling
	settingMatrix = "features.matrix" // modality, "" for the whole vector
	settingMap    = evidence.SettingMap
)

// Labelling says where labels come from: a round, a column of the training records, or neither.
type Labelling struct {
	Round  string `json:"round,omitempty"` // id
	Column string `json:"column,omitempty"`
}

// LabelChoice is an entry of the menu of labels.
type LabelChoice struct {
	Name string
	From Labelling
}

// labelChoices are the rounds of the suite and family whose labels may be seen, newest first, then
// the columns of the records that hold labels, then none.
func labelChoices(rounds []label.Round, models []model.Model, at store.Current) []LabelChoice {
	var list []LabelChoice
	for _, r := range slices.Backward(rounds) {
		if r.Kind == label.VarianceRound && r.Suite == at.Suite && r.Family == at.Family && !r.Secret() {
			list = append(list, LabelChoice{fmt.Sprintf("round %s", r.Name), Labelling{Round: r.ID}})
		}
	}
	for _, column := range labelColumns(models) {
		list = append(list, LabelChoice{fmt.Sprintf("column %s", column), Labelling{Column: column}})
	}
	list = append(list, LabelChoice{"none", Labelling{}})
	return distinct(list)
}

// distinct tells rounds of one name apart by the end of their ids.
func distinct(list []LabelChoice) []LabelChoice {
	named := map[string]int{}
	for _, c := range list {
		named[c.Name]++
	}
	for i, c := range list {
		if id := c.From.Round; named[c.Name] > 1 && id != "" {
			list[i].Name = fmt.Sprintf("%s (%s)", c.Name, id[max(0, len(id)-6):])
		}
	}
	return list
}

// labelColumns are the columns of the records in which every value is a label (a word, or 0 and 1)
// and in which models differ, in the order in which they are met.
func labelColumns(models []model.Model) []string {
	var order []string
	seen := map[string]map[string]bool{}
	for _, m := range models {
		for _, f := range m.Record {
			if f.Value == "" {
				continue
			}
			if seen[f.Name] == nil {
				seen[f.Name] = map[string]bool{}
				order = append(order, f.Name)
			}
			seen[f.Name][f.Value] = true
		}
	}
	return slices.DeleteFunc(order, func(name string) bool {
		for value := range seen[name] {
			if _, err := label.ParseValue(value); err != nil && value != "0" && value != "1" {
				return true
			}
		}
		return len(seen[name]) < 2
	})
}

// wishes are what was chosen on the screen; nil is what was remembered.
type wishes struct {
	layout *feature.Layout
	labels *Labelling
	matrix *string
}

// answer is what a reload reads.
type answer struct {
	set     Set
	layout  feature.Layout
	labels  Labelling
	choices []LabelChoice
	matrix  string
	models  int // of the workspace
	current store.Current
}

// read measures the workspace's models under its current suite and family and joins them with
// labels. It is slow (files).
func read(ctx context.Context, from Store, w wishes, p engine.Progress) (a answer, err error) {
	if a.current, err = from.Current(); err != nil {
		return a, err
	}
	models, err := from.Models()
	if err != nil {
		return a, err
	}
	a.models = len(models)
	if err := a.recall(from, w); err != nil {
		return a, err
	}
	if a.current.Suite == "" || a.current.Family == "" || a.models == 0 {
		return a, nil
	}
	rounds, err := from.Rounds()
	if err != nil {
		return a, err
	}
	a.choices = labelChoices(rounds, models, a.current)
	a.labels = a.pick(a.labels)
	return a, a.measure(ctx, from, p)
}

// recall takes what was chosen, else what was remembered, else what is usual.
func (a *answer) recall(from Store, w wishes) error {
	a.layout, a.labels = feature.DefaultLayout(), Labelling{Column: unset}
	a.matrix = a.layout.Modalities[0]
	for _, kept := range []struct {
		key    string
		into   any
		chosen bool
	}{
		{settingLayout, &a.layout, w.layout != nil},
		{settingLabels, &a.labels, w.labels != nil},
		{settingMatrix, &a.matrix, w.matrix != nil},
	} {
		if kept.chosen {
			continue
		}
		if _, err := from.Setting(kept.key, kept.into); err != nil {
			return err
		}
	}
	if w.layout != nil {
		a.layout = *w.layout
	}
	if w.labels != nil {
		a.labels = *w.labels
	}
	if w.matrix != nil {
		a.matrix = *w.matrix
	}
	layout, err := a.layout.Validate()
	if err != nil { // kept by another version of the program
		layout = feature.DefaultLayout()
	}
	a.layout = layout
	return nil
}

// unset stands for labels that nobody chose yet; no column has such a name.
const unset = "\x00"

// pick is the wanted source of labels where it is among the choices, else the first of these; all
// end with none.
func (a *answer) pick(wanted Labelling) Labelling {
	if slices.ContainsFunc(a.choices, func(c LabelChoice) bool { return c.From == wanted }) {
		return wanted
	}
	return a.choices[0].From
}

func (a *answer) measure(ctx context.Context, from Store, p engine.Progress) error {
	manifest, err := from.Suite(a.current.Suite)
	if err != nil {
		return err
	}
	family, err := transform.Parse(a.current.Family)
	if err != nil {
		return err
	}
	measured, left, err := from.Measure(ctx, training.Ask{
		Suite: a.current.Suite, Family: a.current.Family, Layout: a.layout, Images: variance.AllImages(),
	}, p)
	if err != nil {
		return err
	}
	data, unlabelled, err := a.labelled(from, measured)
	if err != nil {
		return err
	}
	if a.set, err = newSet(a.layout, measured, data); err != nil {
		return err
	}
	a.set.Left, a.set.Unlabelled = left, unlabelled
	a.set.Suite, a.set.Family = manifest.Name, family.Short()
	a.set.Axis = render.Axis{Name: family.Name(), Unit: family.Unit(), Values: family.Values()}
	name := evidence.DefaultMap
	if _, err := from.Setting(settingMap, &name); err != nil {
		return err
	}
	colours, ok := render.MapByName(name)
	if !ok {
		colours = &render.Viridis
	}
	a.set.Scales = a.set.scales(colours)
	return nil
}

// labelled joins models with labels. A round that was made blind a moment ago has none to see.
func (a *answer) labelled(from Store, measured []training.Measured) (assess.Data, []training.LeftOut, error) {
	data, unlabelled, err := from.Label(measured, a.layout, training.Labels{
		Round: a.labels.Round, Column: a.labels.Column, Borderline: training.Keep,
	})
	var secret *training.SecretError
	if errors.As(err, &secret) {
		a.labels = Labelling{}
		return from.Label(measured, a.layout, training.Labels{})
	}
	if a.labels == (Labelling{}) {
		data.Classes = nil // nothing to tell apart
	}
	return data, unlabelled, err
}
