package app

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

// rankSource is where predictions come from: a workspace, or a file.
type rankSource struct {
	command *rankCommand
	ws      *store.Workspace // nil for a file
	id      string           // of the suite or table
	names   predictions.Names
	table   predictions.Table // of a file
}

func (c *rankCommand) source(s *session) (rankSource, error) {
	src := rankSource{command: c}
	file, err := isPredictions(c.Source)
	if err != nil {
		return src, err
	}
	if file {
		return src, src.read(s)
	}
	if c.ClassNames != "" {
		return src, usageError("--class-names goes with files of predictions; a workspace knows its classes")
	}
	if src.ws, err = s.read(c.Source); err != nil {
		return src, err
	}
	if src.id, err = rankedID(src.ws, c.Suite); err != nil {
		return src, err
	}
	src.names, err = predictions.NamesOf(src.ws, src.id)
	return src, err
}

// read reads a file or folder of predictions.
func (src *rankSource) read(s *session) error {
	c := src.command
	switch {
	case c.Suite != "" || c.Family != "":
		return usageError(c.Source + " is no workspace; --suite and --family go with one")
	case c.Conditions || c.Shifted:
		return usageError(c.Source + " is no workspace; --conditions and --shifted go with one")
	case c.Truth == string(predictions.ByHand):
		return usageError(c.Source + " is no workspace; give labels of its images as --truth FILE.csv")
	}
	names, err := predictions.ParseClasses(c.ClassNames)
	if err != nil {
		return err
	}
	if src.table, err = predictions.Read(c.Source, names, 0); err != nil {
		return err
	}
	if src.table.Form != "" {
		fmt.Fprintf(s.stderr, "variscope: %s: %s\n", c.Source, src.table.Form)
	}
	src.names = predictions.Names{Source: src.table.Name, Samples: src.table.SampleNames, Classes: src.table.ClassNames}
	return nil
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

// data gathers the predictions on a suite, or those of the file, with the truth that the flags
// name.
func (src rankSource) data(s *session, id string) (d rank.Data, left []rank.LeftOut, err error) {
	truth := predictions.Truth(src.command.Truth)
	file := truth != predictions.OfSuite && truth != predictions.ByHand && truth != predictions.NoTruth
	if file {
		truth = predictions.NoTruth
	}
	if src.ws == nil {
		left = src.table.LeftOut
		d, err = src.ofFile(truth)
	} else {
		d, left, err = src.ofWorkspace(s, id, truth)
	}
	if err != nil || !file {
		return d, left, err
	}
	if _, err := os.Stat(src.command.Truth); err != nil {
		return d, left, fmt.Errorf("--truth takes suite, hand, none or a CSV file: %w", err)
	}
	d.Truth, err = predictions.ReadTruth(src.command.Truth, d.Samples, d.Classes, src.names)
	return d, left, err
}

func (src rankSource) ofWorkspace(s *session, id string, truth predictions.Truth) (rank.Data, []rank.LeftOut, error) {
	ask := predictions.Ask{Suite: id, Truth: truth, Given: true}
	if src.command.Family != "" {
		family, err := transform.Parse(src.command.Family)
		if err != nil {
			return rank.Data{}, nil, err
		}
		ask.Family = family.String()
	}
	for _, name := range src.command.Models {
		m, err := src.ws.FindModel(name)
		switch {
		case err == nil:
			ask.Models = append(ask.Models, m.Hash)
		case errors.Is(err, store.ErrNotFound):
			ask.Models = append(ask.Models, name) // of a table
		default:
			return rank.Data{}, nil, err
		}
	}
	bar := newBar(s.stderr, "predictions")
	defer bar.done()
	return predictions.Gather(s.ctx, src.ws, ask, bar)
}

func (src rankSource) ofFile(truth predictions.Truth) (rank.Data, error) {
	d := src.table.Data()
	if truth == predictions.NoTruth {
		d.Truth = nil
	}
	if len(src.command.Models) == 0 {
		return d, nil
	}
	var chosen []int
	for _, name := range src.command.Models {
		j := slices.Index(src.table.Models, name)
		if j < 0 {
			return d, fmt.Errorf("%s has no model %s", src.command.Source, name)
		}
		if !slices.Contains(chosen, j) {
			chosen = append(chosen, j)
		}
	}
	return d.Subset(chosen, nil), nil
}

// on is the suite or table with an empty board.
func (src rankSource) on(id string) (*rank.OnSuite, error) {
	on := &rank.OnSuite{Suite: src.names.Source}
	if src.ws == nil {
		return on, nil
	}
	m, err := src.ws.Suite(id)
	if errors.Is(err, store.ErrNotFound) {
		return on, nil // it is a table
	}
	return predictions.OnSuite(m), err
}

// overShifted ranks on all suites that are derived from the first one, and measures the
// conditions on these and the first. A suite on which too few models were run is left out.
func (c *rankCommand) overShifted(s *session, src rankSource, first rank.Data, r *rank.Rankings) error {
	suites, err := predictions.Shifted(src.ws, src.id)
	if err != nil {
		return fmt.Errorf("--conditions and --shifted need a suite: %w", err)
	}
	for _, m := range suites {
		d := first
		if m.Hash != src.id {
			var left []rank.LeftOut
			if d, left, err = src.data(s, m.Hash); err != nil {
				return err
			}
			if err := rankable(d, left); err != nil {
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
