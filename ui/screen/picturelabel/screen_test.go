package picturelabel

import (
	"errors"
	"image"
	"maps"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestLabelByKeys(t *testing.T) {
	r := newRig(t)
	r.open(5, 25, 45, 0)
	hash := r.store.Shapes.Hash
	if r.screen.widgets.progress.Text != "1 of 4, 0 labelled" || r.screen.widgets.name.Text != "05.png" {
		t.Errorf("%q, %q", r.screen.widgets.progress.Text, r.screen.widgets.name.Text)
	}
	shown, ok := r.screen.widgets.frame.Picture().(*image.RGBA)
	if !ok || shown.Bounds().Dx() != 6 {
		t.Fatalf("the picture is %T", r.screen.widgets.frame.Picture())
	}
	r.key('2')
	if r.image() != 25 || !maps.Equal(r.labels(hash), map[int]int{5: 1}) {
		t.Errorf("at image %d with labels %v", r.image(), r.labels(hash))
	}
	r.named(fyne.KeySpace)
	r.key('x') // no class has this key
	r.key('3')
	r.key('1')
	if want := map[int]int{5: 1, 45: 2, 0: 0}; !r.screen.session.Ended() || !maps.Equal(r.labels(hash), want) {
		t.Errorf("ended %v, labels %v, want %v", r.screen.session.Ended(), r.labels(hash), want)
	}
	if got := r.screen.widgets.endText.Text; got != "1 image was skipped and has no label." {
		t.Errorf("at the end: %q", got)
	}
	r.click("Show those without a label")
	if r.image() != 25 {
		t.Errorf("image %d, want the skipped one", r.image())
	}
	r.key('2')
	if got := r.screen.widgets.endText.Text; got != "Every image has a label." || !r.screen.widgets.rest.Hidden {
		t.Errorf("at the end: %q", got)
	}
}

func TestUndoOnDisk(t *testing.T) {
	r := newRig(t)
	hash := r.store.Shapes.Hash
	testdata.OK(t, r.store.SetImageLabel(hash, store.ImageLabel{Image: 7, Class: 2, By: "ada"}))
	r.open(7, 8)
	if r.image() != 8 {
		t.Errorf("begins at %d, want the one without a label", r.image())
	}
	r.named(fyne.KeyLeft)
	if got := r.screen.widgets.given.Text; got != "labelled bridge" {
		t.Errorf("label shown: %q", got)
	}
	r.key('1')
	r.key('1')
	r.window.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutUndo{})
	r.stage.Until("taken back", r.ready)
	if r.image() != 8 || !maps.Equal(r.labels(hash), map[int]int{7: 0}) {
		t.Errorf("after Ctrl+Z at %d with %v", r.image(), r.labels(hash))
	}
	r.named(fyne.KeyBackspace)
	if r.image() != 7 || !maps.Equal(r.labels(hash), map[int]int{7: 2}) {
		t.Errorf("after Backspace at %d with %v", r.image(), r.labels(hash))
	}
	r.named(fyne.KeyBackspace)
	if got := r.screen.widgets.line.Text; got != "There is no label to take back." {
		t.Errorf("with nothing to take back: %q", got)
	}
	redo := func() {
		r.window.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutRedo{})
		r.stage.Until("given again", r.ready)
	}
	redo()
	redo()
	if !maps.Equal(r.labels(hash), map[int]int{7: 0, 8: 0}) {
		t.Errorf("after Ctrl+Y twice %v", r.labels(hash))
	}
	if redo(); r.screen.widgets.line.Text != "There is no label to give again." {
		t.Errorf("with nothing to give again: %q", r.screen.widgets.line.Text)
	}
}

// TestNothingMovesBeforeTheLabelIsOnDisk: while a label is being stored no key acts.
func TestNothingMovesBeforeTheLabelIsOnDisk(t *testing.T) {
	r := newRig(t)
	r.open(1, 2, 3)
	let := r.store.shut()
	surface := r.window.Canvas().Focused()
	surface.TypedRune('1')
	surface.TypedRune('2')
	surface.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	surface.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	r.stage.Pump()
	if r.image() != 1 || !strings.Contains(r.screen.widgets.line.Text, "still being stored") {
		t.Errorf("at image %d, line %q", r.image(), r.screen.widgets.line.Text)
	}
	let()
	r.stage.Until("stored", r.ready)
	if got := r.labels(r.store.Shapes.Hash); r.image() != 2 || !maps.Equal(got, map[int]int{1: 0}) {
		t.Errorf("at image %d with %v", r.image(), got)
	}
}

func TestALabelThatCannotBeStored(t *testing.T) {
	r := newRig(t)
	r.open(1, 2)
	r.store.fails = errors.New("the disk is full")
	r.key('1')
	if r.image() != 1 || len(r.errs) != 1 || !strings.Contains(r.screen.widgets.line.Text, "disk is full") {
		t.Errorf("at image %d, errors %v, line %q", r.image(), r.errs, r.screen.widgets.line.Text)
	}
	r.store.fails, r.errs = nil, nil
	r.key('1')
	if r.image() != 2 {
		t.Errorf("at image %d after the disk has room again", r.image())
	}
}

func TestLabelByMouse(t *testing.T) {
	r := newRig(t)
	r.open(30, 31, 32)
	r.click("2   boat")
	r.click("Skip")
	r.click("Back")
	r.click("3   bridge")
	r.click("Undo")
	if got := r.labels(r.store.Shapes.Hash); r.image() != 31 || !maps.Equal(got, map[int]int{30: 1}) {
		t.Errorf("at image %d with %v", r.image(), got)
	}
	if r.window.Canvas().Focused() != fyne.Focusable(r.screen.widgets.surface) {
		t.Error("the keys do not have the focus after a click")
	}
	r.click("Next")
	if r.image() != 32 || r.screen.widgets.next.Disabled() || r.screen.widgets.undo.Disabled() {
		t.Errorf("at image %d", r.image())
	}
}

// TestSearch labels with more classes than keys.
func TestSearch(t *testing.T) {
	r := newRig(t)
	classes := names(60)
	classes[50], classes[51], classes[52] = "grey wolf", "wolf spider", "new york"
	table, err := r.store.AddPredictions(store.PredictionTable{
		Name: "code", Models: []string{"a", "b", "c"}, Samples: 3, Classes: 60,
		SampleNames: []string{"Main.java", "Sort.java", "Tree.java"},
	}, store.Predictions{Labels: make([]int32, 9)})
	if err != nil {
		t.Fatal(err)
	}
	r.ask(Task{Suite: table.ID, Title: "Labels", Images: []int{0, 1, 2}, Classes: classes})
	f := r.screen.widgets
	if f.sample.Text != "Main.java" || f.sample.Hidden || !f.frame.Hidden || f.more.Text != "and 20 more" {
		t.Errorf("sample %q, hidden %v, %q", f.sample.Text, f.sample.Hidden, f.more.Text)
	}
	for _, p := range "wolfx" {
		r.key(p)
	}
	if f.more.Text != "No class has such a name." {
		t.Errorf("%q", f.more.Text)
	}
	r.named(fyne.KeyReturn) // nothing to take
	r.named(fyne.KeyBackspace)
	if f.offers[0].Text != "wolf spider" || f.offers[0].Importance != fynewidget.HighImportance || !f.offers[2].Hidden {
		t.Errorf("%q is offered first", f.offers[0].Text)
	}
	r.named(fyne.KeyReturn)
	for _, p := range "new" {
		r.key(p)
	}
	r.named(fyne.KeySpace) // part of the name: skips nothing
	r.key(' ')
	r.key('y')
	r.named(fyne.KeyEnter)
	if got, want := r.labels(table.ID), map[int]int{0: 51, 1: 52}; r.image() != 2 || !maps.Equal(got, want) {
		t.Errorf("at %d with %v, want %v", r.image(), got, want)
	}
	r.named(fyne.KeySpace)
	r.key(' ')
	if !r.screen.session.Ended() || r.screen.query != "" {
		t.Errorf("Space did not skip, query %q", r.screen.query)
	}
}

func TestLeave(t *testing.T) {
	r := newRig(t)
	r.open(1)
	r.screen.search("b")
	escape := func() { // as the window does
		if !r.screen.dialog.OnEscape() {
			r.screen.dialog.Close()
		}
	}
	escape()
	if r.screen.query != "" || r.window.Canvas().Overlays().Top() == nil {
		t.Error("leaving a search closes the screen")
	}
	escape()
	if r.window.Canvas().Overlays().Top() != nil || r.window.Canvas().Focused() != fyne.Focusable(r.behind) {
		t.Error("the screen is still there, or the keyboard is not back where it was")
	}
	if r.done != 0 {
		t.Error("done is told although nothing was labelled")
	}
	r.open(1)
	r.key('1')
	r.click("Close")
	if r.done != 1 {
		t.Errorf("done was told %d times", r.done)
	}
}

// TestLeaveWhileStoring: what is being stored still counts, and where that fails the labels before
// it do.
func TestLeaveWhileStoring(t *testing.T) {
	for _, fails := range []error{nil, errors.New("the disk is full")} {
		r := newRig(t)
		r.open(1, 2)
		r.key('1')
		r.store.fails = fails
		let := r.store.shut()
		r.window.Canvas().Focused().TypedRune('2')
		if r.screen.dialog.Close(); r.done != 0 {
			t.Error("done is told before the label is on disk")
		}
		let()
		r.stage.Until("done", func() bool { return r.done == 1 && (len(r.errs) == 1) == (fails != nil) })
		want := map[int]int{1: 0, 2: 1}
		if fails != nil {
			delete(want, 2)
		}
		if got := r.labels(r.store.Shapes.Hash); !maps.Equal(got, want) {
			t.Errorf("with %v the labels are %v", fails, got)
		}
	}
}

func TestPicturesAreReadAhead(t *testing.T) {
	r := newRig(t)
	r.open(0, 1, 2, 3, 4, 5, 6, 7)
	r.named(fyne.KeyRight)
	r.stage.Until("read ahead", func() bool { return !r.screen.cache.Busy() })
	if r.screen.picture(1+ahead) == nil || r.screen.picture(2+ahead) != nil {
		t.Errorf("other pictures than the next %d are read", ahead)
	}
}

func TestASuiteThatIsNotThere(t *testing.T) {
	r := newRig(t)
	r.ask(Task{Suite: "0123456789abcdef", Title: "Labels", Images: []int{1}, Classes: []string{"a", "b"}})
	if got := r.screen.widgets.line.Text; !strings.Contains(got, "0123456789ab") {
		t.Errorf("line %q", got)
	}
	r.screen.dialog.Close()
}

// TestAHeldKeyLabelsOnce: a driver that reports presses repeats a key that is held down.
func TestAHeldKeyLabelsOnce(t *testing.T) {
	r := newRig(t)
	r.open(1, 2, 3, 4)
	surface := r.screen.widgets.surface
	press := func(name fyne.KeyName, typed rune, repeats int) {
		surface.KeyDown(&fyne.KeyEvent{Name: name})
		for range repeats {
			surface.TypedKey(&fyne.KeyEvent{Name: name})
			if typed != 0 {
				surface.TypedRune(typed)
			}
			r.stage.Until("stored", r.ready)
		}
	}
	press(fyne.Key2, '2', 3)
	if got := r.labels(r.store.Shapes.Hash); len(got) != 1 || r.image() != 2 {
		t.Errorf("labels %v at image %d", got, r.image())
	}
	press(fyne.KeySpace, ' ', 3)
	if r.image() != 3 {
		t.Errorf("at image %d after Space was held down", r.image())
	}
	press(fyne.KeyLeft, 0, 2)
	if r.image() != 1 {
		t.Errorf("at image %d after Left was held down", r.image())
	}
}
