package dialogs

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
)

// entryWith is the entry of the dialog on top that holds a text, or this place holder.
func (d *counter) entryWith(text string) *widget.Entry {
	d.Helper()
	var found *widget.Entry
	for _, e := range d.entries() {
		if e.Text == text || e.PlaceHolder == text {
			found = e
		}
	}
	if found == nil {
		d.Fatalf("there is no entry with %q", text)
	}
	return found
}

func TestShiftDialogAddsShiftedSuites(t *testing.T) {
	d := shifting(t)
	test.Tap(d.check("padded translation"))
	d.stage.Until("one image and its nine regions", func() bool { return len(d.pictures()) == 1 && d.says("are placed on 8 × 8 black ones") })
	d.stage.Draw(d.host.Window, os.Getenv("VARISCOPE_SHOTS"), "shifted")
	d.saying("9 suites of 60 images")
	by := d.entryWith("5")
	by.SetText("7")
	d.stage.Until("nothing moves", func() bool { return d.says("Nothing moves") })
	by.SetText("")
	if !d.says("t = takes a whole number from 1") || !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("a t that is none is taken")
	}
	by.SetText("2")
	regions := d.entryWith("all; or 1, 3, 7")
	regions.SetText("2, 9")
	d.saying("2 suites of 60 images")
	test.Tap(d.button("Add"))
	d.stage.Until("the dialog closes", func() bool { return d.host.Window.Canvas().Overlays().Top() == nil })
	suites, err := d.ws.Suites()
	if err != nil || len(suites) != 3 {
		t.Fatalf("%d suites, %v", len(suites), err)
	}
	if suites[1].Name != "shapes, shifted 3x3 t2 region 2" || suites[2].Name != "shapes, shifted 3x3 t2 region 9" || len(d.failed) > 0 {
		t.Errorf("%q, %q, %v", suites[1].Name, suites[2].Name, d.failed)
	}
	tree := present.SuiteTree(suites, map[string]string{suites[0].Hash: "shapes"})
	if len(tree) != 2 || tree[1].Title != "shifted 3 × 3, t = 2" || len(tree[1].Nodes) != 2 {
		t.Errorf("%+v", tree)
	}
	ShiftDialog(d.host, d.ws.Workspace, "1.0")
	d.stage.Until("the dialog opens again", func() bool { return len(d.pictures()) > 0 })
	test.Tap(d.button("All"))
	d.saying("84 suites of 60 images") // 75 corruptions and 9 regions
	test.Tap(d.button("None"))
	d.saying("or padded translation.")
	if d.check("padded translation").Checked {
		t.Error("a shift is chosen")
	}
}

// The preview of padded translation is what the suites hold, image for image.
func TestRegionsPreviewIsTheSuite(t *testing.T) {
	d := newDesk(t, 1)
	for _, ask := range []previewAsk{{n: 3, t: 5}, {n: 2, t: 3, page: 5}} {
		ask.suite, ask.corruption = d.ws.Shapes.Hash, transform.ShiftSet
		shown, err := previewOf(t.Context(), d.ws, ask)
		if err != nil || len(shown.rows) != 1 || len(shown.rows[0].changed) != ask.n*ask.n {
			t.Fatalf("%+v, %v", shown, err)
		}
		for k, got := range shown.rows[0].changed {
			m, err := d.ws.DeriveSuite(d.ws.Shapes.Hash, derive.Shift{N: ask.n, T: ask.t, Region: k + 1}, "")
			if err != nil {
				t.Fatal(err)
			}
			s, err := d.ws.OpenSuite(m.Hash)
			if err != nil {
				t.Fatal(err)
			}
			i := oneOf(s.Len(), ask.page)
			img, err := s.Image(i)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.(*image.RGBA).Pix, img.RGBA().Pix) || shown.rows[0].caption != captionOf(s, i) {
				t.Errorf("n %d, t %d: picture %d is not that of the suite", ask.n, ask.t, k)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := previewOf(ctx, d.ws, previewAsk{suite: d.ws.Shapes.Hash, corruption: transform.ShiftSet, n: 3, t: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("a preview that was given up: %v", err)
	}
	if _, err := previewOf(t.Context(), d.ws, previewAsk{suite: d.ws.Shapes.Hash, corruption: transform.ShiftSet, n: 0, t: 5}); err == nil {
		t.Error("a preview of no regions")
	}
}

func TestPagesOfTheRegionsPreview(t *testing.T) {
	var met []int
	for page := range 8 {
		met = append(met, oneOf(100, page))
	}
	if want := []int{0, 25, 50, 75, 1, 26, 51, 76}; !slices.Equal(met, want) {
		t.Errorf("%v, want %v", met, want)
	}
	if oneOf(1, 9) != 0 || oneOf(2, 1) != 1 {
		t.Error("few images are met in turn")
	}
}

func TestShiftDialogSavesShiftedImages(t *testing.T) {
	d := shifting(t)
	test.Tap(d.check("padded translation"))
	d.entryWith("all; or 1, 3, 7").SetText("7")
	test.Tap(d.button("Save images…"))
	if !d.says("1 folder of 60 images is written, for other programs: values are rounded to 8 bits") {
		t.Error("the form does not say what is written")
	}
	test.Tap(d.button("Back"))
	test.Tap(d.check("fog"))
	test.Tap(d.button("Save images…"))
	if !d.says("6 folders of 60 images each") || !d.says("Those of padded translation are rounded.") {
		t.Error("the form does not say what is written of both kinds")
	}
	test.Tap(d.button("Back"))
	test.Tap(d.check("fog"))
	test.Tap(d.button("Save images…"))
	folder := filepath.Join(t.TempDir(), "out")
	d.entryWith(filepath.Join(filepath.Dir(d.ws.Path()), "sample-shifted")).SetText(folder)
	test.Tap(d.button("Save"))
	d.stage.Until("saved", func() bool { return d.says("shift-3-5-region-7: 60 images") })
	if _, err := os.Stat(filepath.Join(folder, "shift-3-5-region-7", "bird", "00.png")); err != nil || len(d.failed) > 0 {
		t.Errorf("%v, %v", err, d.failed)
	}
	test.Tap(d.button("Close"))
}
