package preview

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// The measures of a card of the strip, in Fyne's device-independent pixels.
const (
	pictureSide = 64
	cardPad     = 3
	captions    = 3 // lines below the picture
)

// cardSize is the least size of a card in the font size in force.
func cardSize() fyne.Size {
	return fyne.NewSize(pictureSide+2*cardPad, pictureSide+captions*captionLine()+2*cardPad)
}

// captionLine is the distance of the lines below a picture, which stand close.
func captionLine() float32 { return picture.Line() - 2 }

var _ desktop.Mouseable = (*card)(nil)

// card is the image under one transformation with what the model says.
type card struct {
	fynewidget.BaseWidget
	pressed func(i int)
	i       int
	frame   Frame
	picture image.Image
	chosen  bool
}

func newCard(pressed func(i int)) *card {
	c := &card{pressed: pressed}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) show(i int, f Frame, p image.Image, chosen bool) {
	c.i, c.frame, c.picture, c.chosen = i, f, p, chosen
	c.Refresh()
}

// MouseDown chooses at once.
func (c *card) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary {
		c.pressed(c.i)
	}
}

// MouseUp implements desktop.Mouseable.
func (c *card) MouseUp(*desktop.MouseEvent) {}

// CreateRenderer implements fyne.Widget.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil), frame: picture.NewFrame(pictureSide)}
	r.ground.CornerRadius = 3
	r.objects = []fyne.CanvasObject{r.ground, r.frame}
	for k := range r.texts {
		r.texts[k] = canvas.NewText("", nil)
		r.texts[k].Alignment = fyne.TextAlignCenter
		r.objects = append(r.objects, r.texts[k])
	}
	r.Layout(c.Size())
	return r
}

type cardRenderer struct {
	c       *card
	ground  *canvas.Rectangle
	frame   *picture.Frame
	texts   [captions]*canvas.Text
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
	f := r.c.frame
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = color.Transparent, color.Transparent, 0
	if f.Identity {
		r.ground.FillColor = colour(theme.ColorNameHover)
	}
	if r.c.chosen {
		r.ground.FillColor = colour(theme.ColorNameSelection)
		r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNamePrimary), 2
	}
	r.frame.Move(fyne.NewPos((size.Width-pictureSide)/2, cardPad))
	r.frame.Resize(fyne.NewSquareSize(pictureSide))
	r.frame.SetPicture(r.c.picture)
	lines := [3]string{f.V}
	shades := [3]fyne.ThemeColorName{theme.ColorNameForeground, f.Guess.Verdict.Colour(), theme.ColorNamePlaceHolder}
	if !f.Inside {
		shades[0] = theme.ColorNamePlaceHolder
	}
	if f.Guess.Class != "" {
		lines[1], lines[2] = f.Guess.Class+f.Guess.Verdict.Mark(), result.Share.Say(f.Guess.Confidence, 0)
	}
	for k, t := range r.texts {
		t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
		t.TextStyle.Bold = k == 0 && f.Identity
		t.Color = colour(shades[k])
		t.Text = picture.Cut(lines[k], t.TextSize, size.Width-2, t.TextStyle)
		t.Resize(fyne.NewSize(size.Width, captionLine()))
		t.Move(fyne.NewPos(0, cardPad+pictureSide+float32(k)*captionLine()))
	}
}
