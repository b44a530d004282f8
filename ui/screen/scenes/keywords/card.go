package keywords

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// The measures of a card, in Fyne's device-independent pixels.
const (
	pictureSide = 92
	cardPad     = 5
)

// cardSize is the least size of a card in the font size in force: a picture and two lines.
func cardSize() fyne.Size {
	return fyne.NewSize(2*cardPad+max(pictureSide, picture.Word(12)), 2*cardPad+pictureSide+2*picture.Line()+2)
}

var (
	_ desktop.Mouseable = (*card)(nil)
	_ desktop.Hoverable = (*card)(nil)
)

// card is one image of the gallery: its picture, its name and what it is.
type card struct {
	fynewidget.BaseWidget
	gallery *gallery
	k       int
	lines   [2]string
	picture image.Image
	chosen  bool
}

func newCard(g *gallery) *card {
	c := &card{gallery: g, k: -1}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) show(k int, name, kind string, p image.Image, chosen bool) {
	c.k, c.lines, c.picture, c.chosen = k, [2]string{name, kind}, p, chosen
	c.Refresh()
}

// MouseDown implements desktop.Mouseable.
func (c *card) MouseDown(*desktop.MouseEvent) {
	c.gallery.take()
	c.gallery.choose(c.k)
}

// MouseUp implements desktop.Mouseable.
func (c *card) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (c *card) MouseIn(*desktop.MouseEvent) { c.gallery.hover(c.k) }

// MouseMoved implements desktop.Hoverable.
func (c *card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *card) MouseOut() { c.gallery.hover(-1) }

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
	texts   [2]*canvas.Text
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
	fill, edge, width := theme.ColorNameInputBackground, theme.ColorNameSeparator, float32(1)
	if r.c.chosen {
		fill, edge, width = theme.ColorNameSelection, theme.ColorNamePrimary, 2
	}
	r.ground.FillColor, r.ground.StrokeColor = theme.ColorForWidget(fill, r.c), theme.ColorForWidget(edge, r.c)
	r.ground.StrokeWidth = width
	r.ground.Resize(size)
	line := picture.Line()
	room := fyne.NewSize(size.Width-2*cardPad, size.Height-2*cardPad-2*line-2)
	r.frame.Move(fyne.NewPos(cardPad, cardPad))
	r.frame.Resize(room)
	r.frame.SetPicture(r.c.picture)
	shades := [2]fyne.ThemeColorName{theme.ColorNameForeground, theme.ColorNamePlaceHolder}
	for k, t := range r.texts {
		t.TextSize, t.Color = theme.SizeForWidget(theme.SizeNameCaptionText, r.c), theme.ColorForWidget(shades[k], r.c)
		t.Text = picture.Cut(r.c.lines[k], t.TextSize, room.Width, t.TextStyle)
		t.Resize(fyne.NewSize(room.Width, line))
		t.Move(fyne.NewPos(cardPad, cardPad+room.Height+2+float32(k)*line))
	}
}
