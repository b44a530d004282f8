package graph

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	window fyne.Window
	page   *Page
	calls  *scenestest.Calls
	shows  page.Subject
}

// world is the whole table of the scenes world, with its ontology as in zoo/scenes/expected.
func world(tb testing.TB, ws *store.Workspace) (store.KeywordTable, store.OntologyRecord) {
	tb.Helper()
	root, _ := testdata.Zoo("scenes")
	file := testdata.Must(os.Open(filepath.Join(root, "keywords.csv")))(tb)
	defer file.Close()
	table := testdata.Must(background.ReadTable(file))(tb)
	return added(tb, ws, "world", table)
}

// added adds a table and an ontology of it with the usual thresholds.
func added(
	tb testing.TB, ws *store.Workspace, name string, table background.Table,
) (store.KeywordTable, store.OntologyRecord) {
	tb.Helper()
	kept := testdata.Must(ws.AddKeywords(name, "file", table))(tb)
	o, err := ws.PutOntology(store.OntologyRecord{
		Name: name, Table: kept.Hash, Rule: background.PaperRule().Without(table.Classes()...),
		MinSupport: itemset.DefaultMinSupport, MinConfidence: itemset.DefaultMinConfidence,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return kept, o
}

// newRig puts the page on a stage, over a workspace that prepare, which may be nil, has changed; it
// returns what is looked at.
func newRig(t *testing.T, ws *scenestest.Workspace, subject page.Subject, size fyne.Size) *rig {
	r := &rig{T: t, stage: stage.New(t), ws: ws}
	r.window = r.stage.Window(fynewidget.NewLabel(""), size)
	site, calls := ws.Site(t, r.window)
	r.calls = calls
	site.Choose = func(s page.Subject) {
		calls.Chosen = append(calls.Chosen, s)
		r.show(s)
	}
	r.page = New(site)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.show(subject)
	r.page.Shown()
	return r
}

// worldRig is one of the whole scenes world.
func worldRig(t *testing.T) *rig {
	ws := scenestest.New(t, 0)
	table, o := world(t, ws.Workspace)
	r := newRig(t, ws, page.Subject{Table: table.Hash, Ontology: o.ID}, fyne.NewSize(1180, 660))
	r.idle()
	return r
}

func (r *rig) show(s page.Subject) {
	r.shows = s
	r.page.Look(s)
}

// idle waits until nothing is under way.
func (r *rig) idle() *View {
	r.Helper()
	p := r.page
	r.stage.Until("the page is idle", func() bool { return p.Idle() && p.layout.Idle() && p.mining.Idle() && !p.busy })
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
	return p.view
}

// stored waits until the stored ontology has so many edits, and the page shows them.
func (r *rig) stored(edits int) *View {
	r.Helper()
	r.stage.Until("the edits are shown", func() bool { return len(r.page.view.Record.Edits) == edits })
	return r.idle()
}

// undo takes the newest step back, redo makes it again.
func (r *rig) undo() {
	r.Helper()
	testdata.OK(r, r.calls.Steps[len(r.calls.Steps)-1].Undo(context.Background()))
}

func (r *rig) redo() {
	r.Helper()
	testdata.OK(r, r.calls.Steps[len(r.calls.Steps)-1].Redo(context.Background()))
}

func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	return r.stage.Button(r.window, text)
}

// says waits until a text stands in the window, or in the uppermost dialog.
func (r *rig) says(want string) {
	r.Helper()
	r.stage.Until(want, func() bool {
		found := false
		root := r.window.Canvas().Overlays().Top()
		if root == nil {
			root = r.window.Content()
		}
		stage.Walk(root, func(o fyne.CanvasObject) {
			if label, ok := o.(*fynewidget.Label); ok && strings.Contains(label.Text, want) {
				found = true
			}
		})
		return found
	})
}

func (r *rig) press(text string) {
	r.Helper()
	r.stage.Press(r.window, text)
}

// item is a keyword by its name.
func (r *rig) item(name string) int {
	r.Helper()
	at := slices.Index(r.page.view.Shown.Names, name)
	if at < 0 {
		r.Fatalf("there is no keyword %q", name)
	}
	return at
}
