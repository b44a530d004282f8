package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable = (*Chips)(nil)
	_ fyne.Tappable     = (*Chips)(nil)
)

// Chip is a short word on a coloured ground. Level chooses the colour and, from level to level, a
// row of its own.
type Chip struct {
	Text  string
	Level int
	Hint  string // what is read out of it
}

// Chips shows words level by level in rows that wrap: each level has a heading and a colour, from
// dark (0) to bright. It scrolls where there are more rows than room.
type Chips struct {
	widget.BaseWidget
	// OnHover gets the hint of the chip under the pointer, "" when it leaves. OnTapped gets the
	// number of a chip that is clicked. Both may be nil.
	OnHover  func(hint string)
	OnTapped func(k int)

	chips  []Chip
	levels int                    // how many the colours are spread over
	name   func(level int) string // the heading of a level
	boxes  []chipBox              // of the chips, as they were placed last
	heads  []chipBox              // of the headings; Text is set
	over   int                    // the chip under the pointer, -1 for none
	scroll *container.Scroll
	sheet  *fyne.Container
}

// chipBox is where a chip or a heading lies on the sheet.
type chipBox struct {
	text string
	at   fyne.Position
	size fyne.Size
}

// NewChips makes an empty one; name is the heading of a level.
func NewChips(name func(level int) string) *Chips {
	c := &Chips{name: name, over: -1}
	c.sheet = &fyne.Container{Layout: chipsLayout{c}}
	c.scroll = container.NewVScroll(c.sheet)
	c.ExtendBaseWidget(c)
	return c
}

// SetChips shows chips, which come level by level. Levels, the largest level that there can be,
// says how far the colours reach: the same level has the same colour in all pictures of one size of
// expansion.
func (c *Chips) SetChips(chips []Chip, levels int) {
	c.hover(-1) // what was read out is of the chips before
	c.chips, c.levels = chips, levels
	c.scroll.Offset.Y = 0
	c.draw()
	c.scroll.Refresh()
}

// Chips are those that are shown.
func (c *Chips) Chips() []Chip { return c.chips }

const (
	chipGap   = 4  // between chips and between rows
	chipInset = 7  // beside the text
	chipLeast = 44 // of the width, in which even a long word is cut
)

// place lays chips and headings out in a width and returns the height of all.
func (c *Chips) place(width float32) float32 {
	st := styleOf(c)
	width -= theme.SizeForWidget(theme.SizeNameScrollBar, c)
	line := measure("Xg", st.text, false).Height
	c.boxes, c.heads = c.boxes[:0], c.heads[:0]
	x, y, tall := float32(0), float32(0), line+4
	for k, chip := range c.chips {
		if k == 0 || chip.Level != c.chips[k-1].Level {
			if k > 0 {
				y += tall + 2*chipGap
			}
			c.heads = append(c.heads, chipBox{text: c.name(chip.Level), at: fyne.NewPos(0, y)})
			x, y = 0, y+measure("Xg", st.caption, false).Height+2
		}
		most := max(width, chipLeast)
		text := shorten(chip.Text, st.text, most-2*chipInset, false)
		wide := measure(text, st.text, false).Width + 2*chipInset
		if x > 0 && x+wide > width {
			x, y = 0, y+tall+chipGap
		}
		c.boxes = append(c.boxes, chipBox{text, fyne.NewPos(x, y), fyne.NewSize(wide, tall)})
		x += wide + chipGap
	}
	if len(c.chips) == 0 {
		return 0
	}
	return y + tall
}

// LevelColour is the ground of a level's chips among so many levels, and the colour of what is
// written on it.
func LevelColour(level, levels int) (ground, ink color.Color) {
	const first, last = 0.18, 0.98 // of the map: its darkest colours are hard to tell apart
	at := first
	if levels > 0 {
		at += (last - first) * float64(min(level, levels)) / float64(levels)
	}
	shade := render.Viridis[int(at*255)]
	return shade, render.Legible(shade)
}

// draw makes the sheet's objects anew.
func (c *Chips) draw() {
	st := styleOf(c)
	c.place(c.scroll.Size().Width)
	c.sheet.Objects = c.sheet.Objects[:0]
	for _, head := range c.heads {
		text := newText(head.text, st.faint, st.caption)
		placeText(text, head.at.X, head.at.Y)
		c.sheet.Objects = append(c.sheet.Objects, text)
	}
	for k, box := range c.boxes {
		fill, ink := LevelColour(c.chips[k].Level, c.levels)
		ground := canvas.NewRectangle(fill)
		ground.CornerRadius = box.size.Height / 3
		ground.StrokeColor, ground.StrokeWidth = st.foreground, 0
		if k == c.over {
			ground.StrokeWidth = 1.5
		}
		ground.Move(box.at)
		ground.Resize(box.size)
		text := newText(box.text, ink, st.text)
		placeText(text, box.at.X+chipInset, box.at.Y+(box.size.Height-text.MinSize().Height)/2)
		c.sheet.Objects = append(c.sheet.Objects, ground, text)
	}
	c.sheet.Refresh()
}

// at is the chip at a place of the widget, -1 for none.
func (c *Chips) at(p fyne.Position) int {
	p = p.Add(c.scroll.Offset)
	for k, box := range c.boxes {
		if p.X >= box.at.X && p.X < box.at.X+box.size.Width && p.Y >= box.at.Y && p.Y < box.at.Y+box.size.Height {
			return k
		}
	}
	return -1
}

func (c *Chips) hover(k int) {
	if k == c.over {
		return
	}
	c.over = k
	c.draw()
	hint := ""
	if k >= 0 {
		hint = c.chips[k].Hint
	}
	if c.OnHover != nil {
		c.OnHover(hint)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *Chips) MouseIn(ev *desktop.MouseEvent) { c.hover(c.at(ev.Position)) }

// MouseMoved implements desktop.Hoverable.
func (c *Chips) MouseMoved(ev *desktop.MouseEvent) { c.hover(c.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (c *Chips) MouseOut() { c.hover(-1) }

// Tapped implements fyne.Tappable.
func (c *Chips) Tapped(ev *fyne.PointEvent) {
	if k := c.at(ev.Position); k >= 0 && c.OnTapped != nil {
		c.OnTapped(k)
	}
}

// MinSize implements fyne.CanvasObject.
func (c *Chips) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return chipsLeast()
}

func chipsLeast() fyne.Size { return fyne.NewSize(120, 60).Add(fyne.NewSize(0, theme.TextSize())) }

// CreateRenderer implements fyne.Widget.
func (c *Chips) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return &chipsRenderer{c}
}

type chipsRenderer struct{ c *Chips }

// Destroy implements fyne.WidgetRenderer.
func (r *chipsRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *chipsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.c.scroll} }

// MinSize implements fyne.WidgetRenderer.
func (r *chipsRenderer) MinSize() fyne.Size { return chipsLeast() }

// Layout implements fyne.WidgetRenderer.
func (r *chipsRenderer) Layout(size fyne.Size) {
	before := r.c.scroll.Size()
	r.c.scroll.Resize(size)
	if before != size {
		r.c.draw()
		r.c.scroll.Refresh()
	}
}

// Refresh implements fyne.WidgetRenderer: the theme may have changed.
func (r *chipsRenderer) Refresh() {
	r.c.draw()
	r.c.scroll.Refresh()
}

// chipsLayout is as high as all rows are in the width that there is; chips are placed by the
// widget.
type chipsLayout struct{ chips *Chips }

// Layout implements fyne.Layout.
func (chipsLayout) Layout([]fyne.CanvasObject, fyne.Size) {}

// MinSize implements fyne.Layout.
func (l chipsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(1, l.chips.place(l.chips.scroll.Size().Width))
}
