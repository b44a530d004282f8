package job

import (
	"context"
	"testing"

	"github.com/variscope/variscope/engine"
)

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
	status, err := eng.Wait(b.Context(), id)
	must(b, err)
	return status
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
