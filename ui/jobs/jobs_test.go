package jobs

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// loop is a main goroutine for tests: the test pumps it.
type loop struct {
	mu    sync.Mutex
	queue []func()
}

func (l *loop) post(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
}

func (l *loop) pump() {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 {
			l.mu.Unlock()
			return
		}
		f := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()
		f()
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestJobReportsProgressAndResult(t *testing.T) {
	var l loop
	g := New(l.post)
	changes := 0
	silence := g.Subscribe(func() { changes++ })
	g.Subscribe(func() { t.Error("heard after cancel") })()
	reached, release := make(chan struct{}), make(chan struct{})
	var result error
	job := g.Start("import", func(_ context.Context, p *Progress) error {
		p.SetTotal(4)
		p.Add(1)
		close(reached)
		<-release
		return errors.New("disk full")
	}, func(err error) { result = err })
	<-reached
	if s := job.Snapshot(); s.Name != "import" || s.Done != 1 || s.Total != 4 {
		t.Errorf("snapshot %+v", s)
	}
	if share, ok := job.Snapshot().Fraction(); !ok || share != 0.25 {
		t.Errorf("fraction %v %v", share, ok)
	}
	if len(g.Jobs()) != 1 {
		t.Error("the job is not listed")
	}
	close(release)
	g.Wait()
	defer silence()
	if result != nil {
		t.Error("done ran off the main goroutine")
	}
	l.pump()
	if result == nil || result.Error() != "disk full" || len(g.Jobs()) != 0 || changes < 2 {
		t.Errorf("result %v, jobs %d, changes %d", result, len(g.Jobs()), changes)
	}
}

func TestCancelReachesTheWork(t *testing.T) {
	var l loop
	g := New(l.post)
	var result error
	job := g.Start("wait", func(ctx context.Context, _ *Progress) error {
		<-ctx.Done()
		return ctx.Err()
	}, func(err error) { result = err })
	job.Cancel()
	if !job.Snapshot().Cancelling {
		t.Error("not shown as cancelling")
	}
	g.Wait()
	l.pump()
	if !errors.Is(result, context.Canceled) {
		t.Errorf("result %v", result)
	}
}

func TestStopEndsEverythingAndRefusesMore(t *testing.T) {
	var l loop
	g := New(l.post)
	g.Start("wait", func(ctx context.Context, _ *Progress) error { <-ctx.Done(); return ctx.Err() }, nil)
	g.Quiet("load", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, nil)
	g.Stop()
	g.Wait()
	var late, quiet error
	g.Start("late", func(context.Context, *Progress) error { t.Error("ran after Stop"); return nil },
		func(err error) { late = err })
	g.Quiet("late", func(context.Context) error { t.Error("ran after Stop"); return nil },
		func(err error) { quiet = err })
	l.pump()
	if !errors.Is(late, ErrClosed) || !errors.Is(quiet, ErrClosed) {
		t.Errorf("late work got %v and %v", late, quiet)
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	var l loop
	g := New(l.post)
	var result error
	g.Start("export", func(context.Context, *Progress) error { panic("index out of range") },
		func(err error) { result = err })
	g.Wait()
	l.pump()
	if result == nil || !strings.Contains(result.Error(), "export") {
		t.Errorf("result %v", result)
	}
}

func TestStagesCountAnew(t *testing.T) {
	var p Progress
	stages := Stages{&p}
	stages.SetTotal(14)
	stages.Add(14)
	stages.SetTotal(360)
	stages.Add(5)
	if p.done.Load() != 5 || p.total.Load() != 360 {
		t.Errorf("%d of %d", p.done.Load(), p.total.Load())
	}
}

func TestLeft(t *testing.T) {
	begun := time.Unix(1000, 0)
	at := begun.Add(30 * time.Second)
	if left := (Snapshot{Done: 10, Total: 40, Counting: begun}).Left(at); left != 90*time.Second {
		t.Errorf("a quarter in 30 s leaves %s", left)
	}
	for _, unknown := range []Snapshot{
		{},
		{Total: 4, Counting: begun},
		{Done: 4, Total: 4, Counting: begun},
		{Done: 1, Total: 4},
		{Done: 1, Counting: begun},
	} {
		if left := unknown.Left(at); left != 0 {
			t.Errorf("%+v leaves %s", unknown, left)
		}
	}
	var job Job
	if !job.Snapshot().Counting.IsZero() {
		t.Error("counting before the total is known")
	}
	job.progress.SetTotal(3)
	if job.Snapshot().Counting.IsZero() {
		t.Error("not counting although the total is known")
	}
}
