package widget

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// plotRenderer shows what render.Lay lays out: its image as one raster of the widget's real pixels
// and its texts, both made anew only when figure, size or theme have changed. What follows pointer
// and selection are objects over it.
type plotRenderer struct {
	drawn
	p       *Plot
	image   *canvas.Raster
	cells   *canvas.Image // of a matrix
	sign    *canvas.Image // of the menu: a new one in each build would have the window drawn for ever
	laid    render.Laid
	still   []fyne.CanvasObject // of laid
	version int
	values  int
	size    fyne.Size
	style   style
}

// mostPixels is the longer side of the largest image of a plot.
const mostPixels = 8192

func newPlotRenderer(p *Plot) *plotRenderer {
	r := &plotRenderer{p: p, version: -1, sign: menuSign(p.Size())}
	r.drawn = drawn{of: p.self.(fyne.Widget), draw: r.build}
	r.cells = &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}
	r.image = canvas.NewRaster(func(w, h int) image.Image {
		if side := max(w, h); side > mostPixels { // more than graphics cards take
			w, h = w*mostPixels/side, h*mostPixels/side
		}
		return r.laid.Image(w, h)
	})
	r.build(p.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer. Each of the names that must have room gets a line; any
// other figure is drawn as small as it is, or says that it is too small.
func (r *plotRenderer) MinSize() fyne.Size {
	least := fyne.NewSize(40, 30)
	if r.p.figure.Matrix != nil {
		least = fyne.NewSquareSize(72)
	}
	if y := r.p.figure.Y; y.Each {
		line := measure("0", styleOf(r.of).caption, false).Height
		row := line + 5
		if len(r.p.figure.Points) > 0 {
			row = line + 13
		}
		least.Height = max(least.Height, row*float32(len(y.Names))+5*line)
	}
	return least
}

func (r *plotRenderer) build(size fyne.Size) {
	st := styleOf(r.of)
	if r.style != st {
		r.sign.Refresh()
	}
	if r.version != r.p.version || r.size != size || r.style != st {
		r.version, r.size, r.style = r.p.version, size, st
		r.lay(size, st)
		r.values = -1
	}
	if r.laid.Cells && r.values != r.p.values && r.p.area.width > 0 {
		r.values = r.p.values
		r.cells.Image = render.CellImage(r.p.figure, r.p.Part())
		r.cells.Refresh()
	}
	r.objects = append([]fyne.CanvasObject(nil), r.still...)
	if r.p.area.width <= 0 {
		return
	}
	if f, x := r.p.area, r.p.rule; x >= f.x0 && x <= f.x1 {
		r.objects = append(r.objects, newLine(faded(st.primary, 0.6), f.x(x), f.top, f.x(x), f.top+f.height))
	}
	r.pointer(st)
	r.items(st)
	if r.p.figure.NoAxes && r.p.focused {
		r.edge(box{0, 0, size.Width, size.Height}, st)
	}
	if r.p.figure.Matrix != nil {
		r.crosshair(st)
	}
	if drawn := r.p.drag.box(r.p.area, st); drawn != nil {
		r.objects = append(r.objects, drawn)
	}
	if r.p.signed() {
		r.sign.Move(signPlace(size))
		r.objects = append(r.objects, r.sign)
	}
	if r.p.drag == nil && (r.p.hovered >= 0 || !math.IsNaN(r.p.x)) {
		r.objects = append(r.objects, readOut(r.p.told(r.p.hovered), r.p.pointer, size, st)...)
	}
}

// lay lays the figure out in a size, or says why there is none.
func (r *plotRenderer) lay(size fyne.Size, st style) {
	r.p.area, r.still, r.laid = frame{}, nil, render.Laid{}
	head := float32(0)
	if r.p.title != "" {
		head = r.head(size, st)
	}
	r.p.head = head
	if !r.p.figure.Drawable() && r.p.figure.Matrix == nil {
		r.still = append(r.still, reasonOver(box{0, 0, size.Width, size.Height}, r.p.figure.Empty, size.Width, st)...)
		return
	}
	ground := render.Ground{
		Ink: st.foreground, Faint: st.faint, Grid: st.line, Back: st.background, Dark: darkGround(st.background),
		Size: st.caption,
		Measure: func(text string, size float32) (width, height float32) {
			box := measure(text, size, false)
			return box.Width, box.Height
		},
	}
	room := size.Width
	if r.p.signed() {
		if room -= menuSide - 6; r.p.figure.Matrix != nil { // the cells reach to the end
			room -= 6
		}
	}
	if r.p.fresh && size.Width > 0 {
		part := render.Readable(r.p.figure, ground, room, size.Height-head)
		r.p.zoom = r.p.all.held(&extent{part.X0, part.X1, part.Y0, part.Y1}, true)
	}
	laid, ok := render.Lay(r.p.figure, r.p.Part(), ground, room, size.Height-head)
	if !ok && r.p.figure.Matrix != nil { // the cells without axes
		side := whole(min(room, size.Height-head))
		laid = render.Laid{Left: whole((room - side) / 2), Width: side, Height: side, Cells: r.p.figure.Drawable()}
		ok = side > 0
	}
	if !ok {
		r.still = append(r.still, reasonOver(box{0, 0, size.Width, size.Height}, tooSmall, size.Width, st)...)
		return
	}
	r.laid, r.p.laid = laid, laid
	r.p.area = r.p.visible()
	r.p.area.left, r.p.area.top, r.p.area.width, r.p.area.height = laid.Left, laid.Top+head, laid.Width, laid.Height
	r.image.Resize(fyne.NewSize(room, size.Height-head))
	r.image.Move(fyne.NewPos(0, head))
	r.image.Refresh()
	r.still = append(r.still, r.image)
	area := r.p.area
	if !r.p.figure.Drawable() {
		over := reasonOver(box{area.left, area.top, area.width, area.height}, r.p.figure.Empty, size.Width, st)
		r.still = append(r.still, over...)
		return
	}
	if laid.Cells {
		r.cells.Resize(fyne.NewSize(area.width, area.height))
		r.cells.Move(fyne.NewPos(area.left, area.top))
		r.still = append(r.still, r.cells)
	}
	for _, t := range laid.Texts {
		text := newText(t.Text, t.Colour, t.Size)
		placeText(text, t.X, t.Y+head)
		if t.Behind != nil {
			ground := canvas.NewRectangle(t.Behind)
			ground.CornerRadius = 3
			ground.Move(text.Position().SubtractXY(3, 0))
			ground.Resize(text.Size().AddWidthHeight(6, 0))
			r.still = append(r.still, ground)
		}
		r.still = append(r.still, text)
	}
}

// head writes the title and returns its height.
func (r *plotRenderer) head(size fyne.Size, st style) float32 {
	room := size.Width
	if r.p.signed() {
		room -= menuSide
	}
	title := newText(shorten(r.p.title, st.text, room, true), st.foreground, st.text)
	title.TextStyle.Bold = true
	placeText(title, 0, 0)
	r.still = append(r.still, title)
	return whole(title.MinSize().Height + 3)
}

// crosshair draws lines through the cell under the pointer and a frame around it, in two tones that
// are seen on every colour, and a frame around the matrix that has the keyboard.
func (r *plotRenderer) crosshair(st style) {
	f, k := r.p.area, r.p.hovered
	if k >= 0 {
		cell := r.p.figure.Box(k)
		left, right := f.x(cell.X0), f.x(cell.X1)
		top, foot := min(f.y(cell.Y0), f.y(cell.Y1)), max(f.y(cell.Y0), f.y(cell.Y1))
		x, y := whole((left+right)/2), whole((top+foot)/2)
		for n, tone := range []color.Color{color.NRGBA{A: 0x90}, color.NRGBA{0xff, 0xff, 0xff, 0x90}} {
			shift := float32(n)
			for _, l := range [][4]float32{
				{f.left, y + shift, left - 2, y + shift},
				{right + 2, y + shift, f.left + f.width, y + shift},
				{x + shift, f.top, x + shift, top - 2},
				{x + shift, foot + 2, x + shift, f.top + f.height},
			} {
				if l[2] > l[0] || l[3] > l[1] {
					r.objects = append(r.objects, newLine(tone, l[0], l[1], l[2], l[3]))
				}
			}
		}
		r.outline(cell, color.Black, 3)
		r.outline(cell, color.White, 1)
	}
	if r.p.focused {
		r.edge(box{f.left - 2, f.top - 2, f.width + 4, f.height + 4}, st)
	}
}

// edge is the frame around what has the keyboard.
func (r *plotRenderer) edge(around box, st style) {
	edge := canvas.NewRectangle(color.Transparent)
	edge.StrokeColor, edge.StrokeWidth = st.primary, 2
	edge.Move(fyne.NewPos(around.x, around.y))
	edge.Resize(fyne.NewSize(around.width, around.height))
	r.objects = append(r.objects, edge)
}

// pointer marks the X under the pointer on every line.
func (r *plotRenderer) pointer(st style) {
	f, x := r.p.area, r.p.x
	if !(x >= f.x0 && x <= f.x1) {
		return
	}
	r.objects = append(r.objects, newLine(st.faint, f.x(x), f.top, f.x(x), f.top+f.height))
	for n, l := range r.p.figure.Lines {
		for k := range l.X {
			if l.X[k] == x && f.shows(x, l.Y[k]) {
				r.ring(fyne.NewPos(f.x(x), f.y(l.Y[k])), 3.5, colourOf(result.Category(n), st.background), 0)
			}
		}
	}
}

// items draws rings around the marked points, the selected one and the one under the pointer, lines
// from the selected point to both axes, and outlines around boxes.
func (r *plotRenderer) items(st style) {
	for _, k := range r.p.marked {
		r.item(k, st.primary, 1, 6.5, st)
	}
	colour := st.primary
	if r.p.focused {
		colour = st.foreground
	}
	if k := r.p.selected; k >= 0 && k < len(r.p.figure.Points) && !r.p.figure.NoAxes {
		if at, shown := r.p.spot(k); shown {
			f, faint := r.p.area, faded(st.primary, 0.6)
			r.objects = append(r.objects, newLine(faint, at.X, at.Y, at.X, f.top+f.height),
				newLine(faint, f.left, at.Y, at.X, at.Y))
		}
	}
	r.item(r.p.selected, colour, 2.5, 8, st)
	if r.p.figure.Matrix == nil {
		r.item(r.p.hovered, st.foreground, 1, 7, st)
	}
}

// item draws a ring around a point. The selected box stands for all of its ID, one under the
// pointer for its column in a histogram.
func (r *plotRenderer) item(k int, colour color.Color, width, radius float32, st style) {
	n, figure := len(r.p.figure.Points), r.p.figure
	if k < 0 || k >= figure.Items() {
		return
	}
	if k < n {
		if at, shown := r.p.spot(k); shown {
			if figure.NoAxes {
				radius = r.laid.Radius(k) + 3
			}
			r.ring(at, radius, colour, width)
		}
		return
	}
	if figure.Link(k) != nil {
		line := r.laid.Link(k - n - len(figure.Boxes))
		for i := 1; i < len(line); i++ {
			piece := newLine(st.primary, line[i-1][0], line[i-1][1]+r.p.head, line[i][0], line[i][1]+r.p.head)
			piece.StrokeWidth = 2.5
			r.objects = append(r.objects, piece)
		}
		return
	}
	b := figure.Box(k)
	all := b
	if figure.Matrix != nil {
		r.outline(b, colour, 2)
		return
	}
	for _, o := range figure.Boxes {
		same := k == r.p.selected && b.ID != "" && o.ID == b.ID
		column := figure.X.Names == nil && figure.Y.Names == nil && o.X0 == b.X0 && o.X1 == b.X1
		if same || column {
			all.X0, all.X1 = min(all.X0, all.X1, o.X0, o.X1), max(all.X0, all.X1, o.X0, o.X1)
			all.Y0, all.Y1 = min(all.Y0, o.Y0), max(all.Y1, o.Y1)
		}
	}
	r.outline(all, colour, min(width, 2))
}

// outline draws a frame around a box, inside of the plotted area.
func (r *plotRenderer) outline(b result.Box, colour color.Color, width float32) {
	f := r.p.area
	left, right := max(f.x(min(b.X0, b.X1)), f.left), min(f.x(max(b.X0, b.X1)), f.left+f.width)
	top, foot := min(f.y(b.Y0), f.y(b.Y1)), max(f.y(b.Y0), f.y(b.Y1))
	top, foot = max(top, f.top), min(foot, f.top+f.height)
	if right < left || foot < top {
		return
	}
	box := canvas.NewRectangle(color.Transparent)
	box.StrokeColor, box.StrokeWidth = colour, width
	box.Move(fyne.NewPos(left-width/2, top-width/2))
	box.Resize(fyne.NewSize(right-left+width, foot-top+width))
	r.objects = append(r.objects, box)
}

// ring is a circle around a place, filled where it has no width.
func (r *plotRenderer) ring(at fyne.Position, radius float32, colour color.Color, width float32) {
	ring := canvas.NewCircle(color.Transparent)
	ring.StrokeColor, ring.StrokeWidth = colour, width
	if width == 0 {
		ring.FillColor, ring.StrokeColor = colour, color.Transparent
	}
	ring.Resize(fyne.NewSquareSize(2 * radius))
	ring.Move(at.SubtractXY(radius, radius))
	r.objects = append(r.objects, ring)
}
