package ui

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// clickable are the visible objects that a click means something to, but for rows of lists, which the arrow keys choose, and for
// grounds, which give the keyboard back.
func clickable(root fyne.CanvasObject) (list []fyne.CanvasObject) {
	placed(root, fyne.Position{}, boxAt(fyne.Position{}, fyne.NewSize(9999, 9999)), nil, func(o fyne.CanvasObject, b, _ box, in []fyne.CanvasObject) {
		if b.right-b.left < 1 || b.bottom-b.top < 1 {
			return
		}
		for _, over := range in {
			switch over.(type) {
			case *parts.Surface, *parts.UndoSurface, *container.Scroll:
				continue
			}
			if _, takes := over.(fyne.Focusable); takes {
				return // it has keys for what is in it
			}
		}
		if off, ok := o.(fyne.Disableable); ok && off.Disabled() {
			return
		}
		switch o.(type) {
		case *parts.Surface, *parts.UndoSurface, *widget.PopUp, *pointer:
			return
		}
		_, once := o.(fyne.Tappable)
		_, twice := o.(fyne.DoubleTappable)
		if once || twice {
			list = append(list, o)
		}
	})
	return list
}

// lap presses Tab until the keyboard is back where it began, and returns where it was.
func (o *opened) lap(t *testing.T, where string, key fyne.KeyName) []fyne.CanvasObject {
	t.Helper()
	c := o.Window.Window().Canvas()
	layer, _ := o.layerOf(c.Overlays().Top())
	if layer == nil {
		t.Errorf("%s: no layer for the marks", where)
		return nil
	}
	var seen []fyne.CanvasObject
	for range 2000 {
		if !o.Hear(key) {
			t.Errorf("%s: Tab has no effect at %T", where, c.Focused())
			return seen
		}
		at := layer.current(c)
		if at == nil || slices.Contains(seen, at) {
			if at == nil || len(seen) > 0 && at != seen[0] {
				t.Errorf("%s: the keyboard is caught at %T after %d stops", where, at, len(seen))
			}
			return seen
		}
		if layer.around != at || !layer.ring.Visible() {
			t.Errorf("%s: no ring around %T", where, at)
		}
		seen = append(seen, at)
	}
	t.Errorf("%s: Tab does not end", where)
	return seen
}

// reached reports what a click means something to and Tab does not lead to.
func (o *opened) reached(t *testing.T, where string) {
	t.Helper()
	top := o.Window.Window().Canvas().Overlays().Top()
	if layer, _ := o.layerOf(top); layer == nil {
		return // a menu, with the arrow keys
	}
	forward := o.lap(t, where, fyne.KeyTab)
	root := fyne.CanvasObject(o.frame)
	if top != nil {
		root = contentOf(top)
	}
	for _, object := range clickable(root) {
		if !slices.Contains(forward, object) {
			t.Errorf("%s: Tab does not lead to %T %s", where, object, textOf(object))
		}
	}
}

func textOf(o fyne.CanvasObject) string {
	if b, ok := o.(*widget.Button); ok {
		return b.Text
	}
	return fmt.Sprint(o.Position(), o.Size())
}

// TestTabLeadsEverywhere: on every screen and in every dialog of the menus Tab leads to all that can be clicked, and round in a
// circle.
func TestTabLeadsEverywhere(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := openLabelled(t)
	o.Window.Window().Resize(fyne.NewSize(1280, 774))
	for p := range places {
		o.Go(p)
		o.idle()
		o.reached(t, p.String())
	}
	o.Go(Models)
	o.menus(func(where string) { o.reached(t, where) })
}

// tabTo presses Tab until it has led to an object that is the one.
func (o *opened) tabTo(t *testing.T, what string, is func(fyne.CanvasObject) bool) {
	t.Helper()
	layer, _ := o.layerOf(o.Window.Window().Canvas().Overlays().Top())
	for range 500 {
		o.Hear(fyne.KeyTab)
		if at := layer.current(o.Window.Window().Canvas()); at != nil && is(at) {
			return
		}
	}
	t.Fatalf("Tab does not lead to %s", what)
}

// typed sends a key to what has the keyboard, after the window had the choice.
func (o *opened) typed(key fyne.KeyName) {
	if !o.Hear(key) {
		o.Window.Window().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
}

func TestReturnDoesWhatAClickDoes(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := openLabelled(t)
	o.tabTo(t, "the rail", func(at fyne.CanvasObject) bool {
		item, ok := at.(*railItem)
		return ok && item.place == Agreement
	})
	o.typed(fyne.KeyReturn)
	o.settle()
	if o.Place() != Agreement {
		t.Fatalf("Return on the rail leads to %s", o.Place())
	}
	o.tabTo(t, "a button", func(at fyne.CanvasObject) bool {
		b, ok := at.(*widget.Button)
		return ok && b.Text == "Import…"
	})
	o.typed(fyne.KeyReturn)
	if o.over() == nil {
		t.Fatal("Return on a button opens nothing")
	}
	o.tabTo(t, "Cancel", func(at fyne.CanvasObject) bool {
		b, ok := at.(*widget.Button)
		return ok && b.Text == "Cancel"
	})
	o.typed(fyne.KeyReturn)
	if o.over() != nil {
		t.Fatal("Return on Cancel leaves the dialog open")
	}
}

// TestReturnOpensMenusAndTicks: Return at menus of each kind and at checks, in the window and in a dialog.
func TestReturnOpensMenusAndTicks(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	c := o.Window.Window().Canvas()
	choice := parts.NewChoice(nil)
	choice.SetNodes([]parts.ChoiceNode{{Title: "a", Option: "a"}, {Title: "b", Option: "b"}})
	picker := parts.NewPicker(func(string) {})
	picker.Offer([]parts.Option{{Key: "a", Name: "a"}, {Key: "b", Name: "b"}}, "a")
	plain, check := widget.NewSelect([]string{"a", "b"}, nil), widget.NewCheck("c", nil)
	box := container.NewVBox(choice, picker, plain, check)
	tries := func(where string) {
		t.Helper()
		below := o.over()
		for _, f := range []fyne.Focusable{choice, picker, plain} {
			c.Focus(f)
			if !o.Hear(fyne.KeyReturn) || o.over() == below {
				t.Errorf("%s: Return at %T opens no menu", where, f)
				continue
			}
			menu := o.over()
			menu.Hide()
			c.Overlays().Remove(menu)
		}
		before := check.Checked
		c.Focus(check)
		if !o.Hear(fyne.KeyReturn) || check.Checked == before || o.over() != below {
			t.Errorf("%s: Return does not tick", where)
		}
	}
	o.frame.Add(box)
	tries("in the window")
	o.frame.Remove(box)
	d := dialog.NewCustom("Dialog", "Close", box, o.Window.Window())
	d.Show()
	tries("in a dialog")
	d.Hide()
}

// pad is a field that notes what a mouse does to it.
type pad struct {
	widget.BaseWidget
	did []string
}

func (p *pad) note(what string, at fyne.Position) {
	p.did = append(p.did, fmt.Sprintf("%s %.0f,%.0f", what, at.X, at.Y))
}
func (p *pad) Tapped(ev *fyne.PointEvent)          { p.note("click", ev.Position) }
func (p *pad) TappedSecondary(ev *fyne.PointEvent) { p.note("menu", ev.Position) }
func (p *pad) MouseIn(*desktop.MouseEvent)         {}
func (p *pad) MouseMoved(ev *desktop.MouseEvent)   { p.note("over", ev.Position) }
func (p *pad) MouseOut()                           { p.did = append(p.did, "out") }
func (p *pad) MouseDown(ev *desktop.MouseEvent)    { p.note("down", ev.Position) }
func (p *pad) MouseUp(ev *desktop.MouseEvent)      { p.note("up", ev.Position) }
func (p *pad) Dragged(ev *fyne.DragEvent)          { p.note("drag", ev.Position) }
func (p *pad) DragEnd()                            { p.did = append(p.did, "end") }
func (p *pad) Scrolled(ev *fyne.ScrollEvent) {
	p.did = append(p.did, fmt.Sprintf("wheel %.0f", ev.Scrolled.DY))
}

func (p *pad) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// TestPointerDoesWhatAMouseDoes: the arrow keys read off, drag and zoom in what has places to point at.
func TestPointerDoesWhatAMouseDoes(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	p := &pad{}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSize(80, 80))
	o.frame.Add(container.NewWithoutLayout(p))
	c := o.Window.Window().Canvas()
	o.marks.lead(c, stop{object: p})
	pointer, ok := c.Focused().(*pointer)
	if !ok {
		t.Fatalf("the keyboard is at %T", c.Focused())
	}
	o.typed(fyne.KeyRight)
	o.typed(fyne.KeySpace)
	pointer.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	o.typed(fyne.KeyDown)
	pointer.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	pointer.TypedRune('+')
	o.Hear(desktop.KeyMenu)
	c.Unfocus()
	want := []string{
		"over 40,40", "over 42,40", "click 42,40", "down 42,40", "over 42,42", "drag 42,42", "end", "up 42,42", "wheel 25", "menu 42,42", "out",
	}
	if !slices.Equal(p.did, want) {
		t.Errorf("it heard\n%q instead of\n%q", p.did, want)
	}
	if o.marks.ring.Visible() || pointer.Visible() {
		t.Error("the ring stays")
	}
}
