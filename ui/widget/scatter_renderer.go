package widget

import (
	"image"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
)

// pointSize is the radius of a point in device-independent pixels; keySize that of a legend's key.
const pointSize, keySize = 3.6, 4

// scatterRenderer draws all points into one raster of the widget's real pixels, anew only when
// these or their look have changed; axes, legend and what follows the pointer are canvas objects.
type scatterRenderer struct {
	drawn
	s       *Scatter
	dots    *canvas.Raster
	points  dotted
	version int
}

// dotted is what the raster draws, copied so that it never reads the widget.
type dotted struct {
	frame  frame
	points []ScatterPoint
	groups []Group
	trends []render.Trend
	ground color.Color
	line   color.Color // of the trends
}

func newScatterRenderer(s *Scatter) *scatterRenderer {
	r := &scatterRenderer{s: s}
	r.drawn = drawn{of: s, draw: r.build}
	r.dots = canvas.NewRaster(func(w, h int) image.Image { return r.points.draw(w, h) })
	r.build(s.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer.
func (r *scatterRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *scatterRenderer) build(size fyne.Size) {
	st, d := styleOf(r.s), r.s.data
	r.objects = nil
	r.s.plot = frame{}
	f, ok := r.s.visible()
	if !ok {
		r.objects = append(r.objects, emptyText(d.Empty, size, st))
		return
	}
	legend, top := groupLegend(d.legend(), size.Width-menuSide, st, func(g Group) fyne.CanvasObject { return sign(g, st) })
	p, marks, ok := newPlotted(f, top, size, st, func(most int) ticks { return d.yTicks(f, most) })
	if !ok {
		r.objects = append(r.objects, emptyText(tooSmall, size, st))
		return
	}
	r.s.plot = p.frame
	p.ticksX = d.TicksX
	p.axes(marks, d.XName, d.YName)
	r.objects = append(append(r.objects, legend...), p.objects...)
	r.selection(p, st)
	r.raster(p.frame, st)
	r.rings(p.frame, st)
	if box := r.s.drag.box(p.frame, st); box != nil {
		r.objects = append(r.objects, box)
	}
	if r.s.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
}

// legend are the groups, and the crosses where there are some.
func (d ScatterData) legend() []Group {
	if !slices.ContainsFunc(d.Points, func(p ScatterPoint) bool { return p.Crossed }) {
		return d.Groups
	}
	named := slices.DeleteFunc(slices.Clone(d.Groups), func(g Group) bool { return g.Name == "" })
	return append(named, Group{Name: d.Crossed, Look: lookCrossed})
}

// yTicks are the ticks of the vertical axis.
func (d ScatterData) yTicks(f frame, most int) ticks {
	if d.TicksY != nil {
		at, texts := d.TicksY(f.y0, f.y1, most)
		return ticks{at, texts}
	}
	if d.Logit {
		at, texts := render.LogitTicks(f.y0, f.y1, max(most-1, 1)) // at uneven distances, which need the room between two ticks
		return ticks{at, texts}
	}
	return numbers(render.Ticks(f.y0, f.y1, most))
}

// sign is the key of a group in the legend.
func sign(g Group, st style) fyne.CanvasObject {
	return canvas.NewRaster(func(w, h int) image.Image {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		middle := render.Point{X: float64(w) / 2, Y: float64(h) / 2}
		render.Mark(img, middle, appearance(g.Look).Shape, float64(w)*keySize/legendSide, colourOf(g.Look, st.background))
		return img
	})
}

// raster puts the points in place, and has them drawn anew where they have changed.
func (r *scatterRenderer) raster(f frame, st style) {
	before := r.points
	r.points = dotted{frame: f, points: r.s.data.Points, groups: r.s.data.Groups, trends: r.s.data.Trends, ground: st.background, line: st.foreground}
	r.dots.Resize(fyne.NewSize(f.width, f.height))
	r.dots.Move(fyne.NewPos(f.left, f.top))
	if r.version != r.s.version || before.frame != f || before.ground != st.background {
		r.version = r.s.version
		r.dots.Refresh()
	}
	r.objects = append(r.objects, r.dots)
}

// selection draws lines from the selected point to both axes.
func (r *scatterRenderer) selection(p *plotted, st style) {
	if r.s.selected < 0 || !p.within(r.s.data.Points[r.s.selected]) {
		return
	}
	at := r.s.data.Points[r.s.selected]
	x, y := p.x(at.X), p.y(at.Y)
	colour := faded(st.primary, 0.6)
	r.objects = append(r.objects, newLine(colour, x, y, x, p.top+p.height), newLine(colour, p.left, y, x, y))
}

// rings draws circles around the marked points, the selected one and the one under the pointer.
func (r *scatterRenderer) rings(f frame, st style) {
	for _, k := range r.s.marked {
		r.ring(f, k, st.primary, 1, 6.5)
	}
	colour := st.primary
	if r.s.focused {
		colour = st.foreground
	}
	r.ring(f, r.s.selected, colour, 2.5, 8)
	r.ring(f, r.s.hovered, st.foreground, 1, 7)
}

func (r *scatterRenderer) ring(f frame, k int, colour color.Color, width, radius float32) {
	if k < 0 || k >= len(r.s.data.Points) || !f.within(r.s.data.Points[k]) {
		return
	}
	ring := canvas.NewCircle(color.Transparent)
	ring.StrokeColor, ring.StrokeWidth = colour, width
	ring.Resize(fyne.NewSquareSize(2 * radius))
	ring.Move(fyne.NewPos(f.x(r.s.data.Points[k].X)-radius, f.y(r.s.data.Points[k].Y)-radius))
	r.objects = append(r.objects, ring)
}

// draw draws the points into w x h pixels that stand for the frame's area, each on a rim in the
// colour of the ground, so that points which touch stay apart. Points without a look come first,
// the rarest way to hide one that has.
func (d dotted) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if d.frame.width <= 0 || d.ground == nil {
		return img
	}
	scale := float64(w) / float64(d.frame.width)
	d.drawTrends(img, scale)
	rim := solid(d.ground)
	rim.A = 0xb0
	for _, unlabelled := range []bool{true, false} {
		for _, p := range d.points {
			look := d.look(p)
			if (look == LookNone) != unlabelled || !d.frame.within(p) {
				continue
			}
			at := d.place(p.X, p.Y, scale)
			d.bar(img, p, colourOf(look, d.ground), scale)
			render.Mark(img, at, appearance(look).Shape, (pointSize+0.9)*scale, rim)
			render.Mark(img, at, appearance(look).Shape, pointSize*scale, colourOf(look, d.ground))
			if p.Crossed {
				render.Mark(img, at, render.Cross, (pointSize+1.4)*scale, colourOf(lookCrossed, d.ground))
			}
		}
	}
	return img
}

// place is a point's place among pixels, scale of them for one of Fyne's.
func (d dotted) place(x, y, scale float64) render.Point {
	return render.Point{X: float64(d.frame.x(x)-d.frame.left) * scale, Y: float64(d.frame.y(y)-d.frame.top) * scale}
}

// look is that of the point's group; a point of no group has none.
func (d dotted) look(p ScatterPoint) Look {
	if p.Group < 0 || p.Group >= len(d.groups) {
		return LookNone
	}
	return d.groups[p.Group].Look
}
