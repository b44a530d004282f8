package inspect

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
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
	if err := a.ask.Form.Put(name, text); err != nil {
		r.Fatal(err)
	}
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

// An unreadable recipe shows its sentence in place of what the model gets, and nothing else
// happens.
func TestUnreadableRecipeShowsItsSentence(t *testing.T) {
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
}

// TestPreviewShowsWhatARunFeeds: picture and numbers are those of the engine, which a test of it
// compares with a run.
func TestPreviewShowsWhatARunFeeds(t *testing.T) {
	r := newRigOn(t, photographs(t, 480, 640))
	m := r.store.Imported[2]
	r.screen.Open(m.Hash)
	r.shows(m.Hash)
	a := r.settingsOpen()
	var clip *fyne.MenuItem
	for _, item := range a.named()["recipe"].Items {
		if strings.HasPrefix(item.Label, "clip (") {
			clip = item
		}
	}
	clip.Action()
	r.answered(a)
	test.Tap(a.preview.after)
	r.answered(a)
	corrected, err := a.corrected()
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.store.OpenSuite(a.preview.suite.Hash)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	img, err := s.Image(1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := engine.Give(corrected, a.preview.suite, img)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := engine.GivenChannels.Sheet(want.Channels()).Text(&table); err != nil {
		t.Fatal(err)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "recipe")
	p := a.preview
	if strings.TrimSpace(p.numbers.Text) != strings.TrimSpace(table.String()) ||
		p.form.Text != "float32 1 x 3 x 224 x 224, nchw" {
		t.Errorf("%s\n%s", p.numbers.Text, table.String())
	}
	if got := p.model.Picture().(*image.RGBA); !bytes.Equal(got.Pix, want.Fitted.RGBA().Pix) {
		t.Error("the picture is not what the model gets")
	}
	if p.modelText.Text != "the model: 224 × 224, color; resized to 224 × 298, cut" {
		t.Errorf("%q", p.modelText.Text)
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

func TestPreviewWithoutImages(t *testing.T) {
	r := newRig(t, 3)
	located := ""
	r.screen.Locate = func(hash string) { located = hash }
	r.shows(r.store.Imported[0].Hash)
	root := r.store.Shapes.Root
	if err := os.Rename(root, root+"2"); err != nil {
		t.Fatal(err)
	}
	a := r.settingsOpen()
	p := a.preview
	if !p.missing.Object().Visible() || p.given.Visible() || p.problem.Visible() {
		t.Error("nothing says that the images are gone")
	}
	r.stage.Press(r.window, "Locate…")
	if located != r.store.Shapes.Hash {
		t.Errorf("located %q", located)
	}
	if err := os.Rename(root+"2", root); err != nil {
		t.Fatal(err)
	}
	r.put(a, "mean", "0.25")
	if p.missing.Object().Visible() || !p.given.Visible() {
		t.Error("the images are there again")
	}
}

// photographs is a workspace with two pictures in colour and, as its last model, one that takes
// 3 x 224 x 224.
func photographs(t *testing.T, height, width int) *sample.Workspace {
	t.Helper()
	ws := sample.New(t, 2)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(t.TempDir(), "photographs")
	for k, class := range []string{"hill", "lake"} {
		img := image.NewNRGBA(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				c := color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), uint8(90 + 100*k), 255}
				if (x-width/2)*(x-width/2)+(y-height/2)*(y-height/2) < height*height/16 {
					c = color.NRGBA{250, 220, uint8(60 * k), 255}
				}
				img.SetNRGBA(x, y, c)
			}
		}
		must(os.MkdirAll(filepath.Join(folder, class), 0o755))
		var out bytes.Buffer
		must(png.Encode(&out, img))
		must(os.WriteFile(filepath.Join(folder, class, "photograph of a landscape.png"), out.Bytes(), 0o644))
	}
	m, err := suite.Scan(t.Context(), folder, suite.Options{Name: "photographs"}, engine.NoProgress{})
	must(err)
	m, err = ws.AddSuite(m)
	must(err)
	must(ws.SetCurrent(store.Current{Suite: m.Hash, Family: sample.Family}))
	big := sample.Describe(0)
	big.ID, big.Record = "resnet50", nil
	big.Graph.Input.Channels, big.Graph.Input.Height, big.Graph.Input.Width = 3, 224, 224
	big, _, err = ws.AddModel(big, strings.NewReader("a large model"))
	must(err)
	ws.Imported = append(ws.Imported, big)
	return ws
}
