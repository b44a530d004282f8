package images

import (
	"fmt"
	"image"
	"image/color"
	"path"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// The measures of a card, in Fyne's device-independent pixels.
const (
	pictureSide = 84
	cardPad     = 5
	cardDigits  = 13 // that the words beside the pictures have room for
	cardLines   = 6  // of these words
)

// cardSize is the least size of a card in the font size in force.
func cardSize() fyne.Size {
	line := picture.Line()
	return fyne.NewSize(4*cardPad+2*pictureSide+picture.Word(cardDigits), 2*cardPad+max(pictureSide+2*line, cardLines*(line+1)))
}

var _ desktop.Mouseable = (*card)(nil)

// card is one image of a ranking: the pair that differs, what the model says about both, and how
// much that counts.
type card struct {
	fynewidget.BaseWidget
	board    *board
	entry    int
	details  Details
	pictures [2]image.Image
	selected bool
	cursor   bool
}

func newCard(b *board) *card {
	c := &card{board: b, entry: -1}
	c.ExtendBaseWidget(c)
	return c
}

// show fills the card.
func (c *card) show(entry int, d Details, pictures [2]image.Image, selected, cursor bool) {
	c.entry, c.details, c.pictures, c.selected, c.cursor = entry, d, pictures, selected, cursor
	c.Refresh()
}

// MouseDown selects at once; waiting for a Tapped would take the length of a double tap.
func (c *card) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary {
		c.board.pressed(c.entry, ev.Modifier)
	}
}

// MouseUp implements desktop.Mouseable.
func (c *card) MouseUp(*desktop.MouseEvent) {}

// MinSize implements fyne.CanvasObject.
func (c *card) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return cardSize()
}

// words are the lines beside the pictures: number, class, dif, contribution, sum, and what is
// special.
func (c *card) words() []string {
	d := c.details
	lines := []string{"# " + strconv.Itoa(d.Image)}
	if d.Class != "" {
		lines = append(lines, d.Class)
	} else {
		lines = append(lines, path.Base(d.Name))
	}
	lines = append(lines, fmt.Sprintf("dif %s", result.Significant(d.D, 3)))
	if !d.Excluded {
		lines = append(lines, shareText(d.Share), fmt.Sprintf("Σ %s", result.Share.Say(d.Sum, 0)))
	}
	return lines
}

// remark is what is special about the image, "" for nothing.
func (c *card) remark() string {
	switch {
	case c.details.Excluded:
		return "excluded"
	case c.details.Flagged:
		return "extreme"
	}
	return ""
}

// CreateRenderer implements fyne.Widget.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{c: c, ground: canvas.NewRectangle(nil)}
	r.ground.CornerRadius = 3
	for k := range r.frames {
		r.frames[k] = picture.NewFrame(pictureSide)
	}
	r.Layout(c.Size())
	return r
}

type cardRenderer struct {
	c       *card
	ground  *canvas.Rectangle
	frames  [2]*picture.Frame
	texts   []*canvas.Text
	objects []fyne.CanvasObject
	used    int
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
	r.objects, r.used = append(r.objects[:0], r.ground), 0
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeWidth = colour(theme.ColorNameInputBackground), 1
	r.ground.StrokeColor = colour(theme.ColorNameSeparator)
	if r.c.selected {
		r.ground.FillColor = colour(theme.ColorNameSelection)
	}
	if r.c.cursor {
		r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNamePrimary), 2
	}
	for side, f := range r.frames {
		x := cardPad + float32(side)*(pictureSide+cardPad)
		f.Move(fyne.NewPos(x, cardPad))
		f.Resize(fyne.NewSquareSize(pictureSide))
		f.SetPicture(r.c.pictures[side])
		r.objects = append(r.objects, f)
		r.caption(side, x)
	}
	x := float32(3*cardPad + 2*pictureSide + cardPad)
	y := float32(cardPad)
	for k, line := range r.c.words() {
		shade := theme.ColorNameForeground
		if k == 1 || k == 4 {
			shade = theme.ColorNamePlaceHolder
		}
		r.write(line, colour(shade), k == 0, fyne.NewPos(x, y), size.Width-x-cardPad)
		y += picture.Line() + 1
	}
	if remark := r.c.remark(); remark != "" {
		r.write(remark, colour(theme.ColorNameWarning), true, fyne.NewPos(x, y), size.Width-x-cardPad)
	}
}

// caption writes the value of the transformation and the prediction below a picture.
func (r *cardRenderer) caption(side int, x float32) {
	d := r.c.details
	guess := d.Guesses[side]
	y := float32(cardPad + pictureSide)
	foreground := theme.ColorForWidget(theme.ColorNameForeground, r.c)
	value := d.V[side]
	if guess.Class != "" {
		value += "   " + result.Share.Say(guess.Confidence, 0)
	}
	r.write(value, foreground, false, fyne.NewPos(x, y), pictureSide)
	if guess.Class != "" {
		r.write(guess.Class+guess.Verdict.Mark(), theme.ColorForWidget(guess.Verdict.Colour(), r.c), false, fyne.NewPos(x, y+picture.Line()-1), pictureSide)
	}
}

// write places a line of small text, cut to a width.
func (r *cardRenderer) write(line string, colour color.Color, bold bool, at fyne.Position, width float32) {
	if r.used == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	t := r.texts[r.used]
	r.used++
	t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
	t.TextStyle.Bold, t.Color = bold, colour
	t.Text = picture.Cut(line, t.TextSize, width, t.TextStyle)
	t.Resize(t.MinSize())
	t.Move(at)
	r.objects = append(r.objects, t)
}
