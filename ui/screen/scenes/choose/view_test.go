package choose

import (
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
)

// viewOf is the view of a workspace's selection.
func viewOf(t *testing.T, w *scenestest.Workspace) *View {
	t.Helper()
	d, err := read(t.Context(), w.Workspace, w.Subject())
	if err != nil || d.Lack != "" || !d.Known {
		t.Fatal(d.Lack, err)
	}
	v := NewView()
	v.Take(d)
	return v
}

func TestTilesAreInOrderOfDistance(t *testing.T) {
	v := viewOf(t, scenestest.New(t, 0))
	for target := range scenestest.Targets {
		v.Look(target)
		tiles := v.Tiles()
		if len(tiles) != scenestest.N+1 || tiles[0].Image != 0 || v.Place() != 1 {
			t.Fatalf("target %d: %+v", target, tiles)
		}
		for k, tile := range tiles[1:] {
			if tile.Rank != k+1 || tile.Scene != v.Record.Selection.Chosen[target][tile.Image-1] || k > 0 &&
				tile.Distance < tiles[k].Distance {
				t.Errorf("target %d, place %d: %+v", target, k+1, tile)
			}
		}
	}
	if v.hint(-1) != "" || !strings.Contains(v.hint(2), "chosen as number") {
		t.Errorf("beside the tiles it says %q, over one %q", v.hint(-1), v.hint(2))
	}
	v.Look(99)
	if v.Target() != -1 || len(v.Tiles()) > 0 || v.Headline() != "" || v.facts() != nil {
		t.Error("there is no such target")
	}
}

func TestNumbersOfTwoSelections(t *testing.T) {
	w := scenestest.New(t, 0)
	random := w.Choose(t, "random", func(a *scenes.Ask) { a.Choice.Method = background.Random })
	v := viewOf(t, w)
	v.Look(5)
	said := func(sheet *result.Sheet, key string, row int) string {
		f := sheet.Fields[sheet.Field(key)]
		return f.Say(row)
	}
	if c := v.compared(nil); c.Len() != 2 || len(c.Fields) != 10 ||
		said(c, "distance_mean", 0) != result.Number.Say(v.Mean(5), 0) {
		t.Errorf("%+v", c)
	}
	o := &other{name: "random", selection: random.Selection}
	c := v.compared(o)
	far := max(v.Record.Selection.Far(), random.Selection.Far())
	d := random.Selection.Diversity(far)
	if said(c, "of", 2) != "random" || said(c, "distance_mean", 2) != result.Number.Say(d.Distance.Mean, 0) ||
		said(c, "evenness", 2) != result.Number.Say(d.Even, 0) || said(c, "expanded_keywords", 2) != result.None {
		t.Errorf("%+v", c)
	}
	chart := v.chart(o)
	if len(chart.Groups) != 3 || chart.Check() != nil {
		t.Fatalf("%d groups, %v", len(chart.Groups), chart.Check())
	}
	sums := map[int]float64{}
	for _, b := range chart.Boxes {
		sums[b.Group] += b.Y1
	}
	for g, sum := range sums {
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("the shares of group %d sum to %g", g, sum)
		}
	}
}

// TestSelectionWithoutItsOntology: scenes are shown, with what the targets' own keywords say.
func TestSelectionWithoutItsOntology(t *testing.T) {
	w := scenestest.New(t, 0)
	o := w.Ontology
	o.MinSupport, o.ID, o.Name = 0.3, "", "passing"
	r := w.Choose(t, "odd", func(a *scenes.Ask) { a.Ontology, a.Choice.N = o, 5 })
	subject := w.Subject()
	subject.Selection = r.Hash
	d, err := read(t.Context(), w.Workspace, subject)
	if err != nil || d.Known || !strings.Contains(d.Lack, "not kept") || d.Plausibility == nil {
		t.Fatalf("%q, %v", d.Lack, err)
	}
	v := NewView()
	v.Take(d)
	if facts := v.facts(); len(facts) < 4 {
		t.Errorf("%+v", facts)
	}
}

func TestEmptyPages(t *testing.T) {
	ws, err := store.Create(t.TempDir() + "/empty")
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	w := scenestest.Suites(t)
	for _, c := range []struct {
		ws         *store.Workspace
		text, help string
	}{
		{ws, "need images", "Import…"},
		{w.Workspace, "no keywords yet", "Open Keywords"},
		{scenestest.New(t, 0).Workspace, "No testing scenes", "Choose scenes…"},
	} {
		d, err := read(t.Context(), c.ws, w.Subject())
		if err != nil {
			t.Fatal(err)
		}
		p := &Page{Screen: &kit.Screen[struct{}, Data]{Host: &kit.Host{}}}
		if e, is := p.empty(d); !is || !strings.Contains(e.Text, c.text) || e.Help[0].Text != c.help {
			t.Errorf("%+v", e)
		}
	}
}
