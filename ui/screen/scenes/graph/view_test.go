package graph

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// fewKeywords is a view of five images: sand and sea go together, a boat is on the sea once, a lamp
// stands alone.
func fewKeywords(t *testing.T) *View {
	t.Helper()
	names := []string{"seg_sea", "seg_sand", "seg_boat", "scene_lamp_shop"}
	images := [][]int{{0, 1}, {0, 1}, {0, 1, 2}, {0}, {3}}
	graph := testdata.Must(itemset.New(names, images, 0.4, 0.5))(t)
	v := &View{chosen: -1}
	v.Take(dataOf(graph, images))
	return v
}

func dataOf(graph itemset.Ontology, images [][]int) Data {
	d := Data{
		Has: true, Graph: graph, Shown: graph, Present: images, Table: store.KeywordTable{Name: "few.csv"},
		Record: store.OntologyRecord{Name: "few", MinSupport: 0.4, MinConfidence: 0.5, Edits: graph.Edits},
		names:  background.KeywordNames(graph.Names),
	}
	d.Shown.Names = d.names.People
	return d
}

func TestEditsThatAreTyped(t *testing.T) {
	v := fewKeywords(t)
	if got, err := v.edit(change{"sea", "lamp shop", "0,5", ""}); err != nil ||
		got != (itemset.Edit{From: "seg_sea", To: "scene_lamp_shop", Weight: 0.5}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := v.edit(change{"sea", "sand", "0", ""}); err == nil || !strings.Contains(err.Error(), "above 0") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"sand": "from sea to sand: confidence 0.750, in 3 of 5 images, lift 1.25",
		"boat": "and a rare keyword to the graph", "lamp shop": "No such edge", "sea": "", "x": "",
	} {
		if got := v.about(change{from: "sea", to: text}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("about sea and %s: %q", text, got)
		}
	}
	if got := v.offered("A"); !slices.Equal(got, []string{"boat", "lamp shop", "sand", "sea"}) {
		t.Errorf("offered %q", got)
	}
	if got := v.offered("lam"); !slices.Equal(got, []string{"lamp shop"}) {
		t.Errorf("offered %q", got)
	}
}

// TestTakeKeepsTheChosenKeyword by its name, as long as it is a node.
func TestTakeKeepsTheChosenKeyword(t *testing.T) {
	v := fewKeywords(t)
	v.chosen = 1
	v.Take(v.Data)
	if v.Chosen() != "sand" || v.node(1) != 1 || v.node(2) != -1 || v.item(1) != 1 || v.item(9) != -1 ||
		v.item(-1) != -1 {
		t.Errorf("chosen %q", v.Chosen())
	}
	other := v.Data
	other.Shown.Nodes = []int{0}
	if v.Take(other); v.Chosen() != "" {
		t.Errorf("chosen %q", v.Chosen())
	}
}
