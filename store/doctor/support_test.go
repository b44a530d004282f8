package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

var must = testdata.OK

type noProgress = engine.NoProgress

// fresh makes a workspace that is checked and closed at the end of the test.
func fresh(t *testing.T) *store.Workspace {
	t.Helper()
	w := testdata.Must(store.Create(filepath.Join(t.TempDir(), "quiet")))(t)
	t.Cleanup(func() { checkAndClose(t, w) })
	return w
}

// reopen opens a workspace that is checked and closed at the end of the test.
func reopen(t *testing.T, path string) *store.Workspace {
	t.Helper()
	w := testdata.Must(store.Open(path))(t)
	t.Cleanup(func() { checkAndClose(t, w) })
	return w
}

// checkAndClose runs bbolt's own check and closes a workspace, which may be closed already.
func checkAndClose(t *testing.T, w *store.Workspace) {
	t.Helper()
	err := w.View(func(tx *database.Tx) error {
		for problem := range tx.Check() {
			t.Errorf("database: %v", problem)
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		t.Error(err)
	}
	must(t, w.Close())
}

// addPackage adds a round package with matrices of a model that is not here.
func addPackage(t *testing.T, w *store.Workspace) {
	t.Helper()
	there := fresh(t)
	m, s := storetest.AddModel(t, there, "m"), storetest.AddSuite(t, there, "shapes", 9)
	r := storetest.AddRound(t, there, s, m)
	_, err := w.AddPackage(store.Package{
		Desk: there.Desk(), Round: r, Suite: s, Models: []model.Model{m}, Names: map[string]string{"A": "annotator 1"},
		Evidence: []database.Evidence{{
			Round: r.ID, Model: m.Hash, Suite: s.Hash, Family: r.Family, Filter: r.Filter, Chosen: 9, Total: 9,
			Matrices: map[string]variance.Matrix{"max@CONF": {N: 3, Data: make([]float64, 9)}},
		}},
	})
	must(t, err)
}

// everything is a closed workspace with something of everything, and its backup, which has all but
// the last label.
type everything struct {
	storetest.Folder
	models    []model.Model
	specs     []signal.Spec
	suite     suite.Manifest
	round     label.Round
	events    []label.Event
	masks     database.MaskSet
	selection database.SelectionRecord
	table     database.PredictionTable
}

// unit is the file of a chunk of the first model.
func (x everything) unit(chunk int) string {
	return x.File(filepath.FromSlash(database.UnitPath(x.specs[0].UnitKey(chunk))))
}

func newEverything(t *testing.T) everything {
	t.Helper()
	w := fresh(t)
	x := everything{Folder: storetest.Folder{Path: w.Path()}, suite: storetest.AddSuite(t, w, "pets", 300)}
	targets, backgrounds := storetest.AddSuite(t, w, "targets", 4), storetest.AddSuite(t, w, "backgrounds", 7)
	var err error
	x.masks, err = w.AddMasks(t.Context(), targets.Hash, storetest.WriteMasks(t, targets), false, noProgress{})
	must(t, err)
	table, err := w.AddKeywords("t", "file", storetest.Keywords(3))
	must(t, err)
	for _, id := range []string{"a", "b"} {
		m := storetest.AddModel(t, w, id)
		spec := storetest.Spec(t, m, x.suite)
		storetest.RunModel(t, w, m, spec)
		x.models, x.specs = append(x.models, m), append(x.specs, spec)
	}
	storetest.AddModel(t, w, "without signals")
	pictures := storetest.AddPictures(t, w)
	_, err = w.DeriveSuite(pictures.Hash, corrupt.Setting{Name: "brightness", Severity: 2, Seed: 1}, "")
	must(t, err)
	_, err = w.CopySuite(t.Context(), pictures)
	must(t, err)
	x.selection, err = w.AddSelection("mine",
		storetest.Selection(targets.Hash, x.masks.Hash, backgrounds.Hash, table.Hash, 0))
	must(t, err)
	_, err = w.PutOntology(database.OntologyRecord{
		Name: "first", Table: table.Hash, MinSupport: 0.1, MinConfidence: 0.5,
	})
	must(t, err)
	addPackage(t, w)
	x.table, err = w.AddPredictions(
		database.PredictionTable{Name: "elsewhere", Models: []string{"m"}, Samples: 2, Classes: 2},
		store.Predictions{Labels: []int32{0, 1}},
	)
	must(t, err)
	must(t, w.SetImageLabels(x.suite.Hash, []database.ImageLabel{
		{Image: 3, Class: 1, By: "A"}, {Image: 4, Class: 2, By: "B"},
	}))
	must(t, w.KeepValue("ei", []float64{1, 2, 3}))
	must(t, w.PutContextVectors(map[string][]float64{"net image": {0.5, 0.25}}))
	must(t, w.PutThumb("a", storetest.Thumb(9)))
	must(t, w.SetCurrent(store.Current{Suite: x.suite.Hash, Family: storetest.Family(t)}))
	must(t, w.PutRun(database.RunRecord{
		ID: w.NewID(), Suite: x.suite.Hash, Models: []string{x.models[0].Hash}, Phase: engine.Done,
	}))
	must(t, w.SaveAssessor("first", assessorFile(t)))
	x.round = storetest.AddRound(t, w, x.suite, x.models...)
	for k := range 120 {
		ev := storetest.LabelEvent(x.round, x.models[k%2].Hash, []string{"A", "B"}[k/2%2], label.Variant)
		ev.Note = fmt.Sprintf("note %d", k)
		if k == 119 {
			_, err := w.Backup(t.Context())
			must(t, err)
		}
		x.events = append(x.events, storetest.Append(t, w, ev))
	}
	checkAndClose(t, w)
	return x
}

// assessorFile is a saved assessor.
func assessorFile(t *testing.T) []byte {
	t.Helper()
	layout := feature.DefaultLayout()
	layout.Modalities = []string{"max@CONF"}
	d := assess.Data{Layout: layout, Names: layout.Names(), Classes: label.Values(2)}
	random := rand.New(rand.NewPCG(1, 1))
	f := saved.File{
		Name: "first", Created: time.Unix(1000, 0).UTC(), Family: storetest.Family(t), Images: "all",
		Suite: saved.Suite{Name: "pets", Hash: storetest.HashOf("pets"), Images: 300}, Layout: layout,
		Labels:   saved.Labels{Source: "column rule_label", Counts: map[string]int{"invariant": 10, "variant": 10}},
		Versions: map[string]string{"variscope": "0.1.0"},
	}
	for i := range 20 {
		row := assess.Row{ID: fmt.Sprint("m", i), Hash: storetest.HashOf(fmt.Sprint(i)), Label: d.Classes[i%2]}
		for range d.Names {
			row.X = append(row.X, random.Float64()+float64(i%2))
		}
		d.Rows = append(d.Rows, row)
		f.Training = append(f.Training, saved.Example{ID: row.ID, Hash: row.Hash, Label: row.Label})
	}
	a, err := assess.Train(t.Context(), d, d.Labelled(), assess.Settings{Algorithm: assess.DecisionTree, Seed: 1})
	must(t, err)
	f.Assessor, f.TrainingHash = a, saved.TrainingHash(d, d.Labelled())
	data := testdata.Must(f.Encode())(t)
	return data
}

func (x everything) copied(t *testing.T) everything {
	t.Helper()
	x.Folder = x.Folder.Copied(t)
	return x
}

// kinds are the kinds of findings, each once, in order.
func kinds(list []Finding) []string {
	seen := map[string]bool{}
	for _, f := range list {
		seen[f.Kind] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func mustExamine(t *testing.T, path string) Examination {
	t.Helper()
	e := testdata.Must(Examine(t.Context(), path, noProgress{}))(t)
	return e
}

func mustRepair(t *testing.T, path string) Repaired {
	t.Helper()
	r := testdata.Must(Repair(t.Context(), path, noProgress{}))(t)
	return r
}

// sentencesOf are the findings for the log of a test.
func sentencesOf(list []Finding) string {
	var text bytes.Buffer
	for _, f := range list {
		fmt.Fprintf(&text, "\n  [%s] %s", f.Kind, f.Sentence())
	}
	return text.String()
}
