package app

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

type assessExplainCommand struct {
	Source string `arg:"" help:"Workspace, or exported features: features.csv or features.parquet."`
	assess.ExplainOptions
	Out string `help:"Folder for explain.json and explain.csv, with all features." type:"path"`
	spreadsheetFlag
}

func (c *assessExplainCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	file, r, err := asked{Source: c.Source, DataOptions: c.DataOptions}.load(s, c.Assessor)
	if err != nil {
		return err
	}
	class := file.Assessor.Shown()
	if c.Class != "" {
		class = slices.Index(file.Assessor.Classes, label.Value(c.Class))
	}
	if class < 0 {
		return usageError(fmt.Sprintf("the assessor has no class %s; it has %v", c.Class, file.Assessor.Classes))
	}
	if c.Model != "" {
		return c.one(s, file, r, class)
	}
	return c.whole(s, file, r, class)
}

// one explains the verdict on one model.
func (c *assessExplainCommand) one(s *session, file saved.File, r repository, class int) error {
	at := slices.IndexFunc(r.data.Rows, func(row assess.Row) bool { return row.ID == c.Model || row.Hash == c.Model })
	if at < 0 {
		return r.missing(c.Source, c.Model)
	}
	judged := assess.Judgements(file.Assessor, r.data, []int{at}, nil, file.LearnedFrom(r.data), len(file.Training))
	if err := assess.AllJudged(judged); err != nil {
		return err
	}
	explanation, err := file.Assessor.Explain(r.data.Rows[at].X, class)
	if err != nil {
		return err
	}
	e := &assess.Explained{Explanation: explanation, Judgement: judged[0]}
	matrices := assess.MatrixParts.Sheet(e.Matrices())
	lines := []string{
		e.Judgement.String(),
		fmt.Sprintf("%s for %s: base %s, all parts together %s, output %s", e.Unit, e.Class, result.Number.Say(e.Base, 4),
			result.Number.Say(e.Output-e.Base, 4), result.Number.Say(e.Output, 4)), "",
	}
	err = c.print(s, file, assess.Parts.Sheet(e.Features()), lines,
		assess.Explanations.Sheet([]*assess.Explained{e}), matrices)
	if err != nil || s.common.JSON {
		return err
	}
	return matrices.Text(s.stdout)
}

// missing says why a model cannot be explained.
func (r repository) missing(source, id string) error {
	for _, l := range r.left {
		if l.ID == id || l.Hash == id {
			return fmt.Errorf("model %s cannot be judged: %s", id, l.Reason)
		}
	}
	return fmt.Errorf("no model %s in %s", id, source)
}

// whole explains what an assessor looks at: mean |phi| over the models, and what shuffling a
// feature costs.
func (c *assessExplainCommand) whole(s *session, file saved.File, r repository, class int) error {
	bar := newBar(s.stderr, "explain")
	defer bar.done()
	summary, err := assess.Summarise(s.ctx, file.Assessor, r.data, r.data.Places(), class, bar)
	if err != nil {
		return err
	}
	importance, err := assess.MeasureImportance(s.ctx, file.Assessor, r.data, file.LearnedFrom(r.data), c.ShuffleOptions, bar)
	if err != nil {
		return err
	}
	lines := []string{
		fmt.Sprintf("%s, %s trained on %s; %s for %s over %s", file.Name,
			file.Assessor.Settings.Algorithm.Title(file.Layout.OfBackground()),
			result.Counted(len(file.Training), "model"), summary.Unit, summary.Class,
			result.Counted(len(summary.Rows), "model")),
		importance.String(),
	}
	for _, line := range file.Tested() {
		lines = append(lines, "tested by "+line)
	}
	sums := assess.Summaries.Sheet([]assess.Summed{{
		Summary: summary, Importance: importance,
		Labelled: len(r.data.Labelled()),
	}})
	return c.print(s, file, assess.Weights.Sheet(assess.Weigh(summary, importance)), lines, sums)
}

// print writes all of a table to files and its first rows to the screen, with lines below it.
func (c *assessExplainCommand) print(
	s *session, file saved.File, all *result.Sheet, lines []string, more ...*result.Sheet,
) error {
	doc := s.document("explain", &c.ExplainOptions, append([]*result.Sheet{all}, more...)...)
	doc.Sheets = append(doc.Sheets, saved.Assessors.Sheet([]saved.Trained{{File: file}}),
		saved.Results.Sheet(file.Results))
	rows := make([]int, min(c.Top, all.Len()))
	for k := range rows {
		rows[k] = k
	}
	return s.give(answer{
		Document: doc, name: "explain", folder: c.Out, forSpreadsheets: c.ForSpreadsheets,
		tables: []*result.Sheet{all.Take(rows)}, lines: lines,
	})
}
