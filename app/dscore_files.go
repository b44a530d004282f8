package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/imageset"
)

// write writes recipes and pictures into the folder that --out names.
func (w *dscoreWork) write(found []dscore.Diagnosis) error {
	taken := map[string]bool{}
	var stems []string
	for _, d := range found {
		stem := ""
		if len(found) > 1 {
			stem = durable.Unused(taken, w.stem(d))
		}
		stems = append(stems, stem)
		path := filepath.Join(w.Out, "recipe"+stem+".json")
		fill := func(out io.Writer) error { return augmented.WriteRecipe(out, w.recipeOf(d)) }
		if err := durable.WriteFile(path, fill); err != nil {
			return err
		}
	}
	if !w.Pictures {
		return nil
	}
	return w.draw(found, stems)
}

// recipeOf is what recipe.json holds of a score.
func (w *dscoreWork) recipeOf(d dscore.Diagnosis) augmented.Recipe {
	return augmented.Recipe{
		Model: d.Model.ID, Suite: d.SuiteName, Grid: d.N, T: d.T, Mask: d.Mask, Shift: d.Shift, Seed: w.Seed,
		Accuracies: d.Accuracies, Score: d.Score, Augmentation: d.Recipe(),
	}
}

// stem tells the files of several scores apart: "_s11_n3_t5", with the suite's name where there
// are several suites.
func (w *dscoreWork) stem(d dscore.Diagnosis) string {
	name := d.Model.ID
	if len(w.work.Suites) > 1 {
		name += "_" + d.SuiteName
	}
	return durable.FileName(fmt.Sprintf("_%s_n%d_t%d", name, d.N, d.T))
}

// augment writes the training set as the score recommends.
func (w *dscoreWork) augment(d dscore.Diagnosis) ([]dscore.Augmented, error) {
	opened, err := w.training()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	from := w.recipeOf(d)
	o := augmented.Options{Out: w.Augment, Format: imageset.Format(w.Format), P: d.Score.P, Seed: w.Seed, Version: Version}
	o.From = &from
	var done augmented.Written
	err = withBar(w.s, "augment", func(p engine.Progress) (err error) {
		done, err = augmented.Write(w.s.ctx, opened, o, p)
		return err
	})
	return []dscore.Augmented{{
		Folder: done.Folder, Format: w.Format, P: o.P, Seed: w.Seed, Images: done.Images, Padded: done.Padded,
		There: done.There,
	}}, err
}

// training opens the training set: a suite of the workspace, or what lies at a path.
func (w *dscoreWork) training() (*suite.Suite, error) {
	if w.ws != nil {
		m, err := w.ws.FindSuite(w.Train)
		if err == nil {
			return w.ws.OpenSuiteContext(w.s.ctx, m.Hash)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	if _, err := os.Stat(w.Train); err != nil {
		return nil, fmt.Errorf("--train %s: there is no such training set: %w", w.Train, err)
	}
	bar := newBar(w.s.stderr, filepath.Base(w.Train))
	m, err := suite.Scan(w.s.ctx, w.Train, suite.Options{}, bar)
	bar.done()
	if err != nil {
		return nil, err
	}
	return suite.Open(m, m.Root)
}
