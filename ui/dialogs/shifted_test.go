package dialogs

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
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
		"fog 2, seed 7, uint8|fog 5, seed 7, uint8|jpeg 2, seed 7, uint8|jpeg 5, seed 7, uint8": with(func(o *shiftAsk) { o.Corruption = []string{"fog", "jpeg"} }),
		"shifted 3x3 t5 region 1|shifted 3x3 t5 region 7": with(func(o *shiftAsk) {
			o.Corruption, o.Severity, o.Padded, o.Regions = []string{"fog"}, nil, true, []int{7, 1, 7}
		}),
		"fog 2, seed 7, uint8|shifted 2x2 t1 region 1|shifted 2x2 t1 region 2|shifted 2x2 t1 region 3|shifted 2x2 t1 region 4": with(func(o *shiftAsk) {
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

func TestPreviewImagesAreSpread(t *testing.T) {
	for _, c := range []struct {
		n, page int
		want    []int
	}{{100, 0, []int{0, 25, 50, 75}}, {100, 3, []int{3, 28, 53, 78}}, {100, 60, []int{60, 85, 10, 35}}, {3, 1, []int{1, 2, 0}}, {1, 9, []int{0}}} {
		if got := spread(previewImages, c.page)(c.n); !slices.Equal(got, c.want) {
			t.Errorf("page %d of %d images: %v, want %v", c.page, c.n, got, c.want)
		}
	}
}

// counting derives nothing and stops after a number of suites.
type counting struct {
	after int
	stop  func()
	made  []string
}

func (c *counting) DeriveSuite(of string, change derive.Change, _ string) (suite.Manifest, error) {
	if c.made = append(c.made, change.String()); len(c.made) == c.after {
		c.stop()
	}
	kind, _ := change.Kind()
	if kind == "snow" {
		return suite.Manifest{}, errors.New("no snow today")
	}
	return suite.Manifest{Hash: of + kind}, nil
}

func TestDeriveAll(t *testing.T) {
	changes := []derive.Change{
		corrupt.Setting{Name: "fog", Severity: 1}, corrupt.Setting{Name: "frost", Severity: 1}, derive.Shift{N: 3, T: 5, Region: 7},
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ws := &counting{stop: stop}
	if added, err := deriveAll(ctx, ws, map[string]bool{"basefrost": true}, "base", changes, &background.Progress{}); added != 2 || err != nil || len(ws.made) != 3 {
		t.Errorf("%d added, %v, %q", added, err, ws.made)
	}
	if added, err := deriveAll(ctx, ws, nil, "base", append(changes, corrupt.Setting{Name: "snow"}), &background.Progress{}); added != 3 || err == nil {
		t.Errorf("%d added, %v", added, err)
	}
	ws = &counting{stop: stop, after: 1}
	if added, err := deriveAll(ctx, ws, nil, "base", changes, &background.Progress{}); added != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d added, %v", added, err)
	}
}

// check is the check of that name in the dialog on top, a form's too.
func (d *counter) check(text string) *widget.Check {
	d.Helper()
	var found *widget.Check
	d.top(func(o fyne.CanvasObject) {
		v := reflect.Indirect(reflect.ValueOf(o))
		if inner := v.FieldByName("Check"); inner.IsValid() && inner.CanInterface() {
			v = inner
		}
		if c, ok := v.Addr().Interface().(*widget.Check); ok && c.Text == text {
			found = c
		}
	})
	if found == nil {
		d.Fatalf("there is no check %q", text)
	}
	return found
}

// pictures are the images that the dialog on top shows, of the sample's size.
func (d *counter) pictures() []image.Image { return d.picturesOf(6) }

// picturesOf are those that are so many pixels wide.
func (d *counter) picturesOf(wide int) []image.Image {
	var list []image.Image
	d.top(func(o fyne.CanvasObject) {
		if c, ok := o.(*canvas.Image); ok && c.Image != nil && c.Image.Bounds().Dx() == wide {
			list = append(list, c.Image)
		}
	})
	return list
}

// saying waits until a label of the dialog on top has a text.
func (d *counter) saying(text string) {
	d.Helper()
	d.stage.Until(text, func() bool { return d.says(text) })
}

func (d *counter) says(text string) bool {
	found := false
	d.top(func(o fyne.CanvasObject) {
		l, ok := o.(*widget.Label)
		found = found || ok && strings.Contains(l.Text, text)
	})
	return found
}

// shifting opens the dialog and waits for its first preview.
func shifting(t *testing.T) *counter {
	d := newDesk(t, 1)
	ShiftDialog(d.host, d.ws.Workspace, "1.0")
	d.stage.Until("the first preview", func() bool { return len(d.pictures()) == previewImages*(1+corrupt.Severities) })
	return d
}

func TestShiftDialogAddsSuites(t *testing.T) {
	d := shifting(t)
	d.saying("Choose at least one corruption")
	if !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("nothing is chosen, but the buttons can be pressed")
	}
	before := d.pictures()
	test.Tap(d.check("brightness"))
	d.stage.Until("the preview follows", func() bool {
		now := d.pictures()
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
	d.stage.Until("the dialog opens again", func() bool { return len(d.pictures()) > 0 })
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

// The preview is what the suite holds: the corruption of the image with its own number.
func TestShiftPreviewIsTheSuite(t *testing.T) {
	d := newDesk(t, 1)
	m, err := d.ws.DeriveSuite(d.ws.Shapes.Hash, corrupt.Setting{Name: "gaussian_noise", Severity: 3, Seed: 4}, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.ws.OpenSuite(m.Hash)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	shown, err := previewOf(t.Context(), d.ws, previewAsk{suite: d.ws.Shapes.Hash, corruption: "gaussian_noise", seed: 4, page: 2})
	if err != nil {
		t.Fatal(err)
	}
	for k, i := range spread(previewImages, 2)(s.Len()) {
		img, err := s.Image(i)
		if err != nil {
			t.Fatal(err)
		}
		want, got := img.RGBA(), shown.rows[k].changed[2].(*image.RGBA)
		if !slices.Equal(got.Pix, want.Pix) || shown.rows[k].caption != s.Manifest().Classes[s.Label(i)] {
			t.Errorf("row %d (%s) is not image %d under severity 3", k, shown.rows[k].caption, i)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := previewOf(ctx, d.ws, previewAsk{suite: d.ws.Shapes.Hash, corruption: "fog"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a preview that was given up: %v", err)
	}
}

// An answer to what is no longer asked is dropped, whichever comes last.
func TestShiftPreviewDropsStaleAnswers(t *testing.T) {
	d := shifting(t)
	for _, name := range []string{"snow", "contrast", "fog", "pixelate"} {
		test.Tap(d.check(name))
	}
	d.stage.Until("the preview is quiet", func() bool { return !d.says("drawing") })
	want, err := previewOf(t.Context(), d.ws, previewAsk{suite: d.ws.Shapes.Hash, corruption: "pixelate", seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range d.pictures() {
		row, column := want.rows[k/(1+corrupt.Severities)], k%(1+corrupt.Severities)
		if !slices.Equal(got.(*image.RGBA).Pix, append([]image.Image{row.plain}, row.changed...)[column].(*image.RGBA).Pix) {
			t.Fatalf("picture %d is not that of pixelate", k)
		}
	}
}

func TestShiftDialogSavesImages(t *testing.T) {
	d := shifting(t)
	test.Tap(d.check("frost"))
	for _, severity := range []string{"1", "2", "3", "4"} {
		test.Tap(d.check(severity))
	}
	test.Tap(d.button("Save images…"))
	if !d.says("1 folder of 60 images") {
		t.Error("the form does not say what is written")
	}
	test.Tap(d.button("Back"))
	test.Tap(d.button("Save images…"))
	folder := filepath.Join(t.TempDir(), "out")
	entries := d.entries()
	if len(entries) != 2 || filepath.Base(entries[0].Text) != "sample-corrupted" {
		t.Fatalf("%d entries", len(entries))
	}
	entries[0].SetText("")
	if !d.button("Save").Disabled() {
		t.Error("images can be saved without a folder")
	}
	entries[0].SetText(folder)
	test.Tap(d.button("Save"))
	d.stage.Until("saved", func() bool { return d.says("frost-synthetic-5: 60 images") })
	if _, err := os.Stat(filepath.Join(folder, "frost-synthetic-5", "bird", "00.png")); err != nil || len(d.failed) > 0 {
		t.Errorf("%v, %v", err, d.failed)
	}
	test.Tap(d.button("Close"))
}

func TestShiftDialogTellsFailures(t *testing.T) {
	d := shifting(t)
	if err := os.Rename(d.ws.Shapes.Root, d.ws.Shapes.Root+"-away"); err != nil {
		t.Fatal(err)
	}
	test.Tap(d.check("elastic"))
	d.stage.Until("the preview says why", func() bool { return d.says("images not found") })
	if len(d.pictures()) > 0 || d.button("Add").Disabled() {
		t.Error("suites can be added without their images, and none are shown")
	}
	seed := d.entry("1")
	seed.SetText("x")
	if !d.says("Seed takes a whole number") || !d.button("Add").Disabled() || !d.button("Save images…").Disabled() {
		t.Error("a seed that is no number is taken")
	}
	seed.SetText("2")
	test.Tap(d.button("Save images…"))
	test.Tap(d.button("Save"))
	d.stage.Until("refused", func() bool { return len(d.failed) == 1 })
}

func TestShiftDialogNeedsASuite(t *testing.T) {
	d := newDesk(t, 1)
	empty, err := store.Create(filepath.Join(t.TempDir(), "empty.variscope"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	ShiftDialog(d.host, empty, "1.0")
	d.stage.Until("refused", func() bool { return len(d.failed) == 1 })
	if !strings.Contains(d.failed[0].Error(), "import one first") {
		t.Error(d.failed[0])
	}
}
