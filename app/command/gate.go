package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/memory"
)

type gateCommand struct {
	Model string `arg:"" study:"path" help:"Model to judge, a .onnx file."`
	assess.GateOptions
	File   memory.Options `embed:""`
	output `set:"out=Folder for gate.json and gate.csv."`
}

// notMet is a gate that is not met: the command has done its work and exits 3.
type notMet string

func (e notMet) Error() string { return string(e) }

func (c *gateCommand) Run(s *Session) error {
	file, err := c.assessor()
	if err != nil {
		return err
	}
	family, err := transform.Parse(file.Family)
	if err != nil {
		return err
	}
	modalities, err := signal.ParseModalities(file.Layout.Modalities)
	if err != nil {
		return err
	}
	in, err := s.readModel(c.Model, c.Suite, c.File, signal.Want{Modalities: modalities})
	if err != nil {
		return err
	}
	if c.Strict && in.Unsaid() {
		return errors.New(in.SayUnsaid())
	}
	s.sayFile(in)
	if err := s.runFile(in, family, file.Layout.Modalities); err != nil {
		return err
	}
	row, on, err := in.Row(s.ctx, file, family.String())
	if err != nil {
		return err
	}
	judged, parts, reasons, err := c.judge(file, row)
	if err != nil {
		return err
	}
	if c.Resamples > 0 {
		bar := s.bar("resamples")
		bar.SetTotal(int64(c.Resamples))
		if judged.Judged.Resampled, err = file.Assessor.Resample(s.ctx, on, c.Bootstrap(), bar); err != nil {
			return fmt.Errorf("resamples of the images of %s: %w", c.Suite, err)
		}
		reasons = append(reasons, judged.Judged.Again())
	}
	judged.On = saved.Suite{Name: in.Images.Name, Hash: in.Images.Hash, Images: in.Images.Images}
	judged.Recipe, judged.From = in.Settings.Recipe.Text(), in.Settings.RecipeFrom()
	if judged.Judged.Learned > 0 {
		reasons = append(reasons, fmt.Sprintf("%s is among the %d models that the assessor learned from",
			judged.Judged.ID, judged.Judged.Learned))
	}
	outside := judged.Judged.Distance.String()
	if outside != "" {
		outside = judged.Judged.ID + " lies " + outside
	}
	if says := cmp.Or(outside, file.Unknown()); says != "" {
		reasons = append(reasons, says)
	}
	if elsewhere := file.Elsewhere(judged.On); elsewhere != "" {
		reasons = append(reasons, elsewhere)
	}
	strongest := assess.Parts
	strongest.Name, strongest.Title = "reasons", "Strongest reasons"
	doc := withFile(in, s.document("gate", &c.GateOptions, saved.Gates.Sheet([]saved.Gated{judged}),
		strongest.Sheet(parts), assess.Beyond.Sheet(judged.Judged.Distance.Beyond)))
	err = s.give(answer{Document: doc, out: c.output, lines: reasons})
	switch {
	case err != nil || judged.Passed:
		return err
	case c.Inside && outside != "":
		return notMet("gate not met: " + outside)
	case judged.Bound == nil:
		return notMet(fmt.Sprintf("gate not met: %s is judged variant", judged.Judged.ID))
	}
	return notMet(fmt.Sprintf("gate not met: %s is variant with probability %s, above %s", judged.Judged.ID,
		result.Number.Say(judged.Judged.Verdict.Variant(), 4), result.Digits(*judged.Bound, 4)))
}

// assessor reads the assessor and refuses what cannot work with it before anything runs.
func (c *gateCommand) assessor() (saved.File, error) {
	if suffixOf(c.Model) != ".onnx" {
		return saved.File{}, usageError(c.Model + " is no .onnx file; gate judges one model file")
	}
	if Absent(c.Model) {
		return saved.File{}, fmt.Errorf("model %s: there is no such file", c.Model)
	}
	file, err := loadAssessor(c.Assessor, nil)
	switch {
	case err != nil:
		return file, err
	case file.Layout.OfBackground():
		return file, fmt.Errorf("assessor %s judges interpolated matrices of testing scenes, and gate makes variance "+
			"matrices of a family; "+
			"judge the model with variscope assess predict in a workspace that has a run of its selection", file.Name)
	case c.Inside && file.Unknown() != "":
		return file,
			fmt.Errorf("assessor %s does not have the features of the models that it learned from; "+
				"train it again, or leave --inside out", file.Name)
	case c.Inside && file.Assessor.Threshold != nil:
		return file, fmt.Errorf("assessor %s is the baseline, which looks at no features; "+
			"leave --inside out", file.Name)
	case c.MaxVariance != nil && file.Assessor.Threshold != nil:
		return file, fmt.Errorf("assessor %s is the baseline, which gives no probability; leave --max-variance out",
			file.Name)
	}
	meant := file.Layout
	if len(c.Modalities) > 0 {
		meant.Modalities = c.Modalities
	}
	if meant, err = meant.Validate(); err != nil {
		return file, err
	}
	return file, file.Fits(cmp.Or(c.Family, file.Family), meant)
}

// judge fills in the verdict and whether the gate is met, with its strongest reasons and these in
// words; the suite comes later.
func (c *gateCommand) judge(file saved.File, row assess.Row) (g saved.Gated, parts []assess.PartOf, reasons []string,
	err error,
) {
	data := assess.Data{Rows: []assess.Row{row}}
	judged := assess.Judgements(file.Assessor, data, []int{0}, nil, file.From(data))
	if err := assess.AllJudged(judged); err != nil {
		return g, nil, nil, err
	}
	g = saved.Gated{Judged: judged[0], By: file, Bound: c.MaxVariance, Passed: judged[0].Verdict.Label != label.Variant}
	if c.MaxVariance != nil {
		g.Passed = g.Judged.Verdict.Variant() <= *c.MaxVariance
	}
	g.Passed = g.Passed && !(c.Inside && g.Judged.Distance.Outside)
	if t := file.Assessor.Threshold; t != nil {
		return g, nil, []string{t.Says(row)}, nil
	}
	e, err := file.Assessor.Explain(row.X, len(file.Assessor.Classes)-1)
	if err != nil {
		return g, nil, nil, err
	}
	explained := assess.Explained{Explanation: e, Judgement: g.Judged}
	for _, p := range explained.Features() {
		if p.Phi != 0 && len(parts) < 3 {
			parts, reasons = append(parts, p), append(reasons, p.String())
		}
	}
	return g, parts, reasons, nil
}
