package export

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine/label"
)

// longCells read the cells of labels_long.csv, by the columns of label.Labels. Colour ranges are
// not among them.
var longCells = map[string]func(r *label.Row, cell string) error{
	"event_id":       func(r *label.Row, cell string) error { return readULID(&r.ID, cell) },
	"desk":           func(r *label.Row, cell string) error { r.Desk = cell; return nil },
	"round_id":       func(r *label.Row, cell string) error { return readULID(&r.Round, cell) },
	"round":          func(r *label.Row, cell string) error { r.RoundName = cell; return nil },
	"model_id":       func(r *label.Row, cell string) error { r.ModelID = cell; return nil },
	"model_hash":     func(r *label.Row, cell string) error { return readHash(&r.Model, cell, false) },
	"annotator":      func(r *label.Row, cell string) error { return readName(&r.Annotator, cell) },
	"kind":           func(r *label.Row, cell string) (err error) { r.Kind, err = label.ParseKind(cell); return err },
	"pass":           func(r *label.Row, cell string) error { return readPass(&r.Pass, cell) },
	"label":          func(r *label.Row, cell string) error { return readValue(&r.Value, cell) },
	"sure":           func(r *label.Row, cell string) error { return readBool(&r.Sure, cell) },
	"flag":           func(r *label.Row, cell string) error { r.Flag = cell; return nil },
	"note":           func(r *label.Row, cell string) error { r.Note = cell; return nil },
	"started":        func(r *label.Row, cell string) error { return readTime(&r.Started, cell) },
	"saved":          func(r *label.Row, cell string) error { return readTime(&r.Saved, cell) },
	"seconds":        func(r *label.Row, cell string) error { return readSeconds(&r.Seconds, cell) },
	"guideline_hash": func(r *label.Row, cell string) error { return readHash(&r.Guideline, cell, true) },
	"supersedes":     func(r *label.Row, cell string) error { return readTarget(&r.Supersedes, cell) },
}

// longHeader are the columns of labels_long.csv.
func longHeader() []string {
	header := make([]string, len(label.Labels.Columns))
	for k, c := range label.Labels.Columns {
		header[k] = c.Key
	}
	return header
}

func isLong(header []string) bool { return slices.Equal(header, longHeader()) }

// ReadLong reads labels_long.csv strictly: all columns in their order, every cell in its form.
// name is the file's, for the *TableError. An event that is listed twice with the same content is
// read once.
func ReadLong(r io.Reader, name string) ([]label.Row, error) {
	rows := []label.Row{}
	seen := map[string]int{}
	err := readTable(labelReader(r), name, func(header []string) error {
		if !isLong(header) {
			return fmt.Errorf("this is no labels_long.csv: its header must be %s", strings.Join(longHeader(), ","))
		}
		return nil
	}, func(cells []string) error {
		row, err := longRow(cells)
		if err != nil {
			return err
		}
		at, twice := seen[row.ID]
		if !twice {
			seen[row.ID] = len(rows)
			rows = append(rows, row)
			return nil
		}
		if _, _, err := label.Merge([]label.Event{rows[at].Event}, []label.Event{row.Event}); err != nil {
			return fmt.Errorf("event %s is listed twice with different content", row.ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// ReadLabelsLong reads the events of labels_long.csv; see ReadLong.
func ReadLabelsLong(r io.Reader, name string) ([]label.Event, error) {
	rows, err := ReadLong(r, name)
	if err != nil {
		return nil, err
	}
	events := make([]label.Event, len(rows))
	for k, row := range rows {
		events[k] = row.Event
	}
	return events, nil
}

func longRow(cells []string) (row label.Row, err error) {
	for k, column := range longHeader() {
		if !utf8.ValidString(cells[k]) {
			return row, fmt.Errorf("column %s is not UTF-8", column)
		}
		if err := longCells[column](&row, cells[k]); err != nil {
			return row, fmt.Errorf("column %s: %w", column, err)
		}
	}
	return row, checkRow(row)
}

// checkRow holds the event to what its kind needs.
func checkRow(r label.Row) error {
	hasLabel := r.Kind == label.Label || r.Kind == label.Adjudicate
	switch {
	case hasLabel && r.Value == "":
		return fmt.Errorf("a %s event needs a label", r.Kind)
	case !hasLabel && r.Value != "":
		return fmt.Errorf("a %s event carries no label, but %q stands there", r.Kind, r.Value)
	case r.Kind == label.Undo && r.Supersedes == "":
		return errors.New("an undo event must name in supersedes what it takes back")
	}
	return nil
}

func readName(into *string, cell string) error {
	if *into = cell; cell == "" {
		return errors.New("it is empty")
	}
	return nil
}

func readULID(into *string, cell string) error {
	if id, err := ulid.ParseStrict(cell); err != nil || id.String() != cell {
		return fmt.Errorf("%q is no ULID", cell)
	}
	*into = cell
	return nil
}

func readTarget(into *string, cell string) error {
	if cell == "" {
		return nil
	}
	return readULID(into, cell)
}

// readHash reads a SHA-256 in lower-case hex.
func readHash(into *string, cell string, optional bool) error {
	if cell == "" && optional {
		return nil
	}
	if len(cell) != 64 || strings.Trim(cell, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is no SHA-256 in hex", cell)
	}
	*into = cell
	return nil
}

func readPass(into *int, cell string) error {
	if cell != "1" && cell != "2" {
		return fmt.Errorf("%q is neither 1 nor 2", cell)
	}
	*into = int(cell[0] - '0')
	return nil
}

func readValue(into *label.Value, cell string) (err error) {
	if cell != "" {
		*into, err = label.ParseValue(cell)
	}
	return err
}

func readBool(into *bool, cell string) error {
	if cell == "TRUE" || cell == "FALSE" { // as spreadsheets save them
		cell = strings.ToLower(cell)
	}
	if cell != "true" && cell != "false" {
		return fmt.Errorf("%q is neither true nor false", cell)
	}
	*into = cell == "true"
	return nil
}

// timeText is RFC 3339 in UTC with as many decimals as the time has; a time that was not taken is
// empty.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func readTime(into *time.Time, cell string) error {
	if cell == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, cell)
	if err != nil {
		return fmt.Errorf("%q is no time like 2026-03-01T12:00:00Z", cell)
	}
	*into = t.UTC()
	return nil
}

func readSeconds(into *float64, cell string) error {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return fmt.Errorf("%q is no number of seconds", cell)
	}
	*into = v
	return nil
}
