package report

import "image"

// Drawing is a picture made of marks, in units of 1/96 inch with the origin at the top left. It is written as SVG into a
// page and with the same marks into a PDF.
type Drawing struct {
	Width, Height float64
	Marks         []Mark
	Alt           string // what it shows, for those who cannot see it
}

// Shape is what a Mark is.
type Shape string

// The shapes of marks.
const (
	Line  Shape = "line"  // from X, Y to X2, Y2
	Box   Shape = "box"   // corners X, Y and X2, Y2; filled where Fill is set, else framed
	Path  Shape = "path"  // through Points
	Words Shape = "words" // Text at the baseline X, Y
	Image Shape = "image" // Picture, stretched to the corners X, Y and X2, Y2
)

// Ink is the role of a colour; page and paper each have their own colours for it.
type Ink string

// The roles. Series s0..s7 are those of lines.
const (
	Strong Ink = "ink"  // text and frames
	Soft   Ink = "soft" // tick texts
	Grid   Ink = "grid"
)

// seriesInks are the roles of the lines of a chart, in order.
var seriesInks = []Ink{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"}

// Mark is one element of a drawing.
type Mark struct {
	Shape        Shape
	X, Y, X2, Y2 float64
	Points       []Point
	Ink          Ink
	Fill         bool
	Opacity      float64 // of a filled box; 0 is 1
	Weight       float64 // of a line; 0 is 1
	Dashed       bool
	Text         string
	Size         float64 // of text
	Anchor       Anchor
	Turned       bool // text that runs upward
	Bold         bool
	Picture      *image.RGBA // opaque
}

// Point is a place in a drawing.
type Point struct{ X, Y float64 }

// Anchor is the point of a text that lies at X.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

func (d *Drawing) add(m Mark) { d.Marks = append(d.Marks, m) }

func (d *Drawing) line(ink Ink, a, b Point) {
	d.add(Mark{Shape: Line, X: a.X, Y: a.Y, X2: b.X, Y2: b.Y, Ink: ink})
}

func (d *Drawing) frame(a, b Point) {
	d.add(Mark{Shape: Box, X: a.X, Y: a.Y, X2: b.X, Y2: b.Y, Ink: Strong})
}

// words writes a line of text; size is its height in units.
func (d *Drawing) words(at Point, anchor Anchor, size float64, text string) *Mark {
	d.add(Mark{Shape: Words, X: at.X, Y: at.Y, Anchor: anchor, Size: size, Text: text, Ink: Strong})
	return &d.Marks[len(d.Marks)-1]
}

// picture puts an image between two corners.
func (d *Drawing) picture(img *image.RGBA, a, b Point) {
	d.add(Mark{Shape: Image, X: a.X, Y: a.Y, X2: b.X, Y2: b.Y, Picture: img})
}
