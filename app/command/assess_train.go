package command

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/store/durable"
)

type assessTrainCommand struct {
	featureSource
	assess.TrainOptions
	Out  string `help:"File to write, NAME.vassessor, or a folder for it." type:"path" placeholder:"FILE" study:"-"`
	Save string `help:"Keep it in the workspace under this name." placeholder:"NAME"`
	ONNX string `name:"onnx" help:"Write it as an ONNX model, too, and check that through ONNX Runtime." type:"path" placeholder:"FILE" study:"written"`
}

func (c *assessTrainCommand) Run(s *Session) error {
	from, err := learning(c.Source, c.DataOptions, c.FeatureOptions, c.SchemeOptions)
	if err != nil {
		return err
	}
	c.Out = fileIn(c.Out, cmp.Or(c.Name, c.Save, string(c.Algorithm))+saved.Extension)
	if err := c.check(from); err != nil {
		return err
	}
	if c.Save != "" { // which changes the workspace
		if from.opened, err = s.open(c.Source); err != nil {
			return err
		}
	}
	r, err := from.learn(s)
	if err != nil {
		return err
	}
	file, err := c.train(s, r)
	if err != nil {
		return err
	}
	trained, checked, err := c.keep(s, r, file)
	if err != nil {
		return err
	}
	doc := s.document("train", &c.TrainOptions, saved.Assessors.Sheet([]saved.Trained{trained}),
		saved.Results.Sheet(file.Results), assess.LeftOuts.Sheet(r.Left), exchange.Reports.Sheet(checked))
	var lines []string
	for _, one := range file.Results {
		if one.Note != "" {
			lines = append(lines, one.Note)
		}
	}
	for _, one := range checked {
		lines = append(lines, "ONNX: "+one.String())
	}
	return s.give(answer{Document: doc, card: true, lines: append(lines, assess.Lines(r.Left)...)})
}

// check refuses flags that do not go together before anything is measured.
func (c *assessTrainCommand) check(from asked) error {
	switch {
	case c.Out == "" && c.Save == "" && c.ONNX == "":
		return usageError("say where the assessor goes: --out FILE" + saved.Extension + ", --save NAME or --onnx FILE")
	case c.Out != "" && filepath.Ext(c.Out) != saved.Extension:
		return usageError("--out takes a file that ends in " + saved.Extension)
	case c.ONNX != "" && suffixOf(c.ONNX) != ".onnx":
		return usageError("--onnx takes a file that ends in .onnx")
	case c.Save != "" && !isWorkspace(c.Source):
		return usageError("--save keeps an assessor in a workspace, and " + c.Source + " is none")
	case c.ONNX != "" && c.Algorithm == assess.Baseline:
		return usageError("the baseline judges by how many predictions are right, not by features; it cannot be " +
			"exported as ONNX")
	}
	return from.needLabels()
}

// name of the assessor: what was asked for, or the first file's.
func (c *assessTrainCommand) name() string {
	bare := func(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }
	switch name := cmp.Or(c.Name, c.Save); {
	case name != "":
		return name
	case c.Out != "":
		return bare(c.Out)
	case c.ONNX != "":
		return bare(c.ONNX)
	}
	return string(c.Algorithm)
}

// train evaluates the settings and trains on all labelled models.
func (c *assessTrainCommand) train(s *Session, r repository) (saved.File, error) {
	settings, rows := c.Settings(c.Algorithm, r.Data.Layout), r.Data.Labelled()
	file := saved.New(c.name(), time.Now(), Version, r.Source, r.Data)
	var err error
	if file.Assessor, err = assess.Train(s.ctx, r.Data, rows, settings); err != nil || !c.Evaluate {
		return file, err
	}
	e, err := assess.Evaluate(s.ctx, r.Data, settings, c.Parting(c.Seed), c.Tune, s.bar(string(settings.Algorithm)))
	if err != nil {
		return file, fmt.Errorf("%w; --no-evaluate trains without evaluating", err)
	}
	file.Results = append(file.Results, saved.NewResult(e, len(rows)))
	return file, nil
}

// keep writes the files and puts the assessor into the workspace; checked has how the ONNX model
// compares, if one was written.
func (c *assessTrainCommand) keep(
	s *Session, r repository, file saved.File,
) (t saved.Trained, checked []exchange.Report, err error) {
	if _, err := file.Encode(); err != nil { // before any file is written
		return t, nil, err
	}
	if c.ONNX != "" {
		one, err := writeExchange(s, c.ONNX, &file, r.Data)
		if err != nil {
			return t, nil, err
		}
		checked, t.Files, s.wrote = append(checked, one), append(t.Files, c.ONNX), append(s.wrote, c.ONNX)
	}
	data, err := file.Encode() // with the version of ONNX Runtime
	if err != nil {
		return t, checked, err
	}
	t.File = file
	if t.SHA256, err = file.Hash(); err != nil {
		return t, checked, err
	}
	if c.Out != "" {
		if err := writeBytes(c.Out, data); err != nil {
			return t, checked, err
		}
		t.Files = append(t.Files, c.Out)
	}
	if t.Kept = c.Save; c.Save != "" {
		err = r.ws.SaveAssessor(c.Save, data)
	}
	return t, checked, err
}

// writeExchange writes the ONNX model after ONNX Runtime has judged all models with it as the
// assessor does.
func writeExchange(s *Session, path string, file *saved.File, d assess.Data) (report exchange.Report, err error) {
	loaded, err := s.Runtime()
	if err != nil {
		return report, err
	}
	file.Versions["onnxruntime"] = loaded.Version()
	model, err := exchange.Export(*file)
	if err != nil {
		return report, err
	}
	x := each(d.Rows, func(row assess.Row) []float64 { return row.X })
	if report, err = exchange.Check(s.ctx, loaded, filepath.Base(path), file.Assessor, model, x); err != nil {
		return report, err
	}
	return report, writeBytes(path, model)
}

func writeBytes(path string, data []byte) error {
	return durable.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
