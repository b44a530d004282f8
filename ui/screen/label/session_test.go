package label

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
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

// put labels what is shown and goes on.
func (d *desk) put(t testdata.TB, s *Session, v labels.Value) {
	s.Saved(d.append(mustDraft(t, s, v, dawn)), dawn)
}

func mustDraft(t testdata.TB, s *Session, v labels.Value, now time.Time) labels.Event {
	return testdata.Must(s.Draft(v, Seen{}, now))(t)
}

// TestNotesAndFlagsStayWithTheirModel: they go into its label and not to the next model, and
// outlive a label that is undone.
func TestNotesAndFlagsStayWithTheirModel(t *testing.T) {
	var d desk
	s := NewSession(testRound(3, 2), "r1", nil, dawn)
	take := func(ev labels.Event, changed bool) {
		t.Helper()
		if !changed || ev.Kind != labels.Note {
			t.Fatalf("%+v, changed %v", ev, changed)
		}
		s.Saved(d.append(ev), dawn)
	}
	has := func(note, flag string) {
		t.Helper()
		if s.Note() != note || s.Flag() != flag {
			t.Errorf("note %q, flag %q; want %q, %q", s.Note(), s.Flag(), note, flag)
		}
	}
	_, noted := s.DraftNote("", dawn)
	_, flagged := s.DraftFlag("", "", dawn)
	if noted || flagged {
		t.Error("no note or no flag is a change")
	}
	take(s.DraftFlag("broken", "a note", dawn))
	has("a note", "broken")
	take(s.DraftNote("a cross", dawn))
	has("a cross", "broken")
	ev, err := s.Draft(labels.Variant, Seen{Note: s.Note()}, dawn)
	if err != nil || ev.Flag != "broken" {
		t.Errorf("label %+v, %v", ev, err)
	}
	s.Saved(d.append(ev), dawn)
	has("", "")
	undo, err := s.DraftUndo(dawn)
	if err != nil || undo.Flag != "" {
		t.Errorf("undo %+v, %v", undo, err)
	}
	s.Saved(d.append(undo), dawn)
	has("a cross", "broken")
	take(s.DraftNote("", dawn))
	has("", "broken")
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

func TestSessionRefuses(t *testing.T) {
	var d desk
	r := testRound(1, 2)
	done, fresh := NewSession(r, "r1", nil, dawn), NewSession(r, "r2", nil, dawn)
	d.put(t, done, labels.Variant)
	r.Closed = true
	closed := NewSession(r, "r1", nil, dawn)
	label := func(s *Session, v labels.Value) func(time.Time) (labels.Event, error) {
		return func(now time.Time) (labels.Event, error) { return s.Draft(v, Seen{}, now) }
	}
	skip := func(s *Session) func(time.Time) (labels.Event, error) {
		return func(now time.Time) (labels.Event, error) { return s.DraftSkip("", now) }
	}
	for _, c := range []struct {
		what  string
		draft func(now time.Time) (labels.Event, error)
		want  string
	}{
		{"borderline in a round of two classes", label(fresh, labels.Borderline), "two classes"},
		{"undo of nothing", fresh.DraftUndo, "nothing to undo"},
		{"redo of nothing", fresh.DraftRedo, "nothing to bring back"},
		{"a label after the end", label(done, labels.Variant), "left arrow"},
		{"a label in a closed round", label(closed, labels.Variant), "closed"},
		{"a skip in a closed round", skip(closed), "closed"},
		{"undo in a closed round", closed.DraftUndo, "closed"},
		{"redo in a closed round", closed.DraftRedo, "closed"},
	} {
		if _, err := c.draft(dawn); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if !done.Back(dawn) {
		t.Fatal("no way back from the end")
	}
	if _, err := done.DraftSkip("", dawn); err == nil || !strings.Contains(err.Error(), "undo it") {
		t.Errorf("a skip of a model with a label: %v", err)
	}
}

func TestSessionReload(t *testing.T) {
	var d desk
	r := testRound(2, 2)
	s := NewSession(r, "r1", nil, dawn)
	for range 2 {
		d.put(t, s, labels.Invariant)
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
				ev = d.append(ev)
				s.Saved(ev, dawn)
				err = ev.Validate(r)
				if err != nil {
					t.Fatal(err)
				}
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
			d.put(t, fresh, labels.Invariant)
		}
		if got := len(labels.Current(d.events)); got != len(r.Models) {
			t.Fatalf("%d items have a label, want %d", got, len(r.Models))
		}
	})
}
