package render

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// lineColours tell up to eight series apart, also with colour vision deficiency; dashes tell the next eight.
var lineColours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff},
	{0xd5, 0x5e, 0x00, 0xff},
	{0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff},
	{0xe6, 0x9f, 0x00, 0xff},
	{0x50, 0x50, 0x50, 0xff},
	{0x8c, 0x56, 0x4b, 0xff},
}

// noteLines breaks the lines of a note between words where they are wider than the room.
func noteLines(note string, room vg.Length) (lines []string) {
	style := sans(vg.Points(8))
	for _, line := range strings.Split(note, "\n") {
		text := ""
		for _, word := range strings.Fields(line) {
			longer := strings.TrimSpace(text + " " + word)
			if text != "" && style.Width(printable(longer)) > room {
				lines, longer = append(lines, text), word
			}
			text = longer
		}
		lines = append(lines, text)
	}
	return lines
}

// noteLine is the distance between two lines of a note.
const noteLine = 0.36 * vg.Centimeter

// framed draws a plot with its title above and its note and the names of its lines below.
func framed(c draw.Canvas, title, note string, names legend, p *plot.Plot) {
	writeLine(c, title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	body := draw.Crop(c, margin, -2*margin, margin, -titleHeight)
	if note != "" {
		lines := noteLines(note, c.Max.X-c.Min.X-2*margin)
		for k, line := range lines {
			writeLine(c, line, vg.Points(8), c.Min.Y+margin+noteLine*vg.Length(len(lines)-1-k), draw.YBottom)
		}
		body = draw.Crop(body, 0, 0, noteHeight+noteLine*vg.Length(len(lines)-1), 0)
	}
	p.Draw(draw.Crop(body, 0, 0, 0, -names.height(body)))
	names.draw(body)
}

func lineStyle(k int) draw.LineStyle {
	style := draw.LineStyle{Color: lineColours[k%len(lineColours)], Width: vg.Points(1.4)}
	if k/len(lineColours)%2 == 1 {
		style.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	return style
}
