package background_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// TestRecallIsThePlan: what a kept selection was chosen from is found again, also with an ontology
// that was never kept.
func TestRecallIsThePlan(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/fish/fish_04.png"})
	ask := w.ask(6)
	ask.Vetoed = []int{3}
	usual := store.OntologyRecord{
		Table: w.table.Hash, Rule: background.RefcodeRule(), MinSupport: 0.05, MinConfidence: 0.3,
	}
	unusual := usual
	unusual.MinSupport = 0.2
	for name, o := range map[string]store.OntologyRecord{"kept": w.ontology, "usual": usual, "unknown": unusual} {
		ask.Ontology, ask.Feather = o, float64(len(name)) // equal scenes would be one selection
		plan := w.plan(ask)
		record := testdata.Must(w.ws.AddSelection(name, plan.Selection))(w)
		record = testdata.Must(w.ws.Selection(record.Hash))(w)
		again, got, err := scenes.Recall(t.Context(), w.ws, record)
		if name == "unknown" {
			if !errors.Is(err, scenes.ErrNoOntology) || len(got.Ontology.Nodes) != 0 || len(got.Expansions) != 2 ||
				!slices.Equal(got.Scenes, plan.Scenes) {
				t.Errorf("%s: %v", name, err)
			}
			for _, k := range got.Expansions[0] {
				if k.Level != 0 {
					t.Errorf("%s: expanded without an ontology", name)
				}
			}
			continue
		}
		must(w, err)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if late, _, err := scenes.Recall(ended, w.ws, record); !errors.Is(err, context.Canceled) ||
			late.Ontology.Table != "" {
			t.Errorf("%s: after a cancel %v; an ontology was built: %+v", name, err, late.Ontology)
		}
		if !reflect.DeepEqual(got, plan) || !reflect.DeepEqual(again, ask) {
			t.Errorf("%s: %+v, want %+v", name, again, ask)
		}
	}
}

// TestPreviewIsAComposite: with the selection's own settings it is the composite, with others it is
// another picture.
func TestPreviewIsAComposite(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png"})
	ask := w.ask(3)
	ask.Feather, ask.Align = 1, background.Ground
	c := testdata.Must(scenes.Open(w.ws, w.selection(ask).Hash))(w)
	defer c.Close()
	want := testdata.Must(c.Picture(0, 2, 48, 48))(w)
	same := testdata.Must(c.Preview(0, 2, 48, 48, 1, background.Ground))(w)
	other := testdata.Must(c.Preview(0, 2, 48, 48, 0, background.Keep))(w)
	if !slices.Equal(want.Pix, same.Pix) || slices.Equal(want.Pix, other.Pix) {
		t.Error("the preview is another picture")
	}
	if _, err := c.Preview(0, 0, 48, 48, 0, background.Keep); err == nil {
		t.Error("the target itself has no preview")
	}
}
