package app

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/training"
)

// rasterFlags say how interpolated matrices are measured; the default is spec/background.md section 13.
type rasterFlags struct {
	Interpolant  []string `help:"With --selection: I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster; repeat it (default: the three of ${background})." sep:"none" placeholder:"I"`
	Raster       int      `help:"With --selection: elements along a side of an interpolated matrix (default: 64)."`
	Measurements string   `help:"With --selection: scene (the seven of interpolated matrices), sixteen (those of variance matrices, but asymm) or all." enum:",scene,sixteen,all" default:""`
}

// given tells whether any of them was asked for.
func (f rasterFlags) given() bool {
	return len(f.Interpolant) > 0 || f.Raster != 0 || f.Measurements != ""
}

// layout is that of interpolated matrices.
func (f rasterFlags) layout(modalities []string) (feature.Layout, error) {
	layout := feature.DefaultBackgroundLayout()
	if len(modalities) > 0 {
		layout.Modalities = modalities
	}
	if len(f.Interpolant) > 0 {
		layout.Background.Interpolants = f.Interpolant
	}
	if f.Raster != 0 {
		layout.Background.Raster = f.Raster
	}
	if f.Measurements != "" {
		layout.Background.Set = feature.Set(f.Measurements)
	}
	return layout.Validate()
}

// resolveScenes finds the selection whose interpolated matrices are measured: that of --selection, else the one that the assessor
// was trained on.
func (f dataFlags) resolveScenes(ws *store.Workspace, r *repository) (selection string, err error) {
	if f.Suite != "" {
		return "", usageError("--suite goes with variance matrices; a selection of testing scenes has its own targets")
	}
	name := f.Selection
	if name == "" {
		family, err := transform.ParseAny(f.Family)
		if err != nil {
			return "", err
		}
		hash, _, ok := family.Scened()
		if !ok {
			return "", usageError("interpolated matrices are of a selection of testing scenes; name one with --selection")
		}
		name = hash
	}
	record, err := findSelection(ws, name)
	if err != nil {
		return "", err
	}
	family, err := transform.Scenes(record.Hash, record.N)
	if err != nil {
		return "", err
	}
	manifest, err := ws.Suite(record.Targets)
	if err != nil {
		return "", err
	}
	r.family, r.suite = family.String(), saved.Suite{Name: manifest.Name, Hash: manifest.Hash, Images: manifest.Images}
	return record.Hash, nil
}

// automationReport is what eval --per-interpolant prints with --json: the paper's Table 3, with the statistics of the repository that it
// rests on (Tables 5 and 6, Fig. 16).
type automationReport struct {
	learnedReport
	Lines      []automationLine   `json:"lines"`
	Shares     map[string]float64 `json:"label_shares"`
	Unlabelled int                `json:"unlabelled"`
	Accuracy   *figuresReport     `json:"accuracy,omitempty"`
	WorstCase  *figuresReport     `json:"worst_case_accuracy,omitempty"`
	Diversity  *coverageReport    `json:"diversity,omitempty"` // of --coverage
}

// coverageReport is a line of Table 4. Undefined numbers are null.
type coverageReport struct {
	Scenes   int      `json:"scenes"`
	Models   int      `json:"models"`
	Coverage *float64 `json:"coverage"`
	Fleiss   *float64 `json:"fleiss"`
	F1       *float64 `json:"f1"`
}

// automationLine is an algorithm on the matrices of one interpolant. Undefined numbers are null.
type automationLine struct {
	Interpolant      string           `json:"interpolant,omitempty"` // empty for the baseline
	Algorithm        assess.Algorithm `json:"algorithm"`
	Settings         assess.Settings  `json:"settings"`
	Accuracy         *float64         `json:"accuracy"`
	LargestDeviation *float64         `json:"largest_deviation"`
	SD               *float64         `json:"sd"`
	Kappa            *float64         `json:"kappa"`
	KappaLargest     *float64         `json:"kappa_largest_deviation"`
	KappaSD          *float64         `json:"kappa_sd"`
	Fit              *fitReport       `json:"fit,omitempty"`
	Problem          string           `json:"problem,omitempty"`
}

// fitReport is the baseline with thresholds found on all models and judged on these.
type fitReport struct {
	Thresholds []*float64 `json:"thresholds"` // null for an infinite one
	Accuracy   float64    `json:"accuracy"`
	Kappa      *float64   `json:"kappa"`
}

// figuresReport are a line of Table 6 and its histogram of ten bins.
type figuresReport struct {
	Models    int     `json:"models"`
	Mean      float64 `json:"mean"`
	Max       float64 `json:"max"`
	Min       float64 `json:"min"`
	Std       float64 `json:"std"`
	Histogram []int   `json:"histogram"`
}

// figureBins are the bins of a histogram of accuracies.
const figureBins = 10

// perInterpolant computes and prints Table 3.
func (c *assessEvalCommand) perInterpolant(s *session, r repository) error {
	var settings []assess.Settings
	for _, algorithm := range c.algorithms() {
		settings = append(settings, c.settings(algorithm))
	}
	bar := newBar(s.stderr, "interpolants")
	lines, err := tables.Table3(s.ctx, r.data, settings, c.scheme(c.Seed), bar)
	bar.done()
	if err != nil {
		return err
	}
	report := automationReport{learnedReport: c.learned(r), Shares: map[string]float64{}}
	for _, l := range lines {
		if l.Problem == nil {
			report.Scheme = l.Evaluation.Scheme
		}
		report.Lines = append(report.Lines, newAutomationLine(l))
	}
	if err := report.describe(r.data); err != nil {
		return err
	}
	if c.Coverage {
		if report.Diversity, err = coverage(s, r); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := writeTable(c.Out, "automation", report, report.cells()); err != nil {
			return err
		}
	}
	return s.print(report, append(report.rows(), report.remarks(r)...))
}

func newAutomationLine(l tables.Automation) automationLine {
	line := automationLine{Interpolant: l.Interpolant, Algorithm: l.Settings.Algorithm, Settings: l.Settings}
	if l.Problem != nil {
		line.Problem = l.Problem.Error()
		return line
	}
	line.Accuracy, line.LargestDeviation, line.SD = finite(l.Accuracy.Mean), finite(l.Accuracy.Largest), finite(l.Accuracy.SD)
	line.Kappa, line.KappaLargest, line.KappaSD = finite(l.Kappa.Mean), finite(l.Kappa.Largest), finite(l.Kappa.SD)
	if l.Fit != nil {
		line.Fit = &fitReport{Accuracy: l.Fit.Accuracy}
		for _, threshold := range l.Fit.Thresholds {
			line.Fit.Thresholds = append(line.Fit.Thresholds, finite(threshold))
		}
		if l.Fit.Kappa.Defined() {
			line.Fit.Kappa = &l.Fit.Kappa.Value
		}
	}
	return line
}

// coverage is the line of Table 4 of the selection, over the models of the evaluation.
func coverage(s *session, r repository) (*coverageReport, error) {
	family, err := transform.ParseAny(r.family)
	if err != nil {
		return nil, err
	}
	selection, n, _ := family.Scened()
	rt, err := s.runtime()
	if err != nil {
		return nil, err
	}
	bar := newBar(s.stderr, "coverage")
	defer bar.done()
	bar.SetTotal(int64(len(r.data.Rows)))
	values := make([]float64, len(r.data.Rows))
	ratings := make([][]int, len(r.data.Raters))
	for i, row := range r.data.Rows {
		m, err := r.ws.Model(row.Hash)
		if err != nil {
			return nil, err
		}
		c, reason, err := background.Cover(s.ctx, r.ws, rt, m, selection, 0, engine.NoProgress{})
		if err != nil {
			return nil, err
		}
		if values[i] = c.Share; reason != "" {
			values[i] = math.NaN()
		}
		for a := range ratings {
			rating, ok := row.Ratings[a].Index(len(r.data.Classes))
			if !ok {
				rating = agreement.Missing
			}
			ratings[a] = append(ratings[a], rating)
		}
		bar.Add(1)
	}
	d := tables.Table4(n, values, ratings, len(r.data.Classes))
	report := &coverageReport{Scenes: d.N, Models: d.Models, Coverage: finite(d.Coverage), F1: finite(d.F1)}
	if d.Fleiss.Defined() {
		report.Fleiss = &d.Fleiss.Value
	}
	return report, nil
}

// describe adds the statistics of the repository.
func (r *automationReport) describe(d assess.Data) error {
	parts, unlabelled := tables.Table5(d)
	r.Unlabelled = unlabelled
	for _, p := range parts {
		if share := finite(p.Share); share != nil {
			r.Shares[string(p.Label)] = *share
		}
	}
	accuracy, worst := tables.Table6(d)
	first, second := tables.AccuraciesOf(d)
	for _, f := range []struct {
		figures tables.Figures
		values  []float64
		into    **figuresReport
	}{{accuracy, first, &r.Accuracy}, {worst, second, &r.WorstCase}} {
		if f.figures.N == 0 {
			continue
		}
		counts, err := tables.Histogram(f.values, figureBins)
		if err != nil {
			return err
		}
		*f.into = &figuresReport{f.figures.N, f.figures.Mean, f.figures.Max, f.figures.Min, f.figures.Std, counts}
	}
	return nil
}

// rows are Table 3.
func (r automationReport) rows() [][]string {
	rows := [][]string{{"interpolant", "algorithm", "automation accuracy ± largest deviation, %", "SD", "kappa with the majority ± largest deviation", "SD"}}
	for _, l := range r.Lines {
		row := []string{orDash(l.Interpolant), string(l.Algorithm), "-", "-", "-", "-"}
		if l.Problem != "" {
			row[2] = l.Problem
		} else {
			row[2], row[3] = percent(l.Accuracy)+" ± "+percent(l.LargestDeviation), percent(l.SD)
			row[4], row[5] = number(l.Kappa)+" ± "+number(l.KappaLargest), number(l.KappaSD)
		}
		rows = append(rows, row)
	}
	return rows
}

// cells are the lines for files, with all digits.
func (r automationReport) cells() [][]string {
	rows := [][]string{{"interpolant", "algorithm", "accuracy", "largest_deviation", "sd", "kappa", "kappa_largest_deviation", "kappa_sd"}}
	for _, l := range r.Lines {
		row := []string{l.Interpolant, string(l.Algorithm)}
		for _, v := range []*float64{l.Accuracy, l.LargestDeviation, l.SD, l.Kappa, l.KappaLargest, l.KappaSD} {
			row = append(row, orEmpty(v))
		}
		rows = append(rows, row)
	}
	return rows
}

// remarks are lines below the table.
func (r automationReport) remarks(from repository) [][]string {
	lines := [][]string{{fmt.Sprintf("%d models, labels: %s (%s)", r.Models, r.Labels.Source, countsOf(r.Labels.Counts))}}
	for _, l := range r.Lines {
		if l.Fit != nil {
			lines = append(lines, []string{fmt.Sprintf("worst-case accuracy with thresholds found on all models, and judged on these: %.2f %%", 100*l.Fit.Accuracy)})
		}
	}
	for _, f := range []struct {
		name    string
		figures *figuresReport
	}{{"accuracy", r.Accuracy}, {"worst-case accuracy", r.WorstCase}} {
		if v := f.figures; v != nil {
			lines = append(lines, []string{fmt.Sprintf("%s of %d models, %%: mean %.2f, largest %.2f, smallest %.2f, std %.2f",
				f.name, v.Models, 100*v.Mean, 100*v.Max, 100*v.Min, 100*v.Std)})
		}
	}
	if v := r.Diversity; v != nil {
		lines = append(lines, []string{fmt.Sprintf("%d scenes per target: neuron coverage %s over %d models, Fleiss' kappa %s, F1 %s",
			v.Scenes, number(v.Coverage), v.Models, number(v.Fleiss), number(v.F1))})
	}
	for _, line := range leftLines(from.left) {
		lines = append(lines, []string{line})
	}
	return lines
}

// borderline is what becomes of borderline labels: what was asked for, else left out with variance matrices, kept with interpolated
// ones.
func (f dataFlags) borderline(layout feature.Layout) string {
	switch {
	case f.Borderline != "":
		return f.Borderline
	case layout.OfBackground():
		return string(training.Keep)
	}
	return string(training.Leave)
}

// usual fills in the boosting of a layout where none was asked for.
func (f *learnFlags) usual(layout feature.Layout) {
	if f.Boosting == "" {
		f.Boosting = "SAMME.R"
		if layout.OfBackground() {
			f.Boosting = "SAMME"
		}
	}
}
