package history

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/ui/jobs"
)

// loop is a main goroutine for tests: settle runs what background work posted.
type loop struct {
	mu    sync.Mutex
	queue []func()
}

func (l *loop) post(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
}

func (l *loop) settle(g *jobs.Group) {
	g.Wait()
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range queue {
		f()
	}
}

// rig is a stack over one number that steps change.
type rig struct {
	loop  loop
	work  *jobs.Group
	stack *Stack
	value int
	said  []string
	errs  []error
	told  int
}

func newRig() *rig {
	r := &rig{}
	r.work = jobs.New(r.loop.post)
	r.stack = New(r.work, func(text string) { r.said = append(r.said, text) },
		func(err error) { r.errs = append(r.errs, err) })
	r.stack.OnChange(func() { r.told++ })
	return r
}

func (r *rig) set(to int, title string) {
	before := r.value
	r.value = to
	r.stack.Did(Step{
		Title: title,
		Undo:  func(context.Context) error { r.value = before; return nil },
		Redo:  func(context.Context) error { r.value = to; return nil },
	})
}

func (r *rig) undo() { r.stack.Undo(); r.loop.settle(r.work) }
func (r *rig) redo() { r.stack.Redo(); r.loop.settle(r.work) }

func TestStepsAreTakenBackAndMadeAgainInOrder(t *testing.T) {
	r := newRig()
	r.set(1, "one")
	r.set(2, "two")
	var seen []int
	for _, act := range []func(){r.undo, r.undo, r.undo, r.redo, r.redo, r.redo} {
		act()
		seen = append(seen, r.value)
	}
	if want := []int{1, 0, 0, 1, 2, 2}; !slices.Equal(seen, want) {
		t.Errorf("values %v, want %v", seen, want)
	}
	if undo, redo := r.stack.Titles(); undo != "two" || redo != "" {
		t.Errorf("titles %q %q", undo, redo)
	}
	if r.told != 6 {
		t.Errorf("%d changes were told, want 6", r.told)
	}
}

func TestANewChangeEndsRedo(t *testing.T) {
	r := newRig()
	r.set(1, "one")
	r.undo()
	r.set(5, "five")
	r.redo()
	if undo, redo := r.stack.Titles(); r.value != 5 || undo != "five" || redo != "" {
		t.Errorf("value %d, titles %q %q", r.value, undo, redo)
	}
}

func TestAStepThatFailsStays(t *testing.T) {
	r := newRig()
	full := errors.New("the disk is full")
	r.stack.Did(Step{Title: "one", Undo: func(context.Context) error { return full }})
	r.undo()
	if undo, _ := r.stack.Titles(); undo != "one" || len(r.errs) != 1 || !errors.Is(r.errs[0], full) {
		t.Errorf("title %q, errors %v", undo, r.errs)
	}
}

func TestWhileAStepIsHandledFurtherCallsDoNothing(t *testing.T) {
	r := newRig()
	r.set(1, "one")
	r.set(2, "two")
	r.stack.Undo()
	r.stack.Undo()
	r.loop.settle(r.work)
	if r.value != 1 {
		t.Errorf("value %d, want 1", r.value)
	}
}

func TestOldStepsAreDropped(t *testing.T) {
	r := newRig()
	for k := range depth + 50 {
		r.set(k+1, "step")
	}
	for range depth + 50 {
		r.undo()
	}
	if r.value != 50 {
		t.Errorf("value %d, want 50", r.value)
	}
}

// TestAChangeWhileAStepIsHandled: what is done while a step is taken back or made again is newer
// than that step, however it ends.
func TestAChangeWhileAStepIsHandled(t *testing.T) {
	fault := errors.New("the disk is full")
	for _, c := range []struct {
		name       string
		before     func(r *rig)
		move       func(s *Stack)
		undo, redo string
		next       string // what Undo handles after the newest change
		fails      bool
	}{
		{name: "taken back", move: (*Stack).Undo, undo: "meanwhile", next: "first"},
		{name: "not taken back", move: (*Stack).Undo, undo: "meanwhile", next: "second", fails: true},
		{name: "made again", before: func(r *rig) { r.undo() }, move: (*Stack).Redo, undo: "meanwhile", next: "second"},
		{
			name: "not made again", before: func(r *rig) { r.undo() }, move: (*Stack).Redo, undo: "meanwhile",
			next: "first", fails: true,
		},
	} {
		r := newRig()
		problem := error(nil)
		step := func(title string) Step {
			act := func(context.Context) error { return problem }
			return Step{Title: title, Undo: act, Redo: act}
		}
		r.stack.Did(step("first"))
		r.stack.Did(step("second"))
		if c.before != nil {
			c.before(r)
		}
		if c.fails {
			problem = fault
		}
		c.move(r.stack)
		r.stack.Did(step("meanwhile"))
		r.loop.settle(r.work)
		problem = nil
		if undo, redo := r.stack.Titles(); undo != c.undo || redo != c.redo {
			t.Errorf("%s: undo %q, redo %q", c.name, undo, redo)
		}
		r.undo()
		if undo, redo := r.stack.Titles(); undo != c.next || redo != "meanwhile" {
			t.Errorf("%s, then one back: undo %q, redo %q", c.name, undo, redo)
		}
	}
}

// TestAFailureIsTold: who shows the titles learns that a step is there again.
func TestAFailureIsTold(t *testing.T) {
	r := newRig()
	act := func(context.Context) error { return errors.New("the disk is full") }
	r.stack.Did(Step{Title: "first", Undo: act, Redo: act})
	seen := ""
	r.stack.OnChange(func() { seen, _ = r.stack.Titles() })
	r.undo()
	if seen != "first" {
		t.Errorf("told that the newest step is %q", seen)
	}
}
