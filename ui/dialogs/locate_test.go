package dialogs

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

// typedLine is a line of text of a form.
type typedLine interface {
	fyne.Focusable
	SetText(text string)
	SelectedText() string
}

// parts are the entry, the button of that name and the labels of the dialog that is open.
func parts(t *testing.T, w fyne.Window, name string) (entry typedLine, button *widget.Button, labels string) {
	t.Helper()
	top := w.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no dialog is open")
	}
	stage.Walk(top, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case typedLine:
			entry = o
		case *widget.Button:
			if o.Text == name {
				button = o
			}
		case *widget.Label:
			labels += o.Text + "\n"
		}
	})
	if entry == nil || button == nil {
		t.Fatalf("the dialog has no entry or no button %q", name)
	}
	return entry, button, labels
}

func TestLocateDialog(t *testing.T) {
	s := stage.New(t)
	ws := sample.New(t, 1)
	w := s.Window(widget.NewLabel(""), fyne.NewSize(900, 600))
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	var said []string
	var failed []error
	var steps []history.Step
	host := &kit.Host{
		Window: w, Work: work, Status: func(text string) { said = append(said, text) }, ShowError: func(err error) { failed = append(failed, err) },
	}
	old, away := ws.Shapes.Root, ws.Shapes.Root+"-elsewhere"
	if err := os.Rename(old, away); err != nil {
		t.Fatal(err)
	}
	LocateDialog(host, ws, ws.Shapes.Hash, func(step history.Step) { steps = append(steps, step) })
	entry, locate, labels := parts(t, w, "Locate")
	if !strings.Contains(labels, "suite shapes were in "+old) || strings.Contains(labels, "must be given") {
		t.Errorf("the dialog says %q", labels)
	}
	test.Tap(locate)
	if _, _, labels = parts(t, w, "Locate"); !strings.Contains(labels, "Folder must be given.") {
		t.Errorf("without a folder the dialog says %q", labels)
	}
	entry.SetText(t.TempDir())
	test.Tap(locate)
	s.Until("refused", func() (refused bool) {
		stage.Walk(w.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			label, ok := o.(*widget.Label)
			refused = refused || ok && strings.Contains(label.Text, "images not found")
		})
		return refused
	})
	entry.SetText(away)
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Until("located", func() bool { return len(steps) == 1 })
	if len(failed) != 0 || len(said) != 1 || w.Canvas().Overlays().Top() != nil {
		t.Errorf("failed %v, said %q", failed, said)
	}
	opened, err := ws.OpenSuite(ws.Shapes.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if err := steps[0].Undo(t.Context()); err == nil {
		t.Error("the images are not in the old place, but it was noted again")
	}
	if err := os.Rename(away, old); err != nil {
		t.Fatal(err)
	}
	if err := steps[0].Undo(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Rename(old, away); err != nil {
		t.Fatal(err)
	}
	if err := steps[0].Redo(t.Context()); err != nil {
		t.Error(err)
	}
	LocateDialog(host, ws, "unknown", nil)
	if len(failed) != 1 {
		t.Error("a suite that is not there is asked for")
	}
}

// TestLocateDialogOfAShiftedSuite speaks of the suite whose images are gone.
func TestLocateDialogOfAShiftedSuite(t *testing.T) {
	s := stage.New(t)
	ws := sample.New(t, 1)
	foggy, err := ws.DeriveSuite(ws.Shapes.Hash, corrupt.Setting{Name: "fog", Severity: 3, Seed: 1}, "")
	if err != nil {
		t.Fatal(err)
	}
	w := s.Window(widget.NewLabel(""), fyne.NewSize(900, 600))
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	var steps []history.Step
	host := &kit.Host{Window: w, Work: work, Status: func(string) {}, ShowError: func(err error) { t.Error(err) }}
	away := ws.Shapes.Root + "-elsewhere"
	if err := os.Rename(ws.Shapes.Root, away); err != nil {
		t.Fatal(err)
	}
	LocateDialog(host, ws, foggy.Hash, func(step history.Step) { steps = append(steps, step) })
	entry, _, labels := parts(t, w, "Locate")
	if !strings.Contains(labels, "images of suite shapes were in "+ws.Shapes.Root) {
		t.Errorf("the dialog says %q", labels)
	}
	entry.SetText(away)
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Until("located", func() bool { return len(steps) == 1 })
	opened, err := ws.OpenSuite(foggy.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
}
