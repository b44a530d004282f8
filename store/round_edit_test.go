package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func TestCloseRound(t *testing.T) {
	w, m, _, r := labelling(t)
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
	stale := r                         // as somebody read it before it was closed
	stale.Guideline, stale.Closed = "new", true
	must(t, w.UpdateRound(stale))
	after := testdata.Must(w.Round(r.ID))(t)
	testdata.Is(t, "closings", len(after.Closings), 3)
	for k, c := range after.Closings {
		if c.Open != (k == 1) || c.By != w.Desk() || c.At.IsZero() {
			t.Errorf("closing %d: %+v", k, c)
		}
	}
	testdata.ErrorIs(t, "no round", w.CloseRound("unknown", true), database.ErrNotFound)
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
	testdata.Refused(t, "appending twice", testdata.Err(w.AppendModels(r.ID, added)), "already")
	testdata.ErrorIs(t, "appending an unknown model", testdata.Err(w.AppendModels(r.ID, []string{"unknown"})),
		database.ErrNotFound)
	testdata.Refused(t, "a model that is not the last was removed", w.RemoveAppended(r.ID, []string{m.Hash}))
	must(t, w.RemoveAppended(r.ID, added))
	if got, _ := w.Round(r.ID); !slices.Equal(got.Models, []string{m.Hash}) {
		t.Errorf("models %v", got.Models)
	}
	testdata.Refused(t, "the last model of all was removed", w.RemoveAppended(r.ID, []string{m.Hash}))
	must(t, testdata.Err(w.AppendModels(r.ID, added)))
	storetest.Append(t, w, storetest.LabelEvent(r, o.Hash, "A", label.Variant))
	testdata.Refused(t, "a labelled model was removed", w.RemoveAppended(r.ID, added), "so they stay")
}

func TestDeleteAndRestoreRound(t *testing.T) {
	w, m, _, r := labelling(t)
	r.Pictures = map[string][]byte{"0f.png": {1, 2, 3}}
	r.RepeatShare, r.Reveal, r.Parent = 0.05, label.RevealFinished, "another"
	must(t, w.UpdateRound(r))
	var heard []Change
	defer w.Subscribe(func(c Change) { heard = append(heard, c) })()
	gone := testdata.Must(w.DeleteRound(r.ID))(t)
	testdata.ErrorIs(t, "the round is still there", testdata.Err(w.Round(r.ID)), database.ErrNotFound)
	must(t, w.RestoreRound(gone))
	testdata.Refused(t, "a round was restored over itself", w.RestoreRound(gone))
	odd := gone
	odd.ID = "round one"
	testdata.Refused(t, "a round whose id is no ULID was restored", w.RestoreRound(odd), "is no ULID")
	if want := []Change{{RoundChanged, r.ID}, {RoundChanged, r.ID}}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
	got, err := w.Round(r.ID)
	if diff := cmp.Diff(gone, got); diff != "" || err != nil || string(got.Pictures["0f.png"]) != "\x01\x02\x03" {
		t.Errorf("%v\n%s", err, diff)
	}
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	testdata.Refused(t, "a round with labels was deleted", testdata.Err(w.DeleteRound(r.ID)), "close it instead")
	testdata.Is(t, "events", len(testdata.Must(w.Events(r.ID))(t)), 1)
}
