package kit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
)

// changed takes in a change of the workspace.
func (s *Screen[O, D]) changed(kind store.ChangeKind) {
	if s.closed {
		return
	}
	s.told(kind)
	s.renewal.Changed()
}

// read loads in the background, in place of a loading under way.
func (s *Screen[O, D]) read() {
	if s.Form != nil {
		s.Form.Offer()
	}
	s.over()
	s.loading++
	s.moved = false
	work := s.Load(s.Options())
	if work == nil {
		s.renewal.Drop()
		var none D
		s.take(none, true)
		return
	}
	var d D
	s.renewal.Start(s.Name, func(ctx context.Context, p *jobs.Progress) (err error) {
		d, err = work(ctx, p)
		return err
	}, func(err error) { s.ended(d, err) })
	s.watch(s.renewal.Job())
}

// Part returns a function that shows what is known of the data before all are there. Load calls
// Part, and its work that function, off the main goroutine; data of a loading that was overtaken
// are dropped.
func (s *Screen[O, D]) Part() func(D) {
	loading := s.loading
	return func(d D) {
		s.Work.Post(func() {
			if !s.closed && loading == s.loading && s.renewal.Job() != nil {
				s.take(d, false)
			}
		})
	}
}

// watch shows how far a loading is, once it has lasted for a while.
func (s *Screen[O, D]) watch(job *jobs.Job) {
	over, waits := make(chan struct{}), &atomic.Bool{}
	s.over = sync.OnceFunc(func() { close(over) })
	s.Work.Quiet("watch "+s.Key, func(ctx context.Context) error {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-over:
				return nil
			case <-timer.C:
			}
			if waits.CompareAndSwap(false, true) { // a slow main goroutine is not told what it has not heard yet
				s.Work.Post(func() {
					waits.Store(false)
					if s.renewal.Job() == job && job != nil {
						s.lasting(job.Snapshot())
					}
				})
			}
			timer.Reset(jobs.Pulse)
		}
	}, nil)
}

// lasting says that data are being loaded, and how far that is.
func (s *Screen[O, D]) lasting(now jobs.Snapshot) {
	if s.Body.Visible() {
		s.say(s.Doing)
		s.arrange(&now, false)
		return
	}
	share, known := now.Fraction()
	s.emptyState.Doing(s.Doing, share, known)
	s.arrange(nil, false)
}

// say puts a text into the line; below the body with as many lines as there were.
func (s *Screen[O, D]) say(text string) {
	if s.Below {
		for n := lines(s.line.Text); lines(text) < n; {
			text += "\n"
		}
	}
	if s.line.Text != text {
		s.line.SetText(text)
	}
}

// ended shows what was loaded, or why it was not.
func (s *Screen[O, D]) ended(d D, err error) {
	s.over()
	switch {
	case err == nil:
		s.take(d, true)
		return
	case errors.Is(err, jobs.ErrClosed):
		return
	}
	s.renewal.Spoil()
	why := s.Name + " was cancelled."
	if !present.Cancelled(err) {
		why = present.Sentence(err)
		s.Fail(err)
	}
	if s.Body.Visible() {
		s.say(why)
		s.arrange(nil, true)
		return
	}
	s.arrange(nil, false)
	s.emptyState.Say(why, Help{Text: "Try again", Icon: theme.ViewRefreshIcon(), Do: s.Refresh})
}

// Reword says the line of the data anew, such as after another selection.
func (s *Screen[O, D]) Reword() {
	if s.known && s.Idle() && s.Body.Visible() {
		s.line.SetText(s.Line(s.data))
		s.arrange(nil, false)
	}
}

// take shows data; whole tells that they are not a part.
func (s *Screen[O, D]) take(d D, whole bool) {
	s.data, s.known = d, true
	defer func() {
		if s.Form != nil {
			s.moved = s.Form.Offer() || s.moved
		}
		s.arrange(nil, false)
		if s.moved && whole {
			s.Changed()
		}
	}()
	empty, is := Empty{}, false
	if s.Empty != nil {
		empty, is = s.Empty(d)
	}
	if is {
		s.Body.Hide()
		s.line.SetText("")
		if s.Tabs != nil {
			s.Tabs.Hidden()
		}
		help := slices.Concat(s.help(empty.Missing), empty.Help)
		s.emptyState.Say(empty.Text, help...)
		var runs []Run
		for _, m := range empty.Missing {
			runs = append(runs, m.Runs...)
		}
		if s.pricing.Next(); len(runs) > 0 {
			s.price(&s.pricing, runs, func(text string, _ bool) {
				if !s.closed && s.emptyState.Visible() && s.Idle() {
					s.emptyState.Takes(text)
				}
			})
		}
		return
	}
	s.emptyState.Hide()
	s.Body.Show()
	if s.Show != nil {
		s.Show(d)
	}
	text := ""
	if s.Line != nil {
		text = s.Line(d)
	}
	s.line.SetText(text)
	if s.Tabs != nil {
		if !s.Apart {
			s.Tabs.Changed()
		}
		if s.renewal.Shown() {
			s.Tabs.Shown()
		}
	}
	if c := s.Window.Canvas(); c.Focused() == nil && c.Overlays().Top() == nil {
		s.Focus() // it could not have the keyboard before
	}
}

func lines(text string) int {
	n := 1
	for _, r := range text {
		if r == '\n' {
			n++
		}
	}
	return n
}
