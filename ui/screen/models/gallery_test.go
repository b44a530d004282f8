package models

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
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

func TestGalleryShowsOneMatrixOfEachModel(t *testing.T) {
	s := show1(t, 7)
	test.Tap(s.toggle)
	if !s.gallery.Visible() || !s.scale.Visible() || s.toggle.Text != "Table" {
		t.Fatal("the table is still there")
	}
	s.stage.Draw(s.window, os.Getenv("VARISCOPE_SHOTS"), "models-gallery")
	s.stage.Until("tiles have pictures", func() bool {
		tiles := s.tiles()
		return tiles[0] != nil && tiles[0].content.picture != nil
	})
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
	s.stage.Until("a matrix that no summary holds",
		func() bool { return s.tiles()[0].content.picture != nil && s.tiles()[0].content.missing == "" })
	s.size.SetValue(200)
	s.size.OnChangeEnded(200)
	s.stage.Until("the looks are remembered", func() bool {
		var l looks
		_, err := s.ws.Setting(settingLooks, &l)
		return err == nil && l.Gallery && l.Modality == "std@CONV-1" && l.Tile == 200
	})
	again := New(s.Host, s.ws.Workspace, Ways{})
	again.Shown()
	s.stage.Until("another screen looks the same",
		func() bool { return again.looks.Gallery && again.gallery.Visible() && again.size.Value == 200 })
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
	if want := s.at(columns + 1).Model.ID; s.selectedID() != want {
		t.Errorf("%s is selected, not %s", s.selectedID(), want)
	}
	s.key(fyne.KeyUp, fyne.KeyLeft, fyne.KeyLeft, fyne.KeySpace, fyne.KeyReturn)
	if s.selectedID() != "m00" || len(s.list.Marked()) != 1 || len(s.opened) != 1 {
		t.Errorf("%s, %d marked, %d opened", s.selectedID(), len(s.list.Marked()), len(s.opened))
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
	if !s.list.IsMarked(1) || s.selectedID() != "m01" {
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
	s.key(fyne.KeyEscape, fyne.KeyHome, fyne.KeyDown)
	s.gallery.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	s.key(fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft)
	s.gallery.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if s.key(fyne.KeyRight); len(s.list.Marked()) != 2 || !s.list.IsMarked(columns) {
		t.Errorf("%d marked with Shift", len(s.list.Marked()))
	}
	s.gallery.TypedRune('m')
	if s.list.Filter() != "m" {
		t.Errorf("filter %q", s.list.Filter())
	}
	s.size.SetValue(smallestTile)
	if more := s.gallery.ColumnCount(); more <= columns {
		t.Errorf("smaller tiles give %d columns", more)
	}
}

func TestLabelsOfARound(t *testing.T) {
	s := show1(t, 4)
	if s.roundControls.Visible() || s.cell(0, "label") != "no such column" {
		t.Error("columns of a round without a round")
	}
	first := s.ws.NewRound(t, nil)
	for _, who := range first.Annotators[:2] {
		s.ws.Put(t, first, who, s.ws.Imported[0].Hash, label.Variant)
	}
	s.stage.Until("labels are shown", func() bool {
		return s.cell(0, "label") == "variant" && s.cell(0, "ratings") == "2"
	})
	if s.cell(0, "agreement") != "100.0 %" || !strings.Contains(s.at(0).Detail(), "label: variant") {
		t.Errorf("%s", s.at(0).Detail())
	}
	second := s.ws.NewRound(t, func(r *label.Round) { r.Name, r.Blind = "second", true })
	s.ws.Put(t, second, "r1", s.ws.Imported[1].Hash, label.Invariant)
	s.stage.Until("the newest round is shown", func() bool { return s.data.round.ID == second.ID })
	if s.at(1).Verdict != nil || !s.blind.Visible() || s.blind.Text != blindReason {
		t.Errorf("a blind round shows %+v, %q", s.at(1).Verdict, s.blind.Text)
	}
	if s.list.SetFilter("label=invariant"); s.list.Len() != 0 {
		t.Error("the filter tells what a blind round hides")
	}
	s.list.SetFilter("")
	s.round.SetSelected("first look")
	s.stage.Until("the other round is shown", func() bool { return s.cell(0, "label") == "variant" })
	if s.blind.Visible() {
		t.Error("the open round is said to be blind")
	}
	second.Closed = true
	testdata.OK(t, s.ws.UpdateRound(second))
	s.stage.Until("the choice stays", func() bool { return len(s.data.choices) == 2 && s.data.choices[0].Hidden == "" })
	if s.round.Selected != "first look" {
		t.Errorf("%s is chosen", s.round.Selected)
	}
}

func TestDeleteKeyRemovesAfterConfirmation(t *testing.T) {
	s := show1(t, 5)
	s.key(fyne.KeyDown, fyne.KeySpace, fyne.KeyDown, fyne.KeySpace, fyne.KeyDelete)
	s.stage.Until("the question", func() bool { return s.button("Remove for good") != nil })
	if got := len(s.data.rows); got != 5 {
		t.Fatalf("%d models before the answer", got)
	}
	test.Tap(s.button("Cancel"))
	s.Runs.Follow([]engine.Status{{
		ID: "r", Phase: engine.Running,
		Tasks: []engine.TaskStatus{{Model: s.ws.Imported[4].Hash, Phase: engine.Queued}},
	}})
	if got := busy(s.statuses); len(got) != 1 ||
		len(busy([]engine.Status{{Phase: engine.Done, Tasks: s.statuses[0].Tasks}})) != 0 {
		t.Errorf("busy %v", got)
	}
	s.key(fyne.KeyDelete)
	s.stage.Until("the question again", func() bool { return s.button("Remove for good") != nil })
	test.Tap(s.button("Remove for good"))
	s.stage.Until("two are gone", func() bool { return len(s.data.rows) == 3 })
	if s.idle(); s.window.Canvas().Focused() == nil || len(s.Chosen()) != 0 {
		t.Error("the keyboard is elsewhere, or what is gone is chosen")
	}
}

// TestEditedRecordCanBeTakenBack edits through the dialog and takes it back through the step that
// it reports.
func TestEditedRecordCanBeTakenBack(t *testing.T) {
	s := show1(t, 3)
	s.key(fyne.KeyDown)
	s.editRecords(s.Chosen())
	s.stage.Until("the form", func() bool { return s.button("Save") != nil })
	stage.Entries(s.window.Canvas().Focused().(fyne.CanvasObject))[0].SetText("fresh")
	test.Tap(s.button("Save"))
	s.stage.Until("the list follows", func() bool {
		return s.selectedID() == "fresh"
	})
	if len(s.steps) != 1 || s.steps[0].Title != "change of the record of m00" {
		t.Fatalf("%+v", s.steps)
	}
	testdata.OK(t, s.steps[0].Undo(t.Context()))
	if _, err := s.ws.FindModel("m00"); err != nil {
		t.Error(err)
	}
	testdata.OK(t, s.steps[0].Redo(t.Context()))
	if _, err := s.ws.FindModel("fresh"); err != nil {
		t.Error(err)
	}
}

var _ Store = (*store.Workspace)(nil)
