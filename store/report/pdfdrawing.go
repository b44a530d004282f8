package report

import (
	"encoding/hex"
	"fmt"
	"image"
	"image/color"

	"codeberg.org/go-pdf/fpdf"
)

// paperInks are the colours of the roles on paper; they are those of the page's light theme.
var paperInks = map[Ink]color.RGBA{
	Strong: inkColour, Soft: softColour, Grid: gridColour, "ground": groundColour,
	"s0": rgb(0x0072b2), "s1": rgb(0xd55e00), "s2": rgb(0x009e73), "s3": rgb(0xb7548f),
	"s4": rgb(0x3b8ec2), "s5": rgb(0xa97400), "s6": rgb(0x505050), "s7": rgb(0x8c564b),
	"under": rgb(0x00a5b8), "over": rgb(0xff2d78),
}

// rgb is the colour 0xRRGGBB.
func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// The measures of figures, in millimetres.
const (
	drawingScale = 0.17 // millimetres per unit: three matrices in a row
	figureGap    = 3.0
)

// figures writes drawings side by side with their captions, row by row; a row is never torn. Below the last one stands what is tail
// millimetres high.
func (p *paper) figures(list Figures, tail float64) {
	for len(list) > 0 {
		row, rest := p.nextRow(list)
		below := 0.0
		if len(rest) == 0 {
			below = tail
		}
		p.figureRow(row, below)
		list = rest
	}
}

// nextRow are the figures that stand in the next row, and those after it.
func (p *paper) nextRow(list Figures) (row, rest Figures) {
	n, wide := 0, 0.0
	for n < len(list) {
		next := width(list[n])
		if n > 0 && wide+figureGap+next > textWidth+0.01 {
			break
		}
		wide += next
		if n > 0 {
			wide += figureGap
		}
		n++
	}
	return list[:n], list[n:]
}

// width is a figure's on paper.
func width(f Figure) float64 { return min(f.Drawing.Width*drawingScale, textWidth) }

// captionSize is that of captions, in points.
const captionSize = 7.5

// figureHeight is the height of a row's drawings, and of its captions, whose lines it gives as well.
func (p *paper) figureHeight(row Figures) (height, below float64, captions [][]string) {
	captions = make([][]string, len(row))
	p.font(sans, "", captionSize)
	for k, f := range row {
		height = max(height, f.Drawing.Height*width(f)/f.Drawing.Width)
		if f.Caption != "" {
			captions[k] = p.wrap(p.clean(f.Caption, sans), width(f))
		}
		below = max(below, float64(len(captions[k]))*lineHeight(captionSize))
	}
	return height, below, captions
}

func (p *paper) figureRow(row Figures, tail float64) {
	const size = captionSize
	height, below, captions := p.figureHeight(row)
	p.room(height + below + 2 + tail)
	x := pageMargin
	for k, f := range row {
		p.drawing(f.Drawing, x, p.y, width(f)/f.Drawing.Width)
		p.font(sans, "", size)
		p.pen(softColour)
		top := p.y + f.Drawing.Height*width(f)/f.Drawing.Width
		for i, line := range captions[k] {
			p.Text(x, top+(float64(i)+0.8)*lineHeight(size), line)
		}
		x += width(f) + figureGap
	}
	p.y += height + below + 2.5
}

// drawing draws the marks at a place, scale millimetres per unit.
func (p *paper) drawing(d Drawing, left, top, scale float64) {
	for _, m := range d.Marks {
		p.mark(m, left, top, scale)
	}
	p.SetDashPattern(nil, 0)
}

func (p *paper) mark(m Mark, left, top, scale float64) {
	x, y := left+m.X*scale, top+m.Y*scale
	wide, high := (m.X2-m.X)*scale, (m.Y2-m.Y)*scale
	c := paperInks[m.Ink]
	p.ink(c)
	p.SetLineWidth(max(m.Weight, 1) * scale)
	switch m.Shape {
	case Line:
		p.Line(x, y, x+wide, y+high)
	case Box:
		p.box(m, fpdf.PointType{X: x, Y: y}, fpdf.SizeType{Wd: wide, Ht: high})
	case Path:
		p.path(m, left, top, scale)
	case Words:
		p.drawnWords(m, x, y, scale)
	case Image:
		p.picture(m.Picture, fpdf.PointType{X: x, Y: y}, fpdf.SizeType{Wd: wide, Ht: high})
	}
}

// box fills or frames a rectangle. What shines through on a page is mixed with white here.
func (p *paper) box(m Mark, at fpdf.PointType, size fpdf.SizeType) {
	if !m.Fill {
		p.Rect(at.X, at.Y, size.Wd, size.Ht, "D")
		return
	}
	c, share := paperInks[m.Ink], m.Opacity
	if share == 0 {
		share = 1
	}
	mix := func(v uint8) int { return int(255 - share*(255-float64(v)) + 0.5) }
	p.SetFillColor(mix(c.R), mix(c.G), mix(c.B))
	p.Rect(at.X, at.Y, size.Wd, size.Ht, "F")
}

func (p *paper) path(m Mark, left, top, scale float64) {
	if m.Dashed {
		p.SetDashPattern([]float64{6 * scale, 4 * scale}, 0)
	}
	for k, at := range m.Points {
		x, y := left+at.X*scale, top+at.Y*scale
		if k == 0 {
			p.MoveTo(x, y)
		} else {
			p.LineTo(x, y)
		}
	}
	p.DrawPath("D")
	p.SetDashPattern(nil, 0)
}

func (p *paper) drawnWords(m Mark, x, y, scale float64) {
	style := ""
	if m.Bold {
		style = "B"
	}
	p.font(sans, style, m.Size*scale/pointHeight)
	p.pen(paperInks[m.Ink])
	text := p.clean(m.Text, sans)
	shift := 0.0
	switch m.Anchor {
	case Middle:
		shift = p.GetStringWidth(text) / 2
	case End:
		shift = p.GetStringWidth(text)
	}
	if m.Turned {
		p.TransformBegin()
		p.TransformRotate(90, x, y)
		defer p.TransformEnd()
	}
	p.Text(x-shift, y, text)
}

// picture writes an image into the page itself: the PDF writer keeps images apart in the order of a map, so that equal
// documents would not give equal bytes. Rows run from the top; the page's own compression makes the digits small.
func (p *paper) picture(img *image.RGBA, at fpdf.PointType, size fpdf.SizeType) {
	wide, high := img.Rect.Dx(), img.Rect.Dy()
	digits := make([]byte, 0, 6*wide*high)
	for k := 0; k < len(img.Pix); k += 4 {
		digits = hex.AppendEncode(digits, img.Pix[k:k+3])
	}
	const unit = 72 / 25.4
	p.RawWriteStr(fmt.Sprintf("q %.3f 0 0 %.3f %.3f %.3f cm BI /W %d /H %d /CS /RGB /BPC 8 /F /AHx ID %s> EI Q",
		size.Wd*unit, size.Ht*unit, at.X*unit, (pageHeight-at.Y-size.Ht)*unit, wide, high, digits))
}
