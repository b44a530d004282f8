package ui

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/dialogs"
)

// over is what lies over the window, nil for nothing.
func (o *opened) over() fyne.CanvasObject { return o.Window.Window().Canvas().Overlays().Top() }

func (o *opened) opens(what string) {
	o.stage.Until(what+" opens", func() bool { return o.over() != nil })
	o.stage.Pump()
}

// focusables are the widgets of the topmost dialog that can have the keyboard, one of each type.
func (o *opened) focusables() map[string]fyne.Focusable {
	found := map[string]fyne.Focusable{}
	stage.Walk(o.over(), func(object fyne.CanvasObject) {
		f, ok := object.(fyne.Focusable)
		if off, can := object.(fyne.Disableable); !ok || !object.Visible() || can && off.Disabled() {
			return
		}
		found[fmt.Sprintf("%T", object)] = f
	})
	return found
}

// settled waits until the list of models is there, which has the keyboard then.
func (o *opened) settled() {
	o.stage.Until("the list of models", func() bool {
		o.focusScreen()
		return o.Window.Window().Canvas().Focused() != nil
	})
}

// screenHasKeys fails unless keys arrive at the screen, with nothing over it.
func (o *opened) screenHasKeys(t *testing.T, after string) {
	t.Helper()
	if o.over() != nil {
		t.Fatalf("after %s something lies over the window still:\n%s", after, o.dialogText())
	}
	focused := o.Window.Window().Canvas().Focused()
	if kind := fmt.Sprintf("%T", focused); kind != "*widget.Table" && kind != "*widget.Surface" {
		t.Errorf("after %s the keyboard is at %T", after, focused)
	}
}

// TestEscapeLeavesEveryDialog opens every dialog of the menu and leaves it by Escape, with the
// keyboard at every kind of widget in it.
func TestEscapeLeavesEveryDialog(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 3, func(d *Deps) {
		d.Reopen = func(string, ClosedWork) { t.Error("something was moved") }
		d.OpenWorkspace = func(string) error { t.Error("something was opened"); return nil }
		d.CreateWorkspace = d.OpenWorkspace
	})
	o.workspace.NewRound(t, nil)
	o.settled()
	seen := 0
	for _, c := range o.commands() {
		if !strings.HasSuffix(c.text, "…") && c.menu != "Help" || c.do == nil {
			continue
		}
		at := map[string]fyne.Focusable{"nothing": nil}
		c.do()
		o.opens(c.text)
		for kind := range o.focusables() {
			at[kind] = nil
		}
		o.TakeKey(fyne.KeyEscape)
		o.screenHasKeys(t, c.text)
		for kind := range at {
			o.focusScreen()
			c.do()
			o.opens(c.text)
			if f := o.focusables()[kind]; f != nil {
				o.Window.Window().Canvas().Focus(f)
			} else {
				o.Window.Window().Canvas().Unfocus()
			}
			if !o.TakeKey(fyne.KeyEscape) {
				t.Errorf("%s: Escape goes to %s", c.text, kind)
			}
			o.screenHasKeys(t, c.text+" with the keyboard at "+kind)
			seen++
		}
	}
	if seen < 40 {
		t.Errorf("only %d ways were tried", seen)
	}
}

func TestEscapeIsTheScreensWhenNothingLiesOverIt(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	if o.TakeKey(fyne.KeyEscape) || o.TakeKey(fyne.KeyReturn) {
		t.Error("the window takes keys from the screen")
	}
	o.newRun()
	o.opens("the run dialog")
	if o.TakeKey(fyne.KeyF1) || o.over() == nil {
		t.Error("other keys are used up")
	}
	o.TakeKey(fyne.KeyEscape)
}

// TestEscapeGivesTheKeysBack: from a button or a choice, once; then Escape is the screen's.
func TestEscapeGivesTheKeysBack(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	o.settled()
	for _, kind := range []string{"*widget.Button", "*widget.Select", "*widget.Choice", "*widget.HintButton"} {
		o.tabTo(t, kind, func(at fyne.CanvasObject) bool { return fmt.Sprintf("%T", at) == kind })
		if !o.TakeKey(fyne.KeyEscape) {
			t.Errorf("Escape at %s does nothing", kind)
		}
		o.screenHasKeys(t, "Escape at "+kind)
		if o.TakeKey(fyne.KeyEscape) {
			t.Errorf("after %s the window takes Escape from the screen", kind)
		}
	}
}

// TestEscapeLeavesWhatFyneShows tries a question, a file chooser over a dialog, a plain popup and
// the list of a choice.
func TestEscapeLeavesWhatFyneShows(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 2, nil)
	o.settled()
	c := o.Window.Window().Canvas()
	answers := []bool{}
	dialog.ShowConfirm("Really?", "text", func(yes bool) { answers = append(answers, yes) }, o.Window.Window())
	o.TakeKey(fyne.KeyEscape)
	o.screenHasKeys(t, "a question")
	if len(answers) != 1 || answers[0] {
		t.Errorf("Escape answers %v", answers)
	}
	o.export()
	o.opens("the export")
	below := o.over()
	o.press(t, "Folder…")
	o.stage.Until("the chooser", func() bool { return o.over() != below })
	o.TakeKey(fyne.KeyEscape)
	if o.over() != below {
		t.Error("Escape leaves the chooser open, or closes more than that")
	}
	choice := o.focusables()["*widget.Select"].(*widget.Select)
	c.Focus(choice)
	choice.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if menu, ok := c.Focused().(*widget.PopUpMenu); !ok || o.TakeKey(fyne.KeyEscape) {
		t.Fatal("the list of a choice does not get its keys")
	} else {
		menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	if o.over() != below {
		t.Error("the list stays, or the dialog went with it")
	}
	o.TakeKey(fyne.KeyEscape)
	o.screenHasKeys(t, "the export")
	pressed := false
	widget.NewPopUp(container.NewHBox(widget.NewButton("Clear", func() { pressed = true })), c).Show()
	if o.TakeKey(fyne.KeyReturn) || o.over() == nil {
		t.Error("Return does something to a popup")
	}
	o.TakeKey(fyne.KeyEscape)
	if pressed {
		t.Error("a button of a popup was pressed")
	}
	o.screenHasKeys(t, "a popup")
}

func TestEscapeEndsTheWaitForAKeyFirst(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	dialogs.KeysDialog(o.host(), o.keys)
	o.opens("the keys")
	stage.Walk(o.over(), func(object fyne.CanvasObject) {
		if catcher, ok := object.(interface{ Waiting() bool }); ok && !catcher.Waiting() {
			catcher.(fyne.Tappable).Tapped(nil)
		}
	})
	if o.TakeKey(fyne.KeyEscape) || o.TakeKey(fyne.KeyReturn) {
		t.Error("a key that is to be caught is used up")
	}
	o.Window.Window().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !o.TakeKey(fyne.KeyEscape) {
		t.Error("afterwards Escape does nothing")
	}
	o.screenHasKeys(t, "the keys")
}

func TestReturnPressesTheMainButton(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	c := o.Window.Window().Canvas()
	answers := map[string]int{}
	count := func(yes bool) {
		if yes {
			answers["yes"]++
		} else {
			answers["no"]++
		}
	}
	ask := func(importance widget.Importance) *dialog.ConfirmDialog {
		d := dialog.NewConfirm("Really?", "text", count, o.Window.Window())
		d.SetConfirmImportance(importance)
		d.Show()
		return d
	}
	ask(widget.HighImportance)
	if !o.TakeKey(fyne.KeyReturn) || answers["yes"] != 1 || o.over() != nil {
		t.Errorf("Return answers %v", answers)
	}
	danger := ask(widget.DangerImportance)
	if o.TakeKey(fyne.KeyReturn) || answers["yes"] != 1 || o.over() == nil {
		t.Errorf("Return does what cannot be undone: %v", answers)
	}
	danger.Hide()
	one, many, own := widget.NewEntry(), widget.NewMultiLineEntry(), widget.NewEntry()
	own.OnSubmitted = func(string) {}
	form := []*widget.FormItem{
		widget.NewFormItem("a", one), widget.NewFormItem("b", many), widget.NewFormItem("c", own),
	}
	dialog.ShowForm("Form", "Use", "Cancel", form, count, o.Window.Window())
	for _, e := range []*widget.Entry{many, own} {
		c.Focus(e)
		if o.TakeKey(fyne.KeyReturn) || o.over() == nil {
			t.Error("Return is kept from an entry that has a use for it")
		}
	}
	c.Focus(one)
	if !o.TakeKey(fyne.KeyEnter) || answers["yes"] != 2 {
		t.Errorf("Enter in an entry of one line answers %v", answers)
	}
	o.newRun()
	o.opens("the run dialog")
	var cancel *widget.Button
	stage.Walk(o.over(), func(object fyne.CanvasObject) {
		if b, ok := object.(*widget.Button); ok && b.Text == "Cancel" {
			cancel = b
		}
	})
	c.Focus(cancel)
	if !o.TakeKey(fyne.KeyReturn) {
		t.Error("Return does not press the button that has the keyboard")
	}
	o.screenHasKeys(t, "Return at Cancel")
}

// TestTheHintOfTheImportBreaksBetweenWords: no word of it, such as the name of a file, is torn in
// two.
func TestTheHintOfTheImportBreaksBetweenWords(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	o.Import(nil)
	o.idle()
	o.Window.Window().Resize(fyne.NewSize(1280, 774))
	if lines := linesOf(o.over()); !slices.ContainsFunc(lines,
		func(line string) bool { return strings.HasSuffix(line, ", labels_long.csv, a log of a training") }) {
		t.Errorf("the hint reads %q", lines)
	}
}

// linesOf are the lines that an object shows.
func linesOf(o fyne.CanvasObject) (lines []string) {
	stage.Walk(o, func(object fyne.CanvasObject) {
		if text, ok := object.(*canvas.Text); ok {
			lines = append(lines, text.Text)
		}
	})
	return lines
}

// TestNoPictureBehindTexts: no dialog is one of Fyne's that draw a large icon behind their text;
// the kit's Confirm asks in their place.
func TestNoPictureBehindTexts(t *testing.T) {
	found := 0
	visitCode(t, ".", func(path string, n ast.Node) {
		call, ok := n.(*ast.SelectorExpr)
		if !ok || strings.HasSuffix(path, "_test.go") {
			return
		}
		if from, ok := call.X.(*ast.Ident); !ok || from.Name != "dialog" {
			return
		}
		found++
		switch call.Sel.Name {
		case "NewConfirm", "ShowConfirm", "NewInformation", "ShowInformation", "NewError", "ShowError":
			t.Errorf("%s: dialog.%s", path, call.Sel.Name)
		}
	})
	if found < 5 {
		t.Errorf("only %d uses of dialogs were found", found)
	}
}
