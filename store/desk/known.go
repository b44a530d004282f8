package desk

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// KnownFrom says where models with a known answer come from: an earlier round (id), of which the
// adjudicated models count, or a file of labels, of which all count that have a final label or a
// majority. Both may be empty.
type KnownFrom struct{ Round, File string }

// KnownModels are the models with a known answer for a round with that many classes, each as
// HASH=LABEL, the form of label.Calibration: what pairs name (MODEL=LABEL, the model by id or
// hash), then those of from, as far as the workspace has them and the round has the label. It is
// an error where from has none at all, or is of a round here that is blind and still open.
func KnownModels(ws *store.Workspace, classes int, from KnownFrom, pairs []string) ([]string, error) {
	var list []string
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		m, err := ws.FindModel(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("known answer %q: %w", pair, err)
		}
		list = append(list, m.Hash+"="+value)
	}
	answers, source, err := from.answers(ws)
	if err != nil {
		return nil, err
	}
	here := func(hash string) bool { _, err := ws.Model(hash); return err == nil }
	list, found := AddKnown(list, answers, classes, here)
	if source != "" && !found {
		return nil, fmt.Errorf("%s has no known answer for a model of this workspace with one of %d labels",
			source, classes)
	}
	return list, nil
}

// AddKnown adds answers to pairs (HASH=LABEL) as far as the round has their labels and the models
// are here; a pair stands above an answer for its model. found tells whether any answer fits.
func AddKnown(
	pairs []string, answers []label.Decision, classes int, here func(hash string) bool,
) (list []string, found bool) {
	list = slices.Clone(pairs)
	for _, d := range answers {
		if _, fits := d.Value.Index(classes); !fits || !here(d.Model) {
			continue
		}
		found = true
		if !slices.ContainsFunc(pairs, func(pair string) bool { return strings.HasPrefix(pair, d.Model+"=") }) {
			list = append(list, d.Model+"="+string(d.Value))
		}
	}
	return list, found
}

// readRounds reads the rounds of a file of labels: of those that desks send, and of the tables that
// are exported.
func readRounds(path string) ([]export.FileRound, error) {
	labels, err := readLabels(path)
	switch {
	case err != nil:
		return nil, err
	case labels.desk != "":
		rows := make([]label.Row, len(labels.events))
		for k, ev := range labels.events {
			rows[k].Event = ev
		}
		return export.RoundsOf(rows, filepath.Base(path), 0)
	case labels.others:
		own, err := export.IsLabels(path)
		if err == nil && !own {
			err = fmt.Errorf("%s is no file of labels with models' hashes; take a %s that a desk has sent, "+
				"labels_long.csv or labels_wide.csv", filepath.Base(path), LabelsSuffix)
		}
		if err != nil {
			return nil, err
		}
	}
	return export.ReadRounds(path, 0)
}

// mayTell refuses a round of which nobody may see what the others say, be it asked here or read
// from a file.
func mayTell(r label.Round) error {
	if r.Secret() {
		return fmt.Errorf("round %s is blind and still open; "+
			"close it before its final labels are taken for known answers", r.Name)
	}
	return nil
}

// answers are the decisions that count as known, and how their source is called.
func (f KnownFrom) answers(ws *store.Workspace) (list []label.Decision, source string, err error) {
	switch {
	case f.File != "":
		source = filepath.Base(f.File)
		rounds, err := readRounds(f.File)
		if err != nil {
			return nil, source, err
		}
		for _, r := range rounds {
			here, err := ws.Round(r.ID)
			if err == nil {
				err = mayTell(here)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, source, err
			}
			list = append(list, label.Training(r.Round, r.Events, false)...)
		}
	case f.Round != "":
		r, err := ws.Round(f.Round)
		if err != nil {
			return nil, source, err
		}
		source = "round " + r.Name
		if err := mayTell(r); err != nil {
			return nil, source, err
		}
		events, err := ws.Events(r.ID)
		if err != nil {
			return nil, source, err
		}
		list = label.Adjudications(r, events)
	}
	return list, source, nil
}
