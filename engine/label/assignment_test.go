package label

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// crowd is a round of n models whose m annotators share them.
func crowd(n, m, overlap int) Round {
	r := round(n, 3)
	r.Overlap, r.Annotators = overlap, nil
	for k := range m {
		r.Annotators = append(r.Annotators, fmt.Sprintf("a%d", k))
	}
	return r
}

// TestAssignmentIsEven: each model goes to as many annotators as asked for, each annotator has as
// many models as the others, or one more, known models go to all, and models that are appended
// change nothing.
func TestAssignmentIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(2, 9).Draw(t, "annotators")
		r := crowd(rapid.IntRange(1, 60).Draw(t, "models"), m, rapid.IntRange(0, m).Draw(t, "overlap"))
		r.ID, r.Known = rapid.SampledFrom([]string{"R", "S", ""}).Draw(t, "id"), map[string]Value{"m0": Variant}
		before := r
		before.Models = r.Models[:rapid.IntRange(1, len(r.Models)).Draw(t, "before")]
		list, earlier := r.Assignment(), before.Assignment()
		least, most, assigned := len(r.Models), 0, r.Asked()
		for _, a := range r.Annotators {
			least, most = min(least, len(list[a])), max(most, len(list[a]))
			if !slices.Equal(list[a][:len(earlier[a])], earlier[a]) {
				t.Fatalf("%s had %v and has %v", a, earlier[a], list[a])
			}
			if !slices.Equal(slices.Sorted(slices.Values(Order(r, a))), slices.Sorted(slices.Values(list[a]))) {
				t.Fatalf("%s sees other models than %v", a, list[a])
			}
		}
		if most-least > 1 {
			t.Fatalf("between %d and %d models", least, most)
		}
		for _, model := range r.Models {
			want, got := r.Overlap, 0
			if want == 0 || model == "m0" {
				want = m
			}
			for _, a := range r.Annotators {
				if slices.Contains(list[a], model) != assigned(a, model) {
					t.Fatalf("%s of %s: assigned says %v", model, a, assigned(a, model))
				}
				if assigned(a, model) {
					got++
				}
			}
			if got != want {
				t.Fatalf("%s goes to %d, want %d", model, got, want)
			}
		}
	})
}

// TestPairsShareModelsEvenly: over 120 models, every two annotators share about as many as any
// others.
func TestPairsShareModelsEvenly(t *testing.T) {
	for m := 3; m <= 8; m++ {
		for overlap := 2; overlap < m; overlap++ {
			for seed := range 5 {
				r := crowd(120, m, overlap)
				r.ID = fmt.Sprint("R", seed)
				list, least, most := r.Assignment(), len(r.Models), 0
				for k, a := range r.Annotators {
					for _, b := range r.Annotators[:k] {
						together := 0
						for _, model := range list[a] {
							if slices.Contains(list[b], model) {
								together++
							}
						}
						least, most = min(least, together), max(most, together)
					}
				}
				if most-least > 3 {
					t.Errorf("%d of %d annotators: pairs share %d to %d models", overlap, m, least, most)
				}
			}
		}
	}
}

func TestAssignmentDependsOnTheRound(t *testing.T) {
	r, s := crowd(40, 4, 2), crowd(40, 4, 2)
	s.ID = "S"
	if slices.Equal(r.Assignment()["a0"], s.Assignment()["a0"]) {
		t.Error("two rounds give an annotator the same models")
	}
	testdata.Is(t, "a stranger is asked", r.Assigned("x", "m0") || r.Assigned("a0", "x"), false)
}

// TestFinishedFollowsTheAssignment: who has labelled what is theirs has finished, and labels of
// other models do not count.
func TestFinishedFollowsTheAssignment(t *testing.T) {
	r := crowd(12, 3, 2)
	r.RepeatShare = 0.25
	mine := r.Assignment()["a1"]
	turns, events := walk(t, r, "a1", nil)
	testdata.Is(t, "turns", len(turns), len(mine)+2)
	done, _, total := Progress(r, "a1", events)
	testdata.Is(t, "progress", fmt.Sprint(done, total), fmt.Sprint(len(mine), len(mine)))
	testdata.Is(t, "habit", HabitOf(r, events, "a1", "").Models, len(mine))
	testdata.Is(t, "finished", Finished(r, "a1", events) && !Finished(r, "a0", events), true)
	for _, model := range r.Models {
		if !r.Assigned("a0", model) {
			stray := event(5000, Label, "a0", model, Variant)
			testdata.Is(t, "ratings", fmt.Sprint(Ratings(r, append(events, stray))), fmt.Sprint(Ratings(r, events)))
		}
	}
}

func TestKnownFirst(t *testing.T) {
	r := round(30, 3)
	r.Known = map[string]Value{"m7": Variant, "m20": Invariant}
	mixed := Order(r, "r1")
	r.KnownFirst = true
	first := Order(r, "r1")
	testdata.Equal(t, "known first", slices.Sorted(slices.Values(first[:2])), []string{"m20", "m7"})
	rest := slices.DeleteFunc(mixed, func(model string) bool { return r.Known[model] != "" })
	testdata.Equal(t, "the others as without", first[2:], rest)
}
