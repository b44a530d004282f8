package dialogs

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
)

func TestShiftAsk(t *testing.T) {
	usual := shiftAsk{Options: derive.Options{Seed: 7, Store: "uint8", Severity: []int{2, 5}}, N: 3, T: 5}
	with := func(change func(o *shiftAsk)) shiftAsk {
		o := usual
		change(&o)
		return o
	}
	for want, o := range map[string]shiftAsk{
		"": usual,
		"fog 2, seed 7, uint8|fog 5, seed 7, uint8|jpeg 2, seed 7, " +
			"uint8|jpeg 5, seed 7, uint8": with(func(o *shiftAsk) {
			o.Corruption = []string{"fog", "jpeg"}
		}),
		"shifted 3x3 t5 region 1|shifted 3x3 t5 region 7": with(func(o *shiftAsk) {
			o.Corruption, o.Severity, o.Padded, o.Regions = []string{"fog"}, nil, true, []int{7, 1, 7}
		}),
		"fog 2, seed 7, uint8|shifted 2x2 t1 region 1|shifted 2x2 t1 region 2|shifted 2x2 t1 region 3|shifted " +
			"2x2 t1 region 4": with(func(o *shiftAsk) {
			o.Corruption, o.Severity, o.Padded, o.N, o.T = []string{"fog"}, []int{2}, true, 2, 1
		}),
	} {
		var got []string
		for _, c := range o.changes() {
			got = append(got, c.Short())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%+v gives %q", o, got)
		}
	}
	wrong := with(func(o *shiftAsk) { o.Padded, o.Regions = true, []int{1, 10} })
	if err := option.Check(&wrong); err == nil || option.Said(err) != "Regions takes numbers from 1 to 9" {
		t.Error(err)
	}
}

// TestPreviewImagesAreSpread: images are evenly far apart, other ones on each page; one image a
// page are those of a page of four in turn.
func TestPreviewImagesAreSpread(t *testing.T) {
	for _, c := range []struct {
		n, page int
		want    []int
	}{
		{100, 0, []int{0, 25, 50, 75}},
		{100, 60, []int{60, 85, 10, 35}},
		{3, 1, []int{1, 2, 0}},
		{1, 9, []int{0}},
	} {
		if got := spread(previewImages, c.page)(c.n); !slices.Equal(got, c.want) {
			t.Errorf("page %d of %d images: %v, want %v", c.page, c.n, got, c.want)
		}
	}
	var met []int
	for page := range 8 {
		met = append(met, oneOf(100, page))
	}
	if want := []int{0, 25, 50, 75, 1, 26, 51, 76}; !slices.Equal(met, want) || oneOf(1, 9) != 0 || oneOf(2, 1) != 1 {
		t.Errorf("%v, want %v", met, want)
	}
}

// TestDeriveAll: suites that are there are not counted, and a cancel ends the work.
func TestDeriveAll(t *testing.T) {
	r := newRig(t, 1)
	foggy, err := r.ws.DeriveSuite(r.ws.Shapes.Hash, corrupt.Setting{Name: "fog", Severity: 1, Seed: 1}, "")
	if err != nil {
		t.Fatal(err)
	}
	d := &shiftDialog{ws: r.ws.Workspace, there: map[string]bool{foggy.Hash: true}}
	ask := shiftAsk{Suite: r.ws.Shapes.Hash, N: 2, T: 5, Padded: true}
	ask.Corruption, ask.Severity, ask.Seed = []string{"fog"}, []int{1}, 1
	ctx, stop := context.WithCancel(t.Context())
	if done, err := d.derive(ctx, ask, &jobs.Progress{}); err != nil ||
		!strings.HasPrefix(done.Said, "Added 4 shifted") {
		t.Errorf("%+v, %v", done, err)
	}
	stop()
	if _, err := d.derive(ctx, ask, &jobs.Progress{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// shifting opens the dialog and waits for its first preview.
func shifting(t *testing.T) *rig {
	d := newRig(t, 1)
	ShiftDialog(d.host, d.ws.Workspace, "1.0")
	d.stage.Until("the first preview", func() bool {
		return len(d.pictures(6)) == previewImages*(1+corrupt.Severities)
	})
	return d
}

func TestShiftDialogAddsSuites(t *testing.T) {
	d := shifting(t)
	d.saying("Choose at least one corruption")
	if !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("nothing is chosen, but the buttons can be pressed")
	}
	before := d.pictures(6)
	test.Tap(d.check("brightness"))
	d.stage.Until("the preview follows", func() bool {
		now := d.pictures(6)
		return len(now) == len(before) && now[1] != before[1] && !d.says("drawing")
	})
	d.saying("5 suites of 60 images")
	if d.button("Add").Disabled() {
		t.Error("five suites are chosen, but the dialog does not say so")
	}
	if !d.says("lengths are scaled") {
		t.Error("images of 6 x 6 pixels are not said to be scaled")
	}
	for _, severity := range []string{"1", "4", "5"} {
		test.Tap(d.check(severity))
	}
	test.Tap(d.check("fog"))
	test.Tap(d.button("Add"))
	d.stage.Until("the dialog closes", func() bool { return d.host.Window.Canvas().Overlays().Top() == nil })
	suites, err := d.ws.Suites()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range suites {
		names = append(names, m.Name)
	}
	want := []string{"shapes", "shapes, brightness 2", "shapes, brightness 3", "shapes, fog 2", "shapes, fog 3"}
	if !slices.Equal(names, want) || len(d.failed) > 0 {
		t.Errorf("%q, %v", names, d.failed)
	}
	ShiftDialog(d.host, d.ws.Workspace, "1.0")
	d.stage.Until("the dialog opens again", func() bool { return len(d.pictures(6)) > 0 })
	test.Tap(d.check("fog"))
	d.saying("2 of them are there already")
	if d.button("Add").Disabled() {
		t.Error("suites that are there are not told from new ones")
	}
	for _, severity := range []string{"1", "4", "5"} {
		test.Tap(d.check(severity))
	}
	if !d.button("Add").Disabled() || d.button("Save images…").Disabled() {
		t.Error("there is nothing to add, only something to save")
	}
}

func TestShiftDialogTellsFailures(t *testing.T) {
	d := shifting(t)
	if err := os.Rename(d.ws.Shapes.Root, d.ws.Shapes.Root+"-away"); err != nil {
		t.Fatal(err)
	}
	test.Tap(d.check("elastic"))
	d.stage.Until("the preview says why", func() bool { return d.says("images not found") })
	if len(d.pictures(6)) > 0 || d.button("Add").Disabled() {
		t.Error("suites can be added without their images, and none are shown")
	}
	seed := d.entry("1")
	seed.SetText("x")
	if !d.says("Seed takes a whole number") || !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("a seed that is no number is taken")
	}
	seed.SetText("2")
	d.press("Save images…")
	d.press("Save")
	d.saying("mages not found")

	empty, err := store.Create(filepath.Join(t.TempDir(), "empty.variscope"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	ShiftDialog(d.host, empty, "1.0")
	d.fails(1, "import one first")
}

func TestShiftDialogAddsShiftedSuites(t *testing.T) {
	d := shifting(t)
	test.Tap(d.button("All"))
	d.saying("84 suites of 60 images") // 75 corruptions and 9 regions
	test.Tap(d.button("None"))
	d.saying("or padded translation.")
	test.Tap(d.check("padded translation"))
	d.stage.Until("one image and its nine regions",
		func() bool { return len(d.pictures(6)) == 1 && d.says("are placed on 8 × 8 black ones") })
	d.looks("shifted")
	d.saying("9 suites of 60 images")
	by := d.entry("5")
	by.SetText("7")
	d.saying("Nothing moves")
	by.SetText("")
	if !d.says("t = takes a whole number from 1") || !d.button("Add").Disabled() ||
		!d.button("Save images…").Disabled() {
		t.Error("a t that is none is taken")
	}
	by.SetText("2")
	d.entry("all; or 1, 3, 7").SetText("2, 9")
	d.saying("2 suites of 60 images")
	test.Tap(d.button("Add"))
	d.stage.Until("the dialog closes", func() bool { return !d.open() })
	suites, err := d.ws.Suites()
	if err != nil || len(suites) != 3 || suites[1].Name != "shapes, shifted 3x3 t2 region 2" ||
		suites[2].Name != "shapes, shifted 3x3 t2 region 9" || len(d.failed) > 0 {
		t.Fatalf("%+v, %v, %v", suites, err, d.failed)
	}
	tree := present.SuiteTree(suites, map[string]string{suites[0].Hash: "shapes"})
	if len(tree) != 2 || tree[1].Title != "shifted 3 × 3, t = 2" || len(tree[1].Nodes) != 2 {
		t.Errorf("%+v", tree)
	}
}

// The preview is what the suites hold, image for image: the corruption of each image with its own
// number, and one image in all regions.
func TestShiftPreviewIsTheSuite(t *testing.T) {
	d := newRig(t, 1)
	for _, ask := range []previewAsk{
		{corruption: "gaussian_noise", seed: 4, page: 2},
		{corruption: transform.ShiftSet, n: 3, t: 5},
		{corruption: transform.ShiftSet, n: 2, t: 3, page: 5},
	} {
		ask.suite = d.ws.Shapes.Hash
		shown, err := previewOf(t.Context(), d.ws, ask)
		if err != nil {
			t.Fatal(err)
		}
		images, changes := spread(previewImages, ask.page)(60), corrupt.Severities
		if ask.n > 0 {
			images, changes = []int{oneOf(60, ask.page)}, ask.n*ask.n
		}
		if len(shown.rows) != len(images) || len(shown.rows[0].changed) != changes {
			t.Fatalf("%d rows of %d pictures", len(shown.rows), len(shown.rows[0].changed))
		}
		for k := range changes {
			change := derive.Change(corrupt.Setting{Name: ask.corruption, Severity: k + 1, Seed: ask.seed})
			if ask.n > 0 {
				change = derive.Shift{N: ask.n, T: ask.t, Region: k + 1}
			}
			m, err := d.ws.DeriveSuite(ask.suite, change, "")
			if err != nil {
				t.Fatal(err)
			}
			s, err := d.ws.OpenSuite(m.Hash)
			if err != nil {
				t.Fatal(err)
			}
			for row, i := range images {
				img, err := s.Image(i)
				if err != nil {
					t.Fatal(err)
				}
				if got := shown.rows[row]; !slices.Equal(got.changed[k].(*image.RGBA).Pix, img.RGBA().Pix) ||
					got.caption != captionOf(s, i) {
					t.Errorf("%+v: row %d (%s) is not image %d under %s", ask, row, got.caption, i, change)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := previewOf(ctx, d.ws, ask); !errors.Is(err, context.Canceled) {
			t.Errorf("a preview that was given up: %v", err)
		}
	}
	if _, err := previewOf(t.Context(), d.ws, previewAsk{
		suite: d.ws.Shapes.Hash, corruption: transform.ShiftSet, n: 0,
		t: 5,
	}); err == nil {
		t.Error("a preview of no regions")
	}
}

// The form of files says what is written, asks for photographs where frost is, and writes it.
func TestShiftDialogSavesImages(t *testing.T) {
	d := shifting(t)
	for _, name := range []string{"padded translation", "1", "2", "3", "4"} {
		test.Tap(d.check(name))
	}
	d.entry("all; or 1, 3, 7").SetText("7")
	d.press("Save images…")
	d.saying("1 folder of 60 images is written, for other programs: values are rounded to 8 bits")
	if entries := d.entries(); len(entries) != 1 || filepath.Base(entries[0].Text) != "sample-shifted" {
		t.Errorf("%d entries", len(entries))
	}
	d.press("Back")
	test.Tap(d.check("frost"))
	d.press("Save images…")
	d.saying("2 folders of 60 images each")
	d.saying("Those of padded translation are rounded.")
	entries, folder := d.entries(), filepath.Join(t.TempDir(), "out")
	if len(entries) != 2 || filepath.Base(entries[0].Text) != "sample-corrupted" {
		t.Fatalf("%d entries", len(entries))
	}
	entries[0].SetText("")
	if !d.button("Save").Disabled() {
		t.Error("images can be saved without a folder")
	}
	entries[0].SetText(folder)
	d.press("Save")
	d.saying("frost-synthetic-5: 60 images")
	d.saying("shift-3-5-region-7: 60 images")
	for _, name := range []string{"frost-synthetic-5", "shift-3-5-region-7"} {
		if _, err := os.Stat(filepath.Join(folder, name, "bird", "00.png")); err != nil || len(d.failed) > 0 {
			t.Errorf("%v, %v", err, d.failed)
		}
	}
	d.press("Close")
}
