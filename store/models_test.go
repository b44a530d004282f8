package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func TestModelsRoundTrip(t *testing.T) {
	w := fresh(t)
	in := model.Model{
		ID: "s10", File: "s10.onnx", Graph: storetest.Graph(),
		Record: []model.Field{{Name: "fold", Value: "regular"}, {Name: "odd", Value: ""}},
		Curves: []model.Epoch{{Epoch: 1, Values: map[string]float64{"test_loss": 0.5}}},
	}
	m, added, err := w.AddModel(in, strings.NewReader("bytes"))
	if err != nil || added != New {
		t.Fatal(added, err)
	}
	storetest.AddModel(t, w, "s2")
	w = reopened(t, w)
	testdata.NoDiff(t, "reopened", cmp.Diff(m, testdata.Must(w.Model(m.Hash))(t)))
	if m.Size != 5 || m.Hash != storetest.HashOf("bytes") {
		t.Errorf("hash and size are not those of the file: %+v", m)
	}
	list, err := w.Models()
	if err != nil || len(list) != 2 || list[0].ID != "s2" || cmp.Diff(m, list[1]) != "" {
		t.Errorf("order: %v, %v", list, err)
	}
	testdata.Is(t, "file", string(storetest.Read(t, w.ModelPath(m.Hash))), "bytes")
}

func TestSameBytesMergeMetadata(t *testing.T) {
	w := fresh(t)
	first, _, err := w.AddModel(model.Model{
		ID: "a", Graph: storetest.Graph(), Record: []model.Field{{Name: "x", Value: "1"}, {Name: "y", Value: "2"}},
		Probes: map[string][][]int64{"p": {{1, 2}}},
	}, strings.NewReader("same"))
	must(t, err)
	merged, added, err := w.AddModel(model.Model{
		ID: "b", Record: []model.Field{{Name: "y", Value: "3"}, {Name: "z", Value: "4"}}, ProbedKind: model.Logits,
		Probes: map[string][][]int64{"p": {{1, 3}}, "q": {{4}}}, Curves: []model.Epoch{{Epoch: 1}},
	}, strings.NewReader("same"))
	if err != nil || added != Merged {
		t.Fatal(added, err)
	}
	want := first
	want.Record = []model.Field{{Name: "x", Value: "1"}, {Name: "y", Value: "3"}, {Name: "z", Value: "4"}}
	want.ProbedKind, want.Probes, want.Curves = model.Logits, map[string][][]int64{"p": {{1, 2}}, "q": {{4}}},
		[]model.Epoch{{Epoch: 1}}
	testdata.NoDiff(t, "merged", cmp.Diff(want, merged))
	testdata.Is(t, "models", len(testdata.Must(w.Models())(t)), 1)
}

func TestAddModelRefuses(t *testing.T) {
	w := fresh(t)
	if _, _, err := w.AddModel(model.Model{ID: "a", Hash: storetest.HashOf("other")},
		strings.NewReader("x")); err == nil {
		t.Error("took a file whose hash is another")
	}
	for _, id := range []string{"", "a\nb", "\x00"} {
		if _, _, err := w.AddModel(model.Model{ID: id}, strings.NewReader("x")); err == nil {
			t.Errorf("took id %q", id)
		}
	}
	if files, _ := os.ReadDir(filepath.Join(w.Path(), database.ModelsFolder)); len(files) != 0 {
		t.Errorf("left %v", files)
	}
}

func TestFindModel(t *testing.T) {
	w := fresh(t)
	m := storetest.AddModel(t, w, "cnn")
	for _, name := range []string{"cnn", m.Hash, m.Hash[:8], strings.ToUpper(m.Hash[:6])} {
		if got, err := w.FindModel(name); err != nil || got.Hash != m.Hash {
			t.Errorf("%s: %v %v", name, got.ID, err)
		}
	}
	for _, name := range []string{"", "x", m.Hash[:5], "ffffff"} {
		testdata.ErrorIs(t, name, testdata.Err(w.FindModel(name)), database.ErrNotFound)
	}
}

func TestUpdateModel(t *testing.T) {
	w := fresh(t)
	m, other := storetest.AddModel(t, w, "m"), storetest.AddModel(t, w, "n")
	err := w.UpdateModel(m.Hash, func(m *model.Model) error {
		m.ID, m.Correction.OutputKind, m.Hash = "renamed", model.Probabilities, "nonsense"
		return nil
	})
	must(t, err)
	got, err := w.FindModel("renamed")
	if err != nil || got.Hash != m.Hash || got.Correction.OutputKind != model.Probabilities {
		t.Errorf("%+v %v", got, err)
	}
	testdata.ErrorIs(t, "the old id is still there", testdata.Err(w.FindModel("m")), database.ErrNotFound)
	failure := errors.New("no")
	cases := map[string]struct {
		hash   string
		change func(*model.Model) error
		want   error
	}{
		"used id":   {m.Hash, func(m *model.Model) error { m.ID = other.ID; return nil }, nil},
		"bad id":    {m.Hash, func(m *model.Model) error { m.ID = ""; return nil }, nil},
		"own error": {m.Hash, func(m *model.Model) error { m.ID = "lost"; return failure }, failure},
		"unknown":   {"abc", func(*model.Model) error { return nil }, database.ErrNotFound},
		"no hash":   {"", func(*model.Model) error { return nil }, database.ErrNotFound},
	}
	for name, c := range cases {
		err := w.UpdateModel(c.hash, c.change)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := w.Model(m.Hash); err != nil || got.ID != "renamed" {
			t.Errorf("%s changed the model: %v %v", name, got.ID, err)
		}
	}
}

// BenchmarkOpenAndList measures what the start of the window waits for: opening a workspace of
// 1,000 models of some size, and listing them.
func BenchmarkOpenAndList(b *testing.B) {
	w := fresh(b)
	for i := range 1000 {
		m := model.Model{ID: fmt.Sprint(i), Graph: storetest.Graph()}
		for k := range 300 {
			m.Graph.Tensors = append(m.Graph.Tensors, fmt.Sprintf("/features/features.%d/Conv_output_0", k))
		}
		for k := range 24 {
			m.Record = append(m.Record, model.Field{Name: fmt.Sprintf("column_%d", k), Value: "0.12345"})
			m.Curves = append(m.Curves, model.Epoch{
				Epoch:  k,
				Values: map[string]float64{"train_loss": 1, "test_loss": 2, "train_accuracy": 3, "test_accuracy": 4},
			})
		}
		if _, _, err := w.AddModel(m, strings.NewReader(m.ID)); err != nil {
			b.Fatal(err)
		}
	}
	path := w.Path()
	checkAndClose(b, w)
	for b.Loop() {
		w, err := Open(path)
		must(b, err)
		testdata.Is(b, "models", len(testdata.Must(w.Models())(b)), 1000)
		must(b, w.Close())
	}
}
