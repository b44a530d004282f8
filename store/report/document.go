package report

import (
	"strconv"
	"strings"
	"time"
)

// Document is a report's content. It is immutable once made.
type Document struct {
	Title    string // "Model s11"
	Subtitle string // what it was seen by
	// Written is the date line, the only text that depends on the clock.
	Written  string
	Program  string // "Variscope 0.1.0"
	Sections []Section
	date     time.Time
}

// Section is a heading with what stands below it. Level 1 is a part of its own (one of several models), 2 the usual one.
type Section struct {
	Title  string
	Level  int
	Blocks []Block
	anchor string
}

// Anchor is where a link to the section leads.
func (s Section) Anchor() string { return s.anchor }

// Block is one of Text, Facts, Table, Figures and Guideline. Kind names which, for the page template.
type Block interface{ Kind() string }

// Text is a paragraph. Remark is small print, Warning what must not be overlooked, Heading a small heading of its own.
type Text struct {
	Style TextStyle
	Words string
}

// TextStyle is how a paragraph looks; as text it is its class on the page.
type TextStyle string

// The styles of a Text.
const (
	Plain   TextStyle = "plain"
	Remark  TextStyle = "remark"
	Warning TextStyle = "warning"
	Heading TextStyle = "heading"
)

// Fact is a name and its value; Code values are shown letter by letter, and Remark stands small behind the value.
type Fact struct {
	Name, Value, Remark string
	Code                bool
}

// Facts is a list of names and values.
type Facts []Fact

// Column is the head of a table's column. Numbers stand at the right; Code is for hashes.
type Column struct {
	Title        string
	Number, Code bool
}

// Table is a table with a head that is repeated on every page.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]string
}

// fold cuts a long and narrow table into parts that stand side by side.
func (t Table) fold(parts int) Table {
	height := (len(t.Rows) + parts - 1) / parts
	folded := Table{Caption: t.Caption, Rows: make([][]string, height)}
	for part := range parts {
		if part*height >= len(t.Rows) {
			break
		}
		folded.Columns = append(folded.Columns, t.Columns...)
		for k := range height {
			row := make([]string, len(t.Columns))
			if at := part*height + k; at < len(t.Rows) {
				row = t.Rows[at]
			}
			folded.Rows[k] = append(folded.Rows[k], row...)
		}
	}
	return folded
}

// Figure is a drawing with its caption.
type Figure struct {
	Drawing Drawing
	Caption string
}

// Figures stand side by side, as many as there is room for.
type Figures []Figure

// Kind implements Block.
func (Text) Kind() string { return "text" }

// Kind implements Block.
func (Facts) Kind() string { return "facts" }

// Kind implements Block.
func (Table) Kind() string { return "table" }

// Kind implements Block.
func (Figures) Kind() string { return "figures" }

// Kind implements Block.
func (Guideline) Kind() string { return "guideline" }

// remark, warning and heading make paragraphs of their styles.
func remark(words string) Text  { return Text{Remark, words} }
func warning(words string) Text { return Text{Warning, words} }
func heading(words string) Text { return Text{Heading, words} }

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

// number the sections' anchors: their names may repeat and may hold anything.
func (d *Document) number() {
	for k := range d.Sections {
		d.Sections[k].anchor = "part-" + strconv.Itoa(k+1)
	}
}

// columns makes the heads of a table: a title that ends in # is a column of numbers, one that ends in % of code.
func columns(titles ...string) []Column {
	list := make([]Column, len(titles))
	for k, title := range titles {
		plain := strings.TrimRight(title, "#%")
		list[k] = Column{Title: plain, Number: strings.HasSuffix(title, "#"), Code: strings.HasSuffix(title, "%")}
	}
	return list
}
