package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// looked is a model that is looked at: the candidates under which it ran, and which of the images
// it predicts rightly under each.
type looked struct {
	model      model.Model
	task       engine.Task // of the run
	candidates []recipe.Candidate
	tried      []recipe.Candidate
	right      [][]bool
}

// looks are what the look has found so far.
func (l *looked) looks() chance.Looks { return chance.Look(l.tried, l.right) }

// look runs the models of which nothing says range or channels on some labelled images of the
// suite under the candidates of spec/recipe.md section 3, and keeps what it finds (store.Looks).
// No model is looked at twice, and none on a derived suite, whose images are not what it was made
// for, or where only others compute. A candidate that fails is left out; of a model that fails by
// default nothing is kept: its run says why. It is slow: one session and up to chance.LookImages
// images per model and candidate.
func (p planner) look(ctx context.Context, workers int, tasks []engine.Task) (err error) {
	images := spread(p.suite.Labels, chance.LookImages)
	if p.suite.Derived != nil || len(images) == 0 || workers == engine.NoWorkers {
		return nil
	}
	list, err := p.lookable(tasks)
	if err != nil || len(list) == 0 {
		return err
	}
	all, err := newSource(ctx, p.models, p.suite)
	if err != nil {
		return err
	}
	seen := &predictions{of: map[string][]int32{}}
	eng := engine.New(p.rt, seen, engine.Limits{Workers: workers})
	defer func() { err = errors.Join(err, eng.Close(), all.close()) }()
	source := some{all, images}
	p.suite.Images, p.req.Vectors, p.scenes = len(images), nil, suite.Manifest{}
	if p.family, err = transform.ParseAny(transform.Plain); err != nil {
		return err
	}
	for k := 0; ; k++ {
		var round []engine.Task
		var of []*looked
		for _, l := range list {
			if k >= len(l.candidates) || k > 0 && (len(l.tried) == 0 || !l.looks().Improvable()) {
				continue
			}
			task, reason, err := p.candidate(ctx, l, l.candidates[k])
			if err != nil {
				return err
			}
			if reason == nil {
				round, of = append(round, task), append(of, l)
			}
		}
		if len(round) == 0 {
			break
		}
		id := fmt.Sprintf("look %d", k) // of an engine that is gone afterwards
		if err := eng.Submit(engine.Run{ID: id, Source: source, Tasks: round}); err != nil {
			return err
		}
		status, err := eng.Wait(ctx, id)
		if err != nil {
			return err
		}
		for i, l := range of {
			if status.Tasks[i].Err == nil {
				l.tried = append(l.tried, l.candidates[k])
				l.right = append(l.right, source.right(seen.of[l.model.Hash], l.task.Classes))
			}
		}
	}
	for _, l := range list {
		if len(l.tried) > 0 {
			kept := store.Look{Looks: l.looks(), Classes: l.task.Classes}
			err = errors.Join(err, p.models.KeepLook(l.model, p.suite.Hash, kept))
		}
	}
	return err
}

// lookable are the models of which nothing says range or channels and at which nobody has looked,
// with their candidates.
func (p planner) lookable(tasks []engine.Task) (list []*looked, err error) {
	for _, t := range tasks {
		m, err := p.models.Model(t.Spec.Model)
		if err != nil {
			return nil, err
		}
		settings, err := m.Settings()
		if err != nil || settings.By(recipe.OfRange|recipe.OfChannels) != model.ByDefault {
			continue
		}
		known, found, err := p.models.Look(m, p.suite.Hash)
		if err != nil {
			return nil, err
		}
		if !found || !slices.Equal(known.Classes, t.Classes) {
			in := t.Feed.Input
			list = append(list, &looked{model: m, task: t, candidates: recipe.Candidates(in.Channels, in.Type.Whole())})
		}
	}
	return list, nil
}

// candidate plans a model under a candidate, with the tensors of its run, which were probed.
func (p planner) candidate(ctx context.Context, l *looked, c recipe.Candidate) (task engine.Task, reason, err error) {
	p.req.Positions = nil
	for _, position := range l.task.Spec.Positions {
		p.req.Positions = append(p.req.Positions, position.Name)
	}
	m, reason, err := p.tried(ctx, l.model) // once more where the run has masks
	if reason != nil || err != nil {
		return task, reason, err
	}
	if text := c.Text(); text != "" {
		m.Correction.Recipe = text
	}
	task, reason = p.plan(m)
	return task, reason, nil
}

// spread are up to n of the images with a label, evenly over all of them.
func spread(labels []int, n int) []int {
	var all []int
	for i, label := range labels {
		if label >= 0 {
			all = append(all, i)
		}
	}
	if len(all) <= n {
		return all
	}
	images := make([]int, n)
	for k := range images {
		images[k] = all[k*len(all)/n]
	}
	return images
}

// some are chosen images of a source.
type some struct {
	engine.Source
	images []int
}

// Len implements engine.Source, as the others do.
func (s some) Len() int                         { return len(s.images) }
func (s some) Label(i int) int                  { return s.Source.Label(s.images[i]) }
func (s some) Name(i int) string                { return s.Source.Name(s.images[i]) }
func (s some) Image(i int) (suite.Image, error) { return s.Source.Image(s.images[i]) }

// right tells which images are predicted rightly; classes are those of variance.ClassOf.
func (s some) right(predicted []int32, classes []int) []bool {
	right := make([]bool, len(s.images))
	for i := range right {
		right[i] = int(predicted[i]) == variance.ClassOf(s.Label(i), classes)
	}
	return right
}

// predictions is a Recorder that keeps the predictions of models under plain, of fewer images than
// a unit has.
type predictions struct {
	mu sync.Mutex
	of map[string][]int32 // by hash
}

var _ engine.Recorder = (*predictions)(nil)

// Has implements engine.Recorder.
func (*predictions) Has(string) (bool, error) { return false, nil }

// Record implements engine.Recorder.
func (r *predictions) Record(_ context.Context, spec signal.Spec, unit *signal.Unit) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[spec.Model] = slices.Clone(unit.Prediction)
	return nil
}

// Finish implements engine.Recorder.
func (*predictions) Finish(context.Context, engine.Task) error { return nil }

// Ended implements engine.Recorder.
func (*predictions) Ended(engine.Status) error { return nil }
