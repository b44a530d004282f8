package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// testTable is a table of two models, four samples and three classes; the first model has
// probabilities.
func testTable(name, suite string) (database.PredictionTable, Predictions) {
	t := database.PredictionTable{
		Name: name, Suite: suite, Models: []string{"m", "labels"}, Samples: 4, Classes: 3,
		ClassNames: []string{"cat", "dog", "eel"}, SampleNames: []string{"a", "b", "c", "d"},
	}
	p := Predictions{
		Labels: []int32{0, 1, 1, 1, 2, 0, 0, 2}, Truth: []int32{0, -1, 2, 0},
		Probabilities: [][]float32{{1, 0, 0, .25, .5, .25, 0, 0, 1, .5, .25, .25}, nil},
	}
	return t, p
}

func mustAdd(t *testing.T, w *Workspace, name, suite string) database.PredictionTable {
	t.Helper()
	record, numbers := testTable(name, suite)
	numbers.Labels[0] = int32(len(name) % 3) // tables of other names have other numbers
	added := testdata.Must(w.AddPredictions(record, numbers))(t)
	return added
}

func TestPredictionTables(t *testing.T) {
	w := fresh(t)
	s := storetest.AddSuite(t, w, "s", 4)
	var heard []string
	defer w.Subscribe(func(c Change) {
		if c.Kind == PredictionsChanged {
			heard = append(heard, c.ID)
		}
	})()
	record, numbers := testTable("t10", s.Hash)
	added := testdata.Must(w.AddPredictions(record, numbers))(t)
	if !added.Truth || !slices.Equal(added.Soft, []bool{true, false}) || len(added.SHA256) != 64 ||
		added.Added.IsZero() || !database.IsULID(added.ID) {
		t.Errorf("%+v", added)
	}
	labels, truth, err := w.PredictionLabels(added.ID)
	if err != nil || !slices.Equal(labels, numbers.Labels) || !slices.Equal(truth, numbers.Truth) {
		t.Errorf("%v %v %v", labels, truth, err)
	}
	for model, want := range numbers.Probabilities { // the second has none
		testdata.Equal(t, "probabilities", testdata.Must(w.PredictionProbabilities(added.ID, model))(t), want)
	}
	testdata.Refused(t, "a third model", testdata.Err(w.PredictionProbabilities(added.ID, 2)))
	again, err := w.AddPredictions(record, numbers)
	if err != nil || again.ID != added.ID || len(tableFiles(t, w)) != 1 {
		t.Errorf("the same numbers again: %+v, %v, %v", again, err, tableFiles(t, w))
	}
	second := mustAdd(t, w, "t2", "")
	testdata.Is(t, "tables", tableNames(t, w), "t2 t10")
	for name, want := range map[string]string{"t10": added.ID, added.ID: added.ID, "t2": second.ID} {
		testdata.Is(t, name, testdata.Must(w.FindPredictionTable(name))(t).ID, want)
	}
	testdata.ErrorIs(t, "t3", testdata.Err(w.FindPredictionTable("t3")), database.ErrNotFound)
	testdata.ErrorIs(t, "no table", testdata.Err(w.PredictionProbabilities("nowhere", 0)), database.ErrNotFound)
	testdata.Equal(t, "heard", heard, []string{added.ID, added.ID, second.ID})
}

// tableNames are the names of all tables, in their order.
func tableNames(t *testing.T, w *Workspace) string {
	t.Helper()
	var names []string
	for _, one := range testdata.Must(w.PredictionTables())(t) {
		names = append(names, one.Name)
	}
	return strings.Join(names, " ")
}

// tableFiles are the files in the folder of predictions.
func tableFiles(t *testing.T, w *Workspace) []string {
	t.Helper()
	names := testdata.Must(filepath.Glob(filepath.Join(w.Path(), database.PredictionsFolder, "*")))(t)
	return names
}

func TestTablesWithoutTruthOrProbabilities(t *testing.T) {
	w := fresh(t)
	record, numbers := testTable("t", "")
	numbers.Truth, numbers.Probabilities, record.ClassNames, record.SampleNames = nil, nil, nil, nil
	added, err := w.AddPredictions(record, numbers)
	if err != nil || added.Truth || slices.Contains(added.Soft, true) {
		t.Fatalf("%+v %v", added, err)
	}
	labels, truth, err := reopened(t, w).PredictionLabels(added.ID)
	if err != nil || truth != nil || !slices.Equal(labels, numbers.Labels) {
		t.Errorf("%v %v %v", labels, truth, err)
	}
}

func TestTablesThatAreRefused(t *testing.T) {
	w := fresh(t)
	s := storetest.AddSuite(t, w, "s", 5)
	mustAdd(t, w, "used", "")
	type (
		table   = database.PredictionTable
		numbers = Predictions
	)
	for _, c := range []struct {
		want   string
		change func(t *table, p *numbers)
	}{
		{"table used exists already", func(t *table, _ *numbers) { t.Name = "used" }},
		{"needs a name", func(t *table, _ *numbers) { t.Name = " " }},
		{"is no name", func(t *table, _ *numbers) { t.Name = "a\nb" }},
		{"is no name", func(t *table, _ *numbers) { t.Name = "a " }},
		{"longer than 120", func(t *table, _ *numbers) { t.Name = strings.Repeat("x", 121) }},
		{"not found", func(t *table, _ *numbers) { t.Suite = "nowhere" }},
		{"predictions of 4 images, suite s has 5", func(t *table, _ *numbers) { t.Suite = s.Hash }},
		{"0 models", func(t *table, _ *numbers) { t.Models = nil }},
		{"1 classes", func(t *table, _ *numbers) { t.Classes = 1 }},
		{"7 predictions in place of 8", func(_ *table, p *numbers) { p.Labels = p.Labels[1:] }},
		{"3 true classes in place of 4", func(_ *table, p *numbers) { p.Truth = p.Truth[1:] }},
		{"no class -2", func(_ *table, p *numbers) { p.Truth[0] = -2 }},
		{"no class 3", func(_ *table, p *numbers) { p.Labels[1] = 3 }},
		{"of 1 models in place of 2", func(_ *table, p *numbers) { p.Probabilities = p.Probabilities[:1] }},
		{
			"model labels has 1 probabilities in place of 12",
			func(_ *table, p *numbers) { p.Probabilities[1] = []float32{1} },
		},
		{"as many names", func(t *table, _ *numbers) { t.ClassNames = []string{"a"} }},
		{"as many names", func(t *table, _ *numbers) { t.SampleNames = []string{"a"} }},
	} {
		record, numbers := testTable("t", "")
		c.change(&record, &numbers)
		testdata.Refused(t, c.want, testdata.Err(w.AddPredictions(record, numbers)), c.want)
	}
	if got := tableNames(t, w); got != "used" || len(tableFiles(t, w)) != 1 {
		t.Errorf("%s, %v", got, tableFiles(t, w))
	}
}

func TestRemoveTables(t *testing.T) {
	w := fresh(t)
	a, b := mustAdd(t, w, "c", ""), mustAdd(t, w, "bb", "")
	must(t, w.SetImageLabel(a.ID, database.ImageLabel{Image: 1, Class: 2}))
	gone, err := w.RemovePredictions(a.ID)
	if names := tableNames(t, w); err != nil || gone.Name != "c" || names != "bb" {
		t.Errorf("%+v %v %s", gone, err, names)
	}
	testdata.ErrorIs(t, "removed twice", testdata.Err(w.RemovePredictions(a.ID)), database.ErrNotFound)
	must(t, w.RestorePredictions(gone))
	testdata.Is(t, "restored", tableNames(t, w), "bb c")
	testdata.Is(t, "its label", mustLabels(t, w, a.ID)[1], 2)
	must(t, testdata.Err(w.RemovePredictions(b.ID)))
	mustAdd(t, w, "bb", "")
	testdata.ErrorIs(t, "its name is used again", w.RestorePredictions(b), ErrExists)
	testdata.Refused(t, "a strange id", w.RestorePredictions(database.PredictionTable{ID: "../x"}))
	testdata.Is(t, "files after opening again", len(tableFiles(t, reopened(t, w))), 2)
}

func TestDamagedTables(t *testing.T) {
	w := fresh(t)
	a := mustAdd(t, w, "a", "")
	file := w.tableFile(a.ID)
	whole := storetest.Read(t, file)
	for name, content := range map[string][]byte{
		"cut": whole[:len(whole)-5], "flipped": append(bytes.Clone(whole[:80]), whole[79:]...), "empty": {},
	} {
		must(t, os.WriteFile(file, content, 0o644))
		_, _, err := w.PredictionLabels(a.ID)
		testdata.Refused(t, name, err, "damaged")
	}
	must(t, os.Remove(file))
	testdata.Refused(t, "gone", testdata.Err(w.PredictionProbabilities(a.ID, 0)), "is gone; import them again")
	testdata.Refused(t, "restored without its file", w.RestorePredictions(a), "gone")
	must(t, os.WriteFile(file, whole, 0o644))
	must(t, testdata.Err(w.PredictionProbabilities(a.ID, 0)))
}
