package widget

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Look is how points and bars of a group look: by shape, and by colour (render.Looks).
type Look = result.Look

// The looks of the labels, and of what has none.
const (
	LookNone       = result.LookNone
	LookInvariant  = result.LookInvariant
	LookBorderline = result.LookBorderline
	LookVariant    = result.LookVariant
)

// Categories is how many looks Category tells apart.
const Categories = result.Categories

// Category is the look of the k-th kind of points that are told apart by something else than
// labels.
func Category(k int) Look { return result.Category(k) }

// lookCrossed is that of the crosses over points.
const lookCrossed Look = LookVariant + 1 + Categories

// Group is a kind of points or bars: its name in the legend, and its look.
type Group struct {
	Name string
	Look Look
}

// Figure is the group as it stands in a figure on paper.
func (g Group) Figure() render.Group { return render.GroupOf(g.Name, g.Look) }

// appearance is a look's shape and colours.
func appearance(l Look) render.Appearance {
	if l == lookCrossed {
		return render.Crosses
	}
	return render.Looks[l]
}

// colourOf is a look's colour on a ground.
func colourOf(l Look, ground color.Color) color.NRGBA {
	if darkGround(ground) {
		return appearance(l).Dark
	}
	return appearance(l).Light
}

// darkGround tells whether a colour is nearer to black than to white.
func darkGround(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return 299*r+587*g+114*b < 1000*0x8000
}

// solid is a colour as the drawing of points takes it.
func solid(c color.Color) color.NRGBA {
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

// legendSide is the side of a legend's key.
const legendSide = 10

// groupLegend places the names of groups with their keys in as many lines as they need and returns
// the objects and the height; a single group has nothing to be told apart from.
func groupLegend(groups []Group, width float32, st style, key func(Group) fyne.CanvasObject) (objects []fyne.CanvasObject, height float32) {
	if len(groups) == 0 || len(groups) == 1 && groups[0].Look != lookCrossed {
		return nil, 0
	}
	line := measure("0", st.caption, false).Height + 1
	x, y := float32(0), float32(0)
	for _, g := range groups {
		name := shorten(g.Name, st.caption, width-legendSide-6, false)
		wide := legendSide + 4 + measure(name, st.caption, false).Width
		if x > 0 && x+wide > width {
			x, y = 0, y+line
		}
		sign := key(g)
		sign.Resize(fyne.NewSquareSize(legendSide))
		sign.Move(fyne.NewPos(x, whole(y+(line-legendSide)/2)))
		text := newText(name, st.foreground, st.caption)
		placeText(text, x+legendSide+4, y)
		objects = append(objects, sign, text)
		x += wide + 12
	}
	return objects, y + line + 2
}

// plotted is the room of a plot with names and ticks on both axes, and these as objects.
type plotted struct {
	frame
	objects []fyne.CanvasObject
	size    fyne.Size
	st      style
	line    float32                                                          // height of a line of small text
	ticksX  func(low, high float64, most int) (at []float64, texts []string) // nil for round numbers
}

// ticks are places on an axis and what is written there.
type ticks struct {
	at    []float64
	texts []string
}

// numbers writes the places as numbers.
func numbers(at []float64) ticks { return ticks{at, render.TickTexts(at)} }

// newPlotted finds the room below a top in a size; ok is false where it is too small. y are the
// ticks of the vertical axis for so many at most.
func newPlotted(f frame, top float32, size fyne.Size, st style, y func(most int) ticks) (p *plotted, marks ticks, ok bool) {
	p = &plotted{frame: f, size: size, st: st, line: measure("0", st.caption, false).Height}
	p.top = whole(top + p.line*1.5 + 2) // the name of the axis, then half a tick's text
	p.height = whole(size.Height - p.top - 2*p.line - tickLength - 3)
	if p.height < 2*p.line {
		return p, ticks{}, false
	}
	marks = y(min(max(3, int(p.height/(2*p.line))), int(p.height/p.line)+1))
	widest := float32(0)
	for _, text := range marks.texts {
		widest = max(widest, measure(text, st.caption, false).Width)
	}
	p.left = whole(widest + tickLength + 4)
	p.width = whole(size.Width - p.left - 8)
	return p, marks, p.width >= 40
}

// axes adds both axes with ticks and names.
func (p *plotted) axes(marks ticks, xName, yName string) {
	name := newText(shorten(yName, p.st.caption, p.size.Width-menuSide, false), p.st.faint, p.st.caption)
	placeText(name, 0, p.top-p.line*1.5-2)
	bottom := p.top + p.height
	p.objects = append(p.objects, name)
	for k, text := range marks.texts {
		y := p.y(marks.at[k])
		label := newText(text, p.st.foreground, p.st.caption)
		box := label.MinSize()
		placeText(label, p.left-tickLength-2-box.Width, y-box.Height/2)
		p.objects = append(p.objects, newLine(p.st.line, p.left, y, p.left+p.width, y), label)
	}
	p.objects = append(p.objects, newLine(p.st.faint, p.left, p.top, p.left, bottom), newLine(p.st.faint, p.left, bottom, p.left+p.width, bottom))
	p.xAxis(bottom)
	below := newText(shorten(xName, p.st.caption, p.width, false), p.st.faint, p.st.caption)
	placeText(below, p.left+(p.width-below.MinSize().Width)/2, p.size.Height-p.line-1)
	p.objects = append(p.objects, below)
}

// xAxis adds the ticks below; a text that would run into the one before it is left out.
func (p *plotted) xAxis(bottom float32) {
	room := max(2, int(p.width/(measure("0.0000", p.st.caption, false).Width+14)))
	marks := numbers(render.Ticks(p.x0, p.x1, min(12, room)))
	if p.ticksX != nil {
		marks.at, marks.texts = p.ticksX(p.x0, p.x1, min(12, room))
	}
	last := float32(math.Inf(-1))
	for k, text := range marks.texts {
		x := p.x(marks.at[k])
		label := newText(text, p.st.foreground, p.st.caption)
		box := label.MinSize()
		left := fyne.Min(fyne.Max(x-box.Width/2, 0), p.size.Width-box.Width)
		if left < last {
			continue
		}
		last = left + box.Width + 6
		placeText(label, left, bottom+tickLength)
		p.objects = append(p.objects, newLine(p.st.faint, x, bottom, x, bottom+tickLength), label)
	}
}

// emptyText is a text in the middle of a size, for a plot that has nothing to draw.
func emptyText(text string, size fyne.Size, st style) *canvas.Text {
	t := newText(shorten(text, st.text, size.Width, false), st.faint, st.text)
	box := t.MinSize()
	placeText(t, (size.Width-box.Width)/2, (size.Height-box.Height)/2)
	return t
}
