package comma

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// MaxRow is the longest row in bytes that a Reader takes: a table of many columns has far less, and a file with one
// cell of gigabytes must not fill the memory.
const MaxRow = 4 << 20

// Reader is encoding/csv's, with a limit on the length of a row.
type Reader struct {
	*csv.Reader
	limit *limited
}

// NewReader reads from r.
func NewReader(r io.Reader) *Reader {
	limit := &limited{in: r}
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
	in   io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("a row has more than %d MiB", MaxRow>>20)
	}
	n, err := l.in.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
