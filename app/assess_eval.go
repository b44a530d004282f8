package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
)

type assessEvalCommand struct {
	Source string `arg:"" help:"Workspace, or exported features: features.csv or features.parquet."`
	assess.EvalOptions
	Out string `help:"Folder for eval.json, eval.csv and the tables behind them (course: course.json and course.csv; --per-interpolant: automation.json and automation.csv)." type:"path"`
	spreadsheetFlag
}

func (c *assessEvalCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	from := asked{Source: c.Source, DataOptions: c.DataOptions}
	if c.Stability != assess.FeatureCourses { // the only question that needs no labels
		if err := from.needLabels(); err != nil {
			return err
		}
	}
	what, err := newWant(c.FeatureOptions, c.SchemeOptions, c.Selection != "")
	if err != nil {
		return err
	}
	if c.Stability != "" {
		return c.stability(s, from, what)
	}
	r, err := from.gather(s, what)
	if err != nil {
		return err
	}
	if err := from.refuseUnlabelled(r); err != nil {
		return err
	}
	if c.PerInterpolant {
		return c.perInterpolant(s, r)
	}
	var list []assess.Compared
	for _, settings := range c.AllSettings(r.data.Layout) {
		e, err := evaluated(s, r.data, settings, c.Parting(c.Seed), c.Tune)
		if err != nil {
			return err
		}
		list = append(list, assess.Compared{Settings: e.Settings, Evaluation: e, Data: &r.data})
	}
	return c.print(s, r, list)
}

// evaluated runs a scheme with a bar.
func evaluated(s *session, d assess.Data, settings assess.Settings, scheme assess.Scheme,
	tune bool,
) (assess.Evaluation, error) {
	bar := newBar(s.stderr, string(settings.Algorithm))
	defer bar.done()
	return assess.Evaluate(s.ctx, d, settings, scheme, tune, bar)
}

// print writes the files and shows the comparison, what stands below it, and who takes no part.
func (c *assessEvalCommand) print(s *session, r repository, list []assess.Compared) error {
	kappas := assess.Kappas.Sheet(assess.KappasOf(list,
		agreement.Options{Intervals: c.Intervals && c.Stability == "", Context: s.ctx}))
	if err := s.ctx.Err(); err != nil {
		return err
	}
	doubts, comparison := assess.DoubtsOf(list), assess.Comparison.Sheet(list)
	doc := s.document("eval", &c.EvalOptions, comparison, saved.Sources.Sheet([]saved.Source{r.source()}),
		assess.Repetitions.Sheet(assess.RepetitionsOf(list)), assess.Folds.Sheet(assess.FoldsOf(list)),
		assess.Confusions.Sheet(assess.ConfusionsOf(list)),
		kappas, assess.DoubtedLabels.Sheet(doubts), assess.LeftOuts.Sheet(r.left))
	done, err := s.answer(doc, "eval", c.Out, c.ForSpreadsheets,
		assess.Predictions.Sheet(assess.PredictionsOf(list)), assess.Curves.Sheet(assess.CurvesOf(list)))
	if done || err != nil {
		return err
	}
	if err := comparison.Text(s.stdout); err != nil {
		return err
	}
	lines := []string{r.source().String()}
	if c.Stability != "" {
		lines = append(lines,
			fmt.Sprintf("training and test models are measured on different images: %s of the %s", c.Stability, r.whole()))
	}
	if note := list[0].Evaluation.Note; note != "" {
		lines = append(lines, note)
	}
	printLines(s.stdout,
		append(lines, "", "kappas of annotators and, by its most frequent verdict on each model, of an assessor:"))
	if err := kappas.Text(s.stdout); err != nil {
		return err
	}
	printLines(s.stdout, append(append([]string{""}, assess.DoubtLines(doubts)...), assess.Lines(r.left)...))
	return nil
}
