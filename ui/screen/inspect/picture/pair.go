package picture

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
)

// The measures of a pair, in Fyne's device-independent pixels.
const (
	pairSide  = 72
	pairPad   = 5
	pairLines = 3 // below a picture: what it is, the prediction, its confidence
)

// PairSize is the least size of a pair in the font size in force.
func PairSize() fyne.Size {
	return fyne.NewSize(3*pairPad+2*max(pairSide, Word(11)), 2*pairPad+pairSide+float32(pairLines+1)*Line())
}

// Side is one side of a pair: a picture with what it is and what the model says about it.
type Side struct {
	Picture image.Image
	Title   string
	Guess   Guess
}

var _ desktop.Hoverable = (*Pair)(nil)

// Pair is a card with two pictures of an image, such as before and after a transformation, and a line above them.
type Pair struct {
	fynewidget.BaseWidget
	pointed func(k int)
	k       int
	head    string
	sides   [2]Side
}

// NewPair makes an empty card. Pointed is called with the number of what it shows when the pointer comes, and with -1 when it leaves.
func NewPair(pointed func(k int)) *Pair {
	c := &Pair{pointed: pointed}
	c.ExtendBaseWidget(c)
	return c
}

// SetPair fills the card; k is the number of what is shown.
func (c *Pair) SetPair(k int, head string, before, after Side) {
	c.k, c.head, c.sides = k, head, [2]Side{before, after}
	c.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (c *Pair) MouseIn(*desktop.MouseEvent) { c.pointed(c.k) }

// MouseMoved implements desktop.Hoverable.
func (c *Pair) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Pair) MouseOut() { c.pointed(-1) }

// CreateRenderer implements fyne.Widget.
func (c *Pair) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &pairRenderer{c: c, ground: canvas.NewRectangle(nil), head: canvas.NewText("", nil)}
	r.ground.CornerRadius = 3
	r.objects = []fyne.CanvasObject{r.ground, r.head}
	for at := range r.frames {
		r.frames[at] = NewFrame(pairSide)
		r.objects = append(r.objects, r.frames[at])
		for line := range r.texts[at] {
			r.texts[at][line] = canvas.NewText("", nil)
			r.texts[at][line].Alignment = fyne.TextAlignCenter
			r.objects = append(r.objects, r.texts[at][line])
		}
	}
	r.Layout(c.Size())
	return r
}

type pairRenderer struct {
	c       *Pair
	ground  *canvas.Rectangle
	head    *canvas.Text
	frames  [2]*Frame
	texts   [2][pairLines]*canvas.Text
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *pairRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *pairRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer.
func (r *pairRenderer) MinSize() fyne.Size { return PairSize() }

// Refresh implements fyne.WidgetRenderer.
func (r *pairRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// Layout implements fyne.WidgetRenderer.
func (r *pairRenderer) Layout(size fyne.Size) {
	colour := func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, r.c) }
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNameInputBackground), colour(theme.ColorNameSeparator), 1
	line := Line()
	r.write(r.head, r.c.head, colour(theme.ColorNameForeground), fyne.NewPos(pairPad, pairPad/2), size.Width-2*pairPad)
	r.head.TextStyle.Bold = true
	half := (size.Width - 3*pairPad) / 2
	for at, f := range r.frames {
		s := r.c.sides[at]
		x := pairPad + float32(at)*(half+pairPad)
		f.Move(fyne.NewPos(x+(half-pairSide)/2, pairPad+line))
		f.Resize(fyne.NewSquareSize(pairSide))
		f.SetPicture(s.Picture)
		lines := [pairLines]string{s.Title}
		shades := [pairLines]fyne.ThemeColorName{theme.ColorNamePlaceHolder, s.Guess.Verdict.Colour(), theme.ColorNameForeground}
		if s.Guess.Class != "" {
			lines[1], lines[2] = s.Guess.Class+s.Guess.Verdict.Mark(), result.Share.Say(s.Guess.Confidence, 0)
		}
		for k, t := range r.texts[at] {
			r.write(t, lines[k], colour(shades[k]), fyne.NewPos(x, pairPad+line+pairSide+float32(k)*line), half)
		}
	}
}

// write puts a line of small text into a width.
func (r *pairRenderer) write(t *canvas.Text, line string, shade color.Color, at fyne.Position, width float32) {
	t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
	t.Color = shade
	t.Text = Cut(line, t.TextSize, width, t.TextStyle)
	t.Resize(fyne.NewSize(width, Line()))
	t.Move(at)
}
