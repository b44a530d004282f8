package engine

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

func TestRunsComeOneAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := []Task{fakeTask("a", 16), fakeTask("b", 16), fakeTask("c", 16)}
		rt, rec := netsFor(tasks...), newMemory()
		slow(rt, time.Second)
		e := New(InProcess{rt}, rec, Limits{Workers: 2})
		defer func() { _ = e.Close() }()
		for i, id := range []string{"1", "2", "3"} {
			testdata.OK(t, e.Submit(fakeRun(id, newSource(16), tasks[i])))
		}
		time.Sleep(time.Millisecond)
		phases := func() (out []Phase) {
			for _, s := range e.Snapshot() {
				out = append(out, s.Phase)
			}
			return out
		}
		testdata.Equal(t, "phases", phases(), []Phase{Running, Queued, Queued})
		testdata.OK(t, e.Pause("2"))
		time.Sleep(time.Minute) // the paused run lets the third pass
		testdata.Equal(t, "phases", phases(), []Phase{Done, Paused, Done})
		testdata.OK(t, e.Resume("2"))
		testdata.Is(t, "got", testdata.Must(e.Wait(t.Context(), "2"))(t).Phase, Done)
		testdata.Equal(t, "finished", rec.finished, []string{"a", "c", "b"})
	})
}

func TestCancelOfAQueuedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := fakeTask("a", 16), fakeTask("b", 16)
		rt, rec := netsFor(a, b), newMemory()
		slow(rt, time.Second)
		e := New(InProcess{rt}, rec, Limits{Workers: 1})
		defer func() { _ = e.Close() }()
		second := fakeRun("2", newSource(16), b)
		closed := 0
		second.Close = func() error { closed++; return nil }
		testdata.OK(t, errors.Join(e.Submit(fakeRun("1", newSource(16), a)), e.Submit(second), e.Cancel("2")))
		if s, err := e.Wait(t.Context(), "2"); err != nil || s.Phase != Cancelled || s.Tasks[0].Phase != Cancelled ||
			closed != 1 {
			t.Errorf("%+v, %v, source closed %d times", s, err, closed)
		}
		testdata.Is(t, "got", testdata.Must(e.Wait(t.Context(), "1"))(t).Phase, Done)
		testdata.ErrorIs(t, "cancel of a run that is done", e.Cancel("1"), ErrEnded)
		testdata.ErrorIs(t, "pause of a run that is done", e.Pause("1"), ErrEnded)
		testdata.OK(t, e.Cancel("2"))
	})
}

func TestCloseCancelsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := fakeTask("a", 16), fakeTask("b", 16)
		rt, rec := netsFor(a, b), newMemory()
		slow(rt, time.Hour)
		e := New(InProcess{rt}, rec, Limits{Workers: 2})
		var closed atomic.Int64
		for i, task := range []Task{a, b} {
			run := fakeRun(string(rune('1'+i)), newSource(16), task)
			run.Close = func() error { closed.Add(1); return nil }
			testdata.OK(t, e.Submit(run))
		}
		time.Sleep(time.Minute)
		testdata.OK(t, errors.Join(e.Close(), e.Close()))
		for _, s := range e.Snapshot() {
			if s.Phase != Cancelled || s.Ended.IsZero() {
				t.Errorf("%+v", s)
			}
		}
		if closed.Load() != 2 || len(rec.ended) != 2 {
			t.Errorf("%d sources closed, the recorder was told %d ends", closed.Load(), len(rec.ended))
		}
		testdata.ErrorIs(t, "submit after the end", e.Submit(fakeRun("3", newSource(16), a)), ErrClosed)
	})
}

func TestSubmitRefuses(t *testing.T) {
	good := fakeTask("a", 16)
	e := New(InProcess{netsFor(good)}, newMemory(), Limits{})
	defer func() { _ = e.Close() }()
	change := func(f func(task *Task)) Run {
		task := fakeTask("a", 16)
		f(&task)
		return fakeRun("r", newSource(16), task)
	}
	for name, tt := range map[string]struct {
		run  Run
		want string
	}{
		"no id":           {Run{Source: newSource(1), Tasks: []Task{good}}, "needs an id"},
		"no source":       {Run{ID: "r", Tasks: []Task{good}}, "needs an id, a source"},
		"no models":       {Run{ID: "r", Source: newSource(1)}, "at least one model"},
		"same model":      {fakeRun("r", newSource(16), good, good), "model a is in the run twice"},
		"other suite":     {fakeRun("r", newSource(17), good), "planned for 16 images, but the suite has 17"},
		"unknown family":  {change(func(t *Task) { t.Spec.Family = "swirl:-1:1:1" }), "model a"},
		"no batch":        {change(func(t *Task) { t.Spec.Batch = 0 }), "batch 0"},
		"other batch":     {change(func(t *Task) { t.Spec.Batch = 8 }), "batch 8"},
		"mean of two":     {change(func(t *Task) { t.Spec.Preprocessing.Mean = make([]float64, 2) }), "mean has 2"},
		"std 0":           {change(func(t *Task) { t.Spec.Preprocessing.Std = []float64{0} }), "must not be 0"},
		"unknown tensor":  {change(func(t *Task) { t.Feed.Tensors = nil }), "tensor c1 of position CONV-1"},
		"absent vector":   {change(func(t *Task) { t.Spec.Vectors = []string{"L2@HEAD"} }), "vector modality L2@HEAD"},
		"scalar vector":   {change(func(t *Task) { t.Spec.Vectors = []string{"max@CONF"} }), "modality max@CONF"},
		"no modality":     {change(func(t *Task) { t.Spec.Vectors = []string{"L2"} }), "no modality"},
		"no image height": {change(func(t *Task) { t.Spec.Height = 0 }), "model a"},
	} {
		testdata.Refused(t, name, e.Submit(tt.run), tt.want)
	}
	testdata.Is(t, "runs were queued", len(e.Snapshot()), 0)
	testdata.OK(t, e.Submit(fakeRun("r", newSource(16), good)))
	testdata.Refused(t, "same id", e.Submit(fakeRun("r", newSource(16), good)), "submitted before")
	for _, f := range []func(string) error{e.Pause, e.Resume, e.Cancel} {
		testdata.ErrorIs(t, "unknown run", f("x"), ErrUnknownRun)
	}
	testdata.ErrorIs(t, "unknown run", testdata.Err(e.Wait(context.Background(), "x")), ErrUnknownRun)
}

func TestWithoutRuntime(t *testing.T) {
	e := New(nil, newMemory(), Limits{})
	defer func() { _ = e.Close() }()
	testdata.ErrorIs(t, "submit", e.Submit(fakeRun("r", newSource(16), fakeTask("a", 16))), ErrNoRuntime)
}

func TestWaitHonoursItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := fakeTask("a", 16)
		rt := netsFor(task)
		slow(rt, time.Hour)
		e := New(InProcess{rt}, newMemory(), Limits{Workers: 1})
		defer func() { _ = e.Close() }()
		testdata.OK(t, e.Submit(fakeRun("r", newSource(16), task)))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if s, err := e.Wait(ctx, "r"); !errors.Is(err, context.DeadlineExceeded) || s.Phase != Running {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

func TestChangedWakes(t *testing.T) {
	var none *Engine
	if none.Changed() != nil {
		t.Error("no engine has changes")
	}
	synctest.Test(t, func(t *testing.T) {
		task := fakeTask("a", 600)
		rt := netsFor(task)
		slow(rt, time.Second)
		e := New(InProcess{rt}, newMemory(), Limits{Workers: 1})
		defer func() { _ = e.Close() }()
		testdata.OK(t, e.Submit(fakeRun("r", newSource(600), task)))
		wakes := 0
		for e.Snapshot()[0].Phase != Done {
			<-e.Changed()
			wakes++
		}
		if wakes < 4 || wakes > 8 { // submit and start, three units, finish, end; some come as one
			t.Errorf("%d wake-ups", wakes)
		}
	})
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Pause
		g.Release()
		testdata.OK(t, g.Pass(t.Context()))
		g.Hold()
		g.Hold()
		passed := make(chan error, 1)
		go func() { passed <- g.Pass(context.Background()) }()
		synctest.Wait()
		select {
		case <-passed:
			t.Error("a held pause was passed")
		default:
		}
		g.Release()
		if err := <-passed; err != nil {
			t.Error(err)
		}
		g.Hold()
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() { passed <- g.Pass(ctx) }()
		synctest.Wait()
		cancel(errCancelled)
		testdata.ErrorIs(t, "cancelled while it is paused", <-passed, errCancelled)
	})
}

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		c.stop()
		for range 3 {
			c.start()
			c.start()
			time.Sleep(time.Second)
			if c.elapsed()%time.Second != 0 {
				t.Errorf("elapsed %v", c.elapsed())
			}
			c.stop()
			time.Sleep(time.Hour)
		}
		testdata.Is(t, "elapsed", c.elapsed(), 3*time.Second)
	})
	if restSeconds(10, 0) != 0 || restSeconds(0, 5) != 0 || restSeconds(10, 5) != 2*time.Second {
		t.Error("time left")
	}
}

func TestWorkersCanBeChanged(t *testing.T) {
	e := New(nil, nil, Limits{Workers: 3})
	defer func() { testdata.OK(t, e.Close()) }()
	testdata.Is(t, "limits", e.Limits(), Limits{Workers: 3, Batch: DefaultBatch})
	e.SetWorkers(2)
	testdata.Is(t, "limits", e.Limits(), Limits{Workers: 2, Batch: DefaultBatch})
	e.SetWorkers(0)
	testdata.Is(t, "limits", e.Limits(), Limits{Workers: runtime.NumCPU(), Batch: DefaultBatch})
}

// TestWorkingNamesWhatIsComputed: before a model's first unit, and no longer once its last one is
// recorded; models that have nothing to compute are never named.
func TestWorkingNamesWhatIsComputed(t *testing.T) {
	source := newSource(3)
	a, b, c := fakeTask("a", 3), fakeTask("b", 3), fakeTask("c", 3)
	rec := newMemory()
	done(t, InProcess{netsFor(b)}, rec, 1, fakeRun("0", source, b))
	var told []string
	run := fakeRun("1", source, a, b, c)
	run.Working = func(models []string) { told = append(told, strings.Join(models, " ")) }
	done(t, InProcess{netsFor(a, b, c)}, rec, 1, run)
	if got := strings.Join(told, ", "); got != "hash-a, hash-a hash-c, hash-c" && got != "hash-a, hash-c" {
		t.Errorf("told %q", got)
	}
}
