package report

import (
	"strconv"
	"time"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
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

// Section is a heading with what stands below it. Level 1 is a part of its own (one of several
// models), 2 the usual one.
type Section struct {
	Title  string
	Level  int
	Blocks []Block
	anchor string
}

// Anchor is where a link to the section leads.
func (s Section) Anchor() string { return s.anchor }

// Block is one of Text, Facts, Table, Figures and Guideline. Kind names which, for the page
// template.
type Block interface{ Kind() string }

// Text is a paragraph. Remark is small print, Warning what must not be overlooked, Heading a small
// heading of its own.
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

// Fact is a name and its value; Code values are shown letter by letter, and Remark stands small
// behind the value.
type Fact struct {
	Name, Value, Remark string
	Code                bool
}

// Facts is a list of names and values.
type Facts []Fact

// Table is a sheet with a caption. Parts cuts a long and narrow one into so many parts that stand
// side by side, 0 and 1 leave it whole.
type Table struct {
	Caption string
	Sheet   *result.Sheet
	Parts   int
}

// Sheets are the parts, of which the last may be shorter.
func (t Table) Sheets() (list []*result.Sheet) {
	height := (t.Sheet.Len() + max(t.Parts, 1) - 1) / max(t.Parts, 1)
	for from := 0; from < t.Sheet.Len() || from == 0; from += max(height, 1) {
		var rows []int
		for k := from; k < min(from+height, t.Sheet.Len()); k++ {
			rows = append(rows, k)
		}
		list = append(list, t.Sheet.Take(rows))
	}
	return list
}

// Figure is a drawing with its caption; Alt is what it shows, for those who cannot see it.
type Figure struct {
	render.Drawing
	Caption, Alt string
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
