package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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

func TestRemoveModelsTakesEverything(t *testing.T) {
	w, models, suiteHash := three(t)
	s := testdata.Must(w.Suite(suiteHash))(t)
	spec := storetest.Spec(t, models[0], s)
	must(t, testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{Predictions: true})))
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
	if inDatabase, onDisk := named(t, w); !slices.Equal(inDatabase, onDisk) || len(onDisk) != 3 {
		t.Errorf("named %v, on disk %v", inDatabase, onDisk)
	}
	if _, ok, err := w.Summary(models[1], suiteHash, storetest.Family(t)); !ok || err != nil {
		t.Errorf("the other model lost its summary: %v", err)
	}
	again := storetest.AddModel(t, w, "a") // and has nothing of its old signals, which this process had verified
	testdata.Is(t, "state", testdata.Must(w.State(again, suiteHash, spec.Family))(t), None)
	testdata.Is(t, "unit", testdata.Must(w.Has(spec.UnitKey(1)))(t), false)
	testdata.ErrorIs(t, "signals", testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{})), database.ErrNotFound)
	storetest.RunModel(t, w, again, spec)
	testdata.Is(t, "state after a run", testdata.Must(w.State(again, suiteHash, spec.Family))(t), Ready)
}

func TestRemoveModelsRefuses(t *testing.T) {
	w, models, suiteHash := three(t)
	s := testdata.Must(w.Suite(suiteHash))(t)
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
	testdata.Refused(t, "a model at work",
		testdata.Err(w.RemoveModels([]string{models[0].Hash}, []string{models[0].Hash})), "model a is being run")
	testdata.ErrorIs(t, "an unknown model",
		testdata.Err(w.RemoveModels([]string{models[0].Hash, storetest.HashOf("nothing")}, nil)), database.ErrNotFound)
	testdata.Refused(t, "twice the same model",
		testdata.Err(w.RemoveModels([]string{models[0].Hash, models[0].Hash}, nil)))
	for bucket, n := range keys(t, w) {
		if n != before[bucket] {
			t.Errorf("a refused removal changed %s", bucket)
		}
	}
	many := &InRoundsError{IDs: strings.Split("abcdefghijk", ""), Rounds: []string{"x", "y"}}
	testdata.Refused(t, "many", many, `models a, b, c, d, e, f, g, h and 3 more are in rounds "x", "y"`)
}
