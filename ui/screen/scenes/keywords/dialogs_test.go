//go:build cgo

package keywords

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// networks also reads what networks' files say.
type networks struct{ engine.InProcess }

// Network implements engine.NetworkReader.
func (networks) Network(path string) (model.Graph, error) { return onnx.Network(path) }

// newDialogRig is the page of a workspace without a table, with ONNX Runtime and the path of the
// zoo's context networks.
func newDialogRig(t *testing.T) (r *rig, context string) {
	t.Helper()
	root, ok := testdata.Zoo("scenes")
	if !ok {
		t.Fatal("the repository has a copy of the scenes, and it is not there")
	}
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		t.Logf("onnxruntime: absent (%v)", err)
		return nil, ""
	}
	rt := testdata.Must(onnx.Load("", ""))(t)
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	r = newRig(t, scenestest.Suites(t), stage.New(t), fyne.NewSize(1200, 760))
	r.page.site.Runtime = networks{engine.InProcess{Library: rt}}
	return r, filepath.Join(root, "context")
}

// each visits what is visible of the dialog on top.
func each[T fyne.CanvasObject](r *rig, visit func(T)) {
	if top := r.window.Canvas().Overlays().Top(); top != nil {
		stage.Walk(top, func(o fyne.CanvasObject) {
			if found, ok := o.(T); ok {
				visit(found)
			}
		})
	}
}

// says tells whether a label of the dialog has a text.
func (r *rig) says(text string) (found bool) {
	each(r, func(l *fynewidget.Label) { found = found || strings.Contains(l.Text, text) })
	return found
}

// saying waits until a label of the dialog has a text.
func (r *rig) saying(text string) {
	r.Helper()
	r.stage.Until(text, func() bool { return r.says(text) })
}

func (r *rig) button(text string) (found *fynewidget.Button) {
	each(r, func(b *fynewidget.Button) {
		if b.Text == text {
			found = b
		}
	})
	return found
}

// press waits for a button that can be pressed, and presses it.
func (r *rig) press(text string) {
	r.Helper()
	r.stage.Until("button "+text, func() bool { b := r.button(text); return b != nil && !b.Disabled() })
	test.Tap(r.button(text))
}

// fill writes into the entries of the dialog, from the first on.
func (r *rig) fill(texts ...string) {
	for k, text := range texts {
		stage.Entries(r.window.Canvas().Overlays().Top())[k].SetText(text)
	}
	r.stage.Pump()
}

func (r *rig) choose(option string) {
	each(r, func(g *fynewidget.RadioGroup) {
		if slices.Contains(g.Options, option) {
			g.SetSelected(option)
		}
	})
	each(r, func(p *fynewidget.Select) {
		if slices.Contains(p.Options, option) {
			p.SetSelected(option)
		}
	})
	r.stage.Pump()
}

func (r *rig) write(name, text string) string {
	r.Helper()
	path := filepath.Join(r.TempDir(), name)
	testdata.OK(r, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestNetworksReadKeywords: names that do not match the network are refused before anything is
// computed; then the table is made, and made again from what was kept.
func TestNetworksReadKeywords(t *testing.T) {
	r, context := newDialogRig(t)
	if r == nil {
		return
	}
	r.tap("Read keywords…")
	r.saying("Choose the segmentation network")
	few := r.write("few.txt", "sky\nsea\n")
	seg, scene := filepath.Join(context, "seg.onnx"), filepath.Join(context, "scene.onnx")
	r.fill(seg, scene, few)
	r.saying("seg.onnx tells 24 elements apart, but the list has 2 names")
	if !r.button("Read").Disabled() {
		t.Error("it can be read all the same")
	}
	r.fill(seg, scene, "")
	r.saying("24 elements: sky, cloud")
	r.press("Read")
	r.saying("Computed now: 60 images; from before: 0 images")
	r.stage.Until("chosen", func() bool { return len(r.calls.Chosen) == 1 })
	r.press("Close")
	table := r.calls.Chosen[0].Table
	r.page.Look(page.Subject{Table: table})
	r.stage.Until("shown", func() bool { return r.page.view.Record.Hash == table && r.page.Idle() })
	v := r.page.view
	if v.Record.Name != "keywords" || len(v.Images()) != 60 || v.Place(0).Suite != r.ws.Targets.Hash ||
		v.Place(59).Suite != r.ws.Backgrounds.Hash {
		t.Errorf("table %+v with %d images", v.Record, len(v.Images()))
	}
	r.page.askKeywords()
	r.saying("Choose the segmentation network")
	r.fill(seg, scene)
	r.press("Read")
	r.saying("Computed now: 0 images; from before: 60 images")
}

// TestTablesAreRead: a file that is no table says why and adds nothing; a good one is looked at.
func TestTablesAreRead(t *testing.T) {
	r, context := newDialogRig(t)
	if r == nil {
		return
	}
	r.tap("Read keywords…")
	r.saying("Choose the segmentation network")
	r.choose("from a table that was made elsewhere")
	r.saying("Choose the keyword table")
	bad := r.write("bad.csv", "file,kind\na,b\n")
	r.fill(bad)
	r.saying("eyword table " + bad + ": ")
	if !r.button("Read").Disabled() {
		t.Error("it can be read all the same")
	}
	bare := "file,kind,label,scene,visible_pixels,seg_sky,scene_beach\n" +
		"a.png,target,dog,,10,0.5,1\nb.png,background,,,10,0,0\n"
	r.fill(r.write("bare.csv", bare))
	r.saying("1 image has no keyword by the rule of the background paper [2]: b.png")
	r.fill(filepath.Join(filepath.Dir(context), "keywords.csv"), "mine")
	r.saying("360 targets and 600 backgrounds; 24 elements and 10 scene words")
	r.press("Read")
	r.saying("Next: look through the images")
	tables, err := r.ws.KeywordTables()
	if err != nil || len(tables) != 1 || tables[0].Name != "mine" || r.calls.Chosen[0].Table != tables[0].Hash {
		t.Errorf("tables %+v, %v", tables, err)
	}
}

// TestMasksFromFiles: a mask of another size is named and nothing added; those that fit are added;
// one that is not there is named at once.
func TestMasksFromFiles(t *testing.T) {
	r, _ := newDialogRig(t)
	if r == nil {
		return
	}
	testdata.OK(t, r.ws.RemoveMasks(r.ws.Masks.Hash))
	r.page.askMasks()
	r.saying("no masks yet")
	folder := t.TempDir()
	r.fill(folder)
	r.saying("is not in " + folder)
	var names []string
	for i := range r.ws.Targets.Images {
		names = append(names, r.ws.Targets.ImageName(i))
	}
	for k, name := range names {
		side := 64
		if k == 0 {
			side = 32
		}
		drawMask(t, filepath.Join(folder, filepath.FromSlash(name)), side)
	}
	r.press("Add")
	r.saying("mask " + names[0])
	if sets, err := r.ws.MaskSets(r.ws.Targets.Hash); err != nil || len(sets) != 0 {
		t.Errorf("sets %+v, %v", sets, err)
	}
	drawMask(t, filepath.Join(folder, filepath.FromSlash(names[0])), 64)
	r.press("Add")
	r.saying("12 masks: files")
}

// drawMask writes a mask whose upper half is foreground.
func drawMask(t *testing.T, path string, side int) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, side, side))
	for k := range side * side / 2 {
		img.SetGray(k%side, k/side, color.Gray{Y: 255})
	}
	testdata.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	file := testdata.Must(os.Create(path))(t)
	testdata.OK(t, png.Encode(file, img))
	testdata.OK(t, file.Close())
}

// TestMasksByANetwork: images in which the chosen class is missing are named, the masks stay in a
// folder, and can be discarded.
func TestMasksByANetwork(t *testing.T) {
	r, context := newDialogRig(t)
	if r == nil {
		return
	}
	r.page.askMasks()
	r.saying("12 masks: files")
	r.choose("by a segmentation network")
	r.fill(filepath.Join(context, "seg.onnx"))
	r.stage.Until("classes", func() (ticked bool) {
		each(r, func(g *fynewidget.CheckGroup) {
			if ticked = len(g.Options) == 24; ticked {
				g.SetSelected([]string{"boat"})
			}
		})
		return ticked
	})
	r.saying("Foreground is where the network finds boat")
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "masks")
	r.press("Make and add")
	r.saying("the network finds none of these classes")
	folders, err := filepath.Glob(filepath.Join(filepath.Dir(r.ws.Path()), "*-masks"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("folders %v, %v", folders, err)
	}
	if sets, err := r.ws.MaskSets(r.ws.Targets.Hash); err != nil || len(sets) != 1 {
		t.Errorf("sets %+v, %v", sets, err)
	}
	r.press("Discard and choose again")
	r.stage.Until("the folder is gone", func() bool {
		_, err := os.Stat(folders[0])
		return os.IsNotExist(err)
	})
	r.saying("Foreground is where")
}

// TestWithoutARuntime: files can be read all the same, and the reason for the rest is said.
func TestWithoutARuntime(t *testing.T) {
	r, _ := newDialogRig(t)
	if r == nil {
		return
	}
	r.page.site.Runtime = nil
	r.page.askKeywords()
	r.saying("Choose the keyword table")
	r.choose("by two networks")
	r.saying("ONNX Runtime")
	r.window.Canvas().Overlays().Remove(r.window.Canvas().Overlays().Top())
	r.page.askMasks()
	r.saying("12 masks: files")
	r.choose("by a segmentation network")
	r.saying("ONNX Runtime")
}
