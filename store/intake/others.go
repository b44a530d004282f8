package intake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// Suite scans the suite at a path (every image is decoded) and adds it to the workspace, with copyInside with its
// images. The workspace's first suite becomes the current one. Progress counts images.
func Suite(ctx context.Context, ws *store.Workspace, path string, opts suite.Options, copyInside bool, p engine.Progress) (suite.Manifest, error) {
	m, err := suite.Scan(ctx, path, opts, p)
	if err != nil {
		return m, err
	}
	if m, err = ws.AddSuite(m, copyInside); err != nil {
		return m, err
	}
	current, err := ws.Current()
	if err != nil || current.Suite != "" {
		return m, err
	}
	current.Suite = m.Hash
	return m, ws.SetCurrent(current)
}

// LabelsReport says what became of an import of labels.
type LabelsReport struct {
	Added int // events that were not in the workspace
	Known int // events that were there, or in several of the files
	Files []string
}

// Labels merges the label events of labels_long.csv files into the workspace: the union by ULID, so that importing the
// same or overlapping files again adds nothing. All files are merged or, on an error, none.
func Labels(ctx context.Context, ws *store.Workspace, paths []string) (LabelsReport, error) {
	var report LabelsReport
	var events []label.Event
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return LabelsReport{}, err
		}
		list, err := readLabels(path)
		if err != nil {
			return LabelsReport{}, err
		}
		events = append(events, list...)
		report.Files = append(report.Files, path)
	}
	added, err := ws.Merge(events)
	if err != nil {
		return LabelsReport{}, fmt.Errorf("merge labels: %w", err)
	}
	report.Added, report.Known = added, len(events)-added
	return report, nil
}

func readLabels(path string) ([]label.Event, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	return export.ReadLabelsLong(in, filepath.Base(path))
}
