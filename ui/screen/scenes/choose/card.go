package choose

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// The measures of a card, in Fyne's device-independent pixels.
const (
	cardSide   = 88 // of the picture
	cardPad    = 4
	cardFrame  = 3
	cardDigits = 13 // that a line below has room for
)

// cardSize is the least size of a card in the font size in force.
func cardSize() fyne.Size {
	return fyne.NewSize(2*(cardPad+cardFrame)+max(cardSide, picture.Word(cardDigits)), 2*(cardPad+cardFrame)+cardSide+2*picture.Line()+2)
}

var (
	_ desktop.Mouseable = (*card)(nil)
	_ desktop.Hoverable = (*card)(nil)
)

// cardContent is what a card shows.
type cardContent struct {
	picture       image.Image
	first, second string
	level         color.Color // of the keyword, nil for none
	verdict       Verdict
	cursor        bool
}

// card is a tile of the contact sheet.
type card struct {
	fynewidget.BaseWidget
	pressed func(place int)
	hovered func(place int)
	place   int
	content cardContent
}

func newCard(pressed, hovered func(place int)) *card {
	c := &card{pressed: pressed, hovered: hovered, place: -1}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) show(place int, f cardContent) {
	if c.place == place && c.content == f {
		return
	}
	c.place, c.content = place, f
	c.Refresh()
}

// MouseDown chooses at once; waiting for a Tapped would take the length of a double tap.
func (c *card) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary {
		c.pressed(c.place)
	}
}

// MouseUp implements desktop.Mouseable.
func (c *card) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (c *card) MouseIn(*desktop.MouseEvent) { c.hovered(c.place) }

// MouseMoved implements desktop.Hoverable.
func (c *card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *card) MouseOut() { c.hovered(-1) }

// MinSize implements fyne.CanvasObject.
func (c *card) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return cardSize()
}

// CreateRenderer implements fyne.Widget.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil), frame: canvas.NewRectangle(color.Transparent), image: picture.NewFrame(cardSide)}
	r.veil = canvas.NewRectangle(nil)
	r.ground.CornerRadius = 4
	r.sign = canvas.NewText("", nil)
	r.sign.TextStyle.Bold = true
	r.signGround = canvas.NewRectangle(nil)
	r.signGround.CornerRadius = 4
	for k := range r.lines {
		r.lines[k] = canvas.NewText("", nil)
		r.lines[k].Alignment = fyne.TextAlignCenter
	}
	r.objects = []fyne.CanvasObject{r.ground, r.frame, r.image, r.veil, r.lines[0], r.lines[1], r.signGround, r.sign}
	r.Refresh()
	return r
}

type cardRenderer struct {
	c                *card
	ground, frame    *canvas.Rectangle
	image            *picture.Frame
	veil, signGround *canvas.Rectangle
	sign             *canvas.Text
	lines            [2]*canvas.Text
	objects          []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *cardRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer.
func (r *cardRenderer) MinSize() fyne.Size { return cardSize() }

// Layout implements fyne.WidgetRenderer.
func (r *cardRenderer) Layout(size fyne.Size) {
	line := picture.Line()
	side := min(size.Width, size.Height-2*line-2) - 2*(cardPad+cardFrame)
	left := (size.Width - side) / 2
	r.ground.Resize(size)
	r.frame.Move(fyne.NewPos(left-cardFrame, cardPad))
	r.frame.Resize(fyne.NewSquareSize(side + 2*cardFrame))
	for _, o := range []fyne.CanvasObject{r.image, r.veil} {
		o.Move(fyne.NewPos(left, cardPad+cardFrame))
		o.Resize(fyne.NewSquareSize(side))
	}
	for k, text := range r.lines {
		text.Move(fyne.NewPos(0, cardPad+2*cardFrame+side+float32(k)*line))
		text.Resize(fyne.NewSize(size.Width, line))
	}
	box := r.sign.MinSize()
	r.signGround.Resize(fyne.NewSize(box.Width+8, box.Height))
	r.signGround.Move(fyne.NewPos(left+side-box.Width-8, cardPad+cardFrame))
	r.sign.Move(fyne.NewPos(left+side-box.Width-4, cardPad+cardFrame))
	r.cut(size.Width - 2*cardPad)
}

// cut shortens the lines to the card's width.
func (r *cardRenderer) cut(width float32) {
	for k, text := range []string{r.c.content.first, r.c.content.second} {
		r.lines[k].Text = picture.Cut(text, theme.CaptionTextSize(), width, r.lines[k].TextStyle)
	}
}

// Refresh implements fyne.WidgetRenderer.
func (r *cardRenderer) Refresh() {
	c, f := r.c, r.c.content
	named := func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, c) }
	r.ground.FillColor = color.Transparent
	if f.cursor {
		r.ground.FillColor = named(theme.ColorNameSelection)
	}
	r.frame.StrokeWidth, r.frame.StrokeColor = cardFrame, color.Transparent
	if f.level != nil {
		r.frame.StrokeColor = f.level
	}
	r.veil.Hide()
	r.sign.Text, r.signGround.FillColor = "", color.Transparent
	switch f.verdict {
	case Vetoed:
		r.frame.StrokeColor = named(theme.ColorNameError)
		ground := color.NRGBAModel.Convert(named(theme.ColorNameBackground)).(color.NRGBA)
		ground.A = 170
		r.veil.FillColor = ground
		r.veil.Show()
		r.sign.Text, r.signGround.FillColor = "✗", named(theme.ColorNameError)
	case Approved:
		r.sign.Text, r.signGround.FillColor = "✓", named(theme.ColorNameSuccess)
	}
	r.sign.Color, r.sign.TextSize = color.White, theme.TextSize()
	r.signGround.Hidden, r.sign.Hidden = r.sign.Text == "", r.sign.Text == ""
	r.image.SetPicture(f.picture)
	for k, text := range r.lines {
		text.TextSize, text.Color = theme.CaptionTextSize(), named(theme.ColorNameForeground)
		text.TextStyle.Bold = k == 0 && f.cursor
	}
	r.Layout(c.Size())
	canvas.Refresh(c)
}
