package suite

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// ErrBadRow is wrapped by Scan's error when a row of a manifest is wrong and Options.SkipBadRows
// is false.
var ErrBadRow = errors.New("wrong row")

// row is one line of a CSV manifest.
type row struct {
	path, label string
	line        int
}

// The names of a manifest's columns, in any case of letters. Where a table has several of them the
// first one counts.
var (
	pathNames  = []string{"path", "filename", "file", "image"}
	labelNames = []string{"label", "class", "target"}
)

const needHeader = "a first line with a column path (or filename, file, image) and a column label (or class, target)"

// maxNumber is the largest label that is taken as a class number rather than a name.
const maxNumber = 1 << 20

func scanCSV(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	file, err := outside.Open(path, outside.LargeTable)
	if err != nil {
		return found{}, err
	}
	defer file.Close()
	wrong := func(err error) (found, error) { return found{}, fmt.Errorf("manifest %s: %w", path, err) }
	t, err := parseCSV(file)
	if err != nil {
		return wrong(err)
	}
	folder := filepath.Dir(path)
	var rows []row
	var files []string
	for _, r := range t.rows {
		file := r.locate(folder)
		if _, err := os.Stat(file); err != nil && !opts.SkipCorrupt {
			t.bad = append(t.bad, badRow{r.line, fmt.Errorf("%s: %w", r.path, plain(err))})
			continue
		}
		rows, files = append(rows, r), append(files, file)
	}
	slices.SortStableFunc(t.bad, func(a, b badRow) int { return cmp.Compare(a.line, b.line) })
	if len(t.bad) > 0 && !opts.SkipBadRows {
		err := fmt.Errorf("%w: %w; correct it, or leave such rows out%s", ErrBadRow, t.bad[0], others(len(t.bad)))
		return wrong(err)
	}
	if len(rows) == 0 && len(t.bad) > 0 {
		return wrong(fmt.Errorf("none of its %d rows can be used (first: %w)", len(t.bad), t.bad[0]))
	}
	classes, labels, err := csvClasses(rows, opts.Classes)
	if err != nil {
		return wrong(err)
	}
	root, relative, err := place(folder, files)
	if err != nil {
		return found{}, err
	}
	f := found{format: CSV, root: root, classes: classes}
	for _, bad := range t.bad {
		f.passed.add("wrong rows", bad.Error())
	}
	f.notes = t.notes
	if n := count(labels, -1); n > 0 && n < len(labels) {
		f.note(fmt.Sprintf("%d of the images without label (-1 or empty)", n))
	}
	return f, f.examine(ctx, relative, labels, opts, p)
}

func others(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d rows are wrong)", n)
}

func count(labels []int, label int) (n int) {
	for _, l := range labels {
		if l == label {
			n++
		}
	}
	return n
}

// locate is the absolute path of a row's image. A table that was written on Windows has
// backslashes, which stand for slashes where there is no such file on a system that knows them as
// letters.
func (r row) locate(folder string) string {
	absolute := func(path string) string {
		if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		return filepath.Clean(path)
	}
	path := absolute(r.path)
	if _, err := os.Lstat(path); err != nil && strings.Contains(r.path, `\`) {
		return absolute(strings.ReplaceAll(r.path, `\`, "/"))
	}
	return path
}

// manifestTable is a parsed manifest.
type manifestTable struct {
	rows  []row
	bad   []badRow // at most maxBad
	notes []string
}

// badRow is what is wrong with a row.
type badRow struct {
	line int
	err  error
}

func (b badRow) Error() string { return fmt.Sprintf("line %d: %v", b.line, b.err) }
func (b badRow) Unwrap() error { return b.err }

// columns say where a row has its path and label, -1 for no label.
type columns struct {
	path, label int
	blank       bool // the one cell of a row has both, with blanks between
	header      bool // the first row has the columns' names
	note        string
}

// findColumns finds the columns in the first row. A table whose first row begins with an image has
// no header: it lists path and label, separated as the table is or by blanks like ImageNet's
// val.txt.
func findColumns(first []string) (columns, error) {
	names := make([]string, len(first))
	for i, name := range first {
		names[i] = strings.ToLower(strings.TrimSpace(name))
	}
	c := columns{header: true}
	var notes [2]string
	var err error
	if c.path, notes[0], err = column(names, pathNames); err != nil {
		return c, err
	}
	if c.label, notes[1], err = column(names, labelNames); err != nil {
		return c, err
	}
	if c.path >= 0 && c.label < 0 && len(first) > 1 {
		notes[1] = "the table has no column label, class or target"
	}
	c.note = strings.Trim(strings.Join(notes[:], "; "), "; ")
	path, label := cutBlank(first[0])
	switch {
	case c.path >= 0:
		return c, nil
	case len(first) == 1 && label != "" && isImageName(path):
		return columns{blank: true, note: "without a header: paths and labels"}, nil
	case len(first) == 1 && isImageName(path):
		return columns{label: -1, note: "without a header: paths"}, nil
	case len(first) == 2 && isImageName(strings.TrimSpace(first[0])):
		return columns{label: 1, note: "without a header: paths and labels"}, nil
	}
	return c, fmt.Errorf("its first line %.200q names no column path; it needs %s",
		strings.Join(first, ","), needHeader)
}

// column is the first of some names among those of a table, -1 for none, with a note on others
// that are there.
func column(names, wanted []string) (at int, note string, err error) {
	missing := func(name string) bool { return !slices.Contains(names, name) }
	there := slices.DeleteFunc(slices.Clone(wanted), missing)
	if len(there) == 0 {
		return -1, "", nil
	}
	at = slices.Index(names, there[0])
	if slices.Contains(names[at+1:], there[0]) {
		return at, "", fmt.Errorf("it has two columns %s; leave one of them out", there[0])
	}
	if len(there) > 1 {
		note = fmt.Sprintf("column %s is taken, not %s", there[0], strings.Join(there[1:], ", "))
	}
	return at, note, nil
}

// cutBlank cuts a line at its last blank.
func cutBlank(line string) (path, label string) {
	line = strings.TrimSpace(line)
	i := strings.LastIndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:])
}

func (c columns) row(cells []string, line int) row {
	r := row{line: line}
	switch {
	case c.blank:
		r.path, r.label = cutBlank(cells[0])
	case c.label >= 0:
		r.path, r.label = strings.TrimSpace(cells[c.path]), strings.TrimSpace(cells[c.label])
	default:
		r.path = strings.TrimSpace(cells[c.path])
	}
	return r
}

// maxBad is how many wrong rows of a manifest are looked at. A table with more is another kind of
// table.
const maxBad = 100000

// parseCSV reads a manifest as csvfile.Foreign does: a header with a column of paths and, unless
// the suite has no labels, one of labels, in any order and among others; then one image per line.
// The error is about the whole table; rows that are wrong by themselves are collected.
func parseCSV(r io.Reader) (manifestTable, error) {
	var t manifestTable
	reader := csvfile.Foreign(r)
	reader.ReuseRecord = true
	first, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return t, fmt.Errorf("is empty; it needs %s", needHeader)
	}
	if err != nil {
		return t, err
	}
	c, err := findColumns(first)
	if err != nil {
		return t, err
	}
	cells := first
	if c.header {
		cells, err = reader.Read()
	}
	for ; !errors.Is(err, io.EOF); cells, err = reader.Read() {
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			t.bad = append(t.bad, badRow{parse.Line, parse.Err})
		case err != nil:
			return t, err
		default:
			line, _ := reader.FieldPos(0)
			if next := c.row(cells, line); next.path == "" {
				t.bad = append(t.bad, badRow{line, errors.New("has no path")})
			} else {
				t.rows = append(t.rows, next)
			}
		}
		if len(t.bad) > maxBad {
			return t, fmt.Errorf("has more than %d wrong rows (first: %w)", maxBad, t.bad[0])
		}
	}
	if len(t.rows)+len(t.bad) == 0 {
		return t, errors.New("lists no images")
	}
	for _, note := range []string{reader.Form(), c.note} {
		if note != "" {
			t.notes = append(t.notes, note)
		}
	}
	return t, nil
}

// csvClasses makes classes and labels: names given are looked up first; whole numbers, also as
// 1.0, are class numbers; otherwise the classes are the labels, in numeric order where all are
// numbers, else in byte order. -1 and an empty cell mean no label.
func csvClasses(rows []row, given []string) ([]string, []int, error) {
	names := map[string]bool{}
	whole, numeric := true, true
	for _, r := range rows {
		if unlabelledText(r.label) {
			continue
		}
		_, isWhole := wholeNumber(r.label)
		v, err := strconv.ParseFloat(r.label, 64)
		whole, numeric = whole && isWhole, numeric && err == nil && !math.IsNaN(v)
		names[r.label] = true
	}
	classes := slices.Clone(given)
	if len(given) == 0 {
		for n := range names {
			classes = append(classes, n)
		}
		slices.SortFunc(classes, func(a, b string) int {
			if numeric {
				x, _ := strconv.ParseFloat(a, 64) // checked above
				y, _ := strconv.ParseFloat(b, 64)
				return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
			}
			return strings.Compare(a, b)
		})
	}
	byName := len(given) == 0 && !whole || len(given) > 0 && !(whole && !contains(given, names))
	number := make(map[string]int, len(classes))
	for i, c := range classes {
		number[c] = i
	}
	labels := unlabelled(len(rows))
	for i, r := range rows {
		switch n, ok := number[r.label]; {
		case unlabelledText(r.label):
		case !byName:
			labels[i], _ = wholeNumber(r.label)
		case !ok:
			return nil, nil, fmt.Errorf("line %d: label %q is none of the class names given", r.line, r.label)
		default:
			labels[i] = n
		}
	}
	if len(names) == 0 {
		return nil, labels, nil
	}
	if byName {
		return classes, labels, nil
	}
	classes, err := numbered(labels, given)
	return classes, labels, err
}

var wholePattern = regexp.MustCompile(`^(0|[1-9]\d*)(\.0*)?$`)

// wholeNumber reads a class number: 7, or 7.0 as tables of real numbers write it.
func wholeNumber(text string) (int, bool) {
	match := wholePattern.FindStringSubmatch(text)
	if match == nil {
		return 0, false
	}
	n, err := strconv.Atoi(match[1])
	return n, err == nil && n < maxNumber
}

var minusOne = regexp.MustCompile(`^(-1(\.0*)?)?$`)

func unlabelledText(text string) bool { return minusOne.MatchString(text) }

func contains(list []string, names map[string]bool) bool {
	for n := range names {
		if !slices.Contains(list, n) {
			return false
		}
	}
	return true
}
