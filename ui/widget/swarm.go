package widget

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Swarm)(nil)
	_ fyne.Tappable          = (*Swarm)(nil)
	_ fyne.SecondaryTappable = (*Swarm)(nil)
)

// SwarmData is what a Swarm shows. Hint says what dot k of a row stands for; it may be nil.
type SwarmData struct {
	render.Swarm
	Hint  func(row, k int) string
	Empty string // the text shown when there are no rows
}

// Swarm draws a bee-swarm: a row per feature, a dot per model at its Shapley value, its colour the feature's value. It is
// as high as its rows need.
type Swarm struct {
	widget.BaseWidget
	// OnHover gets the hint of the dot nearest to the pointer, "" when there is none near; OnTapped gets a clicked dot.
	OnHover  func(text string)
	OnTapped func(row, k int)
	// Menu are the entries of the menu that a click with the other button opens; nil for none.
	Menu func() []*fyne.MenuItem

	data   SwarmData
	plot   frame
	line   float32
	places [][]fyne.Position // of the dots, by row
	row, k int               // dot under the pointer, -1 for none
	shown  int               // counts what was set, so that the dots are drawn once for each
}

// NewSwarm makes an empty widget.
func NewSwarm() *Swarm {
	s := &Swarm{row: -1, k: -1}
	s.ExtendBaseWidget(s)
	return s
}

// SetData shows other dots. The slices must not be changed afterwards.
func (s *Swarm) SetData(d SwarmData) {
	s.point(-1, -1) // what was read out is of the data before
	s.data = d
	s.shown++
	s.Refresh()
}

// Data is what is shown.
func (s *Swarm) Data() SwarmData { return s.data }

// swarmDot is the radius of a dot, swarmReach how far the pointer may be from its middle.
const swarmDot, swarmReach = 2.4, 6

// at is the dot nearest to a position, -1, -1 when none is near.
func (s *Swarm) at(pos fyne.Position) (row, k int) {
	row, k = -1, -1
	if s.line <= 0 || pos.Y < s.plot.top || int((pos.Y-s.plot.top)/s.line) >= len(s.places) {
		return row, k
	}
	line := int((pos.Y - s.plot.top) / s.line)
	nearest := float32(swarmReach * swarmReach)
	for dot, p := range s.places[line] {
		if d := (p.X-pos.X)*(p.X-pos.X) + (p.Y-pos.Y)*(p.Y-pos.Y); d <= nearest {
			row, k, nearest = line, dot, d
		}
	}
	return row, k
}

// Tapped implements fyne.Tappable.
func (s *Swarm) Tapped(ev *fyne.PointEvent) {
	if row, k := s.at(ev.Position); row >= 0 && s.OnTapped != nil {
		s.OnTapped(row, k)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (s *Swarm) TappedSecondary(ev *fyne.PointEvent) { popUp(s, ev.Position, s.Menu) }

// MouseIn implements desktop.Hoverable.
func (s *Swarm) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *Swarm) MouseMoved(ev *desktop.MouseEvent) { s.point(s.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (s *Swarm) MouseOut() { s.point(-1, -1) }

func (s *Swarm) point(row, k int) {
	if row == s.row && k == s.k {
		return
	}
	s.row, s.k = row, k
	if s.OnHover != nil {
		text := ""
		if row >= 0 && s.data.Hint != nil {
			text = s.data.Hint(row, k)
		}
		s.OnHover(text)
	}
	s.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (s *Swarm) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	r := &swarmRenderer{s: s}
	r.dots = canvas.NewRaster(func(w, h int) image.Image { return drawDots(r.look, w, h) })
	r.build(s.Size())
	return r
}

// swarmLook is what the raster draws, copied so that it never reads the widget.
type swarmLook struct {
	data   render.Swarm
	places [][]fyne.Position // from the frame's corner
	width  float32
}

type swarmRenderer struct {
	s       *Swarm
	dots    *canvas.Raster
	look    swarmLook
	drawn   int // Swarm.shown of the dots
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *swarmRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *swarmRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout implements fyne.WidgetRenderer.
func (r *swarmRenderer) Layout(size fyne.Size) { r.build(size) }

// Refresh implements fyne.WidgetRenderer. The dots are drawn anew only for other data; a pointer that moves leaves them.
func (r *swarmRenderer) Refresh() {
	r.build(r.s.Size())
	if r.drawn != r.s.shown {
		r.drawn = r.s.shown
		r.dots.Refresh()
	}
	canvas.Refresh(r.s)
}

// MinSize implements fyne.WidgetRenderer.
func (r *swarmRenderer) MinSize() fyne.Size {
	st := styleOf(r.s)
	return fyne.NewSize(240, float32(max(len(r.s.data.Rows), 2))*swarmLine(st)+axisHeight(st)+measure("0", st.caption, false).Height+4)
}

// swarmLine is the height of a row.
func swarmLine(st style) float32 { return whole(measure("X", st.caption, false).Height + 13) }

func (r *swarmRenderer) build(size fyne.Size) {
	st := styleOf(r.s)
	r.objects, r.s.places, r.s.line = r.objects[:0], nil, 0
	d := r.s.data
	if len(d.Rows) == 0 {
		text := newText(shorten(d.Empty, st.text, size.Width, false), st.faint, st.text)
		box := text.MinSize()
		placeText(text, (size.Width-box.Width)/2, max(min(size.Height, 60)-box.Height, 0)/2)
		r.objects = append(r.objects, text)
		return
	}
	r.s.line = swarmLine(st)
	names := float32(0)
	for _, row := range d.Rows {
		names = max(names, measure(row.Name, st.caption, false).Width)
	}
	names = min(names, 0.4*size.Width)
	low, high := d.Range()
	f := frame{
		left: whole(names + 12), top: whole(measure("0", st.caption, false).Height + 4), width: whole(size.Width - names - 20),
		height: r.s.line * float32(len(d.Rows)), x0: low, x1: high, y1: 1,
	}
	if f.width < 20 {
		return
	}
	r.s.plot = f
	r.key(f, st)
	r.objects = append(r.objects, bottomAxis(f, size, d.XName, st)...)
	r.rows(f, names, st)
	r.dots.Resize(fyne.NewSize(f.width, f.height))
	r.dots.Move(fyne.NewPos(f.left, f.top))
	r.objects = append(r.objects, r.dots)
	if s := r.s; s.row >= 0 && s.row < len(s.places) && s.k < len(s.places[s.row]) {
		ring := canvas.NewCircle(nil)
		ring.StrokeColor, ring.StrokeWidth = st.foreground, 1.5
		ring.Resize(fyne.NewSquareSize(9))
		ring.Move(s.places[s.row][s.k].SubtractXY(4.5, 4.5))
		r.objects = append(r.objects, ring)
	}
}

// key says what the colours mean, above the rows.
func (r *swarmRenderer) key(f frame, st style) {
	x := f.left
	write := func(text string) {
		t := newText(text, st.faint, st.caption)
		placeText(t, x, 0)
		x += t.MinSize().Width + 6
		r.objects = append(r.objects, t)
	}
	write(r.s.data.Low)
	for k := range 5 {
		dot := canvas.NewCircle(render.LevelColour(float64(k) / 4))
		dot.Resize(fyne.NewSquareSize(8))
		dot.Move(fyne.NewPos(x, (f.top-4)/2-4))
		x += 11
		r.objects = append(r.objects, dot)
	}
	x += 3
	write(r.s.data.High)
}

// rows writes the names and finds the places of the dots.
func (r *swarmRenderer) rows(f frame, names float32, st style) {
	columns := int(f.width / (2 * swarmDot))
	look := swarmLook{data: r.s.data.Swarm, width: f.width}
	for k, row := range r.s.data.Rows {
		middle := f.top + r.s.line*(float32(k)+0.5)
		name := newText(shorten(row.Name, st.caption, names, false), st.foreground, st.caption)
		box := name.MinSize()
		placeText(name, 4+names-box.Width, middle-box.Height/2)
		r.objects = append(r.objects, name, newLine(st.line, f.left, middle, f.left+f.width, middle))
		heights := render.Heap(row.X, f.x0, f.x1, columns)
		most := 1
		for _, h := range heights {
			most = max(most, h, -h)
		}
		step := min(2*swarmDot, 0.42*r.s.line/float32(most))
		places := make([]fyne.Position, len(row.X))
		inside := make([]fyne.Position, len(row.X))
		for i, x := range row.X {
			places[i] = fyne.NewPos(f.x(x), middle-step*float32(heights[i]))
			inside[i] = places[i].SubtractXY(f.left, f.top)
		}
		r.s.places = append(r.s.places, places)
		look.places = append(look.places, inside)
	}
	r.look = look
}

// swarmTints are how many colours the dots of a swarm have: those of one colour are drawn at once.
const swarmTints = 16

// drawDots draws the dots into w x h pixels that stand for the frame's area.
func drawDots(look swarmLook, w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if look.width <= 0 {
		return img
	}
	scale := float64(w) / float64(look.width)
	var byTint [swarmTints + 1][]render.Point
	for row, places := range look.places {
		for k, p := range places {
			tint := swarmTints / 2
			if level := look.data.Rows[row].Level[k]; !math.IsNaN(level) {
				tint = int(min(max(level, 0), 1)*swarmTints + 0.5)
			}
			if x := look.data.Rows[row].X[k]; drawable(x, x) {
				at := render.Point{X: float64(p.X) * scale, Y: float64(p.Y) * scale}
				byTint[tint] = append(byTint[tint], at, at, render.Point{X: math.NaN()})
			}
		}
	}
	for tint, points := range byTint {
		if len(points) > 0 {
			render.Polyline(img, points, render.Stroke{Colour: render.LevelColour(float64(tint) / swarmTints), Width: 2 * swarmDot * scale})
		}
	}
	return img
}
