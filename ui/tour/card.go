package tour

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	own "github.com/variscope/variscope/ui/widget"
)

// cardLetters is the card's width in sizes of ordinary text.
const cardLetters = 29

// card is what a step says, with the buttons that walk on.
type card struct {
	title, text, number *widget.Label
	skip, back, next    *step
	row, content        *fyne.Container
}

func newCard(t *Tour) *card {
	c := &card{
		title: own.Bold(""), text: widget.NewLabel(""), number: widget.NewLabel(""),
		skip: newStep(t, "Skip", t.Leave), back: newStep(t, "Back", t.Back), next: newStep(t, "Next", t.Next),
	}
	c.title.SizeName, c.title.Wrapping, c.text.Wrapping = theme.SizeNameSubHeadingText, fyne.TextWrapWord,
		fyne.TextWrapWord
	c.skip.Importance, c.next.Importance = widget.LowImportance, widget.HighImportance
	c.row = container.NewHBox(c.number, layout.NewSpacer(), c.skip, c.back, c.next)
	c.content = container.NewVBox(c.title, c.text, c.row)
	return c
}

// fill writes a step into the card.
func (c *card) fill(s Step, at, steps int) {
	c.title.SetText(s.Title)
	c.text.SetText(s.Text)
	c.number.SetText(fmt.Sprintf("%d of %d", at+1, steps))
	if at == 0 {
		c.back.Disable()
	} else {
		c.back.Enable()
	}
	last := at+1 == steps
	c.next.SetText("Next")
	if last {
		c.next.SetText("Done")
	}
	if c.skip.Show(); last {
		c.skip.Hide()
	}
	c.row.Refresh() // its size may stay while its texts need other widths
}

// step is a button that also hears Return and the arrow keys.
type step struct {
	widget.Button
	tour *Tour
}

func newStep(t *Tour, text string, tapped func()) *step {
	s := &step{tour: t}
	s.Text, s.OnTapped = text, tapped
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey implements fyne.Focusable.
func (s *step) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.OnTapped()
	case fyne.KeyRight, fyne.KeyDown, fyne.KeyPageDown:
		if !s.tour.last() {
			s.tour.Next()
		}
	case fyne.KeyLeft, fyne.KeyUp, fyne.KeyPageUp:
		s.tour.Back()
	case fyne.KeyEscape:
		s.tour.Leave()
	default:
		s.Button.TypedKey(e)
	}
}

func (t *Tour) last() bool { return t.at+1 == len(t.options.Steps) }

// CreateRenderer implements fyne.Widget.
func (t *Tour) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{
		tour: t, light: canvas.NewRectangle(color.Transparent), ground: canvas.NewRectangle(color.Transparent),
	}
	for i := range r.dim {
		r.dim[i] = canvas.NewRectangle(color.Transparent)
	}
	r.light.StrokeWidth, r.light.CornerRadius = 2, 4
	r.ground.StrokeWidth, r.ground.CornerRadius = 1, 6
	r.Refresh()
	return r
}

// renderer draws the dimmed window around the target, a line around that, and the card.
type renderer struct {
	tour          *Tour
	dim           [4]*canvas.Rectangle
	light, ground *canvas.Rectangle
}

func (r *renderer) Destroy()           {}
func (r *renderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *renderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.dim[0], r.dim[1], r.dim[2], r.dim[3], r.light, r.ground, r.tour.card.content}
}

// Layout follows the window's size; the target has its new place only later.
func (r *renderer) Layout(size fyne.Size) {
	r.arrange(size)
	r.tour.Follow()
}

func (r *renderer) arrange(window fyne.Size) {
	target, ok := r.tour.target(window)
	if !ok { // everything is dimmed
		target = area{right: 0, bottom: 0}
	}
	for i, a := range around(window, target) {
		r.dim[i].Move(fyne.NewPos(a.left, a.top))
		r.dim[i].Resize(fyne.NewSize(max(a.width(), 0), max(a.height(), 0)))
	}
	r.light.Move(fyne.NewPos(target.left, target.top))
	r.light.Resize(fyne.NewSize(target.width(), target.height()))
	r.light.Hidden = !ok
	size := r.size(window)
	at := inside(fyne.NewPos((window.Width-size.Width)/2, (window.Height-size.Height)/2), size, window)
	if ok {
		at = placed(size, window, target)
	}
	r.ground.Move(at)
	r.ground.Resize(size)
	pad := r.pad()
	r.tour.card.content.Move(at.AddXY(pad, pad))
	r.tour.card.content.Resize(size.SubtractWidthHeight(2*pad, 2*pad))
}

func (r *renderer) pad() float32 { return 2 * r.tour.Theme().Size(theme.SizeNameInnerPadding) }

// size is the card's: as wide as the letters want, as high as the text at that width.
func (r *renderer) size(window fyne.Size) fyne.Size {
	pad := r.pad()
	content := r.tour.card.content
	width := min(max(cardLetters*r.tour.Theme().Size(theme.SizeNameText), content.MinSize().Width+2*pad),
		window.Width-2*edge)
	for range 2 { // the height of a text follows its width
		content.Resize(fyne.NewSize(width-2*pad, content.MinSize().Height))
	}
	return fyne.NewSize(width, content.MinSize().Height+2*pad)
}

func (r *renderer) Refresh() {
	th := r.tour.Theme()
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	for _, d := range r.dim {
		d.FillColor = color.NRGBA{A: 0x90}
	}
	r.light.StrokeColor = th.Color(theme.ColorNamePrimary, variant)
	r.ground.FillColor = th.Color(theme.ColorNameOverlayBackground, variant)
	r.ground.StrokeColor = th.Color(theme.ColorNamePrimary, variant)
	r.arrange(r.tour.Size())
	for _, o := range r.Objects() {
		canvas.Refresh(o)
	}
}
