package graph

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// TestWorld: what the page shows of the scenes world are the numbers of zoo/scenes.
func TestWorld(t *testing.T) {
	r := worldRig(t)
	v := r.page.view
	m, current := r.page.mined()
	if len(v.Graph.Nodes) != 34 || len(v.Graph.Edges) != 202 || len(m.Sets) != 542 || !current ||
		len(r.page.rules.Shown()) != len(m.Rules) {
		t.Errorf("%d nodes, %d edges, %d itemsets, %d of %d rules", len(v.Graph.Nodes), len(v.Graph.Edges), len(m.Sets),
			len(r.page.rules.Shown()), len(m.Rules))
	}
	if got := v.Caption(); got != "34 keywords, 202 edges, 0 edits; "+
		"support from 0.05, confidence from 0.3; 960 images of world" {
		t.Errorf("caption %q", got)
	}
	if !r.page.graph.net.Focused() {
		t.Error("the graph does not have the keyboard")
	}
	r.page.rules.SetFilter("snow")
	rules := r.page.rules.Shown()
	r.page.rules.OnSelect(rules[0], true)
	if len(rules) == 0 || len(rules) == len(m.Rules) || !strings.Contains(r.calls.Said, " images with ") {
		t.Errorf("%d rules of snow, said %q", len(rules), r.calls.Said)
	}
	if r.page.rules.OnOpen(rules[0]); v.chosen != rules[0].Antecedent[0] {
		t.Error("a double click does not go to the rule's keyword")
	}
}

// TestSearch finds a keyword, brings it to the middle and chooses it; Return again goes on, Escape
// ends it.
func TestSearch(t *testing.T) {
	r := worldRig(t)
	g, v := r.page.graph, r.page.view
	g.net.Keys.OnRune('s')
	if r.window.Canvas().Focused() != fyne.Focusable(g.search) || g.search.Text != "s" {
		t.Fatalf("typing does not search: %q", g.search.Text)
	}
	g.search.SetText("ROOM")
	if len(g.found) != 2 || !strings.HasPrefix(r.calls.Said, "2 keywords: ") {
		t.Fatalf("found %v, said %q", g.found, r.calls.Said)
	}
	g.search.OnSubmitted("")
	first := v.Chosen()
	if p := g.net.Data().Points[g.found[0]]; p.ID != first || p.Emphasis != result.Chosen ||
		!strings.HasPrefix(r.calls.Said, first+": in ") {
		t.Errorf("%+v, said %q", p, r.calls.Said)
	}
	g.search.OnSubmitted("")
	if second := v.Chosen(); second == first || !strings.HasSuffix(second, "room") {
		t.Errorf("%q after %q", second, first)
	}
	g.search.SetText("no such word")
	if g.search.OnSubmitted(""); !strings.Contains(r.calls.Said, "no keyword") {
		t.Errorf("said %q", r.calls.Said)
	}
	g.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if g.search.Text != "" || !g.net.Focused() {
		t.Error("Escape does not end the search")
	}
}

// TestNeighbourhood: steps and ways as they are chosen, and edges of the chosen keyword beside the
// graph.
func TestNeighbourhood(t *testing.T) {
	r := worldRig(t)
	g, v := r.page.graph, r.page.view
	item := r.item("snow")
	g.net.OnTap("snow")
	near := func() (n int) {
		for _, p := range g.net.Data().Points {
			if p.Emphasis == result.Plain {
				n++
			}
		}
		return n
	}
	either := near()
	if len(v.edges()) != len(v.Shown.From(item))+len(v.Shown.To(item)) || r.page.only.Disabled() {
		t.Errorf("%d edges of snow", len(v.edges()))
	}
	put := func(name, text string) {
		if err := g.around.Put(name, text); err != nil {
			t.Error(err)
		}
	}
	put("way", "out")
	if got, want := near(), len(v.Shown.From(item)); got != want {
		t.Errorf("leads to %d, want %d", got, want)
	}
	put("way", "in")
	if got, want := near(), len(v.Shown.To(item)); got != want {
		t.Errorf("reached from %d, want %d", got, want)
	}
	put("way", "either")
	put("hops", "2")
	if near() <= either {
		t.Error("two steps are no more than one")
	}
	r.page.only.SetChecked(true)
	r.idle()
	if m, _ := r.page.mined(); len(r.page.rules.Shown()) == 0 || len(r.page.rules.Shown()) == len(m.Rules) {
		t.Errorf("%d rules of snow", len(r.page.rules.Shown()))
	}
	r.page.tabs.Select("edges")
	r.press("All edges")
	if v.chosen != -1 || near() != 34 || len(v.edges()) != 202 {
		t.Errorf("chosen %d, %d edges", v.chosen, len(v.edges()))
	}
}

// TestEditing: an edge is set, added and removed, a keyword cut off; each edit is stored, undone,
// made again and taken back alone, and nothing in the graph moves.
func TestEditing(t *testing.T) {
	r := worldRig(t)
	v, e := r.page.view, r.page.edges
	spots := slices.Clone(r.page.places().spots)
	r.page.graph.net.OnTap(itemset.EdgeID("sand", "sea"))
	if r.page.tabs.Front() != "edges" || e.from.Text != "sand" || e.to.Text != "sea" ||
		!strings.HasPrefix(r.calls.Said, "from sand to sea: confidence") {
		t.Fatalf("an edge that is clicked: %q > %q, said %q", e.from.Text, e.to.Text, r.calls.Said)
	}
	e.note.SetText("beaches")
	e.weight.SetText("0.8")
	r.press("Set weight")
	r.stored(1)
	if got := v.Record.Edits[0]; got != (itemset.Edit{From: "seg_sand", To: "seg_sea", Weight: 0.8, Note: "beaches"}) {
		t.Errorf("edit %+v", got)
	}
	if e.note.Text != "" {
		t.Errorf("the reason %q is there for the next edit", e.note.Text)
	}
	if got := r.calls.Said; got != "edge from sand to sea: 0.8" {
		t.Errorf("said %q", got)
	}
	r.press("Remove edge")
	r.stored(2)
	if len(v.Graph.Edges) != 201 || r.button("Remove edge").Disabled() != true {
		t.Errorf("%d edges", len(v.Graph.Edges))
	}
	r.press("Add edge")
	r.stored(3)
	r.page.choose(r.item("snow"))
	of := len(v.edges())
	r.press("Cut snow off")
	r.stored(3 + of)
	if len(v.edges()) != 0 || v.EdgesCaption() != "snow stands alone: no edge leads to it or away from it." ||
		len(v.Graph.Nodes) != 34 {
		t.Errorf("%d edges of snow: %q", len(v.edges()), v.EdgesCaption())
	}
	r.undo()
	r.stored(3)
	r.redo()
	r.stored(3 + of)
	r.undo()
	r.stored(3)
	r.page.tabs.Select("edits")
	r.page.edits.Select("2")
	r.press("Take this edit back") // the removal
	r.stored(2)
	if got := v.Record.Edits; got[0].Weight != 0.8 || got[1].Weight != 0.8 {
		t.Errorf("edits %v", got)
	}
	r.press("Take all back")
	r.stored(0)
	r.undo()
	r.stored(2)
	if !slices.Equal(spots, r.page.places().spots) {
		t.Error("an edit moved nodes")
	}
}

// TestSelectionsRest: selections that were chosen by the ontology are named, with the edits that it
// had then, and stay when it goes.
func TestSelectionsRest(t *testing.T) {
	ws := scenestest.New(t, 0)
	r := newRig(t, ws, ws.Subject(), fyne.NewSize(1180, 660))
	v := r.idle()
	if len(v.Selected) != 1 || !strings.Contains(v.EditsNote(), "near (0 edits)") {
		t.Fatalf("rests on it: %+v; %q", v.Selected, v.EditsNote())
	}
	r.press("Remove…")
	r.press("Remove")
	r.stage.Until("it is removed", func() bool { return r.page.Idle() && !r.page.view.Has })
	r.says("No ontology was made of the keyword table")
	if list, err := ws.Selections(); err != nil || len(list) != 1 {
		t.Errorf("%d selections, %v", len(list), err)
	}
	r.undo()
	r.stage.Until("it is back", func() bool { return r.page.view.Has })
	r.idle()
	r.redo()
	r.stage.Until("it is gone again", func() bool { return r.page.Idle() && !r.page.view.Has })
}

// TestSmallOnes: a table with one keyword, and one whose keywords are never together.
func TestSmallOnes(t *testing.T) {
	row := func(file string, vector ...float64) background.Row {
		return background.Row{File: file, Kind: background.BackgroundKind, Vector: vector}
	}
	ws := scenestest.Suites(t)
	one, oneGraph := added(t, ws.Workspace, "one",
		background.Table{
			Elements: []string{"sky"}, Scenes: []string{"sky"}, Rows: []background.Row{row("a", 1, 1), row("b", 1, 1)},
		})
	apart, apartGraph := added(t, ws.Workspace, "apart",
		background.Table{
			Elements: []string{"sky", "sea"}, Scenes: []string{"beach"},
			Rows: []background.Row{row("a", 1, 0, 0), row("b", 0, 1, 0)},
		})
	r := newRig(t, ws, page.Subject{Table: one.Hash, Ontology: oneGraph.ID}, fyne.NewSize(1180, 660))
	v := r.idle()
	if len(v.Graph.Nodes) != 1 || len(r.page.places().spots) != 1 || len(r.page.rules.Shown()) != 0 {
		t.Errorf("%d nodes, %d rules", len(v.Graph.Nodes), len(r.page.rules.Shown()))
	}
	r.show(page.Subject{Table: apart.Hash, Ontology: apartGraph.ID})
	r.stage.Until("the other one is shown", func() bool { return r.page.view.Record.ID == apartGraph.ID })
	if r.idle(); len(v.Graph.Nodes) != 2 || len(v.Graph.Edges) != 0 ||
		!strings.HasPrefix(v.EdgesCaption(), "No edge is there") {
		t.Errorf("%d nodes, %d edges, %q", len(v.Graph.Nodes), len(v.Graph.Edges), v.EdgesCaption())
	}
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if v.chosen < 0 {
		t.Error("no keyword can be chosen")
	}
	var figure strings.Builder
	if err := render.Draw(&figure, r.page.figure(), render.Part{}, "svg"); err != nil || figure.Len() == 0 {
		t.Errorf("figure of %d bytes, %v", figure.Len(), err)
	}
}

// TestEmptyStates: without a table, and with an ontology that cannot be built.
func TestEmptyStates(t *testing.T) {
	ws := scenestest.Suites(t)
	r := newRig(t, ws, page.Subject{}, fyne.NewSize(1180, 660))
	r.stage.Until("no table", r.page.Idle)
	r.says("this workspace has none yet")
	r.press("Keywords of images")
	if !slices.Equal(r.calls.Opened, []page.Kind{page.Keywords}) || !r.page.fresh.Disabled() {
		t.Errorf("opened %v", r.calls.Opened)
	}
	table, o := world(t, ws.Workspace)
	for want, change := range map[string]func(*store.OntologyRecord){
		"is empty: no keyword is in 100.0 % of the 960 images": func(o *store.OntologyRecord) { o.MinSupport = 1 },
		"seg_dune": func(o *store.OntologyRecord) {
			o.Edits = []itemset.Edit{{From: "seg_dune", To: "seg_sea", Weight: 1}}
		},
	} {
		o := o
		change(&o)
		testdata.Must(ws.PutOntology(o))(t)
		r.show(page.Subject{Table: table.Hash, Ontology: o.ID})
		r.says(want)
	}
	if len(r.calls.Errors) > 0 {
		t.Errorf("errors %v", r.calls.Errors)
	}
}
