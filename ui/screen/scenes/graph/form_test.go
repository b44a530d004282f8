package graph

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// entry is what a text is typed into.
type entry interface {
	SetText(text string)
	TypedShortcut(fyne.Shortcut)
}

// entries are the visible entries of the uppermost dialog, from top to bottom.
func (r *rig) entries() (list []entry) {
	r.Helper()
	stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if e, ok := o.(entry); ok && o.Visible() {
			list = append(list, e)
		}
	})
	return list
}

// The entries of the form.
const (
	entryName = iota
	entryExclude
	entrySupport
	entryConfidence
)

// TestNewOntology: the form counts what there would be, says what is wrong, and adds what it
// counted; it can be undone and made again.
func TestNewOntology(t *testing.T) {
	r := worldRig(t)
	v := r.page.view
	r.press("New ontology…")
	r.says("34 keywords, 202 edges, 0 edits; support from 0.05, confidence from 0.3; 960 images.\n" +
		"542 frequent itemsets")
	r.says("never keywords, either: dog, bird")
	e := r.entries()
	for _, c := range []struct {
		entry        int
		text, before string
		want         string
	}{
		{entryName, " ", "sparse", "Give the ontology a name"},
		{entryName, "world", "sparse", "Another ontology is called world"},
		{entrySupport, "0", "0.05", "Least support takes a number above 0"},
		{entrySupport, "1", "0.05", "The ontology would be empty"},
		{entryConfidence, "x", "0.3", "Least confidence takes a number above 0"},
		{entryExclude, "sky, living room", "", "32 keywords"},
	} {
		e[c.entry].SetText(c.text)
		r.says(c.want)
		if wrong := !strings.Contains(c.want, "keywords"); r.button("Add").Disabled() != wrong {
			t.Errorf("%q: Add can be pressed: %v", c.text, wrong)
		}
		e[c.entry].SetText(c.before)
	}
	e[entryName].SetText("sparse")
	e[entryExclude].SetText("sky, sun")
	e[entrySupport].SetText("0.1")
	e[entryConfidence].SetText("0.5")
	r.stage.Until("it is counted", func() bool { return !r.button("Add").Disabled() })
	r.press("Add")
	r.stage.Until("it is looked at", func() bool { return v.Record.Name == "sparse" })
	r.idle()
	want := background.PaperRule().Without("sky", "sun", "dog", "bird", "car", "turtle", "cat", "butterfly", "guitar",
		"monkey", "fish")
	if got := v.Record; strings.Join(got.Rule.Excluded, " ") != strings.Join(want.Excluded, " ") ||
		got.Rule.Share != 0.01 || got.MinSupport != 0.1 || got.MinConfidence != 0.5 {
		t.Errorf("made by %+v", got)
	}
	if r.window.Canvas().Overlays().Top() != nil || v.find("sky") >= 0 || r.calls.Said != "ontology sparse is added" {
		t.Errorf("said %q", r.calls.Said)
	}
	r.undo()
	r.stage.Until("it is gone", func() bool { return r.page.Idle() && !v.Has })
	r.redo()
	r.stage.Until("it is back", func() bool { return v.Has && v.Record.Name == "sparse" })
	r.idle()
}

// TestChangeOntology: thresholds change, edits stay, and undo brings the thresholds back; a rule
// without a word that was edited is refused.
func TestChangeOntology(t *testing.T) {
	ws := scenestest.New(t, 0)
	o := ws.Ontology
	o.Edits = []itemset.Edit{{From: "seg_sand", To: "seg_sea", Weight: 0.5}}
	testdata.Must(ws.PutOntology(o))(t)
	r := newRig(t, ws, ws.Subject(), fyne.NewSize(1180, 660))
	v := r.idle()
	edges := len(v.Graph.Edges)
	r.press("Change…")
	e := r.entries()
	e[entryExclude].SetText("sand")
	r.says("no item is called")
	e[entryExclude].SetText("")
	e[entryConfidence].SetText("0.7")
	r.stage.Until("it is counted", func() bool { return !r.button("Change").Disabled() })
	r.press("Change")
	r.stage.Until("it is made anew", func() bool { return v.Record.MinConfidence == 0.7 })
	if r.idle(); len(v.Graph.Edges) >= edges || len(v.Record.Edits) != 1 {
		t.Errorf("%d edges of %d, %d edits", len(v.Graph.Edges), edges, len(v.Record.Edits))
	}
	r.undo()
	r.stage.Until("it is as before", func() bool { return v.Record.MinConfidence == 0.3 })
	r.idle()
}

// TestNames: renaming and duplicating ask for a name that no other ontology has.
func TestNames(t *testing.T) {
	r := worldRig(t)
	v := r.page.view
	write := func(text string) { r.entries()[0].SetText(text) }
	r.press("Rename…")
	write("all") // of the small table
	r.says("Another ontology is called all")
	if !r.button("Rename").Disabled() {
		t.Error("a name that is used is taken")
	}
	write("everything")
	r.press("Rename")
	r.stage.Until("it is renamed", func() bool { return v.Record.Name == "everything" })
	r.idle()
	r.undo()
	r.stage.Until("it is called as before", func() bool { return v.Record.Name == "world" })
	r.idle()
	r.page.addEdits("an edit", itemset.Edit{From: "seg_sand", To: "seg_sea", Weight: 0.5})
	r.stored(1)
	before := v.Record.ID
	r.press("Duplicate…")
	r.press("Duplicate")
	r.stage.Until("the copy is looked at", func() bool { return v.Record.ID != before })
	if r.idle(); v.Record.Name != "world 2" || len(v.Record.Edits) != 1 {
		t.Errorf("the copy is %+v", v.Record)
	}
	if got := r.page.free("world 2"); got != "world 3" {
		t.Errorf("the next name is %q", got)
	}
	if got := r.page.free("new"); got != "new" {
		t.Errorf("a free name becomes %q", got)
	}
}

// TestExport: the command makes the same graph, the figure has all its formats, and the ontology
// can be saved.
func TestExport(t *testing.T) {
	r := worldRig(t)
	v := r.page.view
	line := fmt.Sprintf("variscope background rules %s --table %s --min-support %v --min-confidence %v --rule paper",
		r.page.site.Workspace.Path(), v.Record.Table, v.Record.MinSupport, v.Record.MinConfidence)
	if got := r.page.graph.net.Command(); got != line {
		t.Errorf("%q, want %q", got, line)
	}
	items := r.page.exportMenu()
	if got := len(items[len(items)-1].ChildMenu.Items); got != len(r.page.graph.net.Entries()) || len(items) != 6 {
		t.Errorf("%d entries with %d formats", len(items), got)
	}
	items[0].Action()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Error("no file is asked for")
	}
}
