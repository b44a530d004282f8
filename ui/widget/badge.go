package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Badge is a short word in a frame of the theme's warning colour. Without text it takes no room.
type Badge struct {
	widget.BaseWidget
	// OnTapped is called after a click; nil where the badge only says something.
	OnTapped func()
	text     string
}

// Tapped implements fyne.Tappable.
func (b *Badge) Tapped(*fyne.PointEvent) {
	if b.OnTapped != nil && b.text != "" {
		b.OnTapped()
	}
}

var _ desktop.Hoverable = (*Remark)(nil)

// Remark is a badge that tells what it means while the pointer is over it.
type Remark struct {
	Badge
	tell func(text string)
	hint string
}

// NewRemark makes an empty, invisible remark. tell gets what it means while the pointer is over it,
// and "" when that ends.
func NewRemark(tell func(text string)) *Remark {
	r := &Remark{tell: tell}
	r.ExtendBaseWidget(r)
	return r
}

// Explain sets the word and what it means; "" hides the badge, and ends what was told of another
// one.
func (r *Remark) Explain(word, hint string) {
	if word == r.text && hint == r.hint {
		return
	}
	if r.text != "" {
		r.tell("")
	}
	r.hint = hint
	r.SetText(word)
}

// Hint is what the remark means.
func (r *Remark) Hint() string { return r.hint }

// MouseIn implements desktop.Hoverable.
func (r *Remark) MouseIn(*desktop.MouseEvent) { r.tell(r.hint) }

// MouseMoved implements desktop.Hoverable.
func (r *Remark) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *Remark) MouseOut() { r.tell("") }

// NewBadge makes an empty, invisible badge.
func NewBadge() *Badge {
	b := &Badge{}
	b.ExtendBaseWidget(b)
	return b
}

// SetText changes the word; "" hides the badge.
func (b *Badge) SetText(text string) {
	b.text = text
	b.Refresh()
}

// Text is the word.
func (b *Badge) Text() string { return b.text }

// CreateRenderer implements fyne.Widget.
func (b *Badge) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &badgeRenderer{b: b, frame: canvas.NewRectangle(nil), text: canvas.NewText("", nil)}
	r.Layout(b.Size())
	return r
}

type badgeRenderer struct {
	b     *Badge
	frame *canvas.Rectangle
	text  *canvas.Text
}

// Destroy implements fyne.WidgetRenderer.
func (r *badgeRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *badgeRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.frame, r.text} }

// MinSize implements fyne.WidgetRenderer.
func (r *badgeRenderer) MinSize() fyne.Size {
	if r.b.text == "" {
		return fyne.Size{}
	}
	return measure(r.b.text, styleOf(r.b).caption, false).AddWidthHeight(10, 2)
}

// Refresh implements fyne.WidgetRenderer.
func (r *badgeRenderer) Refresh() {
	r.Layout(r.b.Size())
	r.frame.Refresh()
	r.text.Refresh()
}

// Layout implements fyne.WidgetRenderer.
func (r *badgeRenderer) Layout(size fyne.Size) {
	st := styleOf(r.b)
	warning := theme.ColorForWidget(theme.ColorNameWarning, r.b)
	r.frame.FillColor, r.frame.StrokeColor = faded(warning, 0.14), warning
	r.frame.StrokeWidth, r.frame.CornerRadius = 1, 3
	r.frame.Resize(size)
	r.frame.Hidden = r.b.text == ""
	r.text.Text = shorten(r.b.text, st.caption, size.Width-8, false)
	r.text.Color, r.text.TextSize = st.foreground, st.caption
	min := r.text.MinSize()
	placeText(r.text, (size.Width-min.Width)/2, (size.Height-min.Height)/2)
}
