// Package comma writes CSV files that people open in spreadsheets, and holds the one rule for what
// must not be taken for a formula there (DESIGN.md section 8): a cell of free text that begins
// with a sign gets one apostrophe in front, reading takes exactly one away, and numbers stay as
// they are. All of the program's CSV files go through Writer.
package comma

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// signs begin what a spreadsheet takes for a formula: besides = + - @, tab and line ends, which
// some drop before they look, and the full-width forms that some of them turn into the plain ones.
const signs = "=+-@\t\r\n＝＋－＠"

// Guard writes a cell of free text: one that begins with a sign or an apostrophe gets one
// apostrophe in front.
func Guard(text string) string {
	if strings.HasPrefix(text, "'") || begins(text) {
		return "'" + text
	}
	return text
}

// Unguard reads a cell of free text: it takes exactly one leading apostrophe away.
func Unguard(cell string) string { return strings.TrimPrefix(cell, "'") }

// Cell writes a cell that may be free text or a number, as in tables for people: a number stays as
// it is, which a negative one needs.
func Cell(text string) string {
	if IsNumber(text) {
		return text
	}
	return Guard(text)
}

// IsNumber tells whether a cell is a finite number.
func IsNumber(cell string) bool {
	v, err := strconv.ParseFloat(cell, 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

func begins(text string) bool {
	for _, r := range text {
		return strings.ContainsRune(signs, r)
	}
	return false
}

// Writer is encoding/csv's with \n line ends. Who writes a row guards its free text; what was
// forgotten and is no number is guarded here, so that no file holds a formula.
type Writer struct {
	out   *csv.Writer
	plain bool
}

// NewWriter writes to w; Flush and Error come last, as with encoding/csv.
func NewWriter(w io.Writer) *Writer { return &Writer{out: csv.NewWriter(w)} }

// Plain writes cells as they are, for programs: nothing is guarded (DESIGN.md section 8).
func Plain(w io.Writer) *Writer { return &Writer{csv.NewWriter(w), true} }

// Write writes one row.
func (w *Writer) Write(row []string) error {
	if i := slices.IndexFunc(row, bare); i >= 0 && !w.plain {
		row = slices.Clone(row)
		for ; i < len(row); i++ {
			if bare(row[i]) {
				row[i] = Guard(row[i])
			}
		}
	}
	return w.out.Write(row)
}

func bare(cell string) bool { return begins(cell) && !IsNumber(cell) && !infinite(cell) }

// infinite tells +Inf and -Inf, which are numbers of ours and formulas of nobody.
func infinite(cell string) bool { return cell == "+Inf" || cell == "-Inf" }

// WriteAll writes rows and flushes.
func (w *Writer) WriteAll(rows [][]string) error {
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Flush writes what is buffered; Error tells whether that failed.
func (w *Writer) Flush() { w.out.Flush() }

// Error is the first error of a Write or Flush.
func (w *Writer) Error() error { return w.out.Error() }
