package label

import (
	"image/color"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
)

var (
	_ desktop.Keyable = (*pad)(nil)
	_ fyne.Tappable   = (*pad)(nil)
)

// pad is the key surface of this screen, as widget.Surface is that of others: it lies around the content, takes the focus
// on a click beside the buttons and shows by a line that it has it. In addition it tells a fresh press from the repeats of
// a key that is held down: a repeat would label models that nobody has looked at.
type pad struct {
	fynewidget.BaseWidget
	onRune  func(rune)
	onKey   func(fyne.KeyName)
	content fyne.CanvasObject
	line    *canvas.Rectangle
	keyed   bool // the driver reports presses; test drivers do not
	fresh   bool // a key went down and has not acted yet
}

func newPad(content fyne.CanvasObject) *pad {
	p := &pad{content: content, line: canvas.NewRectangle(color.Transparent)}
	p.line.SetMinSize(fyne.NewSize(0, 2))
	p.line.Hidden = true
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer implements fyne.Widget.
func (p *pad) CreateRenderer() fyne.WidgetRenderer {
	gap := canvas.NewRectangle(color.Transparent)
	gap.SetMinSize(fyne.NewSize(0, 2)) // keeps the place of the line while there is none
	return fynewidget.NewSimpleRenderer(container.NewBorder(container.NewStack(gap, p.line), nil, nil, nil, p.content))
}

// take gives the pad the focus.
func (p *pad) take(c fyne.Canvas) {
	if c.Focused() != fyne.Focusable(p) {
		c.Focus(p)
	}
}

// Tapped implements fyne.Tappable.
func (p *pad) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		p.take(c)
	}
}

// FocusGained implements fyne.Focusable.
func (p *pad) FocusGained() {
	p.line.Show()
	p.Refresh()
}

// Refresh implements fyne.Widget; the line follows the theme.
func (p *pad) Refresh() {
	p.line.FillColor = theme.Color(theme.ColorNamePrimary)
	p.BaseWidget.Refresh()
}

// FocusLost implements fyne.Focusable.
func (p *pad) FocusLost() { p.line.Hide() }

// KeyDown implements desktop.Keyable.
func (p *pad) KeyDown(*fyne.KeyEvent) { p.keyed, p.fresh = true, true }

// KeyUp implements desktop.Keyable.
func (p *pad) KeyUp(*fyne.KeyEvent) {}

// TypedRune implements fyne.Focusable: a repeat of a key that acts on labels is dropped.
func (p *pad) TypedRune(r rune) {
	if acting[unicode.ToLower(r)] && !p.use() {
		return
	}
	p.onRune(r)
}

// TypedKey implements fyne.Focusable; arrows may repeat.
func (p *pad) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyBackspace && !p.use() {
		return
	}
	p.onKey(ev.Name)
}

// acting are the letters that store something.
var acting = map[rune]bool{'i': true, 'b': true, 'v': true, 's': true, 'z': true, 'u': true}

// use spends the press that is down; false when it acted already.
func (p *pad) use() bool {
	if p.keyed && !p.fresh {
		return false
	}
	p.fresh = false
	return true
}
