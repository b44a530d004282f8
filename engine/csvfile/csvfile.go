// Package csvfile writes and reads CSV files (RFC 4180, UTF-8, \n line ends), and holds the one
// rule for texts that a spreadsheet would take for a formula (DESIGN.md section 8). A file has its
// cells as they are. Only one that is written for spreadsheets puts one apostrophe before a cell
// that begins with a sign or an apostrophe and is no number, and says so in its last column, Mark;
// Reader takes the apostrophes and that column away. All of the program's CSV files go through
// Writer and Reader.
package csvfile

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Mark is the title of the last column of a file that is written for spreadsheets. Its cells are
// "true".
const Mark = "for_spreadsheets"

const marked = "true"

// signs begin what a spreadsheet takes for a formula: besides = + - @, tab and line ends, which
// some drop before they look, and the full-width forms that some of them turn into the plain ones.
// An apostrophe is what they hide.
const signs = "=+-@\t\r\n＝＋－＠'"

// guard is a cell for spreadsheets.
func guard(cell string) string {
	if r, size := utf8.DecodeRuneInString(cell); size > 0 && strings.ContainsRune(signs, r) && !isNumber(cell) {
		return "'" + cell
	}
	return cell
}

// isNumber tells whether a cell is a finite number, or an infinite one as this program writes it.
func isNumber(cell string) bool {
	v, err := strconv.ParseFloat(cell, 64)
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) || cell == "+Inf" || cell == "-Inf"
}

// Writer is encoding/csv's. Line ends within cells are written as readers give them back, as \n.
type Writer struct {
	out             *csv.Writer
	forSpreadsheets bool
	begun           bool // the header is written
}

// NewWriter writes to w; the first row is the header. Flush and Error come last, as with
// encoding/csv.
func NewWriter(w io.Writer) *Writer { return &Writer{out: csv.NewWriter(w)} }

// ForSpreadsheets writes a file for spreadsheets to w, as NewWriter does.
func ForSpreadsheets(w io.Writer) *Writer {
	return &Writer{out: csv.NewWriter(w), forSpreadsheets: true}
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Write writes one row.
func (w *Writer) Write(row []string) error {
	row = slices.Clone(row)
	for k, cell := range row {
		if row[k] = lineEnds.Replace(cell); w.forSpreadsheets {
			row[k] = guard(row[k])
		}
	}
	switch {
	case w.forSpreadsheets && w.begun:
		row = append(row, marked)
	case w.forSpreadsheets:
		row = append(row, Mark)
	}
	w.begun = true
	return w.out.Write(row)
}

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
