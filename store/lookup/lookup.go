// Package lookup finds what a question over models x suites x families rests on: the models and
// suites, the finished sets of signals or the reason why there is none, and their chunks. What is
// wrong with one combination is a reason, by which it is left out; what concerns all is an error.
package lookup

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Signals are models and suites with finished sets of signals, and values that were computed from
// these: a workspace, or memory for a model file that is in none (store/memory). The methods are
// those of store.Workspace.
type Signals interface {
	Models() ([]model.Model, error)
	Model(hash string) (model.Model, error)
	Suites() ([]suite.Manifest, error)
	Suite(hash string) (suite.Manifest, error)
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	Sets(model, suite, family string) ([]store.SetInfo, error)
	BestSet(m model.Model, suite, family string) (info store.SetInfo, ok bool, err error)
	WhyNoSet(m model.Model, suite, family string) (result.Reason, error)
	// FamilyName is the canonical text of a family as people read it.
	FamilyName(text string) string
	EachChunk(ctx context.Context, key string, want store.Want, visit func(first int, part *signal.Set) error) error
	KeptValue(name string, into any) (found bool, err error)
	KeepValue(name string, v any) error
}

// NotHere is the reason for a model that the workspace does not have.
var NotHere = result.Because(signal.NotHere, "it is not in the workspace")

// Models are the models with these hashes, nil for all, in the order of the hashes. One that is
// not there becomes a model with nothing but its hash, which Set has a reason for.
func Models(ws Signals, hashes []string) ([]model.Model, error) {
	if hashes == nil {
		return ws.Models()
	}
	list := make([]model.Model, len(hashes))
	for i, hash := range hashes {
		m, err := ws.Model(hash)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		m.Hash = hash
		list[i] = m
	}
	return list, nil
}

// Suites are the suites with these hashes, whole. One that is not there is an error.
func Suites(ws Signals, hashes []string) ([]suite.Manifest, error) {
	list := make([]suite.Manifest, len(hashes))
	for i, hash := range hashes {
		m, err := ws.Suite(hash)
		if err != nil {
			return nil, err
		}
		list[i] = m
	}
	return list, nil
}

// InOrder are the hashes of in that are true, in the order of the workspace's suites.
func InOrder(ws Signals, in map[string]bool) ([]string, error) {
	manifests, err := ws.Suites()
	if err != nil {
		return nil, err
	}
	var hashes []string
	for _, m := range manifests {
		if in[m.Hash] {
			hashes = append(hashes, m.Hash)
		}
	}
	return hashes, nil
}

// EachSet visits the finished sets of signals of all models on a suite, "" for any: model by
// model, oldest first.
func EachSet(ws Signals, suite string, visit func(store.SetInfo)) error {
	models, err := ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		sets, err := ws.Sets(m.Hash, suite, "")
		if err != nil {
			return err
		}
		for _, info := range sets {
			if info.Finished {
				visit(info)
			}
		}
	}
	return nil
}

// Labels are a suite's labels, -1 for an image without one; nil for a suite without any.
func Labels(m suite.Manifest) []int {
	if slices.ContainsFunc(m.Labels, func(l int) bool { return l >= 0 }) {
		return m.Labels
	}
	return nil
}

// Set is the finished set of signals of a model under a family or set (canonical text); reason says
// why there is none, with a code of engine/signal.
func Set(ws Signals, m model.Model, suite, family string) (info store.SetInfo, reason result.Reason, err error) {
	if m.ID == "" {
		return info, NotHere, nil
	}
	if _, err := m.Settings(); err != nil {
		return info, result.Reason{Code: signal.Unreadable, Text: err.Error()}, nil
	}
	info, ok, err := ws.BestSet(m, suite, family)
	if err == nil && !ok {
		reason, err = ws.WhyNoSet(m, suite, family)
	}
	return info, reason, err
}

// unusableError says what is wrong with signals that could be read.
type unusableError struct{ err error }

func (e *unusableError) Error() string { return e.err.Error() }

func (e *unusableError) Unwrap() error { return e.err }

// Unusable marks an error of the signals themselves: it concerns their combination alone.
func Unusable(err error) error { return &unusableError{err} }

// EachChunk is store.Workspace.EachChunk, whose visit returns an error of the signals alone:
// Reason knows it.
func EachChunk(
	ctx context.Context, ws Signals, key string, want store.Want, visit func(first int, part *signal.Set) error,
) error {
	return ws.EachChunk(ctx, key, want, func(first int, part *signal.Set) error {
		if err := visit(first, part); err != nil {
			return Unusable(fmt.Errorf("signals from image %d on: %w", first, err))
		}
		return nil
	})
}

// Reason turns an error that concerns one combination alone, damaged, missing or unusable signals,
// into the reason why it is left out, with the code signal.DamagedFile or signal.Damaged. Other
// errors are returned.
func Reason(err error) (reason result.Reason, other error) {
	var damaged *store.DamagedError
	var unusable *unusableError
	switch {
	case err == nil:
		return reason, nil
	case errors.As(err, &damaged):
		return result.Reason{Code: signal.DamagedFile, Text: err.Error()}, nil
	case errors.As(err, &unusable), errors.Is(err, store.ErrIncomplete), errors.Is(err, store.ErrNotFound):
		return result.Reason{Code: signal.Damaged, Text: err.Error()}, nil
	}
	return reason, err
}

// Workers is the number of goroutines for so many wanted ones: one per processor for 0.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Each does the combinations 0..n-1 with so many goroutines (0 for one per processor), counting
// them in p, and ends with the first error or with ctx.
func Each(ctx context.Context, n, workers int, p engine.Progress, do func(ctx context.Context, k int) error) error {
	p.SetTotal(int64(n))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(Workers(workers))
	for k := range n {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			defer p.Add(1)
			return do(ctx, k)
		})
	}
	return work.Wait()
}
