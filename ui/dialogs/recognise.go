// Package dialogs holds the window's dialogs: what comes in and goes out, runs, rounds, records,
// workspaces and their state, settings, help. What a dialog works out (what lies at a path,
// whether a family is well written) is in plain types beside its widgets.
package dialogs

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/intake"
)

// Kind is what lies at a path, as far as importing goes.
type Kind int

// The kinds.
const (
	Unknown Kind = iota
	Models       // an .onnx file, or a folder of them, with or without models.csv
	Suite
	Labels  // a labels_long.csv
	Records // a CSV table of records for models that are in the workspace
	Workspace
)

// Item is one path that somebody typed, chose or dropped, and what it was recognised as.
type Item struct {
	Path string
	Kind Kind
	// What describes it for people.
	What string
	// Err says why it is Unknown.
	Err error
}

// Recognise says what lies at a path without reading more than it must.
func Recognise(path string) Item {
	item := Item{Path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		item.Err = fmt.Errorf("%s does not exist; check the path", path)
	case err != nil:
		item.Err = fmt.Errorf("read %s: %w", path, err)
	case info.IsDir():
		item = recogniseFolder(path)
	default:
		item = recogniseFile(path)
	}
	return item
}

func recogniseFile(path string) Item {
	switch {
	case strings.EqualFold(filepath.Ext(path), ".onnx"):
		return Item{Path: path, Kind: Models, What: "model"}
	case intake.HoldsRecords(path):
		return Item{Path: path, Kind: Records, What: "records of models (CSV)"}
	case strings.EqualFold(filepath.Base(path), "models.csv"), strings.EqualFold(filepath.Base(path), "curves.csv"):
		return recogniseFolder(filepath.Dir(path))
	case strings.EqualFold(filepath.Ext(path), ".csv") && isLabels(path):
		return Item{Path: path, Kind: Labels, What: "labels of annotators (labels_long.csv)"}
	}
	return recogniseSuite(path)
}

func recogniseFolder(path string) Item {
	if _, err := os.Stat(filepath.Join(path, "workspace.db")); err == nil {
		return Item{Path: path, Kind: Workspace, What: "workspace; it is opened, not imported"}
	}
	if what := modelFolder(path); what != "" {
		return Item{Path: path, Kind: Models, What: what}
	}
	return recogniseSuite(path)
}

// modelFolder describes a folder of models, "" when it is none.
func modelFolder(path string) string {
	models := onnxIn(path)
	if inner := onnxIn(filepath.Join(path, "models")); len(models) == 0 {
		models = inner
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(path, name))
		return err == nil
	}
	if len(models) == 0 && !has("models.csv") {
		return ""
	}
	what := fmt.Sprintf("folder with %s", result.Counted(len(models), "model"))
	var beside []string
	for _, name := range []string{"models.csv", "curves.csv"} {
		if has(name) {
			beside = append(beside, name)
		}
	}
	if len(beside) > 0 {
		what += ", " + strings.Join(beside, " and ")
	}
	return what
}

func onnxIn(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name()), ".onnx") {
			names = append(names, e.Name())
		}
	}
	return names
}

func formatWords() map[suite.Format]string {
	return map[suite.Format]string{
		suite.IDX: "test suite, IDX", suite.CIFAR: "test suite, CIFAR-10 binary",
		suite.CIFAR100: "test suite, CIFAR-100 binary", suite.CIFARPython: "test suite, CIFAR-10 for Python",
		suite.CIFAR100Python: "test suite, CIFAR-100 for Python", suite.Arrays: "test suite, NumPy arrays",
		suite.Folder: "test suite, a folder per class", suite.CSV: "test suite, CSV of paths and labels",
	}
}

func recogniseSuite(path string) Item {
	format, err := suite.Recognise(path)
	if err != nil {
		return Item{Path: path, Err: err}
	}
	what := formatWords()[format]
	if what == "" {
		what = fmt.Sprintf("test suite, %s", string(format))
	}
	return Item{Path: path, Kind: Suite, What: what}
}

// isLabels tells whether a CSV file has the header of labels_long.csv (DESIGN.md section 8).
func isLabels(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	header, err := comma.NewReader(bufio.NewReader(file)).Read()
	if err != nil {
		return false
	}
	for _, column := range []string{"event_id", "annotator", "label"} {
		if !slices.Contains(header, column) {
			return false
		}
	}
	return true
}

// only returns the paths of one kind.
func only(items []Item, kind Kind) []string {
	var paths []string
	for _, item := range items {
		if item.Kind == kind {
			paths = append(paths, item.Path)
		}
	}
	return paths
}
