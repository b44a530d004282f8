package assessors

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/kit"
)

// FormChoices is what the form can offer in a workspace.
type FormChoices struct {
	Rounds  []label.Round           // of both kinds, newest first
	Scenes  []store.SelectionRecord // newest first, without their scenes
	Labels  []string                // columns of the training records that hold labels
	Groups  []string                // columns that sort the models into groups
	Holdout string                  // the hold-out models that the records name, "" for none
	Models  int
	Here    Place             // what the toolbar shows; models are measured there
	Suites  map[string]string // names by hash
}

// readFormChoices looks through rounds and training records.
func readFormChoices(ws *store.Workspace) (FormChoices, error) {
	var o FormChoices
	var err error
	if o.Rounds, err = ws.Rounds(); err != nil {
		return o, err
	}
	if o.Scenes, err = ws.Selections(); err != nil {
		return o, err
	}
	slices.Reverse(o.Scenes)
	if err := o.readPlace(ws); err != nil {
		return o, err
	}
	slices.SortStableFunc(o.Rounds, func(x, y label.Round) int { return y.Created.Compare(x.Created) })
	models, err := ws.Models()
	if err != nil {
		return o, err
	}
	o.read(models)
	return o, nil
}

func (o *FormChoices) readPlace(ws *store.Workspace) error {
	now, err := ws.Current()
	if err != nil {
		return err
	}
	suites, err := ws.Suites()
	if err != nil {
		return err
	}
	o.Suites, o.Here.Family = map[string]string{}, now.Family
	for _, s := range suites {
		o.Suites[s.Hash] = s.Name
		if s.Hash == now.Suite {
			o.Here.Suite = s
		}
	}
	return nil
}

// round is the round whose labels are asked for; ok is false for those of a column.
func (o FormChoices) round(asked assess.EvalOptions) (r label.Round, ok bool) {
	k := slices.IndexFunc(o.Rounds, func(r label.Round) bool { return r.ID == asked.Labels })
	if asked.Labels == "" || k < 0 {
		return r, false
	}
	return o.Rounds[k], true
}

// refusal says why nothing can be learned with options, nil where something can.
func (o FormChoices) refusal(asked assess.EvalOptions) error {
	if _, err := newPlan(asked); err != nil {
		return err
	}
	if r, ok := o.round(asked); ok && r.Secret() {
		return &training.SecretError{Round: r.Name}
	}
	here := func(r store.SelectionRecord) bool { return r.Hash == asked.Selection }
	if asked.Selection != "" && !slices.ContainsFunc(o.Scenes, here) {
		return errors.New("the scenes that were labelled are not in this workspace: labels of a selection of testing " +
			"scenes need that selection and signals in it")
	}
	return nil
}

// warning says that the labels were given to other matrices than the toolbar's, "" when they were
// not.
func (o FormChoices) warning(asked assess.EvalOptions) string {
	r, ok := o.round(asked)
	same := r.Suite == o.Here.Suite.Hash && r.Family == o.Here.Family
	if !ok || asked.Selection != "" || o.Here.Suite.Hash == "" || o.Here.Family == "" || same {
		return ""
	}
	name := o.Suites[r.Suite]
	if name == "" {
		name = result.ID.SayText(r.Suite)
	}
	return fmt.Sprintf("These labels were given to other matrices: round %s is about %s, %s; the toolbar shows %s, "+
		"%s, and the models are measured there.", r.Name, name, Place{Family: r.Family}.familyName(), o.Here.Suite.Name,
		o.Here.familyName())
}

func (o *FormChoices) read(models []model.Model) {
	o.Models = len(models)
	values := map[string]map[string]bool{}
	for _, m := range models {
		for _, f := range m.Record {
			if f.Value == "" {
				continue
			}
			if values[f.Name] == nil {
				values[f.Name] = map[string]bool{}
			}
			values[f.Name][f.Value] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if holdsLabels(values[name]) {
			o.Labels = append(o.Labels, name)
			continue
		}
		if n := len(values[name]); n >= 2 && n <= max(len(models)/2, 2) {
			o.Groups = append(o.Groups, name)
		}
	}
	if values["fold"]["holdout"] {
		o.Holdout = "fold=holdout"
	}
}

// holdsLabels tells whether all values of a column are labels: the three words, or 0 and 1.
func holdsLabels(values map[string]bool) bool {
	for value := range values {
		if _, err := label.ParseValue(value); err != nil && value != "0" && value != "1" {
			return false
		}
	}
	return len(values) > 1
}

// sources are the entries of the menu of labels: rounds, then columns, as sourceOf calls them.
func (o FormChoices) sources() (list []kit.Option) {
	for _, r := range o.Rounds {
		name := "round " + r.Name
		if r.Kind == label.BackgroundRound {
			name += ", scenes"
		}
		if slices.ContainsFunc(list, func(o kit.Option) bool { return o.Name == name }) {
			name += " (" + r.ID[max(0, len(r.ID)-6):] + ")"
		}
		list = append(list, kit.Option{Key: "round " + r.ID, Name: name})
	}
	for _, name := range o.Labels {
		list = append(list, kit.Option{Key: "column " + name, Name: "column " + name})
	}
	return list
}

// sourceOf is the entry of the menu of labels that options ask for.
func sourceOf(asked assess.EvalOptions) string {
	switch {
	case asked.Labels != "":
		return "round " + asked.Labels
	case asked.Column != "":
		return "column " + asked.Column
	}
	return ""
}

// usualSource is the source that is chosen first: a column that holds a rule, else the newest
// round; "" for none.
func (o FormChoices) usualSource() string {
	switch sources := o.sources(); {
	case slices.Contains(o.Labels, "rule_label"):
		return "column rule_label"
	case len(sources) > 0:
		return sources[0].Key
	}
	return ""
}

// interpolants are those that can be asked for: the usual ones, those that the annotators saw, and
// those that are asked for.
func (o FormChoices) interpolants(asked assess.EvalOptions) []string {
	list := slices.Clone(feature.DefaultBackgroundLayout().Background.Interpolants)
	r, _ := o.round(asked)
	for _, name := range slices.Concat(r.Interpolants, asked.Interpolant) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Plan is a training that can be carried out.
type Plan struct {
	assess.EvalOptions
	Labels training.Labels
	Layout feature.Layout
	Scheme assess.Scheme
}

// newPlan says what options ask for. Errors say what to choose instead.
func newPlan(asked assess.EvalOptions) (Plan, error) {
	p := Plan{EvalOptions: asked, Scheme: asked.Parting(asked.Seed)}
	if sourceOf(asked) == "" {
		return p, errors.New("choose where the labels come from: a round, or a column of the training records")
	}
	var err error
	if p.Layout, err = asked.FeatureOptions.Layout(asked.Selection != ""); err != nil {
		return p, err
	}
	p.Labels = training.Labels{
		Round: asked.Labels, Column: asked.Column, Group: cmp.Or(asked.TransferColumn(), asked.Group),
		Borderline: training.Borderline(asked.BorderlineOf(p.Layout)),
	}
	p.Labels.HoldoutColumn, p.Labels.HoldoutValue, err = asked.HeldOut()
	return p, err
}
