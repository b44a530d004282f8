package label

import (
	"fmt"
	"slices"
	"time"

	labels "github.com/variscope/variscope/engine/label"
)

// Session is what the label screen shows, as a plain value machine: one annotator working through
// one round, turn by turn, where a turn is an item or its unannounced repeat. It keeps this
// annotator's events only, so that no screen made from it can show another's labels. It never
// stores anything: the Draft methods make the event to append, and Saved applies it after the
// store has it. Not safe for several goroutines.
type Session struct {
	round     labels.Round
	annotator string
	own       []labels.Event // this annotator's, oldest first
	active    []labels.Event // those of own that stand
	current   map[labels.Turn]labels.Event
	skipped   map[labels.Turn]bool
	remarks   map[labels.Turn]labels.Event // the newest that carry note and flag
	next      labels.Turn                  // the next open turn, the zero Turn when everything is done
	turn      labels.Turn                  // shown; the zero Turn when everything is done
	turns     Progress
	models    Progress // the same in models
	sure      bool
	clock     clock
}

// NewSession resumes an annotator's work in a round from the round's events: the next open turn is
// shown.
func NewSession(round labels.Round, annotator string, events []labels.Event, now time.Time) *Session {
	s := &Session{round: round, annotator: annotator}
	s.setEvents(events)
	s.show(s.next, now)
	return s
}

// Reload takes the round and its events anew, after they changed elsewhere (appended models,
// imported labels). The item that is shown stays, unless it was the end and there is more to do
// now.
func (s *Session) Reload(round labels.Round, events []labels.Event, now time.Time) {
	next := s.next
	s.round = round
	s.setEvents(events)
	s.hold(next)
	if s.turn.Model == "" || !slices.Contains(round.Models, s.turn.Model) {
		s.show(s.next, now)
	}
}

// hold keeps the open turn that is shown the next one, also where a plan would have another one
// come first by now.
func (s *Session) hold(next labels.Turn) {
	_, labelled := s.current[next]
	if next == s.turn && !labelled && !s.skipped[next] && slices.Contains(s.round.Models, next.Model) {
		s.next = next
	}
}

func (s *Session) setEvents(events []labels.Event) {
	s.own = s.own[:0:0]
	for _, ev := range events {
		if ev.Annotator == s.annotator && ev.Round == s.round.ID {
			s.own = append(s.own, ev)
		}
	}
	s.derive()
}

// derive finds the current labels, the skipped items and the next open turn from the events.
func (s *Session) derive() {
	s.own = labels.Sorted(s.own)
	s.active = labels.Active(s.own)
	s.current, s.skipped = map[labels.Turn]labels.Event{}, map[labels.Turn]bool{}
	s.remarks = map[labels.Turn]labels.Event{}
	for _, ev := range s.own {
		// What this person said as adjudicator, in a reason or in the discussion, belongs to the
		// item and not to their label.
		if ev.Kind == labels.Label || ev.Kind == labels.Skip || ev.Kind == labels.Note && ev.Flag != labels.Discussion {
			s.remarks[ev.Turn()] = ev
		}
	}
	for _, ev := range s.active {
		if ev.Kind == labels.Label {
			s.current[ev.Turn()] = ev
		}
	}
	for _, ev := range s.active {
		if _, labelled := s.current[ev.Turn()]; ev.Kind == labels.Skip && !labelled {
			s.skipped[ev.Turn()] = true
		}
	}
	s.next, _ = labels.NextTurn(s.round, s.annotator, s.own)
	s.turns, s.models = progressOf(s.round, s.annotator, s.own)
}

// show turns to a turn and starts its clock; an item that has a label shows its certainty.
func (s *Session) show(turn labels.Turn, now time.Time) {
	s.turn = turn
	s.sure = true
	if ev, ok := s.current[turn]; ok {
		s.sure = ev.Sure
	}
	s.clock.start(now)
}

// Round is the session's round.
func (s *Session) Round() labels.Round { return s.round }

// Annotator is the id of who is signed in.
func (s *Session) Annotator() string { return s.annotator }

// Item is the hash of the model shown; ok is false when the round is done for this annotator.
func (s *Session) Item() (hash string, ok bool) { return s.turn.Model, s.turn.Model != "" }

// Turn is the turn shown, the zero Turn when the round is done for this annotator.
func (s *Session) Turn() labels.Turn { return s.turn }

// Sure tells whether the next label is marked sure.
func (s *Session) Sure() bool { return s.sure }

// Label is the current label of the turn shown; a repeat does not show the label of the first time.
func (s *Session) Label() (labels.Event, bool) {
	ev, ok := s.current[s.turn]
	return ev, ok
}

// Skipped tells whether the turn shown was put off.
func (s *Session) Skipped() bool { return s.skipped[s.turn] }

// Note is the note of the turn shown: that of this annotator's newest note, label or skip. A label
// that was undone leaves its note.
func (s *Session) Note() string { return s.remark().Note }

// Flag is the flag of the turn shown, "" without one; like the note, it outlives an undone label.
func (s *Session) Flag() string { return s.remark().Flag }

func (s *Session) remark() labels.Event { return s.remarks[s.turn] }

// Progress is where an annotator stands, in turns, or in models (see InModels).
type Progress struct{ Done, Skipped, Total int }

// InModels is the progress as it is shown for so many models. Turns would tell by their number
// how many models come again, and models by their steps which ones do: so the turns are scaled to
// the number of models and rounded down.
func (p Progress) InModels(models int) Progress {
	if p.Total == 0 {
		return p
	}
	return Progress{p.Done * models / p.Total, p.Skipped * models / p.Total, models}
}

// progressOf is where an annotator stands in a round, in turns and as it is shown in models.
func progressOf(r labels.Round, annotator string, events []labels.Event) (turns, models Progress) {
	var all int
	turns.Done, turns.Skipped, turns.Total, all = labels.Turns(r, annotator, events)
	return turns, turns.InModels(all)
}

// Progress counts the turns that have this annotator's label. Repeats count like items, so that
// they are not announced.
func (s *Session) Progress() Progress { return s.turns }

// String is the progress as one line.
func (p Progress) String() string {
	text := fmt.Sprintf("%d of %d labelled", p.Done, p.Total)
	if p.Skipped > 0 {
		text = fmt.Sprintf("%s, %d skipped", text, p.Skipped)
	}
	return text
}

// Shown is the progress in models.
func (s *Session) Shown() Progress { return s.models }

// Values are the labels that the round offers.
func (s *Session) Values() []labels.Value { return labels.Values(s.round.Classes) }

// Offers tells whether the round has that label.
func (s *Session) Offers(v labels.Value) bool { return slices.Contains(s.Values(), v) }

// Touch notes a sign of activity; Pause and Resume stop and start the item's clock.
func (s *Session) Touch(now time.Time) { s.clock.touch(now) }

// Pause stops the item's clock while the screen is hidden or work pauses.
func (s *Session) Pause(now time.Time) { s.clock.stop(now) }

// Resume lets the item's clock go on.
func (s *Session) Resume(now time.Time) { s.clock.resume(now) }

// SetIdle sets after how long without a sign of activity work should pause, 0 for never.
func (s *Session) SetIdle(limit time.Duration) { s.clock.limit = limit }

// Idle tells whether the last sign of activity is so long ago that work should pause.
func (s *Session) Idle(now time.Time) bool { return s.turn.Model != "" && s.clock.idle(now) }

// ToggleSure turns the certainty of the next label.
func (s *Session) ToggleSure() { s.sure = !s.sure }
