package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/pages"
)

var must = testdata.OK

// fresh makes a workspace that is checked and closed at the end of the test.
func fresh(tb testing.TB) *Workspace {
	tb.Helper()
	w, err := Create(filepath.Join(tb.TempDir(), "quiet"))
	must(tb, err)
	tb.Cleanup(func() { checkAndClose(tb, w) })
	return w
}

// unsynced makes a workspace fast and unsafe, for tests of what is stored, not of how safely.
func unsynced(w *Workspace) *Workspace {
	w.db.NoSync = true
	return w
}

// reopen opens a workspace that is checked and closed at the end of the test.
func reopen(tb testing.TB, path string) *Workspace {
	tb.Helper()
	w, err := Open(path)
	must(tb, err)
	tb.Cleanup(func() { checkAndClose(tb, w) })
	return w
}

// reopened checks and closes a workspace and opens it again, as another process does.
func reopened(tb testing.TB, w *Workspace) *Workspace {
	tb.Helper()
	checkAndClose(tb, w)
	return reopen(tb, w.Path())
}

func checkAndClose(tb testing.TB, w *Workspace) {
	tb.Helper()
	check(tb, w)
	if err := w.Close(); err != nil {
		tb.Error(err)
	}
}

// check runs bbolt's own check, and ours on the file, which nobody may be writing; a closed
// workspace is passed over.
func check(tb testing.TB, w *Workspace) {
	tb.Helper()
	if !checkTree(tb, w) {
		return
	}
	if w.fixed == nil {
		checkJournal(tb, w)
	}
	f, err := os.Open(filepath.Join(w.path, database.File))
	must(tb, err)
	defer func() { _ = f.Close() }()
	if err := pages.Check(context.Background(), f,
		func(problem error) { tb.Errorf("pages: %v", problem) }); err != nil {
		tb.Errorf("pages: %v", err)
	}
}

// checkJournal looks whether database and journal hold the same.
func checkJournal(tb testing.TB, w *Workspace) {
	tb.Helper()
	c, err := database.ReadJournal(context.Background(), w.path, database.WholeJournal)
	must(tb, err)
	must(tb, w.View(func(tx *bbolt.Tx) error {
		if d := database.Compare(tx, c); len(d.Records) > 0 || d.Absent() || c.Bad > 0 || c.End != database.StoredEnd(tx) {
			tb.Errorf("journal: %+v, %d bad lines, %d bytes in place of %d", d, c.Bad, c.End, database.StoredEnd(tx))
		}
		return nil
	}))
}

// checkTree runs bbolt's own check and is false where the workspace is closed. A copy of another's
// database has had ours when it was opened, and the file in its folder is the owner's, who may be
// writing it.
func checkTree(tb testing.TB, w *Workspace) bool {
	tb.Helper()
	return w.db.View(func(tx *bbolt.Tx) error {
		for problem := range tx.Check() {
			tb.Errorf("database: %v", problem)
		}
		return nil
	}) == nil
}

// snapshot lists every file of a folder with its content's hash, to see that nothing changed.
func snapshot(tb testing.TB, folder string) string {
	tb.Helper()
	var list strings.Builder
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || info.Mode()&os.ModeSocket != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&list, "%s %x\n", path, sha256.Sum256(data))
		return err
	})
	must(tb, err)
	return list.String()
}

// parts lists what unfinished writes have left in a folder.
func parts(tb testing.TB, folder string) []string {
	tb.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, database.PartSuffix) {
			list = append(list, path)
		}
		return err
	})
	must(tb, err)
	return list
}

// addModel stores a model whose file is the text of its id.
func addModel(tb testing.TB, w *Workspace, id string) model.Model {
	tb.Helper()
	m, _, err := w.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: testGraph()}, strings.NewReader("model "+id))
	must(tb, err)
	return m
}

func testGraph() model.Graph {
	return model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
		Outputs: []model.Output{{Name: "y", Classes: 3}}, Convs: []string{"c1", "c2"},
		Tensors: []string{"c1", "r1", "c2", "y"},
	}
}

// addSuite stores a suite of images 0.png, 1.png, ... whose labels are 0, 1, 2, 0, ... The files
// hold their names only.
func addSuite(tb testing.TB, w *Workspace, name string, images int) suite.Manifest {
	tb.Helper()
	m, err := w.AddSuite(writeSuite(tb, name, images))
	must(tb, err)
	return m
}

func writeSuite(tb testing.TB, name string, images int) suite.Manifest {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), name)
	m := suite.Manifest{
		Hash: hashOf(name), Name: name, Format: suite.Folder, Root: root, Classes: []string{"cat", "dog", "eel"},
		Named: true, Images: images, Shape: [3]int{1, 8, 8}, Counts: make([]int, 3),
	}
	for i := range images {
		class := i % 3
		m.Labels = append(m.Labels, class)
		m.Counts[class]++
		file := filepath.Join(root, m.Classes[class], fmt.Sprintf("%d.png", i))
		mustWrite(tb, file, []byte(file))
		info, err := os.Stat(file)
		must(tb, err)
		m.Files = append(m.Files, suite.File{
			Path: m.Classes[class] + fmt.Sprintf("/%d.png", i), Size: info.Size(), Modified: info.ModTime(),
		})
	}
	return m
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// testFamily has three transformations.
func testFamily(tb testing.TB) string {
	tb.Helper()
	f, err := transform.Parse("rotation:-15:15:15")
	must(tb, err)
	return f.String()
}

func testSpec(tb testing.TB, m model.Model, s suite.Manifest) signal.Spec {
	tb.Helper()
	spec, err := specOf(m, s, testFamily(tb))
	must(tb, err)
	return spec
}

// roundSpec is testSpec for a round's first model, for child processes.
func roundSpec(w *Workspace, r label.Round) (signal.Spec, error) {
	m, err := w.Model(r.Models[0])
	if err != nil {
		return signal.Spec{}, err
	}
	s, err := w.Suite(r.Suite)
	if err != nil {
		return signal.Spec{}, err
	}
	return specOf(m, s, r.Family)
}

func specOf(m model.Model, s suite.Manifest, family string) (signal.Spec, error) {
	settings, err := m.Settings()
	return signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: 8, Width: 8,
		Positions: []signal.Position{
			{Name: model.CONF, Tensor: "y"}, {Name: model.Conv1, Tensor: "c2"}, {Name: model.Conv2, Tensor: "c1"},
		},
		Vectors: []string{"L2@CONV-1"}, Batch: 32, Runtime: "1", Arch: "a", Level: "l",
	}, err
}

// testUnit makes the unit of a chunk from a formula, so that every number tells where it belongs.
func testUnit(spec signal.Spec, chunk, transformations, classes int) *signal.Unit {
	first, n := spec.ChunkImages(chunk)
	u := &signal.Unit{Chunk: chunk, Transformations: transformations, Images: n, Classes: classes}
	for t := range transformations {
		for k := range n {
			image := first + k
			u.Prediction = append(u.Prediction, int32((image+t/2)%classes))
			u.Confidence = append(u.Confidence, testSignal(9, 9, t, image))
			if classes > signal.FullSoftmaxClasses {
				u.TrueScore = append(u.TrueScore, testSignal(8, 8, t, image))
			}
			for c := range classes {
				if classes <= signal.FullSoftmaxClasses {
					u.Softmax = append(u.Softmax, testSignal(c, 7, t, image))
				}
			}
		}
	}
	for p := range spec.Positions {
		var reduced []float32
		for r := range signal.Reducers {
			for t := range transformations {
				for k := range n {
					reduced = append(reduced, testSignal(p, r, t, first+k))
				}
			}
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	for range spec.Vectors {
		var distances []float32
		for p := range signal.Pairs(transformations) {
			for k := range n {
				distances = append(distances, testSignal(6, 6, p, first+k))
			}
		}
		u.Distances = append(u.Distances, distances)
	}
	return u
}

func testSignal(a, b, t, image int) float32 {
	return float32(math.Sin(float64(a*1000+b*100+t*10)) + math.Cos(float64(image+a*t)))
}

// runModel records all units of a spec and finishes it.
func runModel(tb testing.TB, w *Workspace, m model.Model, spec signal.Spec) engine.Task {
	tb.Helper()
	for chunk := range spec.Chunks() {
		must(tb, w.Record(tb.Context(), spec, testUnit(spec, chunk, 3, 3)))
	}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1, 2}, MappedBy: "by index", Skipped: 2}
	must(tb, w.Finish(tb.Context(), task))
	return task
}

// addRound makes a round of two annotators over models.
func addRound(tb testing.TB, w *Workspace, s suite.Manifest, models ...model.Model) label.Round {
	tb.Helper()
	r := label.Round{
		Name: "first", Suite: s.Hash, Family: testFamily(tb), Guideline: "look",
		Annotators: []string{"A", "B"},
	}
	for _, m := range models {
		r.Models = append(r.Models, m.Hash)
	}
	r, err := w.CreateRound(tb.Context(), r)
	must(tb, err)
	return r
}

func labelEvent(r label.Round, m, annotator string, v label.Value) label.Event {
	return label.Event{
		Round: r.ID, Model: m, Annotator: annotator, Kind: label.Label, Value: v, Sure: true,
		Seconds: 1.5,
	}
}

func mustAppend(tb testing.TB, w *Workspace, ev label.Event) label.Event {
	tb.Helper()
	ev, err := w.Append(ev)
	must(tb, err)
	return ev
}
