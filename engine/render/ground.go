package render

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Ground is what a figure is drawn on: a window in one of its themes. Files have white paper.
type Ground struct {
	Ink, Faint color.Color // of texts and axes; of what is less important
	Grid       color.Color // of lines at the ticks
	Back       color.Color // of the window, for the rims of points
	Dark       bool        // looks have their colours for dark grounds
	Size       float32     // of texts, in device-independent pixels
	// Measure is how wide and high the window sets a text in a size.
	Measure func(text string, size float32) (width, height float32)

	scale  float64     // of all lengths; 0 for 1
	screen bool        // false for paper
	page   bool        // of many figures, whose images are small
	texts  func(Text)  // gets upright texts of a window, which its drawing leaves out
	behind color.Color // the ground of such texts, nil for none
}

// paper is the ground of figures in files.
var paper = Ground{Ink: ink, Faint: ink, Grid: color.RGBA{0xdd, 0xdf, 0xe2, 0xff}, Size: 9}

// page is the ground of figures on pages.
var page = func() Ground {
	g := paper
	g.page = true
	return g
}()

// pick is a length on paper, or in pixels of a window.
func (g Ground) pick(paper, window float64) vg.Length {
	if !g.screen {
		return vg.Points(paper)
	}
	return vg.Points(window * g.scale)
}

// text is the style of texts of the usual size.
func (g Ground) text() draw.TextStyle {
	style := sans(g.pick(9, float64(g.Size)))
	style.Color = g.Ink
	if g.screen {
		style.Handler = windowTexts{plot.DefaultTextHandler, g}
	}
	return style
}

// line is the height of a line of text with the distance to the next.
func (g Ground) line() vg.Length {
	if !g.screen {
		return legendLine
	}
	return g.text().Height("0") + g.pick(0, 1)
}

// say is a text as it can be written: files have fewer characters.
func (g Ground) say(text string) string {
	if !g.screen {
		return printable(text)
	}
	return text
}

// colour is that of a look.
func (g Ground) colour(look result.Look) color.Color { return g.appearance(Looks[look]) }

// groupColour is the colour of a group.
func (g Ground) groupColour(group result.Group) color.Color {
	if group.Colour != nil {
		return group.Colour
	}
	return g.colour(group.Look)
}

func (g Ground) appearance(a Appearance) color.Color {
	if g.Dark {
		return a.Dark
	}
	return a.Light
}

// thin is the style of axes and thin lines.
func (g Ground) thin(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: g.pick(0.6, 1)}
}

// lineStyle is that of line k: no two lines differ by colour alone.
func (g Ground) lineStyle(k int) draw.LineStyle {
	style := draw.LineStyle{Color: g.colour(result.Category(k)), Width: g.pick(1.4, 1.6)}
	dashes := [...][]vg.Length{nil, {g.pick(5, 6), g.pick(3, 4)}, {g.pick(1.5, 2.5), g.pick(2, 2.5)}}
	style.Dashes = dashes[k%len(dashes)]
	return style
}

// newPlot is a plot with empty axes in the ground's colours and texts.
func (g Ground) newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		label, tick := axis.Label.TextStyle, axis.Tick.Label
		axis.Label.TextStyle, axis.Tick.Label = g.text(), g.text()
		axis.Label.TextStyle.Rotation, axis.Label.TextStyle.Color = label.Rotation, g.Faint
		axis.Label.TextStyle.XAlign, axis.Label.TextStyle.YAlign = label.XAlign, label.YAlign
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = tick.XAlign, tick.YAlign
		axis.Label.Padding = g.pick(4, 1)
		axis.LineStyle, axis.Tick.LineStyle = g.thin(g.Faint), g.thin(g.Faint)
		axis.Padding = 0
		axis.Tick.Length = g.pick(4, 4)
	}
	p.X.Tick.Length = g.pick(4, 8) // its texts stay below those at the foot of the other axis
	return p
}

// shortened is the beginning of a text that is not wider than the room.
func shortened(style draw.TextStyle, text string, room vg.Length) string {
	for letters := []rune(text); len(letters) > 1 && style.Width(text) > room; {
		letters = letters[:len(letters)-1]
		text = strings.TrimSpace(string(letters)) + "..."
	}
	return text
}

// Text is a text of a figure in a window, with the corner at its top left.
type Text struct {
	Text       string
	X, Y, Size float32
	Colour     color.Color
	Behind     color.Color // fills a box around the text; nil for none
}

// windowTexts measures texts as the window sets them, and leaves upright ones to it. The window has
// no turned texts: those are drawn.
type windowTexts struct {
	text.Handler
	on Ground
}

// measure is the size of a text in the plot's lengths.
func (t windowTexts) measure(line string, size vg.Length) (width, height vg.Length) {
	w, h := t.on.Measure(line, float32(size.Points()/t.on.scale))
	return vg.Points(float64(w) * t.on.scale), vg.Points(float64(h) * t.on.scale)
}

// aboveBase is the share of a line's height that lies above the base line.
const aboveBase = 0.8

// Extents implements text.Handler.
func (t windowTexts) Extents(f font.Font) font.Extents {
	_, height := t.measure("0", f.Size)
	return font.Extents{Ascent: aboveBase * height, Descent: (1 - aboveBase) * height, Height: height}
}

// Box implements text.Handler.
func (t windowTexts) Box(line string, f font.Font) (width, height, depth vg.Length) {
	width, high := t.measure(line, f.Size)
	return width, aboveBase * high, (1 - aboveBase) * high
}

// Draw implements text.Handler.
func (t windowTexts) Draw(c vg.Canvas, line string, style text.Style, at vg.Point) {
	switch {
	case line == "":
	case style.Rotation != 0:
		style.Handler = t.Handler
		t.Handler.Draw(c, line, style, at)
	case t.on.texts != nil:
		width, height := t.measure(line, style.Font.Size)
		left, top := at.X+vg.Length(style.XAlign)*width, at.Y+vg.Length(1+style.YAlign)*height
		t.on.texts(Text{
			line, float32(left.Points()), float32(top.Points()), float32(style.Font.Size.Points()),
			style.Color, t.on.behind,
		})
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
