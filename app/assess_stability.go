package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/training"
)

// courseReport is what eval --stability course prints with --json: the paper's Tables XII to XX.
type courseReport struct {
	Source     string            `json:"source"`
	Suite      string            `json:"suite"`
	Family     string            `json:"family"`
	Seed       uint64            `json:"seed"`
	Shares     []float64         `json:"shares"`
	Deviations []deviationReport `json:"deviations"`
	Models     []courseModel     `json:"models"`
	LeftOut    []leftReport      `json:"left_out"`
	whole      string            // what the shares are of, in words
}

// deviationReport is how far a feature is from its value over the whole suite, relative to that, by share.
type deviationReport struct {
	Feature string    `json:"feature"`
	Models  int       `json:"models"`
	Median  []float64 `json:"median"`
	Largest []float64 `json:"largest"`
}

type courseModel struct {
	ID       string               `json:"id"`
	Hash     string               `json:"hash"`
	Features map[string][]float64 `json:"features"`
}

// stability runs one of the paper's studies of how much depends on the images.
func (c *assessEvalCommand) stability(s *session, w want) error {
	if !isWorkspace(c.Source) {
		return usageError("--stability measures models on parts of the images; it needs a workspace")
	}
	if w.images != "all" {
		return usageError("--stability chooses the images itself; leave --images out")
	}
	r, from, err := c.labelled(s, w)
	if err != nil {
		return err
	}
	if c.Stability == "course" {
		return c.course(s, r, w)
	}
	study := assess.Study{Kind: assess.StudyKind(c.Stability), Repetitions: c.Repetitions, Seed: c.Seed}
	subsets, err := study.Subsets(r.suite.Images)
	if err != nil {
		return err
	}
	measured, err := c.subsets(s, r, w, from, subsets)
	if err != nil {
		return err
	}
	var settings []assess.Settings
	for _, algorithm := range c.algorithms() {
		settings = append(settings, c.settings(algorithm))
	}
	bar := newBar(s.stderr, c.Stability)
	defer bar.done()
	evaluations, err := study.Evaluate(s.ctx, measured, settings, c.scheme(c.Seed), bar)
	if err != nil {
		return err
	}
	report := c.report(r)
	report.Study = &study
	for _, e := range evaluations {
		report.add(r.data, e, agreement.Options{})
	}
	return c.print(s, report, r)
}

// labelled gathers what a study starts from; from are its labels with the round resolved.
func (c *assessEvalCommand) labelled(s *session, w want) (repository, training.Labels, error) {
	r, err := c.gather(s, w)
	if err != nil {
		return r, training.Labels{}, err
	}
	c.opened = r.ws
	from, err := c.from(w)
	from.Round = r.labels.Round
	return r, from, err
}

// subsets measures the models of a repository on parts of the suite, one data per part, with the same models in the same order.
func (c *assessEvalCommand) subsets(s *session, r repository, w want, from training.Labels, parts [][]int) ([]assess.Data, error) {
	ask := training.Ask{Suite: r.suite.Hash, Family: r.family, Selection: r.scenes, Layout: w.layout}
	for _, row := range r.data.Rows {
		ask.Models = append(ask.Models, row.Hash)
	}
	bar := newBar(s.stderr, "features")
	defer bar.done()
	measured, left, err := training.MeasureSubsets(s.ctx, r.ws, ask, parts, bar)
	if err != nil {
		return nil, err
	}
	if err := leftError(left); err != nil {
		return nil, fmt.Errorf("not every model can be measured on every part of the %s:\n%w", r.whole(), err)
	}
	list := make([]assess.Data, len(measured))
	for k, models := range measured {
		if list[k], _, err = training.Label(r.ws, models, w.layout, from); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// course prints how the features change with the share of the suite.
func (c *assessEvalCommand) course(s *session, r repository, w want) error {
	parts, err := assess.CourseSubsets(r.suite.Images, c.Seed)
	if err != nil {
		return err
	}
	w.layout = w.layout.Apart(c.Seed)
	measured, err := c.subsets(s, r, w, training.Labels{}, parts)
	if err != nil {
		return err
	}
	course, err := assess.Course(measured, assess.CourseShares())
	if err != nil {
		return err
	}
	report := newCourseReport(course)
	report.Source, report.Suite, report.Family, report.Seed = c.Source, r.suite.Name, r.family, c.Seed
	report.LeftOut, report.whole = leftReports(r.left), r.whole()
	if c.Out != "" {
		if err := report.write(c.Out, course); err != nil {
			return err
		}
	}
	return s.print(report, report.rows())
}

func newCourseReport(course assess.FeatureCourse) courseReport {
	report := courseReport{Shares: course.Shares}
	for _, d := range course.Deviations {
		report.Deviations = append(report.Deviations, deviationReport{d.Name, d.N, d.Median, d.Largest})
	}
	for _, m := range course.Models {
		features := map[string][]float64{}
		for k, name := range course.Names {
			features[name] = m.Values[k]
		}
		report.Models = append(report.Models, courseModel{m.ID, m.Hash, features})
	}
	return report
}

// rows are the median deviations in percent, one column per share below 1.
func (r courseReport) rows() [][]string {
	header := []string{"feature"}
	last := len(r.Shares) - 1
	for _, share := range r.Shares[:last] {
		header = append(header, fmt.Sprintf("%.0f %%", 100*share))
	}
	rows := [][]string{append(header, "models")}
	for _, d := range r.Deviations {
		row := []string{d.Feature}
		for k := range last {
			cell := "-"
			if d.Models > 0 {
				cell = fmt.Sprintf("%.2f", 100*d.Median[k])
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, strconv.Itoa(d.Models)))
	}
	return append(rows, []string{fmt.Sprintf("median deviation of the models from the whole of the %s, in percent of the value there, by share of the %[1]s", r.whole)})
}

// write writes course.json and, one row per model and feature, course.csv, beside deviations.csv.
func (r courseReport) write(folder string, course assess.FeatureCourse) error {
	header, deviations := []string{"model_id", "model_hash", "feature"}, [][]string{{"feature", "share", "median", "largest", "farthest", "models"}}
	for _, share := range course.Shares {
		header = append(header, exact(share))
	}
	values := [][]string{header}
	for _, m := range course.Models {
		for k, name := range course.Names {
			row := []string{m.ID, m.Hash, name}
			for _, v := range m.Values[k] {
				row = append(row, exact(v))
			}
			values = append(values, row)
		}
	}
	for _, d := range slices.DeleteFunc(slices.Clone(course.Deviations), func(d assess.CourseDeviation) bool { return d.N == 0 }) {
		for k, share := range course.Shares {
			deviations = append(deviations, []string{
				d.Name, exact(share), exact(d.Median[k]), exact(d.Largest[k]), course.Models[d.Farthest[k]].ID, strconv.Itoa(d.N),
			})
		}
	}
	err := durable.WriteFile(filepath.Join(folder, "deviations.csv"), func(w io.Writer) error { return writeCSV(w, deviations) })
	if err != nil {
		return err
	}
	return writeTable(folder, "course", r, values)
}
