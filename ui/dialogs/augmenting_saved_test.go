package dialogs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
)

func TestPaddedOnes(t *testing.T) {
	ask := augmentAsked{p: 0.1, seed: 3}
	var all []int
	for i := range 200 {
		if augmented.Padded(ask.p, ask.seed, i) {
			all = append(all, i)
		}
	}
	found := paddedOnes(spread(augmentImages, 0)(200), 200, ask)
	slices.Sort(found)
	if len(found) != augmentImages || len(slices.Compact(slices.Clone(found))) != len(found) {
		t.Errorf("%v", found)
	}
	for _, i := range found {
		if !slices.Contains(all, i) {
			t.Errorf("%d is not padded", i)
		}
	}
	few := paddedOnes(spread(augmentImages, 0)(20), 20, ask)
	if want := len(all[:slices.IndexFunc(all, func(i int) bool { return i >= 20 })]); len(few) != want {
		t.Errorf("%v, want all %d that there are", few, want)
	}
}

func TestAugmentDialogSavesASet(t *testing.T) {
	d := newDesk(t, 1)
	m := d.addTraining(300, 8)
	augmenting(t, d, 8)
	test.Tap(d.button("Draw again"))
	test.Tap(d.button("Save augmented set…"))
	p := d.scored().Score.P
	name := augmented.FolderName("digits train", p, 2)
	if !d.says("a folder “"+name+"”") || !d.says("each of 300 images of digits train") {
		t.Error("the form does not say what is written")
	}
	test.Tap(d.button("Back"))
	test.Tap(d.button("Save augmented set…"))
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
	test.Tap(d.button("Save"))
	d.stage.Until("saved", func() bool {
		return d.says(name + ": 300 images, " + strconv.Itoa(augmented.Count(p, 2, 300)) + " of them padded")
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
	test.Tap(d.button("Close"))
	AugmentDialog(d.host, d.ws.Workspace, "1.0", d.scored())
	d.stage.Until("the dialog is there again", func() bool { return d.button("Draw again") != nil })
	d.train()
	d.press("Draw again")
	d.press("Save augmented set…")
	d.entries()[0].SetText(folder)
	test.Tap(d.button("Save"))
	d.stage.Until("saved again", func() bool { return d.says("(there already)") })
	if len(d.failed) > 0 {
		t.Error(d.failed)
	}
}

// Whoever cancels is told that nothing is left; a failure is shown, and what goes on in the background ends with a word.
func TestAugmentDialogTellsHowSavingEnds(t *testing.T) {
	d := newDesk(t, 1)
	said := ""
	d.host.Status = func(text string) { said = text }
	finish := func(done augmented.Written, err error) {
		sheet := d.host.NewDialog("x", fyne.NewSize(100, 100))
		sheet.Present(nil)
		(&augmentDialog{host: d.host}).done(sheet, done, err)
		sheet.Close()
	}
	finish(augmented.Written{}, fmt.Errorf("write: %w", context.Canceled))
	if said != "Saving was cancelled; nothing was left." || len(d.failed) > 0 {
		t.Errorf("%q, %v", said, d.failed)
	}
	finish(augmented.Written{}, errors.New("no room"))
	if len(d.failed) != 1 {
		t.Errorf("%v", d.failed)
	}
	finish(augmented.Written{Folder: "there", Images: 6000, Padded: 1500}, nil)
	if said != "Saved 6,000 images, 1,500 of them padded, in there" {
		t.Errorf("%q", said)
	}
}

// The recipe has the sizes of the training images and the p that was chosen, beside the one that is recommended.
func TestAugmentDialogRecipe(t *testing.T) {
	d := newDesk(t, 1)
	d.addTraining(40, 10)
	dialog := &augmentDialog{host: d.host, ws: d.ws.Workspace, version: "1.0", diagnosis: d.scored()}
	var err error
	if dialog.all, err = d.ws.Suites(); err != nil {
		t.Fatal(err)
	}
	dialog.open()
	d.train()
	d.entry(ShownP(d.scored().Score.P)).SetText("0.5")
	d.entry("1").SetText("9")
	got, err := dialog.recipeOf(dialog.ask.Form.Options())
	if err != nil {
		t.Fatal(err)
	}
	of := d.scored()
	augmentation, err := dscore.NewRecipe(10, 10, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if got.Augmentation != augmentation || got.Seed != 9 || got.Score.P != of.Score.P || got.Grid != 2 || got.T != 5 || got.Suite != "shapes" {
		t.Errorf("%+v", got)
	}
	test.Tap(d.button("Save recipe…"))
	if len(d.host.Window.Canvas().Overlays().List()) < 2 {
		t.Error("nobody is asked where the recipe shall lie")
	}
}

func TestAugmentDialogTellsFailures(t *testing.T) {
	d := newDesk(t, 1)
	augmenting(t, d, 6)
	if err := os.Rename(d.ws.Shapes.Root, d.ws.Shapes.Root+"-away"); err != nil {
		t.Fatal(err)
	}
	test.Tap(d.button("Draw again"))
	d.stage.Until("the preview says why", func() bool { return d.says("images not found") && len(d.picturesOf(6)) == 0 })
	test.Tap(d.button("Save augmented set…"))
	test.Tap(d.button("Save"))
	d.stage.Until("refused", func() bool { return len(d.failed) == 1 })

	empty, err := store.Create(filepath.Join(t.TempDir(), "empty.variscope"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	AugmentDialog(d.host, empty, "1.0", d.scored())
	d.stage.Until("refused", func() bool { return len(d.failed) == 2 })
	if !strings.Contains(d.failed[1].Error(), "import the training images first") {
		t.Error(d.failed[1])
	}
}
