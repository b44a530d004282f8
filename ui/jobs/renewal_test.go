package jobs

import (
	"context"
	"errors"
	"testing"
	"time"
)

// reader is a screen that counts what it reads.
type reader struct {
	*testing.T
	loop    loop
	group   *Group
	renewal *Renewal
	gate    chan struct{} // nil for open
	read    int
	errs    []error
}

func newReader(t *testing.T) *reader {
	r := &reader{T: t}
	r.group = New(r.loop.post)
	t.Cleanup(func() { r.group.Stop(); r.group.Wait() })
	r.renewal = NewRenewal(r.group, "read", r.refresh)
	return r
}

func (r *reader) refresh() {
	r.read++
	gate := r.gate
	r.renewal.Start("Read", func(ctx context.Context, _ *Progress) error {
		if gate == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-gate:
			return nil
		}
	}, func(err error) {
		r.errs = append(r.errs, err)
		if err != nil {
			r.renewal.Spoil()
		}
	})
}

func (r *reader) until(what string, holds func() bool) {
	r.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); r.loop.pump() {
		if time.Now().After(deadline) {
			r.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRenewalReadsWhenShown(t *testing.T) {
	r := newReader(t)
	r.renewal.Changed()
	r.loop.pump()
	if r.read != 0 || r.renewal.Shown() || !r.renewal.Stale() {
		t.Fatalf("a screen that was never shown has read %d times", r.read)
	}
	if !r.renewal.Show() || r.read != 1 {
		t.Fatalf("read %d times", r.read)
	}
	r.until("read", r.renewal.Idle)
	r.renewal.Hide()
	if r.renewal.Show() || r.read != 1 {
		t.Error("what is up to date is read again")
	}
}

func TestRenewalJoinsChanges(t *testing.T) {
	r := newReader(t)
	r.renewal.Show()
	r.until("read", r.renewal.Idle)
	for range 5 {
		r.renewal.Changed()
	}
	if r.renewal.Idle() || r.read != 1 {
		t.Errorf("read %d times before the pause", r.read)
	}
	r.until("read again", func() bool { return r.renewal.Idle() && r.read == 2 })
}

// A change during a reading does not end it: with changes all the time nothing would ever be shown.
func TestRenewalReadsAfterWhatIsUnderWay(t *testing.T) {
	r := newReader(t)
	r.gate = make(chan struct{})
	r.renewal.Show()
	job := r.renewal.Job()
	r.renewal.Changed()
	r.loop.pump()
	if r.renewal.Job() != job || job.Snapshot().Cancelling || !r.renewal.Outdated() || r.read != 1 {
		t.Fatal("a change ends what is under way")
	}
	close(r.gate)
	r.until("read again", func() bool { return r.renewal.Idle() && r.read == 2 })
}

func TestRenewalDropsWhatWasOvertaken(t *testing.T) {
	r := newReader(t)
	r.gate = make(chan struct{})
	r.renewal.Show()
	old := r.renewal.Job()
	r.gate = nil
	r.refresh()
	r.until("read", r.renewal.Idle)
	r.group.Wait()
	r.loop.pump()
	if !old.Snapshot().Cancelling || len(r.errs) != 1 || r.errs[0] != nil {
		t.Errorf("heard %v", r.errs)
	}
}

func TestRenewalOfAScreenThatFailedOrLeft(t *testing.T) {
	r := newReader(t)
	r.gate = make(chan struct{})
	r.renewal.Show()
	r.renewal.Hide()
	r.renewal.Changed() // while it is read, and nobody looks
	r.renewal.Job().Cancel()
	r.until("cancelled", func() bool { return len(r.errs) == 1 })
	if !errors.Is(r.errs[0], context.Canceled) || r.renewal.Idle() || r.read != 1 {
		t.Errorf("heard %v, read %d times", r.errs, r.read)
	}
	r.gate = nil
	r.renewal.Show()
	r.until("read", r.renewal.Idle)
	if r.read != 2 {
		t.Errorf("read %d times", r.read)
	}
	r.renewal.Changed()
	r.renewal.Hide() // before the pause is over
	r.until("heard", func() bool { return r.renewal.Stale() })
	if r.read != 2 {
		t.Error("a hidden screen reads")
	}
}

// A reading that the screen counts by itself is joined with changes as one by Start is.
func TestRenewalOfOtherWork(t *testing.T) {
	r := newReader(t)
	begun := 0
	r.renewal = NewRenewal(r.group, "read", func() { begun++; r.renewal.Begin() })
	r.renewal.Show()
	r.renewal.Changed()
	if begun != 1 || !r.renewal.Outdated() {
		t.Fatalf("begun %d times", begun)
	}
	r.renewal.End()
	r.until("begun again", func() bool { return begun == 2 })
	r.renewal.End()
	if !r.renewal.Idle() {
		t.Error("it still works")
	}
}

// TestRenewalReadsQuietly: what nobody needs to see is no job, and can be ended all the same.
func TestRenewalReadsQuietly(t *testing.T) {
	r := newReader(t)
	r.renewal.Quiet = true
	r.gate = make(chan struct{})
	r.renewal.Show()
	if len(r.group.Jobs()) > 0 || r.renewal.Job() == nil {
		t.Fatal("a quiet reading is among the jobs")
	}
	r.renewal.Job().Cancel()
	r.until("cancelled", func() bool { return len(r.errs) == 1 })
	if !errors.Is(r.errs[0], context.Canceled) {
		t.Error(r.errs[0])
	}
}

// TestRenewalDropsAReading: nobody hears of one that was dropped, and nothing is read after it.
func TestRenewalDropsAReading(t *testing.T) {
	r := newReader(t)
	r.gate = make(chan struct{})
	r.renewal.Show()
	r.renewal.Changed()
	r.renewal.Drop()
	r.until("the work is over", func() bool { return len(r.group.Jobs()) == 0 })
	time.Sleep(2 * pause)
	r.loop.pump()
	if len(r.errs) > 0 || r.read != 1 || !r.renewal.Idle() {
		t.Errorf("%d readings, heard %v", r.read, r.errs)
	}
}

// TestRenewalBegunAnewByItsAnswer: the end of the first reading is not that of the second.
func TestRenewalBegunAnewByItsAnswer(t *testing.T) {
	r := newReader(t)
	gate := make(chan struct{})
	wait := func(ctx context.Context, _ *Progress) error { <-gate; return nil }
	begun, ended := false, false
	r.renewal.Start("Read", wait, func(error) {
		r.renewal.Start("Read", wait, func(error) { ended = true })
		begun = true
	})
	gate <- struct{}{}
	r.until("the second reading", func() bool { return begun })
	if r.renewal.Idle() {
		t.Error("it is idle while it reads")
	}
	gate <- struct{}{}
	r.until("over", func() bool { return ended })
	if !r.renewal.Idle() {
		t.Error("it is not idle")
	}
}
