package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
)

// stability runs one of the paper's studies of how much depends on the images.
func (c *assessEvalCommand) stability(s *session, a asked, w want) error {
	if !isWorkspace(a.Source) {
		return usageError("--stability measures models on parts of the images; it needs a workspace")
	}
	r, err := a.gather(s, w)
	if err != nil {
		return err
	}
	labels, err := a.from(w)
	if err != nil {
		return err
	}
	labels.Round = r.labels.Round
	ask := training.Ask{Suite: r.suite.Hash, Family: r.family, Selection: r.scenes, Layout: w.layout}
	for _, row := range r.data.Rows {
		ask.Models = append(ask.Models, row.Hash)
	}
	bar := newBar(s.stderr, string(c.Stability))
	found, err := training.MeasureStability(s.ctx, r.ws, ask, labels, r.suite.Images, c.Stability, c.AllSettings(r.data.Layout),
		c.Parting(c.Seed), stages{bar})
	bar.done()
	if err != nil {
		return err
	}
	if found.Course != nil {
		return c.course(s, r, found.Course)
	}
	list := make([]assess.Compared, len(found.Studies))
	for k, e := range found.Studies {
		list[k] = assess.Compared{Settings: e.Settings, Evaluation: e, Data: &r.data}
	}
	return c.print(s, r, list)
}

// course prints how the features change with the share of the suite.
func (c *assessEvalCommand) course(s *session, r repository, course *assess.FeatureCourse) error {
	medians := assess.Medians.Sheet(course.Medians())
	doc := s.document("course", &c.EvalOptions, assess.Courses.Sheet(course.Rows()), assess.Deviations.Sheet(course.Spread()), medians,
		saved.Sources.Sheet([]saved.Source{r.source()}), assess.LeftOuts.Sheet(r.left))
	return s.give(answer{
		Document: doc, name: "course", folder: c.Out, forSpreadsheets: c.ForSpreadsheets, tables: []*result.Sheet{medians},
		lines: []string{fmt.Sprintf("median deviation of the models from the whole of the %s, "+
			"relative to the value there, by share of the %[1]s", r.whole())},
	})
}
