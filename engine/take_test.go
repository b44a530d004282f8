package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// hoarder records what it can, and holds back every unit that the test names until nothing is
// handed out any more.
type hoarder struct {
	units map[string]bool // to be held back
	want  *memory
	more  bool // Take has handed out a unit after it had said that none is left
}

func (h *hoarder) Execute(ctx context.Context, j *Job) {
	var held []*Assignment
	for {
		a, ok := j.Take(ctx)
		if !ok {
			break
		}
		if h.units[a.Key()] {
			held = append(held, a)
			continue
		}
		a.Done(h.want.units[a.Key()], Timings{})
	}
	_, h.more = j.Take(ctx)
	for _, a := range held {
		a.Failed(errors.New("it is missing"))
	}
}

// TestTakeDoesNotWait for units that are held back: all others of their model are recorded before
// it fails.
func TestTakeDoesNotWait(t *testing.T) {
	a, b := fakeTask("a", 600), fakeTask("b", 600)
	want := unitsOf(t, 600, a, b)
	rec := newMemory()
	e := New(InProcess{netsFor()}, rec, Limits{Workers: NoWorkers})
	defer func() {
		testdata.OK(t, e.Close())
	}()
	x := &hoarder{units: map[string]bool{a.Spec.UnitKey(1): true, b.Spec.UnitKey(2): true}, want: want}
	run := fakeRun("r", newSource(600), a, b)
	run.Executor = x
	testdata.OK(t, e.Submit(run))
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Failed != 2 || len(rec.units) != 4 || x.more {
		t.Errorf("%+v %v, %d units", status, err, len(rec.units))
	}
}

// TestTakeEndsWithTheRun: nothing is handed out after a cancel, and what is held back can be given
// back.
func TestTakeEndsWithTheRun(t *testing.T) {
	e, x, j := started(t, newMemory(), fakeRun("r", newSource(600), fakeTask("a", 600)))
	a, ok := j.Take(t.Context())
	if !ok {
		t.Fatal("nothing is handed out")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := j.Take(ended); ok {
		t.Error("a unit after the end of the context")
	}
	testdata.OK(t, e.Cancel("r"))
	if _, ok := j.Take(t.Context()); ok {
		t.Error("a unit after the end of the run")
	}
	a.Return()
	x.gone <- struct{}{}
	if status, err := e.Wait(t.Context(), "r"); err != nil || status.Phase != Cancelled || status.Done != 0 {
		t.Errorf("%+v %v", status, err)
	}
}

// TestSessionsAreClosedBesideOtherExecutors: a unit that another executor has does not keep the
// session open that the engine's own workers use.
func TestSessionsAreClosedBesideOtherExecutors(t *testing.T) {
	a := fakeTask("a", 900)
	want := unitsOf(t, 900, a)
	rt := netsFor(a)
	e := New(InProcess{rt}, newMemory(), Limits{Workers: 1})
	for range 3 {
		e.Attach(&hoarder{units: map[string]bool{}, want: want})
	}
	run := fakeRun("r", newSource(900), a)
	testdata.OK(t, e.Submit(run))
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Done || rt.opens.Load() != rt.closes.Load() {
		t.Errorf("%+v %v, %d of %d sessions are closed", status, err, rt.closes.Load(), rt.opens.Load())
	}
	testdata.OK(t, e.Close())
}
