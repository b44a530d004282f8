package training

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
)

// Label joins measured models with labels. Models without a label stay in the data, unlabelled,
// and are listed with the reason; labels for models that are not among the measured ones are
// listed, too (Hash empty where unknown). Without a source of labels nothing is listed.
//
// The data have three classes where the source has three and Borderline is Keep, else two. What
// becomes of borderline is decided after the vote, as spec/assessors.md says of rows; the
// annotators' own labels follow, but stay borderline where such rows are left out. A table of
// labels may hold several rounds, as long as they do not contradict each other.
//
// A round of backgrounds has labels of interpolated matrices and one of variance matrices has
// those; either is refused for the other. So is a round about another selection of testing scenes
// than the one that was measured.
//
// Errors: a round or column that does not exist, a held-out value that no model has, a value that
// is no label, a file that cannot be read, and a *SecretError.
func Label(
	ws *store.Workspace, measured []Measured, layout feature.Layout, from Labels,
) (assess.Data, []LeftOut, error) {
	if err := from.check(); err != nil {
		return assess.Data{}, nil, err
	}
	entries := make([]entry, len(measured))
	for i, m := range measured {
		entries[i] = entry{record: m.Model.Record, row: assess.Row{
			ID: m.Model.ID, Hash: m.Model.Hash, X: m.Vector.Values, Scores: m.Scores, Accuracy: m.Accuracy,
		}}
	}
	from = from.usual(layout)
	about := matter{background: layout.OfBackground()}
	if len(measured) > 0 {
		about.selection = measured[0].Selection
	}
	source, err := from.open(ws, entries, about)
	if err != nil {
		return assess.Data{}, nil, err
	}
	return join(layout, layout.Names(), entries, source, from)
}

// usual fills in what labels of interpolated matrices are taken for when nothing else is said:
// three classes, in which ties count as borderline.
func (l Labels) usual(layout feature.Layout) Labels {
	if layout.OfBackground() {
		l.Ties = true
		if l.Borderline == "" {
			l.Borderline = Keep
		}
	}
	return l
}

// SecretError refuses the labels of a round that is blind and still open.
type SecretError struct{ Round string } // name

// Error says when the labels can be had.
func (e *SecretError) Error() string {
	return fmt.Sprintf("round %s is blind and still open: an assessor would show its annotators what the others said; "+
		"close the round first", e.Round)
}

// check refuses what contradicts itself.
func (l Labels) check() error {
	given := 0
	for _, source := range []string{l.Round, l.File, l.Column} {
		if source != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("labels come from a round, a file or a column; name only one")
	case !slices.Contains([]Borderline{"", Keep, Leave, AsInvariant, AsVariant}, l.Borderline):
		return fmt.Errorf("borderline labels are kept (%s), left out (%s), or count as %s or %s, not %q",
			Keep, Leave, AsInvariant, AsVariant, l.Borderline)
	case l.HoldoutColumn == "" && l.HoldoutValue != "":
		return fmt.Errorf("%q is to be held out, but no column is named; write COLUMN=VALUE, as in fold=holdout",
			l.HoldoutValue)
	}
	return nil
}

// entry is a model with its training record, before it has a label.
type entry struct {
	row    assess.Row
	record []model.Field
}

// value is a cell of the training record.
func (e entry) value(column string) string {
	return strings.TrimSpace(model.Model{Record: e.record}.Value(column))
}

// needColumn refuses a column that no record has.
func needColumn(entries []entry, column string) error {
	models := make([]model.Model, len(entries))
	for i, e := range entries {
		models[i].Record = e.record
	}
	return model.CheckRecord(models, column)
}

// join gives every model its label and lists what does not fit together.
func join(
	layout feature.Layout, names []string, entries []entry, s source, from Labels,
) (assess.Data, []LeftOut, error) {
	d := assess.Data{
		Layout: layout, Names: names, Raters: s.raters, ByRule: s.byRule, Classes: label.Values(2),
		Rows: make([]assess.Row, len(entries)),
	}
	if from.Borderline == Keep && s.classes == 3 {
		d.Classes = label.Values(3)
	}
	if err := from.mark(entries); err != nil {
		return assess.Data{}, nil, err
	}
	var left []LeftOut
	for i, e := range entries {
		row := e.row
		s.apply(&row, from.Borderline)
		if !row.NoLabel.None() {
			left = append(left, LeftOut{ID: row.ID, Hash: row.Hash, Reason: row.NoLabel})
		}
		d.Rows[i] = row
	}
	return d, append(left, s.strangers(d.Rows)...), nil
}

// mark fills in which models are held out and their groups.
func (l Labels) mark(entries []entry) error {
	for _, column := range []string{l.HoldoutColumn, l.Group} {
		if column == "" {
			continue
		}
		if err := needColumn(entries, column); err != nil {
			return err
		}
	}
	if l.HoldoutColumn != "" {
		var values []string
		found := false
		for i, e := range entries {
			v := e.value(l.HoldoutColumn)
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
			entries[i].row.Holdout = v == l.HoldoutValue
			found = found || v == l.HoldoutValue
		}
		if !found {
			return fmt.Errorf("no model has %s = %q; its values are %s", l.HoldoutColumn, l.HoldoutValue,
				listed(values))
		}
	}
	if l.Group != "" {
		for i, e := range entries {
			entries[i].row.Group = e.value(l.Group)
		}
	}
	return nil
}

// listed quotes at most eight values.
func listed(values []string) string {
	const most = 8
	texts := make([]string, 0, most+1)
	for _, v := range values[:min(most, len(values))] {
		texts = append(texts, fmt.Sprintf("%q", v))
	}
	if len(values) > most {
		texts = append(texts, "...")
	}
	return strings.Join(texts, ", ")
}

// Unknown are the names of models of which labels speak and that nobody knows: left out, and
// neither among the data nor in the workspace, which is nil for data from a file.
func Unknown(ws *store.Workspace, d assess.Data, left []LeftOut) (names []string) {
	for _, l := range left {
		if !known(ws, d, l) {
			names = append(names, l.ID)
		}
	}
	return names
}

func known(ws *store.Workspace, d assess.Data, l LeftOut) bool {
	if slices.ContainsFunc(d.Rows, func(row assess.Row) bool {
		return l.Hash != "" && row.Hash == l.Hash || (l.Hash == "" || row.Hash == "") && row.ID == l.ID
	}) {
		return true
	}
	if ws == nil {
		return false
	}
	if l.Hash != "" {
		_, err := ws.Model(l.Hash)
		return err == nil
	}
	_, err := ws.FindModel(l.ID)
	return err == nil
}
