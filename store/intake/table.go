package intake

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/store/export"
)

// table reads a CSV file with a header (RFC 4180, UTF-8, with or without a byte order mark) whose
// rows all have the header's length.
type table struct {
	name   string
	in     *csvfile.Reader
	header []string
}

func openTable(r io.Reader, name string) (*table, error) {
	t := &table{name: name, in: csvfile.NewReader(r)}
	header, err := t.in.Read()
	if errors.Is(err, io.EOF) {
		return nil, t.fail(1, errors.New("the file is empty; it needs a header"))
	}
	if err != nil {
		return nil, t.readError(err)
	}
	for i, column := range header {
		switch {
		case strings.TrimSpace(column) == "" || !utf8.ValidString(column):
			return nil, t.fail(1, fmt.Errorf("column %d has no name in UTF-8", i+1))
		case slices.Contains(header[:i], column):
			return nil, t.fail(1, fmt.Errorf("column %q is there twice", column))
		}
	}
	t.header = header
	return t, nil
}

// row returns the next row with its line; io.EOF ends the table.
func (t *table) row() (cells []string, line int, err error) {
	cells, err = t.in.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, io.EOF
	}
	if err != nil {
		return nil, 0, t.readError(err)
	}
	line, _ = t.in.FieldPos(0)
	for i, cell := range cells {
		if !utf8.ValidString(cell) {
			return nil, line, t.fail(line, fmt.Errorf("column %q is not UTF-8", t.header[i]))
		}
	}
	return cells, line, nil
}

func (t *table) fail(line int, err error) error {
	return &export.TableError{File: t.name, Line: line, Err: err}
}

// readError gives the csv package's errors this package's form.
func (t *table) readError(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	if errors.Is(parse.Err, csv.ErrFieldCount) {
		return t.fail(parse.Line, errors.New("the row has another number of cells than the header"))
	}
	return t.fail(parse.Line, parse.Err)
}

func (t *table) need(columns ...string) error {
	for _, column := range columns {
		if !slices.Contains(t.header, column) {
			return t.fail(1, fmt.Errorf("there is no column %q", column))
		}
	}
	return nil
}

// The columns with a meaning of their own.
const (
	columnID    = "id"
	columnFile  = "file"
	columnEpoch = "epoch"
)

// modelRow is one row of models.csv.
type modelRow struct {
	line     int
	id, file string
	record   []model.Field // all columns but id and file
}

// readModels reads models.csv: a column id, whose values are all different, optionally a column
// file, and any others, which are kept as text.
func readModels(r io.Reader, name string) ([]modelRow, error) {
	t, err := openTable(r, name)
	if err != nil {
		return nil, err
	}
	if err := t.need(columnID); err != nil {
		return nil, err
	}
	rows := []modelRow{}
	lines := map[string]int{}
	for {
		cells, line, err := t.row()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		row := modelRow{line: line}
		for i, cell := range cells {
			switch t.header[i] {
			case columnID:
				row.id = strings.TrimSpace(cell)
			case columnFile:
				row.file = strings.TrimSpace(cell)
			default:
				row.record = append(row.record, model.Field{Name: t.header[i], Value: cell})
			}
		}
		if row.id == "" {
			return nil, t.fail(line, errors.New("the id is empty"))
		}
		if first, twice := lines[row.id]; twice {
			return nil, t.fail(line, fmt.Errorf("id %s is in line %d already", row.id, first))
		}
		lines[row.id] = line
		rows = append(rows, row)
	}
}

// TrainingRecords reads a models.csv from beside the models or from an export: all columns but id
// and file, as text, by model id. Errors name the file, the line and what is wrong.
func TrainingRecords(path string) (map[string][]model.Field, error) {
	file, err := outside.Open(path, outside.Table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := readModels(file, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	records := make(map[string][]model.Field, len(rows))
	for _, row := range rows {
		records[row.id] = row.record
	}
	return records, nil
}

// curves are the loss curves of curves.csv by model id.
type curves struct {
	epochs map[string][]model.Epoch // by epoch, ascending
	lines  map[string]int           // first line of each id
}

// readCurves reads curves.csv: columns id and epoch (a whole number from 0, once per id), and any
// others, whose cells are finite numbers or empty.
func readCurves(r io.Reader, name string) (curves, error) {
	c := curves{epochs: map[string][]model.Epoch{}, lines: map[string]int{}}
	t, err := openTable(r, name)
	if err != nil {
		return c, err
	}
	if err := t.need(columnID, columnEpoch); err != nil {
		return c, err
	}
	for {
		cells, line, err := t.row()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return c, err
		}
		id, epoch, err := t.epoch(cells)
		if err != nil {
			return c, t.fail(line, err)
		}
		if slices.ContainsFunc(c.epochs[id], func(e model.Epoch) bool { return e.Epoch == epoch.Epoch }) {
			return c, t.fail(line, fmt.Errorf("epoch %d of model %s is there twice", epoch.Epoch, id))
		}
		if c.lines[id] == 0 {
			c.lines[id] = line
		}
		c.epochs[id] = append(c.epochs[id], epoch)
	}
	for _, list := range c.epochs {
		slices.SortFunc(list, func(a, b model.Epoch) int { return a.Epoch - b.Epoch })
	}
	return c, nil
}

// epoch reads one row of curves.csv.
func (t *table) epoch(cells []string) (id string, e model.Epoch, err error) {
	e.Values = map[string]float64{}
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		column := t.header[i]
		switch {
		case column == columnID:
			id = cell
		case column == columnEpoch:
			n, err := strconv.ParseUint(cell, 10, 31)
			if err != nil {
				return id, e, fmt.Errorf("epoch %q is not a whole number", cell)
			}
			e.Epoch = int(n)
		case cell != "":
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return id, e, fmt.Errorf("%s %q is not a finite number; leave the cell empty where there is none",
					column, cell)
			}
			e.Values[column] = v
		}
	}
	if id == "" {
		return id, e, errors.New("the id is empty")
	}
	return id, e, nil
}
