package background_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a workspace with targets of the scenes world, their masks, all backgrounds, the keyword
// table and its ontology.
type world struct {
	testing.TB
	folder               string // of the scenes
	ws                   *store.Workspace
	files                []string // targets, as selection.csv names them
	targets, backgrounds suite.Manifest
	masks                store.MaskSet
	table                store.KeywordTable
	ontology             store.OntologyRecord
}

// summary is what is read of expected/summary.json.
type summary struct {
	Targets []string `json:"targets"`
	D       float64  `json:"axis_max"`
	Raster  int      `json:"raster"`
	Mining  struct {
		Support    float64 `json:"min_support"`
		Confidence float64 `json:"min_confidence"`
	} `json:"mining"`
	Expansion    background.Expansion `json:"expansion"`
	Interpolants [][3]float64         `json:"interpolants"`
	Measures     []string             `json:"measures"`
	// Models are, by id, scale, accuracies and matrix means.
	Models map[string]map[string]json.RawMessage `json:"models"`
}

func scenesFolder(tb testing.TB) string {
	tb.Helper()
	folder, ok := testdata.Zoo("scenes")
	if !ok {
		tb.Fatal("the repository has a copy of the scenes, and it is not there")
	}
	return folder
}

func readSummary(tb testing.TB, folder string) summary {
	tb.Helper()
	var s summary
	data, err := os.ReadFile(filepath.Join(folder, "expected", "summary.json"))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	must(tb, err)
	return s
}

// newWorld has the targets with these names of selection.csv, "targets/dog/dog_00.png".
func newWorld(tb testing.TB, files []string) *world {
	tb.Helper()
	ws := sums.Empty(tb)
	w := &world{TB: tb, folder: scenesFolder(tb), files: files, ws: ws}
	w.targets = w.suite(w.chosenTargets(), w.classes())
	backgrounds := testdata.Must(allBackgrounds())(w)
	w.backgrounds = testdata.Must(ws.AddSuite(backgrounds))(w)
	w.masks = testdata.Must(ws.AddMasks(tb.Context(), w.targets.Hash, filepath.Join(w.folder, "masks"), false,
		engine.NoProgress{}))(w)
	w.addKeywords()
	return w
}

// allBackgrounds are the backgrounds of the scenes, looked through once: there are 600 pictures,
// and no test changes them.
var allBackgrounds = sync.OnceValues(func() (suite.Manifest, error) {
	folder, _ := testdata.Zoo("scenes")
	return suite.Scan(context.Background(), filepath.Join(folder, "backgrounds"), suite.Options{}, nil)
})

func (w *world) classes() []string {
	w.Helper()
	names := testdata.Must(os.ReadFile(filepath.Join(w.folder, "labels", "objects.txt")))(w)
	return strings.Fields(string(names))
}

// chosenTargets copies the targets to a folder of their own.
func (w *world) chosenTargets() string {
	w.Helper()
	root := filepath.Join(w.TempDir(), "targets")
	for _, file := range w.files {
		copyFile(w, root, w.folder, "targets", strings.TrimPrefix(file, "targets/"))
	}
	return root
}

func (w *world) suite(root string, classes []string) suite.Manifest {
	w.Helper()
	m := testdata.Must(suite.Scan(w.Context(), root, suite.Options{Classes: classes}, nil))(w)
	return testdata.Must(w.ws.AddSuite(m))(w)
}

func (w *world) addKeywords() {
	w.Helper()
	file := testdata.Must(os.Open(filepath.Join(w.folder, "keywords.csv")))(w)
	defer func() { _ = file.Close() }()
	table := testdata.Must(background.ReadTable(file))(w)
	w.table = testdata.Must(w.ws.AddKeywords("keywords.csv", "file", table))(w)
	mining := readSummary(w, w.folder).Mining
	w.ontology = testdata.Must(w.ws.PutOntology(store.OntologyRecord{
		Name: "all", Table: w.table.Hash, Rule: background.PaperRule(), MinSupport: mining.Support,
		MinConfidence: mining.Confidence,
	}))(w)
}

// ask asks for n scenes by keywords.
func (w *world) ask(n int) scenes.Ask {
	return scenes.Ask{
		Targets: w.targets.Hash, Backgrounds: w.backgrounds.Hash, Masks: w.masks.Hash, Ontology: w.ontology,
		Expansion: readSummary(w, w.folder).Expansion,
		Choice:    background.Choice{Method: background.ByKeywords, N: n, Seed: 1},
	}
}

func (w *world) plan(ask scenes.Ask) scenes.Plan {
	w.Helper()
	return testdata.Must(scenes.Select(w.Context(), w.ws, ask, engine.NoProgress{}))(w)
}

// selection keeps a plan's selection.
func (w *world) selection(ask scenes.Ask) store.SelectionRecord {
	w.Helper()
	return testdata.Must(w.ws.AddSelection("", w.plan(ask).Selection))(w)
}

// records reads a CSV file of the scenes without its header.
func records(tb testing.TB, parts ...string) [][]string {
	tb.Helper()
	file := testdata.Must(os.Open(filepath.Join(parts...)))(tb)
	defer func() { _ = file.Close() }()
	all := testdata.Must(csv.NewReader(file).ReadAll())(tb)
	return all[1:]
}

// chosenInFile are the scenes of selection.csv by target, as file names.
func chosenInFile(tb testing.TB, folder string) map[string][]string {
	tb.Helper()
	chosen := map[string][]string{}
	for _, row := range records(tb, folder, "selection.csv") {
		chosen[row[0]] = row[1:]
	}
	return chosen
}

func (w *world) sceneName(s background.Scene) string {
	return path.Base(w.backgrounds.ImageName(s.Background))
}

// copyFile copies a file below the scenes' folder to the same place below root.
func copyFile(tb testing.TB, root, folder, below, name string) {
	tb.Helper()
	data := testdata.Must(os.ReadFile(filepath.Join(folder, below, filepath.FromSlash(name))))(tb)
	images.Put(tb, filepath.Join(root, filepath.FromSlash(name)), data)
}

// hideFolder moves a folder away while do runs.
func hideFolder(tb testing.TB, folder string, do func()) {
	tb.Helper()
	away := folder + "-away"
	must(tb, os.Rename(folder, away))
	do()
	must(tb, os.Rename(away, folder))
}

func editOf(from, to string, weight float64) itemset.Edit {
	return itemset.Edit{From: from, To: to, Weight: weight}
}
