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

// Style is what all cards of a wall have in common. Sizes are in Fyne's device-independent pixels.
type Style struct {
	Pictures  int     // beside each other
	Side, Pad float32 // of a picture, and the room around it
	Head      bool    // a line over the pictures
	Below     int     // lines below each picture
	Close     float32 // by which these stand closer than lines of text do
	Digits    int     // that a line below has room for, 0 for as many as the picture has
	Words     int     // lines right of the pictures, 0 for none
	Room      int     // digits that each of these has room for
	Bare      bool    // no ground and edge but those that Content asks for
}

// Size is the least size of a card in the font size in force.
func (s Style) Size() fyne.Size {
	n, line, width := float32(s.Pictures), Line(), s.Side
	if s.Digits > 0 {
		width = max(width, Word(s.Digits))
	}
	size := fyne.NewSize((n+1)*s.Pad+n*width, 2*s.Pad+s.Side+float32(s.Below)*(line-s.Close))
	if s.Head {
		size.Height += line
	}
	if s.Words > 0 {
		size.Width += s.Pad + Word(s.Room)
		size.Height = max(size.Height, 2*s.Pad+float32(s.Words)*(line+1))
	}
	return size
}

// Text is a line of small text on a card; Colour "" is the usual one.
type Text struct {
	Words  string
	Colour fyne.ThemeColorName
	Bold   bool
}

// Side is a picture with the lines below it.
type Side struct {
	Picture image.Image
	Lines   []Text
}

// Content is what a card shows. What is Marked has another ground, what is Selected a stronger one,
// and what is under the Cursor an edge.
type Content struct {
	Head                     string
	Sides                    []Side
	Words                    []Text
	Marked, Selected, Cursor bool
}

var (
	_ desktop.Mouseable = (*Card)(nil)
	_ desktop.Hoverable = (*Card)(nil)
)

// Card is an item of a Wall: pictures with lines of text.
type Card struct {
	fynewidget.BaseWidget
	// Pressed, which may be nil, is called when the mouse is pressed on the card: waiting for a tap
	// would take the length of a double tap. Pointed, which may be nil, is called with the number of
	// the item when the pointer comes, and with -1 when it leaves.
	Pressed func(item int, with fyne.KeyModifier)
	Pointed func(item int)

	style   Style
	item    int
	content Content
}

// NewCard makes an empty card.
func NewCard(style Style) *Card {
	c := &Card{style: style, item: -1}
	c.ExtendBaseWidget(c)
	return c
}

// Set fills the card; item is the number of what it shows.
func (c *Card) Set(item int, f Content) {
	c.item, c.content = item, f
	c.Refresh()
}

// Item is the number of what the card shows, -1 before the first Set.
func (c *Card) Item() int { return c.item }

// Content is what the card shows.
func (c *Card) Content() Content { return c.content }

// MouseDown implements desktop.Mouseable.
func (c *Card) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary && c.Pressed != nil {
		c.Pressed(c.item, ev.Modifier)
	}
}

// MouseUp implements desktop.Mouseable.
func (c *Card) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (c *Card) MouseIn(*desktop.MouseEvent) { c.point(c.item) }

// MouseMoved implements desktop.Hoverable.
func (c *Card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Card) MouseOut() { c.point(-1) }

func (c *Card) point(item int) {
	if c.Pointed != nil {
		c.Pointed(item)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil)}
	r.ground.CornerRadius = 3
	for range c.style.Pictures {
		r.frames = append(r.frames, NewFrame(c.style.Side))
	}
	r.Layout(c.Size())
	return r
}

type cardRenderer struct {
	c       *Card
	ground  *canvas.Rectangle
	frames  []*Frame
	texts   []*canvas.Text
	used    int // of texts
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *cardRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer.
func (r *cardRenderer) MinSize() fyne.Size { return r.c.style.Size() }

// Refresh implements fyne.WidgetRenderer.
func (r *cardRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// Layout implements fyne.WidgetRenderer. Pictures stand in the middle of equal columns with their
// lines centred below; where there are words at the right, pictures and lines begin at the left.
func (r *cardRenderer) Layout(size fyne.Size) {
	s, f := r.c.style, r.c.content
	r.objects, r.used = append(r.objects[:0], r.ground), 0
	r.colourGround(size)
	n, line, top := float32(s.Pictures), Line(), s.Pad
	column := (size.Width - (n+1)*s.Pad) / n
	if s.Words > 0 {
		column = s.Side
	}
	if s.Head {
		r.write(Text{Words: f.Head, Bold: true}, fyne.NewPos(s.Pad, s.Pad/2), size.Width-2*s.Pad, fyne.TextAlignLeading)
		top += line
	}
	for k, frame := range r.frames {
		x := s.Pad + float32(k)*(column+s.Pad)
		frame.Move(fyne.NewPos(x+(column-s.Side)/2, top))
		frame.Resize(fyne.NewSquareSize(s.Side))
		r.objects = append(r.objects, frame)
		if k >= len(f.Sides) {
			frame.SetPicture(nil)
			continue
		}
		frame.SetPicture(f.Sides[k].Picture)
		room, align := (size.Width-(n-1)*s.Pad)/n-2, fyne.TextAlignCenter // up to the next column
		if s.Words > 0 {
			room, align = column, fyne.TextAlignLeading
		}
		for at, text := range f.Sides[k].Lines {
			r.write(text, fyne.NewPos(x+(column-room)/2, top+s.Side+float32(at)*(line-s.Close)), room, align)
		}
	}
	x := (n+2)*s.Pad + n*column
	for at, text := range f.Words {
		r.write(text, fyne.NewPos(x, s.Pad+float32(at)*(line+1)), size.Width-x-s.Pad, fyne.TextAlignLeading)
	}
}

// colourGround shows by the ground and its edge what is selected.
func (r *cardRenderer) colourGround(size fyne.Size) {
	f, colour := r.c.content, func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, r.c) }
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = color.Transparent, color.Transparent, 0
	if !r.c.style.Bare {
		r.ground.FillColor, r.ground.StrokeColor = colour(theme.ColorNameInputBackground), colour(theme.ColorNameSeparator)
		r.ground.StrokeWidth = 1
	}
	switch {
	case f.Selected:
		r.ground.FillColor = colour(theme.ColorNameSelection)
	case f.Marked:
		r.ground.FillColor = colour(theme.ColorNameHover)
	}
	if f.Cursor {
		r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNamePrimary), 2
	}
}

// write places a line of small text, cut to a width.
func (r *cardRenderer) write(text Text, at fyne.Position, width float32, align fyne.TextAlign) {
	if r.used == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	t := r.texts[r.used]
	r.used++
	if text.Colour == "" {
		text.Colour = theme.ColorNameForeground
	}
	t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
	t.TextStyle.Bold, t.Color, t.Alignment = text.Bold, theme.ColorForWidget(text.Colour, r.c), align
	t.Text = Cut(text.Words, t.TextSize, width, t.TextStyle)
	t.Resize(fyne.NewSize(width, Line()))
	t.Move(at)
	r.objects = append(r.objects, t)
}

// Lines are what stands below a picture: what it is, the prediction and its confidence.
func (g Guess) Lines(what Text) []Text {
	lines := []Text{what, {}, {}}
	if g.Class != "" {
		lines[1] = Text{Words: g.Class + g.Verdict.Mark(), Colour: g.Verdict.Colour()}
		lines[2] = Text{Words: result.Share.Say(g.Confidence, 0)}
	}
	return lines
}
