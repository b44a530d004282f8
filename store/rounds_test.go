package store

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.NoDiff(t, "made", cmp.Diff(want, r))
	testdata.NoDiff(t, "read", cmp.Diff(r, testdata.Must(w.Round(r.ID))(t)))
	second := storetest.AddRound(t, w, s, m)
	if list, err := w.Rounds(); err != nil || len(list) != 2 || list[0].ID != r.ID || list[1].ID != second.ID {
		t.Error(list, err)
	}
}

// TestRoundRangesOfOtherModalitiesAndFilters need signals, not summaries.
func TestRoundRangesOfOtherModalitiesAndFilters(t *testing.T) {
	w, m, s, spec := ran(t, 300)
	r := label.Round{
		Name: "r", Suite: s.Hash, Family: spec.Family, Annotators: []string{"A"}, Models: []string{m.Hash},
		Filter: "correct;class=1", Modalities: []string{"CONV-1/std", "L2@CONV-1", "max@HEAD", "max@CONF", "min@CONF"},
		Ranges: map[string]label.Range{"max@CONF": {Low: 0, High: 0.15}},
	}
	got, err := w.CreateRound(t.Context(), r)
	must(t, err)
	want := map[string]label.Range{"max@CONF": {Low: 0, High: 0.15}, "min@CONF": {High: 0.3}}
	filter := testdata.Must(variance.ParseImages("correct;class=1"))(t)
	for _, text := range []string{"std@CONV-1", "L2@CONV-1"} {
		matrix, err := w.Matrix(t.Context(), spec.Key(), testdata.Must(signal.ParseModality(text))(t), filter)
		must(t, err)
		_, high := render.P99Range(matrix.Data)
		want[text] = label.Range{High: high}
	}
	testdata.NoDiff(t, "ranges", cmp.Diff(want, got.Ranges))
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
		testdata.Refused(t, name, testdata.Err(w.CreateRound(t.Context(), r)))
	}
	testdata.Is(t, "rounds", len(testdata.Must(w.Rounds())(t)), 0)
}

func TestUpdateRound(t *testing.T) {
	w := fresh(t)
	m, n, s := storetest.AddModel(t, w, "m"), storetest.AddModel(t, w, "n"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	r.Annotators = []string{"A", "B", "C"}
	must(t, w.UpdateRound(r)) // before the first label
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "C", label.Variant))
	frozen := testdata.Must(w.Round(r.ID))(t) // with the ranges that the label froze
	bad := frozen
	bad.Classes = 2
	testdata.ErrorIs(t, "frozen", w.UpdateRound(bad), ErrFrozen)
	good := frozen
	good.Guideline, good.Closed, good.Models = "other", true, append(slices.Clone(frozen.Models), n.Hash)
	must(t, w.UpdateRound(good))
	good.Models = append(good.Models, "unknown")
	testdata.ErrorIs(t, "an unknown model", w.UpdateRound(good), database.ErrNotFound)
	good.ID = "unknown"
	testdata.ErrorIs(t, "an unknown round", w.UpdateRound(good), database.ErrNotFound)
}

func TestDuplicateRound(t *testing.T) {
	w, m, _, r := labelling(t)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	must(t, w.CloseRound(r.ID, true))
	copied, err := w.DuplicateRound(t.Context(), r.ID, func(c *label.Round) { c.Classes = 2 })
	must(t, err)
	if copied.ID == r.ID || copied.Classes != 2 || copied.Closed || copied.Closings != nil ||
		copied.Name != "first (copy)" {
		t.Errorf("%+v", copied)
	}
	testdata.Is(t, "events of the copy", len(testdata.Must(w.Events(copied.ID))(t)), 0)
	testdata.ErrorIs(t, "of none", testdata.Err(w.DuplicateRound(t.Context(), "unknown", nil)), database.ErrNotFound)
}

// TestFirstLabelFreezesRanges: a round made before its signals gets the ranges that were seen, else
// those by rule.
func TestFirstLabelFreezesRanges(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	r := storetest.AddRound(t, w, s, m)
	testdata.NoDiff(t, "ranges at first", cmp.Diff(map[string]label.Range{"max@CONF": {High: 0.3}}, r.Ranges))
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	skip := storetest.LabelEvent(r, m.Hash, "A", "")
	skip.Kind = label.Skip
	storetest.Append(t, w, skip)
	testdata.Is(t, "ranges after a skip", len(testdata.Must(w.Round(r.ID))(t).Ranges), 1)
	byRule := testdata.Must(w.RoundRanges(t.Context(), r))(t)
	first := storetest.LabelEvent(r, m.Hash, "A", label.Variant)
	first.Ranges = map[string]label.Range{"mean@CONV-1": {High: 42}, "max@CONF": {High: 0.15}, "max@CONV-2": {}}
	storetest.Append(t, w, first)
	want := byRule
	want["mean@CONV-1"] = label.Range{High: 42}
	testdata.NoDiff(t, "frozen", cmp.Diff(want, testdata.Must(w.Round(r.ID))(t).Ranges))
	second := storetest.LabelEvent(r, m.Hash, "B", label.Variant)
	second.Ranges = map[string]label.Range{"max@CONV-2": {High: 99}}
	storetest.Append(t, w, second)
	testdata.NoDiff(t, "after a later label", cmp.Diff(want, testdata.Must(w.Round(r.ID))(t).Ranges))
}

func TestAppendFillsAndKeepsEverything(t *testing.T) {
	w, m, _, r := labelling(t)
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
	testdata.NoDiff(t, "events", cmp.Diff(testdata.Must(w.Events(r.ID))(t), []label.Event{got, second}))
	testdata.Is(t, "events of no round", len(testdata.Must(w.Events(""))(t)), 0)
}

func TestAppendRefuses(t *testing.T) {
	w, m, _, r := labelling(t)
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
	testdata.Is(t, "events", len(testdata.Must(w.Events(r.ID))(t)), 2)
}
