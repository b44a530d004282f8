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
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// The workspace settings that the screen remembers.
const (
	settingLayout = "features.layout" // feature.Layout
	settingLabels = "features.labels" // Labelling
	settingMatrix = "features.matrix" // modality, "" for the whole vector
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
// the columns of the records that hold labels, then none. The menu tells rounds of one name apart.
func labelChoices(rounds []label.Round, models []model.Model, at store.Current) []LabelChoice {
	var list []LabelChoice
	for _, r := range slices.Backward(rounds) {
		if r.Kind == label.VarianceRound && r.Suite == at.Suite && r.Family == at.Family && !r.Secret() {
			list = append(list, LabelChoice{"round " + r.Name, Labelling{Round: r.ID}})
		}
	}
	named := map[string]int{}
	for _, c := range list {
		named[c.Name]++
	}
	for i, c := range list {
		if id := c.From.Round; named[c.Name] > 1 {
			list[i].Name = fmt.Sprintf("%s (%s)", c.Name, id[max(0, len(id)-6):])
		}
	}
	for _, column := range labelColumns(models) {
		list = append(list, LabelChoice{"column " + column, Labelling{Column: column}})
	}
	return append(list, LabelChoice{"none", Labelling{}})
}

// labelColumns are the columns of the records in which every value is a label (a word, or 0 and 1)
// and in which models differ, in the order in which they are met.
func labelColumns(models []model.Model) []string {
	return slices.DeleteFunc(model.RecordNames(models, 2, len(models)), func(name string) bool {
		return slices.ContainsFunc(models, func(m model.Model) bool {
			value := m.Value(name)
			_, err := label.ParseValue(value)
			return err != nil && value != "" && value != "0" && value != "1"
		})
	})
}

// wishes are what was chosen on the screen; nil is what was remembered.
type wishes struct {
	layout *feature.Layout
	labels *Labelling
	matrix *string
}

// Data are what was measured under the workspace's current suite and family: models with features
// under one layout, with labels. They are immutable.
type Data struct {
	Models  int // of the workspace
	Current store.Current
	Layout  feature.Layout
	Labels  Labelling
	Choices []LabelChoice
	Matrix  string // that was remembered, "" for the whole vector
	Classes []label.Value
	Rows    []training.Row
	// Left are models without features, All these and the ones without a label where labels were
	// asked for.
	Left, All []training.LeftOut
	// Without are the positions that models (by hash) do not have: no run brings their features.
	Without map[string]string
	// Where it comes from, for titles: the suite's name and the family as people read it, and the
	// axis of the matrices.
	Suite, Family string
	Axis          render.Axis
	Scales        map[string]render.Scale // shared colour scales by modality
}

// read measures the workspace's models and joins them with labels. It is slow (files).
func read(ctx context.Context, from *store.Workspace, w wishes, cache *training.Cache, p engine.Progress,
) (d Data, err error) {
	if d.Current, err = from.Current(); err != nil {
		return d, err
	}
	models, err := from.Models()
	if err != nil {
		return d, err
	}
	if d.Models = len(models); d.Current.Suite == "" || d.Current.Family == "" || d.Models == 0 {
		return d, nil
	}
	if err := d.recall(from, w); err != nil {
		return d, err
	}
	rounds, err := from.Rounds()
	if err != nil {
		return d, err
	}
	d.Choices = labelChoices(rounds, models, d.Current)
	if !slices.ContainsFunc(d.Choices, func(c LabelChoice) bool { return c.From == d.Labels }) {
		d.Labels = d.Choices[0].From
	}
	d.Without = without(models, d.Layout.Modalities)
	return d, d.measure(ctx, from, cache, p)
}

// without is the first position of modalities that each model lacks, by hash, where it lacks one.
func without(models []model.Model, modalities []string) map[string]string {
	list := map[string]string{}
	for _, m := range models {
		for _, name := range modalities {
			asked, err := signal.ParseModality(name)
			if err != nil || list[m.Hash] != "" {
				continue // the layout was checked
			}
			if _, there := m.Graph.Tensor(asked.Position, m.Correction.Positions); !there {
				list[m.Hash] = asked.Position
			}
		}
	}
	return list
}

// unset stands for labels that nobody chose yet; no column has such a name.
const unset = "\x00"

// recall takes what was chosen, else what was remembered, else what is usual.
func (d *Data) recall(from *store.Workspace, w wishes) error {
	d.Layout, d.Labels = feature.DefaultLayout(), Labelling{Column: unset}
	d.Matrix = d.Layout.Modalities[0]
	err := errors.Join(chosenOrRemembered(from, settingLayout, w.layout, &d.Layout),
		chosenOrRemembered(from, settingLabels, w.labels, &d.Labels),
		chosenOrRemembered(from, settingMatrix, w.matrix, &d.Matrix))
	layout, wrong := d.Layout.Validate()
	if wrong != nil { // kept by another version of the program
		layout = feature.DefaultLayout()
	}
	d.Layout = layout
	if !slices.Contains(layout.Modalities, d.Matrix) {
		d.Matrix = ""
	}
	return err
}

// chosenOrRemembered takes a value that was chosen, or reads the one that was remembered.
func chosenOrRemembered[V any](from *store.Workspace, key string, chosen, into *V) error {
	if chosen != nil {
		*into = *chosen
		return nil
	}
	_, err := from.Setting(key, into)
	return err
}

func (d *Data) measure(ctx context.Context, from *store.Workspace, cache *training.Cache, p engine.Progress) error {
	manifest, err := from.Suite(d.Current.Suite)
	if err != nil {
		return err
	}
	family, err := transform.Parse(d.Current.Family)
	if err != nil {
		return err
	}
	d.Suite, d.Family = manifest.Name, family.Short()
	d.Axis = render.Axis{Name: family.Name(), Unit: family.Unit(), Values: family.Values()}
	measured, left, err := training.Measure(ctx, from, training.Ask{
		Suite: d.Current.Suite, Family: d.Current.Family, Layout: d.Layout, Images: variance.AllImages(),
	}, cache, p)
	if err != nil {
		return err
	}
	labels, unlabelled, err := d.labelled(from, measured)
	if err != nil {
		return err
	}
	d.Rows = training.Rows(measured, labels)
	d.Classes, d.Left, d.All = labels.Classes, left, training.AllLeftOut(left, unlabelled)
	return d.scale(from)
}

// labelled joins models with labels. A round that was made blind a moment ago has none to see.
func (d *Data) labelled(from *store.Workspace, measured []training.Measured) (assess.Data, []training.LeftOut, error) {
	data, unlabelled, err := training.Label(from, measured, d.Layout, training.Labels{
		Round: d.Labels.Round, Column: d.Labels.Column, Borderline: training.Keep,
	})
	var secret *training.SecretError
	if errors.As(err, &secret) {
		d.Labels = Labelling{}
		data, unlabelled, err = training.Label(from, measured, d.Layout, training.Labels{})
	}
	if d.Labels == (Labelling{}) {
		data.Classes = nil // nothing to tell apart
	}
	return data, unlabelled, err
}

// scale finds the shared colour scales (DESIGN.md section 7) in the workspace's colour map.
func (d *Data) scale(from *store.Workspace) error {
	name := evidence.DefaultMap
	if _, err := from.Setting(evidence.SettingMap, &name); err != nil {
		return err
	}
	colours, ok := render.MapByName(name)
	if !ok {
		colours = &render.Viridis
	}
	d.Scales = make(map[string]render.Scale, len(d.Layout.Modalities))
	for _, name := range d.Layout.Modalities {
		var values []float64
		for _, r := range d.Rows {
			values = append(values, r.Vector.Matrices[name].Data...)
		}
		low, high := render.DefaultRange(name, values)
		d.Scales[name] = render.Scale{Low: low, High: high, Map: colours}
	}
	return nil
}

// line says how many models and features there are, and how many models were left out.
func (d Data) line() string {
	text := result.Counted(len(d.Rows), "model") + ", " + result.Counted(d.Layout.Width(), "feature")
	unlabelled := 0
	for _, r := range d.Rows {
		if r.Label == "" {
			unlabelled++
		}
	}
	if len(d.Classes) > 0 && unlabelled > 0 {
		text += ", " + result.Whole(unlabelled) + " without a label"
	}
	if len(d.Left) > 0 {
		text += ", " + result.Whole(len(d.Left)) + " left out"
	}
	return text
}

// leftOut are the models without features and those without a label, each once, with the reason.
func (d Data) leftOut() []evidence.LeftOut {
	list := make([]evidence.LeftOut, len(d.All))
	for k, l := range d.All {
		why := "no label: "
		if k < len(d.Left) {
			why = "no features: "
		}
		list[k] = evidence.LeftOut{ID: l.ID, Hash: l.Hash, Why: why + l.Reason.Text}
	}
	return list
}

// missing is a run of the models without features that brings what the vector needs; none where no
// run would, since all of these lack a position.
func (d Data) missing() []kit.Missing {
	run := kit.Run{Suite: d.Current.Suite, Family: d.Current.Family, Modalities: d.Layout.Modalities}
	for _, l := range d.Left {
		if d.Without[l.Hash] == "" {
			run.Models = append(run.Models, l.Hash)
		}
	}
	if len(run.Models) == 0 {
		return nil
	}
	return []kit.Missing{{Text: "Run " + result.Counted(len(run.Models), "model"), Runs: []kit.Run{run}}}
}
