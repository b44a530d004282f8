package store

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func records(t *testing.T, w *Workspace) []Record {
	t.Helper()
	models := testdata.Must(w.Models())(t)
	var list []Record
	for _, m := range models {
		list = append(list, RecordOf(m))
	}
	return list
}

func TestPutRecordsAndBack(t *testing.T) {
	w := fresh(t)
	for _, id := range []string{"a", "b", "c"} {
		storetest.AddModel(t, w, id)
	}
	was := records(t, w)
	now := records(t, w)
	// they change names in a circle: the id of the one is free because the other leaves it
	now[0].ID, now[1].ID, now[2].ID = "b", "c", "a"
	for _, value := range []string{"12", "13"} {
		now[0].Set("epochs", value)
		now[0].Set("note", "=x")
	}
	before := testdata.Must(w.PutRecords(now))(t)
	testdata.NoDiff(t, "before", cmp.Diff(was, before))
	got, err := w.FindModel("b")
	if err != nil || got.Hash != was[0].Hash || got.Value("epochs") != "13" || got.Value("note") != "=x" ||
		len(got.Graph.Tensors) != 4 {
		t.Errorf("%+v %v", got, err)
	}
	must(t, testdata.Err(w.PutRecords(before)))
	testdata.NoDiff(t, "back", cmp.Diff(was, records(t, w)))
}

func TestPutRecordsRefuses(t *testing.T) {
	w := fresh(t)
	a, b := storetest.AddModel(t, w, "a"), storetest.AddModel(t, w, "b")
	was := records(t, w)
	for name, list := range map[string][]Record{
		"a used id":      {{Hash: a.Hash, ID: "b"}},
		"one id for two": {{Hash: a.Hash, ID: "x"}, {Hash: b.Hash, ID: "x"}},
		"an empty id":    {{Hash: a.Hash}},
		"twice a model":  {{Hash: a.Hash, ID: "x"}, {Hash: a.Hash, ID: "y"}},
		"a nameless":     {{Hash: a.Hash, ID: "a", Fields: []model.Field{{Value: "1"}}}},
		"twice a field":  {{Hash: a.Hash, ID: "a", Fields: []model.Field{{Name: "x"}, {Name: "x"}}}},
		"an unreadable": {
			{Hash: b.Hash, ID: "z"},
			{Hash: a.Hash, ID: "a", Fields: []model.Field{{Name: "output_kind", Value: "guesses"}}},
		},
		"a missing model": {{Hash: b.Hash, ID: "z"}, {Hash: storetest.HashOf("none"), ID: "n"}},
	} {
		if _, err := w.PutRecords(list); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	testdata.NoDiff(t, "records", cmp.Diff(was, records(t, w)))
	testdata.ErrorIs(t, "PutRecords", testdata.Err(w.PutRecords([]Record{{Hash: storetest.HashOf("none"), ID: "n"}})),
		database.ErrNotFound)
}

func TestOverviewSaysWhatStateAndSummarySay(t *testing.T) {
	w, models, suiteHash := three(t)
	family := storetest.Family(t)
	must(t, w.UpdateModel(models[1].Hash, func(m *model.Model) error {
		m.Correction.Mean = []float64{0.5}
		return nil
	}))
	storetest.AddModel(t, w, "plain")
	bad, _, err := w.AddModel(model.Model{
		ID: "worse", Graph: storetest.Graph(),
		Record: []model.Field{{Name: "output_kind", Value: "guesses"}},
	}, strings.NewReader("w"))
	must(t, err)
	list, err := w.Overview(suiteHash, family)
	if err != nil || len(list) != 5 {
		t.Fatalf("%d %v", len(list), err)
	}
	for _, g := range list {
		if g.Model.Hash == bad.Hash {
			if g.Problem == nil || g.State != None {
				t.Errorf("%+v", g)
			}
			continue
		}
		state, err := w.State(g.Model, suiteHash, family)
		if err != nil || state != g.State {
			t.Errorf("%s is %s here and %s there, %v", g.Model.ID, g.State, state, err)
		}
		full, ok, err := w.Summary(g.Model, suiteHash, family)
		if err != nil || ok != (g.Summary.Key != "") {
			t.Errorf("%s: summary %v, %v", g.Model.ID, ok, err)
		}
		if len(g.Summary.Matrices) != 0 {
			t.Error("matrices were read")
		}
		full.Matrices, g.Summary.Matrices = nil, nil
		testdata.NoDiff(t, "full", cmp.Diff(full, g.Summary))
	}
	list, err = w.Overview("", family)
	if err != nil || len(list) != 5 || list[0].State != None {
		t.Errorf("without a suite: %v", err)
	}
}
