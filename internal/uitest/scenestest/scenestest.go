// Package scenestest makes workspaces for the tests of the Background screen and its pages: real
// ones on disk, with targets, masks, backgrounds and keywords of the scenes world, an ontology, a
// selection, and models whose signals in its scenes were recorded as the engine records them.
package scenestest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/history"
	quiet "github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// What a workspace has: targets per class of Classes, backgrounds, and scenes per target.
const (
	PerClass    = 4
	Targets     = 3 * PerClass
	Backgrounds = 48
	N           = 8
)

// Classes are the targets' classes in the suite's order, which is that of all models.
var Classes = []string{"car", "dog", "fish"}

// Workspace is what New made.
type Workspace struct {
	*store.Workspace
	Targets, Backgrounds suite.Manifest
	Masks                store.MaskSet
	Table                store.KeywordTable
	Ontology             store.OntologyRecord // "all"
	Selection            store.SelectionRecord
	// m00, m01, ...: the later, the more scenes matter; the last has no signals where there are two
	// or more
	Models []model.Model
}

// Suites makes a workspace below a temporary folder that has both suites with their images and the
// masks, and nothing else; it is closed when the test ends.
func Suites(tb testing.TB) *Workspace {
	tb.Helper()
	root, ok := testdata.Zoo("scenes")
	if !ok {
		tb.Fatal("the repository has a copy of the scenes, and it is not there")
	}
	folder := tb.TempDir()
	ws := testdata.Must(store.Create(filepath.Join(folder, "scenes.variscope")))(tb)
	tb.Cleanup(func() { _ = ws.Close() })
	w := &Workspace{Workspace: ws}
	for _, name := range files() {
		copyFile(tb, filepath.Join(root, name), filepath.Join(folder, name))
		if below, target := strings.CutPrefix(name, "targets"); target {
			copyFile(tb, filepath.Join(root, "masks", below), filepath.Join(folder, "masks", below))
		}
	}
	w.Targets = w.addSuite(tb, filepath.Join(folder, "targets"))
	w.Backgrounds = w.addSuite(tb, filepath.Join(folder, "backgrounds"))
	w.Masks = testdata.Must(ws.AddMasks(context.Background(), w.Targets.Hash, filepath.Join(folder, "masks"), false,
		engine.NoProgress{}))(tb)
	return w
}

// New is Suites with the keyword table, the ontology "all", the selection "near" by keywords, and
// that many models, of which all but the last have signals in its scenes (one alone has them).
func New(tb testing.TB, models int) *Workspace {
	tb.Helper()
	w := Suites(tb)
	w.addKeywords(tb)
	w.Selection = w.Choose(tb, "near", nil)
	for k := range models {
		m := w.AddModel(tb, k)
		if k < models-1 || models == 1 {
			w.Run(tb, m, k, w.Selection)
		}
	}
	return w
}

// Subject is the workspace's table, ontology and selection.
func (w *Workspace) Subject() page.Subject {
	return page.Subject{Table: w.Table.Hash, Ontology: w.Ontology.ID, Selection: w.Selection.Hash}
}

// Ask asks for N scenes by keywords, with the defaults of the command.
func (w *Workspace) Ask() scenes.Ask {
	return scenes.Ask{
		Targets: w.Targets.Hash, Backgrounds: w.Backgrounds.Hash, Masks: w.Masks.Hash, Ontology: w.Ontology,
		Expansion: background.DefaultExpansion(), Choice: background.Choice{
			Method: background.ByKeywords, N: N, Seed: 1,
		}, Align: background.Keep,
	}
}

// Choose adds a selection; change, which may be nil, changes what is asked for.
func (w *Workspace) Choose(tb testing.TB, name string, change func(*scenes.Ask)) store.SelectionRecord {
	tb.Helper()
	ask := w.Ask()
	if change != nil {
		change(&ask)
	}
	plan := testdata.Must(scenes.Select(context.Background(), w.Workspace, ask, engine.NoProgress{}))(tb)
	added := testdata.Must(w.AddSelection(name, plan.Selection))(tb)
	return testdata.Must(w.Workspace.Selection(added.Hash))(tb)
}

// files are the images that are taken from the scenes world, below its folder.
func files() (list []string) {
	for _, class := range Classes {
		for k := range PerClass {
			list = append(list, filepath.Join("targets", class, class+"_0"+string(rune('0'+k))+".png"))
		}
	}
	for k := range Backgrounds {
		list = append(list, filepath.Join("backgrounds", "bg_00"+string(rune('0'+k/10))+string(rune('0'+k%10))+".png"))
	}
	return list
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	images.Put(tb, to, testdata.Must(os.ReadFile(from))(tb))
}

func (w *Workspace) addSuite(tb testing.TB, folder string) suite.Manifest {
	tb.Helper()
	m := testdata.Must(suite.Scan(context.Background(), folder, suite.Options{}, engine.NoProgress{}))(tb)
	m = testdata.Must(w.AddSuite(m))(tb)
	return testdata.Must(w.Suite(m.Hash))(tb)
}

// addKeywords adds the rows of the world's table that the suites have, and their ontology.
func (w *Workspace) addKeywords(tb testing.TB) {
	tb.Helper()
	root, _ := testdata.Zoo("scenes")
	file := testdata.Must(os.Open(filepath.Join(root, "keywords.csv")))(tb)
	defer file.Close()
	table := testdata.Must(background.ReadTable(file))(tb)
	ours := map[string]bool{}
	for _, name := range files() {
		ours[filepath.ToSlash(name)] = true
	}
	table.Rows = slices.DeleteFunc(table.Rows, func(row background.Row) bool { return !ours[row.File] })
	w.Table = testdata.Must(w.AddKeywords("keywords.csv", "file", table))(tb)
	rule := background.PaperRule()
	rule.Excluded = Classes
	w.Ontology = testdata.Must(w.PutOntology(store.OntologyRecord{
		Name: "all", Table: w.Table.Hash, Rule: rule, MinSupport: itemset.DefaultMinSupport,
		MinConfidence: itemset.DefaultMinConfidence,
	}))(tb)
}

// Calls is what a page asked its surroundings for.
type Calls struct {
	Inspected, Located, Rounds []string
	Imports, Assessed          int
	Started                    []job.Request
	Steps                      []history.Step
	Chosen                     []page.Subject
	Opened                     []page.Kind
	Said                       string
	Errors                     []error
}

// Site is that of a page in a window. Runtime is nil, and Problem says so. Background work ends
// with the test.
func (w *Workspace) Site(tb testing.TB, window fyne.Window) (page.Site, *Calls) {
	tb.Helper()
	c := &Calls{}
	work := quiet.New(fyne.Do)
	tb.Cleanup(func() { work.Stop(); work.Wait() })
	return page.Site{
		Workspace: w.Workspace,
		Host: &kit.Host{
			Window: window, Work: work, Changes: w.Subscribe,
			Status:    func(text string) { c.Said = text },
			ShowError: func(err error) { c.Errors = append(c.Errors, err) },
			Inspect:   func(hash string) { c.Inspected = append(c.Inspected, hash) }, Import: func() { c.Imports++ },
			Start: func(runs ...kit.Run) {
				for _, r := range runs {
					c.Started = append(c.Started, job.Request{
						Models: r.Models, Suite: r.Suite, Family: r.Family, Positions: r.Positions,
					})
				}
			},
			Locate: func(hash string) { c.Located = append(c.Located, hash) },
		},
		Problem: "tests have no ONNX Runtime", Version: "test",
		Compute:  func(reqs ...job.Request) { c.Started = append(c.Started, reqs...) },
		NewRound: func(selection string) { c.Rounds = append(c.Rounds, selection) },
		Assess:   func() { c.Assessed++ },
		Did:      func(s history.Step) { c.Steps = append(c.Steps, s) },
		Choose:   func(s page.Subject) { c.Chosen = append(c.Chosen, s) },
		Open: func(k page.Kind, s page.Subject) {
			c.Opened, c.Chosen = append(c.Opened, k), append(c.Chosen, s)
		},
	}, c
}
