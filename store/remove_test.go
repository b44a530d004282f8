package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

// three makes a workspace of models a, b, c with signals.
func three(t *testing.T) (*Workspace, []model.Model, string) {
	t.Helper()
	w := fresh(t)
	s := storetest.AddSuite(t, w, "s", 300)
	var models []model.Model
	for _, id := range []string{"a", "b", "c"} {
		m := storetest.AddModel(t, w, id)
		storetest.RunModel(t, w, m, storetest.Spec(t, m, s))
		models = append(models, m)
	}
	return w, models, s.Hash
}

// keys counts the keys of the buckets that hold what belongs to models.
func keys(t *testing.T, w *Workspace) map[string]int {
	t.Helper()
	counts := map[string]int{}
	err := w.View(func(tx *bbolt.Tx) error {
		for _, name := range []string{
			"models", "model-details", "model-ids", "sets", "set-index", "units",
			"summaries",
		} {
			counts[name] = bucketNamed(name).In(tx).Stats().KeyN
		}
		return nil
	})
	must(t, err)
	return counts
}

func signalFiles(t *testing.T, w *Workspace) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.path, database.SignalsFolder, "*", "*"))
	must(t, err)
	return len(files)
}

func TestRemoveModelsTakesEverything(t *testing.T) {
	w, models, suiteHash := three(t)
	plan, err := w.PlanRemoval([]string{models[0].Hash, models[2].Hash})
	if err != nil || plan.Sets != 2 || plan.Units != 4 || strings.Join(plan.IDs, " ") != "a c" ||
		plan.SignalBytes == 0 ||
		plan.ModelBytes != models[0].Size+models[2].Size {
		t.Fatalf("%+v %v", plan, err)
	}
	if keys(t, w)["models"] != 3 {
		t.Fatal("planning removes")
	}
	var heard []string
	defer w.Subscribe(func(c Change) { heard = append(heard, string(c.Kind)) })()
	removed, err := w.RemoveModels([]string{models[0].Hash, models[2].Hash}, []string{models[1].Hash})
	if err != nil || removed.SignalBytes != plan.SignalBytes || len(heard) != 2 {
		t.Fatalf("%+v %v, heard %v", removed, err, heard)
	}
	for bucket, n := range keys(t, w) {
		want := 1
		if bucket == "units" {
			want = 2
		}
		if n != want {
			t.Errorf("%s has %d keys, not %d", bucket, n, want)
		}
	}
	if n := signalFiles(t, w); n != 2 {
		t.Errorf("%d signal files are left", n)
	}
	if _, err := os.Stat(w.ModelPath(models[0].Hash)); err == nil {
		t.Error("the model file is still there")
	}
	if _, ok, err := w.Summary(models[1], suiteHash, storetest.Family(t)); !ok || err != nil {
		t.Errorf("the other model lost its summary: %v", err)
	}
	if u := mustUsage(t, w); u.Loose.Files != 0 {
		t.Errorf("leftovers %+v", u.Loose)
	}
	again := storetest.AddModel(t, w, "a")
	if again.Hash != models[0].Hash || again.ID != "a" {
		t.Errorf("the model cannot be imported again: %+v", again)
	}
}

func TestRemoveModelsRefuses(t *testing.T) {
	w, models, suiteHash := three(t)
	s, err := w.Suite(suiteHash)
	must(t, err)
	before := keys(t, w)
	r, err := w.CreateRound(t.Context(), label.Round{
		Name: "second look", Suite: s.Hash, Family: storetest.Family(t), Annotators: []string{"A"},
		Models: []string{models[1].Hash},
	})
	must(t, err)
	var inRounds *InRoundsError
	_, err = w.RemoveModels([]string{models[0].Hash, models[1].Hash}, nil)
	if !errors.As(err, &inRounds) || !strings.Contains(err.Error(), `model b is in round "second look"`) ||
		inRounds.Rounds[0] != r.Name {
		t.Errorf("an item of a round: %v", err)
	}
	if _, err := w.PlanRemoval([]string{models[1].Hash}); !errors.As(err, &inRounds) {
		t.Errorf("the plan lets it pass: %v", err)
	}
	if _, err := w.RemoveModels([]string{models[0].Hash}, []string{models[0].Hash}); err == nil ||
		!strings.Contains(err.Error(), "model a is being run") {
		t.Errorf("a model at work: %v", err)
	}
	if _, err := w.RemoveModels([]string{models[0].Hash, storetest.HashOf("nothing")}, nil); !errors.Is(err,
		database.ErrNotFound) {
		t.Errorf("an unknown model: %v", err)
	}
	if _, err := w.RemoveModels([]string{models[0].Hash, models[0].Hash}, nil); err == nil {
		t.Error("twice the same model")
	}
	for bucket, n := range keys(t, w) {
		if n != before[bucket] {
			t.Errorf("a refused removal changed %s", bucket)
		}
	}
	if many := (&InRoundsError{IDs: []string{"a", "b"}, Rounds: []string{"x", "y"}}).Error(); !strings.HasPrefix(many,
		`models a, b are in rounds "x", "y"`) {
		t.Error(many)
	}
}
