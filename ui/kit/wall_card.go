package kit

import (
	"image"
	"image/color"
	"math"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
)

// CardLook is what all cards of a wall have in common. Sizes are in Fyne's device-independent
// pixels.
type CardLook struct {
	Pictures  int     // beside each other
	Side, Pad float32 // of a picture, and the room around it
	Head      bool    // a line over the pictures
	Below     int     // lines below each picture
	Gap       float32 // between a picture and these
	Close     float32 // by which these stand closer than lines of text do
	Digits    int     // that a line below has room for, 0 for as many as the picture has
	Words     int     // lines right of the pictures, 0 for none
	Room      int     // digits that each of these has room for
	Frameless bool    // no ground and no edge but those of cards that are selected or shaded
}

// size is the least size of a card in the font size in force.
func (l CardLook) size() fyne.Size {
	n, line, width := float32(l.Pictures), textLine(), l.Side
	if l.Digits > 0 {
		width = max(width, smallDigits(l.Digits).Width)
	}
	size := fyne.NewSize((n+1)*l.Pad+n*width, 2*l.Pad+l.Side+l.Gap+float32(l.Below)*(line-l.Close))
	if l.Head {
		size.Height += line
	}
	if l.Words > 0 {
		size.Width += l.Pad + smallDigits(l.Room).Width
		size.Height = max(size.Height, 2*l.Pad+float32(l.Words)*(line+1))
	}
	return size
}

// Card is what a card of a wall shows.
type Card struct {
	Head   string
	Sides  []CardSide
	Words  []CardText  // right of the pictures
	Shaded bool        // has another ground
	Edge   color.Color // around the first picture, nil for none
	Sign   CardSign
	Hint   string // in the status line while the pointer is on the card
}

// CardSide is a picture with the lines below it.
type CardSide struct {
	Picture image.Image // nil while it is being made
	Lines   []CardText
}

// CardText is a line of small text on a card; Colour "" is the usual one.
type CardText struct {
	Text   string
	Colour fyne.ThemeColorName
	Bold   bool
}

// CardSign is a judgement that is shown in a corner of the first picture.
type CardSign int

// The signs; a bad picture is faint and has a red edge.
const (
	NoSign CardSign = iota
	Good
	Bad
)

var (
	_ desktop.Mouseable = (*wallCard)(nil)
	_ desktop.Hoverable = (*wallCard)(nil)
)

// wallCard is the widget of a card. The mouse acts when it is pressed: waiting for a tap would
// take the length of a double tap.
type wallCard struct {
	fynewidget.BaseWidget
	wall             *Wall
	item             int
	content          Card
	selected, cursor bool
}

func newWallCard(w *Wall) *wallCard {
	c := &wallCard{wall: w, item: -1}
	c.ExtendBaseWidget(c)
	return c
}

// MouseDown implements desktop.Mouseable.
func (c *wallCard) MouseDown(ev *desktop.MouseEvent) {
	switch ev.Button {
	case desktop.MouseButtonPrimary:
		c.wall.press(c.item, ev.Modifier)
	case desktop.MouseButtonSecondary:
		c.wall.Focus()
		c.wall.move(c.item)
		menu := fyne.NewMenu("", c.wall.entries(c.content)...)
		fynewidget.ShowPopUpMenuAtPosition(menu, c.wall.Window.Canvas(), ev.AbsolutePosition)
	}
}

// MouseUp implements desktop.Mouseable.
func (c *wallCard) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (c *wallCard) MouseIn(*desktop.MouseEvent) { c.say(c.content.Hint) }

// MouseMoved implements desktop.Hoverable.
func (c *wallCard) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *wallCard) MouseOut() { c.say("") }

// say leaves the status line alone where the card has no hint.
func (c *wallCard) say(text string) {
	if c.content.Hint != "" {
		c.wall.Say(text)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *wallCard) CreateRenderer() fyne.WidgetRenderer {
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil), edge: canvas.NewRectangle(color.Transparent)}
	r.ground.CornerRadius = 3
	r.shade, r.signGround, r.sign = canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewText("", color.White)
	r.signGround.CornerRadius, r.sign.TextStyle.Bold = 4, true
	for range c.wall.Look.Pictures {
		r.frames = append(r.frames, NewFrame(c.wall.Look.Side))
	}
	r.Layout(c.Size())
	return r
}

type cardRenderer struct {
	c                               *wallCard
	ground, edge, shade, signGround *canvas.Rectangle
	sign                            *canvas.Text
	frames                          []*Frame
	texts                           []*canvas.Text
	used                            int // of texts
	objects                         []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *cardRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer.
func (r *cardRenderer) MinSize() fyne.Size { return r.c.wall.Look.size() }

// Refresh implements fyne.WidgetRenderer.
func (r *cardRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// Layout implements fyne.WidgetRenderer. Pictures stand in the middle of equal columns with their
// lines centred below; where there are words at the right, pictures and lines begin at the left.
func (r *cardRenderer) Layout(size fyne.Size) {
	l, f := r.c.wall.Look, r.c.content
	r.objects, r.used = append(r.objects[:0], r.ground), 0
	r.colourGround(size)
	n, line, top := float32(l.Pictures), textLine(), l.Pad
	column := (size.Width - (n+1)*l.Pad) / n
	if l.Words > 0 {
		column = l.Side
	}
	if l.Head {
		r.write(CardText{Text: f.Head, Bold: true}, fyne.NewPos(l.Pad, l.Pad/2),
			size.Width-2*l.Pad, fyne.TextAlignLeading)
		top += line
	}
	for k, frame := range r.frames {
		x := l.Pad + float32(k)*(column+l.Pad)
		frame.Move(fyne.NewPos(x+(column-l.Side)/2, top))
		frame.Resize(fyne.NewSquareSize(l.Side))
		r.objects = append(r.objects, frame)
		if k >= len(f.Sides) {
			frame.SetPicture(nil)
			continue
		}
		frame.SetPicture(f.Sides[k].Picture)
		room, align := (size.Width-(n-1)*l.Pad)/n-2, fyne.TextAlignCenter // up to the next column
		if l.Words > 0 {
			room, align = column, fyne.TextAlignLeading
		}
		for at, text := range f.Sides[k].Lines {
			r.write(text, fyne.NewPos(x+(column-room)/2, top+l.Side+l.Gap+float32(at)*(line-l.Close)), room, align)
		}
	}
	x := (n+2)*l.Pad + n*column
	for at, text := range f.Words {
		r.write(text, fyne.NewPos(x, l.Pad+float32(at)*(line+1)), size.Width-x-l.Pad, fyne.TextAlignLeading)
	}
	r.judge()
}

func (r *cardRenderer) colour(name fyne.ThemeColorName) color.Color {
	return theme.ColorForWidget(name, r.c)
}

// colourGround shows by the ground and its edge what is selected.
func (r *cardRenderer) colourGround(size fyne.Size) {
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = color.Transparent, color.Transparent, 0
	if !r.c.wall.Look.Frameless {
		r.ground.FillColor, r.ground.StrokeColor = r.colour(theme.ColorNameInputBackground),
			r.colour(theme.ColorNameSeparator)
		r.ground.StrokeWidth = 1
	}
	switch {
	case r.c.selected:
		r.ground.FillColor = r.colour(theme.ColorNameSelection)
	case r.c.content.Shaded:
		r.ground.FillColor = r.colour(theme.ColorNameHover)
	}
	if r.c.cursor {
		r.ground.StrokeColor, r.ground.StrokeWidth = r.colour(theme.ColorNamePrimary), 2
	}
}

// judge draws the edge of the first picture and the sign in its corner.
func (r *cardRenderer) judge() {
	const width, beside = 3, 4
	at, side := r.frames[0].Position(), r.frames[0].Size().Width
	edge := r.c.content.Edge
	if r.c.content.Sign == Bad {
		edge = r.colour(theme.ColorNameError)
		shade := color.NRGBAModel.Convert(r.colour(theme.ColorNameBackground)).(color.NRGBA)
		shade.A = 170
		r.shade.FillColor = shade
		r.shade.Move(at)
		r.shade.Resize(fyne.NewSquareSize(side))
		r.objects = append(r.objects, r.shade)
	}
	if edge != nil {
		r.edge.StrokeColor, r.edge.StrokeWidth = edge, width
		r.edge.Move(at.SubtractXY(width, width))
		r.edge.Resize(fyne.NewSquareSize(side + 2*width))
		r.objects = append(r.objects, r.edge)
	}
	if r.c.content.Sign == NoSign {
		return
	}
	r.sign.Text, r.signGround.FillColor = "✓", r.colour(theme.ColorNameSuccess)
	if r.c.content.Sign == Bad {
		r.sign.Text, r.signGround.FillColor = "✗", r.colour(theme.ColorNameError)
	}
	r.sign.TextSize = theme.TextSize()
	box := r.sign.MinSize()
	r.signGround.Resize(box.AddWidthHeight(2*beside, 0))
	r.signGround.Move(at.AddXY(side-box.Width-2*beside, 0))
	r.sign.Resize(box)
	r.sign.Move(at.AddXY(side-box.Width-beside, 0))
	r.objects = append(r.objects, r.signGround, r.sign)
}

// write places a line of small text, cut to a width.
func (r *cardRenderer) write(text CardText, at fyne.Position, width float32, align fyne.TextAlign) {
	if r.used == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	t := r.texts[r.used]
	r.used++
	if text.Colour == "" {
		text.Colour = theme.ColorNameForeground
	}
	t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
	t.TextStyle.Bold, t.Color, t.Alignment = text.Bold, r.colour(text.Colour), align
	t.Text = Cut(text.Text, t.TextSize, width, t.TextStyle)
	t.Resize(fyne.NewSize(width, textLine()))
	t.Move(at)
	r.objects = append(r.objects, t)
}

// textLine is the height of a line of small text in the font size in force.
func textLine() float32 { return float32(math.Ceil(float64(smallDigits(1).Height))) }

// smallDigits is the size of so many digits of small text.
func smallDigits(n int) fyne.Size {
	return fyne.MeasureText(strings.Repeat("0", n), theme.CaptionTextSize(), fyne.TextStyle{})
}

// Cut shortens a line of text to a width with an ellipsis; "" when not even one letter fits.
func Cut(line string, size, width float32, style fyne.TextStyle) string {
	wide := func(text string) bool { return fyne.MeasureText(text, size, style).Width > width }
	if !wide(line) {
		return line
	}
	letters := []rune(line)
	n := sort.Search(len(letters), func(n int) bool { return wide(string(letters[:n+1]) + "…") })
	if n == 0 {
		return ""
	}
	return string(letters[:n]) + "…"
}

// Frame shows one picture as large as its place allows, small ones with crisp pixels, and a plain
// ground while the picture is being made.
type Frame struct {
	fynewidget.BaseWidget
	image  *canvas.Image
	ground *canvas.Rectangle
	side   float32
}

// NewFrame makes an empty frame that wants at least a square of that side.
func NewFrame(side float32) *Frame {
	f := &Frame{image: &canvas.Image{FillMode: canvas.ImageFillContain}, ground: canvas.NewRectangle(nil), side: side}
	f.image.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// SetPicture shows a picture, nil for none yet. Giving the same picture again costs nothing.
func (f *Frame) SetPicture(p image.Image) {
	if f.image.Image == p {
		return
	}
	f.image.Image, f.image.Hidden = p, p == nil
	f.Refresh()
	f.image.Refresh()
}

// Picture is what is shown, nil for none.
func (f *Frame) Picture() image.Image { return f.image.Image }

// CreateRenderer implements fyne.Widget.
func (f *Frame) CreateRenderer() fyne.WidgetRenderer {
	r := &frameRenderer{f}
	r.Layout(f.Size())
	return r
}

type frameRenderer struct{ f *Frame }

// Destroy implements fyne.WidgetRenderer.
func (r *frameRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *frameRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.ground, r.f.image}
}

// MinSize implements fyne.WidgetRenderer.
func (r *frameRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.f.side) }

// Layout implements fyne.WidgetRenderer: a square in the middle.
func (r *frameRenderer) Layout(size fyne.Size) {
	side := min(size.Width, size.Height)
	for _, o := range r.Objects() {
		o.Resize(fyne.NewSquareSize(side))
		o.Move(fyne.NewPos((size.Width-side)/2, (size.Height-side)/2))
	}
	r.Refresh()
}

// Refresh implements fyne.WidgetRenderer. The pixels of an enlarged picture stay crisp, and one
// that is made smaller is smoothed.
func (r *frameRenderer) Refresh() {
	p, width := r.f.image.Image, r.f.Size().Width
	r.f.image.ScaleMode = canvas.ImageScalePixels
	if p != nil && width > 0 && float32(p.Bounds().Dx()) > width {
		r.f.image.ScaleMode = canvas.ImageScaleSmooth
	}
	r.f.ground.FillColor = theme.ColorForWidget(theme.ColorNameDisabledButton, r.f)
	r.f.ground.Hidden = p != nil
	r.f.ground.Refresh()
}
