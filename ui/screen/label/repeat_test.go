package label

import (
	"fmt"
	"testing"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// workedTo labels turn after turn until the next one is a repeat.
func workedTo(t *testing.T, d *desk, s *Session) labels.Turn {
	t.Helper()
	for range 100 {
		if turn := s.Turn(); turn.Pass == 2 || turn.Model == "" {
			return turn
		}
		d.put(t, s, labels.Variant)
	}
	t.Fatal("the round has no end")
	return labels.Turn{}
}

// seenBack goes back to the first turn and tells whether that turn was met on the way.
func seenBack(s *Session, turn labels.Turn) (met bool) {
	for s.Back(dawn) {
		met = met || s.Turn() == turn
	}
	s.Return(dawn)
	return met
}

// Whoever looks back from a repeat must not find the label of the first time; with the repeat done
// it may be changed again.
func TestSessionHidesTheFirstLabelDuringItsRepeat(t *testing.T) {
	var d desk
	r := testRound(30, 2)
	r.RepeatShare = 0.2
	s := NewSession(r, "r1", nil, dawn)
	repeat := workedTo(t, &d, s)
	first := labels.Turn{Model: repeat.Model, Pass: 1}
	if repeat.Pass != 2 {
		t.Fatal("no repeat came")
	}
	if seenBack(s, first) {
		t.Error("the first label is one look back away while its repeat is asked for")
	}
	skip := testdata.Must(s.DraftSkip("", dawn))(t)
	s.Saved(d.append(skip), dawn)
	if seenBack(s, first) {
		t.Error("the first label can be looked up while its repeat is put off")
	}
	undo := testdata.Must(s.DraftUndo(dawn))(t)
	s.Saved(d.append(undo), dawn)
	if s.Turn() != repeat {
		t.Fatalf("undo of the skip shows %v", s.Turn())
	}
	d.put(t, s, labels.Invariant)
	if !seenBack(s, first) || !seenBack(s, repeat) {
		t.Error("with the repeat done, a turn of the item is gone")
	}
}

// What an annotator says as adjudicator, in the reason or the discussion, is neither note nor flag
// of their label.
func TestSessionNoteIsNotTheDiscussion(t *testing.T) {
	var d desk
	r := testRound(3, 2)
	s := NewSession(r, "r1", nil, dawn)
	item, _ := s.Item()
	note, _ := s.DraftNote("a cross", dawn)
	s.Saved(d.append(note), dawn)
	for _, ev := range []labels.Event{
		{Kind: labels.Note, Flag: labels.Discussion, Note: "rater 2 saw a line"},
		{Kind: labels.Adjudicate, Value: labels.Variant, Note: "the line is noise"},
	} {
		ev.Round, ev.Model, ev.Annotator, ev.Pass = r.ID, item, "r1", 1
		d.append(ev)
		s.Reload(r, d.events, dawn.Add(time.Minute))
		if said := fmt.Sprintf("%q %q", s.Note(), s.Flag()); said != `"a cross" ""` {
			t.Errorf("after %s the note and flag are %s", ev.Kind, said)
		}
	}
}
