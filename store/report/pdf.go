package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
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
	fonts  map[string]*sfnt.Font // by family, to know which characters they have
	buffer sfnt.Buffer
	y      float64     // where the next box begins
	pages  map[int]int // of the sections, by their places
	links  []contentsLink
}

// contentsLink is a line of the contents, which needs the page of its section.
type contentsLink struct {
	section, link, page int
	y                   float64
}

// PDF writes the document as a PDF with an outline, page numbers and embedded fonts.
func (d *Document) PDF(w io.Writer) error {
	p, err := newPaper(d)
	if err != nil {
		return err
	}
	boxes, top := p.title(d), 2
	for _, s := range d.Sections {
		top = min(top, s.Level)
	}
	for k, s := range d.Sections {
		boxes = append(boxes, p.section(s, k, s.Level-top)...)
	}
	p.place(boxes)
	p.finish(d)
	if err := p.Output(w); err != nil {
		return fmt.Errorf("write PDF: %w", err)
	}
	return nil
}

func newPaper(d *Document) (*paper, error) {
	p := &paper{Fpdf: fpdf.New("P", "mm", "A4", ""), fonts: map[string]*sfnt.Font{}, pages: map[int]int{}}
	p.SetCatalogSort(true)
	p.SetLang("en")
	date := d.date
	if date.IsZero() { // for which the library takes the clock
		date = time.Unix(0, 0)
	}
	p.SetCreationDate(date.UTC())
	p.SetModificationDate(date.UTC())
	p.SetTitle(d.Title, true)
	p.SetCreator(d.Program, true)
	p.SetProducer(d.Program, true)
	p.SetMargins(pageMargin, pageMargin, pageMargin)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	for _, f := range []struct {
		family, style string
		data          []byte
	}{
		{sans, "", liberationsansregular.TTF},
		{sans, "B", liberationsansbold.TTF},
		{sans, "I", liberationsansitalic.TTF},
		{mono, "", liberationmonoregular.TTF},
	} {
		p.AddUTF8FontFromBytes(f.family, f.style, f.data)
		if f.style == "" {
			var err error
			if p.fonts[f.family], err = sfnt.Parse(f.data); err != nil {
				return nil, fmt.Errorf("fonts of the PDF: %w", err)
			}
		}
	}
	p.newPage()
	return p, p.Error()
}

// title is the head of the document and, for several parts, where they are.
func (p *paper) title(d *Document) []box {
	boxes := p.row(row{cells: []cell{{width: textWidth, runs: bold(d.Title), size: 20, colour: ink}}})
	for _, line := range d.Lines {
		one := cell{width: textWidth, runs: []Run{{Text: line}}, size: 9, colour: soft}
		boxes = append(boxes, p.row(row{cells: []cell{one}})...)
	}
	boxes = append(boxes, box{height: 3})
	list := contents(d)
	if len(list) == len(d.Sections) {
		return boxes
	}
	for _, k := range list {
		runs := []Run{{Text: d.Sections[k].Title}}
		entry := p.row(row{cells: []cell{{width: textWidth - 14, runs: runs, size: 9.5, colour: ink}}})
		entry[0].before(func(y float64) {
			link := contentsLink{section: k, link: p.AddLink(), page: p.PageNo(), y: y}
			p.Link(pageMargin, y, textWidth, lineHeight(9.5), link.link)
			p.links = append(p.links, link)
		})
		boxes = append(boxes, entry...)
	}
	return append(boxes, box{height: 3})
}

// section is a heading, which goes into the outline at a level, with the blocks below it.
func (p *paper) section(s Section, index, level int) []box {
	size := 13.0
	if s.Level == 1 {
		size = 16
	}
	boxes := p.row(row{cells: []cell{{width: textWidth, runs: bold(s.Title), size: size, colour: ink}}})
	boxes = append(boxes, box{height: 3, draw: func(y float64) { p.rule(y+0.8, textWidth, 0.25, strong) }})
	boxes[0].above, boxes[0].part = 5, s.Level == 1 && index > 0
	boxes[0].before(func(y float64) {
		p.pages[index] = p.PageNo()
		p.SetFont(sans, "B", size)
		p.SetY(y)
		p.Bookmark(p.clean(s.Title, sans), level, -1)
	})
	tie(boxes)
	for k, b := range s.Blocks {
		list := p.block(b)
		if len(list) == 0 {
			continue
		}
		if k > 0 {
			list[0].above += gap
		}
		if k+1 < len(s.Blocks) && (isText(b, Plain, Warning) || isText(s.Blocks[k+1], Remark)) {
			list[len(list)-1].stays = tied
		}
		boxes = append(boxes, list...)
	}
	return boxes
}

// isText tells whether a block is a text in one of these styles: remarks belong to what stands
// above them, plain texts to what stands below.
func isText(b Block, styles ...TextStyle) bool {
	t, ok := b.(Text)
	return ok && slices.Contains(styles, t.Style)
}

// finish writes page numbers at the foot of every page and behind the contents.
func (p *paper) finish(d *Document) {
	number := func(text string, size, y float64) (left float64) {
		p.SetFont(sans, "", size)
		p.pen(soft)
		left = textWidth - p.GetStringWidth(text)
		p.Text(pageMargin+left, y, text)
		return left
	}
	for _, l := range p.links {
		p.SetLink(l.link, 0, p.pages[l.section])
		p.SetPage(l.page)
		number(fmt.Sprint(p.pages[l.section]), 9.5, l.y+lineHeight(9.5)*baseline)
	}
	title := strings.Join([]string{d.Title, d.Program}, ", ")
	for k, total := 1, p.PageCount(); k <= total; k++ {
		p.SetPage(k)
		left := number(fmt.Sprintf("page %d of %d", k, total), 7.5, pageHeight-11)
		c := cell{width: left - 6, runs: []Run{{Text: title}}, size: 7.5, colour: soft}
		p.write(c, p.lines(c)[:1], pageHeight-11-lineHeight(c.size)*baseline)
	}
}
