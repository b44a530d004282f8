package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
)

// The names of what a folder of models holds.
const (
	modelsTable  = "models.csv"
	curvesTable  = "curves.csv"
	modelsFolder = "models"
	modelSuffix  = ".onnx"
)

// item is one model to import.
type item struct {
	path   string
	where  string // where it was asked for: the path, or the line of models.csv
	id     string // empty: from the file's name
	record []model.Field
	curves []model.Epoch
}

// HoldsModels tells whether a path is for Models: a .onnx file, models.csv, or a folder with models.csv, .onnx files or
// a folder models with .onnx files. Other paths are suites.
func HoldsModels(path string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return isModelFile(path) || filepath.Base(path) == modelsTable
	}
	if _, err := os.Stat(filepath.Join(path, modelsTable)); err == nil {
		return true
	}
	return len(modelFiles(path)) > 0
}

func isModelFile(path string) bool { return strings.EqualFold(filepath.Ext(path), modelSuffix) }

// modelFiles lists a folder's .onnx files and those of its folder models, each in natural order.
func modelFiles(folder string) []string {
	var files []string
	for _, folder := range []string{folder, filepath.Join(folder, modelsFolder)} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // no such folder, or nothing to see in it
		}
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return store.CompareNatural(a.Name(), b.Name()) })
		for _, e := range entries {
			if !e.IsDir() && isModelFile(e.Name()) {
				files = append(files, filepath.Join(folder, e.Name()))
			}
		}
	}
	return files
}

// find lists the models behind one path, and what of it cannot be imported.
func find(path string) ([]item, []Failure) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, []Failure{{path, err}}
	}
	if !info.IsDir() && filepath.Base(path) == modelsTable {
		return findListed(filepath.Dir(path))
	}
	if !info.IsDir() {
		return []item{{path: path, where: path}}, nil
	}
	if _, err := os.Stat(filepath.Join(path, modelsTable)); err == nil {
		return findListed(path)
	}
	files := modelFiles(path)
	if len(files) == 0 {
		return nil, []Failure{{path, fmt.Errorf("no .onnx file and no %s in it", modelsTable)}}
	}
	items := make([]item, len(files))
	for i, file := range files {
		items[i] = item{path: file, where: file, id: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))}
	}
	return items, addCurves(path, items)
}

// findListed lists the models of a folder's models.csv.
func findListed(folder string) ([]item, []Failure) {
	path := filepath.Join(folder, modelsTable)
	in, err := os.Open(path)
	if err != nil {
		return nil, []Failure{{path, err}}
	}
	defer func() { _ = in.Close() }()
	rows, err := readModels(in, modelsTable)
	if err != nil {
		return nil, []Failure{{path, err}}
	}
	if len(rows) == 0 {
		return nil, []Failure{{path, errors.New("it lists no model")}}
	}
	var items []item
	var failures []Failure
	for _, row := range rows {
		where := fmt.Sprintf("%s, line %d", path, row.line)
		file, err := locate(folder, row)
		if err != nil {
			failures = append(failures, Failure{where, err})
			continue
		}
		items = append(items, item{path: file, where: where, id: row.id, record: row.record})
	}
	return items, append(failures, addCurves(folder, items)...)
}

// locate finds a row's file: at column file, else models/ID.onnx, else ID.onnx (DESIGN.md section 4).
func locate(folder string, row modelRow) (string, error) {
	names := []string{row.file}
	if row.file == "" {
		if !filepath.IsLocal(filepath.FromSlash(row.id)) {
			return "", fmt.Errorf("model %s: its id leads out of the folder; name its file in a column %q", row.id, columnFile)
		}
		names = []string{modelsFolder + "/" + row.id + modelSuffix, row.id + modelSuffix}
	}
	for _, name := range names {
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("model %s: its file is not there (looked for %s)", row.id, strings.Join(names, " and "))
}

// addCurves gives the items their rows of the folder's curves.csv, where there is one.
func addCurves(folder string, items []item) []Failure {
	path := filepath.Join(folder, curvesTable)
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []Failure{{path, err}}
	}
	defer func() { _ = in.Close() }()
	c, err := readCurves(in, curvesTable)
	if err != nil {
		return []Failure{{path, err}}
	}
	for i := range items {
		items[i].curves = c.epochs[items[i].id]
		delete(c.lines, items[i].id)
	}
	var failures []Failure
	for id, line := range c.lines {
		failures = append(failures, Failure{fmt.Sprintf("%s, line %d", path, line), fmt.Errorf("no model %s to take the curve", id)})
	}
	slices.SortFunc(failures, func(a, b Failure) int { return store.CompareNatural(a.Path, b.Path) })
	return failures
}
