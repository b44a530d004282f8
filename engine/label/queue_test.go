package label

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// at is a label made at a desk.
func at(desk string, k int, annotator, model string, v Value) Event {
	ev := event(k, Label, annotator, model, v)
	ev.Desk = desk
	return ev
}

func over(ev Event, target string) Event {
	ev.Supersedes = target
	return ev
}

func TestConflicts(t *testing.T) {
	one, two := at("D1", 1, "r1", "m0", Variant), at("D2", 2, "r1", "m0", Invariant)
	for _, c := range []struct {
		name   string
		events []Event
		want   []string // ids of the labels in conflict
	}{
		{"one desk", []Event{one, at("D1", 2, "r1", "m0", Invariant)}, nil},
		{"two desks", []Event{one, two}, []string{"0001", "0002"}},
		{"two desks that agree", []Event{one, at("D2", 2, "r1", "m0", Variant)}, nil},
		{"two annotators", []Event{one, at("D2", 2, "r2", "m0", Invariant)}, nil},
		{"in knowledge of the other", []Event{one, over(two, "0001")}, nil},
		{"settled at a third desk", []Event{one, two, over(at("D3", 3, "r1", "m0", Variant), "0002")}, nil},
		{"third desk differs", []Event{
			one, two, over(at("D3", 3, "r1", "m0", Borderline), "0002"),
		}, []string{"0001", "0003"}},
		{"one is undone", []Event{one, two, undoOf(3, "r1", 2)}, nil},
		{"what replaced is undone", []Event{
			one, over(two, "0001"), at("D3", 3, "r1", "m0", Invariant), undoOf(4, "r1", 2),
		}, []string{"0001", "0003"}},
		{"the newest of a desk", []Event{at("D2", 0, "r1", "m0", Variant), one, two}, []string{"0001", "0002"}},
		{"replaced by another's label", []Event{
			one, two, over(at("D1", 3, "r2", "m0", Variant), "0001"),
		}, []string{"0001", "0002"}},
		{"a stranger", []Event{at("D1", 1, "r9", "m0", Variant), at("D2", 2, "r9", "m0", Invariant)}, nil},
		{"a model of no item", []Event{at("D1", 1, "r1", "m9", Variant), at("D2", 2, "r1", "m9", Invariant)}, nil},
	} {
		var got []string
		for _, conflict := range Conflicts(round(2, 3), c.events) {
			for _, ev := range conflict.Labels {
				got = append(got, ev.ID)
			}
		}
		testdata.Equal(t, c.name, got, c.want)
	}
}

func TestQueue(t *testing.T) {
	r := round(5, 3)
	final := event(20, Adjudicate, "judge", "m1", Borderline)
	events := []Event{
		event(1, Label, "r1", "m0", Variant), event(2, Label, "r2", "m0", Borderline), // neighbours, tied
		event(3, Label, "r1", "m1", Variant), event(4, Label, "r2", "m1", Invariant), // wide, adjudicated
		event(5, Label, "r1", "m2", Variant), event(6, Label, "r2", "m2", Variant), // agreed
		at("D1", 7, "r1", "m3", Variant), at("D2", 8, "r1", "m3", Invariant), // a conflict of one annotator alone
		event(9, Label, "r1", "m4", Variant), event(10, Label, "r2", "m4", Borderline),
		event(11, Label, "r3", "m4", Borderline), event(19, Adjudicate, "judge", "m1", Variant), final,
	}
	var order []string
	queue := Queue(r, events)
	for _, c := range queue {
		order = append(order, c.Model)
	}
	testdata.Equal(t, "queue", order, []string{"m3", "m1", "m0", "m4"})
	if len(queue[0].Conflicts) != 1 || queue[0].Values[0] != Invariant || queue[0].Final != nil {
		t.Errorf("conflict %+v", queue[0])
	}
	if queue[1].Final == nil || queue[1].Final.ID != final.ID || queue[2].Final != nil {
		t.Errorf("final labels %+v, %+v", queue[1].Final, queue[2].Final)
	}
	undo := undoOf(21, "judge", 20)
	undo.Model = "m1"
	if back := Finals(r, append(events, undo))["m1"]; back.Value != Variant {
		t.Errorf("after the undo the final label is %q, want the older one", back.Value)
	}
}

func TestMaskedHidesNames(t *testing.T) {
	r := round(40, 2)
	seen := map[int]int{}
	for _, model := range r.Models {
		order := Masked(r, model)
		testdata.Equal(t, fmt.Sprint(model), order, Masked(r, model))
		seen[order[0]]++
		slices.Sort(order)
		testdata.Equal(t, "order", order, []int{0, 1, 2})
	}
	testdata.Is(t, fmt.Sprintf("rater 1 is always one of %v", seen), len(seen), 3)
}

func TestPasses(t *testing.T) {
	r := round(3, 2)
	again := func(k int, model string, v Value) Event {
		ev := event(k, Label, "r1", model, v)
		ev.Pass = 2
		return ev
	}
	events := []Event{
		event(1, Label, "r1", "m0", Variant), event(2, Label, "r1", "m0", Invariant),
		event(3, Label, "r1", "m1", Variant), again(4, "m0", Variant), again(5, "m1", Invariant),
		again(6, "m1", Variant), undoOf(7, "r1", 6), event(8, Label, "r2", "m2", Variant),
	}
	first, second := Passes(r, "r1", events)
	if !slices.Equal(first, []int{0, 1, Missing}) || !slices.Equal(second, []int{1, 0, Missing}) {
		t.Errorf("passes %v and %v", first, second)
	}
}

func TestCompleted(t *testing.T) {
	events := []Event{
		event(1, Label, "r1", "m0", Variant), event(2, Label, "r1", "m1", Variant),
		event(3, Label, "r2", "m1", Variant), event(4, Label, "r2", "m0", Variant),
		event(5, Label, "r3", "m1", Variant), event(6, Label, "r1", "m2", Variant),
		event(7, Label, "r9", "m2", Variant),
	}
	testdata.Equal(t, "completed", Completed(round(3, 2), events), []int{0, 1})
}

// Conflicts, queue, the order of completion, ratings and training labels follow from the set of
// events alone, whatever the order of their arrival, and every conflict is in the queue.
func TestQueueProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := round(3, 3)
		var events []Event
		for k := range rapid.IntRange(0, 20).Draw(t, "events") {
			ev := at(rapid.SampledFrom([]string{"D1", "D2"}).Draw(t, "desk"), k,
				rapid.SampledFrom(r.Annotators).Draw(t, "who"),
				rapid.SampledFrom(r.Models).Draw(t, "model"), rapid.SampledFrom(Values(3)).Draw(t, "value"))
			ev.Kind = rapid.SampledFrom([]Kind{Label, Label, Adjudicate}).Draw(t, "kind")
			ev.Pass = rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "pass")
			if k > 0 && rapid.Bool().Draw(t, "replaces") {
				ev.Supersedes = events[rapid.IntRange(0, k-1).Draw(t, "target")].ID
			}
			events = append(events, ev)
		}
		arrived := rapid.Permutation(events).Draw(t, "arrived")
		models := func(events []Event) (list []string) {
			for _, c := range Queue(r, events) {
				list = append(list, c.Model)
			}
			return list
		}
		if a, b := models(events), models(arrived); !slices.Equal(a, b) {
			t.Fatalf("queue %v or %v", a, b)
		}
		if a, b := Completed(r, events), Completed(r, arrived); !slices.Equal(a, b) {
			t.Fatalf("completed %v or %v", a, b)
		}
		if !slices.EqualFunc(Ratings(r, events), Ratings(r, arrived), slices.Equal[[]int]) ||
			!slices.Equal(Training(r, events, true), Training(r, arrived, true)) {
			t.Fatalf("ratings or training labels of %v and %v differ", events, arrived)
		}
		current := Current(events)
		for _, c := range Conflicts(r, events) {
			if last := c.Labels[len(c.Labels)-1]; current[Key{c.Model, c.Annotator}].ID < last.ID {
				t.Fatalf("current label %s is older than %s", current[Key{c.Model, c.Annotator}].ID, last.ID)
			}
			if !slices.Contains(models(events), c.Model) {
				t.Fatalf("%s has a conflict and is not in the queue", c.Model)
			}
		}
	})
}
