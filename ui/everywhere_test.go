package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
)

// entry is the first visible entry of the dialog that has this text.
func (o *opened) entry(t *testing.T, text string) *widget.Entry {
	t.Helper()
	for _, e := range stage.Entries(o.Window.Window().Canvas().Overlays().Top()) {
		if e.Text == text {
			return e
		}
	}
	t.Fatalf("no entry has %q:\n%s", text, o.dialogText())
	return nil
}

// menuEntry is the entry of the menu whose text begins so.
func (o *opened) menuEntry(t *testing.T, text string) *fyne.MenuItem {
	t.Helper()
	for _, menu := range o.menu.Items {
		for _, item := range menu.Items {
			if strings.HasPrefix(item.Label, text) {
				return item
			}
		}
	}
	t.Fatalf("the menu has no %q", text)
	return nil
}

func (o *opened) current(t *testing.T) store.Current {
	t.Helper()
	c, err := o.workspace.Current()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestUndoSaysWhatItWouldDo(t *testing.T) {
	if testing.Short() {
		return // TestUndoTakesBackWhatThePersonIsAt goes the same way
	}
	o := open(t, 2, nil)
	if entryText(o.undoItem) != "Undo" || !o.undoItem.Disabled || !o.toolbar.undo.Disabled() {
		t.Errorf("%q, disabled %v, in an untouched window", entryText(o.undoItem), o.undoItem.Disabled)
	}
	before := o.current(t)
	other := o.toolbar.family.Options[len(o.toolbar.family.Options)-1]
	o.toolbar.family.SetSelected(other)
	o.stage.Until("the step is noted", func() bool { return !o.undoItem.Disabled })
	after := o.current(t)
	if after == before || entryText(o.undoItem) != "Undo: choice of suite and family" || o.toolbar.undo.Disabled() {
		t.Errorf("%+v, %q", after, entryText(o.undoItem))
	}
	o.toolbar.undo.MouseIn(nil)
	if !strings.Contains(o.toolbar.undo.AccessibilityLabel(), "choice of suite") {
		t.Error(o.toolbar.undo.AccessibilityLabel())
	}
	o.toolbar.undo.MouseOut()
	o.shortcut(t, fyne.KeyZ)
	o.stage.Until("it is undone", func() bool { return o.current(t) == before && !o.redoItem.Disabled })
	if !o.undoItem.Disabled || entryText(o.redoItem) != "Redo: choice of suite and family" {
		t.Errorf("%q, %q", entryText(o.undoItem), entryText(o.redoItem))
	}
	o.stage.Until("the toolbar follows", func() bool {
		return o.toolbar.choices.texts[o.toolbar.family.Selected] == before.Family
	})
	o.shortcut(t, fyne.KeyY)
	o.stage.Until("it is made again", func() bool { return o.current(t) == after })
}

func TestAnErrorUnfolds(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	inner := &os.PathError{Op: "open", Path: "x.onnx", Err: os.ErrPermission}
	at := boxAt(o.stack.Position(), o.stack.Size())
	o.ShowError(fmt.Errorf("import model m: %w", inner))
	o.ShowError(fmt.Errorf("import model m: %w", inner)) // each once
	if !strings.Contains(o.banner.text.Text, "check its permissions") || o.banner.below.Visible() {
		t.Errorf("%q", o.banner.text.Text)
	}
	o.press(t, "Details")
	if !strings.Contains(o.banner.details.Text, "(*fs.PathError)") || !o.banner.below.Visible() {
		t.Errorf("%q", o.banner.details.Text)
	}
	o.press(t, "Copy")
	if got := o.deps.App.Clipboard().Content(); !strings.Contains(got, "check its permissions") ||
		!strings.Contains(got, "fs.PathError") {
		t.Error(got)
	}
	o.ShowError(errors.New("another one"))
	o.press(t, "Dismiss (1 more)")
	if o.banner.text.Text != "Another one." || o.banner.unfold.Visible() {
		t.Errorf("%q", o.banner.text.Text)
	}
	over := boxAt(o.banner.object.Position(), o.banner.object.Size())
	if !over.within(at).seen() || over.bottom > o.status.object.Position().Y+0.5 ||
		boxAt(o.stack.Position(), o.stack.Size()) != at {
		t.Errorf("the banner lies at %v, the screen at %v, before at %v", over,
			boxAt(o.stack.Position(), o.stack.Size()), at)
	}
	o.press(t, "Dismiss")
	if o.banner.object.Visible() || boxAt(o.stack.Position(), o.stack.Size()) != at {
		t.Error("the banner stays")
	}
}

func TestADamagedWorkspaceOffersItsBackup(t *testing.T) {
	restored := ""
	o := open(t, 1, func(d *Deps) {
		d.RestoreWorkspace = func(path string) error { restored = path; return errors.New("not now") }
	})
	o.ShowError(&backup.RestorableError{
		Path: "/x/quiet.variscope", Newest: backup.Backup{At: time.Now()},
		Err: store.ErrDamaged,
	})
	if !strings.Contains(o.banner.text.Text, "newest backup is of") {
		t.Error(o.banner.text.Text)
	}
	o.press(t, "Restore the backup")
	o.stage.Until("it is tried", func() bool { return o.banner.text.Text == "Not now." })
	if restored != "/x/quiet.variscope" {
		t.Error(restored)
	}
}

func TestTheDatabaseIsBackedUpAtTheStart(t *testing.T) {
	o := open(t, 1, nil)
	o.stage.Until("there is a backup", func() bool {
		list, err := backup.List(o.workspace.Path())
		return err == nil && len(list) == 1
	})
}

func TestAnnotatorsAreRenamedAndRetired(t *testing.T) {
	o := open(t, 1, nil)
	o.workspace.NewRound(t, nil)
	before, err := o.workspace.Annotators()
	if err != nil || len(before) == 0 {
		t.Fatal(before, err)
	}
	first := func() store.Annotator {
		list, err := o.workspace.Annotators()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if a.ID == before[0].ID {
				return a
			}
		}
		return store.Annotator{}
	}
	o.menuEntry(t, "Annotators").Action()
	o.stage.Until("the dialog", o.dialogSays(before[0].Name))
	o.firstRow()
	o.press(t, "Rename…")
	name := o.entry(t, before[0].Name)
	name.SetText(before[1].Name)
	o.press(t, "Rename")
	o.stage.Until("the name is refused", o.dialogSays("there is another annotator"))
	name.SetText("annotator 9")
	o.press(t, "Rename")
	o.stage.Until("the name is stored", func() bool { return first().Name == "annotator 9" && !o.undoItem.Disabled })
	o.stage.Until("the list says it", o.dialogSays("annotator 9"))
	o.press(t, "Close")
	if want := "Undo: new name of " + before[0].Name; entryText(o.undoItem) != want {
		t.Errorf("%q, want %q", entryText(o.undoItem), want)
	}
	o.history.Undo()
	o.stage.Until("it is undone", func() bool { return first() == before[0] })
}

func TestStorageCountsAndRemoves(t *testing.T) {
	o := open(t, 2, nil)
	m := o.workspace.Imported[0]
	err := o.workspace.UpdateModel(m.Hash, func(m *model.Model) error {
		m.Correction.OutputKind = model.Probabilities
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.menuEntry(t, "Storage").Action()
	o.stage.Until("it is counted", o.dialogSays("1 set that fits no model"))
	o.firstRow()
	o.press(t, "Remove…")
	o.stage.Until("the question names what goes", o.dialogSays("Remove 1 set of signals"))
	o.press(t, "Remove")
	o.stage.Until("they are gone", func() bool {
		return !o.dialogSays("Stale signals")() && o.dialogSays("Database")()
	})
	u, err := o.workspace.Usage(t.Context())
	if err != nil || len(u.Stale) != 0 {
		t.Error(u, err)
	}
	o.press(t, "Close")
}

// firstRow selects the first row of the table that has the keyboard.
func (o *opened) firstRow() {
	o.Window.Window().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
}

func TestRestoreAndMoveCloseTheWindowFirst(t *testing.T) {
	var work ClosedWork
	o := open(t, 1, func(d *Deps) { d.Reopen = func(_ string, w ClosedWork) { work = w } })
	o.stage.Until("there is a backup", func() bool {
		list, _ := backup.List(o.workspace.Path())
		return len(list) == 1
	})
	o.storage()
	o.stage.Until("the backups", o.dialogSays("Database"))
	o.firstRow()
	o.press(t, "Restore…")
	o.stage.Until("the question", o.dialogSays("is kept among the backups"))
	o.press(t, "Restore")
	if work == nil {
		t.Fatal("nothing is handed on")
	}
	var elsewhere *store.OpenElsewhereError
	if _, err := work(t.Context(), engine.NoProgress{}); !errors.As(err, &elsewhere) {
		t.Errorf("restored under the open window: %v", err)
	}
	o.moveWorkspace()
	o.stage.Until("the dialog", o.dialogSays("The workspace closes"))
	o.stage.Until("it cannot be moved to where it lies",
		func() bool { return o.stage.Button(o.Window.Window(), "Move").Disabled() })
	work = nil
	o.entry(t, o.workspace.Name()).SetText("other")
	o.press(t, "Move")
	if work == nil {
		t.Fatal("nothing is handed on")
	}
}

func TestACopyIsSaved(t *testing.T) {
	o := open(t, 1, nil)
	o.saveCopy()
	o.stage.Until("the dialog", o.dialogSays("-copy"))
	folder := t.TempDir()
	o.entry(t, filepath.Dir(o.workspace.Path())).SetText(folder)
	o.press(t, "Save")
	o.stage.Until("it is saved", func() bool { return strings.HasPrefix(o.status.message.Text(), "Saved as ") })
	c, err := store.Open(filepath.Join(folder, o.workspace.Name()+"-copy"))
	if err != nil {
		t.Fatal(err)
	}
	if models, err := c.Models(); err != nil || len(models) != 1 {
		t.Error(models, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestRecentWorkspacesAreOffered(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.variscope")
	there := t.TempDir()
	opened := ""
	o := open(t, 1, func(d *Deps) {
		p := d.App.Preferences()
		remember(p, gone)
		remember(p, there)
		d.OpenWorkspace = func(path string) error { opened = path; return errors.New("not today") }
	})
	list := Recent(o.deps.Preferences)
	if len(list) != 3 || list[0] != o.workspace.Path() || list[1] != there {
		t.Fatal(list)
	}
	menu := o.menuEntry(t, "Open recent").ChildMenu
	if len(menu.Items) != 2 {
		t.Fatalf("%+v", menu.Items)
	}
	o.stage.Until("one is gone", func() bool { return menu.Items[1].Disabled })
	if menu.Items[0].Disabled || menu.Items[1].Label != "gone (not there)" {
		t.Errorf("%+v", menu.Items)
	}
	menu.Items[0].Action()
	o.stage.Until("it is tried", func() bool { return o.banner.text.Text == "Not today." })
	if opened != there {
		t.Error(opened)
	}
	o.openWorkspace()
	o.stage.Until("the dialog", func() bool { return o.Window.Window().Canvas().Overlays().Top() != nil })
	o.stage.Until("one is gone there, too", func() (found bool) {
		stage.Walk(o.Window.Window().Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
			b, ok := object.(*widget.Button)
			found = found || ok && b.Text == "gone (not there)" && b.Disabled()
		})
		return found
	})
	o.press(t, filepath.Base(there)) // fills the entry
	o.entry(t, there)
	Forget(o.deps.Preferences, gone)
	if list := Recent(o.deps.Preferences); len(list) != 2 {
		t.Error(list)
	}
}

func TestSettingsApplyAtOnce(t *testing.T) {
	o := open(t, 1, nil)
	o.settings()
	o.stage.Until("the dialog", o.dialogSays("100 %"))
	p := o.deps.Preferences
	p.SetFloat(keyScale, 1.5)
	p.SetFloat(keyText, 26) // out of bounds: the largest
	o.applyTheme()
	th := o.deps.App.Settings().Theme()
	if got := th.Size(theme.SizeNameText); got != 1.5*largestText {
		t.Errorf("text of size %v", got)
	}
	if got := th.Size(theme.SizeNamePadding); got != 4.5 {
		t.Errorf("padding %v", got)
	}
	p.SetFloat(keyWorkers, 1)
	if Workers(p) != 1 {
		t.Error(Workers(p))
	}
	o.setSetting(settingMap, "viridis", "gray", "choice of the colour map")
	o.stage.Until("it is stored", func() bool {
		s, err := readSettings(o.workspace)
		return err == nil && s.colours == "gray" && s.idle == 0 &&
			entryText(o.undoItem) == "Undo: choice of the colour map"
	})
	o.history.Undo()
	o.stage.Until("it is undone", func() bool {
		s, err := readSettings(o.workspace)
		return err == nil && s.colours == "viridis"
	})
}

func TestBareShowsTheScreenAlone(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	width := o.stack.Size().Width
	o.FocusMode(true)
	o.FocusMode(true)
	if o.rail.object.Visible() || o.toolbar.object.Visible() || o.status.object.Visible() ||
		!o.Window.Window().FullScreen() {
		t.Error("something is left")
	}
	if o.stack.Size().Width <= width {
		t.Errorf("the screen is %v wide, before %v", o.stack.Size().Width, width)
	}
	o.FocusMode(false)
	if !o.rail.object.Visible() || !o.status.object.Visible() || o.stack.Size().Width != width ||
		o.Window.Window().FullScreen() {
		t.Error("it does not come back")
	}
}

func TestWaitWorksAndIsCancelled(t *testing.T) {
	s := stage.New(t)
	var got error
	finished := false
	done := func(err error) { got, finished = err, true }
	window := s.Window(widget.NewLabel(""), fyne.NewSize(900, 600))
	Wait(window, "Move", func(_ context.Context, p engine.Progress) error {
		p.SetTotal(2)
		p.Add(2)
		return nil
	}, done)
	s.Until("it ends", func() bool { return finished })
	if got != nil {
		t.Error(got)
	}
	finished = false
	Wait(window, "Move", func(ctx context.Context, _ engine.Progress) error {
		<-ctx.Done()
		return ctx.Err()
	}, done)
	var cancel *widget.Button
	stage.Walk(window.Content(), func(o fyne.CanvasObject) {
		if b, ok := o.(*widget.Button); ok {
			cancel = b
		}
	})
	cancel.OnTapped()
	s.Until("it is cancelled", func() bool { return finished })
	if !errors.Is(got, context.Canceled) {
		t.Error(got)
	}
}
