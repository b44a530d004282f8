package choose

import (
	"reflect"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

func TestWishHasTheDefaultsOfTheCommand(t *testing.T) {
	w := scenestest.New(t, 0)
	o, err := offer(w.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	ask, err := newWish(o).ask(o, vetoes{})
	if err != nil {
		t.Fatal(err)
	}
	want := w.Ask()
	want.Choice.N = 32
	if !reflect.DeepEqual(ask, want) {
		t.Errorf("%+v, want %+v", ask, want)
	}
	again, err := wishOf(want, o).ask(o, vetoes{})
	if err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("%+v, %v", again, err)
	}
	usual := newWish(o)
	usual.Ontology = usualOntology + w.Table.Hash
	ask, err = usual.ask(o, vetoes{})
	if err != nil || !reflect.DeepEqual(ask.Ontology.Rule, w.Ontology.Rule) || ask.Ontology.MinSupport != w.Ontology.MinSupport || ask.Ontology.ID != "" {
		t.Errorf("%+v, %v", ask.Ontology, err)
	}
}

func TestWishSaysWhatIsWrong(t *testing.T) {
	w := scenestest.New(t, 0)
	o, err := offer(w.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*wish){
		"suite of targets":         func(w *wish) { w.Targets = "" },
		"has masks":                func(w *wish) { w.Masks = "" },
		"choose a suite of backgr": func(w *wish) { w.Backgrounds = "" },
		"choose another suite":     func(w *wish) { w.Backgrounds = w.Targets },
		"choose an ontology":       func(w *wish) { w.Ontology = "gone" },
		"from 1 to 48":             func(w *wish) { w.N = 49 },
	} {
		typed := newWish(o)
		change(&typed)
		if _, err := typed.ask(o, vetoes{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	typed := newWish(o)
	typed.N = 47
	if _, err := typed.ask(o, vetoes{typed.Backgrounds, []int{3, 5}}); err == nil || !strings.Contains(err.Error(), "from 1 to 46") {
		t.Error(err)
	}
	typed.Name = w.Selection.Name
	if _, err := typed.named(w.Ask(), o); err == nil {
		t.Error("the name is taken")
	}
}

func TestNames(t *testing.T) {
	w := scenestest.New(t, 0)
	there := []store.SelectionRecord{{Name: "keywords-8"}, {Name: "random-4-seed-3"}, {Name: "random-4-seed-3-2"}}
	ask := w.Ask()
	if got := nameOf(ask, there); got != "keywords-8-2" {
		t.Error(got)
	}
	ask.Choice = background.Choice{Method: background.Random, N: 4, Seed: 3}
	if got := nameOf(ask, there); got != "random-4-seed-3-3" {
		t.Error(got)
	}
	ask.Choice = background.Choice{Method: background.ByIntervals, N: 4, Seed: 3, Jitter: true}
	ask.Vetoed, ask.Feather, ask.Align = []int{1, 2}, 1.5, background.Ground
	if got := nameOf(ask, there); got != "intervals-4-jitter-seed-3-without-2-feather-1.5-ground" {
		t.Error(got)
	}
}

// put puts a text into the form of a dialog.
func (c *chooser) put(t *testing.T, name, text string) {
	t.Helper()
	if err := c.ask.Form.Put(name, text); err != nil {
		t.Fatal(err)
	}
}

// TestChooseScenes: the dialog previews, refuses what cannot be, and creates what the command would.
func TestChooseScenes(t *testing.T) {
	w := scenestest.New(t, 0)
	subject := w.Subject()
	subject.Selection = ""
	r := newRig(t, w, subject)
	v := r.idle()
	if r.page.Body.Visible() {
		t.Fatal("there is no selection")
	}
	c := r.page.open(newWish(v.Offer), vetoes{}, Verdicts{})
	ready := func() bool { return c.plan != nil && !r.button("Create").Disabled() }
	r.stage.Until("preview", ready)
	if text := c.facts.Text; !strings.Contains(text, "different backgrounds of 48") || !strings.Contains(text, "Plausibility") {
		t.Error(text)
	}
	made := c.plan
	c.put(t, "name", "another")
	if c.plan != made {
		t.Error("the numbers are computed anew for a name")
	}
	c.put(t, "name", "")
	c.put(t, "n", "49")
	r.stage.Until("49 are refused", func() bool { return r.button("Create").Disabled() })
	c.put(t, "n", "6")
	c.put(t, "method", "random")
	r.stage.Until("preview of 6", func() bool { return ready() && c.plan.Selection.N() == 6 })
	c.put(t, "name", w.Selection.Name)
	r.stage.Until("the name is taken", func() bool { return r.button("Create").Disabled() })
	c.put(t, "name", "mine")
	r.stage.Until("the name is free", ready)
	r.press("Create")
	r.stage.Until("created", func() bool { return v.Record.Name == "mine" })
	r.idle()
	plan, err := scenes.Select(t.Context(), w.Workspace, v.Ask, engine.NoProgress{})
	if err != nil || v.Record.N != 6 || v.Record.Hash != plan.Selection.Hash() || len(r.calls.Steps) != 1 || !strings.Contains(r.calls.Said, "mine") {
		t.Errorf("%+v, %v; %s", v.Record, err, r.calls.Said)
	}
	c = r.page.open(wishOf(v.Ask, v.Offer), vetoes{}, Verdicts{})
	r.stage.Until("the same again", ready)
	r.press("Create")
	r.stage.Until("told", func() bool { return strings.Contains(r.calls.Said, "there already") })
	r.idle()
}

// TestTargetsWithoutKeywordsAreNamed in the preview.
func TestTargetsWithoutKeywordsAreNamed(t *testing.T) {
	w := scenestest.New(t, 0)
	rule := w.Ontology.Rule
	table, err := w.Keywords(w.Table.Hash)
	if err != nil {
		t.Fatal(err)
	}
	rule.Share = 0.5
	rule.Excluded = append(append([]string{}, rule.Excluded...), table.Scenes...)
	bare, err := w.PutOntology(store.OntologyRecord{Name: "bare", Table: w.Table.Hash, Rule: rule, MinSupport: 0.01, MinConfidence: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, w, w.Subject())
	v := r.idle()
	typed := newWish(v.Offer)
	typed.Ontology, typed.N = bare.ID, 4
	c := r.page.open(typed, vetoes{}, Verdicts{})
	r.stage.Until("preview", func() bool { return c.plan != nil })
	if text := c.facts.Text; len(c.plan.Bare) == 0 || !strings.Contains(text, "takes the nearest") && !strings.Contains(text, "take the nearest") {
		t.Errorf("%d bare: %s", len(c.plan.Bare), text)
	}
	r.press("Cancel")
	r.idle()
}

func TestRunForm(t *testing.T) {
	w := scenestest.New(t, 3)
	v := viewOf(t, w)
	stage.New(t)
	f := newRunForm(v, "")
	family, err := w.Selection.Family()
	if err != nil {
		t.Fatal(err)
	}
	req, err := f.request()
	if err != nil || len(req.Models) != 1 || req.Models[0] != w.Models[2].Hash || req.Family != family || req.Suite != w.Targets.Hash || len(req.Positions) != 0 {
		t.Errorf("%+v, %v", req, err)
	}
	f.which.SetSelected(f.groups[allModels])
	if req, err = f.request(); err != nil || len(req.Models) != 3 || !strings.Contains(f.note.Text, "324 inferences") {
		t.Errorf("%+v, %v: %s", req, err, f.note.Text)
	}
	f.which.SetSelected(f.groups[someModels])
	if _, err = f.request(); err == nil || f.list.Disabled() {
		t.Error("none was chosen")
	}
	f.list.SetSelected([]string{f.label(v.Models[0])})
	if req, err = f.request(); err != nil || len(req.Models) != 1 || req.Models[0] != w.Models[0].Hash {
		t.Errorf("%+v, %v", req, err)
	}
	f = newRunForm(v, "no library")
	if _, err = f.request(); err == nil || err.Error() != "no library" {
		t.Error(err)
	}
}

// TestVetoesBelongToTheirSuite: images that were vetoed are numbers of one suite; with other
// backgrounds none is left out.
func TestVetoesBelongToTheirSuite(t *testing.T) {
	w := scenestest.New(t, 0)
	o, err := offer(w.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	typed, v := newWish(o), vetoes{w.Backgrounds.Hash, []int{2, 5}}
	if ask, err := typed.ask(o, v); err != nil || len(ask.Vetoed) != 2 {
		t.Errorf("%v are left out, %v", ask.Vetoed, err)
	}
	v.backgrounds = w.Targets.Hash
	if ask, err := typed.ask(o, v); err != nil || len(ask.Vetoed) != 0 {
		t.Errorf("%v of another suite are left out, %v", ask.Vetoed, err)
	}
}

// TestTheFeatherOfTheSelectionStays: the slider has steps and an end; where it was not moved the selection's own feather counts.
func TestTheFeatherOfTheSelectionStays(t *testing.T) {
	w := scenestest.New(t, 0)
	const own = 20.3
	s := w.Choose(t, "soft", func(a *scenes.Ask) { a.Feather = own })
	subject := w.Subject()
	subject.Selection = s.Hash
	r := newRig(t, w, subject)
	r.idle()
	d := r.page.detail
	if d.feather.Value == own || d.feathered() != own || d.other() {
		t.Errorf("the slider is at %v, the feather %v", d.feather.Value, d.feathered())
	}
	d.feather.SetValue(2)
	if d.feathered() != 2 || !d.other() {
		t.Errorf("moved to %v, the feather %v", d.feather.Value, d.feathered())
	}
}
