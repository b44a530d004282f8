package app

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
)

type assessExplainCommand struct {
	dataFlags
	assessorFlag
	Model string `help:"Model to explain, by id (default: the assessor as a whole)." placeholder:"ID"`
	Class string `help:"Class whose output is explained: invariant (the default with interpolated matrices), borderline or variant (the default)." enum:",invariant,borderline,variant" default:""`
	Top   int    `help:"Features to print." default:"10" min:"1"`
	assess.ShuffleOptions
	Out string `help:"Folder for explain.json and explain.csv, with all features." type:"path"`
}

// explainReport is what explain prints with --json of one model.
type explainReport struct {
	Assessor   string           `json:"assessor"`
	Algorithm  assess.Algorithm `json:"algorithm"`
	Model      verdictReport    `json:"model"`
	Class      label.Value      `json:"class"`
	Unit       string           `json:"unit"`
	Base       float64          `json:"base"`
	Output     float64          `json:"output"`
	Parts      []partReport     `json:"parts"` // largest first
	Modalities []partReport     `json:"modalities"`
}

type partReport struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value,omitempty"`
	Phi   float64  `json:"phi"`
}

// summaryReport is what explain prints with --json of an assessor as a whole.
type summaryReport struct {
	Assessor  string           `json:"assessor"`
	Algorithm assess.Algorithm `json:"algorithm"`
	Family    string           `json:"family"`
	Layout    any              `json:"layout"`
	Training  int              `json:"training_models"`
	Results   []saved.Result   `json:"results"`
	Class     label.Value      `json:"class"`
	Unit      string           `json:"unit"`
	Models    int              `json:"models"`
	Labelled  int              `json:"labelled"`
	Measured  int              `json:"permutation_models"`   // that the permutation importance was measured on
	Refitted  bool             `json:"permutation_refitted"` // by assessors with its settings that had not seen them
	Problem   string           `json:"permutation_problem,omitempty"`
	Features  []featureReport  `json:"features"` // largest mean |phi| first
}

type featureReport struct {
	Name          string   `json:"name"`
	MeanPhi       float64  `json:"mean_abs_phi"`
	Permutation   *float64 `json:"permutation_importance"` // loss of accuracy on models that were not learned from; null without any
	PermutationSD *float64 `json:"permutation_sd"`
}

func (c *assessExplainCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	file, r, err := c.load(s, c.dataFlags)
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
	verdict, err := judged(file.Assessor, r.data.Rows[at])
	if err != nil {
		return err
	}
	e, err := file.Assessor.Explain(r.data.Rows[at].X, class)
	if err != nil {
		return err
	}
	report := explainReport{
		Assessor: file.Name, Algorithm: file.Assessor.Settings.Algorithm, Model: verdict, Class: e.Class, Unit: e.Unit, Base: e.Base, Output: e.Output,
	}
	parts := slices.Clone(e.Parts)
	slices.SortStableFunc(parts, func(a, b assess.Part) int { return cmp.Compare(math.Abs(b.Phi), math.Abs(a.Phi)) })
	for _, p := range parts {
		report.Parts = append(report.Parts, partReport{p.Name, finite(p.Value), p.Phi})
	}
	for _, p := range e.ByModality() {
		report.Modalities = append(report.Modalities, partReport{Name: p.Name, Phi: p.Phi})
	}
	return c.print(s, report)
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

// rows are the parts, then lines that hold them together.
func (r explainReport) rows() [][]string {
	rows := [][]string{{"feature", "value", "part"}}
	for _, p := range r.Parts {
		rows = append(rows, []string{p.Name, short(p.Value), fmt.Sprintf("%+.4f", p.Phi)})
	}
	return rows
}

// cells are the parts for files, with all digits.
func (r explainReport) cells() [][]string {
	rows := [][]string{{"model_id", "feature", "value", "phi"}}
	for _, p := range r.Parts {
		rows = append(rows, []string{r.Model.ID, p.Name, orEmpty(p.Value), exact(p.Phi)})
	}
	return rows
}

// short is a feature's value with four digits, whatever its size.
func short(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *v)
}

func (r explainReport) remarks() [][]string {
	lines := [][]string{
		{fmt.Sprintf("%s is judged %s (probability of variant %s)", r.Model.ID, r.Model.Verdict, number(r.Model.Variant))},
		{fmt.Sprintf("%s for %s: base %.4f, all parts together %+.4f, output %.4f", r.Unit, r.Class, r.Base, r.Output-r.Base, r.Output)},
	}
	for _, m := range r.Modalities {
		lines = append(lines, []string{fmt.Sprintf("matrix %s: %+.4f", m.Name, m.Phi)})
	}
	return lines
}

// whole explains what an assessor looks at: mean |phi| over the models, and what shuffling a feature costs.
func (c *assessExplainCommand) whole(s *session, file saved.File, r repository, class int) error {
	a, rows := file.Assessor, make([]int, len(r.data.Rows))
	for i := range rows {
		rows[i] = i
	}
	bar := newBar(s.stderr, "explain")
	defer bar.done()
	summary, err := assess.Summarise(s.ctx, a, r.data, rows, class, bar)
	if err != nil {
		return err
	}
	report := summaryReport{
		Assessor: file.Name, Algorithm: a.Settings.Algorithm, Family: file.Family, Layout: file.Layout, Training: len(file.Training),
		Results: file.Results, Class: summary.Class, Unit: summary.Unit, Models: len(rows), Labelled: len(r.data.Labelled()),
	}
	for k, name := range summary.Names {
		report.Features = append(report.Features, featureReport{Name: name, MeanPhi: summary.Mean[k]})
	}
	learned := func(row int) bool { return file.Learned(r.data.Rows[row].Hash) }
	importance, err := assess.MeasureImportance(s.ctx, a, r.data, learned, c.ShuffleOptions, bar)
	if err != nil {
		return err
	}
	report.Measured, report.Refitted = importance.Models, importance.Refitted
	if importance.Problem != nil {
		report.Problem = importance.Problem.Error()
	}
	for k, p := range importance.Features {
		report.Features[k].Permutation, report.Features[k].PermutationSD = finite(p.Mean), finite(p.SD)
	}
	slices.SortStableFunc(report.Features, func(a, b featureReport) int { return cmp.Compare(b.MeanPhi, a.MeanPhi) })
	return c.print(s, report)
}

func (r summaryReport) rows() [][]string {
	rows := [][]string{{"feature", "mean |part|", "accuracy lost by shuffling"}}
	for _, f := range r.Features {
		lost := "-"
		if f.Permutation != nil {
			lost = fmt.Sprintf("%.4f ± %s", *f.Permutation, number(f.PermutationSD))
		}
		rows = append(rows, []string{f.Name, fmt.Sprintf("%.4f", f.MeanPhi), lost})
	}
	return rows
}

// cells are the features for files, with all digits.
func (r summaryReport) cells() [][]string {
	rows := [][]string{{"feature", "mean_abs_phi", "permutation_importance", "permutation_sd"}}
	for _, f := range r.Features {
		rows = append(rows, []string{f.Name, exact(f.MeanPhi), orEmpty(f.Permutation), orEmpty(f.PermutationSD)})
	}
	return rows
}

func (r summaryReport) remarks() [][]string {
	lines := [][]string{{fmt.Sprintf("%s, %s trained on %d models; %s for %s over %d models",
		r.Assessor, r.Algorithm, r.Training, r.Unit, r.Class, r.Models)}}
	switch {
	case r.Problem != "":
		lines = append(lines, []string{"no permutation importance: " + r.Problem})
	case r.Refitted:
		lines = append(lines, []string{fmt.Sprintf("shuffled on %d models, each judged by an assessor with the same settings that had not seen it, since this one has learned from all",
			r.Measured)})
	default:
		lines = append(lines, []string{fmt.Sprintf("shuffled on %d models that the assessor had not seen", r.Measured)})
	}
	for _, e := range r.Results {
		lines = append(lines, []string{"accuracy " + resultWords(e)})
	}
	return lines
}

// explained is a report whose table may be longer than people read.
type explained interface {
	rows() [][]string
	cells() [][]string
	remarks() [][]string
}

// print writes the whole table to files and its first rows to the screen.
func (c *assessExplainCommand) print(s *session, r explained) error {
	rows := r.rows()
	if c.Out != "" {
		if err := writeTable(c.Out, "explain", r, r.cells()); err != nil {
			return err
		}
	}
	return s.print(r, append(rows[:min(len(rows), c.Top+1)], r.remarks()...))
}
