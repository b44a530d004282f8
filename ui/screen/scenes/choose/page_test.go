package choose

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	scenes "github.com/variscope/variscope/store/background"
)

// TestVerdictsByKey: A and V judge, are kept at once, and are taken back by the window's undo.
func TestVerdictsByKey(t *testing.T) {
	w := scenestest.New(t, 1)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	r.page.Focus()
	r.window.Canvas().Focused().TypedRune('a')
	r.key(fyne.KeyRight)
	r.window.Canvas().Focused().TypedRune('v')
	tile, _ := v.Tile()
	if n := v.counts(0); tile.Rank != 2 || n[Approved] != 1 || n[Vetoed] != 1 ||
		r.button("Veto").Importance == r.button("Approve").Importance {
		t.Errorf("%+v, %v", tile, n)
	}
	r.idle()
	kept, err := recall(w.Workspace, w.Selection.Hash)
	if err != nil || kept.Of(0, tile.Background) != Vetoed || len(kept.Approved[0]) != 1 || len(r.calls.Steps) != 2 {
		t.Fatalf("%+v, %v, %d steps", kept, err, len(r.calls.Steps))
	}
	step := r.calls.Steps[1]
	testdata.OK(t, step.Undo(t.Context()))
	r.stage.Until("taken back", func() bool { return v.Verdicts.Of(0, tile.Background) == Open })
	testdata.OK(t, step.Redo(t.Context()))
	r.stage.Until("made again", func() bool { return v.Verdicts.Of(0, tile.Background) == Vetoed })
	r.key(fyne.KeyDelete)
	if v.Verdicts.Of(0, tile.Background) != Open {
		t.Error("a second veto takes the first one away")
	}
	r.key(fyne.KeyHome)
	r.window.Canvas().Focused().TypedRune('v')
	if len(r.calls.Steps) != 3 || !strings.Contains(r.calls.Said, "target itself") {
		t.Errorf("the target was judged: %s", r.calls.Said)
	}
	r.idle()
}

func TestKeysMoveThroughTiles(t *testing.T) {
	w := scenestest.New(t, 1)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	r.page.Focus()
	for _, c := range []struct {
		key    fyne.KeyName
		place  int
		target int
	}{
		{fyne.KeyEnd, scenestest.N, 0},
		{fyne.KeyPageDown, 1, 1},
		{fyne.KeyPageUp, 1, 0},
		{fyne.KeyPageUp, 1, 0},
	} {
		r.key(c.key)
		if v.Place() != c.place || v.Target() != c.target {
			t.Errorf("%s: tile %d of target %d", c.key, v.Place(), v.Target())
		}
	}
	if one, ok := r.page.list.Selected(); !ok || one.Target != 0 {
		t.Error("the list follows")
	}
	r.idle()
}

// TestPictures: of composites at the size of a model's input, of scenes alone, and of a preview
// with other edges.
func TestPictures(t *testing.T) {
	w := scenestest.New(t, 1)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	f := r.page
	composite := f.detail.frame.Picture()
	if composite == nil || composite.Bounds().Dx() != 64 {
		t.Fatal("no picture of a composite")
	}
	f.wall.what.SetSelectedIndex(1)
	r.stage.Until("scene", func() bool { p := f.detail.frame.Picture(); return p != nil && p != composite })
	if !f.wall.alone || !f.wall.size.Disabled() {
		t.Error("scenes alone have their own size")
	}
	f.wall.what.SetSelectedIndex(0)
	r.idle()
	if f.detail.frame.Picture() != composite {
		t.Error("the composite was kept")
	}
	if !r.button("Choose with these").Disabled() {
		t.Error("nothing else was tried")
	}
	f.detail.feather.SetValue(3)
	r.stage.Until("preview", func() bool { return f.detail.frame.Picture() != composite })
	if !strings.Contains(f.detail.note.Text, "preview") {
		t.Error(f.detail.note.Text)
	}
	r.press("Choose with these")
	r.stage.Until("preview of the choice", func() bool { return !r.button("Create").Disabled() })
	r.press("Create")
	r.stage.Until("another selection", func() bool { return v.Record.Hash != w.Selection.Hash })
	r.idle()
	if s := v.Record.Selection; s.Feather != 3 || v.Record.Name != "keywords-8-feather-3" || f.detail.other() {
		t.Errorf("%+v", v.Record)
	}
}

// TestChooseAgainWithoutVetoed: what was vetoed is not there any more, approvals of scenes that
// stay go along, and undo removes it.
func TestChooseAgainWithoutVetoed(t *testing.T) {
	w := scenestest.New(t, 1)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	r.page.judge(Approved)
	kept, _ := v.Tile()
	r.page.wall.Select(4)
	v.Mark(4)
	gone, _ := v.Tile()
	r.page.judge(Vetoed)
	r.idle()
	r.press("New round…")
	if !slices.Equal(r.calls.Rounds, []string{w.Selection.Hash}) {
		t.Errorf("rounds %v", r.calls.Rounds)
	}
	r.press("Choose without 1 vetoed")
	r.stage.Until("preview", func() bool { return !r.button("Create").Disabled() })
	r.press("Create")
	r.stage.Until("another selection", func() bool { return v.Record.Hash != w.Selection.Hash })
	r.idle()
	for _, s := range v.Record.Selection.Chosen {
		for _, scene := range s {
			if scene.Background == gone.Background {
				t.Error("the vetoed background was chosen again")
			}
		}
	}
	if v.Record.Name != "keywords-8-without-1" || v.Verdicts.Of(0, kept.Background) != Approved ||
		!strings.Contains(v.Summary(), "without 1 background") {
		t.Errorf("%s: %+v; %s", v.Record.Name, v.Verdicts, v.Summary())
	}
	undo := r.calls.Steps[len(r.calls.Steps)-1]
	testdata.OK(t, undo.Undo(context.Background()))
	if list, err := w.Selections(); err != nil || len(list) != 1 {
		t.Errorf("%d selections, %v", len(list), err)
	}
	r.idle()
}

func TestCompareTwoSelections(t *testing.T) {
	w := scenestest.New(t, 1)
	w.Choose(t, "by chance", func(a *scenes.Ask) { a.Choice.Method = background.Random })
	r := newRig(t, w, w.Subject())
	r.idle()
	s := r.page.strip
	s.compare.SetSelected("by chance")
	r.stage.Until("compared", func() bool { return s.other != nil })
	if n := len(s.chart.Data().Groups); n != 3 || len(s.numbers.Objects) != 3 || s.other.plausibility == nil {
		t.Errorf("%d groups, %d columns", n, len(s.numbers.Objects))
	}
	s.compare.SetSelectedIndex(0)
	if n := len(s.chart.Data().Groups); n != 2 || s.other != nil {
		t.Errorf("%d groups", n)
	}
	r.idle()
	r.press("Choose scenes…")
	r.stage.Until("preview", func() bool { return r.says("keywords-32: 32 scenes for each of 12 targets.") })
	r.press("Cancel")
}

func TestRemoveAndUndo(t *testing.T) {
	w := scenestest.New(t, 0)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	r.press("Remove…")
	r.press("Remove")
	r.stage.Until("removed", func() bool { return v.Record.Hash == "" })
	if r.page.Body.Visible() {
		t.Error("there is nothing to show")
	}
	testdata.OK(t, r.calls.Steps[0].Undo(t.Context()))
	r.stage.Until("there again", func() bool { return v.Record.Hash == w.Selection.Hash })
	r.idle()
}

// TestExports: the table has a row per scene, and contact sheets land where their targets lie.
func TestExports(t *testing.T) {
	w := scenestest.New(t, 0)
	r := newRig(t, w, w.Subject())
	v := r.idle()
	v.Judge(Vetoed)
	tile, _ := v.Tile()
	rows := v.chosen()
	if row := rows[tile.Image-1]; row.Verdict != "vetoed" || len(rows) != scenestest.Targets*scenestest.N {
		t.Errorf("%d rows, %v", len(rows), row)
	}
	folder := t.TempDir()
	r.page.sheets(folder, []int{0, 5})
	r.stage.Until("written", func() bool { return r.calls.Said != "" })
	for _, name := range []string{"car/car_00.png", "dog/dog_01.png"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	var svg strings.Builder
	if err := r.page.sheetOf(3, "svg")(&svg); err != nil || !strings.Contains(svg.String(), "car_03") {
		t.Error(err)
	}
	if items := r.page.exportMenu(); len(items) < 7 || len(r.calls.Errors) > 0 ||
		!strings.Contains(r.calls.Said, "2 contact sheets") {
		t.Errorf("%d entries, errors %v, said %q", len(items), r.calls.Errors, r.calls.Said)
	}
}
