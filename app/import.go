package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/present"
)

type importCommand struct {
	Workspace string   `arg:"" help:"Workspace folder, NAME.variscope; made where there is none."`
	Path      []string `arg:"" help:"Models (.onnx files, folders with models.csv), suites (IDX, CIFAR-10 binary, image folders, CSV manifests), and CSV tables of records for models by id or model_hash."`
	intake.SuiteOptions
	Predictions bool `help:"The paths are predictions that were made elsewhere: .csv, .npy, .npz, or folders with a file per model."`
	predictions.Options
	Out string `help:"Folder to write the report to, import.json and import.csv." type:"path"`
}

// Help is what stands above the flags.
func (*importCommand) Help() string { return present.ModelNeeds() }

// importReport is what import prints with --json.
type importReport struct {
	Added   []string        `json:"added"`
	Merged  []string        `json:"merged"`
	Suites  []suiteReport   `json:"suites"`
	Records []recordsReport `json:"records"`
	Failed  []failureReport `json:"failed"`
	// Predictions are there with --predictions only.
	Predictions []predictionsReport `json:"predictions,omitempty"`
}

type suiteReport struct {
	Name    string          `json:"name"`
	Hash    string          `json:"hash"`
	Images  int             `json:"images"`
	Classes []string        `json:"classes"`
	Counts  []int           `json:"counts"` // images per class
	Skipped []suite.Skipped `json:"skipped"`
	detail  string
}

// recordsReport says what a table of records changed.
type recordsReport struct {
	Path    string   `json:"path"`
	Matched int      `json:"matched"`
	Changed []string `json:"changed"` // model ids
	Unknown []string `json:"unknown"` // models of the table that are not in the workspace
	Columns []string `json:"columns"` // fields that no model had before
	detail  string
}

type failureReport struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

func (c *importCommand) Run(s *session) error {
	if err := c.checkPredictions(); err != nil {
		return err
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if c.Predictions {
		return c.importPredictions(s)
	}
	models, suites, records, err := c.sort()
	if err != nil {
		return err
	}
	ws, err := s.openOrCreate(c.Workspace)
	if err != nil {
		return err
	}
	report := importReport{Added: []string{}, Merged: []string{}, Suites: []suiteReport{}, Records: []recordsReport{}, Failed: []failureReport{}}
	if len(models) > 0 {
		if err := c.models(s, ws, models, &report); err != nil {
			return err
		}
	}
	for _, path := range suites {
		if err := c.suite(s, ws, path, &report); err != nil {
			return err
		}
	}
	for _, path := range records { // after the models, which they may speak of
		report.records(ws, path)
	}
	rows := report.rows()
	if len(rows) == 1 {
		rows = nil // nothing came in: the error says why
	}
	if err := s.report(c.Out, "import", report, rows); err != nil {
		return err
	}
	return report.err()
}

// sort tells models, suites and tables of records apart: a .onnx file or a folder that holds some is models, a CSV with a
// column id or model_hash and no models beside it is records, all else must be a suite.
func (c *importCommand) sort() (models, suites, records []string, err error) {
	for _, path := range c.Path {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("import %s: %w", path, err)
		}
		if info.IsDir() && isWorkspace(path) {
			return nil, nil, nil, fmt.Errorf("%s is a workspace; name it as the first argument, or import the models' own files", path)
		}
		if !info.IsDir() && intake.HoldsRecords(path) {
			records = append(records, path)
		} else if intake.HoldsModels(path, info) {
			models = append(models, path)
		} else {
			suites = append(suites, path)
		}
	}
	return models, suites, records, nil
}

// records imports one table of records.
func (r *importReport) records(ws *store.Workspace, path string) {
	plan, _, err := intake.Records(ws, path)
	if err != nil {
		r.Failed = append(r.Failed, failureReport{path, sentence(err)})
		return
	}
	done := recordsReport{
		Path: path, Matched: plan.Matched, Changed: []string{}, Unknown: append([]string{}, plan.Unknown...),
		Columns: append([]string{}, plan.Columns...), detail: plan.String(),
	}
	for _, change := range plan.Changes {
		done.Changed = append(done.Changed, change.ID)
	}
	r.Records = append(r.Records, done)
}

func (c *importCommand) models(s *session, ws *store.Workspace, paths []string, report *importReport) error {
	var runtime engine.Runtime
	if loaded, err := s.runtime(); err == nil {
		runtime = loaded
	} else {
		fmt.Fprintf(s.stderr, "variscope: %v; models are imported without being tried\n", err)
	}
	bar := newBar(s.stderr, "models")
	defer bar.done()
	done, err := intake.Models(s.ctx, ws, runtime, onnx.Inspect, paths, bar)
	report.Added, report.Merged = append(report.Added, done.Added...), append(report.Merged, done.Merged...)
	for _, f := range done.Failed {
		report.Failed = append(report.Failed, failureReport{f.Path, sentence(f.Err)})
	}
	return err
}

func (c *importCommand) suite(s *session, ws *store.Workspace, path string, report *importReport) error {
	bar := newBar(s.stderr, filepath.Base(path))
	defer bar.done()
	m, err := intake.Suite(s.ctx, ws, path, c.SuiteOptions, bar)
	if err != nil {
		if s.ctx.Err() != nil {
			return err
		}
		report.Failed = append(report.Failed, failureReport{path, sentence(err)})
		return nil
	}
	report.Suites = append(report.Suites, suiteReport{m.Name, m.Hash, m.Images, m.Classes, m.Counts, append([]suite.Skipped{}, m.Skipped...), present.Suite(m)})
	return nil
}

func (r importReport) rows() [][]string {
	rows := [][]string{{"what", "name", "detail"}}
	for _, id := range r.Added {
		rows = append(rows, []string{"model", id, "added"})
	}
	for _, id := range r.Merged {
		rows = append(rows, []string{"model", id, "there already; its record was merged"})
	}
	for _, m := range r.Suites {
		rows = append(rows, []string{"suite", m.Name, m.detail})
	}
	for _, t := range r.Predictions {
		rows = append(rows, []string{"predictions", t.Name, t.detail()})
	}
	for _, t := range r.Records {
		rows = append(rows, []string{"records", filepath.Base(t.Path), t.detail})
	}
	return rows
}

// err is one sentence for everything that failed; what did not fail is imported.
func (r importReport) err() error {
	if len(r.Failed) == 0 {
		return nil
	}
	reasons := make([]string, len(r.Failed))
	for i, f := range r.Failed {
		reasons[i] = f.Error
	}
	return errors.New(strings.Join(reasons, "\n"))
}
