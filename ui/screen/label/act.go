package label

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// slowSave is after how long a save that is still under way is mentioned.
const slowSave = 300 * time.Millisecond

// Label stores a label for the item shown and moves on once it is stored.
func (s *Screen) Label(v labels.Value) {
	if s.session == nil || s.saving {
		return
	}
	if !s.session.Offers(v) {
		name := s.session.Round().Name
		s.widgets.message(fmt.Sprintf("round %s has no %s: %s", name, string(v), s.offerKeys()), false)
		return
	}
	if hash, ok := s.session.Item(); ok {
		if seen := s.widgets.row.Shown(); seen.Model.Hash != hash || !seen.Ready() {
			s.refuse(errors.New("this model has no matrices to judge yet; run its signals, or skip it"))
			return
		}
	}
	ev, err := s.session.Draft(v, s.seen(), s.deps.Now())
	if err != nil {
		s.refuse(err)
		return
	}
	changed := ev.Supersedes != ""
	s.store(ev, func(stored labels.Event) {
		if s.auto {
			s.session.Saved(stored, s.deps.Now())
			s.moved(s.saidLabel(stored, changed))
			return
		}
		s.session.Confirm(stored, s.deps.Now())
		on := s.keys().First(keymap.Forward)
		s.widgets.message(fmt.Sprintf("%s; %s goes on", s.saidLabel(stored, changed), on), false)
		s.widgets.update()
	})
}

// LabelClass stores the label of that class of the round, counted from 0.
func (s *Screen) LabelClass(class int) {
	if s.session != nil && class < len(s.session.Values()) {
		s.Label(s.session.Values()[class])
	}
}

// keys is the map of keys in force.
func (s *Screen) keys() keymap.Map { return s.deps.Keys.Map() }

// ToggleAuto turns whether a label moves on automatically.
func (s *Screen) ToggleAuto() {
	s.auto = !s.auto
	text := "a label moves on automatically"
	if !s.auto {
		text = fmt.Sprintf("a label stays on the screen; %s goes on", s.keys().First(keymap.Forward))
	}
	s.widgets.message(text, false)
	s.keeper.Keep(settingAuto, s.auto)
}

// Flag flags the item shown with a text, or takes its flag away with an empty one.
func (s *Screen) Flag(flag string) {
	if s.session == nil || s.saving {
		return
	}
	ev, changed := s.session.DraftFlag(flag, s.widgets.noteText(), s.deps.Now())
	if !changed {
		return
	}
	s.store(ev, func(stored labels.Event) {
		s.session.Saved(stored, s.deps.Now())
		said := "flag taken away"
		if flag != "" {
			said = fmt.Sprintf("flagged: %s", flag)
		}
		s.widgets.message(said, false)
		s.widgets.update()
	})
}

func (s *Screen) seen() Seen {
	return Seen{Note: s.widgets.noteText(), Ranges: s.view.Seen(evidence.RoundModalities(s.session.Round()))}
}

// saidLabel says what was stored, of which model.
func (s *Screen) saidLabel(ev labels.Event, changed bool) string {
	text := s.session.Round().Word(ev.Value)
	if changed {
		text = "changed to " + text
	}
	if !ev.Sure {
		text += ", unsure"
	}
	return s.modelName(ev.Model) + ": " + text
}

// modelName is the name of a model to show.
func (s *Screen) modelName(hash string) string { return nameOf(s.modelNames, hash) }

// nameOf is the name of a model among names by hash.
func nameOf(names map[string]string, hash string) string {
	return cmp.Or(names[hash], result.ID.SayText(hash))
}

// offerKeys are the labels of the round with their keys: "I invariant, V variant".
func (s *Screen) offerKeys() string {
	var offers []string
	for _, v := range s.session.Values() {
		offers = append(offers, strings.TrimSpace(s.keys().First(valueKeys[v])+" "+s.session.Round().Word(v)))
	}
	return strings.Join(offers, ", ")
}

// ToggleSure turns "unsure" for the next label. An item that has its label already is stored again
// with the new certainty, since no key would follow.
func (s *Screen) ToggleSure() {
	if s.session == nil || s.saving {
		return
	}
	current, labelled := s.session.Label()
	s.session.ToggleSure()
	if !labelled || s.session.Round().Closed {
		s.widgets.update()
		return
	}
	ev, err := s.session.Draft(current.Value, s.seen(), s.deps.Now())
	if err != nil {
		s.refuse(err)
		return
	}
	s.store(ev, func(stored labels.Event) {
		s.session.Confirm(stored, s.deps.Now())
		s.widgets.message(s.saidLabel(stored, true), false)
		s.widgets.update()
	})
}

// Skip puts the item shown off to the end of the round.
func (s *Screen) Skip() {
	if s.session == nil || s.saving {
		return
	}
	ev, err := s.session.DraftSkip(s.widgets.noteText(), s.deps.Now())
	if err != nil {
		s.refuse(err)
		return
	}
	s.store(ev, func(stored labels.Event) {
		s.session.Saved(stored, s.deps.Now())
		s.moved(s.modelName(stored.Model) + ": skipped; it comes back at the end")
	})
}

// Undo takes the newest label or skip back and shows its item.
func (s *Screen) Undo() { s.afterNote(s.undo) }

func (s *Screen) undo() {
	ev, err := s.session.DraftUndo(s.deps.Now())
	s.step(ev, err, fmt.Sprintf("taken back; label it again, go on, or bring it back with %s",
		s.keys().First(keymap.Redo)))
}

// Redo brings back what was taken back last and shows its item.
func (s *Screen) Redo() {
	s.afterNote(func() {
		ev, err := s.session.DraftRedo(s.deps.Now())
		s.step(ev, err, "brought back")
	})
}

// step stores an undo or redo and goes where it leads.
func (s *Screen) step(ev labels.Event, err error, said string) {
	if err != nil {
		s.refuse(err)
		return
	}
	s.store(ev, func(stored labels.Event) {
		s.session.Saved(stored, s.deps.Now())
		s.moved(said)
	})
}

// KeepNote stores the text in the note when it differs from what is stored for the item shown.
func (s *Screen) KeepNote() {
	s.afterNote(func() {})
}

// afterNote stores the text in the note if it is new, then goes on; when the note cannot be
// stored, nothing moves and the text stays.
func (s *Screen) afterNote(next func()) {
	if s.session == nil || s.saving {
		return
	}
	ev, changed := s.session.DraftNote(s.widgets.noteText(), s.deps.Now())
	if !changed {
		next()
		return
	}
	s.store(ev, func(stored labels.Event) {
		s.session.Saved(stored, s.deps.Now())
		s.widgets.message("note saved", false)
		s.widgets.update()
		next()
	})
}

// Back and Forward look at earlier items.
func (s *Screen) Back() { s.look((*Session).Back, "this is the first one") }

// Forward goes towards the next open item.
func (s *Screen) Forward() { s.look((*Session).Forward, "this is the next open one") }

func (s *Screen) look(step func(*Session, time.Time) bool, end string) {
	s.afterNote(func() {
		if !step(s.session, s.deps.Now()) {
			s.widgets.message(end, false)
			return
		}
		s.moved("")
	})
}

// Return leaves looking back and shows the next open item.
func (s *Screen) Return() {
	s.afterNote(func() {
		if !s.session.Looking() {
			return
		}
		s.session.Return(s.deps.Now())
		s.moved("")
	})
}

// moved shows the session's item after it changed.
func (s *Screen) moved(said string) {
	s.widgets.clearNote()
	s.widgets.message(said, false)
	s.show()
}

// refuse says why an action is not possible; nothing changes.
func (s *Screen) refuse(err error) { s.widgets.message(err.Error(), true) }

// store appends an event off the main goroutine and applies it once it is on disk. While it runs,
// keys wait in the queue; an error keeps everything as it is, says so, and offers to try again.
func (s *Screen) store(ev labels.Event, apply func(stored labels.Event)) {
	if s.saving {
		return
	}
	of := s.session
	s.saving = true
	s.widgets.retry.Hide()
	done := false
	mention := func() {
		if !done {
			s.widgets.message("saving…", false)
		}
	}
	var stored labels.Event
	s.Work.Quiet("save label", func(context.Context) (err error) {
		slow := time.AfterFunc(slowSave, func() { s.Work.Post(mention) })
		defer slow.Stop() // with the save, not after it: the screen may be gone by then
		stored, err = s.deps.Store.Append(ev)
		return err
	}, func(err error) {
		done, s.saving = true, false
		if err != nil {
			s.queue = nil // its keys were meant for after the save, and what they say would hide the offer to try again
			s.widgets.unsaved(err, func() { s.store(ev, apply) })
			s.Fail(fmt.Errorf("not saved, try again: %w", err))
		} else {
			s.saved++ // what was read before this event is stale
			if s.session == of {
				apply(stored)
				s.runClock()
			}
		}
		queue := s.queue
		s.queue = nil
		s.replay(queue)
		s.catchUp()
		s.plan()
	})
}

// plan has the order of the models that remain planned where that is due. The plan is an event, so
// the screen reads it as any other; the model that is shown stays.
func (s *Screen) plan() {
	of := s.session
	if s.deps.Plan == nil || of == nil || s.planning == of || !labels.PlanDue(of.round, of.annotator, of.own) {
		return
	}
	s.planning = of
	s.Work.Quiet("plan the order of models", func(ctx context.Context) error {
		return s.deps.Plan(ctx, of.round.ID, of.annotator)
	}, func(err error) {
		switch {
		case err == nil:
			s.planning = nil
		case s.session == of && !errors.Is(err, jobs.ErrClosed):
			s.problem(err) // once: the order goes on without a plan
		}
	})
}
