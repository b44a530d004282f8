package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
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

// encode writes a summary as putHead does.
func (s Summary) encode() ([]byte, error) {
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
func decodeSummary(key string, data []byte, matrices extent) (Summary, error) {
	var head summaryHead
	rest, err := cutHead(data, &head)
	if err != nil {
		return Summary{}, err
	}
	numbers, of, err := cutMatrices(rest, head.Accuracy, head.N, head.Names, matrices)
	if err != nil {
		return Summary{}, err
	}
	if matrices == withoutMatrices {
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

func getSummary(tx *bbolt.Tx, key string, matrices extent) (s Summary, found bool, err error) {
	data := bucketSummaries.bytes(tx, key)
	if data == nil {
		return s, false, nil
	}
	if s, err = decodeSummary(key, data, matrices); err != nil {
		return s, false, fmt.Errorf("%w (summary %s: %w)", ErrDamaged, key, err)
	}
	return s, true, nil
}

// Summary returns the summary of the finished set that fits the model's settings: of several the
// one with most of the default positions, then the newest; without any, what a round package
// brought. ok is false when there is none, also when the state is stale.
func (w *Workspace) Summary(m model.Model, suiteHash, family string) (s Summary, ok bool, err error) {
	err = w.view(func(tx *bbolt.Tx) error {
		s, ok, err = summaryOf(tx, m, suiteHash, family)
		return err
	})
	return s, ok, err
}

// SetSummary returns the summary with this key: that of a set, or of what a round package brought.
// ok is false when there is none, as of a set that is not finished.
func (w *Workspace) SetSummary(key string) (s Summary, ok bool, err error) {
	err = w.view(func(tx *bbolt.Tx) error {
		if s, ok, err = getSummary(tx, key, withMatrices); ok || err != nil {
			return err
		}
		s, ok, err = w.packagedSummary(tx, key)
		return err
	})
	return s, ok, err
}

// Chance is the chance level of the model behind a summary. A summary that was made before it was
// counted gets its counts from the predictions, once, and keeps them; of an older round package
// nothing is known. It may be slow then (files).
func (w *Workspace) Chance(ctx context.Context, s Summary) (chance.Level, error) {
	if s.Chance != nil || s.Key == "" || s.Package != "" {
		return s.level(), nil
	}
	set, err := w.LoadSet(ctx, s.Key, Want{Predictions: true})
	if err != nil {
		return chance.Level{}, err
	}
	labels, err := w.labels(s.Suite, set.Images)
	if err != nil {
		return chance.Level{}, err
	}
	counts := assess.ChanceOf(set, labels, s.Classes)
	err = w.keep(func(tx *bbolt.Tx) error {
		now, found, err := getSummary(tx, s.Key, withMatrices)
		if err != nil || !found {
			return err
		}
		now.Chance = &counts
		data, err := now.encode()
		if err != nil {
			return err
		}
		return bucketSummaries.putBytes(tx, s.Key, data)
	})
	return counts.Level(), err
}

func (s Summary) level() chance.Level {
	if s.Chance == nil {
		return chance.Level{}
	}
	return s.Chance.Level()
}
