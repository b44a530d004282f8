package models

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/stage"
)

// tiles are the gallery's tiles that can be seen, by index.
func (s *shownScreen) tiles() map[int]*matrixTile {
	found := map[int]*matrixTile{}
	stage.Walk(s.Object(), func(o fyne.CanvasObject) {
		if t, ok := o.(*matrixTile); ok {
			found[t.at] = t
		}
	})
	return found
}

func (s *shownScreen) key(names ...fyne.KeyName) {
	for _, name := range names {
		s.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (s *shownScreen) hold(down bool) {
	k := s.window.Canvas().Focused().(desktop.Keyable)
	if e := (&fyne.KeyEvent{Name: desktop.KeyShiftLeft}); down {
		k.KeyDown(e)
	} else {
		k.KeyUp(e)
	}
}

func (s *shownScreen) selectedID() string {
	r, _ := s.view.Selected()
	return r.Model.ID
}

func TestGalleryShowsOneMatrixOfEachModel(t *testing.T) {
	s := show1(t, 7)
	test.Tap(s.toggle)
	if s.table.Visible() || !s.pictures.Visible() || s.columns.Visible() {
		t.Fatal("the table is still there")
	}
	s.stage.Until("tiles have pictures", func() bool { tiles := s.tiles(); return tiles[0] != nil && tiles[0].content.picture != nil })
	tiles := s.tiles()
	if got := tiles[0].content; got.id != "m00" || !strings.HasPrefix(got.line, "acc. ") {
		t.Errorf("%+v", got)
	}
	if got := tiles[6].content; got.picture != nil || got.missing != "no signals" || got.line != "no signals" {
		t.Errorf("without signals: %+v", got)
	}
	s.modality.SetSelected("max@CONV-2")
	s.stage.Until("the other matrix is shown", func() bool { return s.tiles()[0].content.picture != nil })
	if got := s.tiles()[4].content; got.missing != absentText || got.picture == nil {
		t.Errorf("without a second convolution: %+v", got)
	}
	if !s.bar.Visible() {
		t.Error("no colour bar")
	}
	s.modality.SetSelected("std@CONV-1")
	s.stage.Until("a matrix that no summary holds", func() bool { return s.tiles()[0].content.picture != nil && s.tiles()[0].content.missing == "" })
	s.size.SetValue(200)
	s.size.OnChangeEnded(200)
	s.stage.Until("the looks are remembered", func() bool {
		var l looks
		_, err := s.ws.Setting(settingLooks, &l)
		return err == nil && l.Gallery && l.Modality == "std@CONV-1" && l.Tile == 200
	})
	again := New(s.deps)
	again.Refresh()
	s.stage.Until("another screen looks the same", func() bool { return again.loaded && again.looks.Gallery && again.pictures.Visible() })
	again.Close()
}

func TestGalleryKeysAndMouse(t *testing.T) {
	s := show1(t, 30)
	test.Tap(s.toggle)
	columns := s.gallery.ColumnCount()
	if columns < 3 {
		t.Fatalf("%d columns", columns)
	}
	s.key(fyne.KeyDown, fyne.KeyRight, fyne.KeyDown)
	if r, _ := s.view.At(columns + 1); s.selectedID() != r.Model.ID {
		t.Errorf("%s is selected, not %s", s.selectedID(), r.Model.ID)
	}
	s.key(fyne.KeyUp, fyne.KeyLeft, fyne.KeyLeft, fyne.KeySpace, fyne.KeyReturn)
	if s.selectedID() != "m00" || s.view.Caption() != "30 models, 1 checked" || len(s.opened) != 1 {
		t.Errorf("%s, %s, %d opened", s.selectedID(), s.view.Caption(), len(s.opened))
	}
	s.key(fyne.KeyEnd)
	if !s.tiles()[29].content.selected {
		t.Error("the last model is not in sight")
	}
	s.key(fyne.KeyHome)
	second := s.tiles()[1]
	press := func(x float32, button desktop.MouseButton) {
		second.MouseDown(&desktop.MouseEvent{Button: button, PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}})
	}
	press(10, desktop.MouseButtonPrimary) // on the check mark
	press(80, desktop.MouseButtonPrimary)
	if !s.view.Checked(s.ws.Imported[1].Hash) || s.selectedID() != "m01" {
		t.Error("a press on the corner does not check")
	}
	second.MouseIn(nil)
	if !strings.HasPrefix(s.detail.Text, "m01") || !second.content.hovered {
		t.Errorf("%q", s.detail.Text)
	}
	second.MouseOut()
	test.DoubleTap(second)
	if len(s.opened) != 2 {
		t.Error("a double tap does not open")
	}
	press(80, desktop.MouseButtonSecondary)
	if s.window.Canvas().Overlays().Top() == nil {
		t.Error("the second button opens no menu")
	}
	s.window.Canvas().Overlays().Top().Hide()
	s.size.SetValue(smallestTile)
	if more := s.gallery.ColumnCount(); more <= columns {
		t.Errorf("smaller tiles give %d columns", more)
	}
}

func TestShiftChecksARange(t *testing.T) {
	s := show1(t, 8)
	s.key(fyne.KeyDown, fyne.KeyDown)
	s.hold(true)
	s.key(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp)
	if got := s.view.Caption(); got != "8 models, 3 checked" {
		t.Error(got)
	}
	s.key(fyne.KeyHome)
	if got := s.view.Caption(); got != "8 models, 2 checked" || !s.view.Checked(s.ws.Imported[0].Hash) {
		t.Errorf("turned round: %s", got)
	}
	s.hold(false)
	s.key(fyne.KeyDown)
	if got := s.view.Caption(); got != "8 models, 2 checked" {
		t.Errorf("without Shift: %s", got)
	}
	s.key(fyne.KeyEscape)
	if !s.view.Unchecked() {
		t.Error("Escape leaves checks")
	}
	s.filter.SetText("m0")
	s.window.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	if len(s.view.Chosen()) != 8 {
		t.Errorf("Ctrl+A checks %d", len(s.view.Chosen()))
	}
	s.key(fyne.KeyEscape, fyne.KeyEscape)
	if s.filter.Text != "" {
		t.Error("Escape without checks leaves the filter")
	}
	heard := &hearing{Canvas: s.window.Canvas()}
	s.deps.Window = hearingWindow{s.window, heard}
	s.table.TypedShortcut(&fyne.ShortcutUndo{})
	if heard.last != "Undo" {
		t.Error("the window's shortcuts do not get through")
	}
}

// hearing is a canvas that takes shortcuts, as the real one does and the test driver's does not.
type hearing struct {
	fyne.Canvas
	last string
}

func (h *hearing) TypedShortcut(s fyne.Shortcut) { h.last = s.ShortcutName() }

type hearingWindow struct {
	fyne.Window
	canvas *hearing
}

func (h hearingWindow) Canvas() fyne.Canvas { return h.canvas }

func TestChipsAndMenusWriteTheFilter(t *testing.T) {
	s := show1(t, 6)
	s.filter.SetText(`m0 optimizer="Adam" -m03`)
	if len(s.chips.Objects) != 4 || s.view.Len() != 5 {
		t.Fatalf("%d chips, %d rows", len(s.chips.Objects), s.view.Len())
	}
	test.Tap(s.chips.Objects[2].(*widget.Button))
	if s.filter.Text != `m0 optimizer="Adam"` || s.view.Len() != 6 || s.window.Canvas().Focused() != fyne.Focusable(s.table) {
		t.Errorf("filter %q", s.filter.Text)
	}
	test.Tap(s.chips.Objects[2].(*widget.Button)) // clear all
	if s.filter.Text != "" || s.second.Visible() {
		t.Errorf("filter %q", s.filter.Text)
	}
	s.filter.SetText("nobody")
	if !s.none.Visible() {
		t.Error("an empty list says nothing")
	}
	test.Tap(s.none.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container).Objects[0].(*widget.Button))
	if s.none.Visible() || s.filter.Text != "" {
		t.Errorf("filter %q", s.filter.Text)
	}
	check := func(text string) {
		t.Helper()
		found := false
		stage.Walk(s.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			if c, ok := o.(*widget.Check); ok && c.Text == text && !found {
				found = true
				c.SetChecked(!c.Checked)
			}
		})
		if !found {
			t.Errorf("there is no %q", text)
		}
	}
	test.Tap(s.filters)
	check("ready  (5)")
	check("no signals  (1)")
	if s.filter.Text != `state="ready"|"no signals"` {
		t.Errorf("filter %q", s.filter.Text)
	}
	check("ready  (5)")
	if s.view.Len() != 1 {
		t.Errorf("%d rows", s.view.Len())
	}
	s.window.Canvas().Overlays().Top().Hide()
	test.Tap(s.columns)
	check("fold")
	s.window.Canvas().Overlays().Top().Hide()
	if !s.view.Hidden("fold") {
		t.Error("the column is still there")
	}
}

func TestLabelsOfARound(t *testing.T) {
	s := show1(t, 4)
	if s.roundControls.Visible() || s.view.labelled {
		t.Error("columns of a round without a round")
	}
	first := s.ws.NewRound(t, nil)
	for _, who := range first.Annotators[:2] {
		s.ws.Put(t, first, who, s.ws.Imported[0].Hash, label.Variant)
	}
	s.stage.Until("labels are shown", func() bool { r, _ := s.view.At(0); return r.Text(keyLabel) == "variant" && r.Text(keyRatings) == "2" })
	if r, _ := s.view.At(0); r.Text(keyAgreement) != "100 %" || !strings.Contains(r.Detail(), "label: variant") {
		t.Errorf("%s", r.Detail())
	}
	second := s.ws.NewRound(t, func(r *label.Round) { r.Name, r.Blind = "second", true })
	s.ws.Put(t, second, "r1", s.ws.Imported[1].Hash, label.Invariant)
	s.stage.Until("the newest round is shown", func() bool { return s.list.round.ID == second.ID })
	if r, _ := s.view.At(1); r.Verdict != nil || !s.blind.Visible() || s.blind.Text != blindReason {
		t.Errorf("a blind round shows %+v, %q", r.Verdict, s.blind.Text)
	}
	s.filter.SetText("label=invariant")
	if s.view.Len() != 0 {
		t.Error("the filter tells what a blind round hides")
	}
	s.filter.SetText("")
	s.round.SetSelected("first look")
	s.stage.Until("the other round is shown", func() bool { r, _ := s.view.At(0); return r.Text(keyLabel) == "variant" })
	if s.blind.Visible() {
		t.Error("the open round is said to be blind")
	}
	second.Closed = true
	if err := s.ws.UpdateRound(second); err != nil {
		t.Fatal(err)
	}
	s.stage.Until("the choice stays", func() bool { return len(s.list.choices) == 2 && s.list.choices[0].Hidden == "" })
	if s.round.Selected != "first look" {
		t.Errorf("%s is chosen", s.round.Selected)
	}
}

// button finds a button of the topmost dialog.
func (s *shownScreen) button(text string) *widget.Button {
	var found *widget.Button
	stage.Walk(s.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if b, ok := o.(*widget.Button); ok && b.Text == text {
			found = b
		}
	})
	return found
}

func TestDeleteKeyRemovesAfterConfirmation(t *testing.T) {
	s := show1(t, 5)
	s.key(fyne.KeyDown, fyne.KeySpace, fyne.KeyDown, fyne.KeySpace, fyne.KeyDelete)
	s.stage.Until("the question", func() bool { return s.button("Remove for good") != nil })
	if got := len(s.list.rows); got != 5 {
		t.Fatalf("%d models before the answer", got)
	}
	test.Tap(s.button("Cancel"))
	s.Follow([]engine.Status{{ID: "r", Phase: engine.Running, Tasks: []engine.TaskStatus{{Model: s.ws.Imported[4].Hash, Phase: engine.Queued}}}})
	if got := busy(s.statuses); len(got) != 1 || len(busy([]engine.Status{{Phase: engine.Done, Tasks: s.statuses[0].Tasks}})) != 0 {
		t.Errorf("busy %v", got)
	}
	s.key(fyne.KeyDelete)
	s.stage.Until("the question again", func() bool { return s.button("Remove for good") != nil })
	test.Tap(s.button("Remove for good"))
	s.stage.Until("two are gone", func() bool { return s.view.Total() == 3 })
	if s.window.Canvas().Focused() != fyne.Focusable(s.table) || len(s.view.Chosen()) != 0 {
		t.Error("the keyboard is elsewhere, or what is gone is chosen")
	}
}

func TestMenuOffersWhatFits(t *testing.T) {
	s := show1(t, 6)
	var compared []string
	s.deps.Compare = func(hashes []string) { compared = hashes }
	s.view.CheckRange(0, 4)
	for _, a := range s.actions() {
		want := a.name != "Compare (2 to 4)"
		if a.enabled(5) != want || !a.enabled(2) {
			t.Errorf("%s: %v for five", a.name, a.enabled(5))
		}
		if strings.HasPrefix(a.name, "Add to round") || strings.HasPrefix(a.name, "Report") {
			t.Errorf("%s is offered without anybody who does it", a.name)
		}
	}
	for _, a := range s.actions() {
		if a.enabled(2) && strings.HasPrefix(a.name, "Compare") {
			a.do(s.view.Chosen()[:2])
		}
	}
	if len(compared) != 2 {
		t.Errorf("compared %v", compared)
	}
	s.openMenu(fyne.NewPos(10, 10))
	if s.window.Canvas().Overlays().Top() == nil {
		t.Error("no menu")
	}
}

// TestEditedRecordCanBeTakenBack edits through the dialog and takes it back through the step that it reports.
func TestEditedRecordCanBeTakenBack(t *testing.T) {
	s := show1(t, 3)
	s.key(fyne.KeyDown)
	s.editRecords(s.view.Chosen())
	s.stage.Until("the form", func() bool { return s.button("Save") != nil })
	s.window.Canvas().Focused().(*widget.Entry).SetText("fresh")
	test.Tap(s.button("Save"))
	s.stage.Until("the list follows", func() bool {
		i := s.view.Index(s.ws.Imported[0].Hash)
		r, _ := s.view.At(i)
		return r.Model.ID == "fresh"
	})
	if len(s.steps) != 1 || s.steps[0].Title != "change of the record of m00" {
		t.Fatalf("%+v", s.steps)
	}
	if err := s.steps[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ws.FindModel("m00"); err != nil {
		t.Error(err)
	}
	if err := s.steps[0].Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ws.FindModel("fresh"); err != nil {
		t.Error(err)
	}
}

// TestColourMapOfTheWorkspaceIsFollowed changes the setting that all screens share.
func TestColourMapOfTheWorkspaceIsFollowed(t *testing.T) {
	s := show1(t, 3)
	s.stage.Until("the ranges are known", func() bool { return len(s.scales.by) > 0 })
	if err := s.ws.SetSetting(settingMap, "cividis"); err != nil {
		t.Fatal(err)
	}
	s.stage.Until("the map is taken", func() bool { return s.scales.colours == "cividis" })
	if err := s.ws.SetSetting(settingPreset, int(evidence.Paper)); err != nil {
		t.Fatal(err)
	}
	s.stage.Until("the papers' range is taken", func() bool { scale, badge, ok := s.galleryScale(); return ok && scale.High == 0.15 && badge != "" })
	if err := s.ws.SetSetting("something.else", 1); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if s.waiting.Load() {
		t.Error("a setting of others reads the list anew")
	}
}

var _ Store = (*store.Workspace)(nil)
