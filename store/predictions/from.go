package predictions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// From is where predictions come from: a workspace, or a file that was read.
type From struct {
	Workspace *store.Workspace // nil for a file
	Path      string           // of the file
	Table     Table            // of the file
	Names     Names
	ID        string // of the suite (its hash) or table of the workspace that is ranked on
}

// Data gathers the predictions that are asked for. Truth is one of Truth, or the name of a CSV
// file; models are ids, hashes or names in tables. The errors are those of Gather and ReadTruth.
// Progress counts models.
func (f From) Data(ctx context.Context, c rank.Asked, p engine.Progress) (d rank.Data, left []rank.LeftOut, err error) {
	truth := Truth(c.Truth)
	file := truth != OfSuite && truth != ByHand && truth != NoTruth
	if file {
		truth = NoTruth
	}
	if f.Workspace == nil {
		left = f.Table.LeftOut
		d, err = f.ofFile(c, truth)
	} else {
		d, left, err = f.ofWorkspace(ctx, c, truth, p)
	}
	if err != nil || !file {
		return d, left, err
	}
	if _, err := os.Stat(c.Truth); err != nil {
		return d, left, fmt.Errorf("--truth takes suite, hand, none or a CSV file: %w", err)
	}
	d.Truth, err = ReadTruth(c.Truth, d.Samples, d.Classes, f.Names)
	return d, left, err
}

func (f From) ofWorkspace(
	ctx context.Context, c rank.Asked, truth Truth, p engine.Progress,
) (rank.Data, []rank.LeftOut, error) {
	ask := Ask{Suite: f.ID, Truth: truth, Given: true}
	if c.Family != "" {
		family, err := transform.Parse(c.Family)
		if err != nil {
			return rank.Data{}, nil, err
		}
		ask.Family = family.String()
	}
	for _, name := range c.Models {
		m, err := f.Workspace.FindModel(name)
		switch {
		case err == nil:
			ask.Models = append(ask.Models, m.Hash)
		case errors.Is(err, store.ErrNotFound):
			ask.Models = append(ask.Models, name) // of a table
		default:
			return rank.Data{}, nil, err
		}
	}
	return Gather(ctx, f.Workspace, ask, p)
}

func (f From) ofFile(c rank.Asked, truth Truth) (rank.Data, error) {
	d := f.Table.Data()
	if truth == NoTruth {
		d.Truth = nil
	}
	if len(c.Models) == 0 {
		return d, nil
	}
	var chosen []int
	for _, name := range c.Models {
		j := slices.Index(f.Table.Models, name)
		if j < 0 {
			return d, fmt.Errorf("%s has no model %s", f.Path, name)
		}
		if !slices.Contains(chosen, j) {
			chosen = append(chosen, j)
		}
	}
	return d.Subset(chosen, nil), nil
}

// on is the suite or table with an empty board.
func (f From) on() (*rank.OnSuite, error) {
	on := &rank.OnSuite{Suite: f.Names.Source}
	if f.Workspace == nil {
		return on, nil
	}
	m, err := f.Workspace.Suite(f.ID)
	if errors.Is(err, store.ErrNotFound) {
		return on, nil // it is a table
	}
	return OnSuite(m), err
}
