package render

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// legend names the lines and groups of a figure, in their order, above the plotted area.
type legend struct {
	on    Ground
	names []string
	// keys draw the look of each entry from x on, in the middle of the height y.
	keys []func(c draw.Canvas, x, y vg.Length)
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

func (l *legend) add(name string, key func(c draw.Canvas, x, y vg.Length)) {
	l.names, l.keys = append(l.names, name), append(l.keys, key)
}

// key is the width of an entry's look.
func (l *legend) key() vg.Length { return l.on.pick(float64(legendKey), 20) }

// glyph is an entry with a point.
func (l *legend) glyph(name string, style draw.GlyphStyle) {
	l.add(name, func(c draw.Canvas, x, y vg.Length) { c.DrawGlyph(style, vg.Point{X: x + l.key()/2, Y: y}) })
}

// box is an entry with a piece of a bar.
func (l *legend) box(name string, colour color.Color) {
	l.add(name, func(c draw.Canvas, x, y vg.Length) {
		high := l.on.pick(3, 4)
		right := x + l.key() - l.on.pick(4, 5)
		fill(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - high}, Max: vg.Point{X: right, Y: y + high}}, colour)
	})
}

// legend names the lines of a figure, then its groups of points or boxes, and what crosses and
// colours mean.
func (g Ground) legend(f result.Figure) *legend {
	l := &legend{on: g}
	for k, line := range f.Lines {
		l.add(line.Name, func(c draw.Canvas, x, y vg.Length) {
			c.StrokeLine2(g.lineStyle(k), x, y, x+l.key()-g.pick(4, 5), y)
		})
	}
	crossed := f.Crossed != "" && slices.ContainsFunc(f.Points, func(p result.Point) bool { return p.Crossed })
	switch {
	case f.Levels[0] != "":
		l.glyph(f.Levels[0], draw.GlyphStyle{Color: LevelColour(0), Radius: g.dot(), Shape: draw.CircleGlyph{}})
		l.glyph(f.Levels[1], draw.GlyphStyle{Color: LevelColour(1), Radius: g.dot(), Shape: draw.CircleGlyph{}})
	case len(f.Boxes) > 0:
		for _, group := range f.Groups {
			if group.Name != "" || len(f.Groups) == 1 {
				l.box(group.Name, g.groupColour(group))
			}
		}
	default:
		for _, group := range f.Groups {
			if group.Name != "" || !crossed {
				l.glyph(group.Name, g.glyph(group.Look))
			}
		}
	}
	if crossed {
		l.glyph(f.Crossed, g.cross())
	}
	return l
}

// places sets the entries from left to right in as many lines as they need.
func (l *legend) places(c draw.Canvas) []place {
	style, gap := l.on.text(), l.on.pick(float64(legendGap), 10)
	room, x, line := c.Max.X-c.Min.X, vg.Length(0), 0
	places := make([]place, len(l.names))
	for k, name := range l.names {
		width := l.key() + style.Width(l.on.say(name)) + gap
		if x > 0 && x+width > room {
			x, line = 0, line+1
		}
		places[k] = place{x, line}
		x += width
	}
	return places
}

// height is the room that the legend needs; one entry without a name needs none.
func (l *legend) height(c draw.Canvas) vg.Length {
	if len(l.names) == 0 || len(l.names) == 1 && l.names[0] == "" {
		return 0
	}
	places := l.places(c)
	return l.on.line()*vg.Length(places[len(places)-1].line+1) + l.on.pick(3, 2)
}

func (l *legend) draw(c draw.Canvas) {
	if l.height(c) == 0 {
		return
	}
	style := l.on.text()
	style.YAlign = draw.YCenter
	for k, at := range l.places(c) {
		x, y := c.Min.X+at.x, c.Max.Y-l.on.line()*(vg.Length(at.line)+0.5)
		l.keys[k](c, x, y)
		c.FillText(style, vg.Point{X: x + l.key(), Y: y}, shortened(style, l.on.say(l.names[k]), c.Max.X-x-l.key()))
	}
}
