package widget

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
)

const (
	smallestSide = 40  // a square below this length has no axes
	namedSide    = 190 // from this length on the axes carry their names
	tickLength   = 4
)

// heatmapRenderer places one image and draws everything around it by hand: a 31 x 31 matrix costs some 20 objects.
type heatmapRenderer struct {
	drawn
	h     *Heatmap
	image *canvas.Image
}

func newHeatmapRenderer(h *Heatmap) *heatmapRenderer {
	r := &heatmapRenderer{h: h, image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}}
	r.drawn = drawn{of: h, draw: r.build}
	r.build(h.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer.
func (r *heatmapRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(72) }

// build makes the objects anew for a size. The image object stays, so that its texture is kept while only the cursor
// moves.
func (r *heatmapRenderer) build(size fyne.Size) {
	st := styleOf(r.h)
	axes := r.h.axes(size, st.caption)
	if !r.h.tiled {
		axes.shift((size.Width-axes.width())/2, (size.Height-axes.height())/2)
	}
	r.h.area = axes.square
	r.objects = r.objects[:0]
	if axes.side <= 0 {
		return
	}
	n := r.h.picture.Matrix.N
	if n == 0 {
		r.hatch(axes.square, st)
		return
	}
	r.picture(axes.square)
	r.outline(fyne.NewPos(axes.x, axes.y), fyne.NewSquareSize(axes.side), st.line, 1)
	r.objects = append(r.objects, axes.objects(n, st)...)
	for _, m := range r.h.marks {
		if m.I < n && m.J < n {
			pos, box := axes.box(m, n)
			if axes.side/float32(n) < 8 { // a thick line would cover the element
				r.outline(pos.SubtractXY(3, 3), box.AddWidthHeight(6, 6), st.background, 1)
				r.outline(pos.SubtractXY(2, 2), box.AddWidthHeight(4, 4), st.primary, 1)
				continue
			}
			r.outline(pos, box, st.primary, 2)
		}
	}
	r.chosen(axes.square, n, st)
}

// nominal stands in for the axis of an absent matrix in a tile, so that its square is as large as its neighbours'.
var nominal = render.Axis{Unit: "°", Values: []float64{-15, 0, 15}}

// axes lays the matrix out in a size. An absent matrix on its own fills the widget.
func (h *Heatmap) axes(size fyne.Size, text float32) axes {
	if h.picture.Matrix.N == 0 && h.tiled {
		return layAxes(nominal, len(nominal.Values), size, text)
	}
	return layAxes(h.picture.Axis, h.picture.Matrix.N, size, text)
}

func (r *heatmapRenderer) picture(area square) {
	if r.image.Image != r.h.picture.Image {
		r.image.Image = r.h.picture.Image
		r.image.Refresh()
	}
	r.image.Resize(fyne.NewSquareSize(area.side))
	r.image.Move(fyne.NewPos(area.x, area.y))
	r.objects = append(r.objects, r.image)
}

// chosen draws the cursor in two tones, visible on every colour, and the frame that shows the focus.
func (r *heatmapRenderer) chosen(area square, n int, st style) {
	if c := r.h.cursor; c.Inside && c.I < n && c.J < n {
		pos, box := area.box(Mark{c.I, c.J}, n)
		r.outline(pos.SubtractXY(2, 2), box.AddWidthHeight(4, 4), color.Black, 1)
		r.outline(pos.SubtractXY(1, 1), box.AddWidthHeight(2, 2), color.White, 1)
	}
	if r.h.focused {
		r.outline(fyne.NewPos(area.x-2, area.y-2), fyne.NewSquareSize(area.side+4), st.primary, 2)
	}
}

func (r *heatmapRenderer) outline(pos fyne.Position, size fyne.Size, c color.Color, width float32) {
	box := canvas.NewRectangle(color.Transparent)
	box.StrokeColor, box.StrokeWidth = c, width
	box.Resize(size)
	box.Move(pos)
	r.objects = append(r.objects, box)
}

// hatch draws the absent state: diagonals in the theme's faint colour, the reason on a plain ground in the middle.
func (r *heatmapRenderer) hatch(area square, st style) {
	b := box{area.x, area.y, area.side, area.side}
	r.objects = append(r.objects, hatching(b, max(8, area.side/20), faded(st.faint, 0.45))...)
	r.outline(fyne.NewPos(area.x, area.y), fyne.NewSquareSize(area.side), st.line, 1)
	r.objects = append(r.objects, reasonOver(b, r.h.reason, r.h.Size().Width, st)...)
}

// axes is a laid-out matrix: the square, the ticks that fit on it, and the room around it.
type axes struct {
	square
	unit                     string
	across, up               []render.Tick
	named                    bool
	name                     string
	text                     float32
	left, top, right, bottom float32
}

func (a axes) width() float32  { return a.left + a.side + a.right }
func (a axes) height() float32 { return a.top + a.side + a.bottom }

func (a *axes) shift(dx, dy float32) {
	a.x += whole(max(dx, 0))
	a.y += whole(max(dy, 0))
}

// layAxes finds the largest square of whole pixels that fits into size together with its ticks.
func layAxes(axis render.Axis, n int, size fyne.Size, text float32) axes {
	a := axes{unit: axis.Unit, text: text}
	if n == 0 || len(axis.Values) != n || min(size.Width, size.Height) < smallestSide+2*text {
		a.side = whole(min(size.Width, size.Height))
		return a
	}
	line := measure("X", text, false).Height
	widest, last := a.widths(axis.Values)
	widest = max(widest, measure("V_i", text, false).Width)
	a.left, a.bottom, a.top = widest+tickLength+3, line+tickLength, line/2
	if size.Height-line-a.bottom >= namedSide && size.Width-a.left >= namedSide {
		a.named, a.name = true, axis.Name
		a.bottom += line
		a.top = line + 2
	}
	a.right = max(8, last/2)
	a.left, a.top = whole(a.left+0.99), whole(a.top+0.99) // the image lies on whole pixels, else its elements get uneven
	a.side = whole(min(size.Width-a.left-a.right, size.Height-a.top-a.bottom))
	a.x, a.y = a.left, a.top
	cell := a.side / float32(n)
	a.across = fitting(axis.Values, func(ticks []render.Tick) bool { return a.roomAcross(ticks, cell) })
	a.up = fitting(axis.Values, func(ticks []render.Tick) bool {
		return len(ticks) < 2 || float32(ticks[1].Index-ticks[0].Index)*cell >= 1.3*line
	})
	return a
}

// mostTicks is the largest number of ticks on an axis.
const mostTicks = 9

// widths are the width of the widest tick text, and of the last one, over all choices of ticks: a choice of fewer ticks
// can need more decimals.
func (a axes) widths(values []float64) (widest, last float32) {
	for most := 1; most <= mostTicks; most++ {
		ticks := render.ValueTicks(values, most)
		for _, t := range ticks {
			widest = max(widest, a.measure(t))
		}
		last = max(last, a.measure(ticks[len(ticks)-1]))
	}
	return widest, last
}

// fitting is the largest choice of ticks that fits.
func fitting(values []float64, fits func([]render.Tick) bool) []render.Tick {
	for most := mostTicks; most > 1; most-- {
		if ticks := render.ValueTicks(values, most); fits(ticks) {
			return ticks
		}
	}
	return render.ValueTicks(values, 1)
}

func (a axes) roomAcross(ticks []render.Tick, cell float32) bool {
	for k := 1; k < len(ticks); k++ {
		need := (a.measure(ticks[k-1]) + a.measure(ticks[k])) / 2
		if float32(ticks[k].Index-ticks[k-1].Index)*cell < need+a.text*0.7 {
			return false
		}
	}
	return true
}

func (a axes) measure(t render.Tick) float32 { return measure(t.Text+a.unit, a.text, false).Width }

// objects draws tick marks, tick texts and the names.
func (a axes) objects(n int, st style) []fyne.CanvasObject {
	var list []fyne.CanvasObject
	line := measure("X", a.text, false).Height
	bottom := a.y + a.side
	for _, t := range a.across {
		x := a.x + a.centre(t.Index, n)
		text := newText(t.Text+a.unit, st.foreground, a.text)
		placeText(text, x-a.measure(t)/2, bottom+tickLength-1)
		list = append(list, newLine(st.faint, x, bottom, x, bottom+tickLength), text)
	}
	for _, t := range a.up {
		y := bottom - a.centre(t.Index, n)
		text := newText(t.Text+a.unit, st.foreground, a.text)
		// In a small image with large texts the lowest one would reach into the first one of the other axis, and the highest
		// one into the name above it.
		at := min(y-line/2, bottom+tickLength-1-line)
		if a.named {
			at = max(at, a.y-1)
		}
		placeText(text, a.x-tickLength-2-a.measure(t), at)
		list = append(list, newLine(st.faint, a.x-tickLength, y, a.x, y), text)
	}
	if a.named {
		across := newText(strings.TrimSpace("V_j  "+a.name), st.faint, a.text)
		placeText(across, a.x+(a.side-across.MinSize().Width)/2, bottom+tickLength+line-3)
		up := newText("V_i", st.faint, a.text)
		placeText(up, a.x-tickLength-2-up.MinSize().Width, a.y-line-1)
		list = append(list, across, up)
	}
	return list
}
