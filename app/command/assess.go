package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/training"
)

type assessCommand struct {
	Train   assessTrainCommand   `cmd:"" help:"Train an assessor on labelled models and save it."`
	Eval    assessEvalCommand    `cmd:"" help:"Compare algorithms on labelled models, as Table IV of ${ml4ml} does."`
	Predict assessPredictCommand `cmd:"" help:"Judge models with a saved assessor."`
	Explain assessExplainCommand `cmd:"" help:"Say why an assessor judges a model as it does, or what it looks at on the whole."`
}

// featureSource is what assess commands work on.
type featureSource struct {
	Source string `arg:"" study:"path" help:"Workspace, or exported features: features.csv or features.parquet."`
}

type assessPredictCommand struct {
	featureSource
	assess.PredictOptions
	output `set:"out=Folder for predict.json and predict.csv."`
}

func (c *assessPredictCommand) Run(s *Session) error {
	file, r, err := asked{Source: c.Source, DataOptions: c.DataOptions}.load(s, c.Assessor)
	if err != nil {
		return err
	}
	order := r.Data.Places()
	if c.Unsure {
		if order, err = file.LeastSure(r.Data); err != nil {
			return err
		}
	}
	list := assess.Judgements(file.Assessor, r.Data, order, nil, file.From(r.Data))
	if err := assess.AllJudged(list); err != nil {
		return err
	}
	if c.Resamples > 0 {
		ask, err := r.resampled()
		if err == nil {
			err = training.Resample(s.ctx, r.ws, ask, r.Measured, file.Assessor, list, c.Bootstrap(),
				s.bar("resamples"))
		}
		if err != nil {
			return err
		}
	}
	doc := s.document("predict", &c.PredictOptions,
		assess.Verdicts.Sheet(list), assess.Beyond.Sheet(assess.BeyondOf(list)),
		saved.Sources.Sheet([]saved.Source{r.Source}),
		saved.Assessors.Sheet([]saved.Trained{{File: file}}), assess.LeftOuts.Sheet(r.Left))
	return s.give(answer{
		Document: doc, out: c.output,
		lines: slices.Concat(file.Remarks(r.Suite, list), assess.Unsettled(list), assess.Lines(r.Left)),
	})
}

type assessExplainCommand struct {
	featureSource
	assess.ExplainOptions
	output `set:"out=Folder for explain.json and explain.csv, with all features."`
}

func (c *assessExplainCommand) Run(s *Session) error {
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
	explain := c.whole
	if c.Model != "" {
		explain = c.one
	}
	a, err := explain(s, file, r, class)
	if err != nil {
		return err
	}
	all := a.Sheets[0]
	top := make([]int, min(c.Top, all.Len()))
	for k := range top {
		top[k] = k
	}
	a.out, a.shown = c.output, append([]any{all.Take(top)}, a.shown...)
	a.Document = s.document("explain", &c.ExplainOptions, append(a.Sheets,
		saved.Assessors.Sheet([]saved.Trained{{File: file}}), saved.Results.Sheet(file.Results))...)
	return s.give(a)
}

// one explains the verdict on one model.
func (c *assessExplainCommand) one(_ *Session, file saved.File, r repository, class int) (a answer, err error) {
	at := slices.IndexFunc(r.Data.Rows, func(row assess.Row) bool { return row.ID == c.Model || row.Hash == c.Model })
	if at < 0 {
		for _, l := range r.Left {
			if l.ID == c.Model || l.Hash == c.Model {
				return a, fmt.Errorf("model %s cannot be judged: %s", c.Model, l.Reason)
			}
		}
		return a, fmt.Errorf("no model %s in %s", c.Model, c.Source)
	}
	judged := assess.Judgements(file.Assessor, r.Data, []int{at}, nil, file.From(r.Data))
	if err := assess.AllJudged(judged); err != nil {
		return a, err
	}
	explanation, err := file.Assessor.Explain(r.Data.Rows[at].X, class)
	if err != nil {
		return a, err
	}
	e := &assess.Explained{Explanation: explanation, Judgement: judged[0]}
	matrices := assess.MatrixParts.Sheet(e.Matrices())
	a.Sheets = []*result.Sheet{
		assess.Parts.Sheet(e.Features()), assess.Explanations.Sheet([]*assess.Explained{e}), matrices,
	}
	a.shown = []any{[]string{
		e.Judgement.String(),
		fmt.Sprintf("%s for %s: base %s, all parts together %s, output %s", e.Unit, e.Class,
			result.Number.Say(e.Base, 4),
			result.Number.Say(e.Output-e.Base, 4), result.Number.Say(e.Output, 4)), "",
	}, matrices}
	return a, nil
}

// whole explains what an assessor looks at: mean |phi| over the models, and what shuffling a
// feature costs.
func (c *assessExplainCommand) whole(s *Session, file saved.File, r repository, class int) (a answer, err error) {
	bar := s.bar("explain")
	summary, err := assess.Summarise(s.ctx, file.Assessor, r.Data, r.Data.Places(), class, bar)
	if err != nil {
		return a, err
	}
	importance, err := assess.MeasureImportance(s.ctx, file.Assessor, r.Data, file.LearnedFrom(r.Data),
		c.ShuffleOptions, bar)
	if err != nil {
		return a, err
	}
	a.Sheets = []*result.Sheet{
		assess.Weights.Sheet(assess.Weigh(summary, importance)),
		assess.Summaries.Sheet([]assess.Summed{{
			Summary: summary, Importance: importance,
			Labelled: len(r.Data.Labelled()),
		}}),
	}
	a.lines = []string{
		fmt.Sprintf("%s, %s trained on %s; %s for %s over %s", file.Name,
			file.Assessor.Settings.Algorithm.Title(file.Layout.OfBackground()),
			result.Counted(len(file.Training), "model"), summary.Unit, summary.Class,
			result.Counted(len(summary.Rows), "model")),
		importance.String(),
	}
	for _, line := range file.Tested() {
		a.lines = append(a.lines, "tested by "+line)
	}
	return a, nil
}

// load reads the assessor and gathers what it judges: the same features, of the same family and
// choice of images.
func (a asked) load(s *Session, assessor string) (file saved.File, r repository, err error) {
	var kept func(name string) ([]byte, error)
	if isWorkspace(a.Source) { // opened once, for the assessor and for the models
		if a.opened, err = s.read(a.Source); err != nil {
			return file, r, err
		}
		kept = a.opened.AssessorData
	}
	if file, err = loadAssessor(assessor, kept); err != nil {
		return file, r, err
	}
	switch {
	case file.Family == "" && a.Family == "" && a.Selection == "" && isWorkspace(a.Source):
		return file, r, file.Fits("", file.Layout)
	case a.Selection != "" && !file.Layout.OfBackground():
		return file, r, file.Fits(transform.ScenesSet+":"+a.Selection, file.Layout)
	case a.Family != "" && file.Family != "": // before anything is measured
		if err := file.Fits(a.Family, file.Layout); err != nil {
			return file, r, err
		}
	}
	a.layout, a.chosen, a.images, a.family = file.Layout, true, file.Images, file.Family
	r, err = a.gather(s)
	if err == nil && file.Family != "" { // a table says itself how its features were measured
		err = file.Fits(cmp.Or(r.Family, file.Family), r.Data.Layout)
	}
	if err == nil && len(r.Data.Rows) == 0 {
		err = errors.Join(fmt.Errorf("%s holds no model that the assessor can judge", a.Source),
			joined(assess.Lines(r.Left), false))
	}
	return file, r, err
}

// loadAssessor reads an assessor file, or one that a workspace keeps under that name; kept is nil
// without a workspace.
func loadAssessor(name string, kept func(name string) ([]byte, error)) (saved.File, error) {
	info, err := os.Stat(name)
	there := err == nil && !info.IsDir()
	if !there && (kept == nil || strings.HasSuffix(name, saved.Extension)) {
		return saved.File{}, fmt.Errorf("assessor %s: there is no such file", name)
	}
	if !there {
		data, err := kept(name)
		if err != nil {
			return saved.File{}, err
		}
		return saved.Decode(name, data)
	}
	data, err := outside.Read(name, outside.Document)
	if err != nil {
		return saved.File{}, fmt.Errorf("read assessor %s: %w", name, err)
	}
	return saved.Decode(filepath.Base(name), data)
}
