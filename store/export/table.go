// Package export writes the labelled set of a workspace and everything that it rests on as files
// that other tools read (DESIGN.md section 8), and reads the label tables again.
package export

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine/csvfile"
)

// newReader reads CSV of any number of cells per row.
func newReader(r io.Reader) *csvfile.Reader {
	in := csvfile.NewReader(r)
	in.FieldsPerRecord = -1
	return in
}

// labelReader is newReader for a table of labels that was written here, and csvfile.Foreign for any
// other: spreadsheets save our tables in their own form.
func labelReader(r io.Reader) *csvfile.Reader {
	in := bufio.NewReader(r)
	start, _ := in.Peek(64) // an error comes again when the first row is read
	start = bytes.TrimPrefix(start, []byte("\ufeff"))
	if !bytes.HasPrefix(start, []byte(longHeader()[0]+",")) && !bytes.HasPrefix(start, []byte(wideFirst[0]+",")) {
		return csvfile.Foreign(in)
	}
	return newReader(in)
}

// readHeader returns the first row; the error names the file.
func readHeader(in *csvfile.Reader, name string) ([]string, error) {
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, &TableError{name, 1, errors.New("the file is empty")}
	}
	if err != nil {
		return nil, tableError(name, err)
	}
	return header, nil
}

// readTable gives check the header and visit every row after it, which has as many cells, until
// there are no more or one of them fails; the error names file and line.
func readTable(in *csvfile.Reader, name string, check, visit func(cells []string) error) error {
	header, err := readHeader(in, name)
	if err != nil {
		return err
	}
	if err := check(header); err != nil {
		return &TableError{name, 1, err}
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return tableError(name, err)
		}
		line, _ := in.FieldPos(0)
		if len(cells) != len(header) {
			err = fmt.Errorf("%d cells in place of %d", len(cells), len(header))
		} else {
			err = visit(cells)
		}
		if err != nil {
			return &TableError{name, line, err}
		}
	}
}

// TableError says what is wrong in which line of a table.
type TableError struct {
	File string
	Line int // counted from 1, the header is line 1
	Err  error
}

func (e *TableError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err) }

// Unwrap is the problem without its place.
func (e *TableError) Unwrap() error { return e.Err }

// tableError places an error of the CSV reader.
func tableError(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return &TableError{name, parse.Line, parse.Err}
	}
	return fmt.Errorf("read %s: %w", name, err)
}

func writeJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(v)
}
