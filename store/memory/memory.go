// Package memory holds a model file and a suite that are in no workspace, and the signals of the
// model on it. Runs record into it, and what is computed from the signals of a workspace
// (lookup.Signals) is computed from it. Nothing of it is on a disk; of the signals it keeps what
// is wanted alone.
package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/lookup"
)

var (
	_ engine.Recorder = (*Store)(nil)
	_ job.ModelStore  = (*Store)(nil)
	_ lookup.Signals  = (*Store)(nil)
)

// Store is one model, one suite and the signals of runs. It is safe for many goroutines.
type Store struct {
	path  string // of the model's file
	suite suite.Manifest
	want  signal.Want

	mu    sync.Mutex
	model model.Model
	look  *store.Look // nil before somebody has looked
	units map[string]bool
	sets  []*recorded
}

// recorded are the signals of one run.
type recorded struct {
	info store.SetInfo
	set  *signal.Set
}

// New is a store without signals. path is the model's file, want what is kept of signals, with
// the predictions.
func New(m model.Model, path string, on suite.Manifest, want signal.Want) *Store {
	want.Predictions = true
	return &Store{path: path, suite: on, want: want, model: m, units: map[string]bool{}}
}

// Set are the signals under a family, with what is known of them; they are nil where no run under
// it has ended.
func (s *Store) Set(family string) (*signal.Set, store.SetInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.sets {
		if r.info.Spec.Family == family && r.info.Finished {
			return r.set, r.info
		}
	}
	return nil, store.SetInfo{}
}

// Forget drops the signals under a family, which another run under it computes again.
func (s *Store) Forget(family string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sets = slices.DeleteFunc(s.sets, func(r *recorded) bool {
		if r.info.Spec.Family != family {
			return false
		}
		for chunk := range r.info.Chunks {
			delete(s.units, signal.UnitKeyOf(r.info.Key, chunk))
		}
		return true
	})
}

// Chance is the chance level of the model by its predictions in a run under a family.
func (s *Store) Chance(family string) chance.Level {
	set, info := s.Set(family)
	if set == nil {
		return chance.Level{}
	}
	return assess.ChanceOf(set, s.suite.Labels, info.ClassMap).Level()
}

// Has implements engine.Recorder.
func (s *Store) Has(unitKey string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.units[unitKey], nil
}

// Record implements engine.Recorder.
func (s *Store) Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	key := spec.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(key)
	if at == nil {
		info := store.SetInfo{
			Key: key, Spec: spec, Transformations: unit.Transformations, Classes: unit.Classes, Chunks: spec.Chunks(),
		}
		at = &recorded{info, signal.NewSet(spec, unit.Transformations, spec.Images, unit.Classes, s.want)}
		s.sets = append(s.sets, at)
	}
	if i := at.info; i.Classes != unit.Classes || i.Transformations != unit.Transformations {
		return fmt.Errorf("images from number %d on have %d classes under %d transformations, "+
			"those before %d under %d; they are not of one run",
			unit.Chunk*signal.ChunkSize, unit.Classes, unit.Transformations, i.Classes, i.Transformations)
	}
	at.set.Put(unit)
	at.info.Recorded++
	s.units[signal.UnitKeyOf(key, unit.Chunk)] = true
	return nil
}

// find is called with the lock held.
func (s *Store) find(key string) *recorded {
	for _, r := range s.sets {
		if r.info.Key == key {
			return r
		}
	}
	return nil
}

// Finish implements engine.Recorder.
func (s *Store) Finish(_ context.Context, task engine.Task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.find(task.Spec.Key()); r != nil {
		r.info.Finished, r.info.Absent, r.info.ClassMap = true, task.Absent, task.Classes
		r.info.MappedBy, r.info.Skipped = task.MappedBy, task.Skipped
	}
	return nil
}

// Ended implements engine.Recorder.
func (s *Store) Ended(engine.Status) error { return nil }

// Models are the one model.
func (s *Store) Models() ([]model.Model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []model.Model{s.model}, nil
}

// Model is the model, where it has this hash.
func (s *Store) Model(hash string) (model.Model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hash != s.model.Hash {
		return model.Model{}, fmt.Errorf("model %s: %w", hash, store.ErrNotFound)
	}
	return s.model, nil
}

// UpdateModel changes what is known of the model, never its file.
func (s *Store) UpdateModel(hash string, change func(*model.Model) error) error {
	m, err := s.Model(hash)
	if err != nil {
		return err
	}
	m.Graph.Outputs = slices.Clone(m.Graph.Outputs) // change may write into it
	if err := change(&m); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.model = m
	return nil
}

// HasFile implements job.ModelStore.
func (s *Store) HasFile(string) bool { return true }

// ModelPath is the model's file.
func (s *Store) ModelPath(string) string { return s.path }

// Look is what was found under other recipes; found is false before somebody has looked.
func (s *Store) Look(model.Model, string) (l store.Look, found bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.look == nil {
		return l, false, nil
	}
	return *s.look, true, nil
}

// KeepLook keeps what was found.
func (s *Store) KeepLook(_ model.Model, _ string, l store.Look) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look = &l
	return nil
}

// Suites are the one suite.
func (s *Store) Suites() ([]suite.Manifest, error) { return []suite.Manifest{s.suite}, nil }

// Suite is the suite, where it has this hash.
func (s *Store) Suite(hash string) (suite.Manifest, error) {
	if hash != s.suite.Hash {
		return suite.Manifest{}, fmt.Errorf("suite %s: %w", hash, store.ErrNotFound)
	}
	return s.suite, nil
}

// OpenSuiteContext opens the suite's images.
func (s *Store) OpenSuiteContext(_ context.Context, hash string) (*suite.Suite, error) {
	m, err := s.Suite(hash)
	if err != nil {
		return nil, err
	}
	return suite.Open(m, m.Root)
}

// Sets are those of the model on the suite, an empty family is any.
func (s *Store) Sets(_, _, family string) (list []store.SetInfo, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.sets {
		if family == "" || family == r.info.Spec.Family {
			list = append(list, r.info)
		}
	}
	return list, nil
}

// BestSet implements lookup.Signals.
func (s *Store) BestSet(_ model.Model, _, family string) (store.SetInfo, bool, error) {
	set, info := s.Set(family)
	return info, set != nil, nil
}

// WhyNoSet implements lookup.Signals.
func (s *Store) WhyNoSet(model.Model, string, string) (result.Reason, error) {
	return result.Because(signal.NoSignals, "%s", store.ErrNoSignals), nil
}

// FamilyName implements lookup.Signals: there are no selections, so that scenes are named by their
// hash.
func (s *Store) FamilyName(text string) string {
	return store.FamilyName(text, func(string) string { return "" })
}

// EachChunk gives the signals in one piece: they are in memory.
func (s *Store) EachChunk(
	ctx context.Context, key string, _ signal.Want, visit func(first int, part *signal.Set) error,
) error {
	s.mu.Lock()
	r := s.find(key)
	s.mu.Unlock()
	if r == nil {
		return fmt.Errorf("signals %.12s: %w", key, store.ErrNotFound)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return visit(0, r.set)
}

// KeptValue finds nothing: what is computed is not kept.
func (s *Store) KeptValue(string, any) (bool, error) { return false, nil }

// KeepValue keeps nothing: the store ends with the command.
func (s *Store) KeepValue(string, any) error { return nil }
