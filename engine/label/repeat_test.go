package label

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// walk labels turn after turn as an annotator does, until nothing is left, and returns the turns in
// their order.
func walk(t testdata.TB, r Round, annotator string, events []Event) ([]Turn, []Event) {
	var turns []Turn
	for {
		turn, ok := NextTurn(r, annotator, events)
		if !ok {
			return turns, events
		}
		if len(turns) > 3*len(r.Models)+3 {
			t.Fatalf("the round does not end: %v", turns)
		}
		ev := event(1000+len(events), Label, annotator, turn.Model, Variant)
		ev.Pass = turn.Pass
		turns, events = append(turns, turn), append(events, ev)
	}
}

func TestRepeatsAreTheShare(t *testing.T) {
	for _, c := range []struct {
		models int
		share  float64
		want   int
	}{
		{100, 0.05, 5}, {100, 0, 0}, {9, 0.05, 0}, {10, 0.05, 1}, {40, 0.1, 4}, {6, 1, 6}, {0, 0.5, 0}, {600, 0.05, 30},
	} {
		r := round(c.models, 2)
		r.RepeatShare = c.share
		repeats := Repeats(r, "r1")
		seen := map[string]bool{}
		for _, p := range repeats {
			seen[p.Model] = true
			if p.Gap < RepeatDistance {
				t.Errorf("%d models: gap %d of %s", c.models, p.Gap, p.Model)
			}
		}
		if len(repeats) != c.want || len(seen) != c.want {
			t.Errorf("%d models, share %g: %d repeats of %d models, want %d", c.models, c.share, len(repeats),
				len(seen), c.want)
		}
	}
}

func TestRepeatsDifferByAnnotatorAndSeed(t *testing.T) {
	r := round(200, 2)
	r.RepeatShare = 0.05
	if !slices.Equal(Repeats(r, "r1"), Repeats(r, "r1")) {
		t.Error("the repeats change from call to call")
	}
	if slices.Equal(Repeats(r, "r1"), Repeats(r, "r2")) {
		t.Error("two annotators share their repeats")
	}
	other := r
	other.OrderSeed = 5
	if slices.Equal(Repeats(r, "r1"), Repeats(other, "r1")) {
		t.Error("another seed gives the same repeats")
	}
}

// In a straight walk every item comes once, the chosen ones twice, with the distance between, and
// not all at the end.
func TestRepeatsAreMixedIn(t *testing.T) {
	r := round(100, 2)
	r.RepeatShare = 0.1
	turns, _ := walk(t, r, "r2", nil)
	if len(turns) != 110 {
		t.Fatalf("%d turns, want 110", len(turns))
	}
	before := 0
	for k, turn := range turns {
		if turn.Pass == 1 {
			continue
		}
		first := slices.Index(turns, Turn{turn.Model, 1})
		if first < 0 || k-first <= RepeatDistance {
			t.Errorf("%s comes back as turn %d after turn %d", turn.Model, k, first)
		}
		if slices.ContainsFunc(turns[k:], func(u Turn) bool { return u.Pass == 1 }) {
			before++
		}
	}
	if before < 5 {
		t.Errorf("only %d of 10 repeats come before the last new item", before)
	}
}

// TestSees: whether an annotator sees the labels of others, and the known answers, which in an open
// round are hidden until they have finished.
func TestSees(t *testing.T) {
	r := round(3, 2)
	_, done := walk(t, r, "r1", nil)
	for _, c := range []struct {
		name         string
		blind        bool
		reveal       Reveal
		closed       bool
		who          string
		sees, answer bool
	}{
		{"open, and finished", false, "", false, "r1", true, true},
		{"open, and not finished", false, "", false, "r2", true, false},
		{"open, and no annotator", false, "", false, "x", true, false},
		{"blind, and finished", true, "", false, "r1", false, false},
		{"blind and closed, and not finished", true, "", true, "r2", true, true},
		{"blind until finished, and finished", true, RevealFinished, false, "r1", true, true},
		{"blind until finished, and not", true, RevealFinished, false, "r2", false, false},
		{"blind until finished, and no annotator", true, RevealFinished, false, "x", false, false},
	} {
		r.Blind, r.Reveal, r.Closed = c.blind, c.reveal, c.closed
		testdata.Is(t, c.name, r.Sees(c.who, done), c.sees)
		testdata.Is(t, c.name+": known answers", r.SeesKnown(c.who, done), c.answer)
	}
}

// Whatever is skipped, labelled and taken back on the way, the round ends with every item and every
// repeat labelled, and no repeat comes before its item has a label.
func TestNextTurnEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := round(rapid.IntRange(1, 30).Draw(t, "models"), 3)
		r.RepeatShare = rapid.SampledFrom([]float64{0, 0.05, 0.3, 1}).Draw(t, "share")
		var events []Event
		add := func(ev Event) {
			ev.ID = fmt.Sprintf("%04d", len(events))
			events = append(events, ev)
		}
		for _, act := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 60).Draw(t, "acts") {
			turn, ok := NextTurn(r, "r1", events)
			switch ev, can := UndoNewest(r, "r1", events); {
			case act == 0 && can:
				add(ev)
			case act == 1 && ok:
				add(Event{Round: "R", Kind: Skip, Annotator: "r1", Model: turn.Model, Pass: turn.Pass})
			case ok:
				if _, first := Current(events)[Key{turn.Model, "r1"}]; turn.Pass == 2 && !first {
					t.Fatalf("%s comes back without a label", turn.Model)
				}
				add(Event{Round: "R", Kind: Label, Annotator: "r1", Model: turn.Model, Pass: turn.Pass, Value: Variant})
			}
		}
		_, events = walk(t, r, "r1", events)
		if done, skipped, total, models := Turns(r, "r1", events); models != len(r.Models) || done != total ||
			skipped != 0 || total != len(r.Models)+len(Repeats(r, "r1")) {
			t.Fatalf("%d labelled, %d skipped of %d", done, skipped, total)
		}
	})
}

// Undo and redo are a stack: what was taken back comes back in reverse, until something else is
// done.
func TestRedoNewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := round(4, 2)
		var events []Event
		var done, undone []string
		add := func(ev Event) {
			ev.ID = fmt.Sprintf("%04d", len(events))
			events = append(events, ev)
		}
		for _, act := range rapid.SliceOfN(rapid.IntRange(0, 4), 0, 40).Draw(t, "acts") {
			undo, canUndo := UndoNewest(r, "r1", events)
			redo, canRedo := RedoNewest(r, "r1", events)
			if canUndo != (len(done) > 0) || canRedo != (len(undone) > 0) {
				t.Fatalf("undo %v of %v, redo %v of %v", canUndo, done, canRedo, undone)
			}
			switch {
			case act == 0 && canUndo:
				add(undo)
				done, undone = done[:len(done)-1], append(undone, done[len(done)-1])
			case act == 1 && canRedo:
				if redo.Model != undone[len(undone)-1] {
					t.Fatalf("redo of %s, want %s", redo.Model, undone[len(undone)-1])
				}
				add(redo)
				done, undone = append(done, redo.Model), undone[:len(undone)-1]
			case act == 2:
				add(event(0, Note, "r1", "m0", ""))
			default:
				model := rapid.SampledFrom(r.Models).Draw(t, "model")
				add(event(0, Label, "r1", model, Variant))
				done, undone = append(done, model), nil
			}
			add(event(0, Label, "r2", "m1", Variant)) // somebody else changes nothing
			if got := len(slices.DeleteFunc(Active(events),
				func(ev Event) bool { return ev.Annotator != "r1" || ev.Kind == Note })); got != len(done) {
				t.Fatalf("%d acts stand, want %d", got, len(done))
			}
		}
	})
}

func BenchmarkNextTurn600(b *testing.B) {
	r := round(600, 2)
	r.RepeatShare = 0.05
	var events []Event
	for k, model := range Order(r, "r1")[:500] {
		events = append(events, event(k, Label, "r1", model, Variant))
	}
	for b.Loop() {
		NextTurn(r, "r1", events)
	}
}
