package render

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/variscope/variscope/engine/suite"
)

// ContactTile is one picture of a contact sheet with what is written below it: a keyword, its level, a distance.
type ContactTile struct {
	Image suite.Image
	Lines []string
	// Frame is the colour around the picture, such as that of a level or of a veto; zero for none.
	Frame color.RGBA
}

// ContactSheet shows a target and its composites: the target first, in a thick frame, then the composites in their order, row by row.
type ContactSheet struct {
	Title, Note string
	Target      ContactTile
	Composites  []ContactTile
	// Key names the colours of frames; nil for none.
	Key []Group
	// Columns is how many pictures stand in a row; 0 takes 8 to 12, so that the last row is as full as possible.
	Columns int
	// Dark draws light texts on a dark ground, in Picture alone.
	Dark bool
}

// The sizes of a contact sheet on paper.
const (
	contactSide  = 2.3 * vg.Centimeter
	contactGap   = 0.25 * vg.Centimeter
	contactLine  = 0.32 * vg.Centimeter
	contactText  = 7.5 // points
	contactPixel = 256 // of a picture's longer side in files that can be enlarged
)

var (
	darkGround = color.RGBA{0x1c, 0x1e, 0x22, 0xff}
	darkInk    = color.RGBA{0xe6, 0xe6, 0xe6, 0xff}
)

// Write draws the sheet as png (200 dpi), svg or pdf, 2.55 cm per picture wide. Equal sheets give equal bytes. No composites, a picture
// whose pixels do not fit its size, and columns below 0 are errors.
func (s ContactSheet) Write(w io.Writer, format string) error {
	if err := s.check(); err != nil {
		return err
	}
	s.Dark = false
	pixels := contactPixel
	if format == "png" {
		pixels = int(math.Round(float64(contactSide) / 72 * pngDPI))
	}
	width, height := s.size()
	return write(w, format, width, height, func(c draw.Canvas) { s.draw(c, pixels) })
}

// Picture draws the sheet for the screen, about width pixels wide, and says where the pictures lie: the target's place first, then those of the
// composites. The errors are those of Write, and a width below 1.
func (s ContactSheet) Picture(width int) (img *image.RGBA, places []image.Rectangle, err error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	if width < 1 {
		return nil, nil, fmt.Errorf("draw contact sheet %q: a picture cannot be %d pixels wide", s.Title, width)
	}
	wide, high := s.size()
	dpi := max(1, int(math.Round(float64(width)*72/float64(wide))))
	per := float64(dpi) / 72
	canvas := vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(s.ground()))
	s.draw(draw.New(canvas), max(1, int(math.Round(float64(contactSide)*per))))
	img = image.NewRGBA(canvas.Image().Bounds())
	copy(img.Pix, canvas.Image().(*image.RGBA).Pix)
	for k := range len(s.Composites) + 1 {
		at := s.place(k)
		places = append(places, image.Rect(
			int(math.Round(float64(at.Min.X)*per)), int(math.Round(float64(high-at.Max.Y)*per)),
			int(math.Round(float64(at.Max.X)*per)), int(math.Round(float64(high-at.Min.Y)*per))))
	}
	return img, places, nil
}

func (s ContactSheet) check() error {
	if len(s.Composites) == 0 {
		return fmt.Errorf("draw contact sheet %q: no composites to draw", s.Title)
	}
	if s.Columns < 0 {
		return fmt.Errorf("draw contact sheet %q: %d columns", s.Title, s.Columns)
	}
	for k := range len(s.Composites) + 1 {
		img := s.tile(k).Image
		if img.Height < 1 || img.Width < 1 || img.Channels != 1 && img.Channels != 3 || len(img.Pix) != img.Channels*img.Height*img.Width {
			return fmt.Errorf("draw contact sheet %q: picture %d has %d pixels for %d x %d x %d", s.Title, k, len(img.Pix), img.Channels, img.Height, img.Width)
		}
	}
	return nil
}

// tile is the target for 0, then the composites.
func (s ContactSheet) tile(k int) ContactTile {
	if k == 0 {
		return s.Target
	}
	return s.Composites[k-1]
}

// columns are those asked for, else 8 to 12 with the fewest empty places in the last row; of several the most.
func (s ContactSheet) columns() int {
	all := len(s.Composites) + 1
	if s.Columns > 0 {
		return min(s.Columns, all)
	}
	best, empty := min(all, 12), math.MaxInt
	for n := 12; n >= 8 && all > 12; n-- {
		if left := (n - all%n) % n; left < empty {
			best, empty = n, left
		}
	}
	return best
}

func (s ContactSheet) rows() int {
	n := s.columns()
	return (len(s.Composites) + n) / n
}

// lines are the most that stand below a picture.
func (s ContactSheet) lines() int {
	most := len(s.Target.Lines)
	for _, t := range s.Composites {
		most = max(most, len(t.Lines))
	}
	return most
}

// pitch is the height of a row.
func (s ContactSheet) pitch() vg.Length {
	return contactSide + contactGap + contactLine*vg.Length(s.lines()) + vg.Points(2)
}

// foot is the room below the pictures.
func (s ContactSheet) foot() vg.Length {
	room := margin
	if s.Note != "" {
		room += noteHeight
	}
	if len(s.Key) > 0 {
		room += legendLine + margin
	}
	return room
}

func (s ContactSheet) head() vg.Length {
	if s.Title == "" {
		return margin
	}
	return titleHeight + margin
}

func (s ContactSheet) size() (width, height vg.Length) {
	width = vg.Length(s.columns())*(contactSide+contactGap) + contactGap
	return width, s.head() + vg.Length(s.rows())*s.pitch() + s.foot()
}

// place is where the picture of a tile lies, from the lower left of the sheet.
func (s ContactSheet) place(k int) vg.Rectangle {
	_, height := s.size()
	n := s.columns()
	left := contactGap + vg.Length(k%n)*(contactSide+contactGap)
	top := height - s.head() - vg.Length(k/n)*s.pitch()
	return vg.Rectangle{Min: vg.Point{X: left, Y: top - contactSide}, Max: vg.Point{X: left + contactSide, Y: top}}
}

func (s ContactSheet) ground() color.RGBA {
	if s.Dark {
		return darkGround
	}
	return white
}

func (s ContactSheet) ink() color.RGBA {
	if s.Dark {
		return darkInk
	}
	return ink
}

// draw draws the sheet; pixels is the longer side of a picture.
func (s ContactSheet) draw(c draw.Canvas, pixels int) {
	if s.Title != "" {
		writeColoured(c, s.Title, vg.Points(13), c.Max.Y-margin, draw.YTop, s.ink())
	}
	if s.Note != "" {
		writeColoured(c, s.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom, s.ink())
	}
	if len(s.Key) > 0 {
		at := c
		at.Min.X, at.Max.X = c.Min.X+contactGap, c.Max.X-contactGap
		at.Max.Y = c.Min.Y + s.foot() - margin
		key := barLegend(s.Key)
		key.on.Ink = s.ink()
		key.draw(at)
	}
	s.pictures(c, pixels)
	for k := range len(s.Composites) + 1 {
		at := s.place(k)
		at.Min, at.Max = at.Min.Add(c.Min), at.Max.Add(c.Min)
		s.around(c, k, at)
	}
}

// around draws a picture's frame and what stands below it.
func (s ContactSheet) around(c draw.Canvas, k int, at vg.Rectangle) {
	tile := s.tile(k)
	colour, width := tile.Frame, vg.Points(1.6)
	if k == 0 {
		width = vg.Points(2.4)
		if colour == (color.RGBA{}) {
			colour = s.ink()
		}
	}
	if colour != (color.RGBA{}) {
		out := width / 2
		c.StrokeLines(draw.LineStyle{Color: colour, Width: width}, []vg.Point{
			{X: at.Min.X - out, Y: at.Min.Y - out},
			{X: at.Max.X + out, Y: at.Min.Y - out},
			{X: at.Max.X + out, Y: at.Max.Y + out},
			{X: at.Min.X - out, Y: at.Max.Y + out},
			{X: at.Min.X - out, Y: at.Min.Y - 2*out},
		})
	}
	below := draw.Canvas{Canvas: c.Canvas, Rectangle: at}
	below.Min.X, below.Max.X = at.Min.X-contactGap/2-margin, at.Max.X+contactGap/2+margin // writeColoured leaves a margin
	for n, line := range tile.Lines {
		writeColoured(below, line, vg.Points(contactText), at.Min.Y-vg.Points(3)-contactLine*vg.Length(n), draw.YTop, s.ink())
	}
}

// pictures draws all pictures as one image, with room for texts between the rows: a PDF that has many images of one size would widen them.
func (s ContactSheet) pictures(c draw.Canvas, pixels int) {
	all, last := len(s.Composites)+1, s.columns()-1
	area := s.place(0)
	area.Min.Y, area.Max.X = s.place(all-1).Min.Y, s.place(last).Max.X
	dots := func(v vg.Length) int { return int(math.Round(float64(v/contactSide) * float64(pixels))) }
	grid := image.NewRGBA(image.Rect(0, 0, dots(area.Max.X-area.Min.X), dots(area.Max.Y-area.Min.Y)))
	paint(grid, s.ground())
	for k := range all {
		at := s.place(k)
		corner := image.Pt(dots(at.Min.X-area.Min.X), dots(area.Max.Y-at.Max.Y))
		picture(grid, corner, pixels, s.tile(k).Image)
	}
	area.Min, area.Max = area.Min.Add(c.Min), area.Max.Add(c.Min)
	c.DrawImage(area, grid)
}

func paint(img *image.RGBA, c color.RGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
}

// picture puts an image in the middle of a square whose upper left corner is given, in its own proportions: made smaller smoothly, larger by repeating pixels.
func picture(on *image.RGBA, corner image.Point, side int, img suite.Image) {
	longest := max(img.Height, img.Width)
	height, width := max(1, img.Height*side/longest), max(1, img.Width*side/longest)
	if longest > side {
		img = suite.Fit(img, suite.Fitting{Height: height, Width: width})
	}
	corner = corner.Add(image.Pt((side-width)/2, (side-height)/2))
	rows, columns := suite.Fitting{Height: height, Width: width}.Nearest(img.Height, img.Width)
	pixels := img.RGBA()
	for y, from := range rows {
		for x, at := range columns {
			on.SetRGBA(corner.X+x, corner.Y+y, pixels.RGBAAt(at, from))
		}
	}
}
