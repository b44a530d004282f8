package csvfile

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxRow is the longest row in bytes that a Reader takes: a table of many columns has far less, and
// a file with one cell of gigabytes must not fill the memory.
const MaxRow = 4 << 20

// mark is the byte order mark that spreadsheets put in front of UTF-8.
const mark = "\ufeff"

// Reader is encoding/csv's, with a limit on the length of a row and without a byte order mark in
// the first cell. Of a file that was written for spreadsheets it gives the cells as they were
// before.
type Reader struct {
	*csv.Reader
	limit   *limited
	begun   bool
	columns int      // of a file for spreadsheets, with Mark; 0 for any other
	foreign *foreign // nil for a file that this program wrote
}

// NewReader reads from r.
func NewReader(r io.Reader) *Reader {
	limit := &limited{in: bufio.NewReader(r)}
	return &Reader{Reader: csv.NewReader(limit), limit: limit}
}

// Read reads one row; a longer one than MaxRow is an error.
func (r *Reader) Read() ([]string, error) {
	row, err := r.next()
	if err != nil {
		return row, err
	}
	if !r.begun && row[len(row)-1] == Mark {
		r.columns = len(row)
	}
	r.begun = true
	if r.columns == 0 {
		return row, nil
	}
	if len(row) == r.columns {
		row = row[:len(row)-1]
	}
	for k, cell := range row {
		row[k] = strings.TrimPrefix(cell, "'")
	}
	return row, nil
}

// next is the next row as it stands.
func (r *Reader) next() ([]string, error) {
	r.limit.left = MaxRow
	if r.foreign != nil {
		return r.foreign.row(r)
	}
	return r.Reader.Read()
}

// ReadAll reads the rows that are left.
func (r *Reader) ReadAll() (rows [][]string, err error) {
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
}

// limited gives left bytes and then an error. What its reader holds ahead of the row counts for the
// row before.
type limited struct {
	in    *bufio.Reader
	left  int
	begun bool
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("a row has more than %d MiB", MaxRow>>20)
	}
	l.begin()
	n, err := l.in.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// begin passes over the mark before the first byte. As bytes and not in the first cell, since a
// quotation mark may follow it.
func (l *limited) begin() {
	if l.begun {
		return
	}
	l.begun = true
	if start, err := l.in.Peek(len(mark)); err == nil && string(start) == mark {
		_, _ = l.in.Discard(len(mark)) // these bytes are in the buffer
	}
}
