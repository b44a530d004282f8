package job

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// composer is the source of a run under a set of scenes: the composites of a selection, opened when
// the first image is read.
type composer struct {
	*source
	selection string
}

var _ wire.Composed = (*composer)(nil)

// sourceOf is what a run under a family reads of a suite, after a look whether it is there: images,
// masks and scenes. closed frees it.
func sourceOf(
	ctx context.Context, ws *store.Workspace, m suite.Manifest, family transform.Family,
) (s engine.Source, closed func() error, err error) {
	hash, n, scened := family.Scened()
	if !scened {
		plain, err := newSource(ctx, ws, m)
		if err != nil {
			return nil, nil, err
		}
		return plain, plain.close, nil
	}
	if err := fitsSelection(ws, m, hash, n); err != nil {
		return nil, nil, err
	}
	lazy, err := lookedAt(ctx, m, func(ctx context.Context) (images, error) {
		opened, err := scenes.OpenContext(ctx, ws, hash)
		if err != nil {
			return nil, err
		}
		return opened, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return &composer{source: lazy, selection: hash}, lazy.close, nil
}

// fitsSelection says why a suite cannot be run under the scenes of a selection.
func fitsSelection(ws *store.Workspace, m suite.Manifest, hash string, n int) error {
	record, err := ws.Selection(hash)
	switch {
	case err != nil:
		return err
	case record.N != n:
		return fmt.Errorf("selection %s has %d scenes per target, not %d", record.Name, record.N, n)
	case record.Targets == m.Hash:
		return nil
	}
	other := record.Targets[:12]
	if targets, err := ws.Suite(record.Targets); err == nil {
		other = targets.Name
	}
	return fmt.Errorf("selection %s has scenes for the targets of suite %s, not for those of %s; run it on that suite",
		record.Name, other, m.Name)
}

// backgroundsOf is the suite of the backgrounds of a set of scenes, empty for every other family.
func backgroundsOf(ws *store.Workspace, family transform.Family) (suite.Manifest, error) {
	hash, _, scened := family.Scened()
	if !scened {
		return suite.Manifest{}, nil
	}
	record, err := ws.Selection(hash)
	if err != nil {
		return suite.Manifest{}, err
	}
	return ws.Suite(record.Backgrounds)
}

// Selection is the selection's hash.
func (c *composer) Selection() string { return c.selection }

// Compose writes image i's foreground on its scene t into dst.
func (c *composer) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	composites, err := c.composites()
	if err != nil {
		return err
	}
	return composites.Compose(dst, fitted, i, t, to)
}

// Ingredients are what the composites are made of, until the run has ended.
func (c *composer) Ingredients() (background.Ingredients, error) {
	composites, err := c.composites()
	if err != nil {
		return nil, err
	}
	return composites.Ingredients()
}

func (c *composer) composites() (*scenes.Composites, error) {
	opened, err := c.get()
	if err != nil {
		return nil, err
	}
	composites, ok := opened.(*scenes.Composites)
	if !ok {
		return nil, fmt.Errorf("selection %.12s is not opened", c.selection)
	}
	return composites, nil
}
