package store

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// ErrNotInPackage means that a request asks for more than a round package holds.
var ErrNotInPackage = errors.New("its round package holds matrices over all images and over the round's only: run " +
	"the model here for other images")

// packagedOf is the evidence that stands for a model which has no set: over all images, with the
// most of the default matrices.
func packagedOf(tx *database.Tx, modelHash, suiteHash, family string, read database.Extent) (e database.Evidence,
	found bool, err error,
) {
	list, err := database.EvidenceOf(tx, modelHash, suiteHash, family, read)
	if err != nil {
		return e, false, err
	}
	e, found = richest(list, variance.AllImages().String(), defaultModalityNames())
	return e, found, nil
}

// summaryOf is the summary of the model's best set, else one from a round package.
func summaryOf(tx *database.Tx, m model.Model, suiteHash, family string) (s database.Summary, found bool, err error) {
	info, err := bestSet(tx, m, suiteHash, family)
	if err != nil {
		return s, false, err
	}
	if info.Key != "" {
		return database.GetSummary(tx, info.Key, database.WithMatrices)
	}
	best, found, err := packagedOf(tx, m.Hash, suiteHash, family, database.WithMatrices)
	if err != nil || !found {
		return s, false, err
	}
	return best.Summary(), true, nil
}

// packagedSummary finds what a round package brought by the key of its summary. Where each key
// lies is learned by reading everything once, and again for a key that is not known.
func (w *Workspace) packagedSummary(tx *database.Tx, key string) (s database.Summary, found bool, err error) {
	if s, found, err = w.learnedSummary(tx, key); found || err != nil {
		return s, found, err
	}
	for at, data := range database.RoundEvidence.From(tx, "") {
		w.packaged.Store(database.ContentKey(data), at)
	}
	return w.learnedSummary(tx, key)
}

// learnedSummary reads what lies where the key was seen last, unless that was replaced meanwhile.
func (w *Workspace) learnedSummary(tx *database.Tx, key string) (s database.Summary, found bool, err error) {
	at, known := w.packaged.Load(key)
	if !known {
		return s, false, nil
	}
	data := database.RoundEvidence.Bytes(tx, at.(string))
	if database.ContentKey(data) != key {
		return s, false, nil
	}
	e, err := database.DecodeEvidence(data)
	if err != nil {
		return s, false, fmt.Errorf("%w (evidence %s: %w)", database.ErrDamaged, key, err)
	}
	e.Key = key
	return e.Summary(), true, nil
}

func defaultModalityNames() (names []string) {
	for _, m := range signal.DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}

// richest is the evidence over the images of a filter that has the most of the wanted modalities.
func richest(list []database.Evidence, filter string, wanted []string) (best database.Evidence, found bool) {
	most := -1
	for _, e := range list {
		n := 0
		for _, name := range wanted {
			if _, ok := e.Matrices[name]; ok {
				n++
			}
		}
		if e.Filter == filter && n > most {
			best, most, found = e, n, true
		}
	}
	return best, found
}

// fromPackage answers a request from what round packages brought.
func (w *Workspace) fromPackage(q MatrixRequest) (Answer, error) {
	list, err := viewed(w, func(tx *database.Tx) ([]database.Evidence, error) {
		return database.EvidenceOf(tx, q.Model.Hash, q.Suite, q.Family, database.WithMatrices)
	})
	if err != nil {
		return Answer{}, err
	}
	e, found := richest(list, q.Images.String(), q.Modalities)
	if !found {
		return Answer{}, fmt.Errorf("model %s: %w", q.Model.ID, ErrNotInPackage)
	}
	a := Answer{
		Matrices: map[string]variance.Matrix{}, Absent: map[string]string{}, Chosen: e.Chosen, Total: e.Total,
		Skipped: e.Skipped, Accuracy: e.Accuracy, Robust: e.Robust,
	}
	for _, name := range q.Modalities {
		matrix, ok := e.Matrices[name]
		switch {
		case ok:
			a.Matrices[name] = matrix
		case e.Absent[name] != "":
			a.Absent[name] = e.Absent[name]
		default:
			a.Absent[name] = database.NotInPackage
		}
	}
	return a, nil
}
