package label

import (
	"fmt"
	"slices"
	"time"

	labels "github.com/variscope/variscope/engine/label"
)

// Session is what the label screen shows, as a plain value machine: one annotator working through one round. It keeps
// this annotator's events only, so that no screen made from it can show another's labels. It never stores anything: the
// Draft methods make the event to append, and Saved applies it after the store has it. Not safe for several goroutines.
type Session struct {
	round     labels.Round
	annotator string
	own       []labels.Event // this annotator's, oldest first
	active    []labels.Event // those of own that stand
	order     []string       // all items in this annotator's order
	current   map[string]labels.Event
	skipped   map[string]bool
	item      string // shown; "" when everything is done
	sure      bool
	clock     clock
}

// NewSession resumes an annotator's work in a round from the round's events: the next open item is shown.
func NewSession(round labels.Round, annotator string, events []labels.Event, now time.Time) *Session {
	s := &Session{round: round, annotator: annotator, order: labels.Order(round, annotator)}
	s.setEvents(events)
	s.show(s.next(), now)
	return s
}

// Reload takes the round and its events anew, after they changed elsewhere (appended models, imported labels). The item
// that is shown stays, unless it was the end and there is more to do now.
func (s *Session) Reload(round labels.Round, events []labels.Event, now time.Time) {
	s.round, s.order = round, labels.Order(round, s.annotator)
	s.setEvents(events)
	if s.item == "" || !slices.Contains(s.order, s.item) {
		s.show(s.next(), now)
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

// derive finds the current labels and the skipped items from the events.
func (s *Session) derive() {
	s.own = labels.Sorted(s.own)
	s.active = labels.Active(s.own)
	s.current, s.skipped = map[string]labels.Event{}, map[string]bool{}
	for key, ev := range labels.Current(s.own) {
		s.current[key.Model] = ev
	}
	for _, ev := range s.active {
		if _, labelled := s.current[ev.Model]; ev.Kind == labels.Skip && !labelled {
			s.skipped[ev.Model] = true
		}
	}
}

func (s *Session) next() string {
	hash, ok := labels.Next(s.round, s.annotator, s.own)
	if !ok {
		return ""
	}
	return hash
}

// show turns to an item and starts its clock; an item that has a label shows its certainty.
func (s *Session) show(item string, now time.Time) {
	s.item = item
	s.sure = true
	if ev, ok := s.current[item]; ok {
		s.sure = ev.Sure
	}
	s.clock.start(now)
}

// Round is the session's round, Annotator who is signed in.
func (s *Session) Round() labels.Round { return s.round }

// Annotator is who is signed in.
func (s *Session) Annotator() string { return s.annotator }

// Item is the hash of the model shown; ok is false when the round is done for this annotator.
func (s *Session) Item() (hash string, ok bool) { return s.item, s.item != "" }

// Sure tells whether the next label is marked sure.
func (s *Session) Sure() bool { return s.sure }

// Label is the current label of the item shown.
func (s *Session) Label() (labels.Event, bool) {
	ev, ok := s.current[s.item]
	return ev, ok
}

// Skipped tells whether the item shown was put off.
func (s *Session) Skipped() bool { return s.skipped[s.item] }

// Note is the note of the item shown: that of this annotator's newest note, label or skip. A label that was undone
// leaves its note.
func (s *Session) Note() string {
	note := ""
	for _, ev := range s.own {
		if ev.Model == s.item && ev.Pass <= 1 && ev.Kind != labels.Undo {
			note = ev.Note
		}
	}
	return note
}

// Progress is where the annotator stands.
type Progress struct {
	Position             int // of the item shown in the annotator's order, from 1; 0 when done
	Done, Skipped, Total int
}

// Progress counts the items that have this annotator's label.
func (s *Session) Progress() Progress {
	p := Progress{Position: slices.Index(s.order, s.item) + 1}
	p.Done, p.Skipped, p.Total = labels.Progress(s.round, s.annotator, s.own)
	return p
}

// String is the progress as one line.
func (p Progress) String() string {
	text := fmt.Sprintf("%d of %d labelled", p.Done, p.Total)
	if p.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", p.Skipped)
	}
	return text
}

// Values are the labels that the round offers.
func (s *Session) Values() []labels.Value { return labels.Values(s.round.Classes) }

// Offers tells whether the round has that label.
func (s *Session) Offers(v labels.Value) bool { return slices.Contains(s.Values(), v) }

// Touch notes a sign of activity; Pause and Resume stop and start the item's clock.
func (s *Session) Touch(now time.Time) { s.clock.touch(now) }

// Pause stops the item's clock while the screen is hidden.
func (s *Session) Pause(now time.Time) { s.clock.stop(now) }

// Resume lets the item's clock go on.
func (s *Session) Resume(now time.Time) { s.clock.resume(now) }

// ToggleSure turns the certainty of the next label.
func (s *Session) ToggleSure() { s.sure = !s.sure }
