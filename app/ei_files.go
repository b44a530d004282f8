package app

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/study"
)

// sheet is a CSV file: its columns, and what writes its rows.
type sheet struct {
	name string
	head []string
	fill func(row func(cells ...string) error) error
}

// save writes a sheet into a folder.
func (t sheet) save(folder string) error { return t.saveAs(filepath.Join(folder, t.name)) }

// saveAs writes a sheet as a file.
func (t sheet) saveAs(path string) error {
	return durable.WriteFile(path, func(w io.Writer) error {
		out := comma.NewWriter(w)
		if err := out.Write(t.head); err != nil {
			return err
		}
		if err := t.fill(func(cells ...string) error { return out.Write(cells) }); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	})
}

// write makes the files of ei in the folder that --out names.
func (c *eiCommand) write(s *session, ws *store.Workspace, measured []invariance.Measured, report eiReport) error {
	sheets := []sheet{report.meanSheet(), report.stepSheet()}
	if c.Images {
		sheets = append(sheets, imageSheet(s, ws, measured))
	}
	if len(report.Studies) > 0 {
		sheets = append(sheets, report.studySheet(), report.correlationSheet())
	}
	if c.Predict {
		sheets = append(sheets, report.predictionSheet())
	}
	for _, t := range sheets {
		if err := t.save(c.Out); err != nil {
			return err
		}
	}
	if err := durable.WriteFile(filepath.Join(c.Out, "ei.json"), func(w io.Writer) error { return writeJSON(w, report) }); err != nil {
		return err
	}
	figures, err := writeStudies(c.Out, report.Studies)
	if err == nil {
		s.say("%d rows, %d tables and %d figures in %s", len(report.Rows), len(sheets), figures, c.Out)
	}
	return err
}

// digits writes a number with all its digits; an empty cell stands for what is undefined.
func digits(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func measureDigits(v invariance.Values) []string {
	cells := make([]string, len(v))
	for m, value := range v {
		cells[m] = digits(defined(value))
	}
	return cells
}

// meanSheet has a row per model, suite and family.
func (r eiReport) meanSheet() sheet {
	head := append([]string{"model_id", "model_hash", "suite", "suite_hash", "family", "images", "labelled", "accuracy", "chance", "accuracy_drop"}, measureHeads()...)
	for _, score := range r.Rows[0].Scores {
		head = append(head, score.name)
	}
	return sheet{"ei.csv", append(head, "missing"), func(row func(...string) error) error {
		for _, one := range r.Rows {
			cells := []string{
				comma.Guard(one.Model), one.Hash, comma.Guard(one.Suite), one.SuiteHash, one.Family,
				strconv.Itoa(one.Images), strconv.Itoa(one.Labelled), digits(one.Accuracy), string(one.Chance.Code), digits(one.Drop),
			}
			cells = append(cells, measureDigits(one.Mean)...)
			for _, score := range one.Scores {
				cells = append(cells, digits(score.value))
			}
			if err := row(append(cells, one.Missing)...); err != nil {
				return err
			}
		}
		return nil
	}}
}

// stepSheet has a row per transformation.
func (r eiReport) stepSheet() sheet {
	head := []string{"model_id", "model_hash", "suite", "suite_hash", "family", "transformation", "name", "v", "accuracy", "accuracy_drop"}
	return sheet{"ei_transformations.csv", append(head, measureHeads()...), func(row func(...string) error) error {
		for _, one := range r.Rows {
			for _, step := range one.Transformations {
				cells := []string{
					comma.Guard(one.Model), one.Hash, comma.Guard(one.Suite), one.SuiteHash, one.Family,
					strconv.Itoa(step.Transformation), step.Name, digits(step.V), digits(step.Accuracy), digits(step.Drop),
				}
				if err := row(append(cells, measureDigits(step.Mean)...)...); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// imageSheet has a row per image and transformation, streamed from the signals.
func imageSheet(s *session, ws *store.Workspace, measured []invariance.Measured) sheet {
	head := []string{"model_id", "suite", "family", "image", "transformation"} // many rows: the hashes are in ei.csv
	return sheet{"ei_images.csv", append(head, measureHeads()...), func(row func(...string) error) error {
		bar := newBar(s.stderr, "images")
		defer bar.done()
		bar.SetTotal(int64(len(measured)))
		for _, m := range measured {
			var failed error
			err := study.PerImage(s.ctx, ws, m.Key, func(image, transformation int, v invariance.Values) {
				if failed == nil {
					cells := []string{comma.Guard(m.Model.ID), comma.Guard(m.SuiteName), m.Family, strconv.Itoa(image), strconv.Itoa(transformation)}
					failed = row(append(cells, measureDigits(v)...)...)
				}
			})
			if failed != nil {
				return failed
			}
			if err != nil {
				return fmt.Errorf("model %s on %s: %w", m.Model.ID, m.SuiteName, err)
			}
			bar.Add(1)
		}
		return nil
	}}
}

// studySheet has a row per point of every study.
func (r eiReport) studySheet() sheet {
	head := []string{"over", "of", "family", "score_name", "id", "hash", "group", "score", "accuracy", "chance", "y", "fitted_accuracy"}
	return sheet{"study.csv", head, func(row func(...string) error) error {
		for _, one := range r.Studies {
			for _, p := range one.Points {
				err := row(one.Over, comma.Guard(one.Of), one.Family, one.Score, comma.Guard(p.ID), p.Hash, comma.Guard(p.Group),
					digits(p.Score), digits(p.Accuracy), string(p.Chance.Code), digits(p.Y), digits(p.Fitted))
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// correlationSheet has a row per correlation of every study, over all points and over those above chance where some are not. The
// q-values are over all tests of the sheet that are over all points.
func (r eiReport) correlationSheet() sheet {
	head := []string{
		"over", "of", "family", "score_name", "points", "correlation", "value", "low", "high", "interval_by", "n", "p", "p_by", "q", "reason",
	}
	return sheet{"study_correlations.csv", head, func(row func(...string) error) error {
		var p []float64
		for _, one := range r.Studies {
			for _, c := range one.correlationReport.list() {
				p = append(p, c.p())
			}
		}
		q, at := stats.BenjaminiHochberg(p), 0
		for _, one := range r.Studies {
			write := func(points string, list []namedCorrelation, q []float64) error {
				for k, c := range list {
					cells := append([]string{one.Over, comma.Guard(one.Of), one.Family, one.Score, points, c.name}, c.cells()...)
					if err := row(append(cells, digits(defined(q[k])), c.Reason)...); err != nil {
						return err
					}
				}
				return nil
			}
			list := one.correlationReport.list()
			if err := write("all", list, q[at:at+len(list)]); err != nil {
				return err
			}
			at += len(list)
			if one.Above != nil {
				above := one.Above.list()
				if err := write("above_chance", above, slices.Repeat([]float64{math.NaN()}, len(above))); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// predictionSheet has a row per suite that was predicted: those without labels, and each labelled one by a fit without it.
func (r eiReport) predictionSheet() sheet {
	head := []string{"model_id", "family", "score_name", "suite", "suite_hash", "score", "predicted_accuracy", "low", "high", "accuracy", "extrapolated"}
	return sheet{"prediction.csv", head, func(row func(...string) error) error {
		for _, one := range r.Studies {
			for _, e := range one.Prediction.all() {
				err := row(comma.Guard(one.Of), one.Family, one.Score, comma.Guard(e.Suite), e.Hash, digits(&e.Score), digits(&e.Accuracy),
					digits(e.Low), digits(e.High), digits(e.True), strconv.FormatBool(e.Extrapolated))
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

func (p *predictionReport) all() []estimateReport {
	if p == nil {
		return nil
	}
	return append(append([]estimateReport{}, p.Estimates...), p.LeaveOneOut...)
}
