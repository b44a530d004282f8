package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/progress"
)

// row is one line of a CSV manifest.
type row struct {
	path, label string
	line        int
}

// maxNumber is the largest label that is taken as a class number rather than a name.
const maxNumber = 1 << 20

func scanCSV(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	file, err := os.Open(path)
	if err != nil {
		return found{}, err
	}
	rows, err := parseCSV(file)
	file.Close()
	if err != nil {
		return found{}, fmt.Errorf("manifest %s: %w", path, err)
	}
	classes, labels, err := csvClasses(rows, opts.Classes)
	if err != nil {
		return found{}, fmt.Errorf("manifest %s: %w", path, err)
	}
	files := make([]string, len(rows))
	for i, r := range rows {
		files[i] = filepath.FromSlash(r.path)
		if !filepath.IsAbs(files[i]) {
			files[i] = filepath.Join(filepath.Dir(path), files[i])
		}
		files[i] = filepath.Clean(files[i])
	}
	root, relative, err := place(filepath.Dir(path), files)
	if err != nil {
		return found{}, err
	}
	f := found{format: CSV, root: root, classes: classes}
	return f, f.examine(ctx, relative, labels, opts, p)
}

// parseCSV reads a manifest: a header with the columns path and, unless the suite has no labels, label, in any order
// and among others; then one image per line.
func parseCSV(r io.Reader) ([]row, error) {
	reader := comma.NewReader(r)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("is empty; it needs a first line path,label")
	}
	if err != nil {
		return nil, err
	}
	pathColumn, labelColumn := -1, -1
	for i, name := range header {
		switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) {
		case "path":
			pathColumn = i
		case "label":
			labelColumn = i
		}
	}
	if pathColumn < 0 {
		return nil, fmt.Errorf("its first line %q names no column path; it needs a first line path,label", strings.Join(header, ","))
	}
	var rows []row
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := reader.FieldPos(pathColumn)
		next := row{path: strings.TrimSpace(record[pathColumn]), line: line}
		if labelColumn >= 0 {
			next.label = strings.TrimSpace(record[labelColumn])
		}
		if next.path == "" || strings.ContainsRune(next.path, 0) {
			return nil, fmt.Errorf("line %d has no path", line)
		}
		rows = append(rows, next)
	}
	if len(rows) == 0 {
		return nil, errors.New("lists no images")
	}
	return rows, nil
}

// csvClasses makes classes and labels: names given are looked up first; whole numbers are class numbers; otherwise the
// classes are the labels in byte order. All labels empty: a suite without labels.
func csvClasses(rows []row, given []string) ([]string, []int, error) {
	names := map[string]bool{}
	whole := true
	for _, r := range rows {
		n, err := strconv.Atoi(r.label)
		whole = whole && err == nil && strconv.Itoa(n) == r.label && n >= 0 && n < maxNumber
		names[r.label] = true
	}
	if names[""] {
		return withoutLabels(rows, len(names) > 1)
	}
	classes := slices.Clone(given)
	if len(given) == 0 {
		for n := range names {
			classes = append(classes, n)
		}
		slices.Sort(classes)
	}
	byName := len(given) == 0 && !whole || len(given) > 0 && !(whole && !contains(given, names))
	labels := make([]int, len(rows))
	for i, r := range rows {
		if !byName {
			labels[i], _ = strconv.Atoi(r.label) // checked above
			continue
		}
		if labels[i] = slices.Index(classes, r.label); labels[i] < 0 {
			return nil, nil, fmt.Errorf("line %d: label %q is none of the class names given", r.line, r.label)
		}
	}
	if byName {
		return classes, labels, nil
	}
	classes, err := numbered(labels, given)
	return classes, labels, err
}

func withoutLabels(rows []row, some bool) ([]string, []int, error) {
	for _, r := range rows {
		if some && r.label == "" {
			return nil, nil, fmt.Errorf("line %d has no label, but others have", r.line)
		}
	}
	return nil, unlabelled(len(rows)), nil
}

func contains(list []string, names map[string]bool) bool {
	for n := range names {
		if !slices.Contains(list, n) {
			return false
		}
	}
	return true
}
