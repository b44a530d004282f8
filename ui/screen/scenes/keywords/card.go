package keywords

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
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
	ground  *canvas.Rectangle
	frame   *picture.Frame
	lines   [2]*canvas.Text
}

func newCard(g *gallery) *card {
	c := &card{gallery: g, k: -1, ground: canvas.NewRectangle(nil), frame: picture.NewFrame(pictureSide)}
	c.ground.CornerRadius = 3
	for k := range c.lines {
		c.lines[k] = canvas.NewText("", nil)
		c.lines[k].Alignment = fyne.TextAlignCenter
	}
	c.ExtendBaseWidget(c)
	return c
}

// show fills the card, whose size is known. The wall calls it again after another theme is chosen.
func (c *card) show(k int, name, kind string, p image.Image, chosen bool) {
	c.k = k
	fill, edge, width := theme.ColorNameInputBackground, theme.ColorNameSeparator, float32(1)
	if chosen {
		fill, edge, width = theme.ColorNameSelection, theme.ColorNamePrimary, 2
	}
	c.ground.FillColor, c.ground.StrokeColor, c.ground.StrokeWidth = theme.ColorForWidget(fill, c), theme.ColorForWidget(edge, c), width
	c.frame.SetPicture(p)
	for k, shade := range []fyne.ThemeColorName{theme.ColorNameForeground, theme.ColorNamePlaceHolder} {
		t := c.lines[k]
		t.TextSize, t.Color = theme.SizeForWidget(theme.SizeNameCaptionText, c), theme.ColorForWidget(shade, c)
		t.Text = picture.Cut([]string{name, kind}[k], t.TextSize, c.Size().Width-2*cardPad, t.TextStyle)
	}
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
	lines := container.New(layout.NewCustomPaddedVBoxLayout(0), c.lines[0], c.lines[1])
	content := container.New(layout.NewCustomPaddedLayout(cardPad, cardPad, cardPad, cardPad), container.NewBorder(nil, lines, nil, nil, c.frame))
	return fynewidget.NewSimpleRenderer(container.NewStack(c.ground, content))
}
