package app

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

// rankSource is where predictions come from, and the suite or table that is ranked on.
type rankSource struct {
	from predictions.From
	id   string // of the suite or table
}

func (c *rankCommand) source(s *session) (rankSource, error) {
	var src rankSource
	file, err := isPredictions(c.Source)
	if err != nil {
		return src, err
	}
	if file {
		src.from, err = c.readFile(s)
		return src, err
	}
	if c.ClassNames != "" {
		return src, usageError("--class-names goes with files of predictions; a workspace knows its classes")
	}
	if src.from.Workspace, err = s.read(c.Source); err != nil {
		return src, err
	}
	if src.id, err = rankedID(src.from.Workspace, c.Suite); err != nil {
		return src, err
	}
	src.from.Names, err = predictions.NamesOf(src.from.Workspace, src.id)
	return src, err
}

// readFile reads a file or folder of predictions.
func (c *rankCommand) readFile(s *session) (from predictions.From, err error) {
	switch {
	case c.Suite != "" || c.Family != "":
		return from, usageError(c.Source + " is no workspace; --suite and --family go with one")
	case c.Conditions || c.Shifted:
		return from, usageError(c.Source + " is no workspace; --conditions and --shifted go with one")
	case c.Truth == string(predictions.ByHand):
		return from, usageError(c.Source + " is no workspace; give labels of its images as --truth FILE.csv")
	}
	from.Path = c.Source
	names, err := predictions.ParseClasses(c.ClassNames)
	if err != nil {
		return from, err
	}
	if from.Table, err = predictions.Read(c.Source, names, 0); err != nil {
		return from, err
	}
	if from.Table.Form != "" {
		fmt.Fprintf(s.stderr, "variscope: %s: %s\n", c.Source, from.Table.Form)
	}
	t := from.Table
	from.Names = predictions.Names{Source: t.Name, Samples: t.SampleNames, Classes: t.ClassNames}
	return from, nil
}

// rankedID is the hash of the suite of this name, or the id of the table; without a name the
// current suite's.
func rankedID(ws *store.Workspace, name string) (string, error) {
	if name == "" {
		current, err := ws.Current()
		if err == nil && current.Suite == "" {
			err = fmt.Errorf("%s has no current suite; name one with --suite, or a table of predictions", ws.Path())
		}
		return current.Suite, err
	}
	t, err := ws.FindPredictionTable(name)
	if errors.Is(err, store.ErrNotFound) {
		m, err := findSuite(ws, name)
		return m.Hash, err
	}
	if err != nil {
		return "", err
	}
	if m, err := ws.FindSuite(name); err == nil {
		return "", fmt.Errorf("%s names a suite and a table of predictions; name the suite by its hash, %s, or the table by its id, %s", name, m.Hash, t.ID)
	}
	return t.ID, nil
}

// data are the predictions on a suite, or those of the file.
func (c *rankCommand) data(s *session, from predictions.From, id string) (d rank.Data, left []rank.LeftOut, err error) {
	chosen := predictions.Chosen{On: id, Models: c.Models, Family: c.Family, Truth: c.Truth}
	err = withBar(s, "predictions", func(p engine.Progress) (err error) {
		d, left, err = from.Data(s.ctx, chosen, p)
		return err
	})
	return d, left, err
}

// overShifted ranks on all suites that are derived from the first one, and measures the
// conditions on these and the first. A suite on which too few models were run is left out.
func (c *rankCommand) overShifted(s *session, src rankSource, first rank.Data, r *rank.Rankings) error {
	suites, err := predictions.Shifted(src.from.Workspace, src.id)
	if err != nil {
		return fmt.Errorf("--conditions and --shifted need a suite: %w", err)
	}
	for _, m := range suites {
		d := first
		if m.Hash != src.id {
			var left []rank.LeftOut
			if d, left, err = c.data(s, src.from, m.Hash); err != nil {
				return err
			}
			if err := d.Rankable(left); err != nil {
				r.LeftOut = append(r.LeftOut, rank.LeftOut{Suite: m.Name, SuiteHash: m.Hash, Reason: rank.Why(err)})
				continue
			}
		}
		on := predictions.OnSuite(m)
		if c.Conditions {
			one, err := rank.ConditionsOf(s.ctx, m.Name, d, c.Options)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
			one.SuiteHash, one.Corruption, one.Severity = on.SuiteHash, on.Corruption, on.Severity
			r.Conditions = append(r.Conditions, one)
		}
		if c.Shifted && m.Hash != src.id {
			if on.Board, err = c.board(s, m.Name, d); err != nil {
				return err
			}
			r.On = append(r.On, on)
		}
	}
	return nil
}
