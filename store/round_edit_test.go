package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestCloseRound(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	for _, closed := range []bool{true, false} {
		must(t, w.CloseRound(r.ID, closed))
		if got, _ := w.Round(r.ID); got.Closed != closed {
			t.Errorf("closed %v, want %v", got.Closed, closed)
		}
		_, err := w.Append(storetest.LabelEvent(r, m.Hash, "A", label.Variant))
		if (err != nil) != closed {
			t.Errorf("a label while closed is %v: %v", closed, err)
		}
	}
	must(t, w.CloseRound(r.ID, false)) // it is open already
	got, err := w.Round(r.ID)
	must(t, err)
	stale := r // as somebody read it before it was closed
	stale.Guideline, stale.Closed = "new", true
	must(t, w.UpdateRound(stale))
	after, err := w.Round(r.ID)
	must(t, err)
	for k, want := range []bool{false, true, false} {
		if c := after.Closings[k]; c.Open != want || c.By != w.Desk() || c.At.IsZero() || len(got.Closings) != 2 ||
			len(after.Closings) != 3 {
			t.Errorf("closing %d: %+v", k, after.Closings)
		}
	}
	if copied, err := w.DuplicateRound(t.Context(), r.ID, nil); err != nil || copied.Closings != nil || copied.Closed {
		t.Errorf("a copy: %+v, %v", copied.Closings, err)
	}
	if err := w.CloseRound("unknown", true); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

func TestAppendModelsAndRemoveThem(t *testing.T) {
	w := fresh(t)
	m, n, o, s := storetest.AddModel(t, w, "m"), storetest.AddModel(t, w, "n"), storetest.AddModel(t, w, "o"),
		storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	added, err := w.AppendModels(r.ID, []string{m.Hash, n.Hash, o.Hash})
	if err != nil || !slices.Equal(added, []string{n.Hash, o.Hash}) {
		t.Fatalf("added %v, %v", added, err)
	}
	if _, err := w.AppendModels(r.ID, added); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("appending twice: %v", err)
	}
	if _, err := w.AppendModels(r.ID, []string{"unknown"}); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("appending an unknown model: %v", err)
	}
	if err := w.RemoveAppended(r.ID, []string{m.Hash}); err == nil {
		t.Error("a model that is not the last was removed")
	}
	must(t, w.RemoveAppended(r.ID, added))
	if got, _ := w.Round(r.ID); !slices.Equal(got.Models, []string{m.Hash}) {
		t.Errorf("models %v", got.Models)
	}
	if err := w.RemoveAppended(r.ID, []string{m.Hash}); err == nil {
		t.Error("the last model of all was removed")
	}
	if _, err := w.AppendModels(r.ID, added); err != nil {
		t.Fatal(err)
	}
	storetest.Append(t, w, storetest.LabelEvent(r, o.Hash, "A", label.Variant))
	if err := w.RemoveAppended(r.ID, added); err == nil || !strings.Contains(err.Error(), "so they stay") {
		t.Errorf("a labelled model was removed: %v", err)
	}
}

func TestDeleteAndRestoreRound(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	r.Pictures = map[string][]byte{"0f.png": {1, 2, 3}}
	r.RepeatShare, r.Reveal, r.Parent = 0.05, label.RevealFinished, "another"
	must(t, w.UpdateRound(r))
	var heard []Change
	defer w.Subscribe(func(c Change) { heard = append(heard, c) })()
	gone, err := w.DeleteRound(r.ID)
	must(t, err)
	if _, err := w.Round(r.ID); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("the round is still there: %v", err)
	}
	must(t, w.RestoreRound(gone))
	if err := w.RestoreRound(gone); err == nil {
		t.Error("a round was restored over itself")
	}
	odd := gone
	odd.ID = "round one"
	if err := w.RestoreRound(odd); err == nil || !strings.Contains(err.Error(), "is no ULID") {
		t.Errorf("a round whose id is no ULID was restored: %v", err)
	}
	if want := []Change{{RoundChanged, r.ID}, {RoundChanged, r.ID}}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
	got, err := w.Round(r.ID)
	if diff := cmp.Diff(gone, got); diff != "" || err != nil || string(got.Pictures["0f.png"]) != "\x01\x02\x03" {
		t.Errorf("%v\n%s", err, diff)
	}
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	if _, err := w.DeleteRound(r.ID); err == nil || !strings.Contains(err.Error(), "close it instead") {
		t.Errorf("a round with labels was deleted: %v", err)
	}
	if events, err := w.Events(r.ID); len(events) != 1 || err != nil {
		t.Error(events, err)
	}
}
