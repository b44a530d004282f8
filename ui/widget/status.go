package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// StatusLine is the line at the bottom: the last message, with a sign when it is an error, and for
// a moment a hint over it, such as the read-out of a heatmap.
type StatusLine struct {
	widget.BaseWidget
	text, hint string
	failed     bool
}

// NewStatusLine makes an empty line.
func NewStatusLine() *StatusLine {
	s := &StatusLine{}
	s.ExtendBaseWidget(s)
	return s
}

// Say shows an ordinary message.
func (s *StatusLine) Say(text string) { s.set(text, false) }

// Fail shows a message with the error sign.
func (s *StatusLine) Fail(text string) { s.set(text, true) }

// Clear empties the line.
func (s *StatusLine) Clear() { s.set("", false) }

// Text is the message, without the hint.
func (s *StatusLine) Text() string { return s.text }

// Hint shows text over the message until it is called with "".
func (s *StatusLine) Hint(text string) {
	if s.hint != text {
		s.hint = text
		s.Refresh()
	}
}

func (s *StatusLine) set(text string, failed bool) {
	if s.text != text || s.failed != failed {
		s.text, s.failed = text, failed
		s.Refresh()
	}
}

// icon is the sign of the message, nil for none.
func (s *StatusLine) icon() fyne.Resource {
	if s.hint == "" && s.text != "" && s.failed {
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	}
	return nil
}

// CreateRenderer implements fyne.Widget.
func (s *StatusLine) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	r := &statusRenderer{s: s, icon: canvas.NewImageFromResource(nil), text: canvas.NewText("", nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.Layout(s.Size())
	return r
}

type statusRenderer struct {
	s    *StatusLine
	icon *canvas.Image
	text *canvas.Text
}

// Destroy implements fyne.WidgetRenderer.
func (r *statusRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *statusRenderer) Objects() []fyne.CanvasObject {
	if r.icon.Resource == nil {
		return []fyne.CanvasObject{r.text}
	}
	return []fyne.CanvasObject{r.icon, r.text}
}

// MinSize implements fyne.WidgetRenderer: the line never widens its window.
func (r *statusRenderer) MinSize() fyne.Size {
	st := styleOf(r.s)
	return fyne.NewSize(60, measure("X", st.text, false).Height+2*st.pad)
}

// Refresh implements fyne.WidgetRenderer.
func (r *statusRenderer) Refresh() {
	r.Layout(r.s.Size())
	r.icon.Refresh()
	r.text.Refresh()
	canvas.Refresh(r.s)
}

// Layout implements fyne.WidgetRenderer.
func (r *statusRenderer) Layout(size fyne.Size) {
	st := styleOf(r.s)
	r.icon.Resource = r.s.icon()
	x := 2 * st.pad
	if r.icon.Resource != nil {
		side := measure("X", st.text, false).Height
		r.icon.Resize(fyne.NewSquareSize(side))
		r.icon.Move(fyne.NewPos(x, (size.Height-side)/2))
		x += side + 2*st.pad
	}
	text := r.s.text
	if r.s.hint != "" {
		text = r.s.hint
	}
	r.text.Color, r.text.TextSize = st.foreground, st.text
	r.text.Text = shorten(text, st.text, size.Width-x-st.pad, false)
	placeText(r.text, x, (size.Height-r.text.MinSize().Height)/2)
}
