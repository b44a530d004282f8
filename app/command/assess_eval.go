package command

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
)

type assessEvalCommand struct {
	featureSource
	assess.EvalOptions
	Draw   []string `help:"With --stability course: models whose matrices over the shares are drawn, a figure for each (default: the first)." source:"models" placeholder:"ID"`
	output `set:"out=Folder for eval.json, eval.csv, the tables behind them and figures (course: course.json and course.csv; --per-interpolant: automation.json and automation.csv)."`
}

// Check says what does not go together besides what assess.EvalOptions knows.
func (c *assessEvalCommand) Check() error {
	if len(c.Draw) > 0 && c.Stability != assess.FeatureCurveStudy {
		return option.Errorf("{draw} goes with {stability} course")
	}
	return nil
}

func (c *assessEvalCommand) Run(s *Session) error {
	from, err := learning(c.Source, c.DataOptions, c.FeatureOptions, c.SchemeOptions)
	if err != nil {
		return err
	}
	if c.Stability != assess.FeatureCurveStudy { // the only question that needs no labels
		if err := from.needLabels(); err != nil {
			return err
		}
	}
	if c.Stability != "" {
		return c.stability(s, from)
	}
	if c.Transfer != "" {
		return c.transfer(s, from)
	}
	r, err := from.learn(s)
	if err != nil {
		return err
	}
	if c.PerInterpolant {
		return c.perInterpolant(s, r)
	}
	var list []assess.Evaluation
	for _, settings := range c.AllSettings(r.Data.Layout) {
		e, err := assess.Evaluate(s.ctx, r.Data, settings, c.Parting(c.Seed), c.Tune, s.bar(string(settings.Algorithm)))
		if err != nil {
			return err
		}
		list = append(list, e)
	}
	return c.compare(s, r, list)
}

// compare shows the comparison, what stands below it, and who takes no part.
func (c *assessEvalCommand) compare(s *Session, r repository, found []assess.Evaluation) error {
	list := each(found, func(e assess.Evaluation) assess.Compared {
		return assess.Compared{Settings: e.Settings, Evaluation: e, Data: &r.Data}
	})
	kappas := assess.Kappas.Sheet(assess.KappasOf(list,
		agreement.Options{Intervals: c.Intervals && c.Stability == "", Context: s.ctx}))
	if err := s.ctx.Err(); err != nil {
		return err
	}
	doubts, comparison := assess.DoubtsOf(list), assess.Comparison.Sheet(list)
	pairs, ceilings := assess.PairsOf(list), assess.CeilingsOf(list)
	doc := s.document("eval", &c.EvalOptions, comparison, saved.Sources.Sheet([]saved.Source{r.Source}),
		assess.Repetitions.Sheet(assess.RepetitionsOf(list)), assess.Folds.Sheet(assess.FoldsOf(list)),
		assess.Pairs.Sheet(pairs), assess.Ceilings.Sheet(ceilings), assess.Confusions.Sheet(assess.ConfusionsOf(list)),
		kappas, assess.DoubtedLabels.Sheet(doubts), assess.LeftOuts.Sheet(r.Left))
	lines := []string{r.Source.String()}
	if c.Stability != "" {
		lines = append(lines,
			fmt.Sprintf("training and test models are measured on different images: %s of the %s", c.Stability,
				r.whole()))
	}
	if note := found[0].Note; note != "" {
		lines = append(lines, note)
	}
	lines = append(lines, "", "kappas of annotators and, by its most frequent verdict on each model, of an assessor:")
	shown := []any{comparison, lines, kappas, []string{""}}
	if len(pairs) > 0 {
		shown = append(shown, assess.Pairs.Sheet(pairs), []string{""})
	}
	if len(ceilings) > 0 {
		shown = append(shown, assess.Ceilings.Sheet(ceilings), []string{""})
	}
	return s.give(answer{
		Document: doc, out: c.output, shown: shown,
		files: []*result.Sheet{
			assess.Predictions.Sheet(assess.PredictionsOf(list)),
			assess.Curves.Sheet(assess.CurvesOf(list)),
		},
		lines:   append(assess.DoubtLines(doubts), assess.Lines(r.Left)...),
		figures: training.EvaluationFigures(found), formats: []string{"svg"},
	})
}

// transfer trains on each suite, family or group of models and judges every one.
func (c *assessEvalCommand) transfer(s *Session, from asked) error {
	from.group = c.TransferColumn()
	r, err := from.learn(s)
	if err != nil {
		return err
	}
	domains, lines := assess.DomainsOf(r.Data), append([]string{r.Source.String()}, assess.Lines(r.Left)...)
	if from.group == "" {
		if domains, lines, err = c.elsewhere(s, from, r); err != nil {
			return err
		}
	}
	list, err := assess.Transfer(s.ctx, domains, c.AllSettings(r.Data.Layout), c.Parting(c.Seed), s.bar("transfer"))
	if err != nil {
		return err
	}
	var problems []string
	a := answer{
		Document: s.document("transfer", &c.EvalOptions, assess.Transfers.Sheet(list),
			saved.Sources.Sheet([]saved.Source{r.Source}), assess.LeftOuts.Sheet(r.Left)),
		out: c.output, formats: []string{"svg", "png"},
	}
	for _, t := range list {
		if problem := fmt.Sprintf("%s to %s is missing: %s", t.From, t.To, t.Problem); t.Problem != nil &&
			!slices.Contains(problems, problem) {
			problems = append(problems, problem)
		}
		if t.From == domains[0].Name && t.To == t.From && s.wants(c.output) {
			a.draw("transfer_"+string(t.Settings.Algorithm), assess.TransferFigure(list, t.Settings.Algorithm,
				render.Scale{Low: -1, High: 1, Map: &render.Diverging}))
		}
	}
	a.lines = append(lines, problems...)
	return s.give(a)
}

// elsewhere measures the models on every suite, or under every family, with runs; lines say what
// could not be measured.
func (c *assessEvalCommand) elsewhere(s *Session, from asked, r repository) (
	list []assess.Domain, lines []string, err error,
) {
	if r.ws == nil {
		return nil, nil, usageError("--transfer " + c.Transfer + " measures models anew, which needs a workspace; " +
			"a table has one suite and one family")
	}
	from.opened = r.ws
	ask := training.Ask{
		Suite: r.Suite.Hash, Family: r.Family, Models: each(r.Data.Rows,
			func(row assess.Row) string { return row.Hash }),
	}
	return training.Elsewhere(s.ctx, r.ws, ask, c.Transfer, func(there training.Ask) (assess.Data, []string, error) {
		from.Suite, from.Family = there.Suite, there.Family
		other, err := from.learn(s)
		return other.Data, append([]string{other.Source.String()}, assess.Lines(other.Left)...), err
	})
}

// stability runs one of the paper's studies of how much depends on the images.
func (c *assessEvalCommand) stability(s *Session, a asked) error {
	if !isWorkspace(a.Source) {
		return usageError("--stability measures models on parts of the images; it needs a workspace")
	}
	r, err := a.gather(s)
	if err != nil {
		return err
	}
	ask := training.Ask{
		Suite: r.Suite.Hash, Family: r.Family, Selection: r.scenes, Layout: a.layout,
		Models: each(r.Data.Rows, func(row assess.Row) string { return row.Hash }),
	}
	found, err := training.MeasureStability(s.ctx, r.ws, ask, r.labels, r.Suite.Images, c.Stability,
		c.AllSettings(r.Data.Layout),
		c.Parting(c.Seed), stages{s.bar(string(c.Stability))})
	if err != nil {
		return err
	}
	if found.Curves == nil {
		return c.compare(s, r, found.Studies)
	}
	medians := assess.Medians.Sheet(found.Curves.Medians()) // how the features change with the share of the suite
	doc := s.document("course", &c.EvalOptions, assess.FeaturesOverShares.Sheet(found.Curves.Rows()),
		assess.Deviations.Sheet(found.Curves.Spread()),
		medians, saved.Sources.Sheet([]saved.Source{r.Source}), assess.LeftOuts.Sheet(r.Left))
	figures, err := found.Figures(c.Draw)
	if err != nil {
		return err
	}
	return s.give(answer{
		Document: doc, out: c.output, shown: []any{medians}, figures: figures, formats: []string{"svg"},
		lines: []string{fmt.Sprintf("median deviation of the models from the whole of the %s, "+
			"relative to the value there, by share of the %[1]s", r.whole())},
	})
}

// perInterpolant computes and prints Table 3, with the statistics of the repository that it rests
// on (Tables 5 and 6, Fig. 16).
func (c *assessEvalCommand) perInterpolant(s *Session, r repository) error {
	lines, err := tables.Table3(s.ctx, r.Data, c.AllSettings(r.Data.Layout), c.Parting(c.Seed), s.bar("interpolants"))
	if err != nil {
		return err
	}
	accuracies, err := tables.AccuraciesIn(r.Data)
	if err != nil {
		return err
	}
	doc := s.document("automation", &c.EvalOptions, tables.Automations.Sheet(lines),
		saved.Sources.Sheet([]saved.Source{r.Source}),
		tables.Labels.Sheet(tables.LabelsOf(r.Data)), tables.Accuracies.Sheet(accuracies),
		assess.LeftOuts.Sheet(r.Left))
	remarks := []string{r.Source.String()}
	for _, l := range lines {
		if l.Fit != nil {
			remarks = append(remarks, l.Fit.String())
		}
		if l.Problem != nil {
			remarks = append(remarks, fmt.Sprintf("%s is missing: %s", l.Settings.Algorithm.Title(true), l.Problem))
		}
	}
	for _, a := range accuracies {
		remarks = append(remarks, a.String())
	}
	if c.Coverage {
		rt, err := s.Runtime()
		if err != nil {
			return err
		}
		diversity, err := training.Diversity(s.ctx, r.ws, rt, r.Data, r.Family, s.bar("coverage"))
		if err != nil {
			return err
		}
		doc.Sheets = append(doc.Sheets, tables.Diversities.Sheet([]tables.Diversity{diversity}))
		remarks = append(remarks, diversity.String())
	}
	return s.give(answer{Document: doc, out: c.output, lines: append(remarks, assess.Lines(r.Left)...)})
}
