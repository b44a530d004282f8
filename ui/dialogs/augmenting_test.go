package dialogs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/imageset"
	own "github.com/variscope/variscope/ui/widget"
)

// scored is a diagnosis of the desk's model on its suite, with p about a third.
func (d *rig) scored() dscore.Diagnosis {
	d.Helper()
	a := dscore.Accuracies{
		Original: 0.8, Variants: []float64{0.5, 0.7, 0.6, 0.4}, Shifted: []float64{0.7, 0.71, 0.6, 0.65}, Classes: 3,
	}
	score, err := dscore.Compute(a)
	if err != nil {
		d.Fatal(err)
	}
	return dscore.Diagnosis{
		Model: d.ws.Imported[0], Suite: d.ws.Shapes.Hash, SuiteName: "shapes",
		Grid:   dscore.Grid{N: 2, T: 5, Mask: "mask:2", Shift: "shift:2:5"},
		Images: 60, Accuracies: a, Score: score,
	}
}

// addTraining adds a gray IDX suite to the workspace.
func (d *rig) addTraining(n, side int) suite.Manifest {
	d.Helper()
	m := images.Gray(d.T, n, side).Manifest()
	m.Name = "digits train"
	if _, err := d.ws.AddSuite(m); err != nil {
		d.Fatal(err)
	}
	return m
}

// train chooses the training suite.
func (d *rig) train() { find[*own.Choice](d)[0].SetSelected("digits train") }

// augmenting opens the dialog, chooses the training suite where images are not of the sample's
// size, and waits for the preview.
func augmenting(t *testing.T, d *rig, wide int) {
	t.Helper()
	AugmentDialog(d.host, d.ws.Workspace, "1.0", d.scored())
	d.stage.Until("the first preview", func() bool { return len(d.pictures(6)) > 0 && !d.says("drawing") })
	if wide != 6 {
		d.train()
		d.stage.Until("the preview of the training suite",
			func() bool { return len(d.pictures(wide)) > 0 && !d.says("drawing") })
	}
}

// The dialog recommends the score's p and says what it does to images; what it shows of that p
// stands for all its digits, and a comma is a point. The recipe has the sizes of the training
// images and the p that was chosen.
func TestAugmentDialog(t *testing.T) {
	d := newRig(t, 1)
	d.addTraining(40, 8)
	dialog := &augmentDialog{host: d.host, ws: d.ws.Workspace, version: "1.0", diagnosis: d.scored()}
	var err error
	if dialog.all, err = d.ws.Suites(); err != nil {
		t.Fatal(err)
	}
	dialog.open()
	d.train()
	score, form := d.scored().Score, dialog.ask.Form
	wide := 8 + int(math.Floor(score.P*8+0.5))
	for _, text := range []string{
		"v_robust is " + ShownP(score.Robust), "g(2) = " + ShownP(score.Bound),
		"p = " + ShownP(score.P) + " is recommended", fmt.Sprintf("images of 8 × 8 pixels become %d × %d", wide, wide),
		"of 40 images are padded",
	} {
		d.saying(text)
	}
	d.looks("augmentation")
	if d.says("Train on other") {
		t.Error("another suite than that of the score is warned of")
	}
	p := d.entry(ShownP(score.P))
	for text, want := range map[string]float64{
		" 0.25 ": 0.25, "0,5": 0.5, "0": 0, ShownP(score.P): score.P, "1": 1,
	} {
		if p.SetText(text); form.Options().P != want || form.Err() != nil {
			t.Errorf("%q is %v, %v", text, form.Options().P, form.Err())
		}
	}
	for _, text := range []string{"1.01", "-0.1", "NaN", "", "25 %"} {
		if p.SetText(text); form.Err() == nil || !d.button("Save recipe…").Disabled() ||
			!d.button("Save augmented set…").Disabled() {
			t.Errorf("%q is taken", text)
		}
	}
	test.Tap(d.button("Recommended"))
	if form.Options().P != score.P || d.button("Save augmented set…").Disabled() {
		t.Error("the recommended p cannot be saved")
	}
	p.SetText("1")
	d.saying("become 16 × 16")
	d.saying("share 8 pixels")
	p.SetText("0.5")
	d.entry("1").SetText("9")
	got, err := dialog.recipeOf(form.Options())
	augmentation, wrong := dscore.NewRecipe(8, 8, 0.5)
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	if got.Augmentation != augmentation || got.Seed != 9 || got.Score.P != score.P || got.Grid != 2 || got.T != 5 ||
		got.Suite != "shapes" {
		t.Errorf("%+v", got)
	}
	p.SetText("0")
	d.stage.Until("nothing is padded", func() bool {
		return d.says("0 of 40 images are padded") && d.says("not padded")
	})
	before := d.pictures(8)
	for k := 0; k < len(before); k += 2 {
		if !slices.Equal(before[k].(*image.RGBA).Pix, before[k+1].(*image.RGBA).Pix) {
			t.Fatalf("image %d changed without padding", k/2)
		}
	}
	test.Tap(d.button("Save recipe…"))
	if len(d.host.Window.Canvas().Overlays().List()) < 2 {
		t.Error("nobody is asked where the recipe shall lie")
	}
}

// The suite that is offered is most like the tested one, has other images, and is called that of
// training.
func TestAugmentDialogChoosesASuite(t *testing.T) {
	like := func(name string, side, classes int, of string) suite.Manifest {
		m := suite.Manifest{Name: name, Hash: name, Shape: [3]int{1, side, side}, Classes: make([]string, classes)}
		if of != "" {
			m.Derived = &suite.Derived{Of: of}
		}
		return m
	}
	test, fog := like("test", 28, 10, ""), like("fog", 28, 10, "test")
	train, more, trainFog := like("Training", 28, 10, ""), like("more", 28, 10, ""),
		like("train fog", 28, 10, "Training")
	other, classes := like("other train", 32, 10, ""), like("letters train", 28, 26, "")
	for _, c := range []struct {
		all  []suite.Manifest
		on   string
		want string
	}{
		{[]suite.Manifest{test}, "test", "test"},
		{[]suite.Manifest{test, fog, other, classes}, "test", "test"},
		{[]suite.Manifest{test, fog, other, classes}, "fog", "test"},
		{[]suite.Manifest{test, fog, other, more}, "test", "more"},
		{[]suite.Manifest{trainFog, more, train, test, other}, "fog", "Training"},
		{[]suite.Manifest{other, more, trainFog, test}, "test", "train fog"},
		{[]suite.Manifest{other}, "gone", "other train"},
	} {
		d := &augmentDialog{all: c.all, diagnosis: dscore.Diagnosis{Suite: c.on}}
		if got := d.training(); got != c.want {
			t.Errorf("%d suites, tested on %s: %s, want %s", len(c.all), c.on, got, c.want)
		}
	}
}

// Another draw is another seed; other images are other ones of the same draw.
func TestAugmentDialogDrawsAgain(t *testing.T) {
	d := newRig(t, 1)
	d.addTraining(400, 8)
	augmenting(t, d, 8)
	changed := func(what string, tap func()) {
		t.Helper()
		before := d.pictures(8)
		tap()
		d.stage.Until(what, func() bool {
			now := d.pictures(8)
			return !d.says("drawing") && len(now) == len(before) && now[1] != before[1]
		})
	}
	changed("other images", func() { test.Tap(d.button("Other images")) })
	changed("another draw", func() { test.Tap(d.button("Draw again")) })
	if d.entry("2") == nil || !d.says("With seed 2,") {
		t.Error("another draw has the same seed")
	}
	changed("all images", func() { test.Tap(d.check("Padded images only")) })
	if !d.says("not padded") {
		t.Error("of 12 images all are padded, with p about a third")
	}
}

// The preview is what a set holds: the same draws for the same images.
func TestAugmentPreviewIsTheSet(t *testing.T) {
	d := newRig(t, 1)
	for _, only := range []bool{true, false} {
		ask := augmentAsked{suite: d.ws.Shapes.Hash, p: 0.4, seed: 5, padded: only, page: 3}
		shown, err := augmentSome(t.Context(), d.ws, ask)
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.ws.OpenSuite(d.ws.Shapes.Hash)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		done, err := augmented.Write(t.Context(), s, augmented.Options{Out: t.TempDir(), P: 0.4, Seed: 5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if shown.total != 60 || shown.padded != done.Padded || len(shown.images) != augmentImages ||
			done.Padded < augmentImages {
			t.Errorf("%d of %d are padded, %d are shown", shown.padded, shown.total, len(shown.images))
		}
		set := images.Open(t, done.Folder)
		for k, one := range shown.images {
			if only && !one.padded {
				t.Errorf("image %d is not padded", k)
			}
			if !holds(t, set, one.after) || !holds(t, s, one.before) {
				t.Errorf("picture %d is not in the set", k)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := augmentSome(ctx, d.ws, augmentAsked{suite: d.ws.Shapes.Hash, p: 0.4, seed: 5})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a preview that was given up: %v", err)
	}
}

// holds tells whether a suite has an image that looks so.
func holds(t *testing.T, s *suite.Suite, picture image.Image) bool {
	t.Helper()
	for i := range s.Len() {
		img, err := s.Image(i)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 1 } // files are rounded with more digits
		if slices.EqualFunc(img.RGBA().Pix, picture.(*image.RGBA).Pix, near) {
			return true
		}
	}
	return false
}

// TestPaddedOnes: padded images alone, none twice, all where there are few.
func TestPaddedOnes(t *testing.T) {
	ask := augmentAsked{p: 0.1, seed: 3}
	for n, want := range map[int]int{200: augmentImages, 20: augmented.Count(ask.p, ask.seed, 20)} {
		found := paddedOnes(spread(augmentImages, 0)(n), n, ask)
		slices.Sort(found)
		if len(found) != want || len(slices.Compact(slices.Clone(found))) != want ||
			slices.ContainsFunc(found, func(i int) bool { return !augmented.Padded(ask.p, ask.seed, i) }) {
			t.Errorf("of %d: %v, want %d", n, found, want)
		}
	}
}

func TestAugmentDialogSavesASet(t *testing.T) {
	d := newRig(t, 1)
	m := d.addTraining(300, 8)
	augmenting(t, d, 8)
	test.Tap(d.button("Draw again"))
	test.Tap(d.button("Save augmented set…"))
	p := d.scored().Score.P
	name := augmented.FolderName("digits train", p, 2)
	if !d.says("a folder “"+name+"”") || !d.says("each of 300 images of digits train") {
		t.Error("the form does not say what is written")
	}
	entries := d.entries()
	if len(entries) != 1 || filepath.Base(entries[0].Text) != "sample-augmented" {
		t.Fatalf("%d entries", len(entries))
	}
	entries[0].SetText("")
	if !d.button("Save").Disabled() {
		t.Error("a set can be saved without a folder")
	}
	folder := t.TempDir()
	entries[0].SetText(folder)
	d.check("rr").SetChecked(true)
	test.Tap(d.button("Save"))
	d.stage.Until("saved", func() bool {
		return d.says(name+": 300 images, "+strconv.Itoa(augmented.Count(p, 2, 300))+" of them padded") &&
			d.says(imageset.FolderName("digits train")+"-rr-seed2: 300 images, 300 of them changed")
	})
	again := images.Open(t, filepath.Join(folder, name))
	if again.Manifest().Format != suite.IDX || !slices.Equal(again.Manifest().Labels, m.Labels) {
		t.Errorf("a set of %s, of a suite of IDX", again.Manifest().Format)
	}
	var recipe map[string]any
	data, err := os.ReadFile(filepath.Join(folder, name, "recipe.json"))
	if err := errors.Join(err, json.Unmarshal(data, &recipe)); err != nil {
		t.Fatal(err)
	}
	if recipe["p"] != p || recipe["seed"] != 2.0 || recipe["model"] != d.ws.Imported[0].ID || recipe["height"] != 8.0 {
		t.Errorf("%v", recipe)
	}
	if len(d.failed) > 0 {
		t.Error(d.failed)
	}
}

// Where the tested images are all that there is, the dialog warns; what cannot be read is said in
// the preview.
func TestAugmentDialogTellsFailures(t *testing.T) {
	d := newRig(t, 1)
	augmenting(t, d, 6)
	d.saying("shapes has the images that the score was measured on")
	if err := os.Rename(d.ws.Shapes.Root, d.ws.Shapes.Root+"-away"); err != nil {
		t.Fatal(err)
	}
	test.Tap(d.button("Draw again"))
	d.stage.Until("the preview says why", func() bool { return d.says("images not found") && len(d.pictures(6)) == 0 })
	test.Tap(d.button("Save augmented set…"))
	test.Tap(d.button("Save"))
	d.saying("mages not found")
	test.Tap(d.button("Back"))

	empty, err := store.Create(filepath.Join(t.TempDir(), "empty.variscope"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	AugmentDialog(d.host, empty, "1.0", d.scored())
	d.fails(1, "import the training images first")
}
