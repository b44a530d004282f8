package report

import (
	"cmp"
	"image/color"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
)

// The font families of a PDF.
const (
	sans = "sans"
	mono = "mono"
)

// The colours of paper.
var (
	inkColour  = color.RGBA{0x1d, 0x21, 0x26, 0xff}
	softColour = color.RGBA{0x5a, 0x64, 0x70, 0xff}
	gridColour = color.RGBA{0xdf, 0xe3, 0xe8, 0xff}
	ruleColour = color.RGBA{0xb4, 0xbb, 0xc3, 0xff}
)

// missingRune stands for a character that the fonts do not have.
const missingRune = '□'

// fontCover knows which characters the fonts have.
type fontCover struct {
	fonts map[string]*sfnt.Font
	known map[string]map[rune]bool
	space sfnt.Buffer
}

func newFontCover(sansTTF, monoTTF []byte) (*fontCover, error) {
	c := &fontCover{fonts: map[string]*sfnt.Font{}, known: map[string]map[rune]bool{sans: {}, mono: {}}}
	for family, data := range map[string][]byte{sans: sansTTF, mono: monoTTF} {
		f, err := sfnt.Parse(data)
		if err != nil {
			return nil, err
		}
		c.fonts[family] = f
	}
	return c, nil
}

func (c *fontCover) has(family string, r rune) bool {
	known, asked := c.known[family][r]
	if !asked {
		glyph, err := c.fonts[family].GlyphIndex(&c.space, r)
		known = err == nil && glyph != 0 && r <= 0xffff // the PDF writer's fonts end there
		c.known[family][r] = known
	}
	return known
}

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
		case p.fonts.has(family, r):
			return r
		}
		return missingRune
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// lineHeight is the height of a line of text of that size, in millimetres.
func lineHeight(size float64) float64 { return size * pointHeight * 1.32 }

func (p *paper) font(family, style string, size float64) { p.SetFont(family, style, size) }

// pen sets the colour of text, ink that of lines.
func (p *paper) pen(c color.RGBA) { p.SetTextColor(int(c.R), int(c.G), int(c.B)) }
func (p *paper) ink(c color.RGBA) { p.SetDrawColor(int(c.R), int(c.G), int(c.B)) }

// wrap cuts a clean text into lines of at most that width in the current font: at blanks, and
// inside a word that is wider than a line. There is at least one line.
func (p *paper) wrap(text string, width float64) (lines []string) {
	for whole := range strings.SplitSeq(text, "\n") {
		cut := p.SplitText(strings.Join(strings.Fields(whole), " "), width)
		if len(cut) == 0 {
			cut = []string{""}
		}
		lines = append(lines, cut...)
	}
	return lines
}

// textStyle is how flowing text looks: size in points, indent in millimetres.
type textStyle struct {
	family string // empty is sans
	size   float64
	colour color.RGBA
	left   float64
}

// piece is a word of flowing text in its style.
type piece struct {
	text   string
	style  string // of the font: "", "B", "I"
	spaced bool   // a blank stands in front
}

// placed is a word with its distance from the left end of its line.
type placed struct {
	piece
	x float64
}

// flow writes runs as one paragraph from p.y on, over pages where it must: the last lines stay
// together. right is how far the lines end before the right margin. p.y is below it afterwards.
func (p *paper) flow(runs []Run, style textStyle, right float64) {
	lines := p.flowLines(runs, style, right)
	heights := make([]float64, len(lines))
	for k := range lines {
		heights[k] = lineHeight(style.size)
	}
	for k, line := range lines {
		p.room(together(heights, k, 0))
		for _, word := range line {
			p.font(style.fontFamily(), word.style, style.size)
			p.pen(style.colour)
			p.Text(pageMargin+style.left+word.x, p.y+heights[k]*0.76, word.text)
		}
		p.y += heights[k]
	}
}

// fontFamily is the font family of a style.
func (s textStyle) fontFamily() string { return cmp.Or(s.family, sans) }

// flowLines are the lines of a paragraph, one at least.
func (p *paper) flowLines(runs []Run, style textStyle, right float64) [][]placed {
	style.family = style.fontFamily()
	width, x := textWidth-style.left-right, 0.0
	lines := make([][]placed, 1)
	for _, piece := range p.pieces(runs, style, width) {
		p.font(style.family, piece.style, style.size)
		between := 0.0
		if piece.spaced && x > 0 {
			between = p.GetStringWidth(" ")
		}
		wide := p.GetStringWidth(piece.text)
		if x > 0 && x+between+wide > width {
			lines = append(lines, nil)
			x, between = 0, 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], placed{piece, x + between})
		x += between + wide
	}
	return lines
}

// pieces cuts runs into words that each fit on a line.
func (p *paper) pieces(runs []Run, style textStyle, width float64) (list []piece) {
	for _, run := range runs {
		text := strings.ReplaceAll(p.clean(run.Text, style.family), "\n", " ")
		font := ""
		switch {
		case style.family == mono:
		case run.Bold:
			font = "B"
		case run.Italic:
			font = "I"
		}
		p.font(style.family, font, style.size)
		spaced := strings.HasPrefix(text, " ")
		for word := range strings.FieldsSeq(text) {
			for k, part := range p.wrap(word, width) {
				list = append(list, piece{part, font, spaced && k == 0})
			}
			spaced = true
		}
		if strings.HasSuffix(text, " ") {
			list = append(list, piece{"", font, true})
		}
	}
	return list
}
