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
	"github.com/variscope/variscope/internal/testdata"
)

// prepare prepares a run that must be possible.
func (b *fixture) prepare(limits engine.Limits, req Request) Prepared {
	b.Helper()
	return testdata.Must(Prepare(b.Context(), Place{b.ws, b.rt, limits}, req, engine.NoProgress{}))(b)
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
	id := testdata.Must(run.Submit(b.eng, executor(func(ctx context.Context, j *engine.Job) {
		for a, ok := j.Next(ctx, ""); ok; a, ok = j.Next(ctx, "") {
			asked = append(asked, a.Key())
			a.Failed(errors.New("not here"))
		}
	})))(b)
	status := testdata.Must(b.eng.Wait(t.Context(), id))(b)
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

// fakeTuner chooses always the same and counts what it is asked.
type fakeTuner struct {
	choice     engine.Tuning
	asked      int
	inferences int64
}

func (f *fakeTuner) Tune(
	ctx context.Context, _ engine.Runtime, _ engine.Feed, _ string, _ int, inferences int64,
) (engine.Tuning, error) {
	f.asked++
	f.inferences = inferences
	return f.choice, ctx.Err()
}

// with runs a request on an engine of its own.
func (b *fixture) with(limits engine.Limits, req Request) engine.Status {
	b.Helper()
	eng := engine.New(b.rt, b.ws, limits)
	defer func() { must(b, eng.Close()) }()
	id, _, err := Start(b.Context(), b.ws, eng, b.rt, req, engine.NoProgress{})
	must(b, err)
	return testdata.Must(eng.Wait(b.Context(), id))(b)
}

// A tuner's batch is used for a model that has no signals yet; whatever is chosen later, what is
// there is not computed again.
func TestTunedBatchIsForTheFirstUnitOnly(t *testing.T) {
	b := newFixture(t, 5)
	b.model("a", nil)
	b.model("b", nil)
	tuner := &fakeTuner{choice: engine.Tuning{Batch: 2, Workers: 1}}
	tuned := engine.Limits{Workers: 2, Tune: tuner}
	if status := b.with(tuned, b.request()); status.Phase != engine.Done || status.Reused != 0 {
		t.Fatalf("%+v", status)
	}
	if in := b.rt.Probed()[0].Input; in.Batch != 2 || tuner.asked != 2 || tuner.inferences != 2*5*3 {
		t.Errorf("a batch of %d, asked %d times, for %d inferences", in.Batch, tuner.asked, tuner.inferences)
	}
	record := b.records()[0]
	tuner.choice.Batch = 4
	for name, limits := range map[string]engine.Limits{
		"another choice": tuned, "no tuner": {Workers: 1},
		"another default": {Workers: 1, Batch: 3},
	} {
		for _, req := range []Request{b.request(), Again(record)} {
			if status := b.with(limits, req); status.Reused != status.Total {
				t.Errorf("%s: computed again: %+v", name, status)
			}
		}
	}
	if tuner.asked != 2 {
		t.Errorf("asked %d times", tuner.asked)
	}
	explicit := b.request()
	explicit.Batch = 5
	if status := b.with(tuned, explicit); status.Reused != 0 || tuner.asked != 2 {
		t.Errorf("explicit batch: asked %d times, %+v", tuner.asked, status)
	}
}

// Without a tuner a run is recorded with its batch, unless some model keeps that of signals that
// are there.
func TestRecordedBatch(t *testing.T) {
	b := newFixture(t, 5)
	b.model("a", nil)
	b.with(engine.Limits{Workers: 1, Batch: 3}, b.request())
	if got := b.records()[0].Batch; got != 3 {
		t.Errorf("recorded a batch of %d in place of 3", got)
	}
	b.model("b", nil)
	b.with(engine.Limits{Workers: 1, Batch: 4}, b.request())
	for _, record := range b.records() {
		if record.Batch != 3 && record.Batch != 0 {
			t.Errorf("recorded a batch of %d", record.Batch)
		}
		if status := b.with(engine.Limits{Workers: 1}, Again(record)); status.Reused != status.Total {
			t.Errorf("batch %d: computed again: %+v", record.Batch, status)
		}
	}
}

// A tuner that has nothing to say leaves the default, and a cancelled one ends the start.
func TestTunerWithoutAChoice(t *testing.T) {
	b := newFixture(t, 3)
	b.model("a", nil)
	tuner := &fakeTuner{}
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: 1, Tune: tuner})
	defer func() { must(b, eng.Close()) }()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Start(ended, b.ws, eng, b.rt, b.request(), engine.NoProgress{}); err == nil {
		t.Error("a cancelled start has no error")
	}
	b.with(engine.Limits{Workers: 1, Tune: tuner}, b.request())
	if in := b.rt.Probed()[0].Input; in.Batch != engine.DefaultBatch {
		t.Errorf("a batch of %d", in.Batch)
	}
}
