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
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
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

// asked is what an assess command works on: its source, the options about it, what is measured and
// how models are marked.
type asked struct {
	Source string // workspace, or a table of features
	assess.DataOptions
	opened         *store.Workspace // nil before it is opened
	models         []string         // hashes; nil for all
	layout         feature.Layout
	chosen         bool   // the matrices of the layout were asked for; otherwise a table's own count
	images, family string // canonical texts; the family counts where no flag names another one
	holdout, group string // as in assess.SchemeOptions
}

// learning asks for what new assessors learn from.
func learning(
	source string, o assess.DataOptions, f assess.FeatureOptions, split assess.SchemeOptions,
) (a asked, err error) {
	a = asked{
		Source: source, DataOptions: o, chosen: len(f.Modalities) > 0, holdout: split.Holdout, group: split.Group,
	}
	if a.layout, err = f.Layout(o.Selection != ""); err != nil {
		return a, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return a, usageError(err.Error())
	}
	a.images = images.String()
	return a, nil
}

// repository is what was gathered, what it was measured on, and where its labels come from.
type repository struct {
	training.Gathered
	saved.Source                  // its family is empty for a table without --family
	ws           *store.Workspace // nil for a table
	scenes       string           // hash of the selection whose interpolated matrices are measured; else empty
	labels       training.Labels
}

// whole is what studies take parts of, in words.
func (r repository) whole() string {
	if r.scenes != "" {
		return "targets"
	}
	return "suite"
}

// resampled asks for what was gathered on resamples of the images, which only signals of variance
// matrices have.
func (r repository) resampled() (ask training.Ask, err error) {
	if r.ws == nil || r.scenes != "" {
		return ask, usageError("--resamples draws images anew; it goes with the variance matrices of a workspace")
	}
	ask = training.Ask{Suite: r.Suite.Hash, Family: r.Family, Layout: r.Layout}
	ask.Images, err = variance.ParseImages(r.Images)
	return ask, err
}

// gather measures the models of a workspace, or reads an exported table, and joins the labels.
// Rows without label stay in the data.
func (a asked) gather(s *Session) (r repository, err error) {
	a.Family = cmp.Or(a.Family, a.family)
	inside := a.opened != nil || isWorkspace(a.Source)
	if inside {
		a.Borderline = a.BorderlineOf(a.layout)
	}
	r.labels = training.Labels{
		Column: a.Column, Ties: a.Ties, Borderline: training.Borderline(a.Borderline), Group: a.group, Researcher: true,
	}
	split := assess.SchemeOptions{Holdout: a.holdout}
	if r.labels.HoldoutColumn, r.labels.HoldoutValue, err = split.HeldOut(); err != nil {
		return r, usageError(err.Error())
	}
	r.Images, r.Labels.Source = a.images, "column final of "+filepath.Base(a.Source)
	switch {
	case a.Column != "":
		r.Labels.Source = "column " + a.Column
	case namesFile(a.Labels):
		r.labels.File, r.Labels.Source = a.Labels, "file "+filepath.Base(a.Labels)
	case a.Labels != "":
		r.Labels.Source = "round " + a.Labels
	case inside:
		r.Labels.Source = ""
	}
	gather := a.read
	if inside {
		gather = a.measure
	}
	err = gather(s, &r)
	r.Labels.Source = label.SourceOf(r.Labels.Source, r.Data.ByRule)
	var table *export.TableError
	if errors.As(err, &table) && table.Line == 1 && table.File == filepath.Base(a.Labels) {
		err = fmt.Errorf("%w; a table of your own with a column of labels is a table of records: "+
			"variscope import WORKSPACE TABLE.csv, then --column NAME", err)
	}
	if err != nil {
		return r, err
	}
	r.Layout, r.Models = r.Data.Layout, len(r.Data.Labelled())
	r.Labels.Borderline, r.Labels.Counts = a.BorderlineOf(r.Layout), saved.CountLabels(r.Data)
	if unknown := training.Unknown(r.ws, r.Data, r.Left); len(unknown) > 0 && !a.SkipUnknown {
		return r, fmt.Errorf("%s has labels of models that are not in %s: %s; bring those models, take them out of "+
			"the labels, or pass over them with --skip-unknown", r.Labels.Source, a.Source, result.Some(unknown))
	}
	return r, nil
}

// learn gathers data that has labels.
func (a asked) learn(s *Session) (repository, error) {
	r, err := a.gather(s)
	if err == nil && a.Labels == "" && a.Column == "" && r.Models == 0 {
		err = fmt.Errorf("column final of %s is empty; say where the labels come from: --labels FILE, "+
			"or --records models.csv and --column NAME", a.Source)
	}
	return r, err
}

// measure fills the repository from a workspace.
func (a asked) measure(s *Session, r *repository) (err error) {
	if a.Records != "" {
		return usageError("--records goes with an exported table; a workspace has the records of its models")
	}
	if r.ws = a.opened; r.ws == nil {
		if r.ws, err = s.read(a.Source); err != nil {
			return err
		}
	}
	var on suite.Manifest
	var family transform.Family
	if a.layout.OfBackground() {
		on, family, err = a.ofScenes(r)
	} else {
		on, family, err = suiteAndFamily(r.ws, a.Suite, a.Family)
	}
	if err != nil {
		return err
	}
	r.Family, r.Suite = family.String(), saved.Suite{Name: on.Name, Hash: on.Hash, Images: on.Images}
	if a.Labels != "" && r.labels.File == "" {
		round, err := findRound(r.ws, a.Labels)
		if err != nil {
			return err
		}
		s.warnSecret(round)
		r.labels.Round, r.Labels.Round, r.Labels.Source = round.ID, round.ID, "round "+round.Name
	}
	images, err := variance.ParseImages(r.Images)
	if err != nil {
		return err
	}
	ask := training.Ask{
		Suite: on.Hash, Family: r.Family, Selection: r.scenes, Models: a.models, Layout: a.layout, Images: images,
	}
	r.Gathered, err = training.Gather(s.ctx, r.ws, ask, r.labels, nil, s.bar("features"))
	return err
}

// ofScenes finds the selection whose interpolated matrices are measured: that of --selection, else
// the one that the assessor was trained on.
func (a asked) ofScenes(r *repository) (on suite.Manifest, family transform.Family, err error) {
	if a.Suite != "" {
		return on, family,
			usageError("--suite goes with variance matrices; a selection of testing scenes has its own targets")
	}
	name := a.Selection
	if name == "" {
		if family, err = transform.ParseAny(a.Family); err != nil {
			return on, family, err
		}
		hash, _, ok := family.Scened()
		if !ok {
			return on, family, usageError("interpolated matrices are of a selection of testing scenes; name one with " +
				"--selection")
		}
		name = hash
	}
	record, err := findSelection(r.ws, name)
	if err != nil {
		return on, family, err
	}
	r.scenes = record.Hash
	if family, err = transform.Scenes(record.Hash, record.N); err == nil {
		on, err = r.ws.Suite(record.Targets)
	}
	return on, family, err
}

// read fills the repository from an exported table.
func (a asked) read(_ *Session, r *repository) error {
	info, err := os.Stat(a.Source)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder, and neither a workspace (NAME.variscope) nor a table of features", a.Source)
	case a.Suite != "":
		return usageError("--suite goes with a workspace; an exported table has its features already")
	case a.Selection != "":
		return usageError("--selection goes with a workspace; an exported table has its features already")
	case a.Labels != "" && r.labels.File == "":
		return fmt.Errorf("labels %s: there is no such file, and rounds are those of a workspace", a.Labels)
	}
	if a.Family != "" {
		family, err := transform.Parse(a.Family)
		if err != nil {
			return err
		}
		r.Family = family.String()
	}
	if r.Data, r.Left, err = training.FromFile(a.Source, a.Records, r.labels); err != nil {
		return err
	}
	wanted, hint := r.Data.Layout, "name the matrices that it has with --modalities"
	if a.chosen {
		wanted, hint = a.layout, "the matrices "+strings.Join(a.layout.Modalities, ", ")+" are needed"
	}
	kept, missing := r.Data.Matrices(wanted)
	if missing != "" {
		return fmt.Errorf("%s has no column %s; %s", a.Source, missing, hint)
	}
	r.Data = kept
	return nil
}

// needLabels refuses data of which nothing can be learned.
func (a asked) needLabels() error {
	if a.Labels == "" && a.Column == "" && isWorkspace(a.Source) {
		return usageError("say where the labels come from: --labels FILE|ROUND or --column NAME")
	}
	return nil
}
