package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
)

// Evidence is what a round package brings of one model under one choice of images: its matrices
// and accuracies, so that it can be labelled where there are neither signals nor images nor a
// model file (DESIGN.md section 6).
type Evidence struct {
	Round  string `json:"round"`
	Model  string `json:"model"`  // hash
	Suite  string `json:"suite"`  // hash
	Family string `json:"family"` // canonical text
	Filter string `json:"filter"` // of the images, canonical text
	// Chosen images of Total went in; Skipped more were left out as corrupt, Labelled have a class
	// label.
	Chosen   int `json:"chosen"`
	Total    int `json:"total"`
	Skipped  int `json:"skipped,omitempty"`
	Labelled int `json:"labelled,omitempty"`
	// Classes and MappedBy are those of Summary.
	Classes  []int             `json:"classes,omitempty"`
	MappedBy string            `json:"mapped_by,omitempty"`
	Absent   map[string]string `json:"absent,omitempty"` // modality to reason
	// Chance is Summary.Chance; nil in older packages.
	Chance *chance.Counts `json:"chance,omitempty"`
	// Accuracy is per transformation, nil without labels.
	Accuracy []float64                  `json:"-"`
	Robust   float64                    `json:"-"`
	Matrices map[string]variance.Matrix `json:"-"` // by modality; all N x N
	// Scenes is there for a round of backgrounds alone, whose evidence has no accuracy per
	// transformation and for Family what RoundFamily says.
	Scenes *SceneFacts `json:"scenes,omitempty"`

	key string // SHA-256 of what is stored, hex
}

// NotInPackage is the reason of Answer.Absent for a modality that a round package does not hold.
const NotInPackage = "not in the round package"

// ErrNotInPackage means that a question asks for more than a round package holds.
var ErrNotInPackage = errors.New("its round package holds matrices over all images and over the round's only: run " +
	"the model here for other images")

// evidenceHead is the JSON part of encoded evidence; the numbers follow as float64, little-endian:
// accuracies, robust accuracy, then the matrices in the order of Names, whole.
type evidenceHead struct {
	Evidence
	Accuracies int      `json:"accuracies"`
	Names      []string `json:"names"`
	N          int      `json:"n"`
}

// Encode writes evidence as putHead does. Equal evidence gives equal bytes.
func (e Evidence) Encode() ([]byte, error) {
	head := evidenceHead{Evidence: e, Accuracies: len(e.Accuracy), Names: slices.Sorted(maps.Keys(e.Matrices))}
	for _, name := range head.Names {
		m := e.Matrices[name]
		if head.N != 0 && m.N != head.N {
			return nil, fmt.Errorf("matrix %s of model %s is %d x %d, the others %d x %d", name, e.Model, m.N, m.N,
				head.N, head.N)
		}
		head.N = m.N
	}
	return putMatrices(head, e.Accuracy, e.Robust, head.Names, e.Matrices)
}

// DecodeEvidence reads what Encode wrote. It trusts nothing: lengths must fit and every number
// must be finite.
func DecodeEvidence(data []byte) (Evidence, error) { return decodeEvidence(data, withMatrices) }

// extent is how much of evidence is read: lists of models need no matrices, which are nearly all
// of it.
type extent bool

const (
	withMatrices    extent = true
	withoutMatrices extent = false // they have their names and no elements
)

func decodeEvidence(data []byte, read extent) (Evidence, error) {
	var head evidenceHead
	rest, err := cutHead(data, &head)
	if err != nil {
		return Evidence{}, err
	}
	switch {
	case head.N == 0 && len(head.Names) > 0:
		return Evidence{}, errors.New("its numbers are not as many as it says")
	case head.Scenes != nil && !(head.Scenes.Far > 0):
		return Evidence{}, errors.New("the axes of its matrices have no length")
	}
	e := head.Evidence
	numbers, matrices, err := cutMatrices(rest, head.Accuracies, head.N, head.Names, read)
	if err != nil {
		return Evidence{}, err
	}
	// interpolation may leave elements without a value
	undefined := func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) && e.Scenes == nil }
	if slices.ContainsFunc(numbers, undefined) {
		return Evidence{}, errors.New("a number in it is not finite")
	}
	e.Robust, e.Matrices = numbers[head.Accuracies], matrices
	if head.Accuracies > 0 {
		e.Accuracy = numbers[:head.Accuracies:head.Accuracies]
	}
	return e, nil
}

func evidenceKey(e Evidence) string {
	return evidencePrefix(e.Model, e.Suite, e.Family) + e.Filter + separator + e.Round
}

func evidencePrefix(modelHash, suiteHash, family string) string {
	return indexKey(modelHash, suiteHash, family)
}

func putEvidence(tx *bbolt.Tx, e Evidence) error {
	data, err := e.Encode()
	if err != nil {
		return err
	}
	return bucketRoundEvidence.putBytes(tx, evidenceKey(e), data)
}

// evidenceOf are the pieces of evidence that packages brought of a model for a suite and family,
// in key order.
func evidenceOf(tx *bbolt.Tx, modelHash, suiteHash, family string, read extent) ([]Evidence, error) {
	var list []Evidence
	for _, data := range bucketRoundEvidence.from(tx, evidencePrefix(modelHash, suiteHash, family)) {
		e, err := decodeEvidence(data, read)
		if err != nil {
			return nil, fmt.Errorf("%w (evidence of model %s: %w)", ErrDamaged, modelHash, err)
		}
		e.key = contentKey(data)
		list = append(list, e)
	}
	return list, nil
}

func contentKey(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// packagedOf is the evidence that stands for a model which has no set: over all images, with the
// most of the default matrices.
func packagedOf(tx *bbolt.Tx, modelHash, suiteHash, family string, read extent) (e Evidence, found bool, err error) {
	list, err := evidenceOf(tx, modelHash, suiteHash, family, read)
	if err != nil {
		return e, false, err
	}
	e, found = richest(list, variance.AllImages().String(), defaultModalityNames())
	return e, found, nil
}

// summaryOf is the summary of the model's best set, else one from a round package.
func summaryOf(tx *bbolt.Tx, m model.Model, suiteHash, family string) (s Summary, found bool, err error) {
	info, err := bestSet(tx, m, suiteHash, family)
	if err != nil {
		return s, false, err
	}
	if info.Key != "" {
		return getSummary(tx, info.Key, withMatrices)
	}
	best, found, err := packagedOf(tx, m.Hash, suiteHash, family, withMatrices)
	if err != nil || !found {
		return s, false, err
	}
	return best.summary(), true, nil
}

// packagedSummary finds what a round package brought by the key of its summary. Where each key
// lies is learned by reading everything once, and again for a key that is not known.
func (w *Workspace) packagedSummary(tx *bbolt.Tx, key string) (s Summary, found bool, err error) {
	if s, found, err = w.learnedSummary(tx, key); found || err != nil {
		return s, found, err
	}
	for at, data := range bucketRoundEvidence.from(tx, "") {
		w.packaged.Store(contentKey(data), at)
	}
	return w.learnedSummary(tx, key)
}

// learnedSummary reads what lies where the key was seen last, unless that was replaced meanwhile.
func (w *Workspace) learnedSummary(tx *bbolt.Tx, key string) (s Summary, found bool, err error) {
	at, known := w.packaged.Load(key)
	if !known {
		return s, false, nil
	}
	data := bucketRoundEvidence.bytes(tx, at.(string))
	if contentKey(data) != key {
		return s, false, nil
	}
	e, err := DecodeEvidence(data)
	if err != nil {
		return s, false, fmt.Errorf("%w (evidence %s: %w)", ErrDamaged, key, err)
	}
	e.key = key
	return e.summary(), true, nil
}

func defaultModalityNames() (names []string) {
	for _, m := range signal.DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}

// richest is the evidence over the images of a filter that has the most of the wanted modalities.
func richest(list []Evidence, filter string, wanted []string) (best Evidence, found bool) {
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

func (e Evidence) summary() Summary {
	s := Summary{
		Key: e.key, Package: e.Round, Matrices: map[string]variance.Matrix{}, Accuracy: e.Accuracy, Robust: e.Robust,
		Images: e.Total, Labelled: e.Labelled, Skipped: e.Skipped, Classes: e.Classes, MappedBy: e.MappedBy,
		Model: e.Model, Suite: e.Suite, Family: e.Family, Chance: e.Chance,
	}
	for _, m := range signal.DefaultModalities() {
		name := m.String()
		if matrix, ok := e.Matrices[name]; ok {
			s.Matrices[name] = matrix
		} else if e.Absent[name] != "" && e.Absent[name] != NotInPackage && !slices.Contains(s.Absent, m.Position) {
			s.Absent = append(s.Absent, m.Position)
		}
	}
	return s
}

// fromPackage answers a question from what round packages brought.
func (w *Workspace) fromPackage(q Question) (Answer, error) {
	list, err := viewed(w, func(tx *bbolt.Tx) ([]Evidence, error) {
		return evidenceOf(tx, q.Model.Hash, q.Suite, q.Family, withMatrices)
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
			a.Absent[name] = NotInPackage
		}
	}
	return a, nil
}
