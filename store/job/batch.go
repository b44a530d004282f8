package job

import (
	"context"
	"maps"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
)

// batching is the number of images per inference of each model of a run. A batch that somebody
// asked for is taken. Otherwise signals that are there decide, since another batch would compute
// them anew under another name, then the engine's tuner, then its default.
type batching struct {
	asked  int // 0 for nothing
	limits engine.Limits
	chosen map[string]int // by model, those of the request among them
	// requested are those of the request.
	requested map[string]int
	tuned     map[string]engine.Tuning // by model
	alike     map[string]int64         // models of an architecture
}

func newBatching(req Request, limits engine.Limits, models []model.Model) *batching {
	b := &batching{
		asked: req.Batch, requested: req.Batches, limits: limits, chosen: map[string]int{},
		tuned: map[string]engine.Tuning{}, alike: map[string]int64{},
	}
	maps.Copy(b.chosen, req.Batches)
	if limits.Tune == nil {
		return b // nobody asks how many are alike
	}
	for _, m := range models {
		b.alike[engine.Architecture(m.Graph)]++
	}
	return b
}

// of is the batch of a model, the default as long as none was chosen.
func (b *batching) of(m model.Model) int {
	switch chosen := b.chosen[m.Hash]; {
	case b.asked > 0:
		return b.asked
	case chosen > 0:
		return chosen
	}
	return b.limits.Batch
}

// forget makes the choice open again, but for that of the request.
func (b *batching) forget(model string) {
	delete(b.tuned, model)
	if b.chosen[model] = b.requested[model]; b.chosen[model] == 0 {
		delete(b.chosen, model)
	}
}

// inForce is the batch that a run is recorded with, so that its repetition has the same one
// whatever the default is by then. It is open where a tuner chooses or some model keeps another
// one: then those of the signals that are there are taken again.
func (b *batching) inForce() int {
	if b.asked > 0 || b.limits.Tune != nil {
		return b.asked
	}
	for _, chosen := range b.chosen {
		if chosen != b.limits.Batch {
			return 0
		}
	}
	return b.limits.Batch
}

// workers is the largest number of goroutines that suits some task, 0 for all that there are.
func (b *batching) workers(tasks []engine.Task) int {
	most := 0
	for _, t := range tasks {
		n := b.tuned[t.Spec.Model].Workers
		if n == 0 {
			return 0
		}
		most = max(most, n)
	}
	return most
}

// chooseBatch chooses the batch of a model that leaves it open. A model that cannot be planned
// keeps the default: its reason comes later.
func (p planner) chooseBatch(ctx context.Context, m model.Model) error {
	if p.batch.asked > 0 || m.Graph.Input.Batch > 0 || p.batch.chosen[m.Hash] > 0 {
		return nil
	}
	task, reason := p.plan(m)
	if reason != nil {
		return nil
	}
	there, err := p.onDisk(task.Spec)
	if err != nil {
		return err
	}
	if there > 0 {
		p.batch.chosen[m.Hash] = there
		return nil
	}
	if p.batch.limits.Tune == nil || task.Feed.Mask != nil {
		return nil // with masks most of the time goes into other graphs than the one that would be measured
	}
	architecture := engine.Architecture(m.Graph)
	inferences := int64(task.Spec.Images) * int64(p.family.N()) * p.batch.alike[architecture]
	tuning, err := p.batch.limits.Tune.Tune(ctx, p.rt, task.Feed, architecture, p.batch.limits.Workers, inferences)
	if err != nil {
		return err
	}
	p.batch.chosen[m.Hash], p.batch.tuned[m.Hash] = tuning.Batch, tuning
	return nil
}

// onDisk is the batch of the signals that differ from a spec in nothing else, 0 where there are
// none. Of several, the one with the most units is taken, and of equal ones the newest.
func (p planner) onDisk(spec signal.Spec) (int, error) {
	sets, err := p.models.Sets(spec.Model, spec.Source, spec.Family)
	if err != nil {
		return 0, err
	}
	var best store.SetInfo
	for _, set := range sets {
		like := spec
		like.Batch = set.Spec.Batch
		if set.Recorded > 0 && set.Recorded >= best.Recorded && like.Key() == set.Key {
			best = set
		}
	}
	return best.Spec.Batch, nil
}
