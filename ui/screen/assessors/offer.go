package assessors

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

// Offer is what the form can offer in a workspace.
type Offer struct {
	Rounds  []label.Round           // of both kinds, newest first
	Scenes  []store.SelectionRecord // newest first, without their scenes
	Labels  []string                // columns of the training records that hold labels
	Groups  []string                // columns that sort the models into groups
	Holdout string                  // the hold-out models that the records name, "" for none
	Models  int
	Here    Place             // what the toolbar shows; models are measured there
	Suites  map[string]string // names by hash
}

// readOffer looks through rounds and training records.
func readOffer(ws *store.Workspace) (Offer, error) {
	var o Offer
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

func (o *Offer) readPlace(ws *store.Workspace) error {
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

// round is the round whose labels a draft takes; ok is false for those of a column.
func (o Offer) round(d Draft) (r label.Round, ok bool) {
	k := slices.IndexFunc(o.Rounds, func(r label.Round) bool { return r.ID == d.Round })
	if d.Round == "" || k < 0 {
		return r, false
	}
	return o.Rounds[k], true
}

// refusal says why the labels of a draft cannot be had, nil when they can.
func (o Offer) refusal(d Draft) error {
	if r, ok := o.round(d); ok && r.Secret() {
		return &training.SecretError{Round: r.Name}
	}
	if d.OfScenes() && o.scenes(d) < 0 {
		return errors.New("the scenes that were labelled are not in this workspace: labels of a selection of testing scenes need that selection and signals in it")
	}
	return nil
}

// scenes is the place of a draft's selection among those that there are, -1 for none.
func (o Offer) scenes(d Draft) int {
	return slices.IndexFunc(o.Scenes, func(r store.SelectionRecord) bool { return r.Hash == d.Scenes })
}

// warning says that the labels of a draft were given to other matrices than the toolbar's, "" when
// they were not.
func (o Offer) warning(d Draft) string {
	r, ok := o.round(d)
	if !ok || d.OfScenes() || o.Here.Suite.Hash == "" || o.Here.Family == "" || r.Suite == o.Here.Suite.Hash && r.Family == o.Here.Family {
		return ""
	}
	name := o.Suites[r.Suite]
	if name == "" {
		name = result.ID.SayText(r.Suite)
	}
	return fmt.Sprintf("These labels were given to other matrices: round %s is about %s, %s; the toolbar shows %s, %s, and the models are measured there.",
		r.Name, name, Place{Family: r.Family}.familyName(), o.Here.Suite.Name, o.Here.familyName())
}

func (o *Offer) read(models []model.Model) {
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

// sources are the texts of the menu of labels: rounds, then columns.
func (o Offer) sources() []string {
	var list []string
	for _, r := range o.Rounds {
		text := fmt.Sprintf("round %s", r.Name)
		if r.Kind == label.BackgroundRound {
			text = fmt.Sprintf("round %s, scenes", r.Name)
		}
		if slices.Contains(list, text) {
			text += " (" + r.ID[max(0, len(r.ID)-6):] + ")"
		}
		list = append(list, text)
	}
	for _, name := range o.Labels {
		list = append(list, fmt.Sprintf("column %s", name))
	}
	return list
}

// places are the texts of the menu of matrices: those of the toolbar's family, then selections.
func (o Offer) places() []string {
	list := []string{"the toolbar's family"}
	for _, r := range o.Scenes {
		list = append(list, fmt.Sprintf("scenes of %s", r.Name))
	}
	return list
}

// selection is the hash of the selection at place k of the menu of matrices, "" for the toolbar's
// family.
func (o Offer) selection(k int) string {
	if k < 1 || k > len(o.Scenes) {
		return ""
	}
	return o.Scenes[k-1].Hash
}

// interpolants are those that a draft can take: the usual ones, those that its annotators saw, and
// its own.
func (o Offer) interpolants(d Draft) []string {
	list := slices.Clone(feature.DefaultBackgroundLayout().Background.Interpolants)
	r, _ := o.round(d)
	for _, name := range slices.Concat(r.Interpolants, d.Interpolants) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// take puts source k of the menu into a draft.
func (o Offer) take(d *Draft, k int) {
	before := d.Round
	d.Round, d.Column = "", ""
	switch {
	case k < 0:
	case k < len(o.Rounds):
		d.Round = o.Rounds[k].ID
		d.measure(o.Rounds[k].Selection) // a round of matrices of a family has none
	case k-len(o.Rounds) < len(o.Labels):
		d.Column = o.Labels[k-len(o.Rounds)]
		if before != "" {
			d.measure("")
		}
	}
}

// source is the place of a draft's source in the menu, -1 when it is not there.
func (o Offer) source(d Draft) int {
	if d.Round != "" {
		return slices.IndexFunc(o.Rounds, func(r label.Round) bool { return r.ID == d.Round })
	}
	if k := slices.Index(o.Labels, d.Column); k >= 0 {
		return len(o.Rounds) + k
	}
	return -1
}

// begin fills in what a draft leaves open: the labels of a column that holds a rule, else of the
// newest round, and the hold-out models that the records name.
func (o Offer) begin(d Draft) Draft {
	if len(d.Measures) == 0 && len(d.Interpolants) == 0 { // remembered by a version that had none
		usual := newDraft()
		d.Measures, d.Interpolants, d.Measurements = usual.Measures, usual.Interpolants, usual.Measurements
	}
	if d.Round == "" && d.OfScenes() && o.scenes(d) < 0 {
		d.measure("") // the selection was removed
	}
	if o.source(d) >= 0 {
		return d
	}
	switch {
	case slices.Contains(o.Labels, "rule_label"):
		o.take(&d, len(o.Rounds)+slices.Index(o.Labels, "rule_label"))
	case len(o.Rounds)+len(o.Labels) > 0:
		o.take(&d, 0)
	default:
		d.Round, d.Column = "", ""
	}
	if d.Holdout == "" {
		d.Holdout = o.Holdout
	}
	return d
}
