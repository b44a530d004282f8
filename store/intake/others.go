package intake

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
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

// importLabels merges the label events of labels_long.csv files, of files that other desks sent, or
// of tables of others (into the newest round), into the workspace: the union by ULID, so that
// importing the same or overlapping files again adds nothing. All files are merged or, on an
// error, none.
func importLabels(ctx context.Context, ws *store.Workspace, paths []string) (Outcome, error) {
	o := Outcome{What: "labels"}
	plan, err := desk.Preview(ctx, ws, paths, desk.Reading{}, nil)
	if err == nil {
		err = plan.Problem()
	}
	if err == nil {
		err = ws.BackUpFirst(ctx)
	}
	if err != nil {
		return o, err
	}
	added, err := desk.Merge(ws, plan)
	if err != nil {
		return o, err
	}
	var names, said []string
	known := -added
	for _, f := range plan.Files {
		names = append(names, filepath.Base(f.Path))
		known += f.Events
		if text := f.Uncounted(); text != "" {
			said = append(said, filepath.Base(f.Path)+": "+text)
		}
	}
	o.Name = strings.Join(names, ", ")
	o.Details = append([]string{fmt.Sprintf("%s added, %d were known", result.Counted(added, "event"), known)}, said...)
	return o, nil
}
