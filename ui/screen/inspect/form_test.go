package inspect

import (
	"bytes"
	"image"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// settingsOpen opens the form and waits for its first preview.
func (r *rig) settingsOpen() *settingsAsk {
	r.Helper()
	a := r.screen.AskSettings()
	r.answered(a)
	return a
}

// answered waits until nothing more is computed or waited for.
func (r *rig) answered(a *settingsAsk) {
	r.Helper()
	asked := a.preview.answers
	r.stage.Until("previewed", func() bool { return a.preview.answers > asked && a.preview.Idle() })
}

func (r *rig) put(a *settingsAsk, name, text string) {
	r.Helper()
	testdata.OK(r, a.ask.Form.Put(name, text))
	r.answered(a)
}

func TestScreenCorrectsSettings(t *testing.T) {
	r := newRig(t, 3)
	m := r.store.Imported[0]
	r.shows(m.Hash)
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if tabs, ok := o.(*container.AppTabs); ok && tabs.Items[0].Text == "Record" {
			tabs.SelectIndex(2)
		}
	})
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "inspect-settings")
	if !r.stage.Button(r.window, "Drop corrections").Disabled() {
		t.Error("nothing is corrected, and can be dropped")
	}
	a := r.settingsOpen()
	if a.hint("kind") != "now from models.csv" || a.ask.Form.Options().Mean != "0.519" {
		t.Errorf("form %q, mean %q", a.hint("kind"), a.ask.Form.Options().Mean)
	}
	r.put(a, "std", "0")
	if p := a.preview; !p.problem.Visible() || !strings.Contains(p.problem.Text, "must not be 0") ||
		p.given.Visible() || !r.stage.Button(r.window, "Save").Disabled() {
		t.Errorf("problem %q", p.problem.Text)
	}
	r.put(a, "std", "0.5")
	if p := a.preview; p.problem.Visible() || !strings.Contains(p.words.Text, "divided by std 0.5") {
		t.Errorf("words %q, problem %q", p.words.Text, p.problem.Text)
	}
	r.stage.Press(r.window, "Save")
	r.until("stale", func() bool {
		return strings.HasPrefix(r.evidence().State, "its signals are for other preprocessing")
	})
	got, err := r.store.Model(m.Hash)
	if err != nil || !slices.Equal(got.Correction.Std, []float64{0.5}) || len(r.did) != 1 {
		t.Errorf("correction %+v, %v", got.Correction, err)
	}
	r.stage.Press(r.window, "Drop corrections")
	r.until("back", func() bool { return r.evidence().Ready() })
}

// TestPreviewShowsWhatARunFeeds: picture and numbers are those of the engine, which a test of it
// compares with a run. An unreadable recipe shows its sentence in their place.
func TestPreviewShowsWhatARunFeeds(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	a := r.settingsOpen()
	p := a.preview
	if p.problem.Visible() || p.form.Text != "float32 1 x 1 x 6 x 6, nchw" ||
		p.fileText.Text != "the file: 6 × 6, gray" || p.name.Text != "bird/00.png" {
		t.Errorf("%q, %q, %q, %q", p.problem.Text, p.form.Text, p.fileText.Text, p.name.Text)
	}
	r.put(a, "recipe", "resize=sideways")
	if !p.problem.Visible() || !strings.Contains(p.problem.Text, "resize=sideways: it is none of") ||
		p.given.Visible() || p.file.Picture() == nil {
		t.Errorf("%q", p.problem.Text)
	}
	r.put(a, "recipe", "imagenet")
	if !strings.Contains(p.problem.Text, "the model takes 6 x 6") {
		t.Errorf("%q", p.problem.Text)
	}
	r.put(a, "recipe", "resize=shorter:9;crop=center:6x6;mean=0.5")
	if o := a.ask.Form.Options(); o.Mean != "0.5" || o.Std != "1" || o.Resize != "" {
		t.Errorf("beside the recipe stands %q, %q, %q", o.Mean, o.Std, o.Resize)
	}
	if p.problem.Visible() || !p.given.Visible() ||
		p.modelText.Text != "the model: 6 × 6, gray; resized to 9 × 9, cut" {
		t.Errorf("%q, %q", p.problem.Text, p.modelText.Text)
	}
	test.Tap(p.after)
	r.answered(a)
	corrected := testdata.Must(a.corrected())(t)
	s := testdata.Must(r.store.OpenSuite(p.suite.Hash))(t)
	defer s.Close()
	img := testdata.Must(s.Image(1))(t)
	want := testdata.Must(engine.Give(corrected, p.suite, img))(t)
	var table strings.Builder
	testdata.OK(t, engine.GivenChannels.Sheet(want.Channels()).Text(&table))
	if strings.TrimSpace(p.numbers.Text) != strings.TrimSpace(table.String()) {
		t.Errorf("%s\n%s", p.numbers.Text, table.String())
	}
	if got := p.model.Picture().(*image.RGBA); !bytes.Equal(got.Pix, want.Fitted.RGBA().Pix) {
		t.Error("the picture is not what the model gets")
	}
}

// TestNamedRecipesBecomeTexts: the texts that a name puts into the form mean what the name means.
func TestNamedRecipesBecomeTexts(t *testing.T) {
	for _, name := range recipe.Names() {
		m := tiny()
		m.Graph.Input = model.Input{Layout: model.NCHW, Channels: 3}
		m.Correction = model.Correction{Recipe: name}
		want, err := m.Settings()
		if err != nil {
			t.Fatal(err)
		}
		again := FormOf(m)
		m.Correction = model.Correction{Mean: []float64{0.1}, Std: []float64{0.2}, Resize: model.Crop}
		typed := FormOf(m)
		typed.Recipe = name
		for k, f := range []Form{FormOf(m).Named(name), typed, again} {
			changed := m
			if changed.Correction, err = f.Correction(m); err != nil {
				t.Fatal(err)
			}
			if got, err := changed.Settings(); err != nil || got.Recipe.Text() != want.Recipe.Text() ||
				!got.Preprocessing.Equal(want.Preprocessing) {
				t.Errorf("%s, %d: %s, not %s, %v", name, k, got.Recipe.Text(), want.Recipe.Text(), err)
			}
		}
	}
}

// What the form says of mean and std is in force after it was saved, also beside a recipe without
// them.
func TestFormMeansWhatItSays(t *testing.T) {
	f := FormOf(tiny()) // mean 0.5 from the record
	f.Recipe, f.Resize = "resize=shorter:8;crop=center:6x6", ""
	m := tiny()
	var err error
	if m.Correction, err = f.Correction(m); err != nil {
		t.Fatal(err)
	}
	if s, err := m.Settings(); err != nil || !slices.Equal(s.Preprocessing.Mean, []float64{0.5}) ||
		s.Recipe.CropHeight != 6 {
		t.Errorf("%+v, %v", s.Preprocessing, err)
	}
	f.Batch = -1
	if _, err := f.Correction(m); err == nil || !strings.Contains(err.Error(), "batch of -1") {
		t.Error(err)
	}
}
