package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

var (
	_ desktop.Keyable   = (*Surface)(nil)
	_ fyne.Tappable     = (*Surface)(nil)
	_ fyne.Shortcutable = (*UndoSurface)(nil)
)

// Surface is the one widget of a screen that receives single keys, such as I, B and V for labels.
// It lies around the screen's content and shows by a line along its top whether it has the focus. A
// click on anything in it that is not itself clickable gives it the focus; after other clicks,
// dialogs and entries the screen calls Take. Keys that must act once per press, however long they
// are held down, ask Spend first.
type Surface struct {
	widget.BaseWidget
	Keys
	// OnFocus reports a change of focus.
	OnFocus func(bool)

	content fyne.CanvasObject
	self    focusable // the surface, or the widget that it is part of
	focused bool
	keyed   bool // the driver reports presses; test drivers do not
	fresh   bool // a key went down and was not spent yet
}

type focusable interface {
	fyne.CanvasObject
	fyne.Focusable
}

// NewSurface lays a surface around content.
func NewSurface(content fyne.CanvasObject) *Surface {
	s := &Surface{content: content}
	s.self = s
	s.ExtendBaseWidget(s)
	return s
}

// UndoSurface is a surface that hears Ctrl+Z and Ctrl+Y too. It is for what lies over the window,
// where the window's own undo rests.
type UndoSurface struct {
	Surface
	// OnUndo is what Ctrl+Z does, OnRedo what Ctrl+Y does.
	OnUndo, OnRedo func()
}

// NewUndoSurface lays a surface that hears Ctrl+Z around content.
func NewUndoSurface(content fyne.CanvasObject) *UndoSurface {
	s := &UndoSurface{Surface: Surface{content: content}}
	s.self = s
	s.ExtendBaseWidget(s)
	return s
}

// TypedShortcut implements fyne.Shortcutable.
func (s *UndoSurface) TypedShortcut(shortcut fyne.Shortcut) {
	do := map[string]func(){
		(&fyne.ShortcutUndo{}).ShortcutName(): s.OnUndo,
		(&fyne.ShortcutRedo{}).ShortcutName(): s.OnRedo,
	}[shortcut.ShortcutName()]
	if do != nil {
		do()
	}
}

// Take gives the surface the focus, wherever it was. It does nothing while the surface was never
// drawn in a window.
func (s *Surface) Take() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.self); c != nil {
		s.TakeIn(c)
	}
}

// TakeIn is Take in the canvas of the surface's window; it works before the surface was ever drawn.
func (s *Surface) TakeIn(c fyne.Canvas) {
	if c.Focused() != s.self {
		c.Focus(s.self)
	}
}

// Focused tells whether keys arrive here.
func (s *Surface) Focused() bool { return s.focused }

// Tapped implements fyne.Tappable.
func (s *Surface) Tapped(*fyne.PointEvent) { s.Take() }

// FocusGained implements fyne.Focusable.
func (s *Surface) FocusGained() { s.setFocus(true) }

// FocusLost implements fyne.Focusable.
func (s *Surface) FocusLost() { s.setFocus(false) }

func (s *Surface) setFocus(on bool) {
	s.focused = on
	s.Refresh()
	if s.OnFocus != nil {
		s.OnFocus(on)
	}
}

// KeyDown implements desktop.Keyable.
func (s *Surface) KeyDown(*fyne.KeyEvent) { s.keyed, s.fresh = true, true }

// KeyUp implements desktop.Keyable.
func (s *Surface) KeyUp(*fyne.KeyEvent) {}

// Follow takes a key that is held down on another surface, from which this one has the focus, as
// one that was spent there.
func (s *Surface) Follow(other *Surface) { s.keyed, s.fresh = s.keyed || other.keyed, false }

// Spend uses up the press of the key that is being reported to OnRune or OnKey. It is false for the
// repeats of a key that is held down.
func (s *Surface) Spend() bool {
	if s.keyed && !s.fresh {
		return false
	}
	s.fresh = false
	return true
}

// TypedRune implements fyne.Focusable.
func (s *Surface) TypedRune(r rune) { s.passRune(r) }

// TypedKey implements fyne.Focusable.
func (s *Surface) TypedKey(ev *fyne.KeyEvent) { s.passKey(ev) }

// CreateRenderer implements fyne.Widget.
func (s *Surface) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	r := &surfaceRenderer{s: s, line: canvas.NewRectangle(nil)}
	r.Layout(s.Size())
	return r
}

type surfaceRenderer struct {
	s    *Surface
	line *canvas.Rectangle
}

const surfaceLine = 2

// Destroy implements fyne.WidgetRenderer.
func (r *surfaceRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *surfaceRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.line, r.s.content}
}

// MinSize implements fyne.WidgetRenderer.
func (r *surfaceRenderer) MinSize() fyne.Size {
	return r.s.content.MinSize().AddWidthHeight(0, surfaceLine)
}

// Layout implements fyne.WidgetRenderer.
func (r *surfaceRenderer) Layout(size fyne.Size) {
	r.line.Resize(fyne.NewSize(size.Width, surfaceLine))
	r.s.content.Move(fyne.NewPos(0, surfaceLine))
	r.s.content.Resize(size.SubtractWidthHeight(0, surfaceLine))
	r.colour()
}

func (r *surfaceRenderer) colour() {
	r.line.FillColor = styleOf(r.s).primary
	r.line.Hidden = !r.s.focused
}

// Refresh implements fyne.WidgetRenderer.
func (r *surfaceRenderer) Refresh() {
	r.colour()
	canvas.Refresh(r.line)
}
