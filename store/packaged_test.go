package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
)

// TestOverviewShowsWhatAPackageBrought: a list of models and a single model's state are one thing,
// and the key that the list gives leads to the matrices, also after the package was written anew.
func TestOverviewShowsWhatAPackageBrought(t *testing.T) {
	w := fresh(t)
	p := packaged(t, w)
	storetest.AddModel(t, w, "stranger")
	must(t, testdata.Err(w.AddPackage(p)))
	look := func() Glance {
		t.Helper()
		list, err := w.Overview(p.Suite.Hash, p.Round.Family)
		if err != nil || len(list) != 2 {
			t.Fatal(len(list), err)
		}
		found := list[0]
		for _, g := range list {
			m := testdata.Must(w.Model(g.Model.Hash))(t)
			if state, err := w.State(m, p.Suite.Hash, p.Round.Family); err != nil || state != g.State {
				t.Errorf("model %s is %s in the list and %s by itself, %v", m.ID, g.State, state, err)
			}
			if m.Hash == p.Models[0].Hash {
				found = g
			}
		}
		if found.State != Ready || found.Summary.Package != p.Round.ID || len(found.Summary.Matrices) != 0 {
			t.Errorf("%s, %+v", found.State, found.Summary)
		}
		whole, ok, err := w.Summary(p.Models[0], p.Suite.Hash, p.Round.Family)
		if err != nil || !ok || whole.Key != found.Summary.Key || !cmp.Equal(whole.Accuracy, found.Summary.Accuracy) {
			t.Errorf("%v, %v: %s and %s", ok, err, whole.Key, found.Summary.Key)
		}
		again, ok, err := w.SetSummary(found.Summary.Key)
		if diff := cmp.Diff(whole, again, cmpopts.EquateEmpty()); err != nil || !ok || diff != "" ||
			len(again.Matrices) == 0 {
			t.Errorf("%v, %v, %s", ok, err, diff)
		}
		return found
	}
	first := look()
	p.Evidence[0].Robust = 0.125
	must(t, testdata.Err(w.AddPackage(p)))
	if second := look(); second.Summary.Key == first.Summary.Key || second.Summary.Robust != 0.125 {
		t.Errorf("%+v", second.Summary)
	}
	if _, ok, err := w.SetSummary(first.Summary.Key); ok || err != nil {
		t.Errorf("what was replaced is found: %v, %v", ok, err)
	}
}
