package label

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

// labels gives m0 one label per annotator, "" for none.
func labels(values ...Value) (events []Event) {
	for k, v := range values {
		if v != "" {
			events = append(events, event(k, Label, []string{"r1", "r2", "r3", "r4"}[k], "m0", v))
		}
	}
	return events
}

func TestTraining(t *testing.T) {
	adjudicated := event(50, Adjudicate, "r9", "m0", Borderline)
	again := event(60, Adjudicate, "r9", "m0", Variant)
	for _, c := range []struct {
		name    string
		classes int
		events  []Event
		ties    bool
		label   Value
		by      Basis
	}{
		{"nobody", 2, nil, false, "", Unlabelled},
		{"one", 2, labels(Variant), false, Variant, Majority},
		{"two of three", 2, labels(Variant, Invariant, Variant), false, Variant, Majority},
		{"tie of two", 2, labels(Variant, Invariant), false, "", Tie},
		{"ties do not become borderline with two classes", 2, labels(Variant, Invariant), true, "", Tie},
		{"three apart", 3, labels(Variant, Invariant, Borderline), false, "", Tie},
		{"three apart, ties count", 3, labels(Variant, Invariant, Borderline), true, Borderline, TieBorderline},
		{"half is no majority", 3, labels(Variant, Variant, Borderline, Invariant), true, "", NoMajority},
		{"adjudicated", 3, append(labels(Variant, Variant), adjudicated), false, Borderline, Adjudicated},
		{"undone", 3, append(labels(Variant), adjudicated, undoOf(51, "r9", 50)), false, Variant, Majority},
		{"adjudicated twice", 3, []Event{again, adjudicated}, false, Variant, Adjudicated},
		{"a label that the round does not have", 2, labels(Borderline, Variant), false, Variant, Majority},
	} {
		r := round(1, c.classes)
		r.Annotators = []string{"r1", "r2", "r3", "r4"}
		testdata.NoDiff(t, c.name, cmp.Diff([]Decision{{"m0", c.label, c.by}}, Training(r, c.events, c.ties)))
	}
}

func TestOtherRoundsAndStrangersDoNotCount(t *testing.T) {
	r := round(1, 2)
	stranger := event(1, Label, "r9", "m0", Variant)
	elsewhere := event(2, Label, "r1", "m0", Variant)
	elsewhere.Round = "Q"
	events := []Event{stranger, elsewhere}
	testdata.NoDiff(t, "difference", cmp.Diff([][]int{{Missing}, {Missing}, {Missing}}, Ratings(r, events)))
	testdata.Is(t, "training label", Training(r, events, false)[0], Decision{"m0", "", Unlabelled})
}

func TestDisagreements(t *testing.T) {
	r := round(5, 3)
	var events []Event
	for model, values := range map[string][3]Value{
		"m0": {Variant, Variant, Borderline}, // neighbours
		"m1": {Variant, Variant, Variant},    // none
		"m2": {Invariant, "", Variant},       // far apart and tied
		"m3": {Borderline, Variant, ""},      // neighbours, tied
		"m4": {Invariant, Invariant, Variant},
	} {
		for a, v := range values {
			if v != "" {
				events = append(events, event(len(events), Label, r.Annotators[a], model, v))
			}
		}
	}
	want := []Disagreement{
		{"m2", 2, []Value{Invariant, "", Variant}, 2, true},
		{"m4", 4, []Value{Invariant, Invariant, Variant}, 2, false},
		{"m3", 3, []Value{Borderline, Variant, ""}, 1, true},
		{"m0", 0, []Value{Variant, Variant, Borderline}, 1, false},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, Disagreements(r, events)))
}

func TestMergeConflicts(t *testing.T) {
	base := event(1, Label, "r1", "m0", Variant)
	base.Saved, base.Note = time.Unix(5, 0), "a\r\nb"
	for field, change := range map[string]func(*Event){
		"desk": func(ev *Event) { ev.Desk = "x" }, "round_id": func(ev *Event) { ev.Round = "x" },
		"model_hash": func(ev *Event) { ev.Model = "x" }, "annotator": func(ev *Event) { ev.Annotator = "x" },
		"kind": func(ev *Event) { ev.Kind = Note }, "pass": func(ev *Event) { ev.Pass = 2 },
		"label": func(ev *Event) { ev.Value = Invariant }, "sure": func(ev *Event) { ev.Sure = true },
		"flag": func(ev *Event) { ev.Flag = "x" }, "note": func(ev *Event) { ev.Note = "x" },
		"started": func(ev *Event) { ev.Started = time.Unix(1, 0) },
		"saved":   func(ev *Event) { ev.Saved = time.Unix(1, 0) }, "seconds": func(ev *Event) { ev.Seconds = 1 },
		"guideline_hash": func(ev *Event) { ev.Guideline = "x" },
		"supersedes":     func(ev *Event) { ev.Supersedes = "x" },
		"colour ranges":  func(ev *Event) { ev.Ranges = map[string]Range{"max@CONF": {0, 1}} },
	} {
		a, b := base, base
		a.Ranges = map[string]Range{"max@CONF": {0, 0.3}}
		change(&b)
		_, _, err := Merge([]Event{a}, []Event{b})
		var conflict *ConflictError
		if !errors.As(err, &conflict) || conflict.ID != "0001" || conflict.Field != field {
			t.Errorf("%s: %v", field, err)
		} else if !strings.Contains(err.Error(), "0001") || !strings.Contains(err.Error(), field) {
			t.Errorf("the message %q names neither event nor field", err)
		}
	}
}

// A table of labels carries no colour ranges, has \n line ends, and times in UTC: still the same
// event.
func TestMergeWithItsTable(t *testing.T) {
	here := event(1, Label, "r1", "m0", Variant)
	here.Saved, here.Note = time.Unix(5, 7).In(time.FixedZone("", 3600)), "a\r\nb"
	here.Ranges = map[string]Range{"max@CONF": {0, 0.3}}
	read := here
	read.Saved, read.Note, read.Ranges = here.Saved.UTC(), "a\nb", nil
	for _, order := range [][2][]Event{{{here}, {read}}, {{read}, {here}}} {
		merged, added, err := Merge(order[0], order[1])
		if err != nil || added != 0 || len(merged) != 1 || merged[0].Ranges == nil {
			t.Errorf("%+v, added %d, %v", merged, added, err)
		}
	}
}

func TestRoundValidate(t *testing.T) {
	testdata.OK(t, round(2, 3).Validate())
	for want, change := range map[string]func(*Round){
		"needs a name":                  func(r *Round) { r.Name = " " },
		"neither variance nor":          func(r *Round) { r.Kind = "x" },
		"names no suite":                func(r *Round) { r.Suite = "" },
		"names no family":               func(r *Round) { r.Family = "" },
		"names no selection":            func(r *Round) { r.Kind = BackgroundRound },
		"4 classes":                     func(r *Round) { r.Classes = 4 },
		"shows no matrix":               func(r *Round) { r.Modalities = nil },
		"repeat share NaN":              func(r *Round) { r.RepeatShare = math.NaN() },
		"at least one annotator":        func(r *Round) { r.Annotators = nil },
		"annotator \"r1\" is listed":    func(r *Round) { r.Annotators = []string{"r1", "r1"} },
		"annotator \" r1\" is empty":    func(r *Round) { r.Annotators = []string{" r1"} },
		"annotator \"a\\tb\" is empty":  func(r *Round) { r.Annotators = []string{"a\tb"} },
		"at least one model":            func(r *Round) { r.Models = nil },
		"model \"m0\" is listed twice":  func(r *Round) { r.Models = append(r.Models, "m0") },
		"range of max@CONF runs from 1": func(r *Round) { r.Ranges = map[string]Range{"max@CONF": {1, 1}} },
	} {
		r := round(2, 3)
		change(&r)
		testdata.Refused(t, want, r.Validate(), want)
	}
}

func TestFrozen(t *testing.T) {
	r := round(2, 2)
	elsewhere := event(1, Label, "r1", "m0", Variant)
	elsewhere.Round = "Q"
	for _, c := range []struct {
		events []Event
		want   bool
	}{
		{nil, false},
		{[]Event{event(1, Skip, "r1", "m0", ""), event(2, Note, "r1", "m0", "")}, false},
		{[]Event{elsewhere}, false},
		{[]Event{event(1, Label, "r1", "m0", Variant)}, true},
		{[]Event{event(1, Label, "r1", "m0", Variant), undoOf(2, "r1", 1)}, true},
	} {
		testdata.Is(t, fmt.Sprintf("%v: frozen", c.events), r.Frozen(c.events), c.want)
	}
}

func TestCheckChange(t *testing.T) {
	check := func(change func(*Round), frozen bool) error {
		next := round(2, 2)
		change(&next)
		return round(2, 2).CheckChange(next, frozen)
	}
	for name, change := range map[string]func(*Round){
		"guideline": func(r *Round) { r.Guideline = "new" },
		"closing":   func(r *Round) { r.Closed = true },
		"appending": func(r *Round) { r.Models = append(r.Models, "m9") },
		"nothing":   func(*Round) {},
		"closings":  func(r *Round) { r.Closings = []Closing{{By: "d"}} },
		"pictures":  func(r *Round) { r.Pictures = map[string][]byte{"p.png": {1}} },
	} {
		if err := errors.Join(check(change, true), check(change, false)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct { // what cannot change once there are labels
		what   string
		change func(*Round)
	}{
		{"name", func(r *Round) { r.Name = "x" }},
		{"suite", func(r *Round) { r.Suite = "x" }},
		{"family", func(r *Round) { r.Family = "x" }},
		{"selection", func(r *Round) { r.Selection = "x" }},
		{"kind, selection", func(r *Round) { r.Kind, r.Selection = BackgroundRound, "x" }},
		{"interpolants", func(r *Round) { r.Interpolants = []string{"x"} }},
		{"modalities", func(r *Round) { r.Modalities = []string{"x"} }},
		{"image filter", func(r *Round) { r.Filter = "correct" }},
		{"colour ranges", func(r *Round) { r.Ranges = nil }},
		{"classes", func(r *Round) { r.Classes = 3 }},
		{"annotators", func(r *Round) { r.Annotators = []string{"r1"} }},
		{"blind", func(r *Round) { r.Blind = true }},
		{"order seed", func(r *Round) { r.OrderSeed = 9 }},
		{"order", func(r *Round) { r.Ordered = true }},
		{"order", func(r *Round) { r.Order = OrderUseful }},
		{"curves", func(r *Round) { r.Curves = []string{} }},
		{"pinned evidence", func(r *Round) { r.Pinned = []string{"epochs", "curve:test_loss"} }},
		{"words", func(r *Round) { r.Words = map[Value]string{Invariant: "robust"} }},
		{"overlap", func(r *Round) { r.Overlap = 2 }},
		{"known answers", func(r *Round) { r.Known = map[string]Value{"m0": Variant} }},
		{"known answers", func(r *Round) { r.KnownFirst = true }},
		{"repeat share", func(r *Round) { r.RepeatShare = 0.1 }},
		{"reveal", func(r *Round) { r.Reveal = RevealFinished }},
		{"parent", func(r *Round) { r.Parent = "x" }},
		{"the models so far", func(r *Round) { r.Models = []string{"m0"} }},
		{"the models so far", func(r *Round) { r.Models = []string{"m1", "m0"} }},
	} {
		testdata.OK(t, check(c.change, false))
		testdata.Refused(t, c.what, check(c.change, true), "so "+c.what+" cannot")
	}
	for _, c := range []struct { // what is refused at any time
		want   string
		change func(*Round)
	}{
		{"id and creation time", func(r *Round) { r.ID = "S" }},
		{"id and creation time", func(r *Round) { r.Created = time.Unix(1, 0) }},
		{"7 classes", func(r *Round) { r.Classes = 7 }},
		{"as they are listed or", func(r *Round) { r.Ordered, r.Order = true, OrderUseful }},
		{"order \"best\"", func(r *Round) { r.Order = "best" }},
		{"curve:b is pinned", func(r *Round) { r.Curves, r.Pinned = []string{"a"}, []string{"curve:b"} }},
		{"rule_label is pinned", func(r *Round) { r.Pinned = []string{"rule_label"} }},
		{"listed twice", func(r *Round) { r.Pinned = []string{"a", "a"} }},
		{"stands for variant already", func(r *Round) { r.Words = map[Value]string{Invariant: "Variant"} }},
		{"stands for borderline already", func(r *Round) { r.Words = map[Value]string{Invariant: "B"} }},
		{"already", func(r *Round) { r.Words = map[Value]string{Invariant: "x", Variant: "X"} }},
		{"is empty", func(r *Round) { r.Words = map[Value]string{Variant: ""} }},
		{"more than 24", func(r *Round) { r.Words = map[Value]string{Variant: strings.Repeat("é", 25)} }},
		{"labels other than", func(r *Round) { r.Words = map[Value]string{Borderline: "so so"} }},
		{"by 4 annotators; the round has 3", func(r *Round) { r.Overlap = 4 }},
		{"\"borderline\" of model m0", func(r *Round) { r.Known = map[string]Value{"m0": Borderline} }},
		{"model m7 has a known answer", func(r *Round) { r.Known = map[string]Value{"m7": Variant} }},
		{"make them smaller", func(r *Round) { r.Pictures = map[string][]byte{"p": make([]byte, MaxPictures+1)} }},
		{"reveal \"always\"", func(r *Round) { r.Reveal = "always" }},
	} {
		testdata.Refused(t, c.want, check(c.change, true), c.want)
		testdata.Refused(t, c.want, check(c.change, false), c.want)
	}
}

func TestEventValidate(t *testing.T) {
	r := round(2, 2)
	good := event(1, Label, "r1", "m0", Variant)
	judge := event(2, Adjudicate, "r9", "m0", Variant)
	for _, ev := range []Event{
		good, judge, event(3, Skip, "r1", "m1", ""), undoOf(4, "r1", 1), undoOf(5, "r9", 2),
		event(6, Note, "r9", "m0", ""),
	} {
		testdata.OK(t, ev.Validate(r))
	}
	for want, change := range map[string]func(*Event){
		"no kind of label event":     func(ev *Event) { ev.Kind = "x" },
		"belongs to round Q":         func(ev *Event) { ev.Round = "Q" },
		"model m7 is not in":         func(ev *Event) { ev.Model = "m7" },
		"names no annotator":         func(ev *Event) { ev.Annotator = "" },
		"r9 is not an annotator":     func(ev *Event) { ev.Annotator = "r9" },
		"pass 0":                     func(ev *Event) { ev.Pass = 0 },
		"\"borderline\" is no label": func(ev *Event) { ev.Value = Borderline },
		"a skip carries no label":    func(ev *Event) { ev.Kind = Skip },
		"must name the event":        func(ev *Event) { ev.Kind, ev.Value = Undo, "" },
		"a plan, and nothing else":   func(ev *Event) { ev.Queue = []string{"m0"} },
		"is not planned":             func(ev *Event) { ev.Kind, ev.Value, ev.Queue = Plan, "", []string{"m0"} },
		"NaN seconds":                func(ev *Event) { ev.Seconds = math.NaN() },
	} {
		ev := good
		change(&ev)
		testdata.Refused(t, want, ev.Validate(r), want, "0001")
		ev.ID = ""
		testdata.Refused(t, want, ev.Validate(r), want,
			fmt.Sprintf("(%s by %q of model %s)", ev.Kind, ev.Annotator, ev.Model))
	}
	r.Order = OrderUseful
	plan := PlanOf(r, "r1", nil, []string{"m1", "m0"})
	testdata.OK(t, plan.Validate(r))
	for want, queue := range map[string][]string{
		"begins with its own": {"m0", "m1"}, "listed twice": {"m1", "m1"},
		"m7 of its queue": {"m1", "m7"},
	} {
		plan.Queue = queue
		testdata.Refused(t, want, plan.Validate(r), want)
	}
}
