package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestCreateRoundFillsDefaultsAndRanges(t *testing.T) {
	w := fresh(t)
	m, n, s := storetest.AddModel(t, w, "m"), storetest.AddModel(t, w, "n"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	r, err := w.CreateRound(t.Context(), label.Round{
		Name: "r", Suite: s.Hash, Family: "rotation:-15:15:15", Annotators: []string{"A"},
		Models: []string{m.Hash, n.Hash},
	})
	must(t, err)
	summary, _, err := w.Summary(m, s.Hash, spec.Family)
	must(t, err)
	want := label.Round{
		ID: r.ID, Name: "r", Kind: label.VarianceRound, Created: r.Created, Suite: s.Hash, Family: spec.Family,
		Modalities: []string{"max@CONF", "max@CONV-1", "mean@CONV-1", "max@CONV-2", "mean@CONV-2"}, Filter: "all",
		Classes: 3, Annotators: []string{"A"}, OrderSeed: 1, Models: []string{m.Hash, n.Hash},
		Ranges: map[string]label.Range{"max@CONF": {High: 0.3}},
	}
	for _, modality := range want.Modalities[1:] {
		_, high := render.P99Range(summary.Matrices[modality].Data)
		want.Ranges[modality] = label.Range{High: high}
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if got, err := w.Round(r.ID); err != nil || !cmp.Equal(got, r) {
		t.Error(err, cmp.Diff(got, r))
	}
	second := storetest.AddRound(t, w, s, m)
	if list, err := w.Rounds(); err != nil || len(list) != 2 || list[0].ID != r.ID || list[1].ID != second.ID {
		t.Error(list, err)
	}
}

// TestRoundRangesOfOtherModalitiesAndFilters need signals, not summaries.
func TestRoundRangesOfOtherModalitiesAndFilters(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	r := label.Round{
		Name: "r", Suite: s.Hash, Family: spec.Family, Annotators: []string{"A"}, Models: []string{m.Hash},
		Filter: "correct;class=1", Modalities: []string{"CONV-1/std", "L2@CONV-1", "max@HEAD", "max@CONF", "min@CONF"},
		Ranges: map[string]label.Range{"max@CONF": {Low: 0, High: 0.15}},
	}
	got, err := w.CreateRound(t.Context(), r)
	must(t, err)
	want := map[string]label.Range{"max@CONF": {Low: 0, High: 0.15}, "min@CONF": {High: 0.3}}
	filter, err := variance.ParseImages("correct;class=1")
	must(t, err)
	for _, text := range []string{"std@CONV-1", "L2@CONV-1"} {
		modality, err := signal.ParseModality(text)
		must(t, err)
		matrix, err := w.Matrix(t.Context(), spec.Key(), modality, filter)
		must(t, err)
		_, high := render.P99Range(matrix.Data)
		want[text] = label.Range{High: high}
	}
	if diff := cmp.Diff(want, got.Ranges); diff != "" {
		t.Error(diff)
	}
}

func TestCreateRoundRefuses(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	sound := label.Round{
		Name: "r", Suite: s.Hash, Family: storetest.Family(t), Annotators: []string{"A"},
		Models: []string{m.Hash},
	}
	for name, spoil := range map[string]func(*label.Round){
		"no name": func(r *label.Round) { r.Name = "" }, "suite": func(r *label.Round) { r.Suite = "x" },
		"family":   func(r *label.Round) { r.Family = "rotation" },
		"model":    func(r *label.Round) { r.Models = []string{"x"} },
		"modality": func(r *label.Round) { r.Modalities = []string{"x"} },
		"filter":   func(r *label.Round) { r.Filter = "some" }, "classes": func(r *label.Round) { r.Classes = 4 },
		"annotators": func(r *label.Round) { r.Annotators = nil },
		"range":      func(r *label.Round) { r.Ranges = map[string]label.Range{"max@CONF": {Low: 1}} },
	} {
		r := sound
		spoil(&r)
		if _, err := w.CreateRound(t.Context(), r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if list, err := w.Rounds(); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}

func TestUpdateRound(t *testing.T) {
	w := fresh(t)
	m, n, s := storetest.AddModel(t, w, "m"), storetest.AddModel(t, w, "n"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	r.Annotators = []string{"A", "B", "C"}
	if err := w.UpdateRound(r); err != nil {
		t.Fatalf("before the first label: %v", err)
	}
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "C", label.Variant))
	if got, _ := w.Round(r.ID); len(got.Annotators) != 3 {
		t.Error(got.Annotators)
	}
	frozen, err := w.Round(r.ID) // with the ranges that the label froze
	must(t, err)
	bad := frozen
	bad.Classes = 2
	if err := w.UpdateRound(bad); !errors.Is(err, ErrFrozen) {
		t.Error(err)
	}
	good := frozen
	good.Guideline, good.Closed, good.Models = "other", true, append(slices.Clone(frozen.Models), n.Hash)
	if err := w.UpdateRound(good); err != nil {
		t.Error(err)
	}
	good.Models = append(good.Models, "unknown")
	if err := w.UpdateRound(good); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	good.ID = "unknown"
	if err := w.UpdateRound(good); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

func TestDuplicateRound(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	r.Closed = true
	r.Ranges = map[string]label.Range{"max@CONF": {High: 0.3}}
	copied, err := w.DuplicateRound(t.Context(), r.ID, func(c *label.Round) { c.Classes = 2 })
	must(t, err)
	if copied.ID == r.ID || copied.Classes != 2 || copied.Closed || copied.Name != "first (copy)" {
		t.Errorf("%+v", copied)
	}
	if events, err := w.Events(copied.ID); len(events) != 0 || err != nil {
		t.Error(events, err)
	}
	if _, err := w.DuplicateRound(t.Context(), "unknown", nil); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

// TestFirstLabelFreezesRanges: a round made before its signals gets the ranges that were seen, else
// those by rule.
func TestFirstLabelFreezesRanges(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	r := storetest.AddRound(t, w, s, m)
	if diff := cmp.Diff(map[string]label.Range{"max@CONF": {High: 0.3}}, r.Ranges); diff != "" {
		t.Error(diff)
	}
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	skip := storetest.LabelEvent(r, m.Hash, "A", "")
	skip.Kind = label.Skip
	storetest.Append(t, w, skip)
	if got, _ := w.Round(r.ID); len(got.Ranges) != 1 {
		t.Error("a skip froze the ranges")
	}
	byRule, err := w.RoundRanges(t.Context(), r)
	must(t, err)
	first := storetest.LabelEvent(r, m.Hash, "A", label.Variant)
	first.Ranges = map[string]label.Range{"mean@CONV-1": {High: 42}, "max@CONF": {High: 0.15}, "max@CONV-2": {}}
	storetest.Append(t, w, first)
	want := byRule
	want["mean@CONV-1"] = label.Range{High: 42}
	got, err := w.Round(r.ID)
	must(t, err)
	if diff := cmp.Diff(want, got.Ranges); diff != "" {
		t.Error(diff)
	}
	second := storetest.LabelEvent(r, m.Hash, "B", label.Variant)
	second.Ranges = map[string]label.Range{"max@CONV-2": {High: 99}}
	storetest.Append(t, w, second)
	if again, _ := w.Round(r.ID); !cmp.Equal(again, got) {
		t.Error("a later label changed the round")
	}
}

func TestAppendFillsAndKeepsEverything(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	in := label.Event{
		Round: r.ID, Model: m.Hash, Annotator: "A", Kind: label.Label, Pass: 2, Value: label.Borderline, Sure: true,
		Flag: "jagged", Note: "=1+1", Started: r.Created, Seconds: 3.25,
		Ranges: map[string]label.Range{"max@CONF": {High: 0.3}}, Guideline: storetest.HashOf("g"),
	}
	got := storetest.Append(t, w, in)
	want := in
	want.ID, want.Desk, want.Saved = got.ID, w.Desk(), got.Saved
	if diff := cmp.Diff(want, got); diff != "" || len(got.ID) != 26 || got.Saved.Before(r.Created) {
		t.Error(diff, got.ID, got.Saved)
	}
	second := storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "B", label.Variant))
	if second.Pass != 1 || second.ID <= got.ID {
		t.Errorf("%+v", second)
	}
	events, err := w.Events(r.ID)
	if err != nil || !cmp.Equal(events, []label.Event{got, second}) {
		t.Error(err, cmp.Diff(events, []label.Event{got, second}))
	}
	if events, err := w.Events(""); len(events) != 0 || err != nil {
		t.Error(events, err)
	}
}

func TestAppendRefuses(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	first := storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	sound := storetest.LabelEvent(r, m.Hash, "A", label.Invariant)
	for name, spoil := range map[string]func(*label.Event){
		"id": func(ev *label.Event) { ev.ID = first.ID }, "round": func(ev *label.Event) { ev.Round = "x" },
		"model": func(ev *label.Event) { ev.Model = "x" }, "annotator": func(ev *label.Event) { ev.Annotator = "X" },
		"kind": func(ev *label.Event) { ev.Kind = "x" }, "value": func(ev *label.Event) { ev.Value = "good" },
		"no value": func(ev *label.Event) { ev.Value = "" }, "pass": func(ev *label.Event) { ev.Pass = 3 },
		"seconds": func(ev *label.Event) { ev.Seconds = math.NaN() },
		"target":  func(ev *label.Event) { ev.Supersedes = w.NewID() },
		"undo of another's": func(ev *label.Event) {
			ev.Kind, ev.Value, ev.Annotator, ev.Supersedes = label.Undo, "", "B", first.ID
		},
		"undo of nothing": func(ev *label.Event) { ev.Kind, ev.Value = label.Undo, "" },
	} {
		ev := sound
		spoil(&ev)
		if got, err := w.Append(ev); err == nil || name != "id" && got.ID != "" {
			t.Errorf("%s: %v, id %q", name, err, got.ID)
		}
	}
	undo := sound
	undo.Kind, undo.Value, undo.Supersedes = label.Undo, "", first.ID
	storetest.Append(t, w, undo)
	r, err := w.Round(r.ID)
	must(t, err)
	r.Closed = true
	must(t, w.UpdateRound(r))
	if _, err := w.Append(sound); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
	adjudicate := sound
	adjudicate.Kind, adjudicate.Annotator = label.Adjudicate, "the panel"
	storetest.Append(t, w, adjudicate)
	if events, err := w.Events(r.ID); len(events) != 3 || err != nil {
		t.Error(events, err)
	}
}
