package label

import (
	"errors"
	"fmt"
	"slices"
	"time"

	labels "github.com/variscope/variscope/engine/label"
)

// Seen is what belongs to a label besides its value: the note in force and the colour ranges that
// were on the screen.
type Seen struct {
	Note   string
	Ranges map[string]labels.Range
}

// Draft is the label event of the item shown, ready to be appended. The error is a sentence for
// the person when the round is closed, has no such label or is done.
func (s *Session) Draft(v labels.Value, seen Seen, now time.Time) (labels.Event, error) {
	if err := s.open(); err != nil {
		return labels.Event{}, err
	}
	if !s.Offers(v) {
		return labels.Event{}, fmt.Errorf("round %s has two classes: %s is not one of them", s.round.Name, string(v))
	}
	ev := s.event(labels.Label, now)
	ev.Value, ev.Sure, ev.Note, ev.Ranges = v, s.sure, seen.Note, seen.Ranges
	if before, ok := s.current[s.turn]; ok {
		ev.Supersedes = before.ID
	}
	return ev, nil
}

// DraftSkip is the event that puts the item shown off to the end.
func (s *Session) DraftSkip(note string, now time.Time) (labels.Event, error) {
	if err := s.open(); err != nil {
		return labels.Event{}, err
	}
	if _, labelled := s.current[s.turn]; labelled {
		return labels.Event{}, errors.New("this model has your label already; undo it before you skip it")
	}
	ev := s.event(labels.Skip, now)
	ev.Note = note
	return ev, nil
}

// DraftNote is the event of a note on the item shown; changed is false when the text is the present
// one. A closed round takes notes too.
func (s *Session) DraftNote(text string, now time.Time) (ev labels.Event, changed bool) {
	if s.turn.Model == "" || text == s.Note() {
		return labels.Event{}, false
	}
	ev = s.event(labels.Note, now)
	ev.Note = text
	return ev, true
}

// DraftFlag is the event that flags the item shown, or takes its flag away with an empty text;
// changed is false when it has that flag. A flag is a remark like a note, so a closed round takes
// it too.
func (s *Session) DraftFlag(flag, note string, now time.Time) (ev labels.Event, changed bool) {
	if s.turn.Model == "" || flag == s.Flag() {
		return labels.Event{}, false
	}
	ev = s.event(labels.Note, now)
	ev.Flag, ev.Note = flag, note
	return ev, true
}

// DraftUndo is the event that takes back this annotator's newest label or skip that still stands.
func (s *Session) DraftUndo(now time.Time) (labels.Event, error) {
	return s.draft(now, labels.UndoNewest, "nothing to undo")
}

// DraftRedo is the event that brings back what this annotator took back last.
func (s *Session) DraftRedo(now time.Time) (labels.Event, error) {
	return s.draft(now, labels.RedoNewest, "nothing to bring back")
}

func (s *Session) draft(
	now time.Time, newest func(labels.Round, string, []labels.Event) (labels.Event, bool), nothing string,
) (labels.Event, error) {
	if s.round.Closed {
		return labels.Event{}, s.open()
	}
	ev, ok := newest(s.round, s.annotator, s.own)
	if !ok {
		return labels.Event{}, errors.New(nothing)
	}
	ev.Started = now
	return ev, nil
}

// open says why no event can be made for the item shown, nil when one can.
func (s *Session) open() error {
	if s.round.Closed {
		return fmt.Errorf("round %s is closed; labels can be looked at, not changed", s.round.Name)
	}
	if s.turn.Model == "" {
		return errors.New("every model of this round has your label; go back with the left arrow to change one")
	}
	return nil
}

func (s *Session) event(kind labels.Kind, now time.Time) labels.Event {
	started := s.clock.started
	if started.IsZero() {
		started = now
	}
	return labels.Event{
		Round: s.round.ID, Model: s.turn.Model, Annotator: s.annotator, Kind: kind, Pass: max(s.turn.Pass, 1),
		Sure: true, Flag: s.Flag(), Started: started, Seconds: s.clock.seconds(now), Guideline: s.round.GuidelineHash(),
	}
}

// Saved applies an event that the store has now, and moves: after a label or skip to the next open
// turn, after an undo or redo to the turn that it is about; a note stays where it is.
func (s *Session) Saved(ev labels.Event, now time.Time) {
	next := s.next
	s.own = append(s.own, ev)
	s.derive()
	switch ev.Kind {
	case labels.Note:
		s.hold(next)
	case labels.Label, labels.Skip:
		s.show(s.next, now)
	case labels.Undo:
		s.show(ev.Turn(), now)
	}
}

// Confirm applies a stored event without moving on, for a change of an item that is looked back at.
func (s *Session) Confirm(ev labels.Event, now time.Time) {
	s.own = append(s.own, ev)
	s.derive()
	s.show(s.turn, now)
}

// trail are the turns that can be looked at: those with a label or skip in the order in which they
// were first judged, the one shown, then the next open one. While an item is asked for again, its
// first turn is left out: whoever looked back could copy their label, and the repeat would measure
// nothing.
func (s *Session) trail() []labels.Turn {
	var trail []labels.Turn
	add := func(turn labels.Turn) {
		if turn != s.next && !slices.Contains(trail, turn) {
			trail = append(trail, turn)
		}
	}
	for _, ev := range s.active {
		if (ev.Kind == labels.Label || ev.Kind == labels.Skip) && !s.askedAgain(ev.Turn()) {
			add(ev.Turn())
		}
	}
	add(s.turn)
	return append(trail, s.next)
}

// askedAgain tells whether a turn is the first of an item whose repeat has been shown, or is next,
// and has no label yet.
func (s *Session) askedAgain(turn labels.Turn) bool {
	again := labels.Turn{Model: turn.Model, Pass: 2}
	_, done := s.current[again]
	return turn.Pass == 1 && !done && (again == s.next || again == s.turn || s.skipped[again])
}

// Back turns to the turn before the one shown, Forward to the one after it, up to the next open
// one (or the end of the round). They return false when there is none.
func (s *Session) Back(now time.Time) bool { return s.step(-1, now) }

// Forward turns to the turn after the one shown.
func (s *Session) Forward(now time.Time) bool { return s.step(1, now) }

func (s *Session) step(by int, now time.Time) bool {
	trail := s.trail()
	at := slices.Index(trail, s.turn)
	if at < 0 {
		at = len(trail) - 1
	}
	if at+by < 0 || at+by >= len(trail) {
		return false
	}
	s.show(trail[at+by], now)
	return true
}

// Looking tells whether an earlier turn is shown in place of the next open one.
func (s *Session) Looking() bool { return s.turn != s.next }

// Return turns to the next open turn.
func (s *Session) Return(now time.Time) { s.show(s.next, now) }

// Upcoming are the items that are likely to be shown next, at most n, nearest first: what follows
// when the turn shown gets its label.
func (s *Session) Upcoming(n int) []string {
	var list []string
	after := slices.Clone(s.own)
	for turn, k := s.turn, 0; turn.Model != "" && k <= n; k++ {
		if turn.Model != s.turn.Model && !slices.Contains(list, turn.Model) && len(list) < n {
			list = append(list, turn.Model)
		}
		after = append(after, labels.Event{
			ID: fmt.Sprintf("~%06d", k), Round: s.round.ID, Model: turn.Model, Annotator: s.annotator,
			Kind: labels.Label, Pass: turn.Pass, Value: labels.Invariant,
		})
		turn, _ = labels.NextTurn(s.round, s.annotator, after)
	}
	return list
}
