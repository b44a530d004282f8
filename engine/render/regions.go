package render

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
)

// Regions draws a distribution over n x n regions on a picture: an image in gray, a cell per region coloured by its value, and
// the number in it (the maps of a D-Score).
type Regions struct {
	Title  string
	Image  suite.Image // drawn below the cells; a zero Image leaves it out, and the cells are opaque and form a square
	N      int
	Values []float64 // per region, row-major from the upper left; NaN is hatched
	// Scale colours the values; a signed one (a difference) is diverging.
	Scale Scale
	// Legend names the values: "share of features".
	Legend string
	// Text writes a number into its cell; nil for three digits behind the point.
	Text func(v float64) string
	// Marked are regions 1..n*n with a thick frame.
	Marked []int
	Note   string // a small line below
	pixels int    // of the longer side; 0 for regionsPixels
}

// RegionsRow is several distributions side by side under one title: features, attention, and their difference.
type RegionsRow struct {
	Title string
	Maps  []Regions
	Note  string // a small line below
}

// The longest side of a picture, and the least width that a map has for its title.
const (
	regionsSide  = 6.4 * vg.Centimeter
	regionsWidth = 7 * vg.Centimeter
)

// Write writes the picture as PNG, SVG or PDF (the formats of Mosaic.Write). Equal pictures give equal bytes. No regions, other than
// n*n values, and an image whose pixels do not fit its size are errors.
func (r Regions) Write(w io.Writer, format string) error {
	return RegionsRow{Maps: []Regions{r}}.Write(w, format)
}

// Write is that of Regions, for all maps. It fails without any.
func (r RegionsRow) Write(w io.Writer, format string) error {
	d, err := r.drawing()
	if err != nil {
		return err
	}
	return d.Write(w, format)
}

// OnPage is the picture for a page, which has its own place for the title and holds many pictures,
// so that they have fewer pixels.
func (r RegionsRow) OnPage() (Drawing, error) {
	r.Title, r.Maps = "", slices.Clone(r.Maps)
	for k := range r.Maps {
		r.Maps[k].pixels = regionsPixels / 3
	}
	return r.drawing()
}

func (r RegionsRow) drawing() (Drawing, error) {
	if len(r.Maps) == 0 {
		return Drawing{}, fmt.Errorf("draw regions %q: no maps to draw", r.Title)
	}
	var width, height vg.Length
	for _, m := range r.Maps {
		if err := m.check(); err != nil {
			return Drawing{}, err
		}
		wide, high := m.size()
		width, height = width+m.room(wide), max(height, high)
	}
	head, foot := vg.Length(0), vg.Length(0)
	if r.Title != "" {
		head = titleHeight
	}
	if r.Note != "" {
		foot = noteHeight
	}
	for _, m := range r.Maps {
		if m.Note != "" {
			foot += noteHeight
			break
		}
	}
	return Drawing{width, height + head + foot + titleHeight + 4*margin, func(c draw.Canvas) { r.draw(c, head) }}, nil
}

func (r RegionsRow) draw(c draw.Canvas, head vg.Length) {
	if r.Title != "" {
		writeLine(c, r.Title, vg.Points(15), c.Max.Y-margin, draw.YTop)
	}
	low := c.Min.Y + margin
	if r.Note != "" {
		writeLine(c, r.Note, vg.Points(8), low, draw.YBottom)
		low += noteHeight
	}
	left := c.Min.X
	for _, m := range r.Maps {
		wide, _ := m.size()
		place := c
		place.Min.X, place.Max.X = left, left+m.room(wide)
		place.Min.Y, place.Max.Y = low, c.Max.Y-head
		m.draw(place)
		left = place.Max.X
	}
}

func (r Regions) check() error {
	if r.N < 1 || len(r.Values) != r.N*r.N {
		return fmt.Errorf("draw regions %q: %d values for %d x %d regions", r.Title, len(r.Values), r.N, r.N)
	}
	img := r.Image
	if img.Channels < 0 || img.Height < 0 || img.Width < 0 || len(img.Pix) != img.Channels*img.Height*img.Width {
		return fmt.Errorf("draw regions %q: %d pixels for an image of %d x %d x %d", r.Title, len(img.Pix), img.Channels, img.Height, img.Width)
	}
	return nil
}

// size is that of the picture on paper, in the image's proportions.
func (r Regions) size() (width, height vg.Length) {
	if len(r.Image.Pix) == 0 {
		return regionsSide, regionsSide
	}
	longest := vg.Length(max(r.Image.Width, r.Image.Height))
	return regionsSide * vg.Length(r.Image.Width) / longest, regionsSide * vg.Length(r.Image.Height) / longest
}

// room is the width of a map with everything beside it.
func (r Regions) room(wide vg.Length) vg.Length { return max(wide+barRoom+3*margin, regionsWidth) }

// draw draws the map on the whole canvas: title, picture and colour bar, note.
func (r Regions) draw(c draw.Canvas) {
	r.Scale = r.Scale.Signed()
	writeLine(c, r.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	if r.Note != "" {
		writeLine(c, r.Note, vg.Points(8), c.Min.Y, draw.YBottom)
	}
	wide, high := r.size()
	left := c.Min.X + max(margin, (c.Max.X-c.Min.X-wide-barRoom)/2)
	top := c.Max.Y - titleHeight - margin
	area := vg.Rectangle{Min: vg.Point{X: left, Y: top - high}, Max: vg.Point{X: left + wide, Y: top}}
	c.DrawImage(area, r.picture())
	r.lines(c, area)
	r.numbers(c, area)
	frame(c, area)
	bar := Figure{Scale: r.Scale, Caption: r.Legend, Matrix: variance.Matrix{N: r.N, Data: r.Values}}
	if !(bar.Scale.High > bar.Scale.Low) { // as heat maps do, whose bar would have no ends
		bar.Scale.High = bar.Scale.Low + 1
	}
	drawBar(c, bar, area)
}

// regionsPixels is about how many pixels the longer side of a picture has: enough that the edges of cells look sharp.
const regionsPixels = 900

// picture lays the cells over the image, both enlarged without smoothing; what is NaN is paler, for the hatching.
func (r Regions) picture() *image.RGBA {
	wide, high, opacity := 1, 1, 1.0
	if len(r.Image.Pix) > 0 {
		wide, high, opacity = r.Image.Width, r.Image.Height, RegionOpacity
	}
	times := max(1, (cmp.Or(r.pixels, regionsPixels)+max(wide, high)-1)/max(wide, high))
	cells := RegionCells(r.N, r.Values, r.Scale, 1)
	img := image.NewRGBA(image.Rect(0, 0, wide*times, high*times))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			ground := r.gray(x/times, y/times)
			cell, share := cells.NRGBAAt(x*r.N/img.Rect.Dx(), y*r.N/img.Rect.Dy()), opacity
			if cell.A == 0 {
				cell, share = color.NRGBA{0xff, 0xff, 0xff, 0xff}, RegionOpacity
			}
			mix := func(v uint8) uint8 { return uint8(float64(share*float64(v)) + float64((1-share)*ground) + 0.5) }
			img.SetRGBA(x, y, color.RGBA{mix(cell.R), mix(cell.G), mix(cell.B), 0xff})
		}
	}
	return img
}

// gray is the luma of a pixel of the image, from 0 to 255; white without an image.
func (r Regions) gray(x, y int) float64 {
	img := r.Image
	if len(img.Pix) == 0 {
		return 255
	}
	area, at := img.Height*img.Width, y*img.Width+x
	v := float64(img.Pix[at])
	if img.Channels >= 3 {
		v = float64(0.299*v) + float64(0.587*float64(img.Pix[area+at])) + float64(0.114*float64(img.Pix[2*area+at]))
	}
	return min(max(v, 0), 1) * 255
}

// cell is where region 1..n*n lies in an area.
func (r Regions) cell(area vg.Rectangle, region int) vg.Rectangle {
	n := vg.Length(r.N)
	row, col := vg.Length((region-1)/r.N), vg.Length((region-1)%r.N)
	size := area.Size()
	return vg.Rectangle{
		Min: vg.Point{X: area.Min.X + size.X*col/n, Y: area.Max.Y - size.Y*(row+1)/n},
		Max: vg.Point{X: area.Min.X + size.X*(col+1)/n, Y: area.Max.Y - size.Y*row/n},
	}
}

// lines draws the lines between cells, the hatching of those without a value, and the frames of marked ones.
func (r Regions) lines(c draw.Canvas, area vg.Rectangle) {
	thin := draw.LineStyle{Color: white, Width: vg.Points(0.5)}
	for k := 1; k < r.N; k++ {
		at := r.cell(area, k*r.N+1) // the first of its row
		c.StrokeLine2(thin, area.Min.X, at.Max.Y, area.Max.X, at.Max.Y)
		at = r.cell(area, k+1)
		c.StrokeLine2(thin, at.Min.X, area.Min.Y, at.Min.X, area.Max.Y)
	}
	for k, v := range r.Values {
		if math.IsNaN(v) {
			hatch(c, r.cell(area, k+1))
		}
	}
	for _, region := range r.Marked {
		if region < 1 || region > r.N*r.N {
			continue
		}
		cell := r.cell(area, region)
		for _, look := range []draw.LineStyle{{Color: ink, Width: vg.Points(3.4)}, {Color: white, Width: vg.Points(1.6)}} {
			inner := vg.Points(2.2)
			c.StrokeLines(look, []vg.Point{
				{X: cell.Min.X + inner, Y: cell.Min.Y + inner},
				{X: cell.Max.X - inner, Y: cell.Min.Y + inner},
				{X: cell.Max.X - inner, Y: cell.Max.Y - inner},
				{X: cell.Min.X + inner, Y: cell.Max.Y - inner},
				{X: cell.Min.X + inner, Y: cell.Min.Y + inner},
			})
		}
	}
}

// hatch draws diagonals over a box.
func hatch(c draw.Canvas, b vg.Rectangle) {
	line := draw.LineStyle{Color: hatching, Width: vg.Points(0.8)}
	size := b.Size()
	step := min(vg.Points(6), size.X/2)
	for d := step; d < size.X+size.Y; d += step {
		from, to := max(0, d-size.Y), min(d, size.X)
		c.StrokeLine2(line, b.Min.X+from, b.Min.Y+d-from, b.Min.X+to, b.Min.Y+d-to)
	}
}

// numbers writes all values, each on a ground in its own full colour; smaller where they need it, and none where they would be too
// small to be read.
func (r Regions) numbers(c draw.Canvas, area vg.Rectangle) {
	text := r.Text
	if text == nil {
		text = func(v float64) string { return result.Number.Say(v, 0) }
	}
	list, style := make([]string, len(r.Values)), sans(vg.Points(10))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	var most vg.Length
	for k, v := range r.Values {
		if !math.IsNaN(v) {
			list[k] = printable(text(v))
			most = max(most, style.Width(list[k]))
		}
	}
	cell := r.cell(area, 1).Size()
	room := min(cell.X/(most+vg.Points(8)), cell.Y/vg.Points(14), 1)
	if room < 0.45 {
		return
	}
	style.Font.Size *= room
	for k, number := range list {
		if number == "" {
			continue
		}
		at, colour := r.cell(area, k+1), r.Scale.Color(r.Values[k])
		middle := vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: (at.Min.Y + at.Max.Y) / 2}
		half := vg.Point{X: style.Width(number)/2 + vg.Points(2.5)*room, Y: vg.Points(6.5) * room}
		fill(c, vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, colour)
		style.Color = Legible(colour)
		c.FillText(style, middle, number)
	}
}
