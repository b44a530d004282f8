package render

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names the lines or groups of a figure, in their order, above the plotted area.
type legend struct {
	names []string
	// key draws the look of entry k from x on, in the middle of the height y.
	key func(c draw.Canvas, k int, x, y vg.Length)
	// colour is that of the names; nil for the usual one.
	colour color.Color
}

// place is where a legend entry stands: from the left, and its line counted from the top.
type place struct {
	x    vg.Length
	line int
}

const (
	legendLine = 0.45 * vg.Centimeter
	legendKey  = 0.7 * vg.Centimeter
	legendGap  = 0.4 * vg.Centimeter
)

// lineLegend is the legend of lines in their styles.
func lineLegend(names []string) legend {
	return legend{names: names, key: func(c draw.Canvas, k int, x, y vg.Length) {
		c.StrokeLine2(lineStyle(k), x, y, x+legendKey-vg.Points(4), y)
	}}
}

// groupLegend is the legend of groups of points.
func groupLegend(groups []Group) legend {
	l := legend{key: func(c draw.Canvas, k int, x, y vg.Length) {
		c.DrawGlyph(groups[k].style(), vg.Point{X: x + legendKey/2, Y: y})
	}}
	for _, g := range groups {
		l.names = append(l.names, g.Name)
	}
	return l
}

// barLegend is the legend of groups of bars or cells.
func barLegend(groups []Group) legend {
	l := groupLegend(groups)
	l.key = func(c draw.Canvas, k int, x, y vg.Length) {
		fill(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - vg.Points(3)}, Max: vg.Point{X: x + legendKey - vg.Points(4), Y: y + vg.Points(3)}}, groups[k].Colour)
	}
	return l
}

// style is how the group's points are drawn.
func (g Group) style() draw.GlyphStyle {
	return draw.GlyphStyle{Color: g.Colour, Radius: vg.Points(2.6), Shape: g.Shape.glyph()}
}

// places lays the entries out from left to right in as many lines as they need.
func (l legend) places(c draw.Canvas) []place {
	style := sans(vg.Points(9))
	room, x, line := c.Max.X-c.Min.X, vg.Length(0), 0
	places := make([]place, len(l.names))
	for k, name := range l.names {
		width := legendKey + style.Width(printable(name)) + legendGap
		if x > 0 && x+width > room {
			x, line = 0, line+1
		}
		places[k] = place{x, line}
		x += width
	}
	return places
}

// height is the room that the legend needs; one entry without a name needs none.
func (l legend) height(c draw.Canvas) vg.Length {
	if len(l.names) == 0 || len(l.names) == 1 && l.names[0] == "" {
		return 0
	}
	places := l.places(c)
	return legendLine*vg.Length(places[len(places)-1].line+1) + vg.Points(3)
}

func (l legend) draw(c draw.Canvas) {
	if l.height(c) == 0 {
		return
	}
	style := sans(vg.Points(9))
	style.YAlign = draw.YCenter
	if l.colour != nil {
		style.Color = l.colour
	}
	for k, at := range l.places(c) {
		x, y := c.Min.X+at.x, c.Max.Y-legendLine*(vg.Length(at.line)+0.5)
		l.key(c, k, x, y)
		c.FillText(style, vg.Point{X: x + legendKey, Y: y}, printable(l.names[k]))
	}
}
