package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// pointer has the keyboard in place of an object that does not take it itself, such as a tab, the heading of a column or a chart.
// Return and Space click it. In what is large enough the arrow keys move the pointer, so that it reads off what a mouse would, Shift
// and they drag, plus and minus turn the wheel, and 0 clicks twice.
type pointer struct {
	widget.BaseWidget
	marks  *marks
	target fyne.CanvasObject
	at     fyne.Position // in the target
	shift  bool
	drags  bool
}

var _ fyne.Focusable = (*pointer)(nil)

func newPointer(m *marks) *pointer {
	p := &pointer{marks: m}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSquareSize(dotSize))
	p.Hide()
	return p
}

// The side of the pointer's mark, the side from which on an object has places to point at, and how many steps of the arrow keys
// cross it.
const dotSize, leastPlace, acrossSteps = 9, 72, 40

// put puts the pointer into the middle of an object.
func (p *pointer) put(target fyne.CanvasObject) {
	p.target, p.drags, p.shift = target, false, false
	p.at = fyne.NewPos(target.Size().Width/2, target.Size().Height/2)
	p.Show()
	p.place()
	p.Refresh() // it may be at its place already, with another target
}

// places tells whether the target has places to point at.
func (p *pointer) places() bool {
	size := p.target.Size()
	_, hover := p.target.(desktop.Hoverable)
	return hover && size.Width >= leastPlace*grown() && size.Height >= leastPlace*grown()
}

func (p *pointer) place() {
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(p.target).Subtract(driver.AbsolutePositionForObject(p.marks.object)).Add(p.at)
	if to := at.SubtractXY(dotSize/2, dotSize/2); p.Position() != to {
		p.Move(to)
		p.Refresh()
	}
}

func (p *pointer) event() fyne.PointEvent {
	return fyne.PointEvent{Position: p.at, AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(p.target).Add(p.at)}
}

func (p *pointer) mouse() *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: p.event(), Button: desktop.MouseButtonPrimary}
}

// FocusGained implements fyne.Focusable.
func (p *pointer) FocusGained() {
	if over, ok := p.target.(desktop.Hoverable); ok {
		over.MouseIn(p.mouse())
		if p.places() {
			over.MouseMoved(p.mouse())
		}
	}
}

// FocusLost implements fyne.Focusable.
func (p *pointer) FocusLost() {
	p.drop()
	if over, ok := p.target.(desktop.Hoverable); ok {
		over.MouseOut()
	}
	p.Hide()
	p.marks.hide()
}

// TypedRune implements fyne.Focusable.
func (p *pointer) TypedRune(r rune) {
	switch r {
	case '+', '=':
		p.wheel(1)
	case '-':
		p.wheel(-1)
	case '0':
		p.twice()
	}
}

// TypedKey implements fyne.Focusable.
func (p *pointer) TypedKey(ev *fyne.KeyEvent) {
	size := p.target.Size()
	dx, dy := size.Width/acrossSteps, size.Height/acrossSteps
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		p.click()
	case fyne.KeyLeft:
		p.move(-dx, 0)
	case fyne.KeyRight:
		p.move(dx, 0)
	case fyne.KeyUp:
		p.move(0, -dy)
	case fyne.KeyDown:
		p.move(0, dy)
	case fyne.KeyEscape:
		if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
			c.Unfocus()
		}
	}
}

// KeyDown implements desktop.Keyable.
func (p *pointer) KeyDown(ev *fyne.KeyEvent) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		p.shift = true
	}
}

// KeyUp implements desktop.Keyable: with Shift a drag ends.
func (p *pointer) KeyUp(ev *fyne.KeyEvent) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		p.shift = false
		p.drop()
	}
}

func (p *pointer) move(dx, dy float32) {
	if !p.places() {
		return
	}
	if p.shift && !p.drags {
		p.grip()
	}
	size, from := p.target.Size(), p.at
	p.at = fyne.NewPos(min(max(p.at.X+dx, 0), size.Width-1), min(max(p.at.Y+dy, 0), size.Height-1))
	p.place()
	p.target.(desktop.Hoverable).MouseMoved(p.mouse())
	if pulled, ok := p.target.(fyne.Draggable); ok && p.drags {
		pulled.Dragged(&fyne.DragEvent{PointEvent: p.event(), Dragged: fyne.Delta{DX: p.at.X - from.X, DY: p.at.Y - from.Y}})
	}
}

// grip begins a drag at the place of the pointer, drop ends it there.
func (p *pointer) grip() {
	p.drags = true
	if pressed, ok := p.target.(desktop.Mouseable); ok {
		pressed.MouseDown(p.mouse())
	}
}

func (p *pointer) drop() {
	if !p.drags {
		return
	}
	p.drags = false
	if pulled, ok := p.target.(fyne.Draggable); ok {
		pulled.DragEnd()
	}
	if pressed, ok := p.target.(desktop.Mouseable); ok {
		pressed.MouseUp(p.mouse())
	}
}

func (p *pointer) click() {
	p.drop()
	ev := p.event()
	if once, ok := p.target.(fyne.Tappable); ok {
		once.Tapped(&ev)
		return
	}
	p.twice()
}

func (p *pointer) twice() {
	ev := p.event()
	if twice, ok := p.target.(fyne.DoubleTappable); ok {
		twice.DoubleTapped(&ev)
		return
	}
	if all, ok := p.target.(interface{ ShowAll() }); ok {
		all.ShowAll()
	}
}

// menu opens the target's menu.
func (p *pointer) menu() bool {
	other, ok := p.target.(fyne.SecondaryTappable)
	if ok {
		ev := p.event()
		other.TappedSecondary(&ev)
	}
	return ok
}

// wheelTurn is what Fyne reports for one step of a wheel.
const wheelTurn = 25

func (p *pointer) wheel(by float32) {
	if turned, ok := p.target.(fyne.Scrollable); ok {
		turned.Scrolled(&fyne.ScrollEvent{PointEvent: p.event(), Scrolled: fyne.Delta{DY: by * wheelTurn}})
	}
}

// CreateRenderer implements fyne.Widget: a ring and its middle, to be seen on any picture.
func (p *pointer) CreateRenderer() fyne.WidgetRenderer {
	return &pointerRenderer{p, canvas.NewCircle(color.Transparent)}
}

type pointerRenderer struct {
	p   *pointer
	dot *canvas.Circle
}

func (r *pointerRenderer) Destroy()                     {}
func (r *pointerRenderer) MinSize() fyne.Size           { return fyne.NewSquareSize(dotSize) }
func (r *pointerRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.dot} }
func (r *pointerRenderer) Layout(size fyne.Size)        { r.dot.Resize(size) }

func (r *pointerRenderer) Refresh() {
	r.dot.Hidden = r.p.target == nil || !r.p.places()
	r.dot.FillColor, r.dot.StrokeColor, r.dot.StrokeWidth = theme.Color(theme.ColorNamePrimary), theme.Color(theme.ColorNameBackground), 2
	r.dot.Refresh()
}
