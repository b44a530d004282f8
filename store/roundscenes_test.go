package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
)

// A round of backgrounds has the matrices of spec/background.md section 13 unless it says
// otherwise, and one range for all of them.
func TestCreateRoundOfBackgrounds(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	made := label.Round{
		Name: "r", Kind: label.BackgroundRound, Suite: s.Hash, Selection: "x", Annotators: []string{"A"},
		Models: []string{m.Hash},
	}
	r, err := w.CreateRound(t.Context(), made)
	must(t, err)
	want := made
	want.ID, want.Created, want.Classes, want.OrderSeed, want.Filter = r.ID, r.Created, 3, 1, "all"
	want.Modalities, want.Interpolants = []string{"max@CONF", "max@HEAD"}, []string{"I1", "I2", "I3"}
	want.Ranges = map[string]label.Range{"max@CONF": {High: 0.3}, "max@HEAD": {High: 0.3}}
	testdata.NoDiff(t, "the round", cmp.Diff(want, r))
	made.Modalities, made.Interpolants = []string{"true@CONF", "HEAD.mean"}, []string{"I2"}
	made.Ranges = map[string]label.Range{"true@CONF": {Low: 0.1, High: 1}}
	if r, err = w.CreateRound(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(r.Modalities, []string{"true@CONF", "mean@HEAD"}) || !cmp.Equal(r.Interpolants, []string{"I2"}) ||
		!cmp.Equal(r.Ranges, map[string]label.Range{"true@CONF": {Low: 0.1, High: 1}, "mean@HEAD": {High: 0.3}}) {
		t.Errorf("%+v", r)
	}
	made.Kind, made.Family = label.VarianceRound, "rotation:-15:15:15"
	testdata.Refused(t, "true@CONF is a modality of variance matrices", testdata.Err(w.CreateRound(t.Context(), made)))
}
