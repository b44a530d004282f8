package label

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// TestPlanned: the queue of the newest plan of the annotator comes first, and all else stays as
// it was.
func TestPlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := round(rapid.IntRange(1, 12).Draw(t, "models"), 3)
		r.Order = OrderUseful
		var events []Event
		queue := []string{}
		for k := range rapid.IntRange(0, 4).Draw(t, "plans") {
			order := rapid.Permutation(r.Models).Draw(t, "order")
			who := rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "who")
			plan := PlanOf(r, who, nil, order[:rapid.IntRange(1, len(order)).Draw(t, "length")])
			plan.ID = fmt.Sprintf("%04d", k)
			if events = append(events, plan); who == "r1" {
				queue = plan.Queue
			}
		}
		want := slices.Clone(queue)
		for _, model := range Order(r, "r1") {
			if !slices.Contains(queue, model) {
				want = append(want, model)
			}
		}
		got := Planned(r, "r1", rapid.Permutation(events).Draw(t, "arrived"), Order(r, "r1"))
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestPlansAreDue: after ten labels of two classes, and again after every five.
func TestPlansAreDue(t *testing.T) {
	r := round(40, 2)
	r.Order = OrderUseful
	var events []Event
	var due []int
	for k, model := range Order(r, "r1") {
		v := Variant
		if k == 11 { // the first of another class
			v = Invariant
		}
		events = append(events, event(2*k, Label, "r1", model, v))
		if PlanDue(r, "r1", events) {
			due = append(due, k+1)
			plan := PlanOf(r, "r1", events, Remaining(r, "r1", events))
			plan.ID = fmt.Sprintf("%04d", 2*k+1)
			events = append(events, plan)
		}
	}
	testdata.Equal(t, "due after", due, []int{12, 17, 22, 27, 32, 37})
	testdata.Is(t, "for others", PlanDue(r, "r2", events), false)
}

// TestPlansPutDisagreementsFirst: in a round whose annotators see each other's labels.
func TestPlansPutDisagreementsFirst(t *testing.T) {
	r := round(5, 2)
	r.Order = OrderUseful
	events := []Event{event(1, Label, "r2", "m3", Variant), event(2, Label, "r3", "m3", Invariant)}
	order := []string{"m2", "m0", "m3", "m1"}
	testdata.Equal(t, "open", PlanOf(r, "r1", events, order).Queue, []string{"m3", "m2", "m0", "m1"})
	r.Blind = true
	testdata.Equal(t, "blind", PlanOf(r, "r1", events, order).Queue, order)
}

// TestPlannedRoundsKeepTheRepeats: every repeat keeps its distance, whatever plans come on the
// way.
func TestPlannedRoundsKeepTheRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := round(rapid.IntRange(25, 40).Draw(t, "models"), 2)
		r.Order, r.RepeatShare = OrderUseful, 0.2
		at := map[Turn]int{}
		var events []Event
		for k := 0; ; k++ {
			turn, ok := NextTurn(r, "r1", events)
			if !ok {
				break
			}
			at[turn] = k
			ev := event(len(events), Label, "r1", turn.Model, Values(2)[k%2])
			ev.Pass = turn.Pass
			events = append(events, ev)
			if PlanDue(r, "r1", events) {
				plan := PlanOf(r, "r1", events, rapid.Permutation(Remaining(r, "r1", events)).Draw(t, "order"))
				plan.ID = fmt.Sprintf("%04d", len(events))
				events = append(events, plan)
			}
		}
		repeats := Repeats(r, "r1")
		if len(at) != len(r.Models)+len(repeats) {
			t.Fatalf("%d turns for %d models and %d repeats", len(at), len(r.Models), len(repeats))
		}
		last := 0 // when nothing new was left
		for _, model := range r.Models {
			last = max(last, at[Turn{model, 1}])
		}
		for _, p := range repeats {
			if gap := at[Turn{p.Model, 2}] - at[Turn{p.Model, 1}]; gap <= RepeatDistance &&
				at[Turn{p.Model, 2}] < last {
				t.Fatalf("%s came again after %d turns", p.Model, gap)
			}
		}
	})
}
