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
	for _, c := range []struct {
		name    string
		classes int
		events  []Event
		ties    bool
		want    Decision
	}{
		{"nobody", 2, nil, false, Decision{"m0", "", Unlabelled}},
		{"one", 2, labels(Variant), false, Decision{"m0", Variant, Majority}},
		{"two of three", 2, labels(Variant, Invariant, Variant), false, Decision{"m0", Variant, Majority}},
		{"tie of two", 2, labels(Variant, Invariant), false, Decision{"m0", "", Tie}},
		{
			"ties do not become borderline with two classes", 2, labels(Variant, Invariant), true,
			Decision{"m0", "", Tie},
		},
		{"three apart", 3, labels(Variant, Invariant, Borderline), false, Decision{"m0", "", Tie}},
		{
			"three apart, ties count", 3, labels(Variant, Invariant, Borderline), true,
			Decision{"m0", Borderline, TieBorderline},
		},
		{
			"half is no majority", 3, labels(Variant, Variant, Borderline, Invariant), true,
			Decision{"m0", "", NoMajority},
		},
		{
			"adjudicated", 3, append(labels(Variant, Variant), adjudicated), false,
			Decision{"m0", Borderline, Adjudicated},
		},
		{
			"adjudication undone", 3, append(labels(Variant), adjudicated, undoOf(51, "r9", 50)), false,
			Decision{"m0", Variant, Majority},
		},
		{
			"adjudicated twice", 3,
			[]Event{event(60, Adjudicate, "r9", "m0", Variant), adjudicated},
			false,
			Decision{"m0", Variant, Adjudicated},
		},
		{
			"a label that the round does not have", 2, labels(Borderline, Variant), false,
			Decision{"m0", Variant, Majority},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := round(1, c.classes)
			r.Annotators = []string{"r1", "r2", "r3", "r4"}
			testdata.NoDiff(t, "difference", cmp.Diff([]Decision{c.want}, Training(r, c.events, c.ties)))
		})
	}
}

func TestOtherRoundsAndStrangersDoNotCount(t *testing.T) {
	r := round(1, 2)
	stranger := event(1, Label, "r9", "m0", Variant)
	elsewhere := event(2, Label, "r1", "m0", Variant)
	elsewhere.Round = "Q"
	events := []Event{stranger, elsewhere}
	testdata.NoDiff(t, "difference", cmp.Diff([][]int{{Missing}, {Missing}, {Missing}}, Ratings(r, events)))
	if d := Training(r, events, false)[0]; d.By != Unlabelled {
		t.Errorf("%+v", d)
	}
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

func TestGuidelineHash(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	r := round(1, 2)
	testdata.Is(t, "hash of no text", r.GuidelineHash(), empty)
	r.Guideline = "Look at CONF first."
	if got := r.GuidelineHash(); got == empty || len(got) != 64 {
		t.Errorf("hash %s", got)
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
	for _, c := range []struct {
		name           string
		change         func(*Round)
		open, unfrozen string // the part of the error when frozen and when not; "" none
	}{
		{"guideline", func(r *Round) { r.Guideline = "new" }, "", ""},
		{"closing", func(r *Round) { r.Closed = true }, "", ""},
		{"appending", func(r *Round) { r.Models = append(r.Models, "m9") }, "", ""},
		{"nothing", func(*Round) {}, "", ""},
		{"id", func(r *Round) { r.ID = "S" }, "id and creation time", "id and creation time"},
		{"created", func(r *Round) { r.Created = time.Unix(1, 0) }, "id and creation time", "id and creation time"},
		{"invalid", func(r *Round) { r.Classes = 7 }, "7 classes", "7 classes"},
		{"name", func(r *Round) { r.Name = "x" }, "so name cannot change", ""},
		{"suite", func(r *Round) { r.Suite = "x" }, "so suite cannot", ""},
		{"family", func(r *Round) { r.Family = "x" }, "so family cannot", ""},
		{"selection", func(r *Round) { r.Selection = "x" }, "so selection cannot", ""},
		{"kind", func(r *Round) { r.Kind, r.Selection = BackgroundRound, "x" }, "so kind, selection cannot", ""},
		{"interpolants", func(r *Round) { r.Interpolants = []string{"x"} }, "so interpolants cannot", ""},
		{"modalities", func(r *Round) { r.Modalities = []string{"x"} }, "so modalities cannot", ""},
		{"filter", func(r *Round) { r.Filter = "correct" }, "so image filter cannot", ""},
		{"ranges", func(r *Round) { r.Ranges = nil }, "so colour ranges cannot", ""},
		{"classes", func(r *Round) { r.Classes = 3 }, "so classes cannot", ""},
		{"annotators", func(r *Round) { r.Annotators = []string{"r1"} }, "so annotators cannot", ""},
		{"blind", func(r *Round) { r.Blind = true }, "so blind cannot", ""},
		{"seed", func(r *Round) { r.OrderSeed = 9 }, "so order seed cannot", ""},
		{"order", func(r *Round) { r.Ordered = true }, "so order cannot", ""},
		{"most useful first", func(r *Round) { r.Order = OrderUseful }, "so order cannot", ""},
		{
			"most useful first and as listed", func(r *Round) { r.Ordered, r.Order = true, OrderUseful },
			"as they are listed or", "as they are listed or",
		},
		{"unknown order", func(r *Round) { r.Order = "best" }, "order \"best\"", "order \"best\""},
		{"no curves", func(r *Round) { r.Curves = []string{} }, "so curves cannot", ""},
		{
			"pinned", func(r *Round) { r.Pinned = []string{"epochs", "curve:test_loss"} }, "so pinned evidence cannot",
			"",
		},
		{
			"pinned and hidden", func(r *Round) { r.Curves, r.Pinned = []string{"a"}, []string{"curve:b"} },
			"curve:b is pinned", "curve:b is pinned",
		},
		{
			"pinned answer", func(r *Round) { r.Pinned = []string{"rule_label"} }, "rule_label is pinned",
			"rule_label is pinned",
		},
		{"pinned twice", func(r *Round) { r.Pinned = []string{"a", "a"} }, "listed twice", "listed twice"},
		{"words", func(r *Round) { r.Words = map[Value]string{Invariant: "robust"} }, "so words cannot", ""},
		{
			"a word for another label", func(r *Round) { r.Words = map[Value]string{Invariant: "Variant"} },
			"stands for variant already", "stands for variant already",
		},
		{
			"a key of another label", func(r *Round) { r.Words = map[Value]string{Invariant: "B"} },
			"stands for borderline already", "stands for borderline already",
		},
		{
			"a word twice", func(r *Round) { r.Words = map[Value]string{Invariant: "x", Variant: "X"} }, "already",
			"already",
		},
		{"an empty word", func(r *Round) { r.Words = map[Value]string{Variant: ""} }, "is empty", "is empty"},
		{
			"a long word", func(r *Round) { r.Words = map[Value]string{Variant: strings.Repeat("é", 25)} },
			"more than 24", "more than 24",
		},
		{
			"a word for no label", func(r *Round) { r.Words = map[Value]string{Borderline: "so so"} },
			"labels other than", "labels other than",
		},
		{"overlap", func(r *Round) { r.Overlap = 2 }, "so overlap cannot", ""},
		{
			"too large an overlap", func(r *Round) { r.Overlap = 4 }, "by 4 annotators; the round has 3",
			"by 4 annotators",
		},
		{"known", func(r *Round) { r.Known = map[string]Value{"m0": Variant} }, "so known answers cannot", ""},
		{"known first", func(r *Round) { r.KnownFirst = true }, "so known answers cannot", ""},
		{
			"known and no label", func(r *Round) { r.Known = map[string]Value{"m0": Borderline} },
			"\"borderline\" of model m0", "\"borderline\" of model m0",
		},
		{
			"known and not there", func(r *Round) { r.Known = map[string]Value{"m7": Variant} },
			"model m7 has a known answer", "model m7 has a known answer",
		},
		{"closings", func(r *Round) { r.Closings = []Closing{{By: "d"}} }, "", ""},
		{"repeats", func(r *Round) { r.RepeatShare = 0.1 }, "so repeat share cannot", ""},
		{"pictures", func(r *Round) { r.Pictures = map[string][]byte{"p.png": {1}} }, "", ""},
		{
			"large pictures", func(r *Round) { r.Pictures = map[string][]byte{"p.png": make([]byte, MaxPictures+1)} },
			"make them smaller", "make them smaller",
		},
		{"reveal", func(r *Round) { r.Reveal = RevealFinished }, "so reveal cannot", ""},
		{"unknown reveal", func(r *Round) { r.Reveal = "always" }, "reveal \"always\"", "reveal \"always\""},
		{"parent", func(r *Round) { r.Parent = "x" }, "so parent cannot", ""},
		{"removing", func(r *Round) { r.Models = []string{"m0"} }, "so the models so far cannot", ""},
		{"reordering", func(r *Round) { r.Models = []string{"m1", "m0"} }, "so the models so far cannot", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for frozen, want := range map[bool]string{true: c.open, false: c.unfrozen} {
				next := round(2, 2)
				c.change(&next)
				err := round(2, 2).CheckChange(next, frozen)
				if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("frozen %v: %v, want %q", frozen, err, want)
				}
			}
		})
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
