package background

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/csvfile"
)

// What a keyword table may have at most: far more than any two networks and any suite, and little
// enough to be read.
const (
	maxEntries = 20_000
	maxCells   = 200_000_000
)

// columnNames are the columns before the vector.
var columnNames = []string{"file", "kind", "label", "scene", "visible_pixels"}

// ReadTable reads a keyword CSV: file, kind, label, scene, visible_pixels, then the columns
// seg_NAME and after them scene_NAME. Errors name the line, the column and what is wrong: a missing
// column, a kind that is neither, a number that is none, shares outside of [0, 1], a file that is
// listed twice, no rows.
func ReadTable(r io.Reader) (Table, error) {
	in := &tableReader{csv: csvfile.NewReader(r), files: map[string]int{}}
	in.csv.ReuseRecord = true
	if err := in.head(); err != nil {
		return Table{}, err
	}
	for {
		err := in.row()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Table{}, err
		}
	}
	if len(in.table.Rows) == 0 {
		return Table{},
			errors.New("the keyword table has no rows; it needs one line per image after the line of column names")
	}
	return in.table, nil
}

// tableReader reads a keyword table line by line.
type tableReader struct {
	csv    *csvfile.Reader
	header []string
	line   int
	files  map[string]int // lines of the files so far
	table  Table
}

// head reads the line of column names.
func (t *tableReader) head() error {
	record, err := t.next()
	if errors.Is(err, io.EOF) {
		return errors.New("the keyword table is empty; it needs a first line file,kind,label,scene,visible_pixels " +
			"with the columns seg_NAME and scene_NAME after them")
	}
	if err != nil {
		return err
	}
	if len(record) > maxEntries+len(columnNames) {
		return fmt.Errorf("line 1: there are %d columns; a keyword table has at most %d", len(record),
			maxEntries+len(columnNames))
	}
	for _, cell := range record {
		t.header = append(t.header, strings.Clone(strings.TrimSpace(cell)))
	}
	if len(t.header) == 1 && strings.ContainsAny(t.header[0], ";\t") {
		return fmt.Errorf("line 1: there is one column, %.40q; separate columns by commas", t.header[0])
	}
	if err := t.leading(); err != nil {
		return err
	}
	return t.words()
}

// leading checks the columns before the vector.
func (t *tableReader) leading() error {
	for i, name := range columnNames {
		if i < len(t.header) && t.header[i] == name {
			continue
		}
		if !slices.Contains(t.header, name) {
			return fmt.Errorf("line 1: there is no column %s; the table begins with %s", name,
				strings.Join(columnNames, ","))
		}
		return fmt.Errorf("line 1: column %d is %.40q in place of %s; the table begins with %s",
			i+1, t.header[i], name, strings.Join(columnNames, ","))
	}
	return nil
}

// words reads the names of the two parts of a vector.
func (t *tableReader) words() error {
	seen := map[string]int{}
	for i, name := range t.header[len(columnNames):] {
		column := i + len(columnNames) + 1
		if first := seen[name]; first > 0 {
			return fmt.Errorf("line 1: columns %d and %d are both called %.40q; each word stands once in its list",
				first, column, name)
		}
		seen[name] = column
		element, isElement := strings.CutPrefix(name, ElementPrefix)
		scene, isScene := strings.CutPrefix(name, ScenePrefix)
		switch {
		case isElement && element != "" && len(t.table.Scenes) == 0:
			t.table.Elements = append(t.table.Elements, element)
		case isElement && element != "":
			return fmt.Errorf("line 1: column %d, %.40q, comes after a column scene_...; "+
				"all columns seg_... come first", column, name)
		case isScene && scene != "":
			t.table.Scenes = append(t.table.Scenes, scene)
		default:
			return fmt.Errorf("line 1: column %d is called %.40q; after visible_pixels there are only columns "+
				"seg_NAME and scene_NAME", column, name)
		}
	}
	if len(t.table.Elements) == 0 {
		return errors.New("line 1: there is no column seg_NAME; " +
			"a keyword table has one per word of the segmentation network")
	}
	if len(t.table.Scenes) == 0 {
		return errors.New("line 1: there is no column scene_NAME; " +
			"a keyword table has one per word of the scene network")
	}
	return nil
}

// next reads a line; io.EOF ends the table.
func (t *tableReader) next() ([]string, error) {
	record, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrFieldCount):
		return nil, fmt.Errorf("line %d: there are %d cells in place of %d", parse.Line, len(record), len(t.header))
	case errors.As(err, &parse):
		return nil, fmt.Errorf("line %d: %w", parse.Line, parse.Err)
	default:
		return nil, err
	}
	t.line, _ = t.csv.FieldPos(0)
	for i, cell := range record {
		if !utf8.ValidString(cell) {
			return nil, t.wrong(i, "the text is not UTF-8")
		}
	}
	return record, nil
}

// wrong places an error in a column of the last line.
func (t *tableReader) wrong(column int, format string, values ...any) error {
	where := fmt.Sprintf("line %d, column %d: ", t.line, column+1)
	if column < len(t.header) {
		where = fmt.Sprintf("line %d, column %.40s: ", t.line, t.header[column])
	}
	return fmt.Errorf(where+format, values...)
}

// row reads one image.
func (t *tableReader) row() error {
	record, err := t.next()
	if err != nil {
		return err
	}
	if (len(t.table.Rows)+1)*len(record) > maxCells {
		return fmt.Errorf("line %d: there are more than %d cells; that is too large for a keyword table",
			t.line, maxCells)
	}
	row := Row{
		File: strings.Clone(record[0]), Kind: record[1],
		Label: strings.Clone(record[2]), Scene: strings.Clone(record[3]),
		Vector: make([]float64, t.table.entries()),
	}
	if first := t.files[row.File]; first > 0 {
		return t.wrong(0, "%q is in line %d already", row.File, first)
	}
	t.files[row.File] = t.line
	switch row.Kind {
	case TargetKind: // the constants, so that the line itself is not kept
		row.Kind = TargetKind
	case BackgroundKind:
		row.Kind = BackgroundKind
	default:
		return t.wrong(1, "%.40q is neither %s nor %s", row.Kind, TargetKind, BackgroundKind)
	}
	if row.File == "" {
		return t.wrong(0, "there is no file")
	}
	if row.Visible, err = strconv.Atoi(strings.TrimSpace(record[4])); err != nil || row.Visible < 0 {
		return t.wrong(4, "%.40q is no number of pixels", record[4])
	}
	for k, cell := range record[len(columnNames):] {
		if row.Vector[k], err = t.share(k, cell); err != nil {
			return err
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	return nil
}

// share reads entry k of a vector.
func (t *tableReader) share(k int, cell string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, t.wrong(k+len(columnNames), "%.40q is no number", cell)
	case !(v >= 0 && v <= 1): // so that NaN fails too
		return 0, t.wrong(k+len(columnNames), "%.40s is not between 0 and 1; shares and scores are parts of 1",
			strings.TrimSpace(cell))
	}
	return v, nil
}

// WriteTable writes what ReadTable reads, with six decimals. The error is that of w, or names a row
// whose vector has another length than the two lists.
func (t Table) WriteTable(w io.Writer) error {
	out := csvfile.NewWriter(w)
	record := slices.Clone(columnNames)
	for _, name := range t.Elements {
		record = append(record, ElementPrefix+name)
	}
	for _, name := range t.Scenes {
		record = append(record, ScenePrefix+name)
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		if len(row.Vector) != t.entries() {
			return fmt.Errorf("write keyword table: %s has %d numbers in place of %d", row.File, len(row.Vector),
				t.entries())
		}
		record = append(record[:0], row.File, row.Kind, row.Label, row.Scene, strconv.Itoa(row.Visible))
		for _, v := range row.Vector {
			record = append(record, strconv.FormatFloat(v, 'f', 6, 64))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
