package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
)

// The page, in millimetres: A4 upright.
const (
	pageWidth   = 210.0
	pageHeight  = 297.0
	pageMargin  = 18.0
	textWidth   = pageWidth - 2*pageMargin
	pageBottom  = pageHeight - 20.0
	pointHeight = 25.4 / 72 // of a point
	gap         = 2.0       // between blocks
)

// paper writes a document into a PDF. Texts are Unicode: the fonts are embedded, as far as they
// are used.
type paper struct {
	*fpdf.Fpdf
	fonts *fontCover
	y     float64 // where the next block begins
	marks []contentsMark
	top   int // the level of the document's highest headings
}

// contentsMark is an entry of the contents that still needs its page number.
type contentsMark struct {
	section int
	page    int
	y       float64
	link    int
}

// PDF writes the document as a PDF with an outline, page numbers and embedded fonts.
func (d *Document) PDF(w io.Writer) error {
	p, err := newPaper(d)
	if err != nil {
		return err
	}
	p.title(d)
	p.top = 2
	for _, s := range d.Sections {
		p.top = min(p.top, s.Level)
	}
	pages := make([]int, len(d.Sections))
	for k, s := range d.Sections {
		p.section(s, k)
		pages[k] = p.PageNo()
		for _, link := range p.marks {
			if link.section == k {
				p.SetLink(link.link, 0, pages[k])
			}
		}
		for i := range s.Blocks {
			p.block(s.Blocks[i:])
		}
	}
	p.finish(d, pages)
	if err := p.Output(w); err != nil {
		return fmt.Errorf("write PDF: %w", err)
	}
	return nil
}

func newPaper(d *Document) (*paper, error) {
	p := &paper{Fpdf: fpdf.New("P", "mm", "A4", "")}
	var err error
	if p.fonts, err = newFontCover(liberationsansregular.TTF, liberationmonoregular.TTF); err != nil {
		return nil, fmt.Errorf("fonts of the PDF: %w", err)
	}
	p.SetCatalogSort(true)
	p.SetLang("en")
	p.SetCreationDate(d.date.UTC())
	p.SetModificationDate(d.date.UTC())
	p.SetTitle(d.Title, true)
	p.SetCreator(d.Program, true)
	p.SetProducer(d.Program, true)
	p.SetMargins(pageMargin, pageMargin, pageMargin)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	p.AddUTF8FontFromBytes(sans, "", liberationsansregular.TTF)
	p.AddUTF8FontFromBytes(sans, "B", liberationsansbold.TTF)
	p.AddUTF8FontFromBytes(sans, "I", liberationsansitalic.TTF)
	p.AddUTF8FontFromBytes(mono, "", liberationmonoregular.TTF)
	p.page()
	return p, p.Error()
}

// page begins a new page.
func (p *paper) page() {
	p.AddPage()
	p.y = pageMargin
}

// room begins a new page where fewer than height millimetres are left.
func (p *paper) room(height float64) {
	if p.y+height > pageBottom && p.y > pageMargin {
		p.page()
	}
}

// title writes the head of the document and, for several parts, where they are.
func (p *paper) title(d *Document) {
	p.flow([]Run{{Text: d.Title, Bold: true}}, textStyle{size: 20, colour: inkColour}, 0)
	p.y += 1
	for _, line := range []string{d.Subtitle, d.Program, d.Written} {
		p.flow([]Run{{Text: line}}, textStyle{size: 9, colour: softColour}, 0)
	}
	p.y += 3
	list := contents(d)
	if len(list) == len(d.Sections) {
		return
	}
	for k, s := range d.Sections {
		if s.Level != 1 {
			continue
		}
		p.room(6)
		link := p.AddLink()
		p.marks = append(p.marks, contentsMark{section: k, page: p.PageNo(), y: p.y, link: link})
		p.Link(pageMargin, p.y, textWidth, 5, link)
		p.flow([]Run{{Text: s.Title}}, textStyle{size: 9.5, colour: inkColour}, 14)
	}
	p.y += 3
}

// section writes a heading and puts it into the outline.
func (p *paper) section(s Section, index int) {
	if s.Level == 1 && index > 0 {
		p.page()
	}
	size, above := 13.0, 5.0
	if s.Level == 1 {
		size = 16
	}
	heading := textStyle{size: size, colour: inkColour}
	p.room(above + p.height([]Run{{Text: s.Title, Bold: true}}, heading, 0) + 3 + p.beginning(s.Blocks))
	if p.y > pageMargin {
		p.y += above
	}
	p.font(sans, "B", size)
	p.SetY(p.y)
	p.Bookmark(p.clean(s.Title, sans), s.Level-p.top, -1)
	p.flow([]Run{{Text: s.Title, Bold: true}}, heading, 0)
	p.ink(ruleColour)
	p.SetLineWidth(0.25)
	p.Line(pageMargin, p.y+0.8, pageMargin+textWidth, p.y+0.8)
	p.y += 3
}

// block writes the first of some blocks. The others say what has to stay with it.
func (p *paper) block(list []Block) {
	switch b := list[0].(type) {
	case Text:
		p.text(b, list[1:])
	case Facts:
		p.facts(b, p.tail(list[1:]))
	case Table:
		p.table(b, p.tail(list[1:]))
	case Figures:
		p.figures(b, p.tail(list[1:]))
	case Guideline:
		p.guideline(b, p.tail(list[1:]))
	}
	p.y += gap
}

func (p *paper) text(t Text, rest []Block) {
	runs, style := t.set()
	if t.Style == Heading {
		p.room(2 + p.height(runs, style, 0) + gap + p.beginning(rest))
		p.y += 2
	} else if height := p.height(runs, style, 0) + p.tail(rest); height <= mostKept {
		p.room(height)
	}
	p.flow(runs, style, 0)
}

// set is a text as it is set.
func (t Text) set() ([]Run, textStyle) {
	style := textStyle{size: 9.5, colour: inkColour}
	if t.Style == Remark {
		style = textStyle{size: 8, colour: softColour}
	}
	return []Run{{Text: t.Words, Bold: t.Style == Heading || t.Style == Warning}}, style
}

// factNames is the width of the names of facts, in millimetres.
const factNames = 46.0

// set is a fact as it is set: its name and its value.
func (f Fact) set() (name, value []Run, nameStyle, valueStyle textStyle) {
	nameStyle, valueStyle = textStyle{size: 9, colour: softColour}, textStyle{size: 9, colour: inkColour, left: factNames + 3}
	if f.Code {
		valueStyle.family, valueStyle.size = mono, 8
	}
	value = []Run{{Text: f.Value}}
	if f.Remark != "" {
		value = append(value, Run{Text: " (" + f.Remark + ")", Italic: true})
	}
	return []Run{{Text: f.Name}}, value, nameStyle, valueStyle
}

// factHeight is the height of a fact.
func (p *paper) factHeight(f Fact) float64 {
	name, value, nameStyle, valueStyle := f.set()
	return max(p.height(name, nameStyle, textWidth-factNames), p.height(value, valueStyle, 0))
}

// facts writes names at the left and values beside them. Below them stands what is tail
// millimetres high.
func (p *paper) facts(list Facts, tail float64) {
	heights := make([]float64, len(list))
	for k, f := range list {
		heights[k] = p.factHeight(f)
	}
	for k, f := range list {
		name, runs, nameStyle, value := f.set()
		p.room(together(heights, k, tail))
		top, page := p.y, p.PageNo()
		p.flow(name, nameStyle, textWidth-factNames)
		low := p.y
		if p.PageNo() == page {
			p.y = top
		}
		p.flow(runs, value, 0)
		if p.PageNo() == page {
			p.y = max(p.y, low)
		}
	}
}

// set is a paragraph as it is set.
func (g Paragraph) set() ([]Run, textStyle) {
	style, runs := textStyle{size: 9.5, colour: inkColour, left: 4}, slices.Clone(g.Runs)
	if g.Heading {
		for k := range runs {
			runs[k].Bold = true
		}
	}
	return runs, style
}

// paragraphHeight is the height of a paragraph of a guideline.
func (p *paper) paragraphHeight(g Paragraph) float64 {
	runs, style := g.set()
	if g.Mark != "" {
		style.left += 6
	}
	return p.height(runs, style, 0) + 1
}

func (p *paper) guideline(g Guideline, tail float64) {
	heights := make([]float64, len(g))
	for k, paragraph := range g {
		heights[k] = p.paragraphHeight(paragraph)
	}
	for k, paragraph := range g {
		runs, style := paragraph.set()
		p.room(together(heights, k, tail))
		switch {
		case paragraph.Heading:
			p.room(14)
			p.y += 1
		case paragraph.Mark != "":
			p.font(sans, "", style.size)
			p.pen(inkColour)
			p.Text(pageMargin+style.left, p.y+lineHeight(style.size)*0.76, paragraph.Mark)
			style.left += 6
		}
		p.flow(runs, style, 0)
		p.y++
	}
}

// The measures of figures: their size beside that in files, so that three matrices or two charts
// stand in a row, and the gap between them, in millimetres.
const (
	paperScale  = 0.56
	figureGap   = 3.0
	captionSize = 7.5 // points
)

// figures writes drawings side by side with their captions, row by row; a row is never torn. Below
// the last one stands what is tail millimetres high.
func (p *paper) figures(list Figures, tail float64) {
	for len(list) > 0 {
		row, rest := p.nextRow(list)
		height, below, captions := p.figureHeight(row)
		if len(rest) > 0 {
			p.room(height + below + 2)
		} else {
			p.room(height + below + 2 + tail)
		}
		x := pageMargin
		for k, f := range row {
			wide, high := f.paperSize()
			f.Place(p.Fpdf, sans, x, p.y, wide)
			p.font(sans, "", captionSize)
			p.pen(softColour)
			for i, line := range captions[k] {
				p.Text(x, p.y+high+(float64(i)+0.8)*lineHeight(captionSize), line)
			}
			x += wide + figureGap
		}
		p.y += height + below + 2.5
		list = rest
	}
}

// paperSize is that of a figure on paper, in millimetres; one that is wider than the text is made
// smaller.
func (f Figure) paperSize() (width, height float64) {
	width, height = f.Size()
	scale := min(paperScale, textWidth/width)
	return width * scale, height * scale
}

// nextRow are the figures that stand in the next row, and those after it.
func (p *paper) nextRow(list Figures) (row, rest Figures) {
	wide := -figureGap
	for n, f := range list {
		width, _ := f.paperSize()
		if wide += figureGap + width; n > 0 && wide > textWidth+0.01 {
			return list[:n], list[n:]
		}
	}
	return list, nil
}

// figureHeight is the height of a row's drawings, and of its captions, whose lines it gives as
// well.
func (p *paper) figureHeight(row Figures) (height, below float64, captions [][]string) {
	captions = make([][]string, len(row))
	p.font(sans, "", captionSize)
	for k, f := range row {
		wide, high := f.paperSize()
		height = max(height, high)
		if f.Caption != "" {
			captions[k] = p.wrap(p.clean(f.Caption, sans), wide)
		}
		below = max(below, float64(len(captions[k]))*lineHeight(captionSize))
	}
	return height, below, captions
}

// finish writes page numbers at the foot of every page and behind the contents.
func (p *paper) finish(d *Document, pages []int) {
	total := p.PageNo()
	for _, m := range p.marks {
		p.SetPage(m.page)
		p.font(sans, "", 9.5)
		p.pen(softColour)
		number := fmt.Sprint(pages[m.section])
		p.Text(pageMargin+textWidth-p.GetStringWidth(number), m.y+lineHeight(9.5)*0.76, number)
	}
	for k := 1; k <= total; k++ {
		p.SetPage(k)
		p.font(sans, "", 7.5)
		p.pen(softColour)
		foot := fmt.Sprintf("page %d of %d", k, total)
		width := p.GetStringWidth(foot)
		p.Text(pageMargin+textWidth-width, pageHeight-11, foot)
		title := p.wrap(p.clean(strings.Join([]string{d.Title, d.Program}, ", "), sans), textWidth-width-6)
		p.Text(pageMargin, pageHeight-11, title[0])
	}
}
