package render

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

var (
	white    = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink      = color.RGBA{0x22, 0x22, 0x22, 0xff}
	hatching = color.RGBA{0xb4, 0xb4, 0xb4, 0xff}
)

// CellSpan are the first of so many cells that a range of an axis shows, and the one after the
// last.
func CellSpan(a result.Axis, cells int, from, to float64) (first, end int) {
	low, high := a.Ends(cells)
	at := func(v float64) int { return int(math.Round((v - low) / (high - low) * float64(cells))) }
	first = min(max(at(min(from, to)), 0), cells-1)
	return first, min(max(at(max(from, to)), first+1), cells)
}

// shown is what a part of a figure shows of its matrix.
func shown(f result.Figure, part Part) result.Matrix {
	m := *f.Matrix
	left, right := CellSpan(f.X, m.Columns, part.X0, part.X1)
	low, high := CellSpan(f.Y, m.Rows, part.Y0, part.Y1)
	if right-left == m.Columns && high-low == m.Rows {
		return m
	}
	some := m
	some.Rows, some.Columns, some.Values, some.Marked = high-low, right-left, nil, nil
	for row := low; row < high; row++ {
		some.Values = append(some.Values, m.Values[row*m.Columns+left:row*m.Columns+right]...)
	}
	for _, k := range m.Marked {
		if row, column := k/m.Columns, k%m.Columns; row >= low && row < high && column >= left && column < right {
			some.Marked = append(some.Marked, (row-low)*some.Columns+column-left)
		}
	}
	return some
}

// CellImage draws what a part of a figure shows of its matrix as a pixel per cell.
func CellImage(f result.Figure, part Part) *image.RGBA {
	return cellPixels(shown(f, part), part.Y0 > part.Y1)
}

// cellPixels draws cells as a pixel each, the first row at the bottom or, down, at the top. Those
// without a value alternate between two greys, which looks hatched, unless their colour is another.
func cellPixels(m result.Matrix, down bool) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, m.Columns, m.Rows))
	for i := range m.Rows {
		y := i
		if !down {
			y = m.Rows - 1 - i
		}
		row := img.Pix[y*img.Stride:]
		for j, v := range m.Values[i*m.Columns : (i+1)*m.Columns] {
			c := m.Colours.Color(v)
			if c == nanDark && (i+j)&1 == 1 && math.IsNaN(v) {
				c = nanLight
			}
			pixel := row[4*j : 4*j+4 : 4*j+4]
			pixel[0], pixel[1], pixel[2], pixel[3] = c.R, c.G, c.B, c.A
		}
	}
	return img
}

// cellsOnly tells whether a matrix is its cells and nothing else.
func cellsOnly(m result.Matrix) bool { return m.Under == nil && m.Text == nil }

// drawMatrix draws a matrix between its axes, with its colour bar beside it, and returns the area
// of its cells. One that is absent is hatched where others are, without axes.
func (g Ground) drawMatrix(c draw.Canvas, f result.Figure, part Part) vg.Rectangle {
	absent := !f.Drawable()
	if absent {
		f.Matrix = &result.Matrix{
			Rows: max(len(f.Y.Names)+len(f.Y.Values), 1), Columns: max(len(f.X.Names)+len(f.X.Values), 1),
			Colours: Scale{High: 1}, Value: f.Matrix.Value, Barless: f.Matrix.Barless,
		}
		f.Matrix.Values = make([]float64, f.Matrix.Rows*f.Matrix.Columns)
		part = Extent(f)
	}
	m := shown(f, part)
	room := c
	if g.barred(c, f) {
		room = draw.Crop(c, 0, -g.barRoom(m), 0, 0)
	}
	if g.screen { // the texts at the upper ends of the axes reach a little above the cells
		room = draw.Crop(room, 0, 0, 0, -0.3*g.line())
	}
	shape := vg.Length(m.Columns) / vg.Length(m.Rows)
	switch {
	case m.Under != nil:
		size := m.Under.Bounds().Size()
		shape = vg.Length(size.X) / vg.Length(size.Y)
	case f.X.Names != nil:
		shape = 0
	}
	size := room.Size()
	if shape > 0 {
		size = vg.Point{X: min(size.X, size.Y*shape+3*g.line()), Y: min(size.Y, size.X/shape+3*g.line())}
	}
	p := g.newPlot()
	g.axes(p, f, part, size)
	if f.X.Names != nil {
		p.X.Padding, p.Y.Padding = g.pick(3, 3), g.pick(3, 3)
	}
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0 // a frame is drawn around the cells
	for range 3 {
		if shape == 0 {
			break
		}
		data := p.DataCanvas(room).Size()
		side := vg.Point{X: min(data.X, data.Y*shape), Y: min(data.Y, data.X/shape)}
		if f.X.Names == nil {
			p.X.Tick.Marker = g.sparse(f.X, part.X0, part.X1, side.X)
		}
		// a longer one would push the cells aside
		p.X.Label.Text = shortened(p.X.Label.TextStyle, g.say(f.X.Title()), side.X)
		p.Y.Label.Text = shortened(p.Y.Label.TextStyle, g.say(f.Y.Title()), side.Y)
		wide, high := max(data.X-data.Y*shape, 0), max(data.Y-data.X/shape, 0)
		if above := high / 2; g.screen { // right below the title
			room = draw.Crop(room, wide/2, -wide/2, high, 0)
		} else {
			room = draw.Crop(room, wide/2, -wide/2, above, -above)
		}
	}
	area := p.DataCanvas(room).Rectangle
	if g.screen { // whole pixels from the top left corner of the window, else cells get uneven
		unit := vg.Length(g.scale)
		whole := func(v vg.Length) vg.Length { return unit * vg.Length(math.Floor(float64(v/unit)+0.01)) }
		size := area.Size()
		area.Min.X, area.Max.Y = whole(area.Min.X), c.Max.Y-whole(c.Max.Y-area.Max.Y+unit/2)
		area.Max.X, area.Min.Y = area.Min.X+whole(size.X), area.Max.Y-whole(size.Y)
	}
	if absent {
		g.absent(c, area, f.Empty)
		return area
	}
	p.Draw(room)
	if !g.screen || !cellsOnly(m) {
		g.cells(c, area, m, part.Y0 > part.Y1)
	}
	g.frame(c, area)
	if g.barred(c, f) {
		g.bar(c, area, *f.Matrix)
	}
	return area
}

// The sides of matrices in pixels of their image: one that is plain has as many as viewers, who
// smooth what they enlarge, do not blur; on a page, where there are many, fewer.
const (
	cellPixelsLeast = 768
	pagePixels      = 300
	// largestVector is the number of rows from which on a matrix is one image: rectangles would
	// show moire and make a large file.
	largestVector = 63
)

// cells draws what is in an area: cells, numbers and frames.
func (g Ground) cells(c draw.Canvas, area vg.Rectangle, m result.Matrix, down bool) {
	cell := func(k int) vg.Rectangle {
		row, column := vg.Length(k/m.Columns), vg.Length(k%m.Columns)
		wide, high := area.Size().X/vg.Length(m.Columns), area.Size().Y/vg.Length(m.Rows)
		low := vg.Point{X: area.Min.X + wide*column, Y: area.Min.Y + high*row}
		if down {
			low.Y = area.Max.Y - high*(row+1)
		}
		return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: wide, Y: high})}
	}
	switch {
	case m.Under != nil:
		c.DrawImage(area, overImage(m, g.page || g.screen))
	case g.page:
		c.DrawImage(area, cellPixels(m, down))
	case max(m.Rows, m.Columns) > largestVector:
		img := cellPixels(m, down)
		c.DrawImage(area, resample(img, (cellPixelsLeast+m.Rows-1)/m.Rows*m.Rows))
	default:
		// Each cell reaches half a cell under its neighbours, which are drawn later: between
		// rectangles that only touch the ground would shine through.
		for k, v := range m.Values {
			if down {
				k = (m.Rows-1-k/m.Columns)*m.Columns + k%m.Columns
				v = m.Values[k]
			}
			r := cell(k)
			r.Max = vg.Point{X: min(r.Max.X+0.5*r.Size().X, area.Max.X), Y: min(r.Max.Y+0.5*r.Size().Y, area.Max.Y)}
			fill(c, r, m.Colours.Color(v))
		}
	}
	g.numbers(c, m, cell)
	for _, k := range m.Marked {
		r, inner := cell(k), g.pick(2.2, 2.5)
		for _, look := range []draw.LineStyle{
			{Color: ink, Width: g.pick(3.4, 4)},
			{Color: white, Width: g.pick(1.6, 2)},
		} {
			c.StrokeLines(look, []vg.Point{
				{X: r.Min.X + inner, Y: r.Min.Y + inner},
				{X: r.Max.X - inner, Y: r.Min.Y + inner},
				{X: r.Max.X - inner, Y: r.Max.Y - inner},
				{X: r.Min.X + inner, Y: r.Max.Y - inner},
				{X: r.Min.X + inner, Y: r.Min.Y + inner},
			})
		}
	}
}

// numbers writes the values into their cells, over a picture on a ground in their colour; smaller
// where they need it, and none where they would be too small to be read.
func (g Ground) numbers(c draw.Canvas, m result.Matrix, cell func(k int) vg.Rectangle) {
	if m.Text == nil {
		return
	}
	list, style, most := make([]string, len(m.Values)), g.text(), vg.Length(0)
	for k, v := range m.Values {
		if !math.IsNaN(v) {
			list[k] = g.say(m.Text(v))
			most = max(most, style.Width(list[k]))
		}
	}
	size, line := cell(0).Size(), style.Height("0")
	fits := min(size.X/(most+g.pick(6, 8)), size.Y/(line+g.pick(3, 2)), 1)
	if fits < 0.6 || g.screen && fits < 0.8 {
		return
	}
	for k, number := range list {
		if number == "" {
			continue
		}
		colour, r := m.Colours.Color(m.Values[k]), cell(k)
		if g.screen && m.Under != nil {
			g.behind = colour
		}
		style := g.text()
		style.Font.Size *= fits
		style.XAlign, style.YAlign, style.Color = draw.XCenter, draw.YCenter, Legible(colour)
		middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
		if m.Under != nil && !g.screen {
			half := vg.Point{X: style.Width(number)/2 + vg.Points(2.5)*fits, Y: 0.6 * line * fits}
			fill(c, vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, colour)
		}
		c.FillText(style, middle, number)
	}
}

// overOpacity is how opaque cells over an image are: the colours can be told apart, and the image
// can be seen.
const overOpacity = 0.6

// overImage lays the cells over what is under them, in grey, with thin lines between them; both are
// enlarged without smoothing.
func overImage(m result.Matrix, small bool) *image.RGBA {
	under, least := m.Under.Bounds(), cellPixelsLeast
	if small {
		least = pagePixels
	}
	longest := max(under.Dx(), under.Dy(), 1)
	times := (least + longest - 1) / longest
	grey := image.NewGray(image.Rectangle{Max: under.Size()})
	stddraw.Draw(grey, grey.Rect, m.Under, under.Min, stddraw.Src)
	cells := cellPixels(m, true)
	img := image.NewRGBA(image.Rect(0, 0, under.Dx()*times, under.Dy()*times))
	at := func(x, y int) (column, row int) { return x * m.Columns / img.Rect.Dx(), y * m.Rows / img.Rect.Dy() }
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			column, row := at(x, y)
			cell, share := cells.RGBAAt(column, row), overOpacity
			if left, above := at(x-1, y-1); x > 0 && left != column || y > 0 && above != row {
				cell, share = white, 0.5
			}
			ground := grey.GrayAt(x/times, y/times).Y
			mix := func(v uint8) uint8 { return uint8(share*float64(v) + (1-share)*float64(ground) + 0.5) }
			img.SetRGBA(x, y, color.RGBA{mix(cell.R), mix(cell.G), mix(cell.B), 0xff})
		}
	}
	return img
}

// barred tells whether there is room for a colour bar.
func (g Ground) barred(c draw.Canvas, f result.Figure) bool {
	return !f.Matrix.Barless && (!g.screen || c.Size().X >= 10*g.line() && c.Size().Y >= 6*g.line())
}

// barTicks are those of a colour bar so high.
func (g Ground) barTicks(m result.Matrix, height vg.Length) plot.ConstantTicks {
	low, high := m.Colours.Ends()
	return g.ticks(m.Value, low, high, min(7, max(2, int(height/(1.6*g.text().Height("0")))+1)))
}

// barText is the width of the texts of a colour bar, at least that of a usual number, so that those
// of matrices beside each other are in line.
func (g Ground) barText(m result.Matrix) vg.Length {
	style, heights := g.text(), []vg.Length{1, 3, 5, 7, 9}
	widest := style.Width("0.000")
	if !g.screen {
		widest, heights = 0, heights[4:]
	}
	for _, height := range heights {
		for _, t := range g.barTicks(m, height*1.6*style.Height("0")) {
			widest = max(widest, style.Width(t.Label))
		}
	}
	return widest
}

// barRoom is the width of colour bar, ticks and caption.
func (g Ground) barRoom(m result.Matrix) vg.Length {
	room := g.pick(12+11+5, 8+12+6) + g.barText(m) + g.pick(4, 2)
	if m.Value.Name != "" {
		room += g.line()
	}
	return room
}

// bar draws the colour bar beside an area: ticks at its right, the caption along them, and a cap in
// the marker colour at an end beyond which the matrix has values.
func (g Ground) bar(c draw.Canvas, area vg.Rectangle, m result.Matrix) {
	bar := vg.Rectangle{Min: vg.Point{X: area.Max.X + g.pick(12, 8), Y: area.Min.Y}, Max: area.Max}
	bar.Max.X = bar.Min.X + g.pick(11, 12)
	low, high := m.Colours.Ends()
	c.DrawImage(bar, colourBar(m.Colours, len(Map{})))
	g.frame(c, bar)
	style := g.text()
	style.YAlign = draw.YCenter
	for _, t := range g.barTicks(m, bar.Size().Y) {
		y := bar.Min.Y + bar.Size().Y*vg.Length((t.Value-low)/(high-low))
		c.StrokeLine2(g.thin(g.Faint), bar.Max.X, y, bar.Max.X+g.pick(3, 4), y)
		c.FillText(style, vg.Point{X: bar.Max.X + g.pick(5, 6), Y: y}, t.Label)
	}
	style.Rotation, style.XAlign, style.YAlign, style.Color = math.Pi/2, draw.XCenter, draw.YTop, g.Faint
	at := vg.Point{X: bar.Max.X + g.pick(9, 8) + g.barText(m), Y: (bar.Min.Y + bar.Max.Y) / 2}
	c.FillText(style, at, shortened(style, g.say(m.Value.Title()), c.Size().Y))
	under, over := m.Outside()
	near, far := g.pick(2, 2), g.pick(6, 5)
	if over > 0 {
		top := vg.Rectangle{
			Min: vg.Point{X: bar.Min.X, Y: bar.Max.Y + near}, Max: vg.Point{X: bar.Max.X, Y: bar.Max.Y + far},
		}
		fill(c, top, m.Colours.Color(math.Inf(1)))
	}
	if under > 0 {
		foot := vg.Rectangle{
			Min: vg.Point{X: bar.Min.X, Y: bar.Min.Y - far}, Max: vg.Point{X: bar.Max.X, Y: bar.Min.Y - near},
		}
		fill(c, foot, m.Colours.Color(math.Inf(-1)))
	}
}

// absent hatches the area of a matrix that is not there; on paper it says why in the middle.
func (g Ground) absent(c draw.Canvas, area vg.Rectangle, reason string) {
	line := draw.LineStyle{Color: hatching, Width: g.pick(1, 1)}
	if g.screen {
		line.Color = faded(g.Faint, 0.45)
	}
	size := area.Size()
	step := max(min(size.X, size.Y)/20, g.pick(4, 8))
	for d := step; d < size.X+size.Y; d += step {
		from, to := max(0, d-size.Y), min(d, size.X)
		c.StrokeLine2(line, area.Min.X+from, area.Min.Y+d-from, area.Min.X+to, area.Min.Y+d-to)
	}
	g.frame(c, area)
	if g.screen || reason == "" {
		return
	}
	style := sans(vg.Points(12))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	reason = printable(reason)
	if width, room := style.Width(reason), size.X-vg.Points(16); width > room {
		style.Font.Size *= room / width
	}
	middle := vg.Point{X: area.Min.X + size.X/2, Y: area.Min.Y + size.Y/2}
	half := vg.Point{X: style.Width(reason)/2 + vg.Points(6), Y: vg.Points(10)}
	fill(c, vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, white)
	c.FillText(style, middle, reason)
}

func fill(c draw.Canvas, r vg.Rectangle, ground color.Color) {
	c.SetColor(ground)
	c.Fill(r.Path())
}

// frame draws a thin line around a rectangle.
func (g Ground) frame(c draw.Canvas, r vg.Rectangle) {
	style := g.thin(g.Ink)
	if g.screen {
		style.Color = g.Faint
	}
	c.SetLineStyle(style)
	c.Stroke(r.Path())
}
