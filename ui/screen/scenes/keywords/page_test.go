package keywords

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is the page of a workspace on a stage.
type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	calls  *scenestest.Calls
	page   *Page
	window fyne.Window
}

func newRig(t *testing.T, ws *scenestest.Workspace, s *stage.Stage, size fyne.Size) *rig {
	r := &rig{T: t, stage: s, ws: ws}
	r.window = s.Window(fynewidget.NewLabel(""), size)
	var site page.Site
	site, r.calls = ws.Site(t, r.window)
	r.page = New(site)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.page.Look(ws.Subject())
	r.page.Shown()
	r.idle()
	return r
}

// idle waits until what is shown is what there is.
func (r *rig) idle() *View {
	r.Helper()
	r.stage.Until("read", func() bool { return r.page.Idle() })
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
	return r.page.view
}

// shows tells whether a text stands in the window.
func (r *rig) shows(text string) (found bool) {
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if label, ok := o.(*fynewidget.Label); ok && strings.Contains(label.Text, text) {
			found = true
		}
	})
	return found
}

// far changes how far keywords are expanded.
func (r *rig) far(name, text string) {
	if err := r.page.far.Put(name, text); err != nil {
		r.Error(err)
	}
}

// tap presses a button of the window by its text, the last of several.
func (r *rig) tap(text string) {
	var found *fynewidget.Button
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Text == text {
			found = b
		}
	})
	test.Tap(found)
}

// pictures waits until all thumbnails in sight and the large picture are there.
func (r *rig) pictures() {
	r.Helper()
	r.stage.Until("pictures", func() bool {
		missing := slices.ContainsFunc(r.page.gallery.wall.InSight(),
			func(c kit.Card) bool { return c.Sides[0].Picture == nil })
		return !missing && r.page.detail.frame.Picture() != nil
	})
}

// TestFollowsTheKeywords: a keyword's images by click, several by marks from the keyboard, Escape
// shows all again.
func TestFollowsTheKeywords(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.New(t, 0), s, fyne.NewSize(1120, 640))
	v, wall, list := r.page.view, r.page.gallery.wall, r.page.list
	all := scenestest.Targets + scenestest.Backgrounds
	if least := r.page.Object().MinSize(); wall.Count() != all || least.Width > 1120 || least.Height > 640 {
		t.Fatalf("%d images of %d, the page wants %v", wall.Count(), all, least)
	}
	key := func(name fyne.KeyName) { r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name}) }
	key(fyne.KeyHome)
	first := list.Shown()[0].Images
	if wall.Count() != first || first == all {
		t.Errorf("%d images of the first keyword's %d", wall.Count(), first)
	}
	key(fyne.KeySpace)
	key(fyne.KeyDown)
	key(fyne.KeySpace)
	both := wall.Count()
	if len(v.wanted) != 2 || both >= first {
		t.Errorf("wanted %v, %d images with both", v.wanted, both)
	}
	r.page.gallery.join.SetSelectedIndex(1)
	if wall.Count() < first {
		t.Errorf("%d images with either", wall.Count())
	}
	key(fyne.KeyEscape)
	if wall.Count() != all {
		t.Errorf("%d images after Escape", wall.Count())
	}
}

// TestWalksThroughImages: arrow keys on the wall choose, the large picture and the chips follow, a
// chip leads to its images.
func TestWalksThroughImages(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.New(t, 0), s, fyne.NewSize(1120, 640))
	r.pictures()
	v, d := r.page.view, r.page.detail
	r.page.gallery.wall.Focus()
	c := r.window.Canvas()
	before := d.frame.Picture()
	c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	r.stage.Until("another picture", func() bool { return d.frame.Picture() != before })
	if v.Chosen() != len(v.Table.Rows)-1 {
		t.Fatalf("row %d is chosen", v.Chosen())
	}
	r.pictures()
	chips := d.keywords.Chips()
	if len(chips) < 10 || chips[0].Level != 0 || chips[len(chips)-1].Level == 0 {
		t.Fatalf("chips %+v", chips)
	}
	r.far("min-keywords", "1")
	if now := d.keywords.Chips(); now[len(now)-1].Level != 0 {
		t.Errorf("chips of level %d where one keyword is enough", now[len(now)-1].Level)
	}
	r.far("levels", "2")
	r.far("min-keywords", "0")
	s.Until("levels", func() bool { return len(d.counts.levels) == 3 && r.page.Idle() })
	if d.counts.targets != scenestest.Targets || len(d.chart.Data().Lines) != 3 {
		t.Errorf("figure of %d targets", d.counts.targets)
	}
	d.pick(0)
	if !strings.Contains(r.page.gallery.found.Text, "with "+strings.Join(strings.Fields(chips[0].Text)[:1], "")) {
		t.Errorf("found %q after a click on %q", r.page.gallery.found.Text, chips[0].Text)
	}
	var kept bg.Expansion
	s.Until("remembered", func() bool {
		found, err := r.ws.Setting(settingExpansion, &kept)
		return err == nil && found && kept == bg.Expansion{MaxLevels: 2}
	})
}

// TestAnotherRuleIsCountedAtOnce: the list follows the fields, what cannot be is said, and the
// ontology's other rule is remarked.
func TestAnotherRuleIsCountedAtOnce(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.New(t, 0), s, fyne.NewSize(1120, 640))
	v := r.page.view
	before := v.Counts.Mean
	put := func(name, text string) error { return r.page.rule.Put(name, text) }
	testdata.OK(t, errors.Join(put("rule", "own"), put("share", "20")))
	s.Until("recounted", func() bool { return v.Counts.Mean < before })
	if !strings.Contains(r.page.detail.note.Text, "another rule") {
		t.Errorf("note %q", r.page.detail.note.Text)
	}
	if err := put("share", "100"); err == nil {
		t.Error("a share of 100 % is taken")
	}
	testdata.OK(t, put("rule", "refcode"))
	s.Until("the code's rule", func() bool { return v.Rule.Scenes == 5 })
	testdata.OK(t, put("exclude", "sky"))
	s.Until("without sky", func() bool { return !slices.Contains(v.Keywords.Items, "seg_sky") })
	r.idle()
	r.page.Look(page.Subject{Table: r.ws.Table.Hash})
	s.Until("the usual rule of another subject", func() bool { return r.page.Idle() && v.Rule.Scenes == 1 })
	if o := r.page.rule.Options(); o.Rule != "paper" || len(o.Exclude) != 3 {
		t.Errorf("the form asks for %+v", o)
	}
}

// TestWithoutOntology: nothing is expanded, and a button leads on.
func TestWithoutOntology(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.New(t, 0), s, fyne.NewSize(1120, 640))
	r.page.Look(page.Subject{Table: r.ws.Table.Hash})
	s.Until("read", func() bool { return r.page.Idle() && r.page.view.Graph.Record.ID == "" })
	d := r.page.detail
	if !d.onward.Visible() || !strings.Contains(d.note.Text, "no ontology") || d.chart.Data().Drawable() {
		t.Errorf("note %q", d.note.Text)
	}
	test.Tap(d.make)
	if len(r.calls.Opened) != 1 || r.calls.Opened[0] != page.Ontology {
		t.Errorf("opened %v", r.calls.Opened)
	}
}

// TestRemovesTables: a table that an ontology rests on stays and the reason is said; without one
// it goes.
func TestRemovesTables(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.New(t, 0), s, fyne.NewSize(1120, 640))
	r.page.remove(r.ws.Table)
	s.Until("refused", func() bool { return len(r.calls.Errors) == 1 })
	if err := r.calls.Errors[0]; !strings.Contains(err.Error(), "ontology all rests on it") {
		t.Errorf("refused with %v", err)
	}
	r.calls.Errors = nil
	other := handMade()
	record := testdata.Must(r.ws.AddKeywords("by hand", "file", other))(t)
	r.page.Look(page.Subject{Table: record.Hash})
	s.Until("shown", func() bool { return r.page.view.Record.Hash == record.Hash && r.page.Idle() })
	if r.page.view.Place(0).Suite != "" || r.page.gallery.wall.Count() != 5 {
		t.Error("images of other names were found")
	}
	r.page.remove(record)
	s.Until("gone", func() bool { _, err := r.ws.Keywords(record.Hash); return err != nil && r.calls.Said != "" })
	if r.calls.Said != "removed by hand" {
		t.Errorf("said %q", r.calls.Said)
	}
}

// TestForgetsPicturesOfOtherTables: the pictures of a suite go with the table that had it, and so
// does what was wrong with them.
func TestForgetsPicturesOfOtherTables(t *testing.T) {
	s := stage.New(t)
	ws := scenestest.New(t, 0)
	testdata.OK(t, os.RemoveAll(ws.Backgrounds.Root))
	r := newRig(t, ws, s, fyne.NewSize(1120, 640))
	g := r.page.gallery
	s.Until("the images are missed", func() bool {
		g.wall.Select(g.wall.Count() - 1)
		return g.wall.Problem()
	})
	if len(g.caches) != 2 {
		t.Fatalf("%d caches", len(g.caches))
	}
	table := r.page.view.Table
	table.Rows = slices.Clone(table.Rows)
	table.Rows = slices.DeleteFunc(table.Rows, func(row bg.Row) bool { return row.Kind != bg.TargetKind })
	record, err := ws.AddKeywords("targets alone", "file", table)
	if err != nil {
		t.Fatal(err)
	}
	r.page.Look(page.Subject{Table: record.Hash})
	s.Until("read", func() bool { return r.page.Idle() && r.page.view.Record.Hash == record.Hash })
	if len(g.caches) != 1 || g.caches[ws.Targets.Hash] == nil || g.wall.Problem() {
		t.Errorf("%d caches, missing images: %v", len(g.caches), g.wall.Problem())
	}
}

// TestEmptyStates: what helps where there is no table, and where there are no images.
func TestEmptyStates(t *testing.T) {
	s := stage.New(t)
	r := newRig(t, scenestest.Suites(t), s, fyne.NewSize(1120, 640))
	if !r.shows("What do the images contain?") || !r.page.table.Disabled() {
		t.Error("nobody says how to read keywords")
	}
	folder := t.TempDir()
	ws := testdata.Must(store.Create(filepath.Join(folder, "empty.variscope")))(t)
	t.Cleanup(func() { _ = ws.Close() })
	r = newRig(t, &scenestest.Workspace{Workspace: ws}, s, fyne.NewSize(1120, 640))
	if !r.shows("no images yet") || !r.page.masks.Disabled() {
		t.Error("nobody says that there are no images")
	}
	r.tap("Import…")
	if r.calls.Imports != 1 {
		t.Error("the button does not import")
	}
}
