package store

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/database"
)

// everything is a closed workspace with something of everything, and its backup, which has all but
// the last label.
type everything struct {
	folder
	models    []model.Model
	specs     []signal.Spec
	suite     suite.Manifest
	round     label.Round
	events    []label.Event
	masks     database.MaskSet
	selection database.SelectionRecord
	table     database.PredictionTable
}

// folder is a closed workspace.
type folder struct{ path string }

func (x folder) file(parts ...string) string {
	return filepath.Join(append([]string{x.path}, parts...)...)
}

// unit is the file of a chunk of the first model.
func (x everything) unit(chunk int) string {
	return x.file(filepath.FromSlash(database.UnitPath(x.specs[0].UnitKey(chunk))))
}

func newEverything(t *testing.T) everything {
	t.Helper()
	world := newWorld(t)
	w := unsynced(world.Workspace)
	x := everything{folder: folder{w.Path()}, suite: addSuite(t, w, "pets", 300), masks: world.masks}
	for _, id := range []string{"a", "b"} {
		m := addModel(t, w, id)
		spec := testSpec(t, m, x.suite)
		runModel(t, w, m, spec)
		x.models, x.specs = append(x.models, m), append(x.specs, spec)
	}
	addModel(t, w, "without signals")
	pictures := addPictures(t, w)
	deriveFrom(t, w, pictures.Hash, brighter)
	_, err := w.CopySuite(t.Context(), pictures)
	must(t, err)
	x.selection, err = w.AddSelection("mine", world.selection(0))
	must(t, err)
	_, err = w.PutOntology(database.OntologyRecord{Name: "first", Table: world.table.Hash, MinSupport: 0.1, MinConfidence: 0.5})
	must(t, err)
	_, err = w.AddPackage(packaged(t, w))
	must(t, err)
	x.table = mustAdd(t, w, "elsewhere", "")
	must(t, w.SetImageLabels(x.suite.Hash, []database.ImageLabel{{Image: 3, Class: 1, By: "A"}, {Image: 4, Class: 2, By: "B"}}))
	must(t, w.KeepValue("ei", []float64{1, 2, 3}))
	must(t, w.PutContextVectors(map[string][]float64{"net image": {0.5, 0.25}}))
	must(t, w.PutThumb("a", thumb(9)))
	must(t, w.SetCurrent(Current{Suite: x.suite.Hash, Family: testFamily(t)}))
	must(t, w.PutRun(database.RunRecord{
		ID: w.NewID(), Suite: x.suite.Hash, Models: []string{x.models[0].Hash}, Phase: engine.Done,
	}))
	must(t, w.SaveAssessor("first", assessorFile(t)))
	x.round = addRound(t, w, x.suite, x.models...)
	for k := range 120 {
		ev := labelEvent(x.round, x.models[k%2].Hash, []string{"A", "B"}[k/2%2], label.Variant)
		ev.Note = fmt.Sprintf("note %d", k)
		if k == 119 {
			mustBackup(t, w)
		}
		x.events = append(x.events, mustAppend(t, w, ev))
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
		Name: "first", Created: time.Unix(1000, 0).UTC(), Family: testFamily(t), Images: "all",
		Suite: saved.Suite{Name: "pets", Hash: hashOf("pets"), Images: 300}, Layout: layout,
		Labels:   saved.Labels{Source: "column rule_label", Counts: map[string]int{"invariant": 10, "variant": 10}},
		Versions: map[string]string{"variscope": "0.1.0"},
	}
	for i := range 20 {
		row := assess.Row{ID: fmt.Sprint("m", i), Hash: hashOf(fmt.Sprint(i)), Label: d.Classes[i%2]}
		for range d.Names {
			row.X = append(row.X, random.Float64()+float64(i%2))
		}
		d.Rows = append(d.Rows, row)
		f.Training = append(f.Training, saved.Example{ID: row.ID, Hash: row.Hash, Label: row.Label})
	}
	a, err := assess.Train(t.Context(), d, d.Labelled(), assess.Settings{Algorithm: assess.DecisionTree, Seed: 1})
	must(t, err)
	f.Assessor, f.TrainingHash = a, saved.TrainingHash(d, d.Labelled())
	data, err := f.Encode()
	must(t, err)
	return data
}

// copied is the same workspace in a folder of its own; times of files are kept, which tell whether
// images are those of the import.
func (x folder) copied(t *testing.T) folder {
	t.Helper()
	to := filepath.Join(t.TempDir(), "ill"+database.Suffix)
	err := filepath.Walk(x.path, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(x.path, path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return os.Mkdir(filepath.Join(to, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, name), info.ModTime(), info.ModTime())
	})
	must(t, err)
	return folder{to}
}

func (x everything) copied(t *testing.T) everything {
	t.Helper()
	x.folder = x.folder.copied(t)
	return x
}

// within changes the database behind the store's back.
func (x folder) within(t *testing.T, change func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(x.file(database.File), 0o644, nil)
	must(t, err)
	must(t, db.Update(change))
	must(t, db.Close())
}

// dump is every record of the database: bucket, key, value.
func (x folder) dump(t *testing.T) map[string]map[string]string {
	t.Helper()
	db, err := bbolt.Open(x.file(database.File), 0o644, &bbolt.Options{ReadOnly: true})
	must(t, err)
	defer func() { _ = db.Close() }()
	records := map[string]map[string]string{}
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			records[string(name)] = map[string]string{}
			return b.ForEach(func(key, value []byte) error {
				records[string(name)][string(key)] = string(value)
				return nil
			})
		})
	})
	must(t, err)
	return records
}

// kinds are the kinds of findings, each once, in order.
func kinds(list []Finding) []string {
	seen := map[string]bool{}
	for _, f := range list {
		seen[f.Kind] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// flip changes one byte in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	data := mustRead(t, path)
	data[len(data)/2] ^= 0x55
	mustWrite(t, path, data)
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

func mustWrite(t testing.TB, path string, data []byte) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, data, 0o644))
}

func mustRemove(t *testing.T, path string) {
	t.Helper()
	must(t, os.Remove(path))
}

func mustExamine(t *testing.T, path string) Examination {
	t.Helper()
	e, err := Examine(t.Context(), path, noProgress{})
	must(t, err)
	return e
}

func mustRepair(t *testing.T, path string) Repaired {
	t.Helper()
	r, err := Repair(t.Context(), path, noProgress{})
	must(t, err)
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
