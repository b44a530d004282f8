package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// remote is an executor whose every step the test decides.
type remote struct {
	jobs chan *Job
	ctx  chan context.Context
	gone chan struct{}
}

func newRemote() *remote {
	return &remote{make(chan *Job, 9), make(chan context.Context, 9), make(chan struct{}, 9)}
}

func (r *remote) Execute(ctx context.Context, j *Job) {
	r.jobs <- j
	r.ctx <- ctx
	<-r.gone
}

// started submits a run to an engine without workers of its own.
func started(t *testing.T, rec Recorder, run Run) (*Engine, *remote, *Job) {
	t.Helper()
	e := New(InProcess{netsFor()}, rec, Limits{Workers: NoWorkers})
	x := newRemote()
	e.Attach(x)
	testdata.OK(t, e.Submit(run))
	t.Cleanup(func() {
		close(x.gone)
		testdata.OK(t, e.Close())
	})
	return e, x, <-x.jobs
}

func next(t *testing.T, j *Job) *Assignment {
	t.Helper()
	a, ok := j.Next(t.Context(), "")
	if !ok {
		t.Fatal("nothing is handed out")
	}
	return a
}

// unitsOf computes a run in the usual way.
func unitsOf(t *testing.T, images int, tasks ...Task) *memory {
	t.Helper()
	rec := newMemory()
	done(t, InProcess{netsFor(tasks...)}, rec, 2, fakeRun("usual", newSource(images), tasks...))
	return rec
}

func TestAttachedExecutorsComputeWhatTheEngineDoesNot(t *testing.T) {
	a, b := fakeTask("a", 600), fakeTask("b", 300)
	want := unitsOf(t, 600, a).units
	rec := newMemory()
	e, x, j := started(t, rec, fakeRun("r", newSource(600), a))
	for range 3 {
		u := next(t, j)
		u.Inferred(16)
		u.Done(want[u.Key()], Timings{Infer: 5})
	}
	if _, more := j.Next(t.Context(), ""); more || !j.Over() {
		t.Error("more than three units")
	}
	x.gone <- struct{}{}
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Done || status.Done != 600*5 || status.Timings.Infer != 15 {
		t.Errorf("%+v, %v", status, err)
	}
	if !reflect.DeepEqual(rec.units, want) || !slices.Equal(rec.finished, []string{"a"}) {
		t.Errorf("%d units, finished %v", len(rec.units), rec.finished)
	}
	testdata.OK(t, e.Submit(fakeRun("s", newSource(300), b)))
	if j := <-x.jobs; j.Spec().Model != b.Spec.Model {
		t.Error("the executor does not take part in the next run")
	}
	x.gone <- struct{}{}
}

// TestWhatIsGivenBackIsHandedOutAgain, to whoever waits for it, and what comes late changes
// nothing.
func TestWhatIsGivenBackIsHandedOutAgain(t *testing.T) {
	task := fakeTask("a", 300)
	want := unitsOf(t, 300, task).units
	rec := newMemory()
	e, x, j := started(t, rec, fakeRun("r", newSource(300), task))
	first, second := next(t, j), next(t, j)
	var again *Assignment
	var wg sync.WaitGroup
	wg.Go(func() { again, _ = j.Next(t.Context(), "") })
	first.Inferred(32)
	first.Return()
	wg.Wait()
	if again == nil || again.Key() != first.Key() || e.Snapshot()[0].Done != 0 {
		t.Fatalf("handed out again: %+v, %d done", again, e.Snapshot()[0].Done)
	}
	again.Done(want[again.Key()], Timings{})
	first.Done(nil, Timings{}) // would panic in the recorder
	first.Failed(errors.New("late"))
	first.Inferred(7)
	again.Done(nil, Timings{})
	second.Done(want[second.Key()], Timings{})
	x.gone <- struct{}{}
	if status, err := e.Wait(t.Context(), "r"); err != nil || status.Phase != Done || status.Done != status.Total ||
		len(rec.finished) != 1 {
		t.Errorf("%+v, %v, finished %v", status, err, rec.finished)
	}
}

func TestClaim(t *testing.T) {
	task := fakeTask("a", 600)
	_, x, j := started(t, newMemory(), fakeRun("r", newSource(600), task))
	if _, ok := j.Claim("nothing", ""); ok {
		t.Error("a unit of another run is claimed")
	}
	key := task.Spec.UnitKey(1)
	a, ok := j.Claim(key, "")
	if !ok || a.Key() != key || a.Chunk() != 1 || a.Prepared().Transformations() != 5 || a.Source() == nil {
		t.Fatalf("%+v, %v", a, ok)
	}
	if _, twice := j.Claim(key, ""); twice {
		t.Error("claimed twice")
	}
	for _, chunk := range []int{0, 2} {
		if b := next(t, j); b.Chunk() != chunk {
			t.Errorf("chunk %d in place of %d", b.Chunk(), chunk)
		}
	}
	a.Return()
	if b := next(t, j); b.Chunk() != 1 {
		t.Error("a claimed unit is not handed out again")
	}
	x.gone <- struct{}{}
}

func TestFailedUnitFailsItsModelAlone(t *testing.T) {
	a, b := fakeTask("a", 600), fakeTask("b", 300)
	b.Spec.Images, b.Feed.Path = 600, "b"
	want := unitsOf(t, 600, b).units
	rec := newMemory()
	e, x, j := started(t, rec, fakeRun("r", newSource(600), a, b))
	first := next(t, j)
	other := next(t, j)
	first.Failed(errors.New("model a: tried three times"))
	if other.Context().Err() == nil {
		t.Error("the other unit of the model goes on")
	}
	other.Failed(context.Cause(other.Context()))
	for range 3 {
		u := next(t, j)
		u.Done(want[u.Key()], Timings{})
	}
	x.gone <- struct{}{}
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Done || status.Failed != 1 || status.Tasks[0].Err == nil ||
		!strings.Contains(status.Tasks[0].Err.Error(), "three times") {
		t.Errorf("%+v, %v", status, err)
	}
}

// TestDetachWaitsForWhatIsGivenBack, and the engine's own workers go on with it.
func TestDetachWaitsForWhatIsGivenBack(t *testing.T) {
	task := fakeTask("a", 600)
	rec := newMemory()
	rt := netsFor(task)
	e := New(InProcess{rt}, rec, Limits{Workers: 2})
	defer func() {
		testdata.OK(t, e.Close())
	}()
	hold := make(chan struct{})
	rt.onRun = func(context.Context, Feed, []float32) error { <-hold; return nil }
	testdata.OK(t, e.Submit(fakeRun("r", newSource(600), task)))
	took := make(chan *Assignment, 1)
	detach := e.Attach(executorFunc(func(ctx context.Context, j *Job) {
		a, ok := j.Next(ctx, "")
		if ok {
			took <- a
			<-ctx.Done()
			a.Return()
		}
	}))
	key := (<-took).Key() // while the run is at work already
	detach()
	close(hold)
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Done || status.Done != status.Total || rec.units[key] == nil {
		t.Errorf("%+v, %v", status, err)
	}
}

type executorFunc func(context.Context, *Job)

func (f executorFunc) Execute(ctx context.Context, j *Job) { f(ctx, j) }

// TestRunWithItsOwnExecutor is left to that one; what it does not compute is not done.
func TestRunWithItsOwnExecutor(t *testing.T) {
	task := fakeTask("a", 600)
	want := unitsOf(t, 600, task).units
	rec := newMemory()
	run := fakeRun("r", newSource(600), task)
	run.Executor = executorFunc(func(ctx context.Context, j *Job) {
		a, _ := j.Next(ctx, "")
		a.Done(want[a.Key()], Timings{})
		b, _ := j.Next(ctx, "")
		b.Failed(errors.New("shard 2 has not been computed"))
	})
	rt := netsFor(task)
	e := New(InProcess{rt}, rec, Limits{Workers: 2})
	testdata.OK(t, e.Submit(run))
	status, err := e.Wait(t.Context(), "r")
	testdata.OK(t, errors.Join(err, e.Close()))
	if status.Phase != Failed || len(rec.units) != 1 || rt.opens.Load() != 0 {
		t.Errorf("%+v, %d units", status, len(rec.units))
	}
}

// TestCloseTellsWhy: what is on its way to other machines stays there when the engine is closed,
// and goes when the run is cancelled.
func TestCloseTellsWhy(t *testing.T) {
	for _, closed := range []bool{true, false} {
		e := New(InProcess{netsFor()}, newMemory(), Limits{Workers: NoWorkers})
		why := make(chan error, 1)
		e.Attach(executorFunc(func(ctx context.Context, j *Job) {
			<-ctx.Done()
			if cause := context.Cause(ctx); j.Closed() != errors.Is(cause, ErrClosed) {
				t.Errorf("closed %t: %v", j.Closed(), cause)
			}
			why <- context.Cause(ctx)
		}))
		testdata.OK(t, e.Submit(fakeRun("r", newSource(300), fakeTask("a", 300))))
		for e.Snapshot()[0].Phase != Running {
			<-e.Changed()
		}
		if !closed {
			testdata.OK(t, e.Cancel("r"))
		}
		testdata.OK(t, e.Close())
		if got := <-why; errors.Is(got, ErrClosed) != closed {
			t.Errorf("closed %t: %v", closed, got)
		}
	}
}

// TestUnitsStayWithWhoHasTheModel: each one gets all units of a model, then those of a model that
// nobody has, and at the end helps where most is left. What somebody gives back, who may be gone,
// is anybody's.
func TestUnitsStayWithWhoHasTheModel(t *testing.T) {
	a, b, c := fakeTask("a", 900), fakeTask("b", 900), fakeTask("c", 900)
	_, x, j := started(t, newMemory(), fakeRun("r", newSource(900), a, b, c))
	take := func(who, want string) *Assignment {
		t.Helper()
		u, ok := j.Next(t.Context(), who)
		if !ok || fmt.Sprint(u.Prepared().Task().ID, u.Chunk()) != want {
			t.Fatalf("%s gets %v in place of %s", who, u, want)
		}
		return u
	}
	take("one", "a0")
	take("two", "b0")
	last := take("one", "a1")
	take("one", "a2")
	take("two", "b1")
	take("one", "a3")
	take("one", "c0")   // its own model has no more units, and nobody has c
	take("three", "c1") // all models are taken: of c three are left, of b two
	take("three", "c2")
	last.Return() // one may be gone: a is nobody's
	take("two", "b2")
	take("two", "b3")
	take("two", "a1")
	if u, ok := j.Claim(c.Spec.UnitKey(3), "one"); !ok || u.Chunk() != 3 {
		t.Error("it cannot be claimed")
	}
	if j.Over() {
		t.Error("nothing has ended")
	}
	x.gone <- struct{}{}
}
