package store

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// packaged is the package of a round over one model that this workspace does not know.
func packaged(t *testing.T, w *Workspace) Package {
	t.Helper()
	there := fresh(t)
	m, s := storetest.AddModel(t, there, "m"), storetest.AddSuite(t, there, "pets", 9)
	storetest.RunModel(t, there, m, storetest.Spec(t, m, s))
	r := storetest.AddRound(t, there, s, m)
	answer, err := there.Matrices(t.Context(), MatrixRequest{
		Model: m, Suite: s.Hash, Family: r.Family,
		Modalities: r.Modalities, Images: variance.AllImages(),
	})
	must(t, err)
	return Package{
		Desk: there.Desk(), Round: r, Suite: s, Models: []model.Model{m}, Names: map[string]string{"A": "annotator 1"},
		Evidence: []database.Evidence{{
			Round: r.ID, Model: m.Hash, Suite: s.Hash, Family: r.Family, Filter: r.Filter, Chosen: 9, Total: 9,
			Matrices: answer.Matrices, Accuracy: answer.Accuracy, Robust: answer.Robust,
		}},
	}
}

func TestAddPackage(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m") // another model of this id, but of the same bytes
	mine, _, err := w.AddModel(model.Model{ID: "other", File: "m.onnx", Graph: storetest.Graph()},
		strings.NewReader("other bytes"))
	must(t, err)
	p := packaged(t, w)
	hash := storetest.HashOf("elsewhere")
	p.Models[0].Hash, p.Evidence[0].Model, p.Round.Models[0], p.Models[0].ID = hash, hash, hash, mine.ID
	report, err := w.AddPackage(p)
	if err != nil || !report.Created || report.Models != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	m, err := w.Model(p.Models[0].Hash)
	if err != nil || m.ID != "other-2" || w.HasFile(m.Hash) || !w.HasFile(mine.Hash) {
		t.Errorf("model %s, %v", m.ID, err)
	}
	if s, err := w.Suite(p.Suite.Hash); err != nil || s.Images != 9 || len(s.Files) != 0 || s.Root != "" {
		t.Errorf("suite %+v, %v", s, err)
	}
	storetest.Append(t, w, storetest.LabelEvent(p.Round, m.Hash, "A", label.Variant))
	if again, err := w.AddPackage(p); err != nil || again.Created || again.Changed || again.Models != 0 {
		t.Errorf("added again: %+v, %v", again, err)
	}
	// the ranges of a round over packaged models come from the package
	ranges, err := w.RoundRanges(t.Context(), label.Round{
		Suite: p.Suite.Hash, Family: p.Round.Family, Filter: "all",
		Modalities: p.Round.Modalities, Models: []string{m.Hash},
	})
	if err != nil || len(ranges) != len(p.Round.Modalities) {
		t.Errorf("ranges %v, %v", ranges, err)
	}
}

func TestAddPackageRefuses(t *testing.T) {
	w := fresh(t)
	before := storetest.Snapshot(t, filepath.Join(w.path, database.ModelsFolder))
	for want, change := range map[string]func(*Package){
		"its suite is":               func(p *Package) { p.Suite.Hash = storetest.HashOf("x") },
		"no SHA-256 for a hash":      func(p *Package) { p.Models[0].Hash, p.Round.Models[0] = "../../x", "../../x" },
		"are not those of the round": func(p *Package) { p.Models = append(p.Models, p.Models[0]) },
		"do not belong to it":        func(p *Package) { p.Evidence[0].Family = "other" },
		"matrices of model":          func(p *Package) { p.Evidence[0].Filter = "a\x00b" },
		"": func(p *Package) {
			p.Round.Family = strings.Replace(p.Round.Family, "rotation", "Rotation", 1)
		},
		"holds control characters": func(p *Package) { p.Models[0].ID = "a\n" },
		"is no ULID":               func(p *Package) { p.Round.ID, p.Evidence[0].Round = "round one", "round one" },
		"4 classes":                func(p *Package) { p.Round.Classes = 4 },
		"1 accuracies":             func(p *Package) { p.Evidence[0].Accuracy = []float64{1} },
		"is 2 x 2": func(p *Package) {
			p.Evidence[0].Matrices = map[string]variance.Matrix{"max@CONF": {N: 2, Data: make([]float64, 4)}}
		},
	} {
		p := packaged(t, w)
		change(&p)
		testdata.Refused(t, want, testdata.Err(w.AddPackage(p)), want)
	}
	testdata.Is(t, "rounds", len(testdata.Must(w.Rounds())(t)), 0)
	testdata.Is(t, "models", len(testdata.Must(w.Models())(t)), 0)
	testdata.Is(t, "files", storetest.Snapshot(t, filepath.Join(w.path, database.ModelsFolder)), before)
}

// Own signals come before what a package brought, also in the list of models.
func TestOwnSignalsFirst(t *testing.T) {
	w := fresh(t)
	p := packaged(t, w)
	m := storetest.AddModel(t, w, "m")
	for name := range p.Evidence[0].Matrices {
		p.Evidence[0].Matrices[name] = variance.Matrix{N: 3, Data: make([]float64, 9)}
	}
	must(t, testdata.Err(w.AddPackage(p)))
	q := MatrixRequest{
		Model: m, Suite: p.Suite.Hash, Family: p.Round.Family, Modalities: p.Round.Modalities,
		Images: variance.AllImages(),
	}
	if a, err := w.Matrices(t.Context(), q); err != nil || a.Matrices["max@CONF"].Max() != 0 || a.Set != "" {
		t.Errorf("from the package: %+v, %v", a.Matrices["max@CONF"], err)
	}
	storetest.RunModel(t, w, m, storetest.Spec(t, m, p.Suite))
	if a, err := w.Matrices(t.Context(), q); err != nil || a.Matrices["max@CONF"].Max() == 0 || a.Set == "" {
		t.Errorf("after a run: %+v, %v", a.Matrices["max@CONF"], err)
	}
	list, err := w.Overview(p.Suite.Hash, p.Round.Family)
	if err != nil || len(list) != 1 || list[0].State != Ready ||
		list[0].Summary.Package != "" || list[0].Summary.Key == "" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestFixRanges(t *testing.T) {
	w := fresh(t)
	r := storetest.AddRound(t, w, storetest.AddSuite(t, w, "pets", 3), storetest.AddModel(t, w, "m"))
	if len(r.Ranges) != 1 { // CONF by rule
		t.Fatalf("ranges %v", r.Ranges)
	}
	given := map[string]label.Range{"max@CONF": {Low: 0, High: 9}, "max@CONV-1": {Low: 0, High: 2}}
	r, err := w.FixRanges(r.ID, given)
	if err != nil || r.Ranges["max@CONF"].High != 0.3 || r.Ranges["max@CONV-1"].High != 2 {
		t.Errorf("ranges %v, %v", r.Ranges, err)
	}
	storetest.Append(t, w, storetest.LabelEvent(r, r.Models[0], "A", label.Variant))
	given["mean@CONV-1"] = label.Range{Low: 0, High: 5}
	if again, err := w.FixRanges(r.ID, given); err != nil || cmp.Diff(r.Ranges, again.Ranges) != "" {
		t.Errorf("ranges after the first label: %v, %v", again.Ranges, err)
	}
}

// A final label can be taken back after the round was closed, by whoever gave it; nothing else can.
func TestUndoOfAdjudicationInAClosedRound(t *testing.T) {
	w := fresh(t)
	r := storetest.AddRound(t, w, storetest.AddSuite(t, w, "pets", 3), storetest.AddModel(t, w, "m"))
	first := storetest.Append(t, w, storetest.LabelEvent(r, r.Models[0], "A", label.Variant))
	must(t, w.CloseRound(r.ID, true))
	final := storetest.Append(t, w, label.Event{
		Round: r.ID, Model: r.Models[0], Annotator: "judge", Kind: label.Adjudicate,
		Value: label.Invariant, Note: "why",
	})
	undo := label.Event{Round: r.ID, Model: r.Models[0], Annotator: "judge", Kind: label.Undo, Supersedes: final.ID}
	other := undo
	other.Annotator = "A"
	testdata.Refused(t, "another one's final label was taken back", testdata.Err(w.Append(other)))
	taken := storetest.Append(t, w, undo)
	undo.Supersedes = taken.ID
	back := storetest.Append(t, w, undo) // brings it back
	undo.Supersedes = back.ID
	storetest.Append(t, w, undo)
	for _, ev := range []label.Event{
		{Round: r.ID, Model: r.Models[0], Annotator: "A", Kind: label.Undo, Supersedes: first.ID},
		storetest.LabelEvent(r, r.Models[0], "A", label.Invariant),
	} {
		testdata.Refused(t, string(ev.Kind), testdata.Err(w.Append(ev)), "is closed")
	}
	events, err := w.Events(r.ID)
	if err != nil || len(label.Finals(r, events)) != 0 {
		t.Errorf("final labels %v, %v", label.Finals(r, events), err)
	}
}
