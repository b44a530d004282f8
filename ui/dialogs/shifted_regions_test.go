package dialogs

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
)

func TestShiftFormOfPaddedTranslation(t *testing.T) {
	usual := ShiftForm{Shift: true, N: 3, T: " 5 ", Seed: "not asked for"}
	got, err := usual.Changes()
	if err != nil || len(got) != 9 || got[6] != (derive.Shift{N: 3, T: 5, Region: 7}) {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{"7, 1,7": "1 7", " 4 ": "4", " ": "1 2 3 4 5 6 7 8 9"} {
		f := usual
		f.Regions = text
		list, err := f.Changes()
		var regions []string
		for _, c := range list {
			regions = append(regions, strconv.Itoa(c.(derive.Shift).Region))
		}
		if strings.Join(regions, " ") != want || err != nil {
			t.Errorf("regions %q are %v, %v", text, regions, err)
		}
	}
	for want, f := range map[string]ShiftForm{
		`t "five" is not a whole number`: {Shift: true, N: 3, T: "five"},
		"t is 0":                         {Shift: true, N: 3, T: "0"},
		"n is 0":                         {Shift: true, T: "5"},
		`region "10" is not a number from 1 to 9`: {Shift: true, N: 3, T: "5", Regions: "1,10"},
		`region "" is not a number from 1 to 4`:   {Shift: true, N: 2, T: "5", Regions: "1,"},
		`seed "x"`:                                {Shift: true, N: 3, T: "5", Seed: "x", Corruptions: []string{"fog"}, Severities: []int{1}},
	} {
		if got, err := f.Changes(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v gives %v, %v", f, got, err)
		}
	}
	both := ShiftForm{Shift: true, N: 2, T: "5", Regions: "3", Seed: "1", Corruptions: []string{"fog"}, Severities: []int{1}}
	if got, err := both.Changes(); err != nil || len(got) != 2 || got[0].Short() != "fog 1" || got[1].Short() != "shifted 2x2 t5 region 3" {
		t.Errorf("%v, %v", got, err)
	}
}

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
	d.stage.Until("one image and its nine regions", func() bool { return len(d.pictures()) == 10 && !d.says("drawing") })
	if !d.says("9 suites of 60 images") || !d.says("are placed on 8 × 8 black ones") {
		t.Error("nine regions of 6 x 6 pixels with t = 5 are chosen, but the dialog does not say so")
	}
	by := d.entryWith("5")
	by.SetText("7")
	d.stage.Until("nothing moves", func() bool { return d.says("Nothing moves") })
	by.SetText("")
	if !d.says(`"" is not a whole number from 1 on`) || !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("a t that is none is taken")
	}
	by.SetText("2")
	regions := d.entryWith("all; or 1, 3, 7")
	regions.SetText("2, 9")
	if !d.says("2 suites of 60 images") {
		t.Error("two regions are chosen, but the dialog does not say so")
	}
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
	if !d.says("84 suites of 60 images") || d.check("padded translation").Checked != true {
		t.Error("all are chosen: 75 corruptions and 9 regions")
	}
	test.Tap(d.button("None"))
	if !d.says("or padded translation.") {
		t.Error("nothing is chosen, but the dialog does not say so")
	}
}

// The preview of padded translation is what the suites hold, image for image.
func TestRegionsPreviewIsTheSuite(t *testing.T) {
	d := newDesk(t, 1)
	for _, ask := range []previewAsk{{n: 3, t: 5}, {n: 2, t: 3, page: 5}} {
		ask.suite, ask.corruption = d.ws.Shapes.Hash, transform.ShiftSet
		shown, err := previewOf(t.Context(), d.ws, ask)
		if err != nil || len(shown.rows) != 0 || shown.regions.n != ask.n || len(shown.regions.shifted) != ask.n*ask.n {
			t.Fatalf("%+v, %v", shown, err)
		}
		for k, got := range shown.regions.shifted {
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
			if !slices.Equal(got.(*image.NRGBA).Pix, pictureOf(img).(*image.NRGBA).Pix) || shown.regions.caption != captionOf(s, i) {
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
