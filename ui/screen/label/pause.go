package label

import (
	"context"
	"fmt"
	"slices"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// beat is how often the time on the screen moves on.
const beat = time.Second

// tick starts the beat while somebody works; it does nothing while it beats already.
func (s *Screen) tick() {
	if s.ticks != nil || s.session == nil || !s.shown {
		return
	}
	done := make(chan struct{})
	s.ticks = done
	s.Work.Quiet("clock", func(ctx context.Context) error {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-done:
				return nil
			case <-ticker.C:
				s.Work.Post(s.ticked)
			}
		}
	}, nil)
}

// rest ends the beat.
func (s *Screen) rest() {
	if s.ticks != nil {
		close(s.ticks)
		s.ticks = nil
	}
}

// ticked shows the time, and pauses when nobody has done anything for the time that was set. Typing
// into the note and a dialog that lies over the window are no signs of absence, but their time
// counts up to the limit only.
func (s *Screen) ticked() {
	if s.session == nil || !s.shown || s.paused {
		return
	}
	now := s.deps.Now()
	if s.session.Idle(now) && !s.widgets.busy() {
		s.pause(fmt.Sprintf("paused, because nothing happened for %s", result.Duration.Say(s.idle.Seconds(), 0)))
		return
	}
	s.widgets.showPace(s.session.Pace(now))
}

// Pause stops the item's clock and covers the matrices until a key is pressed.
func (s *Screen) Pause() {
	if s.session != nil && !s.paused {
		s.pause("paused")
	}
}

func (s *Screen) pause(said string) {
	s.paused = true
	s.widgets.message(said, false)
	s.widgets.arrange()
}

// Resume goes on after a pause.
func (s *Screen) Resume() {
	if s.session == nil || !s.paused {
		return
	}
	s.paused = false
	s.widgets.message("", false)
	s.widgets.arrange()
	s.focus()
}

// Active notes that the pointer moved or something was scrolled.
func (s *Screen) Active() {
	if s.shown && !s.paused {
		s.widgets.touch()
	}
}

// SetIdle sets after how long without a sign of activity work pauses, 0 for never, and remembers
// it.
func (s *Screen) SetIdle(limit time.Duration) {
	s.applyIdle(limit)
	s.keep(settingIdle, int(limit.Seconds()))
}

func (s *Screen) applyIdle(limit time.Duration) {
	s.idle = limit
	if s.session != nil {
		s.session.SetIdle(limit)
	}
	s.widgets.signIn.showIdle(limit)
}

// ToggleFull shows the window on the full screen, or in its frame again.
func (s *Screen) ToggleFull() { s.SetFull(!s.full) }

// SetFull shows the window on the full screen without what stands around, or as before.
func (s *Screen) SetFull(full bool) {
	if s.full == full {
		return
	}
	s.full = full
	s.widgets.placeBar()
	s.deps.FocusMode(full)
	s.Window.SetFullScreen(full)
}

// Escape leaves the nearest of what can be left: an enlarged matrix, an earlier item, the full
// screen.
func (s *Screen) Escape() {
	switch {
	case s.widgets.row.Enlarged() >= 0:
		s.widgets.enlarge(0)
	case s.session.Looking():
		s.Return()
	default:
		s.SetFull(false)
	}
}

// borderline and variant are labels by name; a round without borderline says so.
func (s *Screen) borderline() { s.Label(labels.Borderline) }

func (s *Screen) variant() { s.Label(labels.Variant) }

// preset changes the colour ranges of the matrices; labels record the ranges that were seen.
func (s *Screen) preset(p evidence.Preset) {
	s.view.Preset = p
	s.widgets.repaint()
}

// nextMap changes to the next colour map and remembers it for the annotator. Interpolated matrices
// have one of their own.
func (s *Screen) nextMap() {
	// the diverging map is for differences
	names := slices.DeleteFunc(render.MapNames(), func(name string) bool { return name == "diverging" })
	key, chosen := settingMap, &s.view.Map
	if s.session.Round().Kind == labels.BackgroundRound {
		key, chosen = evidence.SettingFieldMap, &s.view.FieldMap
	}
	*chosen = names[(slices.Index(names, *chosen)+1)%len(names)]
	s.widgets.message(fmt.Sprintf("colour map %s", *chosen), false)
	s.widgets.repaint()
	s.keep(evidence.OfPerson(key, s.session.Annotator()), *chosen)
}
