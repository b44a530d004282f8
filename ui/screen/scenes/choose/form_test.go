package choose

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	scenes "github.com/variscope/variscope/store/background"
)

// TestDialogBeginsWithWhatThereIs: the newest masks, table and ontology, and again with what a
// selection was chosen by.
func TestDialogBeginsWithWhatThereIs(t *testing.T) {
	w := scenestest.New(t, 0)
	subject := w.Subject()
	subject.Selection = ""
	r := newRig(t, w, subject)
	r.idle()
	r.page.view.Known = true
	for name, c := range map[string]*chooser{
		"new": r.page.open(func(*formValues) {}, vetoes{}, Verdicts{}), "again": r.page.again(w.Ask()),
	} {
		o := c.ask.Form.Options()
		if name == "new" {
			o.N = scenestest.N
		}
		if got, err := scenes.AskOf(w.Workspace, o.options()); err != nil || !reflect.DeepEqual(got, w.Ask()) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if words, options := c.command(o); len(words) != 4 || option.Check(options) != nil {
			t.Errorf("%s: %v", name, words)
		}
		o.Ontology = madeOf + w.Table.Hash
		made, err := c.choose(t.Context(), o)
		if err != nil || !reflect.DeepEqual(made.ask.Ontology.Rule, w.Ontology.Rule) || made.ask.Ontology.ID != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// put puts a text into the form of a dialog.
func (c *chooser) put(t *testing.T, name, text string) {
	t.Helper()
	testdata.OK(t, c.ask.Form.Put(name, text))
}

// TestChooseScenes: the dialog previews, refuses what cannot be, and creates what the command
// would.
func TestChooseScenes(t *testing.T) {
	w := scenestest.New(t, 0)
	subject := w.Subject()
	subject.Selection = ""
	r := newRig(t, w, subject)
	v := r.idle()
	if r.page.Body.Visible() {
		t.Fatal("there is no selection")
	}
	c := r.page.open(func(*formValues) {}, vetoes{}, Verdicts{})
	ready := func() bool { return c.last.Load() != nil && c.facts.Text != "" && !r.button("Create").Disabled() }
	r.stage.Until("preview", ready)
	if text := c.facts.Text; !strings.Contains(text, "different backgrounds of 48") ||
		!strings.Contains(text, "Plausibility") {
		t.Error(text)
	}
	c.put(t, "n", "49")
	r.stage.Until("49 are refused", func() bool { return r.button("Create").Disabled() })
	c.put(t, "n", "6")
	c.put(t, "method", "random")
	r.stage.Until("preview of 6", func() bool { return ready() && c.last.Load().plan.Selection.N() == 6 })
	c.put(t, "name", w.Selection.Name)
	r.stage.Until("the name is taken", func() bool { return r.button("Create").Disabled() })
	c.put(t, "name", "mine")
	r.stage.Until("the name is free", ready)
	r.press("Create")
	r.stage.Until("created", func() bool { return v.Record.Name == "mine" })
	r.idle()
	plan, err := scenes.Select(t.Context(), w.Workspace, v.Ask, engine.NoProgress{})
	if err != nil || v.Record.N != 6 || v.Record.Hash != plan.Selection.Hash() || len(r.calls.Steps) != 1 ||
		!strings.Contains(r.calls.Said, "mine") {
		t.Errorf("%+v, %v; %s", v.Record, err, r.calls.Said)
	}
	c = r.page.again(v.Ask)
	r.stage.Until("the same again", ready)
	r.press("Create")
	r.stage.Until("told", func() bool { return strings.Contains(r.calls.Said, "there already") })
	r.idle()
}

func TestRunForm(t *testing.T) {
	w := scenestest.New(t, 3)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	family := testdata.Must(w.Selection.Family())(t)
	form := r.page.askRun().Form
	req, err := v.request(form.Options())
	if err != nil || len(req.Models) != 1 || req.Models[0] != w.Models[2].Hash || req.Family != family ||
		req.Suite != w.Targets.Hash || len(req.Positions) != 0 {
		t.Errorf("%+v, %v", req, err)
	}
	r.stage.Until("it says what is missing", func() bool { return r.says("Tests have no ONNX Runtime") })
	r.page.site.Runtime = struct{ engine.Runtime }{}
	if text, err := r.page.cost(running{Which: "all"}); err != nil || !strings.Contains(text, "324 inferences") {
		t.Errorf("%s, %v", text, err)
	}
	testdata.OK(t, form.Put("which", "some"))
	r.stage.Until("none was chosen", func() bool {
		return r.says("Choose at least one model") && r.button("Start").Disabled()
	})
	testdata.OK(t, form.Put("models", v.Models[0].label()))
	r.stage.Until("one was chosen", func() bool { return !r.button("Start").Disabled() })
	r.press("Start")
	if len(r.calls.Started) != 1 || !slices.Equal(r.calls.Started[0].Models, []string{v.Models[0].Hash}) {
		t.Errorf("%+v", r.calls.Started)
	}
}

// TestTheFeatherOfTheSelectionStays: the slider has steps and an end; where it was not moved the
// selection's own feather counts.
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

func TestDialogSaysWhatIsWrong(t *testing.T) {
	w := scenestest.New(t, 0)
	r := newRig(t, w, w.Subject())
	r.idle()
	c := r.page.open(func(*formValues) {}, vetoes{}, Verdicts{})
	for want, change := range map[string]func(*formValues){
		"has masks":            func(w *formValues) { w.Masks = "" },
		"choose another suite": func(w *formValues) { w.Backgrounds = w.Targets },
		"choose an ontology":   func(w *formValues) { w.Ontology = "" },
		"there are 48":         func(w *formValues) { w.N = 49 },
		"take another name":    func(o *formValues) { o.Name = w.Selection.Name },
	} {
		typed := c.ask.Form.Options()
		change(&typed)
		if _, err := c.choose(t.Context(), typed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
