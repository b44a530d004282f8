package comma

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// MaxRow is the longest row in bytes that a Reader takes: a table of many columns has far less, and a file with one
// cell of gigabytes must not fill the memory.
const MaxRow = 4 << 20

// mark is the byte order mark that spreadsheets put in front of UTF-8.
const mark = "\ufeff"

// Reader is encoding/csv's, with a limit on the length of a row and without a byte order mark in the first cell.
type Reader struct {
	*csv.Reader
	limit *limited
}

// NewReader reads from r.
func NewReader(r io.Reader) *Reader {
	limit := &limited{in: bufio.NewReader(r)}
	return &Reader{csv.NewReader(limit), limit}
}

// Read reads one row; a longer one than MaxRow is an error.
func (r *Reader) Read() ([]string, error) {
	r.limit.left = MaxRow
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

// limited gives left bytes and then an error. What its reader holds ahead of the row counts for the row before.
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

// begin passes over the mark before the first byte. As bytes and not in the first cell, since a quotation mark may follow it.
func (l *limited) begin() {
	if l.begun {
		return
	}
	l.begun = true
	if start, err := l.in.Peek(len(mark)); err == nil && string(start) == mark {
		_, _ = l.in.Discard(len(mark)) // these bytes are in the buffer
	}
}
