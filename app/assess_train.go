package app

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/store/durable"
)

type assessTrainCommand struct {
	dataFlags
	choiceFlags
	learnFlags
	schemeFlags
	Algorithm string `help:"tree, forest, adaboost, linear or baseline." enum:"tree,forest,adaboost,linear,baseline" default:"forest"`
	Name      string `help:"Name of the assessor (default: that of the file or of --save)."`
	Evaluate  bool   `help:"Evaluate the settings by the scheme, too." default:"true" negatable:""`
	Out       string `help:"File to write, NAME.vassessor." type:"path" placeholder:"FILE"`
	Save      string `help:"Keep it in the workspace under this name." placeholder:"NAME"`
	ONNX      string `name:"onnx" help:"Write it as an ONNX model, too, and check that through ONNX Runtime." type:"path" placeholder:"FILE"`
}

// trainReport is what train prints with --json.
type trainReport struct {
	Name         string           `json:"name"`
	Algorithm    assess.Algorithm `json:"algorithm"`
	Settings     assess.Settings  `json:"settings"`
	Family       string           `json:"family"`
	Suite        saved.Suite      `json:"suite"`
	Labels       saved.Labels     `json:"labels"`
	Models       int              `json:"models"`
	TrainingHash string           `json:"training_hash"`
	SHA256       string           `json:"sha256"`
	Results      []saved.Result   `json:"results"`
	Files        []string         `json:"files"`
	Kept         string           `json:"kept,omitempty"` // its name in the workspace
	ONNX         *exchange.Report `json:"onnx,omitempty"`
	LeftOut      []leftReport     `json:"left_out"`
}

func (c *assessTrainCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	what, err := c.want(c.schemeFlags, c.Selection != "")
	if err != nil {
		return err
	}
	r, err := c.gather(s, what)
	if err != nil {
		return err
	}
	if err := c.refuseUnlabelled(r); err != nil {
		return err
	}
	c.usual(r.data.Layout)
	file, err := c.train(s, r)
	if err != nil {
		return err
	}
	report, err := c.keep(s, r, file)
	if err != nil {
		return err
	}
	return s.print(report, report.rows(r))
}

// check refuses flags that do not go together before anything is measured.
func (c *assessTrainCommand) check() error {
	switch {
	case c.Out == "" && c.Save == "" && c.ONNX == "":
		return usageError("say where the assessor goes: --out FILE" + saved.Extension + ", --save NAME or --onnx FILE")
	case c.Out != "" && filepath.Ext(c.Out) != saved.Extension:
		return usageError("--out takes a file that ends in " + saved.Extension)
	case c.ONNX != "" && !strings.EqualFold(filepath.Ext(c.ONNX), ".onnx"):
		return usageError("--onnx takes a file that ends in .onnx")
	case c.Save != "" && !isWorkspace(c.Source):
		return usageError("--save keeps an assessor in a workspace, and " + c.Source + " is none")
	case c.ONNX != "" && c.Algorithm == string(assess.Baseline):
		return usageError("the baseline judges by how many predictions are right, not by features; it cannot be exported as ONNX")
	}
	return c.needLabels()
}

// name of the assessor: what was asked for, or the first file's.
func (c *assessTrainCommand) name() string {
	for _, name := range []string{c.Name, c.Save, bare(c.Out), bare(c.ONNX)} {
		if name != "" {
			return name
		}
	}
	return c.Algorithm
}

// bare is a file's name without folder and ending.
func bare(path string) string {
	if path == "" {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// train evaluates the settings and trains on all labelled models.
func (c *assessTrainCommand) train(s *session, r repository) (saved.File, error) {
	settings, rows := c.settings(assess.Algorithm(c.Algorithm)), r.data.Labelled()
	file := saved.File{
		Name: c.name(), Created: time.Now().UTC().Truncate(time.Second), Family: r.family, Images: r.images, Suite: r.suite,
		Layout: r.data.Layout, Labels: r.labels, TrainingHash: saved.TrainingHash(r.data, rows),
		Results: []saved.Result{}, Versions: map[string]string{"variscope": Version, "go": runtime.Version()},
	}
	for _, i := range rows {
		row := r.data.Rows[i]
		file.Training = append(file.Training, saved.Example{ID: row.ID, Hash: row.Hash, Label: row.Label})
	}
	var err error
	if file.Assessor, err = assess.Train(s.ctx, r.data, rows, settings); err != nil {
		return file, err
	}
	if !c.Evaluate {
		return file, nil
	}
	e, err := evaluated(s, r.data, settings, c.scheme(c.Seed), c.Tune)
	if err != nil {
		return file, fmt.Errorf("%w; --no-evaluate trains without evaluating", err)
	}
	file.Results = append(file.Results, saved.NewResult(e, len(rows)))
	return file, nil
}

// keep writes the files and puts the assessor into the workspace.
func (c *assessTrainCommand) keep(s *session, r repository, file saved.File) (trainReport, error) {
	report := trainReport{
		Name: file.Name, Algorithm: file.Assessor.Settings.Algorithm, Settings: file.Assessor.Settings, Family: file.Family,
		Suite: file.Suite, Labels: file.Labels, Models: len(file.Training), TrainingHash: file.TrainingHash, Results: file.Results,
		Files: []string{}, LeftOut: leftReports(r.left),
	}
	if _, err := file.Encode(); err != nil { // before any file is written
		return report, err
	}
	if c.ONNX != "" {
		checked, err := writeExchange(s, c.ONNX, &file, r.data)
		if err != nil {
			return report, err
		}
		report.ONNX, report.Files = &checked, append(report.Files, c.ONNX)
	}
	data, err := file.Encode() // with the version of ONNX Runtime
	if err != nil {
		return report, err
	}
	if report.SHA256, err = file.Hash(); err != nil {
		return report, err
	}
	if c.Out != "" {
		if err := writeBytes(c.Out, data); err != nil {
			return report, err
		}
		report.Files = append(report.Files, c.Out)
	}
	if c.Save != "" {
		if err := r.ws.SaveAssessor(c.Save, data); err != nil {
			return report, err
		}
		report.Kept = c.Save
	}
	return report, nil
}

// writeExchange writes the ONNX model after ONNX Runtime has judged all models with it as the assessor does.
func writeExchange(s *session, path string, file *saved.File, d assess.Data) (exchange.Report, error) {
	loaded, err := s.runtime()
	if err != nil {
		return exchange.Report{}, err
	}
	file.Versions["onnxruntime"] = loaded.Version()
	model, err := exchange.Export(*file)
	if err != nil {
		return exchange.Report{}, err
	}
	x := make([][]float64, len(d.Rows))
	for i, row := range d.Rows {
		x[i] = row.X
	}
	report, err := exchange.Check(s.ctx, loaded, filepath.Base(path), file.Assessor, model, x)
	if err != nil {
		return report, err
	}
	return report, writeBytes(path, model)
}

// exchangeWords say how an exported model compares.
func exchangeWords(r exchange.Report) string {
	text := fmt.Sprintf("%d verdicts through ONNX Runtime are the same, scores differ by at most %.2g", r.Rows-r.Moved, r.Largest)
	if r.Near > 0 {
		text += fmt.Sprintf("; %d values lie too near to a threshold for its 32-bit numbers, %d of them fall on the other side", r.Near, r.Moved)
	}
	return text
}

func writeBytes(path string, data []byte) error {
	return durable.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (r trainReport) rows(from repository) [][]string {
	rows := [][]string{
		{"assessor", r.Name},
		{"algorithm", string(r.Algorithm)},
		{"trained on", fmt.Sprintf("%d models (%s), %s", r.Models, countsOf(r.Labels.Counts), r.Labels.Source)},
		{"family", orDash(r.Family)},
		{"training set", r.TrainingHash},
	}
	for _, e := range r.Results {
		rows = append(rows, []string{"accuracy", resultWords(e)})
		if e.Note != "" {
			rows = append(rows, []string{"", e.Note})
		}
	}
	if r.ONNX != nil {
		rows = append(rows, []string{"ONNX", exchangeWords(*r.ONNX)})
	}
	for _, file := range r.Files {
		rows = append(rows, []string{"file", file})
	}
	if r.Kept != "" {
		rows = append(rows, []string{"kept as", r.Kept + ", in the workspace"})
	}
	for _, line := range leftLines(from.left) {
		rows = append(rows, []string{line})
	}
	return rows
}

// resultWords say how well an assessor's settings did.
func resultWords(r saved.Result) string {
	text := fmt.Sprintf("%.2f ± %.2f (largest deviation), SD %.2f, by the scheme %s", 100*r.Accuracy, 100*r.LargestDeviation, 100*r.SD, r.Scheme.Kind)
	if r.Kappa != nil {
		text += ", kappa " + number(r.Kappa)
	}
	return text
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// loadAssessor reads an assessor file, or one that the workspace keeps under that name.
func loadAssessor(name string, r func(name string) ([]byte, error)) (saved.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		if r == nil || strings.HasSuffix(name, saved.Extension) {
			return saved.File{}, fmt.Errorf("assessor %s: there is no such file", name)
		}
		data, err := r(name)
		if err != nil {
			return saved.File{}, err
		}
		return saved.Decode(name, data)
	}
	if info.Size() > saved.MaxBytes {
		return saved.File{}, fmt.Errorf("%s is larger than %d MiB and no assessor file", name, saved.MaxBytes>>20)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return saved.File{}, fmt.Errorf("read assessor %s: %w", name, err)
	}
	return saved.Decode(filepath.Base(name), data)
}
