package render

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/variance"
)

var (
	white    = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink      = color.RGBA{0x22, 0x22, 0x22, 0xff}
	hatching = color.RGBA{0xb4, 0xb4, 0xb4, 0xff}
)

// grid presents a matrix to gonum/plot with indices as coordinates: its row 0 is at the bottom too.
type grid struct{ variance.Matrix }

func (g grid) Dims() (c, r int)   { return g.N, g.N }
func (g grid) Z(c, r int) float64 { return g.At(r, c) }
func (g grid) X(c int) float64    { return float64(c) }
func (g grid) Y(r int) float64    { return float64(r) }

type colours []color.Color

// Colors implements palette.Palette.
func (c colours) Colors() []color.Color { return c }

func (s Scale) palette() colours {
	m := s.colours()
	list := make(colours, len(m))
	for i, c := range m {
		list[i] = c
	}
	return list
}

// drawHeat draws a matrix and its colour bar, the data area of both equally high and the matrix square.
func drawHeat(c draw.Canvas, f Figure) {
	heat := heatPlot(f)
	side := square(heat, draw.Crop(c, 0, -barRoom, 0, 0))
	heat.Draw(side)
	data := heat.DataCanvas(side)
	frame(c, data.Rectangle)
	drawBar(c, f, data.Rectangle)
}

// barRoom is the width of colour bar, ticks and caption.
const barRoom = 2.3 * vg.Centimeter

// square crops a canvas until the plot's data area is square, keeping it at the right and the middle.
func square(p *plot.Plot, c draw.Canvas) draw.Canvas {
	for range 3 {
		data := p.DataCanvas(c)
		width, height := data.Max.X-data.Min.X, data.Max.Y-data.Min.Y
		if width > height {
			c = draw.Crop(c, (width-height)/2, -(width-height)/2, 0, 0)
		} else {
			c = draw.Crop(c, 0, 0, (height-width)/2, -(height-width)/2)
		}
	}
	return c
}

func heatPlot(f Figure) *plot.Plot {
	p := newPlot()
	p.X.Label.Text = printable(axisTitle("V_j", f.Axis))
	p.Y.Label.Text = printable(axisTitle("V_i", f.Axis))
	ticks := valueTicker(f.Axis, 7)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks, ticks
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0 // the frame is drawn around the matrix
	p.Add(cells{f.heatMap(), f.Scale, f.raster})
	p.X.Min, p.X.Max = -0.5, float64(f.Matrix.N)-0.5
	p.Y.Min, p.Y.Max = p.X.Min, p.X.Max
	return p
}

func (f Figure) heatMap() *plotter.HeatMap {
	heat := plotter.NewHeatMap(grid{f.Matrix}, f.Scale.palette())
	heat.Min, heat.Max = f.Scale.Low, f.Scale.High
	if !(heat.Max > heat.Min) {
		heat.Max = heat.Min + 1
	}
	heat.Underflow = or(f.Scale.Under, UnderColour)
	heat.Overflow = or(f.Scale.Over, OverColour)
	heat.NaN = or(f.Scale.NaN, nanDark)
	return heat
}

// largestVector is the size from which a matrix is drawn as one image: single elements would show moire and grow the file.
const largestVector = 64

// cells draws a heat map without the gaps of gonum/plot's own vector form, whose abutting rectangles let the white ground
// shine through: each element reaches half an element under its right and upper neighbours, which are drawn later.
type cells struct {
	*plotter.HeatMap
	scale  Scale
	raster bool
}

// Plot implements plot.Plotter.
func (h cells) Plot(c draw.Canvas, p *plot.Plot) {
	n, _ := h.GridXYZ.Dims()
	if h.raster || n > largestVector {
		h.Rasterized = true
		h.HeatMap.Plot(c, p)
		return
	}
	side := (c.Max.X - c.Min.X) / vg.Length(n)
	for row := range n {
		for col := range n {
			low := vg.Point{X: c.Min.X + side*vg.Length(col), Y: c.Min.Y + side*vg.Length(row)}
			high := vg.Point{X: min(low.X+side*1.5, c.Max.X), Y: min(low.Y+side*1.5, c.Max.Y)}
			fill(c, vg.Rectangle{Min: low, Max: high}, h.scale.Color(h.GridXYZ.Z(col, row)))
		}
	}
}

// GlyphBoxes implements plot.GlyphBoxer: nothing sticks out of the plotted area.
func (h cells) GlyphBoxes(*plot.Plot) []plot.GlyphBox { return nil }

// axisTitle is "V_j: rotation (°)", the unit in brackets where there is one.
func axisTitle(variable string, a Axis) string {
	if a.Name != "" {
		variable += ": " + a.Name
	}
	if a.Unit != "" {
		variable += " (" + a.Unit + ")"
	}
	return variable
}

func valueTicker(a Axis, most int) plot.Ticker {
	var list plot.ConstantTicks
	for _, t := range ValueTicks(a.Values, most) {
		list = append(list, plot.Tick{Value: float64(t.Index), Label: printable(t.Text)})
	}
	return list
}

func newPlot() *plot.Plot { return paper.newPlot() }

// drawBar draws the colour bar beside the matrix: ticks at its right, the caption along them, and a cap in the marker
// colour at an end beyond which the matrix has values.
func drawBar(c draw.Canvas, f Figure, data vg.Rectangle) {
	area := c
	area.Min.X, area.Min.Y, area.Max.Y = data.Max.X+vg.Points(12), data.Min.Y, data.Max.Y
	area.Max.X = area.Min.X + vg.Points(11)
	drawColours(area, f.Scale)
	frame(c, area.Rectangle)
	widest := drawBarTicks(c, f.Scale, area.Rectangle)
	style := sans(vg.Points(9))
	style.Rotation, style.XAlign, style.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	c.FillText(style, vg.Point{X: area.Max.X + vg.Points(9) + widest, Y: (area.Min.Y + area.Max.Y) / 2}, printable(f.Caption))
	under, over := f.Scale.Outside(f.Matrix)
	height := vg.Points(4)
	if over > 0 {
		fill(c, vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: area.Max.Y + 2}, Max: vg.Point{X: area.Max.X, Y: area.Max.Y + 2 + height}}, or(f.Scale.Over, OverColour))
	}
	if under > 0 {
		fill(c, vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: area.Min.Y - 2 - height}, Max: vg.Point{X: area.Max.X, Y: area.Min.Y - 2}}, or(f.Scale.Under, UnderColour))
	}
}

// drawColours fills an area with the scale's colours as one image, since 256 abutting rectangles would show seams.
func drawColours(c draw.Canvas, s Scale) {
	c.DrawImage(c.Rectangle, ColourBar(s, len(Map{})))
}

// drawBarTicks returns the width of the widest tick text.
func drawBarTicks(c draw.Canvas, s Scale, area vg.Rectangle) (widest vg.Length) {
	style := sans(vg.Points(9))
	style.YAlign = draw.YCenter
	ticks := Ticks(s.Low, s.High, 7)
	texts := TickTexts(ticks)
	line := draw.LineStyle{Color: ink, Width: vg.Points(0.6)}
	for k, v := range ticks {
		y := area.Min.Y + (area.Max.Y-area.Min.Y)*vg.Length((v-s.Low)/(s.High-s.Low))
		c.StrokeLine2(line, area.Max.X, y, area.Max.X+vg.Points(3), y)
		c.FillText(style, vg.Point{X: area.Max.X + vg.Points(5), Y: y}, texts[k])
		widest = max(widest, style.Width(texts[k]))
	}
	return widest
}

// drawAbsent draws the hatched tile of a figure without a matrix where others have theirs, its reason on a white ground in
// the middle.
func (f Figure) drawAbsent(c draw.Canvas) {
	n := max(len(f.Axis.Values), 1)
	f.Matrix = variance.Matrix{N: n, Data: make([]float64, n*n)}
	heat := heatPlot(f)
	box := heat.DataCanvas(square(heat, draw.Crop(c, 0, -barRoom, 0, 0))).Rectangle
	left, low, side := box.Min.X, box.Min.Y, box.Max.X-box.Min.X
	line := draw.LineStyle{Color: hatching, Width: vg.Points(1)}
	for d := side / 20; d < 2*side; d += side / 20 {
		from, to := max(0, d-side), min(d, side)
		c.StrokeLine2(line, left+from, low+d-from, left+to, low+d-to)
	}
	frame(c, box)
	style := sans(vg.Points(12))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	reason := printable(f.Absent)
	if width, room := style.Width(reason), side-vg.Points(16); width > room {
		style.Font.Size *= room / width
	}
	half, middle := style.Width(reason)/2+vg.Points(6), vg.Point{X: left + side/2, Y: low + side/2}
	if reason == "" {
		return
	}
	fill(c, vg.Rectangle{Min: vg.Point{X: middle.X - half, Y: middle.Y - vg.Points(10)}, Max: vg.Point{X: middle.X + half, Y: middle.Y + vg.Points(10)}}, white)
	c.FillText(style, middle, reason)
}

func fill(c draw.Canvas, r vg.Rectangle, ground color.Color) {
	c.SetColor(ground)
	c.Fill(r.Path())
}

func frame(c draw.Canvas, r vg.Rectangle) {
	c.SetColor(ink)
	c.SetLineWidth(vg.Points(0.6))
	c.SetLineDash(nil, 0)
	c.Stroke(r.Path())
}
