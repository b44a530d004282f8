package report

import (
	"cmp"
	"image/color"
	"strings"
	"unicode"
)

// The font families of a PDF.
const (
	sans = "sans"
	mono = "mono"
)

// The colours of paper: of texts, of what is said by the way, and of lines.
var (
	ink    = color.RGBA{0x1d, 0x21, 0x26, 0xff}
	soft   = color.RGBA{0x5a, 0x64, 0x70, 0xff}
	strong = color.RGBA{0xb4, 0xbb, 0xc3, 0xff}
	faint  = color.RGBA{0xdf, 0xe3, 0xe8, 0xff}
)

// missingRune stands for a character that the fonts do not have.
const missingRune = '□'

// clean makes a text printable: line ends stay, other control characters become blanks, and what
// the font does not have becomes a square.
func (p *paper) clean(text, family string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsControl(r), r == '\u00a0':
			return ' '
		case unicode.Is(unicode.Cf, r): // direction marks and the like
			return -1
		}
		glyph, err := p.fonts[family].GlyphIndex(&p.buffer, r)
		if err != nil || glyph == 0 || r > 0xffff { // the PDF writer's fonts end there
			return missingRune
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// lineHeight is the height of a line of text of that size, in millimetres; baseline is where its
// letters stand in it, as a share.
func lineHeight(size float64) float64 { return size * pointHeight * 1.32 }

const baseline = 0.76

// pen sets the colour of text.
func (p *paper) pen(c color.RGBA) { p.SetTextColor(int(c.R), int(c.G), int(c.B)) }

// cell is a text at a place of a row: x and width in millimetres from the left margin on, size in
// points.
type cell struct {
	x, width float64
	runs     []Run
	family   string // "" is sans
	size     float64
	colour   color.RGBA
	right    bool // its lines end at its right end
}

// bold is a text in bold letters.
func bold(text string) []Run { return []Run{{Text: text, Bold: true}} }

// line is a line of a cell; its words have their distance from its left end.
type line struct {
	words []word
	width float64
}

type word struct {
	text, style string // style is that of the font: "", "B", "I"
	x           float64
}

// lines cuts a cell's text into lines: at line ends, at blanks, and inside a word that is wider
// than the cell. There is at least one line.
func (p *paper) lines(c cell) []line {
	list, spaced := make([]line, 1), false
	for _, run := range c.runs {
		style := p.setFont(c, run)
		blank := p.GetStringWidth(" ")
		for k, part := range strings.Split(p.clean(run.Text, cmp.Or(c.family, sans)), "\n") {
			if k > 0 {
				list, spaced = append(list, line{}), false
			}
			spaced = spaced || strings.HasPrefix(part, " ")
			for _, text := range words(part) {
				for _, piece := range p.SplitText(text, c.width) {
					at, wide := &list[len(list)-1], p.GetStringWidth(piece)
					x := at.width
					if spaced && len(at.words) > 0 {
						x += blank
					}
					if len(at.words) > 0 && x+wide > c.width {
						list = append(list, line{})
						at, x = &list[len(list)-1], 0
					}
					at.words, at.width, spaced = append(at.words, word{piece, style, x}), x+wide, false
				}
				spaced = true
			}
			if part != "" {
				spaced = strings.HasSuffix(part, " ")
			}
		}
	}
	return list
}

// words are the words of a text; a unit of shares stays with its number.
func words(text string) (list []string) {
	for _, w := range strings.Fields(text) {
		if n := len(list); n > 0 && (strings.HasPrefix(w, "%") || w == "pp") {
			list[n-1] += " " + w
			continue
		}
		list = append(list, w)
	}
	return list
}

// setFont sets the font of a run and returns its style.
func (p *paper) setFont(c cell, run Run) (style string) {
	switch {
	case c.family == mono:
	case run.Bold:
		style = "B"
	case run.Italic:
		style = "I"
	}
	p.SetFont(cmp.Or(c.family, sans), style, c.size)
	return style
}

// write writes lines of a cell from y on.
func (p *paper) write(c cell, lines []line, y float64) {
	p.pen(c.colour)
	for i, l := range lines {
		x := pageMargin + c.x
		if c.right {
			x += c.width - l.width
		}
		for _, w := range l.words {
			p.SetFont(cmp.Or(c.family, sans), w.style, c.size)
			p.Text(x+w.x, y+(float64(i)+baseline)*lineHeight(c.size), w.text)
		}
	}
}
