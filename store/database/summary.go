package database

import (
	"fmt"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
)

// Summary is what the screens show of a finished set, over all images of the suite.
type Summary struct {
	Key string // of the set; for what a round package brought, the hash of that
	// Package is the round whose package brought this, empty for signals of this workspace. There
	// is no set to load then.
	Package string
	// Matrices are those of the default five modalities whose positions are there, by name
	// ("max@CONF"); N x N, plain order. The signals of a transformation set have none.
	Matrices map[string]variance.Matrix
	// Accuracy is the share of correct predictions per transformation, over the images that have a
	// label; nil when the suite has none. That of the images as they are is Accuracy[Identity()].
	// Robust is the share of images that are correct under every transformation.
	Accuracy []float64
	Robust   float64
	Images   int      // of the suite
	Labelled int      // of these, with a label
	Skipped  int      // corrupt images that the suite left out
	Absent   []string // requested positions that the model does not have
	Classes  []int    // suite label -> class of the model
	MappedBy string   // "by name", "by index", "by table"
	Device   string   // what computed it (SetInfo.Device), empty for the processor
	// Chance counts what the chance level rests on; nil in summaries that were made before it was
	// counted (see Workspace.Chance).
	Chance *chance.Counts
	// Model and suite say whose it is: content hashes; Family is canonical text.
	Model, Suite, Family string
}

// Identity is the index of the identity in Accuracy: the middle one of a family, the first one of
// a transformation set.
func (s Summary) Identity() int { return transform.IdentityOf(s.Family, len(s.Accuracy)) }

// summaryHead is the part of a stored summary that is JSON; the numbers follow as float64,
// little-endian: accuracies, robust accuracy, then the matrices in the order of Names, whole.
type summaryHead struct {
	Names    []string `json:"names"`
	N        int      `json:"n"`
	Accuracy int      `json:"accuracy"` // how many accuracies
	Images   int      `json:"images"`
	Labelled int      `json:"labelled"`
	Skipped  int      `json:"skipped,omitempty"`
	Absent   []string `json:"absent,omitempty"`
	Classes  []int    `json:"classes,omitempty"`
	MappedBy string   `json:"mapped_by,omitempty"`
	Device   string   `json:"device,omitempty"`
	Model    string   `json:"model"`
	Suite    string   `json:"suite"`
	Family   string   `json:"family"`

	Chance *chance.Counts `json:"chance,omitempty"`
}

// Encode writes a summary as putHead does.
func (s Summary) Encode() ([]byte, error) {
	head := summaryHead{
		Accuracy: len(s.Accuracy), Images: s.Images, Labelled: s.Labelled, Skipped: s.Skipped, Absent: s.Absent,
		Classes: s.Classes, MappedBy: s.MappedBy, Model: s.Model, Suite: s.Suite, Family: s.Family,
		Device: s.Device, Chance: s.Chance,
	}
	for _, m := range signal.DefaultModalities() {
		if matrix, ok := s.Matrices[m.String()]; ok {
			head.Names, head.N = append(head.Names, m.String()), matrix.N
		}
	}
	return putMatrices(head, s.Accuracy, s.Robust, head.Names, s.Matrices)
}

// decodeSummary reads a summary, without its matrices where they are not asked for.
func decodeSummary(key string, data []byte, matrices Extent) (Summary, error) {
	var head summaryHead
	rest, err := cutHead(data, &head)
	if err != nil {
		return Summary{}, err
	}
	numbers, of, err := cutMatrices(rest, head.Accuracy, head.N, head.Names, matrices)
	if err != nil {
		return Summary{}, err
	}
	if matrices == WithoutMatrices {
		clear(of)
	}
	s := Summary{
		Key: key, Robust: numbers[head.Accuracy], Images: head.Images, Labelled: head.Labelled, Skipped: head.Skipped,
		Absent: head.Absent, Classes: head.Classes, MappedBy: head.MappedBy, Device: head.Device, Model: head.Model,
		Suite: head.Suite, Family: head.Family, Chance: head.Chance, Matrices: of,
	}
	if head.Accuracy > 0 {
		s.Accuracy = numbers[:head.Accuracy:head.Accuracy]
	}
	return s, nil
}

// GetSummary reads the summary of a set.
func GetSummary(tx *Tx, key string, matrices Extent) (s Summary, found bool, err error) {
	data := Summaries.Bytes(tx, key)
	if data == nil {
		return s, false, nil
	}
	if s, err = decodeSummary(key, data, matrices); err != nil {
		return s, false, fmt.Errorf("%w (summary %s: %w)", ErrDamaged, key, err)
	}
	return s, true, nil
}

func (s Summary) Level() chance.Level {
	if s.Chance == nil {
		return chance.Level{}
	}
	return s.Chance.Level()
}
