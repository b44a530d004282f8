package database

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/chance"
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

	Key string `json:"-"` // SHA-256 of what is stored, hex
}

// NotInPackage is the reason of Answer.Absent for a modality that a round package does not hold.
const NotInPackage = "not in the round package"

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
func DecodeEvidence(data []byte) (Evidence, error) { return decodeEvidence(data, WithMatrices) }

// Extent is how much of evidence is read: lists of models need no matrices, which are nearly all
// of it.
type Extent bool

const (
	WithMatrices    Extent = true
	WithoutMatrices Extent = false // they have their names and no elements
)

func decodeEvidence(data []byte, read Extent) (Evidence, error) {
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
	return EvidencePrefix(e.Model, e.Suite, e.Family) + e.Filter + Separator + e.Round
}

// EvidencePrefix begins the keys of the evidence of a model for a suite and family.
func EvidencePrefix(modelHash, suiteHash, family string) string {
	return IndexKey(modelHash, suiteHash, family)
}

// PutEvidence stores evidence under its key.
func PutEvidence(tx *Tx, e Evidence) error {
	data, err := e.Encode()
	if err != nil {
		return err
	}
	return RoundEvidence.PutBytes(tx, evidenceKey(e), data)
}

// EvidenceOf are the pieces of evidence that packages brought of a model for a suite and family,
// in key order.
func EvidenceOf(tx *Tx, modelHash, suiteHash, family string, read Extent) ([]Evidence, error) {
	var list []Evidence
	for _, data := range RoundEvidence.From(tx, EvidencePrefix(modelHash, suiteHash, family)) {
		e, err := decodeEvidence(data, read)
		if err != nil {
			return nil, fmt.Errorf("%w (evidence of model %s: %w)", ErrDamaged, modelHash, err)
		}
		e.Key = ContentKey(data)
		list = append(list, e)
	}
	return list, nil
}

// ContentKey is the SHA-256 of stored evidence, hexadecimal.
func ContentKey(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Summary is what screens show of evidence in place of the summary of a set.
func (e Evidence) Summary() Summary {
	s := Summary{
		Key: e.Key, Package: e.Round, Matrices: map[string]variance.Matrix{}, Accuracy: e.Accuracy, Robust: e.Robust,
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

// SceneFacts are what evidence of a background round says beside its matrices.
type SceneFacts struct {
	Selection string  `json:"selection"` // its name
	N         int     `json:"n"`         // scenes per target
	Far       float64 `json:"far"`       // the end of both axes, a semantic distance
	// Labelled targets have a class; without any the four shares say nothing. They are
	// spec/background.md section 12.
	Labelled      int     `json:"labelled"`
	Accuracy      float64 `json:"accuracy"`
	MeanComposite float64 `json:"mean_composite"`
	WorstCase     float64 `json:"worst_case"`
	Changed       float64 `json:"changed"`
}
