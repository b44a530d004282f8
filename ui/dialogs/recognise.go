// Package dialogs holds the window's dialogs: what comes in and goes out, runs, rounds, records,
// workspaces and their state, settings, help. What a dialog works out (what lies at a path,
// whether a family is well written) is in plain types beside its widgets.
package dialogs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
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
	Logs    // a log of the training of a model that is in the workspace
	Workspace
)

// Item is one path that somebody typed, chose or dropped, and what it was recognised as.
type Item struct {
	Path string
	Kind Kind
	// What describes it for people.
	What string
	// Err says why it is Unknown, or why it cannot be imported yet.
	Err error
}

// Recognise says what lies at a path without reading more than it must.
func Recognise(path string) Item {
	info, err := os.Stat(path)
	base := strings.ToLower(filepath.Base(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Item{Path: path, Err: fmt.Errorf("%s does not exist; check the path", path)}
	case err != nil:
		return Item{Path: path, Err: fmt.Errorf("read %s: %w", path, err)}
	case info.IsDir() && isWorkspace(path):
		return Item{Path: path, Kind: Workspace, What: "workspace; it is opened, not imported"}
	case !info.IsDir() && intake.HoldsRecords(path):
		return Item{Path: path, Kind: Records, What: "records of models (CSV)"}
	case !info.IsDir() && (base == "models.csv" || base == "curves.csv"):
		return recogniseModels(filepath.Dir(path))
	case intake.HoldsModels(path, info):
		return recogniseModels(path)
	case intake.HoldsLog(path):
		return Item{Path: path, Kind: Logs, What: "log of a training"}
	case !info.IsDir() && strings.EqualFold(filepath.Ext(path), ".csv") && isLabels(path):
		return Item{Path: path, Kind: Labels, What: "labels of annotators (labels_long.csv)"}
	}
	return recogniseSuite(path)
}

func isWorkspace(path string) bool {
	_, err := os.Stat(filepath.Join(path, "workspace.db"))
	return err == nil
}

// recogniseModels describes a model's file or a folder of models.
func recogniseModels(path string) Item {
	count, failed := intake.Found(path)
	if count == 0 {
		return Item{Path: path, Err: failed[0]}
	}
	item := Item{Path: path, Kind: Models, What: "model"}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return item
	}
	item.What = fmt.Sprintf("folder with %s", result.Counted(count, "model"))
	var beside []string
	for _, name := range []string{"models.csv", "curves.csv"} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			beside = append(beside, name)
		}
	}
	if len(beside) > 0 {
		item.What += ", " + strings.Join(beside, " and ")
	}
	if len(failed) > 0 {
		item.What = fmt.Sprintf("%s; %d cannot be taken, the first: %s", item.What, len(failed), sentence(failed[0]))
	}
	return item
}

func recogniseSuite(path string) Item {
	format, err := suite.Recognise(path)
	if err != nil {
		return Item{Path: path, Err: err}
	}
	what := map[suite.Format]string{
		suite.IDX: "IDX", suite.CIFAR: "CIFAR-10 binary", suite.CIFAR100: "CIFAR-100 binary",
		suite.CIFARPython: "CIFAR-10 for Python", suite.CIFAR100Python: "CIFAR-100 for Python",
		suite.Arrays: "NumPy arrays", suite.Folder: "a folder per class", suite.CSV: "CSV of paths and labels",
	}[format]
	return Item{Path: path, Kind: Suite, What: "test suite, " + cmp.Or(what, string(format))}
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

// foresee adds to a recognised table of records or log what its import would change; it reads file
// and workspace. A log whose model is not known stays a log: the model can be named.
func foresee(ctx context.Context, ws *store.Workspace, item Item, o intake.LogOptions) Item {
	switch {
	case ws == nil:
	case item.Kind == Records:
		plan, err := intake.PlanRecords(ws, item.Path)
		if err != nil {
			return Item{Path: item.Path, Err: err}
		}
		item.What = plan.String()
	case item.Kind == Logs:
		plan, err := intake.PlanLog(ctx, ws, item.Path, o)
		if item.Err = err; err == nil {
			item.What = fmt.Sprintf("%s; of model %s", strings.Join(plan.Details(o.Replace), "; "), plan.Model.ID)
		}
	}
	return item
}
