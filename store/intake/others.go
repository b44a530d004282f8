package intake

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
)

// Suite scans the suite at a path (every image is decoded) and adds it to the workspace, with copyInside with its
// images. The workspace's first suite becomes the current one. Progress counts images.
func Suite(ctx context.Context, ws *store.Workspace, path string, opts suite.Options, copyInside bool, p engine.Progress) (suite.Manifest, error) {
	m, err := suite.Scan(ctx, path, opts, p)
	if err != nil {
		return m, err
	}
	if copyInside {
		m, err = ws.CopySuite(ctx, m)
	} else {
		m, err = ws.AddSuite(m)
	}
	if err != nil {
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

// Labels merges the label events of labels_long.csv files, or of files that other desks sent, into the workspace: the union by ULID, so
// that importing the same or overlapping files again adds nothing. All files are merged or, on an error, none.
func Labels(ctx context.Context, ws *store.Workspace, paths []string) (LabelsReport, error) {
	plan, err := desk.Preview(ctx, ws, paths, nil)
	if err == nil {
		err = plan.Problem()
	}
	if err != nil {
		return LabelsReport{}, err
	}
	added, err := desk.Merge(ws, plan)
	if err != nil {
		return LabelsReport{}, err
	}
	report := LabelsReport{Added: added, Known: -added, Files: paths}
	for _, f := range plan.Files {
		report.Known += f.Events
	}
	return report, nil
}
