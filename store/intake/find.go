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
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
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

// foreignKinds are files that hold models of other programs, and how such a model becomes an ONNX
// file.
var foreignKinds = []struct{ endings, what string }{
	{
		".pt .pth .ckpt",
		`a PyTorch model or its weights; load it in Python and export it with torch.onnx.export(model.eval(), example, "model.onnx")`,
	},
	{
		".h5 .hdf5 .keras",
		`a Keras model; load it in Python and export it with model.export("model.onnx", format="onnx"), or with tf2onnx`,
	},
	{
		".safetensors",
		"weights without the network; " +
			"export it with optimum-cli export onnx --model FOLDER OUT, or from PyTorch with torch.onnx.export",
	},
	{".tflite", "a TensorFlow Lite model; convert it with python -m tf2onnx.convert --tflite FILE --output model.onnx"},
	{
		".pb",
		"a TensorFlow graph; " +
			"convert its folder with python -m tf2onnx.convert --saved-model FOLDER --output model.onnx",
	},
	{".ort", "a model in ONNX Runtime's own format; import the .onnx file that it was made from"},
}

// foreign says what a file with the ending of another kind of model is and what to do, "" for
// others.
func foreign(path string) string {
	ending := strings.ToLower(filepath.Ext(path))
	for _, kind := range foreignKinds {
		if ending != "" && slices.Contains(strings.Fields(kind.endings), ending) {
			return fmt.Sprintf("%s is %s", filepath.Base(path), kind.what)
		}
	}
	return ""
}

// foreignIn is the first file of another kind of model in a folder that is a model as a whole: one
// without folders, or a saved_model.pb of TensorFlow.
func foreignIn(folder string) (path string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	folders := false
	for _, e := range entries {
		at := filepath.Join(folder, e.Name())
		if e.Name() == "saved_model.pb" {
			return at
		}
		folders = folders || e.IsDir()
		if path == "" && foreign(at) != "" {
			path = at
		}
	}
	if folders {
		return ""
	}
	return path
}

// foldersOfModels are a folder's folders that hold .onnx files, in natural order: a model each,
// with the folder's name as id, or with folder and file where there are several. Hidden folders
// are not looked into.
func foldersOfModels(folder string) (items []item) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return result.Natural(a.Name(), b.Name()) })
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		files := modelFiles(filepath.Join(folder, e.Name()))
		for _, file := range files {
			id := e.Name()
			if len(files) > 1 {
				id += "-" + strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			}
			items = append(items, item{path: file, where: file, id: id})
		}
	}
	return items
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
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return result.Natural(a.Name(), b.Name()) })
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
		if what := foreign(path); what != "" {
			return nil, []Failure{{path, errors.New(what)}}
		}
		return []item{{path: path, where: path}}, nil
	}
	if _, err := os.Stat(filepath.Join(path, modelsTable)); err == nil {
		return findListed(path)
	}
	var items []item
	for _, file := range modelFiles(path) {
		items = append(items, item{
			path: file, where: file, id: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)),
		})
	}
	if len(items) == 0 {
		items = foldersOfModels(path)
	}
	if file := foreignIn(path); len(items) == 0 && file != "" {
		return nil, []Failure{{file, errors.New(foreign(file))}}
	}
	if len(items) == 0 {
		return nil,
			[]Failure{{path, fmt.Errorf("no .onnx file and no %s in it, nor in the folders in it", modelsTable)}}
	}
	return items, addCurves(path, items)
}

// findListed lists the models of a folder's models.csv.
func findListed(folder string) ([]item, []Failure) {
	path := filepath.Join(folder, modelsTable)
	in, err := outside.Open(path, outside.Table)
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

// locate finds a row's file: at column file, else models/ID.onnx, else ID.onnx (DESIGN.md section
// 4).
func locate(folder string, row modelRow) (string, error) {
	names := []string{row.file}
	if row.file == "" {
		if !filepath.IsLocal(filepath.FromSlash(row.id)) {
			return "", fmt.Errorf("model %s: its id leads out of the folder; name its file in a column %q",
				row.id, columnFile)
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
	in, err := outside.Open(path, outside.Table)
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
		failures = append(failures, Failure{
			fmt.Sprintf("%s, line %d", path, line), fmt.Errorf("no model %s to take the curve", id),
		})
	}
	slices.SortFunc(failures, func(a, b Failure) int { return result.Natural(a.Path, b.Path) })
	return failures
}
