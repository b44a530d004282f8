package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/training"
)

type gateCommand struct {
	Model       string   `arg:"" help:"Model to judge, a .onnx file."`
	Suite       string   `required:"" help:"Test suite: IDX, CIFAR-10 binary, image folder or CSV manifest." type:"path" placeholder:"PATH"`
	Assessor    string   `required:"" help:"Assessor, a NAME.vassessor file." type:"path" placeholder:"FILE"`
	Family      string   `help:"Family that is meant; refused when the assessor was trained on another one."`
	Modality    []string `name:"modalities" aliases:"modality" help:"Matrices that are meant; refused when the assessor was trained on others." placeholder:"M"`
	MaxVariance *float64 `help:"Largest probability of variant that passes (default: pass unless the model is judged variant)." placeholder:"P" min:"0" max:"1"`
	SkipCorrupt bool     `help:"Leave corrupt images of the suite out and count them."`
	Classes     string   `help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Out         string   `help:"Folder for gate.json and gate.csv." type:"path"`
}

// gateReport is what gate prints with --json.
type gateReport struct {
	Model       string       `json:"model"`
	Hash        string       `json:"hash"`
	Assessor    string       `json:"assessor"`
	Suite       saved.Suite  `json:"suite"`
	TrainedOn   saved.Suite  `json:"trained_on"`
	Family      string       `json:"family"`
	Verdict     label.Value  `json:"verdict"`
	Variant     *float64     `json:"probability_variant"`
	MaxVariance *float64     `json:"max_variance"`
	Passed      bool         `json:"passed"`
	Reasons     []partReport `json:"reasons"`
	// Learned tells that the model is among the Training models that the assessor learned from: it is judged with knowledge.
	Learned  bool `json:"in_training_set"`
	Training int  `json:"training_models"`
	words    []string
}

// notMet is a gate that is not met: the command has done its work and exits 3.
type notMet string

func (e notMet) Error() string { return string(e) }

func (c *gateCommand) Run(s *session) error {
	file, err := c.assessor()
	if err != nil {
		return err
	}
	family, err := transform.Parse(file.Family)
	if err != nil {
		return err
	}
	var report gateReport
	t := trial{c.Model, c.Suite, family, file.Layout.Modalities, c.SkipCorrupt, c.Classes}
	err = s.try(t, func(in tried) error {
		row, err := measureOne(s, in, file)
		if err != nil {
			return err
		}
		report, err = c.judge(file, row)
		report.Suite = saved.Suite{Name: in.suite.Name, Hash: in.suite.Hash, Images: in.suite.Images}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.report(c.Out, "gate", report, report.rows()); err != nil {
		return err
	}
	if !report.Passed {
		return notMet(report.refusal())
	}
	return nil
}

// assessor reads the assessor and refuses what cannot work with it before anything runs.
func (c *gateCommand) assessor() (saved.File, error) {
	if !strings.EqualFold(filepath.Ext(c.Model), ".onnx") {
		return saved.File{}, usageError(c.Model + " is no .onnx file; gate judges one model file")
	}
	if _, err := os.Stat(c.Model); errors.Is(err, os.ErrNotExist) {
		return saved.File{}, fmt.Errorf("model %s: there is no such file", c.Model)
	}
	if err := needFolder(c.Out); err != nil {
		return saved.File{}, err
	}
	file, err := loadAssessor(c.Assessor, nil)
	if err != nil {
		return file, err
	}
	if file.Layout.OfBackground() {
		return file, fmt.Errorf("assessor %s judges interpolated matrices of testing scenes, and gate makes variance matrices of a family; "+
			"judge the model with variscope assess predict in a workspace that has a run of its selection", file.Name)
	}
	if c.MaxVariance != nil && file.Assessor.Threshold != nil {
		return file, fmt.Errorf("assessor %s is the baseline, which gives no probability; leave --max-variance out", file.Name)
	}
	meant := file.Layout
	if len(c.Modality) > 0 {
		meant.Modalities = c.Modality
	}
	if meant, err = meant.Validate(); err != nil {
		return file, err
	}
	family := c.Family
	if family == "" {
		family = file.Family
	}
	return file, file.Fits(family, meant)
}

// measureOne computes the features that the assessor looks at.
func measureOne(s *session, in tried, file saved.File) (assess.Row, error) {
	images, err := variance.ParseImages(file.Images)
	if err != nil {
		return assess.Row{}, err
	}
	ask := training.Ask{Suite: in.suite.Hash, Family: file.Family, Layout: file.Layout, Images: images}
	measured, left, err := training.Measure(s.ctx, in.ws, ask, nil, engine.NoProgress{})
	if err != nil {
		return assess.Row{}, err
	}
	for _, l := range left {
		return assess.Row{}, fmt.Errorf("model %s cannot be judged by assessor %s, which needs the matrices %s: %s",
			l.ID, file.Name, strings.Join(file.Layout.Modalities, ", "), l.Reason)
	}
	if len(measured) != 1 {
		return assess.Row{}, errors.New("the model has no features; run it again")
	}
	d, _, err := training.Label(in.ws, measured, file.Layout, training.Labels{})
	if err != nil {
		return assess.Row{}, err
	}
	return d.Rows[0], nil
}

// judge fills in verdict, reasons and whether the gate is met; the suite comes later.
func (c *gateCommand) judge(file saved.File, row assess.Row) (gateReport, error) {
	v, err := judged(file.Assessor, row)
	if err != nil {
		return gateReport{}, err
	}
	report := gateReport{
		Model: row.ID, Hash: row.Hash, Assessor: file.Name, TrainedOn: file.Suite, Family: file.Family, Verdict: v.Verdict, Variant: v.Variant,
		MaxVariance: c.MaxVariance, Passed: v.Verdict != label.Variant, Reasons: []partReport{},
		Learned: file.Learned(row.Hash), Training: len(file.Training),
	}
	if c.MaxVariance != nil {
		report.Passed = *v.Variant <= *c.MaxVariance
	}
	if t := file.Assessor.Threshold; t != nil {
		report.words = []string{scoreReason(t, row)}
		return report, nil
	}
	e, err := file.Assessor.Explain(row.X, len(file.Assessor.Classes)-1)
	if err != nil {
		return report, err
	}
	for _, p := range e.Strongest(3) {
		report.Reasons = append(report.Reasons, partReport{p.Name, finite(p.Value), p.Phi})
		report.words = append(report.words, partReason(p, len(file.Assessor.Classes)))
	}
	return report, nil
}

// partReason is what a feature says of two or three classes, in words.
func partReason(p assess.Part, classes int) string {
	says := "speaks for variant"
	switch {
	case p.Phi < 0 && classes == 2:
		says = "speaks for invariant"
	case p.Phi < 0:
		says = "speaks against variant"
	}
	return fmt.Sprintf("%s = %.3g %s: %+.2g", p.Name, p.Value, says, p.Phi)
}

// scoreReason is what the baseline says, in words: where the score lies to its nearest threshold.
func scoreReason(t *assess.Threshold, row assess.Row) string {
	value, near := t.Score.Of(row.Scores), t.Thresholds[0]
	for _, threshold := range t.Thresholds[1:] {
		if math.Abs(value-threshold) < math.Abs(value-near) {
			near = threshold
		}
	}
	switch {
	case math.IsInf(near, -1):
		return fmt.Sprintf("%s = %.4g; the baseline learned that no score speaks for variant", t.Score, value)
	case math.IsInf(near, 1):
		return fmt.Sprintf("%s = %.4g; the baseline learned that every score speaks for variant", t.Score, value)
	case value < near:
		return fmt.Sprintf("%s = %.4g is below %.4g", t.Score, value, near)
	}
	return fmt.Sprintf("%s = %.4g is not below %.4g", t.Score, value, near)
}

func (r gateReport) rows() [][]string {
	result := "passed"
	if !r.Passed {
		result = "not met"
	}
	rows := [][]string{
		{"model", "verdict", "probability of variant", "gate"},
		{r.Model, string(r.Verdict), number(r.Variant), result},
	}
	for _, words := range r.words {
		rows = append(rows, []string{words})
	}
	if r.Learned {
		rows = append(rows, []string{fmt.Sprintf("%s is among the %d models that the assessor learned from", r.Model, r.Training)})
	}
	if otherSuite(r.TrainedOn, r.Suite) {
		rows = append(rows, []string{trainedElsewhere(r.TrainedOn)})
	}
	return rows
}

// refusal is the sentence of a gate that is not met.
func (r gateReport) refusal() string {
	if r.MaxVariance != nil {
		return fmt.Sprintf("gate not met: %s is variant with probability %.4f, above %.4g", r.Model, *r.Variant, *r.MaxVariance)
	}
	return fmt.Sprintf("gate not met: %s is judged variant", r.Model)
}
