package report

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Document is a report's content: all that its writers, HTML and PDF, know. It is immutable once
// made.
type Document struct {
	Title string // "Model s11"
	// Lines stand below the title: what the report is of, the program and the date, which is the
	// only text that depends on the clock.
	Lines    []string
	Program  string // "Variscope 0.1.0"
	Sections []Section
	date     time.Time
}

// Section is a heading with what stands below it. Level 1 is a part of its own (one of several
// models), 2 the usual one.
type Section struct {
	Title  string
	Level  int
	Blocks []Block
}

// Add appends a section unless nothing stands in it.
func (d *Document) Add(level int, title string, blocks ...Block) {
	if len(blocks) > 0 {
		d.Sections = append(d.Sections, Section{title, level, blocks})
	}
}

// section is an entry of the list of sections of which a report is made: its heading, and what
// yields the blocks below it.
type section[S any] struct {
	title  string
	blocks func(of S, ctx context.Context) ([]Block, error)
}

// addAll appends the sections about something in which something stands.
func addAll[S any](ctx context.Context, d *Document, level int, about S, list []section[S]) error {
	for _, s := range list {
		blocks, err := s.blocks(about, ctx)
		if err != nil {
			return err
		}
		d.Add(level, s.title, blocks...)
	}
	return nil
}

// contents are the places of the sections that a list at the top leads to: of the parts where there
// are several, else of all.
func contents(d *Document) []int {
	var parts, all []int
	for k, s := range d.Sections {
		if all = append(all, k); s.Level == 1 {
			parts = append(parts, k)
		}
	}
	if len(parts) > 1 {
		return parts
	}
	return all
}

// Block is one of Text, Facts, Table and Figures. Kind names which, for the page template.
type Block interface{ Kind() string }

// Text is a paragraph. Mark is what stands in front of a list's item: "1." or "•".
type Text struct {
	Style TextStyle
	Mark  string
	Runs  []Run
}

// Run is a stretch of text in one style.
type Run struct {
	Text         string
	Bold, Italic bool
}

// TextStyle is how a paragraph looks; as text it is its class on the page.
type TextStyle string

// The styles of a Text: Remark is small print, Warning what must not be overlooked, Heading a small
// heading of its own; Quote is what people wrote, QuoteHeading a heading in it.
const (
	Plain        TextStyle = "plain"
	Remark       TextStyle = "remark"
	Warning      TextStyle = "warning"
	Heading      TextStyle = "heading"
	Quote        TextStyle = "quote"
	QuoteHeading TextStyle = "quote heading"
)

// Paragraph is a text in one style.
func Paragraph(style TextStyle, words string) Text {
	return Text{Style: style, Runs: []Run{{Text: words}}}
}

// remarks are a paragraph of small print for each line.
func remarks(lines ...string) (blocks []Block) {
	for _, line := range lines {
		blocks = append(blocks, Paragraph(Remark, line))
	}
	return blocks
}

// Fact is a name and its value; Code values are shown letter by letter, and Remark stands small
// behind the value.
type Fact struct {
	Name, Value, Remark string
	Code                bool
}

// Facts is a list of names and values.
type Facts []Fact

// add appends a fact unless its value is empty.
func (f *Facts) add(name, value string) {
	if value != "" {
		*f = append(*f, Fact{Name: name, Value: value})
	}
}

// code appends a fact that is shown letter by letter.
func (f *Facts) code(name, value string) {
	if value != "" {
		*f = append(*f, Fact{Name: name, Value: value, Code: true})
	}
}

// addRow appends the values of a sheet's row that are there, but for the columns of some keys.
func (f *Facts) addRow(s *result.Sheet, row int, without ...string) {
	for k := range s.Fields {
		field := &s.Fields[k]
		if !field.Missing(row) && !slices.Contains(without, field.Key) {
			f.add(strings.ToUpper(field.Title[:1])+field.Title[1:], field.Say(row))
		}
	}
}

// Table is a sheet with a caption. Parts cuts a long and narrow one into so many parts that stand
// side by side, 0 and 1 leave it whole.
type Table struct {
	Caption string
	Sheet   *result.Sheet
	Parts   int
}

// Titled are sheets under their own titles, but for those without rows.
func Titled(sheets ...*result.Sheet) (blocks []Block) {
	for _, s := range sheets {
		if s.Len() > 0 {
			blocks = append(blocks, Table{Caption: s.Title, Sheet: s})
		}
	}
	return blocks
}

// joined is a table of what was left out, with one row for all models that lack the same for the
// same reason.
func joined(left *result.Sheet) []Block {
	fields, cells := left.Cells()
	who := slices.IndexFunc(fields, func(f *result.Field) bool { return f.Key == "model_id" })
	var rows [][]string
	models := map[string][]string{} // by what stands beside them
	rest := func(row []string) string { return strings.Join(slices.Concat(row[:who], row[who+1:]), "\x00") }
	for _, row := range cells {
		if models[rest(row)] == nil {
			rows = append(rows, row)
		}
		models[rest(row)] = append(models[rest(row)], row[who])
	}
	t := result.Table[[]string]{Name: left.Name, Title: left.Title, Noun: left.Noun, ID: rest}
	for k, f := range fields {
		c := result.Texts(f.Key, f.Title, f.Help, func(row []string) string { return row[k] })
		if f.Format.Right() {
			c.Format = result.Numeral
		}
		if k == who {
			c.Title, c.Text = "models", func(row []string) string { return result.Some(models[rest(row)]) }
		}
		t.Columns = append(t.Columns, c)
	}
	return Titled(t.Sheet(rows))
}

// parted are the columns of a table in which all rows say the same, as facts, and a table of the
// others.
func parted(s *result.Sheet) (blocks []Block) {
	var same Facts
	var others []int
	fields, rows := s.Cells()
	for k, f := range fields {
		if slices.ContainsFunc(rows, func(row []string) bool { return row[k] != rows[0][k] }) {
			others = append(others, s.Field(f.Key))
		} else if len(rows) > 0 {
			same = append(same, Fact{
				Name: strings.ToUpper(f.Title[:1]) + f.Title[1:], Value: rows[0][k], Code: f.Format == result.ID,
			})
		}
	}
	if len(same) > 0 {
		blocks = append(blocks, Paragraph(Heading, s.Title), same)
	}
	if len(others) > 0 {
		blocks = append(blocks, Table{Sheet: s.With(others)})
	}
	return blocks
}

// Sheets are the parts, of which the last may be shorter.
func (t Table) Sheets() (list []*result.Sheet) {
	height := max(1, (t.Sheet.Len()+max(t.Parts, 1)-1)/max(t.Parts, 1))
	for from := 0; from < t.Sheet.Len() || from == 0; from += height {
		var rows []int
		for k := from; k < min(from+height, t.Sheet.Len()); k++ {
			rows = append(rows, k)
		}
		list = append(list, t.Sheet.Take(rows))
	}
	return list
}

// Figure is a drawing with its caption; Alt is what it shows, for those who cannot see it. One with
// OwnColours has them on a dark page, too.
type Figure struct {
	render.Drawing
	Caption, Alt string
	OwnColours   bool
}

// Figures stand side by side, as many as there is room for.
type Figures []Figure

// Draw appends a figure as it is drawn on a page, with its title as its caption, unless there is
// nothing to draw. alt is what it shows.
func (f *Figures) Draw(figure result.Figure, alt string) error {
	if !figure.Drawable() && (figure.Matrix == nil || figure.Empty == "") {
		return nil
	}
	drawing, err := render.OnPage(figure)
	*f = append(*f, Figure{Drawing: drawing, Caption: figure.Title, Alt: alt})
	return err
}

// Kind implements Block.
func (Text) Kind() string { return "text" }

// Kind implements Block.
func (Facts) Kind() string { return "facts" }

// Kind implements Block.
func (Table) Kind() string { return "table" }

// Kind implements Block.
func (Figures) Kind() string { return "figures" }
