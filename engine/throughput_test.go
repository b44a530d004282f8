package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

func TestThroughput(t *testing.T) {
	type made struct {
		at  time.Duration
		who string
		n   int64
	}
	for name, tt := range map[string]struct {
		made []made
		at   time.Duration
		want []Share
	}{
		"nothing at all":  {at: time.Second},
		"before any time": {made: []made{{0, "", 5}}},
		"one": {
			made: []made{{0, "", 5}, {1500 * time.Millisecond, "", 5}}, at: 2 * time.Second, want: []Share{{"", 5}},
		},
		"two, by name": {
			made: []made{{0, "b", 4}, {0, "", 8}, {time.Second, "a", 12}}, at: 4 * time.Second,
			want: []Share{{"", 2}, {"a", 3}, {"b", 1}},
		},
		"what is long ago is gone": {
			made: []made{{0, "a", 600}, {40 * time.Second, "b", 59}},
			at:   59*time.Second + 500*time.Millisecond, want: []Share{{"b", 2}},
		},
		"a slot that is used anew": {
			made: []made{{0, "a", 600}, {30 * time.Second, "a", 30}}, at: 31 * time.Second,
			want: []Share{{"a", 30. / 29}},
		},
		"long idle": {made: []made{{0, "a", 600}}, at: time.Hour},
	} {
		var counts Throughput
		for _, m := range tt.made {
			counts.Add(m.at, m.who, m.n)
		}
		if got := counts.Shares(tt.at); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestTheSpeedIsTheSumOfItsShares, and the time left goes with it: of this process, of others as
// they compute, and of what they bring at once.
func TestTheSpeedIsTheSumOfItsShares(t *testing.T) {
	task := fakeTask("a", 1280) // 5 units of 256 images x 5 transformations
	want := unitsOf(t, 1280, task).units
	synctest.Test(t, func(t *testing.T) {
		e := New(InProcess{netsFor()}, newMemory(), Limits{Workers: NoWorkers})
		jobs, over := make(chan *Job, 1), make(chan struct{})
		e.Attach(executorFunc(func(_ context.Context, j *Job) { jobs <- j; <-over }))
		testdata.OK(t, e.Submit(fakeRun("r", newSource(1280), task)))
		j := <-jobs
		found, ok := j.Claim(task.Spec.UnitKey(3), "") // begun for an earlier process
		if !ok {
			t.Fatal("no such unit")
		}
		lost, here, there := next(t, j), next(t, j), next(t, j)
		lost.By("w1")
		there.By("w2")
		found.By("w3")
		lost.Inferred(640)
		here.Inferred(100)
		found.Inferred(1000) // long ago
		time.Sleep(10 * time.Second)
		found.Inferred(20)
		there.Done(want[there.Key()], Timings{})
		lost.Return()
		check(t, e, []Share{{"", 10}, {"w1", 64}, {"w2", 128}, {"w3", 2}}, 6400-100-1020-1280)
		time.Sleep(50 * time.Second)
		found.Done(want[found.Key()], Timings{})
		check(t, e, []Share{{"w3", 260. / 29}}, 6400-100-2*1280)
		late, _ := j.Claim(lost.Key(), "") // brought to an earlier process
		late.By("w4")
		late.Done(want[late.Key()], Timings{})
		check(t, e, []Share{{"w3", 260. / 29}}, 6400-100-3*1280)
		here.Done(want[here.Key()], Timings{})
		last := next(t, j)
		last.Done(want[last.Key()], Timings{})
		close(over)
		s, err := e.Wait(t.Context(), "r")
		if err := errors.Join(err, e.Close()); err != nil || s.Shares != nil || s.Left != 0 ||
			math.Abs(s.PerSecond-6400./60) > 1e-9 {
			t.Errorf("at the end: %+v, %v", s, err)
		}
	})
}

func check(t *testing.T, e *Engine, want []Share, rest int64) {
	t.Helper()
	s := e.Snapshot()[0]
	sum := 0.0
	for _, share := range s.Shares {
		sum += share.PerSecond
	}
	if !reflect.DeepEqual(s.Shares, want) || s.PerSecond != sum {
		t.Errorf("%v are %v per second; want %v", s.Shares, s.PerSecond, want)
	}
	if left := float64(rest) / sum; s.Total-s.Done != rest || math.Abs(s.Left.Seconds()-left) > 1e-6 {
		t.Errorf("%d of %d in %v, want %d in %v s", s.Total-s.Done, s.Total, s.Left, rest, left)
	}
}

// TestARunWithoutWorkersGetsThemAtOnce: who turns other machines away must not leave a run that
// nobody computes.
func TestARunWithoutWorkersGetsThemAtOnce(t *testing.T) {
	task := fakeTask("a", 600)
	rec := newMemory()
	tuner := new(fakeTuning)
	e := New(InProcess{netsFor(task)}, rec, Limits{Workers: 2, Tune: tuner})
	defer func() {
		testdata.OK(t, e.Close())
	}()
	e.SetWorkers(NoWorkers)
	if l := e.Limits(); l.Workers != NoWorkers || l.Tune != nil {
		t.Errorf("%+v", l)
	}
	testdata.OK(t, e.Submit(fakeRun("r", newSource(600), task)))
	for e.Snapshot()[0].Phase != Running {
		<-e.Changed()
	}
	e.SetWorkers(2)
	if l := e.Limits(); l.Workers != 2 || l.Tune != tuner {
		t.Errorf("%+v", l)
	}
	e.SetWorkers(1) // it has them already
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Done || len(rec.units) != 3 {
		t.Errorf("%+v, %v, %d units", status, err, len(rec.units))
	}
}

// TestLateWorkersAreNoMoreThanARunWants, as those that were there when it began.
func TestLateWorkersAreNoMoreThanARunWants(t *testing.T) {
	for wants, want := range map[int]int{0: 3, 2: 2, 8: 3} {
		task := fakeTask("a", 600)
		e := New(InProcess{netsFor(task)}, newMemory(), Limits{Workers: NoWorkers})
		run := fakeRun("r", newSource(600), task)
		run.Workers = wants
		j := testdata.Must(newJob(t.Context(), run, newMemory(), func() {}))(t)
		j.cancel(nil) // nothing is to be computed
		e.mu.Lock()
		attached := &executors{job: j, withoutOwn: true, members: map[*attachment]member{}}
		e.executors = attached
		e.mu.Unlock()
		e.SetWorkers(3)
		testdata.Is(t, "executors", len(attached.members), 1)
		for a, m := range attached.members {
			<-m.gone
			testdata.Is(t, fmt.Sprintf("a run that wants %d gets", wants), a.executor.(local).workers, want)
		}
		testdata.OK(t, e.Close())
	}
}

type fakeTuning struct{}

func (*fakeTuning) Tune(context.Context, Runtime, Feed, string, int, int64) (Tuning, error) {
	return Tuning{}, nil
}

// TestStopTellsWhyAndReturnsAtOnce: what is on its way to other machines stays there, and no run
// begins any more.
func TestStopTellsWhyAndReturnsAtOnce(t *testing.T) {
	e := New(InProcess{netsFor()}, newMemory(), Limits{Workers: NoWorkers})
	why, hold := make(chan error, 1), make(chan struct{})
	e.Attach(executorFunc(func(ctx context.Context, _ *Job) {
		<-ctx.Done()
		why <- context.Cause(ctx)
		<-hold
	}))
	for _, id := range []string{"r", "s"} {
		testdata.OK(t, e.Submit(fakeRun(id, newSource(300), fakeTask("a", 300))))
	}
	for e.Snapshot()[0].Phase != Running {
		<-e.Changed()
	}
	e.Stop()
	testdata.ErrorIs(t, "<-why", <-why, ErrClosed)
	testdata.ErrorIs(t, "Submit", e.Submit(fakeRun("u", newSource(300), fakeTask("a", 300))), ErrClosed)
	close(hold)
	for _, id := range []string{"r", "s"} {
		testdata.Is(t, fmt.Sprint(id), testdata.Must(e.Wait(t.Context(), id))(t).Phase, Cancelled)
	}
	testdata.OK(t, e.Close())
}

// TestWhatOthersEndInAPauseIsNoSpeed: the clock of the run stands still then.
func TestWhatOthersEndInAPauseIsNoSpeed(t *testing.T) {
	task := fakeTask("a", 600)
	synctest.Test(t, func(t *testing.T) {
		e := New(InProcess{netsFor()}, newMemory(), Limits{Workers: NoWorkers})
		jobs, over := make(chan *Job, 1), make(chan struct{})
		e.Attach(executorFunc(func(_ context.Context, j *Job) { jobs <- j; <-over }))
		testdata.OK(t, e.Submit(fakeRun("r", newSource(600), task)))
		a := next(t, <-jobs)
		a.By("w")
		a.Inferred(100)
		time.Sleep(10 * time.Second)
		testdata.OK(t, e.Pause("r"))
		time.Sleep(time.Minute)
		a.Inferred(1000)
		check(t, e, []Share{{"w", 10}}, 3000-1100)
		testdata.OK(t, e.Resume("r"))
		check(t, e, []Share{{"w", 10}}, 3000-1100)
		a.Return()
		close(over)
		testdata.OK(t, e.Close())
	})
}
