package app

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/predictions"
)

// checkPredictions refuses flags that do not go together.
func (c *importCommand) checkPredictions() error {
	switch {
	case !c.Predictions && (c.Suite != "" || c.ClassNames != ""):
		return usageError("--suite and --class-names go with --predictions")
	case c.Predictions && (c.Copy || c.Labels != "" || c.SkipCorrupt || c.SkipBadRows):
		return usageError("--copy, --idx-labels, --skip-corrupt and --skip-bad-rows go with suites, not with --predictions")
	case c.Predictions && c.Name != "" && len(c.Path) > 1:
		return usageError("--name names one table of predictions; give one file")
	}
	return nil
}

// importPredictions adds tables of predictions. A workspace is made for the first of them that can
// be read.
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
	var list []intake.Outcome
	for _, path := range c.Path {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		t, err := predictions.ReadFor(path, c.ClassNames, of)
		t.Name = cmp.Or(c.Name, t.Name)
		if err == nil && ws == nil {
			if ws, err = s.openOrCreate(c.Workspace); err != nil {
				return err
			}
		}
		var done intake.Outcome
		if err == nil {
			done, err = keepTable(ws, path, t, of.Name)
		}
		if err != nil {
			done = intake.NotImported(path, sentence(err))
		}
		list = append(list, done)
	}
	return c.answer(s, list)
}

// keepTable keeps one table of a suite, "" for none.
func keepTable(ws *store.Workspace, path string, t predictions.Table, suite string) (intake.Outcome, error) {
	kept, err := predictions.Keep(ws, t)
	if err != nil {
		return intake.Outcome{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	o := intake.Outcome{
		What: "predictions", Name: kept.Name, ID: kept.ID, Suite: suite, Models: len(kept.Models), ModelIDs: kept.Models, Images: kept.Samples, Classes: kept.Classes,
		Truth: kept.Truth,
	}
	for _, soft := range kept.Soft {
		if soft {
			o.Soft++
		}
	}
	parts := []string{
		result.Counted(o.Models, "model"), result.Counted(o.Images, "image"), result.Counted(o.Classes, "class"),
		"probabilities of " + result.Whole(o.Soft),
	}
	if o.Truth {
		parts = append(parts, "true classes")
	}
	if t.Form != "" {
		parts = append(parts, t.Form)
	}
	for _, l := range t.LeftOut {
		o.LeftOut = append(o.LeftOut, l.String())
		parts = append(parts, "left out "+l.String())
	}
	o.Details = []string{strings.Join(parts, ", ")}
	return o, nil
}
