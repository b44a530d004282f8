package intake

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Kind is what lies at a path, as far as importing goes.
type Kind int

// The kinds.
const (
	Unknown       Kind = iota
	ModelKind          // an .onnx file, or a folder of them, with or without models.csv
	SuiteKind          // a test suite
	LabelKind          // a labels_long.csv
	RecordKind         // a CSV table of records for models that are in the workspace
	LogKind            // a log of the training of a model that is in the workspace
	WorkspaceKind      // a workspace, which is opened and not imported
)

// Source is one path that somebody typed, chose or dropped, and what it was recognised as.
type Source struct {
	Path string
	Kind Kind
	What string // the kind in words, and what is known of it
	Err  error  // why it is Unknown, or why it cannot be imported yet
}

// Paths are those of one kind, each once.
func Paths(sources []Source, kind Kind) (paths []string) {
	for _, s := range sources {
		if s.Kind == kind && !slices.Contains(paths, s.Path) {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// Recognise says what lies at a path without reading more than it must. What is nothing else must
// be a suite.
func Recognise(path string) Source {
	info, err := os.Stat(path)
	if err != nil {
		return Source{Path: path, Err: fmt.Errorf("import %s: %w", path, err)}
	}
	file, base := !info.IsDir(), filepath.Base(path)
	switch {
	case store.Is(path):
		return Source{Path: path, Kind: WorkspaceKind, What: "workspace; it is opened, not imported"}
	case file && holdsRecords(path):
		return Source{Path: path, Kind: RecordKind, What: "records of models (CSV)"}
	case file && (base == modelsTable || base == curvesTable && !holdsLog(path)):
		return recogniseModels(filepath.Dir(path))
	case holdsModels(path, info):
		return recogniseModels(path)
	case holdsLog(path):
		return Source{Path: path, Kind: LogKind, What: "log of a training"}
	case file && strings.EqualFold(filepath.Ext(path), ".csv") && isLabels(path):
		return Source{Path: path, Kind: LabelKind, What: "labels of annotators (labels_long.csv)"}
	}
	format, err := suite.Recognise(path)
	if err != nil {
		return Source{Path: path, Err: err}
	}
	what := map[suite.Format]string{
		suite.IDX: "IDX", suite.CIFAR: "CIFAR-10 binary", suite.CIFAR100: "CIFAR-100 binary",
		suite.CIFARPython: "CIFAR-10 for Python", suite.CIFAR100Python: "CIFAR-100 for Python",
		suite.Arrays: "NumPy arrays", suite.Folder: "a folder per class", suite.CSV: "CSV of paths and labels",
	}[format]
	return Source{Path: path, Kind: SuiteKind, What: "test suite, " + cmp.Or(what, string(format))}
}

// holdsModels tells whether a path is for Models: a .onnx file or one of another kind of model,
// which is refused with what to do; or a folder with models.csv, .onnx files, a folder
// models with .onnx files, folders with .onnx files, or no folder and a model of another kind.
func holdsModels(path string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return isModelFile(path) || foreign(path) != ""
	}
	if _, err := os.Stat(filepath.Join(path, modelsTable)); err == nil {
		return true
	}
	return len(modelFiles(path)) > 0 || len(foldersOfModels(path)) > 0 || foreignIn(path) != ""
}

// recogniseModels describes a model's file or a folder of models.
func recogniseModels(path string) Source {
	models, failed := find(path)
	s := Source{Path: path, Kind: ModelKind, What: "model"}
	if len(models) == 0 {
		s.Err = failed[0]
		return s
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return s
	}
	s.What = fmt.Sprintf("folder with %s", result.Counted(len(models), "model"))
	var beside []string
	for _, name := range []string{modelsTable, curvesTable} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			beside = append(beside, name)
		}
	}
	if len(beside) > 0 {
		s.What += ", " + strings.Join(beside, " and ")
	}
	if len(failed) > 0 {
		s.What = fmt.Sprintf("%s; %d cannot be taken, the first: %s", s.What, len(failed), outside.Sentence(failed[0]))
	}
	return s
}

// isLabels tells whether a CSV file has the header of labels_long.csv (DESIGN.md section 8).
func isLabels(path string) bool {
	file, err := outside.Open(path, outside.Table)
	if err != nil {
		return false
	}
	defer file.Close()
	header, err := csvfile.NewReader(bufio.NewReader(file)).Read()
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

// Foresee adds to a recognised table of records or log what its import would change; it reads file
// and workspace. A log whose model is not known stays a log: the model can be named.
func (s Source) Foresee(ctx context.Context, ws *store.Workspace, o LogOptions) Source {
	switch s.Kind {
	case RecordKind:
		plan, err := PlanRecords(ws, s.Path)
		if err != nil {
			return Source{Path: s.Path, Err: err}
		}
		s.What = plan.String()
	case LogKind:
		plan, err := PlanLog(ctx, ws, s.Path, o)
		if s.Err = err; err == nil {
			s.What = fmt.Sprintf("%s; of model %s", strings.Join(plan.Details(o.Replace), "; "), plan.Model.ID)
		}
	}
	return s
}
