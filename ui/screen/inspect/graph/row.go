package graph

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// The proportions of a row, in Fyne's device-independent pixels.
const (
	rowHeight = 20
	laneWidth = 11
	dotSize   = 8
	rowGap    = 10
)

// row shows one layer: its place among the branches, operator, shape, parameters, attributes and
// name.
type row struct {
	fynewidget.BaseWidget
	view   *View
	at     int
	lanes  int // of the whole list
	found  bool
	joined float32 // how far lines reach below the row, to meet those of the next one
}

func newRow() *row {
	r := &row{}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	d := &rowRenderer{r: r}
	d.build(r.Size())
	return d
}

type rowRenderer struct {
	r       *row
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (d *rowRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (d *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, rowHeight) }

// Objects implements fyne.WidgetRenderer.
func (d *rowRenderer) Objects() []fyne.CanvasObject { return d.objects }

// Layout implements fyne.WidgetRenderer.
func (d *rowRenderer) Layout(size fyne.Size) { d.build(size) }

// Refresh implements fyne.WidgetRenderer.
func (d *rowRenderer) Refresh() {
	d.build(d.r.Size())
	canvas.Refresh(d.r)
}

func (d *rowRenderer) colour(name fyne.ThemeColorName) color.Color {
	return theme.ColorForWidget(name, d.r)
}

func (d *rowRenderer) build(size fyne.Size) {
	d.objects = d.objects[:0]
	v := d.r.view
	if v == nil || d.r.at >= len(v.Layers) || size.Width < 60 {
		return
	}
	if d.r.found {
		mark := canvas.NewRectangle(d.colour(theme.ColorNameHover))
		mark.Resize(size)
		d.objects = append(d.objects, mark)
	}
	row := d.r.view.lanes[d.r.at]
	line := d.colour(theme.ColorNamePlaceHolder)
	x := func(lane int) float32 { return laneWidth*float32(lane) + laneWidth }
	middle, bottom := size.Height/2, size.Height+d.r.joined
	stroke := func(x1, y1, x2, y2 float32) {
		l := canvas.NewLine(line)
		l.StrokeWidth = 1.2
		l.Position1, l.Position2 = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2)
		d.objects = append(d.objects, l)
	}
	for _, lane := range row.Through {
		stroke(x(lane), 0, x(lane), bottom)
	}
	for _, lane := range row.In {
		stroke(x(lane), 0, x(row.Own), middle)
	}
	if row.Out {
		stroke(x(row.Own), middle, x(row.Own), bottom)
	}
	dot := canvas.NewCircle(d.dotColour())
	dot.Resize(fyne.NewSquareSize(dotSize))
	dot.Move(fyne.NewPos(x(row.Own)-dotSize/2, middle-dotSize/2))
	d.objects = append(d.objects, dot)
	d.words(size)
}

// dotColour tells kinds of operators apart, by the theme's strong colours.
func (d *rowRenderer) dotColour() color.Color {
	names := map[kind]fyne.ThemeColorName{
		arranging: theme.ColorNamePlaceHolder, convolving: theme.ColorNamePrimary, linear: theme.ColorNameSuccess,
		activating: theme.ColorNameError, pooling: theme.ColorNameWarning, normalising: theme.ColorNamePlaceHolder,
		joining: theme.ColorNameForeground,
	}
	return d.colour(names[kinds[d.r.view.Layers[d.r.at].Op]])
}

// words writes the columns that have room: operator, shape, parameters, attributes and name.
func (d *rowRenderer) words(size fyne.Size) {
	l := d.r.view.Layers[d.r.at]
	left := laneWidth*float32(d.r.lanes) + laneWidth + rowGap
	room := size.Width - left
	faint, strong := d.colour(theme.ColorNamePlaceHolder), d.colour(theme.ColorNameForeground)
	parameters := ""
	if l.Parameters > 0 {
		parameters = result.Whole(l.Parameters)
	}
	positions := strings.Join(d.r.view.Positions(d.r.at), ", ")
	for _, c := range []struct {
		text         string
		share, least float32
		ink          color.Color
		bold, right  bool
	}{
		{l.Op, 0.18, 80, strong, true, false},
		{ShapeText(l), 0.17, 80, strong, false, false},
		{parameters, 0.1, 60, strong, false, true},
		{l.Attributes, 0.25, 60, faint, false, false},
		{positions, 0.1, 60, d.colour(theme.ColorNamePrimary), true, false},
		{Name(l), 0, 40, faint, false, false}, // what is left
	} {
		width := max(room*c.share, c.least)
		if c.share == 0 {
			width = size.Width - left
		}
		if width < c.least || left+width > size.Width+1 {
			return
		}
		d.write(c.text, left, width-rowGap, c.ink, c.bold, c.right)
		left += width
	}
}

func (d *rowRenderer) write(words string, left, width float32, ink color.Color, bold, right bool) {
	if words == "" {
		return
	}
	text := canvas.NewText("", ink)
	text.TextSize = theme.SizeForWidget(theme.SizeNameCaptionText, d.r)
	text.TextStyle.Bold = bold
	text.Text = kit.Cut(words, text.TextSize, width, text.TextStyle)
	box := text.MinSize()
	if right {
		left += width - box.Width
	}
	text.Resize(box)
	text.Move(fyne.NewPos(left, (d.r.Size().Height-box.Height)/2))
	d.objects = append(d.objects, text)
}
