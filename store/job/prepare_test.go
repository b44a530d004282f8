package job

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
)

// prepare prepares a run that must be possible.
func (b *fixture) prepare(limits engine.Limits, req Request) Prepared {
	b.Helper()
	run, err := Prepare(b.Context(), Place{b.ws, b.rt, limits}, req, engine.NoProgress{})
	must(b, err)
	return run
}

// TestAPreparedRunIsNotRecorded until it is submitted, to whoever shall compute it.
func TestAPreparedRunIsNotRecorded(t *testing.T) {
	b := newFixture(t, 5)
	m := b.model("a", nil)
	b.model("b", func(m *model.Model) { m.Graph.Input.Channels = 2 })
	run := b.prepare(engine.Limits{Batch: 4}, b.request())
	if len(run.Tasks) != 1 || len(run.Refused) != 1 || run.Suite != "pets" || run.Source.Len() != 5 ||
		len(b.records()) != 0 {
		t.Errorf("%+v, %d records", run, len(b.records()))
	}
	must(b, run.Fits(t.Context()))
	if current, err := b.ws.Current(); err != nil || current.Suite != "" {
		t.Errorf("%+v %v", current, err)
	}
	if _, err := run.Source.Image(0); err != nil {
		t.Error(err)
	}
	must(b, run.Close())
	if _, err := run.Source.Image(0); err == nil {
		t.Error("images after the end")
	}
	run = b.prepare(engine.Limits{Batch: 4}, b.request())
	var asked []string
	id, err := run.Submit(b.eng, executor(func(ctx context.Context, j *engine.Job) {
		for a, ok := j.Next(ctx, ""); ok; a, ok = j.Next(ctx, "") {
			asked = append(asked, a.Key())
			a.Failed(errors.New("not here"))
		}
	}))
	must(b, err)
	status, err := b.eng.Wait(t.Context(), id)
	must(b, err)
	if status.Phase != engine.Failed || !slices.Equal(asked, []string{run.Tasks[0].Spec.UnitKey(0)}) ||
		run.Tasks[0].Spec.Model != m.Hash {
		t.Errorf("%+v, asked for %q", status, asked)
	}
	if r := b.records(); len(r) != 1 || len(r[0].Failures) != 2 {
		t.Errorf("%+v", r)
	}
}

// executor is an engine.Executor.
type executor func(ctx context.Context, j *engine.Job)

func (x executor) Execute(ctx context.Context, j *engine.Job) { x(ctx, j) }

// TestTheRequestOfAPreparedRunNamesTheSameUnits, whatever the default batch is by then.
func TestTheRequestOfAPreparedRunNamesTheSameUnits(t *testing.T) {
	b := newFixture(t, 5)
	b.model("a", nil)
	b.model("b", func(m *model.Model) { m.Graph.Input.Batch = 3 })
	b.model("c", func(m *model.Model) { m.Graph.Input.Channels = 2 })
	tuner := &fakeTuner{choice: engine.Tuning{Batch: 2}}
	asked := b.request()
	asked.Vectors, asked.Mixed = []string{"L2@CONF"}, true
	first := b.prepare(engine.Limits{Tune: tuner, Batch: 32}, asked)
	defer func() { must(b, first.Close()) }()
	req := first.Request()
	want := map[string]int{first.Tasks[0].Spec.Model: 2, first.Tasks[1].Spec.Model: 3}
	if len(req.Models) != 2 || !maps.Equal(req.Batches, want) || req.Batch != 0 || req.Family != canonical ||
		!req.Mixed {
		t.Errorf("%+v", req)
	}
	tuner.choice.Batch = 5
	for _, limits := range []engine.Limits{{Batch: 16}, {Batch: 32, Tune: tuner}} {
		second := b.prepare(limits, req)
		for i, task := range second.Tasks {
			if task.Spec.Key() != first.Tasks[i].Spec.Key() || task.Spec.Level != signal.Mixed {
				t.Errorf("%+v in place of %+v", task.Spec, first.Tasks[i].Spec)
			}
		}
		must(b, second.Close())
	}
	status, _ := b.run(req)
	if status.Phase != engine.Done || status.Failed > 0 {
		t.Errorf("%+v", status)
	}
	record := b.records()[0]
	if again := Again(record); !record.Mixed || !again.Mixed || b.done(again).Reused != status.Total {
		t.Errorf("%+v", record)
	}
}
