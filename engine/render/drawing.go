package render

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Drawing is a figure that can stand in a file of its own or on a page.
type Drawing struct {
	width, height vg.Length
	draw          func(draw.Canvas)
}

// Write writes the drawing alone, as png (200 dpi), svg or pdf.
func (d Drawing) Write(w io.Writer, format string) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(d.width, d.height), vgimg.UseDPI(pngDPI))}
	case "svg":
		canvas = vgsvg.New(d.width, d.height)
	case "pdf":
		canvas = newPDF(vgpdf.New(d.width, d.height))
	default:
		return fmt.Errorf("draw picture: format %q is none of %s", format, strings.Join(Formats(), ", "))
	}
	c := draw.New(canvas)
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	d.draw(c)
	var buffer bytes.Buffer
	if _, err := canvas.WriteTo(&buffer); err != nil {
		return fmt.Errorf("draw picture as %s: %w", format, err)
	}
	_, err := w.Write(settled(format, buffer.Bytes()))
	return err
}

// Size is how large the drawing is, in millimetres.
func (d Drawing) Size() (width, height float64) {
	return float64(d.width / vg.Millimeter), float64(d.height / vg.Millimeter)
}

// Place draws on the current page of a PDF whose unit is the millimetre, as wide as width, with the
// corner at the top left at x, y. Texts are in a font of the PDF that has all their characters. The
// page's pen, colours and font are others afterwards.
func (d Drawing) Place(page *fpdf.Fpdf, fontFamily string, x, y, width float64) {
	k := width / d.width.Points()
	c := &pageCanvas{Fpdf: page, family: fontFamily, now: pageState{xx: k, yy: -k, x: x, y: y + k*d.height.Points()}}
	vg.Initialize(c)
	d.draw(draw.NewCanvas(c, d.width, d.height))
	page.SetDashPattern(nil, 0)
}

// cropped is the drawing without strips at the top and the bottom, where titles and notes of files
// stand.
func (d Drawing) cropped(top, bottom vg.Length) Drawing {
	return Drawing{d.width, d.height - top - bottom, func(c draw.Canvas) { d.draw(draw.Crop(c, 0, 0, -bottom, top)) }}
}

// pageCanvas is a canvas of gonum/plot on a part of a page of a PDF that others write as well.
type pageCanvas struct {
	*fpdf.Fpdf
	family string
	now    pageState
	before []pageState
}

// pageState leads from the canvas, in points upwards, to the page, in millimetres downwards: page X
// is xx X + xy Y + x, page Y is yx X + yy Y + y. Dashes are in millimetres.
type pageState struct {
	xx, xy, x, yx, yy, y float64
	width                vg.Length
	dashes               []float64
	offset               float64
	colour               color.Color
}

func (s pageState) at(p vg.Point) (x, y float64) {
	px, py := p.X.Points(), p.Y.Points()
	return s.xx*px + s.xy*py + s.x, s.yx*px + s.yy*py + s.y
}

// scale is millimetres per point.
func (s pageState) scale() float64 { return math.Hypot(s.xx, s.yx) }

// The methods of vg.Canvas.
func (c *pageCanvas) Push()                    { c.before = append(c.before, c.now) }
func (c *pageCanvas) SetLineWidth(w vg.Length) { c.now.width = w }
func (c *pageCanvas) SetColor(to color.Color)  { c.now.colour = to }

func (c *pageCanvas) Pop() {
	last := len(c.before) - 1
	c.now, c.before = c.before[last], c.before[:last]
}

func (c *pageCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.now.dashes, c.now.offset = nil, offset.Points()*c.now.scale()
	for _, length := range pattern {
		c.now.dashes = append(c.now.dashes, length.Points()*c.now.scale())
	}
}

func (c *pageCanvas) Translate(by vg.Point) { c.now.x, c.now.y = c.now.at(by) }

func (c *pageCanvas) Scale(x, y float64) {
	c.now.xx, c.now.yx, c.now.xy, c.now.yy = c.now.xx*x, c.now.yx*x, c.now.xy*y, c.now.yy*y
}

func (c *pageCanvas) Rotate(radians float64) {
	s := c.now
	sin, cos := math.Sincos(radians)
	c.now.xx, c.now.xy = s.xx*cos+s.xy*sin, s.xy*cos-s.xx*sin
	c.now.yx, c.now.yy = s.yx*cos+s.yy*sin, s.yy*cos-s.yx*sin
}

// mixed is the colour over white paper, which see-through ones are mixed with.
func (c *pageCanvas) mixed() (r, g, b int) {
	if c.now.colour == nil {
		return 0, 0, 0
	}
	n := color.NRGBAModel.Convert(c.now.colour).(color.NRGBA)
	mix := func(v uint8) int { return 255 - (255-int(v))*int(n.A)/255 }
	return mix(n.R), mix(n.G), mix(n.B)
}

func (c *pageCanvas) Stroke(p vg.Path) {
	if c.now.width <= 0 {
		return
	}
	c.SetDrawColor(c.mixed())
	c.Fpdf.SetLineWidth(c.now.width.Points() * c.now.scale())
	c.SetDashPattern(c.now.dashes, c.now.offset)
	c.path(p, "D")
}

func (c *pageCanvas) Fill(p vg.Path) {
	c.SetFillColor(c.mixed())
	c.path(p, "F")
}

func (c *pageCanvas) path(p vg.Path, how string) {
	for _, part := range p {
		switch x, y := c.now.at(part.Pos); part.Type {
		case vg.MoveComp:
			c.MoveTo(x, y)
		case vg.LineComp:
			c.LineTo(x, y)
		case vg.ArcComp:
			const pieces = 32
			for k := range pieces + 1 {
				sin, cos := math.Sincos(part.Start + part.Angle*float64(k)/pieces)
				on := vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)}
				if x, y = c.now.at(on); k == 0 && len(p) > 0 && p[0].Type == vg.ArcComp {
					c.MoveTo(x, y)
				} else {
					c.LineTo(x, y)
				}
			}
		case vg.CurveComp:
			x1, y1 := c.now.at(part.Control[0])
			x2, y2 := c.now.at(part.Control[len(part.Control)-1])
			c.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
		case vg.CloseComp:
			c.ClosePath()
		}
	}
	c.DrawPath(how)
}

func (c *pageCanvas) FillString(f font.Face, at vg.Point, text string) {
	x, y := c.now.at(at)
	c.SetFont(c.family, "", f.Font.Size.Points()*c.now.scale()/(25.4/72))
	c.SetTextColor(c.mixed())
	if turn := math.Atan2(-c.now.yx, c.now.xx) * 180 / math.Pi; math.Abs(turn) > 1e-9 {
		c.TransformBegin()
		defer c.TransformEnd()
		c.TransformRotate(turn, x, y)
	}
	c.Text(x, y, text)
}

// DrawImage writes an opaque image into the page itself: the writer of the PDF keeps images apart
// in the order of a map, so that equal documents would not give equal bytes. Rows run from the top;
// the page's compression makes the digits small.
func (c *pageCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	left, bottom := c.now.at(r.Min)
	right, top := c.now.at(r.Max)
	b := img.Bounds()
	digits := make([]byte, 0, 6*b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			at := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			digits = hex.AppendEncode(digits, []byte{at.R, at.G, at.B})
		}
	}
	const unit = 72 / 25.4
	_, pageHeight := c.GetPageSize()
	c.RawWriteStr(fmt.Sprintf("q %.3f 0 0 %.3f %.3f %.3f cm BI /W %d /H %d /CS /RGB /BPC 8 /F /AHx ID %s> EI Q",
		(right-left)*unit, (bottom-top)*unit, left*unit, (pageHeight-bottom)*unit, b.Dx(), b.Dy(), digits))
}
