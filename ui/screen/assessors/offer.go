package assessors

import (
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// Offer is what the form can offer in a workspace.
type Offer struct {
	Rounds  []label.Round // newest first
	Labels  []string      // columns of the training records that hold labels
	Groups  []string      // columns that sort the models into groups
	Holdout string        // the hold-out models that the records name, "" for none
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
	o.Rounds = slices.DeleteFunc(o.Rounds, func(r label.Round) bool { return r.Kind == label.BackgroundRound }) // they say nothing of matrices of a family
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
	return nil
}

// warning says that the labels of a draft were given to other matrices than the toolbar's, "" when they were not.
func (o Offer) warning(d Draft) string {
	r, ok := o.round(d)
	if !ok || o.Here.Suite.Hash == "" || o.Here.Family == "" || r.Suite == o.Here.Suite.Hash && r.Family == o.Here.Family {
		return ""
	}
	name := o.Suites[r.Suite]
	if name == "" {
		name = present.Short(r.Suite)
	}
	return words.F("These labels were given to other matrices: round %s is about %s, %s; the toolbar shows %s, %s, and the models are measured there.",
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
		text := words.F("round %s", r.Name)
		if slices.Contains(list, text) {
			text += " (" + r.ID[max(0, len(r.ID)-6):] + ")"
		}
		list = append(list, text)
	}
	for _, name := range o.Labels {
		list = append(list, words.F("column %s", name))
	}
	return list
}

// take puts source k of the menu into a draft.
func (o Offer) take(d *Draft, k int) {
	d.Round, d.Column = "", ""
	switch {
	case k < 0:
	case k < len(o.Rounds):
		d.Round = o.Rounds[k].ID
	case k-len(o.Rounds) < len(o.Labels):
		d.Column = o.Labels[k-len(o.Rounds)]
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

// begin fills in what a draft leaves open: the labels of a column that holds a rule, else of the newest round, and the
// hold-out models that the records name.
func (o Offer) begin(d Draft) Draft {
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
