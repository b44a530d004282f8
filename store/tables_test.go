package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/storetest"
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
	added, err := w.AddPredictions(record, numbers)
	must(t, err)
	return added
}

func tableNames(t *testing.T, w *Workspace) string {
	t.Helper()
	list, err := w.PredictionTables()
	must(t, err)
	var names []string
	for _, one := range list {
		names = append(names, one.Name)
	}
	return strings.Join(names, " ")
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
	added, err := w.AddPredictions(record, numbers)
	must(t, err)
	if !added.Truth || !slices.Equal(added.Soft, []bool{true, false}) || len(added.SHA256) != 64 ||
		added.Added.IsZero() || !database.IsULID(added.ID) {
		t.Errorf("%+v", added)
	}
	labels, truth, err := w.PredictionLabels(added.ID)
	if err != nil || !slices.Equal(labels, numbers.Labels) || !slices.Equal(truth, numbers.Truth) {
		t.Errorf("%v %v %v", labels, truth, err)
	}
	soft, err := w.PredictionProbabilities(added.ID, 0)
	if err != nil || !slices.Equal(soft, numbers.Probabilities[0]) {
		t.Errorf("%v %v", soft, err)
	}
	if soft, err := w.PredictionProbabilities(added.ID, 1); err != nil || soft != nil {
		t.Errorf("of a model without: %v %v", soft, err)
	}
	if _, err := w.PredictionProbabilities(added.ID, 2); err == nil {
		t.Error("a third model is read")
	}
	again, err := w.AddPredictions(record, numbers)
	if err != nil || again.ID != added.ID || len(tableFiles(t, w)) != 1 {
		t.Errorf("the same numbers again: %+v, %v, %v", again, err, tableFiles(t, w))
	}
	mustAdd(t, w, "t2", "")
	if got := tableNames(t, w); got != "t2 t10" {
		t.Error(got)
	}
	if found, err := w.FindPredictionTable("t10"); err != nil || found.ID != added.ID {
		t.Errorf("%+v %v", found, err)
	}
	if found, err := w.FindPredictionTable(added.ID); err != nil || found.Name != "t10" {
		t.Errorf("%+v %v", found, err)
	}
	if _, err := w.FindPredictionTable("t3"); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	if len(heard) != 3 || heard[0] != added.ID {
		t.Error(heard)
	}
}

// tableFiles are the files in the folder of predictions.
func tableFiles(t *testing.T, w *Workspace) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.Path(), database.PredictionsFolder, "*"))
	must(t, err)
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
	w = reopened(t, w)
	labels, truth, err := w.PredictionLabels(added.ID)
	if err != nil || truth != nil || !slices.Equal(labels, numbers.Labels) {
		t.Errorf("%v %v %v", labels, truth, err)
	}
	if _, _, err := w.PredictionLabels("nowhere"); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

func TestTablesThatAreRefused(t *testing.T) {
	w := fresh(t)
	s := storetest.AddSuite(t, w, "s", 5)
	mustAdd(t, w, "used", "")
	for _, c := range []struct {
		name   string
		change func(t *database.PredictionTable, p *Predictions)
		want   string
	}{
		{
			"name used", func(t *database.PredictionTable, _ *Predictions) { t.Name = "used" },
			"table used exists already",
		},
		{"no name", func(t *database.PredictionTable, _ *Predictions) { t.Name = " " }, "needs a name"},
		{"control", func(t *database.PredictionTable, _ *Predictions) { t.Name = "a\nb" }, "is no name"},
		{"spaces", func(t *database.PredictionTable, _ *Predictions) { t.Name = "a " }, "is no name"},
		{
			"long name", func(t *database.PredictionTable, _ *Predictions) { t.Name = strings.Repeat("x", 121) },
			"longer than 120",
		},
		{"no suite", func(t *database.PredictionTable, _ *Predictions) { t.Suite = "nowhere" }, "not found"},
		{
			"other suite", func(t *database.PredictionTable, _ *Predictions) { t.Suite = s.Hash },
			"predictions of 4 images, suite s has 5",
		},
		{"no models", func(t *database.PredictionTable, _ *Predictions) { t.Models = nil }, "0 models"},
		{"one class", func(t *database.PredictionTable, _ *Predictions) { t.Classes = 1 }, "1 classes"},
		{
			"labels", func(_ *database.PredictionTable, p *Predictions) { p.Labels = p.Labels[1:] },
			"7 predictions in place of 8",
		},
		{
			"truth", func(_ *database.PredictionTable, p *Predictions) { p.Truth = p.Truth[1:] },
			"3 true classes in place of 4",
		},
		{"truth class", func(_ *database.PredictionTable, p *Predictions) { p.Truth[0] = -2 }, "no class -2"},
		{"class", func(_ *database.PredictionTable, p *Predictions) { p.Labels[1] = 3 }, "no class 3"},
		{
			"models", func(_ *database.PredictionTable, p *Predictions) { p.Probabilities = p.Probabilities[:1] },
			"of 1 models in place of 2",
		},
		{
			"rows", func(_ *database.PredictionTable, p *Predictions) { p.Probabilities[1] = []float32{1} },
			"model labels has 1 probabilities in place of 12",
		},
		{
			"class names", func(t *database.PredictionTable, _ *Predictions) { t.ClassNames = []string{"a"} },
			"as many names",
		},
		{
			"sample names", func(t *database.PredictionTable, _ *Predictions) { t.SampleNames = []string{"a"} },
			"as many names",
		},
	} {
		record, numbers := testTable("t", "")
		c.change(&record, &numbers)
		if _, err := w.AddPredictions(record, numbers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
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
	if err != nil || gone.Name != "c" || tableNames(t, w) != "bb" {
		t.Errorf("%+v %v %s", gone, err, tableNames(t, w))
	}
	if _, err := w.RemovePredictions(a.ID); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	if err := w.RestorePredictions(gone); err != nil || tableNames(t, w) != "bb c" {
		t.Errorf("%v %s", err, tableNames(t, w))
	}
	if got := mustLabels(t, w, a.ID); got[1] != 2 {
		t.Errorf("its labels are %v", got)
	}
	if _, err := w.RemovePredictions(b.ID); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, w, "bb", "")
	if err := w.RestorePredictions(b); !errors.Is(err, ErrExists) {
		t.Errorf("its name is used again: %v", err)
	}
	if err := w.RestorePredictions(database.PredictionTable{ID: "../x"}); err == nil {
		t.Error("a strange id is restored")
	}
	path := w.Path()
	checkAndClose(t, w)
	if files := tableFiles(t, reopen(t, path)); len(files) != 2 {
		t.Errorf("the removed file stays: %v", files)
	}
}

func TestDamagedTables(t *testing.T) {
	w := fresh(t)
	a := mustAdd(t, w, "a", "")
	file := w.tableFile(a.ID)
	whole := storetest.Read(t, file)
	for name, content := range map[string][]byte{
		"cut":     whole[:len(whole)-5],
		"flipped": append(append([]byte{}, whole[:80]...), whole[79:]...), "empty": {},
	} {
		must(t, os.WriteFile(file, content, 0o644))
		if _, _, err := w.PredictionLabels(a.ID); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, os.Remove(file))
	if _, err := w.PredictionProbabilities(a.ID, 0); err == nil ||
		!strings.Contains(err.Error(), "is gone; import them again") {
		t.Error(err)
	}
	if err := w.RestorePredictions(a); err == nil {
		t.Error("a table without its file is restored")
	}
	must(t, os.WriteFile(file, whole, 0o644))
	if _, _, err := w.PredictionLabels(a.ID); err != nil {
		t.Errorf("the whole file again: %v", err)
	}
}

func TestUsageAndSweepOfTables(t *testing.T) {
	w := fresh(t)
	a := mustAdd(t, w, "a", "")
	b := mustAdd(t, w, "bb", "")
	use := mustUsage(t, w)
	size := use.Predictions
	if use.Tables[a.ID] != size/2 || use.Tables[b.ID] != size/2 {
		t.Errorf("%v of %d bytes", use.Tables, size)
	}
	if info, err := os.Stat(w.tableFile(a.ID)); err != nil || size != 2*info.Size() {
		t.Errorf("%d, %v", size, err)
	}
	leave(t, w, database.TablePath(w.NewID()), 7)
	leave(t, w, database.TablePath(a.ID)+database.PartSuffix, 3)
	leave(t, w, database.PredictionsFolder+"/notes.npz", 2)
	if _, err := w.RemovePredictions(b.ID); err != nil {
		t.Fatal(err)
	}
	u := mustUsage(t, w)
	if u.Predictions != size/2 || u.Loose != (FileUse{3, 10 + size/2}) || u.Other < 2 {
		t.Errorf("%+v", u)
	}
	freed, err := w.RemoveUnusedFiles(t.Context())
	if err != nil || freed != u.Loose {
		t.Errorf("%+v %v", freed, err)
	}
	if after := mustUsage(t, w); after.Total() != u.Total()-u.Loose.Bytes || after.Predictions != size/2 {
		t.Errorf("%+v", after)
	}
	if err := w.RestorePredictions(b); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("after a sweep: %v", err)
	}
}
