package ranking

import (
	"image"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// The measures of a card, in Fyne's device-independent pixels.
const (
	cardSide   = 96
	cardPad    = 5
	cardDigits = 21 // that a line has room for
	cardLines  = 4
)

// hardCardSize is the least size of a card in the font size in force.
func hardCardSize() fyne.Size {
	return fyne.NewSize(2*cardPad+max(cardSide, picture.Word(cardDigits)), 3*cardPad+cardSide+cardLines*(picture.Line()+1))
}

var _ desktop.Mouseable = (*hardCard)(nil)

// hardCard is one of the hardest images: its picture above what is known of it.
type hardCard struct {
	fynewidget.BaseWidget
	page    *imagesPage
	entry   int
	picture image.Image
	lines   []string
	marked  bool
	tapped  time.Time
}

func newHardCard(p *imagesPage) *hardCard {
	c := &hardCard{page: p, entry: -1}
	c.ExtendBaseWidget(c)
	return c
}

// set fills the card.
func (c *hardCard) set(entry int, picture image.Image, lines []string, marked bool) {
	if entry != c.entry {
		c.tapped = time.Time{}
	}
	c.entry, c.picture, c.lines, c.marked = entry, picture, lines, marked
	c.Refresh()
}

// MouseDown selects at once; waiting for a Tapped would take the length of a double tap.
func (c *hardCard) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button != desktop.MouseButtonPrimary || c.entry < 0 {
		return
	}
	double := time.Since(c.tapped) < fyne.CurrentApp().Driver().DoubleTapDelay()
	c.tapped = time.Now()
	c.page.tapped(c.entry, double)
}

// MouseUp implements desktop.Mouseable.
func (c *hardCard) MouseUp(*desktop.MouseEvent) {}

// MinSize implements fyne.CanvasObject.
func (c *hardCard) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return hardCardSize()
}

// CreateRenderer implements fyne.Widget.
func (c *hardCard) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &hardCardRenderer{c: c, ground: canvas.NewRectangle(nil), frame: picture.NewFrame(cardSide)}
	r.ground.CornerRadius = 3
	for range cardLines {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	r.Layout(c.Size())
	return r
}

type hardCardRenderer struct {
	c      *hardCard
	ground *canvas.Rectangle
	frame  *picture.Frame
	texts  []*canvas.Text
}

// Destroy implements fyne.WidgetRenderer.
func (r *hardCardRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *hardCardRenderer) MinSize() fyne.Size { return hardCardSize() }

// Objects implements fyne.WidgetRenderer.
func (r *hardCardRenderer) Objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{r.ground, r.frame}
	for _, t := range r.texts {
		list = append(list, t)
	}
	return list
}

// Refresh implements fyne.WidgetRenderer.
func (r *hardCardRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// Layout implements fyne.WidgetRenderer.
func (r *hardCardRenderer) Layout(size fyne.Size) {
	colour := func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, r.c) }
	r.ground.Resize(size)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNameInputBackground), colour(theme.ColorNameSeparator), 1
	if r.c.marked {
		r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = colour(theme.ColorNameSelection), colour(theme.ColorNamePrimary), 2
	}
	r.frame.Resize(fyne.NewSquareSize(cardSide))
	r.frame.Move(fyne.NewPos((size.Width-cardSide)/2, cardPad))
	r.frame.SetPicture(r.c.picture)
	y := float32(2*cardPad + cardSide)
	for k, t := range r.texts {
		t.Text = ""
		if k < len(r.c.lines) {
			t.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, r.c)
			t.TextStyle.Bold, t.Color = k == 0, colour(theme.ColorNameForeground)
			t.Text = picture.Cut(r.c.lines[k], t.TextSize, size.Width-2*cardPad, t.TextStyle)
		}
		t.Resize(t.MinSize())
		t.Move(fyne.NewPos(cardPad, y))
		y += picture.Line() + 1
	}
}
