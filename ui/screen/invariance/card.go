package invariance

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/words"
)

// The measures of a card, in Fyne's device-independent pixels.
const (
	pictureSide = 72
	cardPad     = 5
	cardLines   = 3 // below a picture: what it is, the prediction, its confidence
)

// cardSize is the least size of a card in the font size in force.
func cardSize() fyne.Size {
	return fyne.NewSize(3*cardPad+2*max(pictureSide, picture.Word(11)), 2*cardPad+pictureSide+float32(cardLines+1)*picture.Line())
}

// side is one side of a card: a picture with what the model says about it.
type side struct {
	picture image.Image
	title   string
	guess   picture.Guess
}

var _ desktop.Hoverable = (*card)(nil)

// card is an image before and after a transformation, with its EI.
type card struct {
	fynewidget.BaseWidget
	pointed func(k int)
	k       int
	low     Low
	sides   [2]side
}

func newCard(pointed func(k int)) *card {
	c := &card{pointed: pointed}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) show(k int, low Low, before, after side) {
	c.k, c.low, c.sides = k, low, [2]side{before, after}
	c.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (c *card) MouseIn(*desktop.MouseEvent) { c.pointed(c.k) }

// MouseMoved implements desktop.Hoverable.
func (c *card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *card) MouseOut() { c.pointed(-1) }

// value is the line over both pictures: the EI, and JS where there is one.
func (c *card) value() string {
	text := words.F("EI %s", present.Number(c.low.EI))
	if js := present.Number(c.low.JS); js != present.None {
		text = words.F("%s   JS %s", text, js)
	}
	return text
}

// CreateRenderer implements fyne.Widget.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil), value: canvas.NewText("", nil)}
	r.ground.CornerRadius = 3
	r.objects = []fyne.CanvasObject{r.ground, r.value}
	for at := range r.frames {
		r.frames[at] = picture.NewFrame(pictureSide)
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

type cardRenderer struct {
	c       *card
	ground  *canvas.Rectangle
	value   *canvas.Text
	frames  [2]*picture.Frame
	texts   [2][cardLines]*canvas.Text
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *cardRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer.
func (r *cardRenderer) MinSize() fyne.Size { return cardSize() }

// Refresh implements fyne.WidgetRenderer.
func (r *cardRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// Layout implements fyne.WidgetRenderer.
func (r *cardRenderer) Layout(size fyne.Size) {
	colour := func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, r.c) }
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNameInputBackground), colour(theme.ColorNameSeparator), 1
	line := picture.Line()
	r.write(r.value, r.c.value(), colour(theme.ColorNameForeground), fyne.NewPos(cardPad, cardPad/2), size.Width-2*cardPad)
	r.value.TextStyle.Bold = true
	half := (size.Width - 3*cardPad) / 2
	for at, f := range r.frames {
		s := r.c.sides[at]
		x := cardPad + float32(at)*(half+cardPad)
		f.Move(fyne.NewPos(x+(half-pictureSide)/2, cardPad+line))
		f.Resize(fyne.NewSquareSize(pictureSide))
		f.SetPicture(s.picture)
		lines := [cardLines]string{s.title}
		shades := [cardLines]fyne.ThemeColorName{theme.ColorNamePlaceHolder, s.guess.Verdict.Colour(), theme.ColorNameForeground}
		if s.guess.Class != "" {
			lines[1], lines[2] = s.guess.Class+s.guess.Verdict.Mark(), present.Percent(s.guess.Confidence)
		}
		for k, t := range r.texts[at] {
			r.write(t, lines[k], colour(shades[k]), fyne.NewPos(x, cardPad+line+pictureSide+float32(k)*line), half)
		}
	}
}

// write puts a line of small text into a width.
func (r *cardRenderer) write(t *canvas.Text, line string, shade color.Color, at fyne.Position, width float32) {
	t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
	t.Color = shade
	t.Text = picture.Cut(line, t.TextSize, width, t.TextStyle)
	t.Resize(fyne.NewSize(width, picture.Line()))
	t.Move(at)
}
