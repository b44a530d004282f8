package label

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// action is what the simple model keeps: the list of what an annotator did and did not take back.
type action struct {
	model string
	value Value // empty: a skip
}

type desk struct {
	t      *rapid.T
	round  Round
	events []Event
	did    map[string][]action
}

func (d *desk) append(ev Event) {
	ev.ID = fmt.Sprintf("%06d", len(d.events))
	d.events = append(d.events, ev)
}

func (d *desk) annotator() string {
	return rapid.SampledFrom(d.round.Annotators).Draw(d.t, "annotator")
}

func (d *desk) model() string { return rapid.SampledFrom(d.round.Models).Draw(d.t, "model") }

func (d *desk) label() {
	who, model := d.annotator(), d.model()
	v := rapid.SampledFrom(Values(d.round.Classes)).Draw(d.t, "value")
	d.append(Event{Round: "R", Kind: Label, Annotator: who, Model: model, Value: v, Pass: 1})
	d.did[who] = append(d.did[who], action{model, v})
}

func (d *desk) skip() {
	who, model := d.annotator(), d.model()
	d.append(Event{Round: "R", Kind: Skip, Annotator: who, Model: model, Pass: 1})
	d.did[who] = append(d.did[who], action{model, ""})
}

func (d *desk) undo() {
	who := d.annotator()
	ev, ok := UndoNewest(d.round, who, d.events)
	list := d.did[who]
	if ok != (len(list) > 0) {
		d.t.Fatalf("undo of %s: %v, the list has %d actions", who, ok, len(list))
	}
	if !ok {
		return
	}
	if last := list[len(list)-1]; ev.Model != last.model {
		d.t.Fatalf("undo of %s takes back %s, want %s", who, ev.Model, last.model)
	}
	d.append(ev)
	d.did[who] = list[:len(list)-1]
}

// check compares everything that follows from the events with the list.
func (d *desk) check() {
	current := map[Key]Value{}
	for key, ev := range Current(d.events) {
		current[key] = ev.Value
	}
	want := map[Key]Value{}
	for _, who := range d.round.Annotators {
		skipped := map[string]int{}
		for k, a := range d.did[who] {
			if a.value != "" {
				want[Key{a.model, who}] = a.value
			} else {
				skipped[a.model] = k
			}
		}
		maps.DeleteFunc(skipped, func(model string, _ int) bool { return want[Key{model, who}] != "" })
		d.standing(who, want, skipped)
	}
	if !maps.Equal(current, want) {
		d.t.Fatalf("current %v, want %v", current, want)
	}
	for a, row := range Ratings(d.round, d.events) {
		for i, rating := range row {
			index, ok := want[Key{d.round.Models[i], d.round.Annotators[a]}].Index(d.round.Classes)
			if ok && rating != index || !ok && rating != Missing {
				d.t.Fatalf("rating %d of annotator %d is %d, want %d, %v", i, a, rating, index, ok)
			}
		}
	}
}

// standing compares the progress of an annotator, and what comes next.
func (d *desk) standing(who string, labels map[Key]Value, skipped map[string]int) {
	done, want, oldest := 0, "", ""
	for _, model := range Order(d.round, who) {
		at, put := skipped[model]
		switch {
		case labels[Key{model, who}] != "":
			done++
		case !put && want == "":
			want = model
		case put && (oldest == "" || at < skipped[oldest]):
			oldest = model
		}
	}
	if want == "" {
		want = oldest
	}
	gotDone, gotSkipped, total := Progress(d.round, who, d.events)
	if gotDone != done || gotSkipped != len(skipped) || total != len(d.round.Models) {
		d.t.Fatalf("progress of %s is %d, %d, %d; want %d, %d", who, gotDone, gotSkipped, total, done, len(skipped))
	}
	if got, ok := next(d.round, who, d.events); got != want || ok != (want != "") {
		d.t.Fatalf("next of %s is %q, want %q", who, got, want)
	}
}

func TestDeskAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &desk{
			t: t, round: round(rapid.IntRange(1, 5).Draw(t, "models"), rapid.IntRange(2, 3).Draw(t, "classes")),
			did: map[string][]action{},
		}
		t.Repeat(map[string]func(*rapid.T){
			"label": func(t *rapid.T) { d.t = t; d.label() },
			"skip":  func(t *rapid.T) { d.t = t; d.skip() },
			"undo":  func(t *rapid.T) { d.t = t; d.undo() },
			"":      func(t *rapid.T) { d.t = t; d.check() },
		})
	})
}

// Whatever undoes whatever, Active is what the definition gives by plain recursion; undo events
// point backwards here, so that it ends.
func TestActiveAgainstRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 25).Draw(t, "events")
		events := make([]Event, n)
		for k := range events {
			who := rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "who")
			if k > 0 && rapid.Bool().Draw(t, "undo") {
				events[k] = undoOf(k, who, rapid.IntRange(0, k-1).Draw(t, "target"))
			} else {
				events[k] = event(k, Label, who, "m0", Variant)
			}
		}
		var undone func(target Event) bool
		undone = func(target Event) bool {
			return slices.ContainsFunc(events, func(ev Event) bool {
				return ev.Kind == Undo && ev.Supersedes == target.ID && ev.Annotator == target.Annotator && !undone(ev)
			})
		}
		var want []string
		for _, ev := range events {
			if ev.Kind == Label && !undone(ev) {
				want = append(want, ev.ID)
			}
		}
		shuffled := rapid.Permutation(events).Draw(t, "arrival")
		var got []string
		for _, ev := range Active(shuffled) {
			got = append(got, ev.ID)
		}
		testdata.Equal(t, "active", got, want)
	})
}

// Merging is the union whatever the order and the overlap.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "events")
		var a, b, all []Event
		for k := range n {
			ev := event(k, Label, "r1", "m0", Variant)
			where := rapid.IntRange(1, 3).Draw(t, "where")
			if where&1 != 0 {
				a = append(a, ev)
			}
			if where&2 != 0 {
				b = append(b, ev)
			}
			all = append(all, ev)
		}
		a, b = rapid.Permutation(a).Draw(t, "a"), rapid.Permutation(b).Draw(t, "b")
		ids := func(events []Event) (list []string) {
			for _, ev := range events {
				list = append(list, ev.ID)
			}
			return list
		}
		ab, added, err := Merge(a, b)
		ba, _, err2 := Merge(b, a)
		if err != nil || err2 != nil || added != n-len(a) {
			t.Fatalf("added %d, errors %v and %v", added, err, err2)
		}
		if !slices.Equal(ids(ab), ids(all)) || !slices.Equal(ids(ba), ids(all)) {
			t.Fatalf("merged %v and %v, want %v", ids(ab), ids(ba), ids(all))
		}
		if again, added, err := Merge(ab, b); err != nil || added != 0 || len(again) != n {
			t.Fatalf("a second merge added %d, %v", added, err)
		}
	})
}

func BenchmarkRatings3x600(b *testing.B) {
	r := round(600, 3)
	var events []Event
	for _, who := range r.Annotators {
		for _, model := range r.Models {
			events = append(events, event(len(events), Label, who, model, Variant))
		}
	}
	for b.Loop() {
		Ratings(r, events)
	}
}
