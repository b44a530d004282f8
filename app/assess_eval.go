package app

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
)

type assessEvalCommand struct {
	dataFlags
	choiceFlags
	learnFlags
	schemeFlags
	Algorithm []string `help:"Algorithms to compare: tree, forest, adaboost, linear, baseline (default: all)." placeholder:"NAME" enum:"tree,forest,adaboost,linear,baseline"`
	Stability string   `help:"Instead: halves or shares train and test on different images, or targets of --selection (Tables VII and VIII of ${ml4ml}), course follows the features over 10 to 100 % of them (its Tables XII to XX)." enum:",halves,shares,course" default:""`
	Intervals bool     `help:"95 % intervals of the kappas."`

	PerInterpolant bool `help:"Instead: automation accuracy and kappa with the majority vote per interpolant, and statistics of the repository (Tables 3, 5 and 6 of ${background}), with --selection."`
	Coverage       bool `help:"With --per-interpolant: neuron coverage over the selection's composites, which go through the models once more, Fleiss' kappa of a round's labels, and their F1 (its Table 4)."`

	Out string `help:"Folder for eval.json, eval.csv, predictions.csv, curves.csv and doubts.csv (course: course.json, course.csv and deviations.csv)." type:"path"`
}

// learnedReport says what an evaluation learned from.
type learnedReport struct {
	Source  string        `json:"source"`
	Suite   saved.Suite   `json:"suite"`
	Family  string        `json:"family"`
	Labels  saved.Labels  `json:"labels"`
	Models  int           `json:"models"`
	Scheme  assess.Scheme `json:"scheme"`
	LeftOut []leftReport  `json:"left_out"`
}

// learned says what the data are; the scheme is known when an evaluation has ended.
func (c *assessEvalCommand) learned(r repository) learnedReport {
	return learnedReport{
		Source: c.Source, Suite: r.suite, Family: r.family, Labels: r.labels, Models: len(r.data.Labelled()), LeftOut: leftReports(r.left),
	}
}

// evalReport is what eval prints with --json.
type evalReport struct {
	learnedReport
	Images    string            `json:"images"`
	Features  []string          `json:"features"`
	Study     *assess.Study     `json:"study,omitempty"` // of --stability
	Note      string            `json:"note,omitempty"`
	Tuned     bool              `json:"tuned"`
	Results   []algorithmReport `json:"results"`
	Reference string            `json:"kappa_reference"`
	Humans    []kappaReport     `json:"humans"`
}

// algorithmReport is a row of Table IV with what is behind it. Undefined numbers are null.
type algorithmReport struct {
	Algorithm        assess.Algorithm `json:"algorithm"`
	Settings         assess.Settings  `json:"settings"`
	Accuracy         float64          `json:"accuracy"`
	LargestDeviation float64          `json:"largest_deviation"`
	SD               *float64         `json:"sd"`
	Balanced         *float64         `json:"balanced_accuracy"`
	Precision        *float64         `json:"precision"`
	Recall           *float64         `json:"recall"`
	F1               *float64         `json:"f1"`
	MacroF1          *float64         `json:"macro_f1"`
	AUC              *float64         `json:"auc"`
	AveragePrecision *float64         `json:"average_precision"`
	Brier            *float64         `json:"brier"`
	Confusion        [][]int          `json:"confusion"`
	Repetitions      []float64        `json:"repetitions"`
	Folds            [][]foldReport   `json:"folds"`
	Kappa            *float64         `json:"kappa"` // of the verdicts of which accuracy is, with the labels: mean of the repetitions
	KappaLargest     *float64         `json:"kappa_largest_deviation"`
	KappaSD          *float64         `json:"kappa_sd"`
	Kappas           []kappaReport    `json:"kappas"` // of the most frequent verdict on each model, with annotators and their majority
	Doubts           []doubtReport    `json:"doubts"`
	evaluation       assess.Evaluation
}

type foldReport struct {
	Name     string           `json:"name"`
	Tests    int              `json:"tests"`
	Accuracy float64          `json:"accuracy"`
	Chosen   *assess.Settings `json:"chosen,omitempty"`
}

// kappaReport is Cohen's kappa of two raters.
type kappaReport struct {
	A     string             `json:"a"`
	B     string             `json:"b"`
	Kappa agreement.Estimate `json:"kappa"`
}

type doubtReport struct {
	Model   string  `json:"model"`
	Label   string  `json:"label"`
	Verdict string  `json:"verdict"`
	Own     float64 `json:"own_probability"`
}

func (c *assessEvalCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	what, err := c.want(c.schemeFlags, c.Selection != "")
	if err != nil {
		return err
	}
	if c.Stability != "" {
		c.usual(what.layout)
		return c.stability(s, what)
	}
	r, err := c.gather(s, what)
	if err != nil {
		return err
	}
	if err := c.refuseUnlabelled(r); err != nil {
		return err
	}
	c.usual(r.data.Layout)
	if c.PerInterpolant {
		return c.perInterpolant(s, r)
	}
	report, err := c.evaluate(s, r)
	if err != nil {
		return err
	}
	return c.print(s, report, r)
}

// check refuses flags that do not go together; only the course of the features needs no labels.
func (c *assessEvalCommand) check() error {
	switch {
	case c.Coverage && (!c.PerInterpolant || c.Selection == ""):
		return usageError("--coverage goes with --per-interpolant and --selection")
	case c.PerInterpolant && (c.Stability != "" || c.Tune || c.Intervals):
		return usageError("--per-interpolant compares the given hyper-parameters; leave --stability, --tune and --intervals out")
	case c.Stability == "course":
		return nil
	case c.Stability != "" && c.Tune:
		return usageError("--stability compares the given hyper-parameters; leave --tune out")
	}
	return c.needLabels()
}

// print writes the files and shows the table.
func (c *assessEvalCommand) print(s *session, report evalReport, r repository) error {
	if c.Out != "" {
		if err := report.write(c.Out, r.data); err != nil {
			return err
		}
	}
	return s.print(report, append(report.rows(), report.remarks(r)...))
}

// algorithms are those asked for, in the order of Table IV.
func (c *assessEvalCommand) algorithms() []assess.Algorithm {
	if len(c.Algorithm) == 0 {
		return assess.Algorithms()
	}
	var list []assess.Algorithm
	for _, a := range assess.Algorithms() {
		if slices.Contains(c.Algorithm, string(a)) {
			list = append(list, a)
		}
	}
	return list
}

func (c *assessEvalCommand) evaluate(s *session, r repository) (evalReport, error) {
	report := c.report(r)
	for _, algorithm := range c.algorithms() {
		e, err := evaluated(s, r.data, c.settings(algorithm), c.scheme(c.Seed), c.Tune)
		if err != nil {
			return report, err
		}
		report.add(r.data, e, agreement.Options{Intervals: c.Intervals, Context: s.ctx})
		if err := s.ctx.Err(); err != nil {
			return report, err
		}
	}
	return report, nil
}

// report is an evaluation without results yet.
func (c *assessEvalCommand) report(r repository) evalReport {
	return evalReport{learnedReport: c.learned(r), Images: r.images, Features: r.data.Names, Tuned: c.Tune, Humans: []kappaReport{}}
}

// add adds the result of an algorithm.
func (r *evalReport) add(d assess.Data, e assess.Evaluation, opts agreement.Options) {
	table := assess.Join(d, e.Votes(d), string(e.Settings.Algorithm), opts)
	r.Scheme, r.Note, r.Reference, r.Humans = e.Scheme, e.Note, table.Reference, humanKappas(table)
	r.Results = append(r.Results, newAlgorithmReport(d, e, table))
}

// evaluated runs a scheme with a bar.
func evaluated(s *session, d assess.Data, settings assess.Settings, scheme assess.Scheme, tune bool) (assess.Evaluation, error) {
	bar := newBar(s.stderr, string(settings.Algorithm))
	defer bar.done()
	return assess.Evaluate(s.ctx, d, settings, scheme, tune, bar)
}

func newAlgorithmReport(d assess.Data, e assess.Evaluation, t assess.Table) algorithmReport {
	m := e.Metrics
	a := algorithmReport{
		Algorithm: e.Settings.Algorithm, Settings: e.Settings, Accuracy: e.Accuracy, LargestDeviation: e.LargestDeviation,
		SD: finite(e.SD), Balanced: finite(m.Balanced), Precision: finite(m.Precision), Recall: finite(m.Recall), F1: finite(m.F1),
		MacroF1: finite(m.MacroF1), AUC: finite(m.AUC), AveragePrecision: finite(m.AveragePrecision), Brier: finite(m.Brier),
		Confusion: m.Confusion, Repetitions: e.Repetitions,
		Kappa: finite(e.Kappa.Mean), KappaLargest: finite(e.Kappa.Largest), KappaSD: finite(e.Kappa.SD), Kappas: assessorKappas(t), Doubts: []doubtReport{}, evaluation: e,
	}
	for _, folds := range e.Folds {
		row := make([]foldReport, len(folds))
		for k, f := range folds {
			row[k] = foldReport{Name: f.Name, Tests: f.Tests, Accuracy: f.Accuracy}
			if e.Tuned {
				row[k].Chosen = &f.Chosen
			}
		}
		a.Folds = append(a.Folds, row)
	}
	for _, doubt := range assess.Doubts(d, e) {
		a.Doubts = append(a.Doubts, doubtReport{d.Rows[doubt.Row].ID, string(doubt.Label), string(doubt.Verdict), doubt.Own})
	}
	return a
}

// finite is nil for a number that is undefined.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// assessorKappas are the assessor's against the reference and against each annotator.
func assessorKappas(t assess.Table) []kappaReport {
	own := t.Assessor()
	var list []kappaReport
	for _, m := range t.Report.VsMajority {
		if m.Index == own {
			list = append(list, kappaReport{A: m.Rater, B: t.Reference, Kappa: m.Kappa})
		}
	}
	for _, pair := range t.Report.Cohen {
		if pair.Raters[1] == t.Report.Raters[own] {
			list = append(list, kappaReport{A: pair.Raters[1], B: pair.Raters[0], Kappa: pair.Kappa})
		}
	}
	return list
}

// humanKappas are those of the annotators among themselves and against their majority.
func humanKappas(t assess.Table) []kappaReport {
	list := []kappaReport{}
	for _, pair := range t.Humans.Cohen {
		list = append(list, kappaReport{A: pair.Raters[0], B: pair.Raters[1], Kappa: pair.Kappa})
	}
	for _, m := range t.Humans.VsMajority {
		list = append(list, kappaReport{A: m.Rater, B: t.Reference, Kappa: m.Kappa})
	}
	return list
}

// rows are Table IV with more columns.
func (r evalReport) rows() [][]string {
	rows := [][]string{{"algorithm", "accuracy ± largest deviation, %", "SD", "balanced", "F1", "AUC", "kappa with the labels ± largest deviation"}}
	for _, a := range r.Results {
		row := []string{
			string(a.Algorithm), fmt.Sprintf("%.2f ± %.2f", 100*a.Accuracy, 100*a.LargestDeviation),
			percent(a.SD), percent(a.Balanced), number(a.F1), number(a.AUC), number(a.Kappa) + " ± " + number(a.KappaLargest),
		}
		rows = append(rows, row)
	}
	return rows
}

// remarks are lines below the table: the humans among themselves, doubts, notes, and who takes no part.
func (r evalReport) remarks(from repository) [][]string {
	counts := r.Labels.Counts
	lines := [][]string{{fmt.Sprintf("%d models, labels: %s (%s)", r.Models, r.Labels.Source, countsOf(counts))}}
	if r.Study != nil {
		lines = append(lines, []string{fmt.Sprintf("training and test models are measured on different images: %s of the %s", r.Study.Kind, from.whole())})
	}
	if r.Note != "" {
		lines = append(lines, []string{r.Note})
	}
	for _, k := range r.Humans {
		lines = append(lines, []string{fmt.Sprintf("kappa of %s and %s: %s%s", k.A, k.B, decimals(k.Kappa), bracketed(k.Kappa))})
	}
	for _, a := range r.Results {
		for _, k := range a.Kappas {
			lines = append(lines, []string{fmt.Sprintf("kappa of %s, by its most frequent verdict on each model, and %s: %s%s",
				k.A, k.B, decimals(k.Kappa), bracketed(k.Kappa))})
		}
	}
	for _, a := range r.Results {
		if len(a.Doubts) > 0 {
			ids := make([]string, len(a.Doubts))
			for i, d := range a.Doubts {
				ids[i] = fmt.Sprintf("%s (%s)", d.Model, d.Label)
			}
			lines = append(lines, []string{fmt.Sprintf("%s doubts %d labels: %s", a.Algorithm, len(ids), few(ids))})
		}
	}
	for _, line := range leftLines(from.left) {
		lines = append(lines, []string{line})
	}
	return lines
}

// countsOf says how often each label occurs, most variant last.
func countsOf(counts map[string]int) string {
	text := ""
	for _, word := range []string{"invariant", "borderline", "variant"} {
		if n, ok := counts[word]; ok {
			text += ", " + strconv.Itoa(n) + " " + word
		}
	}
	if text == "" {
		return "none"
	}
	return text[2:]
}

func percent(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100**v)
}

// bracketed is an interval behind a value, empty without one.
func bracketed(e agreement.Estimate) string {
	if e.Interval == nil || e.Interval.Reason != "" {
		return ""
	}
	return " [" + interval(e) + "]"
}
