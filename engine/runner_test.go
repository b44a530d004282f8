package engine

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// TestSameBitsForAnyWorkers has a model under a family with distances, one under masks and one on
// scenes.
func TestSameBitsForAnyWorkers(t *testing.T) {
	tasks := []Task{fakeTask("a", 600), maskTask("b", 600, transform.Masks{N: 2}), scenesTask(600, 3)}
	tasks[0].Spec.Vectors = []string{"L2@CONV-1"}
	var first *memory
	for _, workers := range []int{1, 2, 3, 7} {
		rec := newMemory()
		rt := netsFor(tasks...)
		done(t, InProcess{rt}, rec, workers, fakeRun("r", newComposer(600), tasks...))
		if len(rec.units) != 9 || !slices.Equal(slices.Sorted(slices.Values(rec.finished)), []string{"a", "b", "m"}) {
			t.Fatalf("%d workers: %d units, finished %v", workers, len(rec.units), rec.finished)
		}
		if rt.opens.Load() != 3 || rt.closes.Load() != 3 || rt.runners.Load() != 0 {
			t.Errorf("%d workers: %d sessions opened, %d closed, %d runners left", workers, rt.opens.Load(),
				rt.closes.Load(), rt.runners.Load())
		}
		if first == nil {
			first = rec
		} else if !reflect.DeepEqual(rec.units, first.units) {
			t.Errorf("%d workers give other bits than 1", workers)
		}
	}
}

func TestWhatIsRecordedIsNotComputedAgain(t *testing.T) {
	a, b := fakeTask("a", 600), fakeTask("b", 600)
	rec, source := newMemory(), newSource(600)
	done(t, InProcess{netsFor(a, b)}, rec, 2, fakeRun("r", source, a, b))

	rt := netsFor(a, b)
	status := done(t, InProcess{rt}, rec, 2, fakeRun("again", source, a, b))
	if rt.batches.Load() != 0 || rt.opens.Load() != 0 || status.Reused != status.Total || len(rec.finished) != 4 {
		t.Errorf("%d batches, %d sessions, status %+v, finished %v",
			rt.batches.Load(), rt.opens.Load(), status, rec.finished)
	}

	kept := rec.units[b.Spec.UnitKey(1)]
	delete(rec.units, b.Spec.UnitKey(1))
	rt = netsFor(a, b)
	status = done(t, InProcess{rt}, rec, 2, fakeRun("third", source, a, b))
	if rt.batches.Load() != 16*5 || rt.opens.Load() != 1 || status.Total-status.Reused != 256*5 {
		t.Errorf("%d batches, %d sessions, status %+v", rt.batches.Load(), rt.opens.Load(), status)
	}
	if !reflect.DeepEqual(kept, rec.units[b.Spec.UnitKey(1)]) {
		t.Error("the unit has other bits than the first time")
	}
}

func TestFailedModelDoesNotStopTheOthers(t *testing.T) {
	nan := float32(math.NaN())
	for name, tt := range map[string]struct {
		change func(rt *fakeRuntime, bad *Task)
		want   []string // in the error
	}{
		"open": {func(rt *fakeRuntime, _ *Task) {
			rt.onOpen = failFor("bad", "no such operator")
		}, []string{"model bad", "no such operator"}},
		"probe": {func(rt *fakeRuntime, bad *Task) {
			bad.Probed = false
			rt.onProbe = failFor("bad", "killed")
		}, []string{"model bad", "trial run", "killed"}},
		"open panics": {func(rt *fakeRuntime, _ *Task) {
			rt.onOpen = func(path string) error {
				if path == "bad" {
					panic("index out of range")
				}
				return nil
			}
		}, []string{"model bad", "internal error", "index out of range"}},
		"run": {func(rt *fakeRuntime, _ *Task) {
			rt.onRun = func(_ context.Context, f Feed, _ []float32) error { return failFor("bad", "bad shape")(f.Path) }
		}, []string{"model bad", "bad shape", "img"}},
		"run panics": {func(rt *fakeRuntime, _ *Task) {
			rt.onRun = func(_ context.Context, f Feed, _ []float32) error {
				if f.Path == "bad" {
					panic("boom")
				}
				return nil
			}
		}, []string{"model bad", "boom"}},
		"nan in a position": {func(rt *fakeRuntime, _ *Task) {
			rt.onResult = func(f Feed, k int, values []float32) {
				if f.Path == "bad" && k == 1 {
					values[2*60+7] = nan
				}
			}
		}, []string{"model bad", "CONV-1", "NaN", "img002.png", "rotation -10", "transformation 0"}},
		"nan in the output": {func(rt *fakeRuntime, _ *Task) {
			rt.onResult = func(f Feed, k int, values []float32) {
				if f.Path == "bad" && k == 0 {
					values[5] = float32(math.Inf(1))
				}
			}
		}, []string{"model bad", "CONF", "img001.png"}},
		"nan in the output of a set": {func(rt *fakeRuntime, bad *Task) {
			bad.Spec.Family, bad.Spec.Positions = "grayscale", nil
			rt.onResult = func(f Feed, k int, values []float32) {
				if f.Path == "bad" && k == 0 {
					values[2*4+1] = nan
				}
			}
		}, []string{"model bad", "CONF", "NaN", "img002.png", "transformation 0"}},
		"too few classes": {func(rt *fakeRuntime, _ *Task) {
			rt.nets["bad"] = fakeNet{classes: 3}
		}, []string{"model bad", "3 classes", "class 3"}},
		"too many classes": {func(rt *fakeRuntime, _ *Task) {
			rt.nets["bad"] = fakeNet{classes: 101}
		}, []string{"model bad", "101 classes"}},
	} {
		t.Run(name, func(t *testing.T) {
			tasks := []Task{fakeTask("a", 300), fakeTask("bad", 300), fakeTask("c", 300)}
			rt, source, rec := netsFor(tasks...), newSource(300), newMemory()
			tt.change(rt, &tasks[1])
			status := finish(t, InProcess{rt}, rec, 1, fakeRun("r", source, tasks...))
			if status.Phase != Done || status.Failed != 1 || status.Tasks[0].Phase != Done ||
				status.Tasks[2].Phase != Done {
				t.Fatalf("status %+v", status)
			}
			bad := status.Tasks[1]
			if bad.Phase != Failed || bad.Err == nil || bad.Done != 0 {
				t.Fatalf("model bad: %+v", bad)
			}
			testdata.Refused(t, name, bad.Err, tt.want...)
			if !slices.Equal(rec.finished, []string{"a", "c"}) || rt.opens.Load() != rt.closes.Load() ||
				rt.runners.Load() != 0 {
				t.Errorf("finished %v, %d opened, %d closed, %d runners left", rec.finished, rt.opens.Load(),
					rt.closes.Load(), rt.runners.Load())
			}
		})
	}
}

func failFor(path, text string) func(string) error {
	return func(p string) error {
		if p == path {
			return errors.New(text)
		}
		return nil
	}
}

func TestEverythingFails(t *testing.T) {
	full := func() error { return errors.New("no space left on device") }
	for name, tt := range map[string]struct {
		change func(rec *memory, s *fakeSource)
		want   string
	}{
		"unreadable image": {func(_ *memory, s *fakeSource) { s.broken = 17 }, "image img017.png: damaged file"},
		"record":           {func(rec *memory, _ *fakeSource) { rec.onRecord = full }, "keep signals: no space"},
		"has":              {func(rec *memory, _ *fakeSource) { rec.onHas = full }, "finished signals: no space"},
		"finish":           {func(rec *memory, _ *fakeSource) { rec.onFinish = full }, "sum up signals: no space"},
		"finish panics": {func(rec *memory, _ *fakeSource) {
			rec.onFinish = func() error { panic("boom") }
		}, "internal error: boom"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := fakeTask("a", 300), fakeTask("b", 300)
			rec, source := newMemory(), newSource(300)
			tt.change(rec, source)
			rt := netsFor(a, b)
			status := finish(t, InProcess{rt}, rec, 2, fakeRun("r", source, a, b))
			if status.Phase != Failed || status.Failed != 2 {
				t.Fatalf("status %+v", status)
			}
			for _, task := range status.Tasks {
				testdata.Refused(t, name, task.Err, "model "+task.ID, tt.want)
			}
			if rt.opens.Load() != rt.closes.Load() || rt.runners.Load() != 0 {
				t.Errorf("%d sessions opened, %d closed, %d runners left", rt.opens.Load(), rt.closes.Load(),
					rt.runners.Load())
			}
		})
	}
}

func TestProbeComesBeforeTheFirstOpen(t *testing.T) {
	a, b := fakeTask("a", 600), fakeTask("b", 600)
	b.Probed = false
	rt := netsFor(a, b)
	rt.onOpen = func(path string) error {
		if path == "b" && rt.probes.Load() != 1 {
			return errors.New("opened before its probe")
		}
		return nil
	}
	done(t, InProcess{rt}, newMemory(), 3, fakeRun("r", newSource(600), a, b))
	testdata.Is(t, "probes", rt.probes.Load(), 1)
}

// slow makes every batch take the given time of the test's clock.
func slow(rt *fakeRuntime, d time.Duration) {
	rt.onRun = func(ctx context.Context, _ Feed, _ []float32) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func TestPauseAndResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := fakeTask("a", 320) // 20 batches x 5 transformations
		rt, rec := netsFor(task), newMemory()
		slow(rt, 10*time.Millisecond)
		e := New(InProcess{rt}, rec, Limits{Workers: 1})
		defer func() { _ = e.Close() }()
		testdata.OK(t, e.Submit(fakeRun("r", newSource(320), task)))
		time.Sleep(105 * time.Millisecond)
		s := e.Snapshot()[0]
		if s.Phase != Running || s.Done != 160 || s.Total != 1600 {
			t.Fatalf("after 105 ms: %+v", s)
		}
		if want := 160 / .105; math.Abs(s.PerSecond-want) > 1e-6 || math.Abs(s.Left.Seconds()-1440/want) > 1e-6 {
			t.Errorf("%v per second, %v left", s.PerSecond, s.Left)
		}
		testdata.OK(t, e.Pause("r"))
		time.Sleep(time.Hour)
		paused := e.Snapshot()[0]
		if paused.Phase != Paused || paused.Tasks[0].Phase != Paused || paused.Done != 176 {
			t.Fatalf("after an hour of pause: %+v", paused)
		}
		testdata.Near(t, "the pause counts", paused.PerSecond, 176/.105, 1e-6)
		testdata.Is(t, "the run was at work for", paused.Took, 105*time.Millisecond)
		for _, again := range []func(string) error{e.Pause, e.Resume, e.Resume} {
			testdata.OK(t, again("r"))
		}
		s, err := e.Wait(t.Context(), "r")
		if err != nil || s.Phase != Done || s.Done != 1600 || s.Left != 0 || rt.batches.Load() != 100 {
			t.Errorf("at the end: %+v, %v, %d batches", s, err, rt.batches.Load())
		}
	})
}

func TestCancelEndsRunningInference(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := fakeTask("a", 512), fakeTask("b", 512)
		rt, rec, source := netsFor(a, b), newMemory(), newSource(512)
		slow(rt, time.Minute)
		e := New(InProcess{rt}, rec, Limits{Workers: 3})
		run := fakeRun("r", source, a, b)
		closed := false
		run.Close = func() error { closed = true; return nil }
		testdata.OK(t, e.Submit(run))
		time.Sleep(80*time.Minute + time.Second) // both units of a, one of b begun
		start := time.Now()
		testdata.OK(t, e.Cancel("r"))
		if s := e.Snapshot()[0]; s.Phase != Cancelled {
			t.Errorf("phase %s at once after the cancel", s.Phase)
		}
		s, err := e.Wait(t.Context(), "r")
		if err != nil || s.Phase != Cancelled || time.Since(start) > 2*time.Second {
			t.Errorf("%+v, %v after %v", s, err, time.Since(start))
		}
		if s.Tasks[0].Phase != Done || s.Tasks[1].Phase != Cancelled || s.Tasks[1].Err != nil || s.Failed != 0 {
			t.Errorf("models %+v", s.Tasks)
		}
		// What was computed halfway is not counted.
		if s.Done != int64(len(rec.units))*256*5 || len(rec.units) != 3 || !closed {
			t.Errorf("%d done, %d units kept, source closed %v", s.Done, len(rec.units), closed)
		}
		if rt.opens.Load() != rt.closes.Load() || rt.runners.Load() != 0 {
			t.Errorf("%d sessions opened, %d closed, %d runners left", rt.opens.Load(), rt.closes.Load(),
				rt.runners.Load())
		}
		if len(rec.ended) != 1 || !reflect.DeepEqual(rec.ended[0], s) {
			t.Errorf("the recorder was told %+v, the status is %+v", rec.ended, s)
		}
		testdata.OK(t, e.Close())
	})
}

func TestCancelWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := fakeTask("a", 64)
		rt := netsFor(task)
		slow(rt, time.Second)
		e := New(InProcess{rt}, newMemory(), Limits{Workers: 2})
		defer func() { _ = e.Close() }()
		testdata.OK(t, e.Submit(fakeRun("r", newSource(64), task)))
		time.Sleep(1500 * time.Millisecond)
		testdata.OK(t, errors.Join(e.Pause("r"), e.Cancel("r")))
		testdata.Is(t, "got", testdata.Must(e.Wait(t.Context(), "r"))(t).Phase, Cancelled)
		testdata.ErrorIs(t, "resume after the cancel", e.Resume("r"), ErrEnded)
	})
}

// TestLateOpen: workers that wait for a model to load leave when the run is cancelled.
func TestLateOpen(t *testing.T) {
	task := fakeTask("a", 2560)
	rt := netsFor(task)
	loading, release := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	rt.onOpen = func(string) error {
		if once.CompareAndSwap(false, true) {
			close(loading)
		}
		<-release
		return nil
	}
	e := New(InProcess{rt}, newMemory(), Limits{Workers: 4})
	testdata.OK(t, e.Submit(fakeRun("r", newSource(2560), task)))
	<-loading
	testdata.OK(t, e.Cancel("r"))
	close(release)
	testdata.OK(t, e.Close())
	if rt.opens.Load() != 1 || rt.closes.Load() != 1 || rt.batches.Load() != 0 {
		t.Errorf("%d opened, %d closed, %d batches", rt.opens.Load(), rt.closes.Load(), rt.batches.Load())
	}
}
