package ui

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// TestRingOutlivesWhatLiesOverIt: below a menu the ring rests, and comes back with the keyboard; the pointer keeps to what scrolls.
func TestRingOutlivesWhatLiesOverIt(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	p := &pad{}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSize(80, 80))
	o.frame.Add(container.NewWithoutLayout(p))
	c := o.Window.Window().Canvas()
	o.marks.lead(c, stop{object: p})
	menu := widget.NewPopUp(widget.NewLabel("menu"), c)
	menu.Show()
	o.marks.keepUp()
	if o.marks.ring.Visible() || o.marks.around != p {
		t.Error("below a menu the ring stays, or is forgotten")
	}
	menu.Hide()
	o.marks.keepUp()
	if !o.marks.ring.Visible() || c.Focused() != fyne.Focusable(o.marks.pointer) {
		t.Error("after a menu the ring is lost")
	}
	ring, dot := o.marks.ring.Position(), o.marks.pointer.Position()
	p.Move(fyne.NewPos(30, 40))
	o.marks.keepUp()
	by := o.marks.ring.Position().Subtract(ring)
	if by.IsZero() || o.marks.pointer.Position().Subtract(dot) != fyne.NewPos(30, 40) {
		t.Errorf("the ring moved by %v, the pointer to %v from %v", by, o.marks.pointer.Position(), dot)
	}
}

// TestPointerLeavesWhatIsHidden: neither on another screen nor after its target went does a pointer keep the keyboard.
func TestPointerLeavesWhatIsHidden(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	p := &pad{}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSize(80, 80))
	box := container.NewWithoutLayout(p)
	o.frame.Add(box)
	c := o.Window.Window().Canvas()
	for _, place := range []Place{Agreement, Features, Runs, Models} {
		o.marks.lead(c, stop{object: p})
		o.Go(place)
		if c.Focused() == fyne.Focusable(o.marks.pointer) || o.marks.ring.Visible() {
			t.Errorf("at %s the pointer has the keyboard still", place)
		}
	}
	o.marks.lead(c, stop{object: p})
	box.Hide() // the pad itself does not know
	o.marks.keepUp()
	if c.Focused() != nil || o.marks.ring.Visible() || o.marks.pointer.Visible() {
		t.Errorf("the keyboard is at %T, around what is hidden", c.Focused())
	}
}

// unpainted is an application in which one object was not drawn yet: the driver does not know where it lies.
type unpainted struct {
	fyne.App
	driver *unpaintedDriver
}

func (a unpainted) Driver() fyne.Driver { return a.driver }

type unpaintedDriver struct {
	fyne.Driver
	object fyne.CanvasObject
}

// CanvasForObject implements fyne.Driver.
func (d *unpaintedDriver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	if o == d.object {
		return nil
	}
	return d.Driver.CanvasForObject(o)
}

// TestTheFirstRingOfADialogIsInItsPlace: the layer for the marks comes into a dialog with the first Tab, and the ring waits until the
// window has drawn the layer, rather than lying elsewhere or being given up.
func TestTheFirstRingOfADialogIsInItsPlace(t *testing.T) {
	o := open(t, 1, nil)
	o.about()
	o.idle()
	layer, _ := o.layerOf(o.over())
	driver := &unpaintedDriver{Driver: o.stage.App().Driver(), object: layer.object}
	fyne.SetCurrentApp(unpainted{App: o.stage.App(), driver: driver})
	t.Cleanup(func() { fyne.SetCurrentApp(o.stage.App()) })
	if !o.Hear(fyne.KeyTab) {
		t.Fatal("Tab leads nowhere")
	}
	layer.keepUp()
	if layer.ring.Visible() || layer.around == nil {
		t.Errorf("before it is known where the ring belongs it is shown (%v) or given up", layer.ring.Visible())
	}
	driver.object = nil
	layer.keepUp()
	at := func(object fyne.CanvasObject) fyne.Position { return driver.AbsolutePositionForObject(object) }
	if got, want := at(layer.ring), at(layer.around).SubtractXY(ringWidth, ringWidth); !layer.ring.Visible() || got != want {
		t.Errorf("then it is visible (%v), at %v and not at %v", layer.ring.Visible(), got, want)
	}
}

// forgetful is a driver that knows the canvas of no mark that is hidden, or was before the last frame, as the real one does.
type forgetful struct {
	fyne.Driver
	marks  *marks
	canvas *watched
}

// CanvasForObject implements fyne.Driver.
func (d forgetful) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	switch o {
	case d.marks.ring, d.marks.pointer:
		return nil
	}
	if c := d.Driver.CanvasForObject(o); c == nil {
		return nil
	}
	return d.canvas
}

// watched is a canvas that notes how often it was to be drawn anew.
type watched struct {
	fyne.Canvas
	drawn int
}

// Refresh implements fyne.Canvas.
func (c *watched) Refresh(fyne.CanvasObject) { c.drawn++ }

type forgetfulApp struct {
	fyne.App
	driver forgetful
}

func (a forgetfulApp) Driver() fyne.Driver { return a.driver }

// TestTheRingIsDrawnWhereNothingElseIs: a ring that was hidden appears, and goes, also where what it is around is not drawn anew, such
// as the heading of a column.
func TestTheRingIsDrawnWhereNothingElseIs(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	p := &pad{}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSize(80, 80))
	o.frame.Add(container.NewWithoutLayout(p))
	c := o.Window.Window().Canvas()
	driver := forgetful{o.stage.App().Driver(), o.marks, &watched{Canvas: c}}
	fyne.SetCurrentApp(forgetfulApp{o.stage.App(), driver})
	t.Cleanup(func() { fyne.SetCurrentApp(o.stage.App()) })
	o.marks.pointer.put(p)
	c.Focus(o.marks.pointer)
	driver.canvas.drawn = 0
	o.marks.show(c, stop{object: p})
	if !o.marks.ring.Visible() || driver.canvas.drawn == 0 {
		t.Errorf("the ring is visible (%v), and the window was drawn anew %d times", o.marks.ring.Visible(), driver.canvas.drawn)
	}
	driver.canvas.drawn = 0
	o.marks.hide()
	if o.marks.ring.Visible() || driver.canvas.drawn == 0 {
		t.Errorf("the ring stays (%v), or the window was drawn anew %d times", o.marks.ring.Visible(), driver.canvas.drawn)
	}
}

// TestTheRingStaysInWhatScrolls: the ring around what is larger than its view, or has been scrolled aside, covers nothing else.
func TestTheRingStaysInWhatScrolls(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	p, below := &pad{}, canvas.NewRectangle(color.Transparent)
	p.ExtendBaseWidget(p)
	below.SetMinSize(fyne.NewSize(10, 500))
	long := container.NewVBox(container.NewGridWrap(fyne.NewSize(80, 300), p), below)
	view := container.NewVScroll(long)
	view.Resize(fyne.NewSize(100, 60))
	view.Move(fyne.NewPos(50, 40))
	o.frame.Add(container.NewWithoutLayout(view))
	c := o.Window.Window().Canvas()
	o.marks.lead(c, stop{object: p, in: []fyne.CanvasObject{o.frame, view, long}})
	for _, try := range []struct {
		scrolled, top, bottom float32
		visible               bool
	}{{0, 0, 60, true}, {20, 0, 60, true}, {270, 0, 30, true}, {299.5, 0, 0, true}, {302, 0, 0, false}, {0, 0, 60, true}} {
		view.ScrollToOffset(fyne.NewPos(0, try.scrolled))
		o.marks.keepUp()
		if o.marks.ring.Visible() != try.visible {
			t.Errorf("scrolled by %v it is visible (%v)", try.scrolled, o.marks.ring.Visible())
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		top, origin := at(o.marks.ring).Y, at(view).Y
		bottom := top + o.marks.ring.Size().Height
		if try.visible && (top < origin-ringWidth || bottom > origin+view.Size().Height+ringWidth || bottom-top < try.bottom-try.top) {
			t.Errorf("scrolled by %v it reaches from %v to %v, the view from %v", try.scrolled, top, bottom, origin)
		}
	}
}
