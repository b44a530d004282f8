package result

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/outside"
)

// Document is what a command answers with --json, and what a window saves as JSON: the settings
// that it was made with and its sheets.
type Document struct {
	Schema  string // "variscope.ei"; names and meanings of the keys
	Version int    // of the schema, from 1 on
	Options any    // written as encoding/json writes it; nil for none
	Sheets  []*Sheet
	// Notes are sentences about the whole, such as that somebody else was changing what was read.
	Notes []string
}

// JSON writes the document, indented, with a line end: {schema, version, notes, options, sheets},
// without notes where there are none. A sheet is {name, title, columns, rows}; a row is an object
// by the columns' keys in their order, with KEY_low and KEY_high beside a value with an interval,
// KEY_sd beside one with a standard deviation. Missing and infinite values are null; why stands in
// the row's object "missing".
func (d Document) JSON(w io.Writer) error {
	var b bytes.Buffer
	options, err := json.Marshal(d.Options)
	if err != nil {
		return fmt.Errorf("settings of %s: %w", d.Schema, err)
	}
	fmt.Fprintf(&b, `{"schema":%s,"version":%d`, quote(d.Schema), d.Version)
	if len(d.Notes) > 0 {
		notes, err := json.Marshal(d.Notes)
		if err != nil {
			return fmt.Errorf("notes of %s: %w", d.Schema, err)
		}
		fmt.Fprintf(&b, `,"notes":%s`, notes)
	}
	if d.Options != nil {
		fmt.Fprintf(&b, `,"options":%s`, options)
	}
	b.WriteString(`,"sheets":[`)
	for k, s := range d.Sheets {
		if k > 0 {
			b.WriteByte(',')
		}
		s.json(&b)
	}
	b.WriteString("]}")
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return fmt.Errorf("write %s as JSON: %w", d.Schema, err)
	}
	out.WriteByte('\n')
	_, err = io.WriteString(w, outside.VisibleJSON(out.String()))
	return err
}

func (s *Sheet) json(b *bytes.Buffer) {
	fmt.Fprintf(b, `{"name":%s,"title":%s,"columns":[`, quote(s.Name), quote(s.Title))
	for k, f := range s.Fields {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"key":%s,"title":%s`, quote(f.Key), quote(f.Title))
		for _, more := range [][2]string{{"unit", f.Unit}, {"help", f.Help}} {
			if more[1] != "" {
				fmt.Fprintf(b, `,"%s":%s`, more[0], quote(more[1]))
			}
		}
		b.WriteByte('}')
	}
	b.WriteString(`],"rows":[`)
	for row := range s.ids {
		if row > 0 {
			b.WriteByte(',')
		}
		s.jsonRow(b, row)
	}
	b.WriteString("]}")
}

func (s *Sheet) jsonRow(b *bytes.Buffer, row int) {
	b.WriteByte('{')
	var missing []string
	for k := range s.Fields {
		f := &s.Fields[k]
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `%s:%s`, quote(f.Key), f.jsonCell(row))
		if f.low != nil {
			fmt.Fprintf(b, `,%s:%s,%s:%s`, quote(f.Key+"_low"), f.Format.json(f.low[row]), quote(f.Key+"_high"),
				f.Format.json(f.high[row]))
		}
		if f.sd != nil {
			fmt.Fprintf(b, `,%s:%s`, quote(f.Key+"_sd"), f.Format.json(f.sd[row]))
		}
		if why := f.Why(row); !why.None() {
			missing = append(missing, quote(f.Key)+":"+quote(why.Text))
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(b, `,"missing":{%s}`, strings.Join(missing, ","))
	}
	b.WriteByte('}')
}

func (f *Field) jsonCell(row int) string {
	switch {
	case f.Missing(row):
		return "null"
	case f.values == nil || f.at != nil:
		return quote(f.Write(row))
	}
	return f.Format.json(f.values[row])
}

func (f Format) json(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "null"
	case f == Time:
		return quote(f.Write(v))
	}
	return f.Write(v)
}

func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string and a buffer do not fail
	return strings.TrimSuffix(b.String(), "\n")
}

// CSV writes the sheet with a header of the columns' keys, KEY_low and KEY_high beside a value
// with an interval, KEY_sd beside one with a standard deviation, and at the end a column "missing"
// where the table has reasons: "KEY: why; KEY: why". Numbers have all their digits, missing values
// are empty. With forSpreadsheets a text that a spreadsheet would take for a formula gets an
// apostrophe in front, and a last column says so (csvfile.ForSpreadsheets).
func (s *Sheet) CSV(w io.Writer, forSpreadsheets bool) error {
	out := newCSV(w, forSpreadsheets)
	return cmp.Or(out.rows(s), out.close())
}

// rowWriter writes the rows of sheets of one table.
type rowWriter interface {
	rows(s *Sheet) error
	close() error
}

// csvWriter writes rows as CSV, below the header of the first sheet.
type csvWriter struct {
	*csvfile.Writer
	cells []string // nil before the header
}

func newCSV(w io.Writer, forSpreadsheets bool) *csvWriter {
	if forSpreadsheets {
		return &csvWriter{Writer: csvfile.ForSpreadsheets(w)}
	}
	return &csvWriter{Writer: csvfile.NewWriter(w)}
}

func (w *csvWriter) rows(s *Sheet) error {
	if w.cells == nil {
		for _, m := range s.Meanings("") {
			w.cells = append(w.cells, m.Key)
		}
		if err := w.Write(w.cells); err != nil {
			return err
		}
	}
	reasons := s.reasons()
	for row := range s.ids {
		w.cells = w.cells[:0]
		for k := range s.Fields {
			f := &s.Fields[k]
			w.cells = append(w.cells, f.Write(row))
			if f.low != nil {
				w.cells = append(w.cells, f.Format.Write(f.low[row]), f.Format.Write(f.high[row]))
			}
			if f.sd != nil {
				w.cells = append(w.cells, f.Format.Write(f.sd[row]))
			}
		}
		if reasons {
			w.cells = append(w.cells, s.missing(row))
		}
		if err := w.Write(w.cells); err != nil {
			return err
		}
	}
	return nil
}

func (w *csvWriter) close() error {
	w.Flush()
	return w.Error()
}

// missing says why values of a row are missing: "KEY: why; KEY: why".
func (s *Sheet) missing(row int) string {
	var list []string
	for k := range s.Fields {
		if why := s.Fields[k].Why(row); !why.None() {
			list = append(list, s.Fields[k].Key+": "+why.Text)
		}
	}
	return strings.Join(list, "; ")
}

// Stream writes records as CSV one by one, for tables that do not fit into memory, such as those
// with a row per image. Table.More is not asked. Close comes last, once, and says what went wrong.
func (t Table[R]) Stream(w io.Writer, forSpreadsheets bool) *Stream[R] {
	return &Stream[R]{table: t, begin: func(*Sheet) rowWriter { return newCSV(w, forSpreadsheets) }}
}

// StreamParquet is Stream into a Parquet file, whose row groups have some 65,000 rows. Meta stands
// among the file's own words.
func (t Table[R]) StreamParquet(w io.Writer, meta map[string]string) *Stream[R] {
	return &Stream[R]{table: t, begin: func(first *Sheet) rowWriter {
		first.Meta = meta
		out := first.parquet(w)
		out.most = groupRows
		return out
	}}
}

// Stream is the file that a Table's Stream or StreamParquet began.
type Stream[R any] struct {
	table Table[R]
	begin func(first *Sheet) rowWriter
	out   rowWriter // nil before the first rows
	held  []R       // not written yet
	err   error
}

// streamed is how many records a Stream writes together.
const streamed = 4096

// Write writes records in this order. After an error, which Close returns, it does nothing.
func (s *Stream[R]) Write(rows ...R) {
	if s.held = append(s.held, rows...); len(s.held) >= streamed {
		s.flush()
	}
}

// flush writes the records that wait.
func (s *Stream[R]) flush() {
	t := s.table
	t.More = nil
	sheet := t.Sheet(s.held)
	if s.out == nil {
		s.out = s.begin(sheet)
	}
	if s.err == nil {
		s.err = s.out.rows(sheet)
	}
	s.held = s.held[:0]
}

// Close writes what waits, and the header where there was no record.
func (s *Stream[R]) Close() error {
	s.flush()
	return cmp.Or(s.err, s.out.close())
}

// Text writes the sheet for a terminal: titles over columns two blanks apart, numbers to the right,
// rows as they are. Columns that are only offered or for files are left out. What other people
// wrote is made visible: a terminal must not take it for orders.
func (s *Sheet) Text(w io.Writer) error {
	fields := s.shown()
	lines := make([][]string, 1+s.Len())
	widths := make([]int, len(fields))
	for at := range lines {
		for k, f := range fields {
			cell := f.Title
			if at > 0 {
				cell = outside.Visible(f.Say(at - 1))
			}
			lines[at] = append(lines[at], cell)
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, cells := range lines {
		line := ""
		for k, cell := range cells {
			pad := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if fields[k].Format.Right() {
				line += pad + cell + "  "
			} else {
				line += cell + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Card writes a row for a terminal, a line per column that is shown: its title and what Say says. A
// text of several lines has its further lines below; missing values are left out.
func (s *Sheet) Card(w io.Writer, row int) error {
	var b strings.Builder
	width := 0
	for _, f := range s.Fields {
		if f.Show == Shown && !f.Missing(row) {
			width = max(width, utf8.RuneCountInString(f.Title))
		}
	}
	for k := range s.Fields {
		f := &s.Fields[k]
		if f.Show != Shown || f.Missing(row) {
			continue
		}
		title := f.Title
		for _, line := range strings.Split(f.Say(row), "\n") {
			fmt.Fprintf(&b, "%s%s  %s\n", title, strings.Repeat(" ", width-utf8.RuneCountInString(title)),
				outside.Visible(line))
			title = ""
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the columns that people see as a table of a Markdown text. The text needs an
// empty line before it.
func (s *Sheet) Markdown(w io.Writer) error {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	fields, rows := s.Cells()
	titles, rule := make([]string, len(fields)), make([]string, len(fields))
	for k, f := range fields {
		if titles[k], rule[k] = EscapeMarkdown(f.Title), "---"; f.Format.Right() {
			rule[k] = "---:"
		}
	}
	line(titles)
	line(rule)
	for _, cells := range rows {
		for k, cell := range cells {
			cells[k] = EscapeMarkdown(cell)
		}
		line(cells)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var markdown = strings.NewReplacer("\r", " ", "\n", " ", "|", "\\|", "`", "'", "<", "&lt;")

// EscapeMarkdown is a text that people wrote within a line of Markdown: what would be a line end,
// a cell of a table, code or a tag there is replaced.
func EscapeMarkdown(text string) string { return markdown.Replace(text) }
