package label

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// round is a round of three annotators over n models m0..m(n-1).
func round(n, classes int) Round {
	r := Round{
		ID: "R", Name: "first", Kind: VarianceRound, Suite: "suite", Family: "rotation:-15:15:1",
		Modalities: []string{"max@CONF"}, Filter: "all", Classes: classes, Annotators: []string{"r1", "r2", "r3"},
		OrderSeed: 1, Ranges: map[string]Range{"max@CONF": {0, 0.3}}, Created: time.Unix(1000, 0),
	}
	for k := range n {
		r.Models = append(r.Models, fmt.Sprintf("m%d", k))
	}
	return r
}

// event number k of the round; later numbers have later ids.
func event(k int, kind Kind, annotator, model string, v Value) Event {
	return Event{
		ID: fmt.Sprintf("%04d", k), Round: "R", Kind: kind, Annotator: annotator, Model: model, Value: v, Pass: 1,
	}
}

func undoOf(k int, annotator string, target int) Event {
	ev := event(k, Undo, annotator, "m0", "")
	ev.Supersedes = fmt.Sprintf("%04d", target)
	return ev
}

func TestValues(t *testing.T) {
	for classes, values := range map[int][]Value{2: {Invariant, Variant}, 3: {Invariant, Borderline, Variant}} {
		for want, v := range values {
			if index, ok := v.Index(classes); index != want || !ok {
				t.Errorf("%q in %d classes: %d, %v", v, classes, index, ok)
			}
		}
	}
	for v, classes := range map[Value]int{Borderline: 2, "": 3, Variant: 4} {
		if index, ok := v.Index(classes); index != 0 || ok {
			t.Errorf("%q in %d classes: %d, %v", v, classes, index, ok)
		}
	}
	testdata.Equal(t, "words", Words(3), []string{"invariant", "borderline", "variant"})
	for _, text := range []string{"invariant", "borderline", "variant"} {
		testdata.Is(t, "ParseValue", string(testdata.Must(ParseValue(text))(t)), text)
	}
	for _, text := range []string{"", "Variant", " variant", "1"} {
		testdata.Refused(t, fmt.Sprintf("ParseValue(%q)", text), testdata.Err(ParseValue(text)), "use invariant")
	}
	if k, err := ParseKind("undo"); k != Undo || err != nil {
		t.Errorf("ParseKind: %q, %v", k, err)
	}
	testdata.Refused(t, "ParseKind takes redo", testdata.Err(ParseKind("redo")))
}

func TestCurrent(t *testing.T) {
	first := event(1, Label, "r1", "m0", Variant)
	second := event(2, Label, "r1", "m0", Invariant)
	again := second
	again.Pass = 2
	for _, c := range []struct {
		name   string
		events []Event
		want   Value
	}{
		{"a newer label supersedes", []Event{first, second}, Invariant},
		{"the order of arrival does not matter", []Event{second, first}, Invariant},
		{"a skip and a note change nothing", []Event{
			first, event(3, Skip, "r1", "m0", ""), event(4, Note, "r1", "m0", ""),
		}, Variant},
		{"a second pass does not count", []Event{first, again, event(3, Label, "r2", "m0", Variant)}, Variant},
		{"undone newest brings the older back", []Event{first, second, undoOf(3, "r1", 2)}, Variant},
		{"undone older changes nothing", []Event{first, second, undoOf(3, "r1", 1)}, Invariant},
		{"undone twice is undone", []Event{first, undoOf(3, "r1", 1), undoOf(4, "r1", 1)}, ""},
		{"one of two undos undone", []Event{first, undoOf(3, "r1", 1), undoOf(4, "r1", 1), undoOf(5, "r1", 3)}, ""},
		{"an undo with an older id than its target", []Event{second, undoOf(1, "r1", 2)}, ""},
		{"another's undo does not count", []Event{first, undoOf(3, "r2", 1)}, Variant},
		{"an undo of nothing", []Event{first, undoOf(3, "r1", 77)}, Variant},
		{"undos in a circle", []Event{first, undoOf(3, "r1", 4), undoOf(4, "r1", 3)}, Variant},
		{"an undo of itself", []Event{first, undoOf(3, "r1", 3)}, Variant},
	} {
		testdata.Is(t, c.name, Current(c.events)[Key{"m0", "r1"}].Value, c.want)
	}
}

func TestOrder(t *testing.T) {
	r := round(40, 2)
	r1, r2 := Order(r, "r1"), Order(r, "r2")
	testdata.Equal(t, "the order changes from call to call", r1, Order(r, "r1"))
	if slices.Equal(r1, r2) || slices.Equal(r1, r.Models) {
		t.Error("annotators share an order")
	}
	for _, order := range [][]string{r1, r2} {
		testdata.Equal(t, fmt.Sprintf("%v is not a permutation of the models", order),
			slices.Sorted(slices.Values(order)), slices.Sorted(slices.Values(r.Models)))
	}
	other := r
	other.OrderSeed = 2
	if slices.Equal(r1, Order(other, "r1")) {
		t.Error("another seed gives the same order")
	}
	r.Models = append(r.Models, "late")
	moved := 0
	for k, model := range Order(r, "r1")[:40] {
		if model != r1[k] {
			moved++
		}
	}
	if moved > 1 {
		t.Errorf("an appended model moved %d others", moved)
	}
}

// An ordered round is seen as it is listed, by everybody, and an appended model comes last.
func TestOrderAsListed(t *testing.T) {
	r := round(40, 2)
	r.Ordered = true
	r.Models = append([]string{"z"}, r.Models...)
	for _, annotator := range []string{"r1", "r2"} {
		order := Order(r, annotator)
		testdata.Equal(t, fmt.Sprintf("%s sees", annotator), order, r.Models)
		order[0] = "changed"
		if r.Models[0] != "z" {
			t.Fatal("the order is the round's own list")
		}
	}
	turns, _ := walk(t, r, "r1", nil)
	if turns[0].Model != "z" || turns[1].Model != "m0" {
		t.Errorf("labelling begins with %v", turns[:2])
	}
	r.RepeatShare = 0.1
	if a, b := Repeats(r, "r1"), Repeats(r, "r2"); len(a) != 4 || slices.Equal(a, b) {
		t.Errorf("repeats %v and %v", a, b)
	}
	r.Models = append(r.Models, "late")
	if order := Order(r, "r1"); order[len(order)-1] != "late" {
		t.Error("an appended model does not come last")
	}
}

// Every item comes to every place about equally often.
func TestOrderIsUniform(t *testing.T) {
	r := round(4, 2)
	var count [4][4]int
	for seed := range 4000 {
		r.OrderSeed = uint64(seed)
		for place, model := range Order(r, "r1") {
			count[place][model[1]-'0']++
		}
	}
	for place, row := range count {
		for model, n := range row {
			if n < 850 || n > 1150 {
				t.Errorf("model %d came to place %d %d times of 4000", model, place, n)
			}
		}
	}
}

func TestUndoNewest(t *testing.T) {
	r := round(3, 2)
	elsewhere := event(9, Label, "r1", "m0", Variant)
	elsewhere.Round = "Q"
	for _, events := range [][]Event{nil, {elsewhere}} {
		if ev, ok := UndoNewest(r, "r1", events); ok {
			t.Errorf("undo of %+v: %+v", events, ev)
		}
	}
	ev, ok := UndoNewest(r, "r1", []Event{
		event(1, Label, "r1", "m0", Variant), event(2, Skip, "r1", "m1", ""),
		event(3, Label, "r2", "m2", Variant), event(4, Note, "r1", "m0", ""),
	})
	want := Event{Round: "R", Kind: Undo, Annotator: "r1", Model: "m1", Pass: 1, Supersedes: "0002"}
	if !ok || !reflect.DeepEqual(ev, want) {
		t.Errorf("undo %+v, want %+v", ev, want)
	}
}

// next is the next turn's item, in a round without repeats.
func next(r Round, annotator string, events []Event) (model string, ok bool) {
	turn, ok := NextTurn(r, annotator, events)
	return turn.Model, ok
}
