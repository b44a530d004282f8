package label

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	labels "github.com/variscope/variscope/engine/label"
)

var dawn = time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)

func testRound(models, classes int) labels.Round {
	r := labels.Round{
		ID: "R1", Name: "first look", Kind: labels.VarianceRound, Classes: classes, OrderSeed: 7,
		Guideline: "say what you see", Annotators: []string{"r1", "r2", "r3"}, Blind: true,
	}
	for k := range models {
		r.Models = append(r.Models, fmt.Sprintf("m%02d", k))
	}
	return r
}

// desk stands for the store: it numbers events as it appends them.
type desk struct{ events []labels.Event }

func (d *desk) append(ev labels.Event) labels.Event {
	ev.ID = fmt.Sprintf("E%06d", len(d.events))
	d.events = append(d.events, ev)
	return ev
}

func mustDraft(t interface{ Fatal(...any) }, s *Session, v labels.Value, now time.Time) labels.Event {
	ev, err := s.Draft(v, Seen{}, now)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func TestSessionGoesThroughARound(t *testing.T) {
	var d desk
	r := testRound(5, 2)
	s := NewSession(r, "r1", nil, dawn)
	order := labels.Order(r, "r1")
	for k, want := range order {
		hash, ok := s.Item()
		if !ok || hash != want {
			t.Fatalf("item %d is %q, want %q", k, hash, want)
		}
		if p := s.Progress(); p.Done != k || p.Total != 5 {
			t.Fatalf("progress %+v at item %d", p, k)
		}
		ev := d.append(mustDraft(t, s, labels.Variant, dawn.Add(4*time.Second)))
		if ev.Seconds < 0 || ev.Pass != 1 || ev.Annotator != "r1" || ev.Guideline == "" || ev.Value != labels.Variant ||
			!ev.Sure {
			t.Fatalf("event %+v", ev)
		}
		if err := ev.Validate(r); err != nil {
			t.Fatal(err)
		}
		s.Saved(ev, dawn)
	}
	if _, ok := s.Item(); ok {
		t.Fatal("the round is not done")
	}
	if _, err := s.Draft(labels.Variant, Seen{}, dawn); err == nil || !strings.Contains(err.Error(), "left arrow") {
		t.Errorf("a label after the end: %v", err)
	}
	if !s.Back(dawn) {
		t.Fatal("no way back from the end")
	}
	if hash, _ := s.Item(); hash != order[4] {
		t.Errorf("back shows %q, want %q", hash, order[4])
	}
	if ev, ok := s.Label(); !ok || ev.Value != labels.Variant {
		t.Errorf("label %+v %v", ev, ok)
	}
}

func TestSessionSkipOrder(t *testing.T) {
	var d desk
	r := testRound(4, 2)
	s := NewSession(r, "r2", nil, dawn)
	order := labels.Order(r, "r2")
	skip := func() {
		ev, err := s.DraftSkip("later", dawn)
		if err != nil {
			t.Fatal(err)
		}
		s.Saved(d.append(ev), dawn)
	}
	put := func() { s.Saved(d.append(mustDraft(t, s, labels.Invariant, dawn)), dawn) }
	item := func() string { hash, _ := s.Item(); return hash }
	skip() // order[0]
	put()  // order[1]
	skip() // order[2]
	put()  // order[3]
	if item() != order[0] || !s.Skipped() || s.Note() != "later" {
		t.Fatalf("after the rest comes %q (skipped %v), want the first skipped %q", item(), s.Skipped(), order[0])
	}
	put()
	if item() != order[2] {
		t.Fatalf("then comes %q, want %q", item(), order[2])
	}
	if p := s.Progress(); p.Done != 3 || p.Skipped != 1 || p.String() != "3 of 4 labelled, 1 skipped" {
		t.Errorf("progress %q", p)
	}
	s.Back(dawn)
	if _, err := s.DraftSkip("", dawn); err == nil {
		t.Error("an item with a label can be skipped")
	}
}

func TestSessionUndo(t *testing.T) {
	var d desk
	r := testRound(3, 3)
	s := NewSession(r, "r1", nil, dawn)
	order := labels.Order(r, "r1")
	if _, err := s.DraftUndo(dawn); err == nil {
		t.Error("undo with nothing done")
	}
	s.ToggleSure()
	s.Saved(d.append(mustDraft(t, s, labels.Borderline, dawn)), dawn)
	if !s.Sure() {
		t.Error("the next item starts unsure")
	}
	ev, err := s.DraftUndo(dawn)
	if err != nil || ev.Model != order[0] || ev.Supersedes != d.events[0].ID {
		t.Fatalf("undo %+v, %v", ev, err)
	}
	s.Saved(d.append(ev), dawn)
	if hash, _ := s.Item(); hash != order[0] {
		t.Errorf("undo shows %q, want %q", hash, order[0])
	}
	if _, ok := s.Label(); ok {
		t.Error("the label is still there")
	}
	if p := s.Progress(); p.Done != 0 {
		t.Errorf("progress %+v", p)
	}
	// A changed label that is undone gives the one before back.
	s.Saved(d.append(mustDraft(t, s, labels.Invariant, dawn)), dawn)
	s.Back(dawn)
	change := mustDraft(t, s, labels.Variant, dawn)
	if change.Supersedes != d.events[len(d.events)-1].ID {
		t.Errorf("supersedes %q", change.Supersedes)
	}
	s.Saved(d.append(change), dawn)
	ev, _ = s.DraftUndo(dawn)
	s.Saved(d.append(ev), dawn)
	if now, ok := s.Label(); !ok || now.Value != labels.Invariant {
		t.Errorf("after the undo of a change: %+v", now)
	}
}

func TestSessionShowsNobodyElse(t *testing.T) {
	r := testRound(2, 2)
	theirs := labels.Event{
		ID: "E9", Round: r.ID, Model: "m00", Annotator: "r2", Kind: labels.Label, Pass: 1,
		Value: labels.Variant, Note: "secret",
	}
	other := theirs
	other.ID, other.Annotator, other.Round = "E8", "r1", "another round"
	s := NewSession(r, "r1", []labels.Event{theirs, other}, dawn)
	for range r.Models {
		if _, ok := s.Label(); ok || s.Note() != "" {
			t.Fatal("somebody else's label is visible")
		}
		s.Saved(labels.Event{
			ID: "F" + s.turn.Model, Round: r.ID, Model: s.turn.Model, Annotator: "r1", Kind: labels.Skip, Pass: 1,
		}, dawn)
	}
	for _, ev := range s.own {
		if ev.Annotator != "r1" || ev.Round != r.ID {
			t.Fatalf("the session keeps %+v", ev)
		}
	}
}

func TestSessionNotes(t *testing.T) {
	var d desk
	r := testRound(2, 2)
	s := NewSession(r, "r1", nil, dawn)
	if _, changed := s.DraftNote("", dawn); changed {
		t.Error("an empty note is a change")
	}
	ev, changed := s.DraftNote("a cross", dawn)
	if !changed {
		t.Fatal("a note is no change")
	}
	s.Saved(d.append(ev), dawn)
	if s.Note() != "a cross" {
		t.Errorf("note %q", s.Note())
	}
	label, _ := s.Draft(labels.Variant, Seen{Note: s.Note()}, dawn)
	s.Saved(d.append(label), dawn)
	if s.Note() != "" {
		t.Error("the note went with the annotator to the next item")
	}
	undo, _ := s.DraftUndo(dawn)
	s.Saved(d.append(undo), dawn)
	if s.Note() != "a cross" {
		t.Error("undoing a label loses its note")
	}
	ev, changed = s.DraftNote("", dawn)
	if !changed {
		t.Fatal("a note cannot be cleared")
	}
	s.Saved(d.append(ev), dawn)
	if s.Note() != "" {
		t.Error("the note is still there")
	}
}

func TestSessionRefuses(t *testing.T) {
	two := NewSession(testRound(2, 2), "r1", nil, dawn)
	if _, err := two.Draft(labels.Borderline, Seen{}, dawn); err == nil {
		t.Error("borderline in a round of two classes")
	}
	closed := testRound(2, 2)
	closed.Closed = true
	s := NewSession(closed, "r1", nil, dawn)
	_, err1 := s.Draft(labels.Variant, Seen{}, dawn)
	_, err2 := s.DraftSkip("", dawn)
	_, err3 := s.DraftUndo(dawn)
	for k, err := range []error{err1, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("closed round, action %d: %v", k, err)
		}
	}
}

func TestSessionReload(t *testing.T) {
	var d desk
	r := testRound(2, 2)
	s := NewSession(r, "r1", nil, dawn)
	for range 2 {
		s.Saved(d.append(mustDraft(t, s, labels.Invariant, dawn)), dawn)
	}
	grown := r
	grown.Models = append(slices.Clone(r.Models), "m99")
	s.Reload(grown, d.events, dawn)
	if hash, ok := s.Item(); !ok || hash != "m99" {
		t.Errorf("after a model was appended: %q %v", hash, ok)
	}
	s.Back(dawn)
	before, _ := s.Item()
	s.Reload(grown, d.events, dawn)
	if after, _ := s.Item(); after != before || !s.Looking() {
		t.Errorf("a reload moves from %q to %q", before, after)
	}
}

func TestSessionUpcoming(t *testing.T) {
	r := testRound(6, 2)
	s := NewSession(r, "r3", nil, dawn)
	order := labels.Order(r, "r3")
	if got := s.Upcoming(3); !slices.Equal(got, order[1:4]) {
		t.Errorf("upcoming %v, want %v", got, order[1:4])
	}
	if got := s.Upcoming(20); !slices.Equal(got, order[1:]) {
		t.Errorf("upcoming %v, want %v", got, order[1:])
	}
}

// Whatever an annotator does, a session resumed from the events agrees with the one that made them,
// every item is reached and nothing is labelled twice without a Supersedes.
func TestSessionRandomWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d desk
		r := testRound(rapid.IntRange(1, 6).Draw(t, "models"), rapid.IntRange(2, 3).Draw(t, "classes"))
		s := NewSession(r, "r1", nil, dawn)
		for _, act := range rapid.SliceOfN(rapid.IntRange(0, 6), 0, 40).Draw(t, "acts") {
			var ev labels.Event
			var err error
			switch act {
			case 0, 1:
				ev, err = s.Draft(s.Values()[act], Seen{}, dawn)
				if _, labelled := s.Label(); err == nil && labelled != (ev.Supersedes != "") {
					t.Fatalf("labelled %v, supersedes %q", labelled, ev.Supersedes)
				}
			case 2:
				ev, err = s.DraftSkip("", dawn)
			case 3:
				ev, err = s.DraftUndo(dawn)
			case 4:
				s.Back(dawn)
				continue
			case 5:
				s.Forward(dawn)
				continue
			case 6:
				s.ToggleSure()
				continue
			}
			if err == nil {
				s.Saved(d.append(ev), dawn)
			}
		}
		fresh := NewSession(r, "r1", d.events, dawn)
		if fresh.Progress().Done != s.Progress().Done || len(fresh.current) != len(s.current) {
			t.Fatalf("resumed %+v, was %+v", fresh.Progress(), s.Progress())
		}
		for k := 0; ; k++ {
			if _, ok := fresh.Item(); !ok {
				break
			}
			if k > len(r.Models) {
				t.Fatal("the round does not end")
			}
			fresh.Saved(d.append(mustDraft(t, fresh, labels.Invariant, dawn)), dawn)
		}
		if got := len(labels.Current(d.events)); got != len(r.Models) {
			t.Fatalf("%d items have a label, want %d", got, len(r.Models))
		}
	})
}
