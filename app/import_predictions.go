package app

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/present"
)

// predictionsReport says what a table of predictions holds.
type predictionsReport struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Suite   string   `json:"suite,omitempty"`
	Models  []string `json:"models"`
	Samples int      `json:"samples"`
	Classes int      `json:"classes"`
	Soft    int      `json:"with_probabilities"` // models
	Truth   bool     `json:"truth"`
}

func (r predictionsReport) detail() string {
	parts := []string{
		present.Counted(int64(len(r.Models)), "model"), present.Counted(int64(r.Samples), "image"), present.Counted(int64(r.Classes), "class"),
		fmt.Sprintf("probabilities of %d", r.Soft),
	}
	if r.Truth {
		parts = append(parts, "true classes")
	}
	return strings.Join(parts, ", ")
}

// checkPredictions refuses flags that do not go together.
func (c *importCommand) checkPredictions() error {
	switch {
	case !c.Predictions && (c.Suite != "" || c.Classes != ""):
		return usageError("--suite and --classes go with --predictions")
	case c.Predictions && (c.Copy || c.Labels != "" || c.SkipCorrupt):
		return usageError("--copy, --labels and --skip-corrupt go with suites, not with --predictions")
	case c.Predictions && c.Name != "" && len(c.Path) > 1:
		return usageError("--name names one table of predictions; give one file")
	}
	return nil
}

// importPredictions adds tables of predictions. A workspace is made for the first of them that can be read.
func (c *importCommand) importPredictions(s *session) error {
	var err error
	var ws *store.Workspace
	var of suite.Manifest
	if c.Suite != "" {
		if ws, err = s.open(c.Workspace); err != nil {
			return err
		}
		if of, err = findSuite(ws, c.Suite); err != nil {
			return err
		}
	}
	report := importReport{
		Added: []string{}, Merged: []string{}, Suites: []suiteReport{}, Records: []recordsReport{}, Failed: []failureReport{},
	}
	for _, path := range c.Path {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		t, err := predictions.ReadFor(path, c.Classes, of)
		t.Name = cmp.Or(c.Name, t.Name)
		if err == nil && ws == nil {
			if ws, err = s.openOrCreate(c.Workspace); err != nil {
				return err
			}
		}
		var done predictionsReport
		if err == nil {
			done, err = keepTable(ws, path, t, of.Name)
		}
		if err != nil {
			report.Failed = append(report.Failed, failureReport{path, sentence(err)})
			continue
		}
		report.Predictions = append(report.Predictions, done)
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

// keepTable keeps one table of a suite, "" for none.
func keepTable(ws *store.Workspace, path string, t predictions.Table, suite string) (predictionsReport, error) {
	kept, err := predictions.Keep(ws, t)
	if err != nil {
		return predictionsReport{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	report := predictionsReport{
		ID: kept.ID, Name: kept.Name, Suite: suite, Models: kept.Models, Samples: kept.Samples, Classes: kept.Classes, Truth: kept.Truth,
	}
	for _, soft := range kept.Soft {
		if soft {
			report.Soft++
		}
	}
	return report, nil
}
