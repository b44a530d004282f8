package background_test

import (
	"reflect"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// TestOptionsAskForTheSame: what a selection was chosen by is asked for again by its options, with
// an ontology that is kept and with one that is made.
func TestOptionsAskForTheSame(t *testing.T) {
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/fish/fish_04.png"})
	kept := w.ask(6)
	kept.Feather, kept.Align = 1.5, background.Ground
	made := w.ask(6)
	made.Align = background.Keep
	made.Ontology = store.OntologyRecord{
		Table: w.table.Hash, Rule: background.PaperRule().Without(w.classes()...),
		MinSupport: itemset.DefaultMinSupport, MinConfidence: itemset.DefaultMinConfidence,
	}
	for name, want := range map[string]scenes.Ask{"kept": kept, "made": made} {
		got, err := scenes.AskOf(w.ws, want.Options())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	o := kept.Options()
	o.Ontology = "gone"
	testdata.Refused(t, "error", testdata.Err(scenes.AskOf(w.ws, o)), "it has all")
}

// TestNameOfSelections: a name that was asked for must be free; another one says how scenes are
// chosen.
func TestNameOfSelections(t *testing.T) {
	w := newWorld(t, []string{"targets/dog/dog_00.png"})
	ask := w.ask(4)
	plan := w.plan(ask)
	name := func(asked, want string) {
		t.Helper()
		if got, err := ask.Name(w.ws, asked); err != nil || got != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	name(" mine ", "mine")
	for k, want := range []string{"keywords-4", "keywords-4-2", "keywords-4-3"} {
		name("", want)
		plan.Selection.Feather = float64(k) // another selection
		testdata.Must(w.ws.AddSelection(want, plan.Selection))(w)
	}
	if _, err := ask.Name(w.ws, "keywords-4"); err == nil {
		t.Error("the name is taken")
	}
	ask.Choice = background.Choice{Method: background.ByIntervals, N: 4, Seed: 3, Jitter: true}
	ask.Vetoed, ask.Feather, ask.Align = []int{1, 2}, 1.5, background.Ground
	name("", "intervals-4-jitter-seed-3-without-2-feather-1.5-ground")
	ask = scenes.Ask{Choice: background.Choice{Method: background.Random, N: 4, Seed: 3}}
	name("", "random-4-seed-3")
}
