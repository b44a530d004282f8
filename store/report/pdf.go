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
)

// paper writes a document into a PDF. Texts are Unicode: the fonts are embedded, as far as they are used.
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
		for _, b := range s.Blocks {
			p.block(b)
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
	p.room(48) // a heading does not stand alone at the foot of a page
	size, above := 13.0, 5.0
	if s.Level == 1 {
		size = 16
	}
	if p.y > pageMargin {
		p.y += above
	}
	p.font(sans, "B", size)
	p.SetY(p.y)
	p.Bookmark(p.clean(s.Title, sans), s.Level-p.top, -1)
	p.flow([]Run{{Text: s.Title, Bold: true}}, textStyle{size: size, colour: inkColour}, 0)
	p.ink(ruleColour)
	p.SetLineWidth(0.25)
	p.Line(pageMargin, p.y+0.8, pageMargin+textWidth, p.y+0.8)
	p.y += 3
}

func (p *paper) block(b Block) {
	switch b := b.(type) {
	case Text:
		p.text(b)
	case Facts:
		p.facts(b)
	case Table:
		p.table(b)
	case Figures:
		p.figures(b)
	case Guideline:
		p.guideline(b)
	}
	p.y += 2
}

func (p *paper) text(t Text) {
	style := textStyle{size: 9.5, colour: inkColour}
	run := Run{Text: t.Words}
	switch t.Style {
	case Remark:
		style = textStyle{size: 8, colour: softColour}
	case Heading:
		p.room(30)
		p.y += 2
		run.Bold = true
	case Warning:
		run.Bold = true
	}
	p.flow([]Run{run}, style, 0)
}

// facts writes names at the left and values beside them.
func (p *paper) facts(list Facts) {
	const names = 46.0
	for _, f := range list {
		value := textStyle{size: 9, colour: inkColour, left: names + 3}
		if f.Code {
			value.family, value.size = mono, 8
		}
		p.room(5)
		top, page := p.y, p.PageNo()
		p.flow([]Run{{Text: f.Name}}, textStyle{size: 9, colour: softColour}, textWidth-names)
		low := p.y
		if p.PageNo() == page {
			p.y = top
		}
		runs := []Run{{Text: f.Value}}
		if f.Remark != "" {
			runs = append(runs, Run{Text: " (" + f.Remark + ")", Italic: true})
		}
		p.flow(runs, value, 0)
		if p.PageNo() == page {
			p.y = max(p.y, low)
		}
	}
}

func (p *paper) guideline(g Guideline) {
	for _, paragraph := range g {
		style, runs := textStyle{size: 9.5, colour: inkColour, left: 4}, slices.Clone(paragraph.Runs)
		switch {
		case paragraph.Heading:
			p.room(14)
			p.y += 1
			for k := range runs {
				runs[k].Bold = true
			}
		case paragraph.Mark != "":
			p.room(6)
			p.font(sans, "", style.size)
			p.pen(inkColour)
			p.Text(pageMargin+style.left, p.y+lineHeight(style.size)*0.76, paragraph.Mark)
			style.left += 6
		}
		p.flow(runs, style, 0)
		p.y++
	}
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
