package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/store/training"
)

// stability runs one of the paper's studies of how much depends on the images.
func (c *assessEvalCommand) stability(s *session, a asked, w want) error {
	if !isWorkspace(a.Source) {
		return usageError("--stability measures models on parts of the images; it needs a workspace")
	}
	r, labels, err := a.labelled(s, w)
	if err != nil {
		return err
	}
	if c.Stability == assess.FeatureCourses {
		return c.course(s, r, w)
	}
	study := assess.Study{Kind: c.Stability, Repetitions: c.Repetitions, Seed: c.Seed}
	parts, err := study.Subsets(r.suite.Images)
	if err != nil {
		return err
	}
	measured, err := subsets(s, r, w, labels, parts)
	if err != nil {
		return err
	}
	bar := newBar(s.stderr, string(c.Stability))
	defer bar.done()
	evaluations, err := study.Evaluate(s.ctx, measured, c.AllSettings(r.data.Layout), c.Parting(c.Seed), bar)
	if err != nil {
		return err
	}
	list := make([]assess.Compared, len(evaluations))
	for k, e := range evaluations {
		list[k] = assess.Compared{Settings: e.Settings, Evaluation: e, Data: &r.data}
	}
	return c.print(s, r, list)
}

// labelled gathers what a study starts from; from are its labels with the round resolved.
func (a asked) labelled(s *session, w want) (repository, training.Labels, error) {
	r, err := a.gather(s, w)
	if err != nil {
		return r, training.Labels{}, err
	}
	a.opened = r.ws
	from, err := a.from(w)
	from.Round = r.labels.Round
	return r, from, err
}

// subsets measures the models of a repository on parts of the suite, one data per part, with the
// same models in the same order.
func subsets(s *session, r repository, w want, from training.Labels, parts [][]int) ([]assess.Data, error) {
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
	measured, err := subsets(s, r, w, training.Labels{}, parts)
	if err != nil {
		return err
	}
	course, err := assess.Course(measured, assess.CourseShares())
	if err != nil {
		return err
	}
	medians := assess.Medians.Sheet(course.Medians())
	doc := document("course", &c.EvalOptions, assess.Courses.Sheet(course.Rows()), assess.Deviations.Sheet(course.Spread()), medians,
		saved.Sources.Sheet([]saved.Source{r.source()}), assess.LeftOuts.Sheet(r.left))
	if done, err := s.answer(doc, "course", c.Out, c.ForSpreadsheets); done || err != nil {
		return err
	}
	if err := medians.Text(s.stdout); err != nil {
		return err
	}
	printLines(s.stdout, []string{fmt.Sprintf("median deviation of the models from the whole of the %s, relative to the value there, by share of the %[1]s", r.whole())})
	return nil
}
