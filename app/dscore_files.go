package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/imageset"
)

// show adds layers and the augmented training set, writes the files and prints.
func (w *dscoreWork) show(found []diagnosis.Diagnosis, left []diagnosis.LeftOut) error {
	r, err := w.report(found, left)
	if err != nil {
		return err
	}
	if w.PerLayer {
		r.Tolerance = &w.Tolerance
		if r.Layers, err = w.perLayer(found); err != nil {
			return err
		}
	}
	if w.Augment != "" {
		if r.Augmented, err = w.augment(found[0], r.Scores[0]); err != nil {
			return err
		}
	}
	if w.Out != "" {
		if err := w.write(r, found); err != nil {
			return err
		}
	}
	return w.print(r)
}

// write makes the files of dscore in the folder that --out names.
func (w *dscoreWork) write(r dscoreReport, found []diagnosis.Diagnosis) error {
	sheets := []sheet{r.scoreSheet(), r.regionSheet()}
	if w.PerLayer {
		sheets = append(sheets, r.layerSheet())
	}
	for _, t := range sheets {
		if err := t.save(w.Out); err != nil {
			return err
		}
	}
	if err := durable.WriteFile(filepath.Join(w.Out, "dscore.json"), func(out io.Writer) error { return writeJSON(out, r) }); err != nil {
		return err
	}
	taken := map[string]bool{}
	var stems []string
	for k, d := range found {
		stem := ""
		if len(found) > 1 {
			stem = unused(taken, w.stem(r.Scores[k]))
		}
		stems = append(stems, stem)
		path := filepath.Join(w.Out, "recipe"+stem+".json")
		recipe := r.Scores[k].recipeOf(d, w.Seed)
		if err := durable.WriteFile(path, func(out io.Writer) error { return augmented.WriteRecipe(out, recipe) }); err != nil {
			return err
		}
	}
	if !w.Pictures {
		return nil
	}
	return w.draw(r, stems)
}

// stem tells the files of several scores apart: "_s11_n3_t5", with the suite's name where there are several suites.
func (w *dscoreWork) stem(r dscoreRow) string {
	name := r.Model
	if len(w.suites) > 1 {
		name += "_" + r.Suite
	}
	return fileName(fmt.Sprintf("_%s_n%d_t%d", name, r.N, r.T))
}

// scoreSheet has a row per score.
func (r dscoreReport) scoreSheet() sheet {
	head := []string{
		"model_id", "model_hash", "suite", "suite_hash", "n", "t", "layers", "after_batchnorm", "images", "classes", "baseline_accuracy",
		"v_robust", "v_robust_low", "v_robust_high", "v_fitness", "v_fitness_low", "v_fitness_high", "d_score", "d_score_low", "d_score_high",
		"robust_features", "robust_attention", "robust_shift", "g", "p", "p_low", "p_high", "padded_height", "padded_width", "flags", "interval_reason",
	}
	return sheet{"scores.csv", head, func(row func(...string) error) error {
		for _, one := range r.Scores {
			cells := []string{
				comma.Guard(one.Model), one.Hash, comma.Guard(one.Suite), one.SuiteHash, strconv.Itoa(one.N), strconv.Itoa(one.T),
				strings.ReplaceAll(numbers(one.Layers), ", ", ";"), strconv.FormatBool(one.AfterBatchNorm), strconv.Itoa(one.Images),
				strconv.Itoa(one.Classes), digits(&one.Baseline),
			}
			i := one.Intervals
			if i == nil {
				i = &intervalsReport{}
			}
			for _, part := range []struct {
				v  float64
				in *[2]float64
			}{{one.Robust, i.Robust}, {one.Fitness, i.Fitness}, {one.DScore, i.DScore}} {
				cells = append(append(cells, digits(&part.v)), ends(part.in)...)
			}
			for _, term := range one.RobustTerms {
				cells = append(cells, digits(&term))
			}
			cells = append(append(cells, digits(&one.Bound), digits(&one.P)), ends(i.P)...)
			d := one.Augmentation.PaddedSize
			cells = append(cells, strconv.Itoa(d[0]), strconv.Itoa(d[1]), strings.ReplaceAll(strings.Trim(flagText(one.Flags), "-"), ", ", ";"), i.Reason)
			if err := row(cells...); err != nil {
				return err
			}
		}
		return nil
	}}
}

// ends are the cells of an interval, empty where there is none.
func ends(i *[2]float64) []string {
	if i == nil {
		return []string{"", ""}
	}
	return []string{digits(&i[0]), digits(&i[1])}
}

// regionSheet has a row per score and region.
func (r dscoreReport) regionSheet() sheet {
	head := []string{
		"model_id", "suite", "n", "t", "region", "row", "column", "variant_accuracy", "loss", "loss_low", "loss_high", "feature", "feature_low",
		"feature_high", "shifted_accuracy", "shifted_low", "shifted_high", "attention", "attention_low", "attention_high", "difference",
		"top", "bottom", "left", "right",
	}
	return sheet{"regions.csv", head, func(row func(...string) error) error {
		for _, one := range r.Scores {
			for i := range one.Padding {
				if err := row(one.regionCells(i)...); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// regionCells is a row of regionSheet; i counts from 0.
func (r dscoreRow) regionCells(i int) []string {
	cells := []string{
		comma.Guard(r.Model), comma.Guard(r.Suite), strconv.Itoa(r.N), strconv.Itoa(r.T), strconv.Itoa(i + 1),
		strconv.Itoa(i/r.N + 1), strconv.Itoa(i%r.N + 1), digits(&r.Variants[i]),
	}
	var loss, feature, shifted, attention *[2]float64
	if in := r.Intervals; in != nil {
		loss, feature, shifted, attention = in.Loss[i], in.Features[i], in.Shifted[i], in.Attention[i]
	}
	lost, difference := r.Baseline-r.Variants[i], r.Features[i]-r.Attention[i]
	for _, part := range []struct {
		v  float64
		in *[2]float64
	}{{lost, loss}, {r.Features[i], feature}, {r.Shifted[i], shifted}, {r.Attention[i], attention}} {
		cells = append(append(cells, digits(&part.v)), ends(part.in)...)
	}
	p := r.Padding[i]
	return append(cells, digits(&difference), strconv.Itoa(p.Top), strconv.Itoa(p.Bottom), strconv.Itoa(p.Left), strconv.Itoa(p.Right))
}

// augment writes the training set as the score recommends.
func (w *dscoreWork) augment(d diagnosis.Diagnosis, row dscoreRow) (*augmentedReport, error) {
	opened, err := w.training()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	from := row.recipeOf(d, w.Seed)
	o := augmented.Options{Out: w.Augment, Format: imageset.Format(w.Format), P: d.Score.P, Seed: w.Seed, Version: Version, From: &from}
	var done augmented.Written
	err = withBar(w.s, "augment", func(p engine.Progress) (err error) {
		done, err = augmented.Write(w.s.ctx, opened, o, p)
		return err
	})
	return &augmentedReport{done.Folder, w.Format, o.P, w.Seed, done.Images, done.Padded, done.There}, err
}

// training opens the training set: a suite of the workspace, or what lies at a path.
func (w *dscoreWork) training() (*suite.Suite, error) {
	if !strings.EqualFold(suffixOf(w.path), ".onnx") {
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
