package intake

import (
	"context"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
)

// SuiteOptions say how a suite is taken in, as the command import takes them.
type SuiteOptions struct {
	Name        string `help:"Name of the suite (default: that of its file or folder)."`
	Labels      string `name:"idx-labels" aliases:"labels" label:"Labels file" help:"Labels file of an IDX suite or .npy array, where the images' name does not give it." type:"path"`
	SkipCorrupt bool   `help:"Leave corrupt images out and count them, instead of refusing the suite." label:"skip corrupt images and count them"`
	SkipBadRows bool   `help:"Leave rows of a CSV manifest out that are wrong or whose image is not there, and count them." label:"skip wrong rows of a table and count them"`
	Copy        bool   `help:"Copy the suite's images into the workspace." label:"copy the images into the workspace (it can then be moved without them)"`
}

// Suite scans the suite at a path (every image is decoded) and adds it to the workspace. The
// workspace's first suite becomes the current one. Progress counts images.
func Suite(
	ctx context.Context, ws *store.Workspace, path string, opts SuiteOptions, p engine.Progress,
) (suite.Manifest, error) {
	m, err := suite.Scan(ctx, path, suite.Options{
		Name: opts.Name, Labels: opts.Labels, SkipCorrupt: opts.SkipCorrupt, SkipBadRows: opts.SkipBadRows,
	}, p)
	if err != nil {
		return m, err
	}
	if opts.Copy {
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
	Said  []string // what to know of labels that count for nothing
}

// Labels merges the label events of labels_long.csv files, of files that other desks sent, or of
// tables of others (into the newest round), into the workspace: the union by ULID, so that
// importing the same or overlapping files again adds nothing. All files are merged or, on an
// error, none.
func Labels(ctx context.Context, ws *store.Workspace, paths []string) (LabelsReport, error) {
	plan, err := desk.Preview(ctx, ws, paths, desk.Reading{}, nil)
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
		if said := f.Uncounted(); said != "" {
			report.Said = append(report.Said, filepath.Base(f.Path)+": "+said)
		}
	}
	return report, nil
}
