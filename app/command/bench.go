package command

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/memory"
	"github.com/variscope/variscope/store/speed"
)

type benchCommand struct {
	Model   []string `arg:"" optional:"" help:"Models to measure, .onnx files (default: those of the folder in VARISCOPE_ZOO, else the demo's classifiers)." type:"path"`
	Suite   string   `help:"Test suite to measure the models on (default: the demo's images)." type:"path" placeholder:"PATH"`
	Family  string   `help:"Family of transformations." default:"rotation:-15:15:1"`
	Workers int      `help:"Worker processes (default: one per processor)." min:"0"`
	Rounds  int      `name:"repetitions" aliases:"rounds" help:"How often ceiling and run are measured, in turns." default:"5" min:"1"`
	Seconds float64  `help:"About how long one measurement takes, at least." default:"6" above:"0" max:"600"`
	Images  int      `name:"image-count" aliases:"images" help:"Images of a run (default: as many as the seconds take; where the suite has fewer, they come again)." min:"0"`
	Scale   bool     `help:"Also measure runs with one worker, and extrapolate to 600 models x 31 transformations x 10,000 images, here and on 16 cores."`
	// Correct is how the models are run; without a batch a calibration chooses it, as in a run.
	Correct   intake.CorrectionOptions `embed:""`
	outFolder `set:"out=Folder to write bench.json and its tables to."`
}

// benchSubject is a model to measure under the name that the report has.
type benchSubject struct{ name, model, suite string }

func (c *benchCommand) Run(s *Session) error {
	if err := c.check(); err != nil {
		return err
	}
	family, err := transform.Parse(c.Family)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "variscope-bench-")
	if err != nil {
		return fmt.Errorf("make a folder to measure in: %w", err)
	}
	s.OnClose(func() error { return os.RemoveAll(folder) })
	subjects, err := c.subjects(folder)
	if err != nil {
		return err
	}
	var list []speed.Result
	var scales []speed.Scale
	var remarks []string
	for _, one := range subjects {
		r, err := c.measure(s, one, family, folder)
		if err != nil {
			return err
		}
		if list = append(list, r); len(r.Absent) > 0 {
			remarks = append(remarks, fmt.Sprintf("%s has no %s; its figure is without", r.Model,
				strings.Join(r.Absent, ", ")))
		}
	}
	sheets := []*result.Sheet{speed.Results.Sheet(list)}
	if c.Scale {
		for _, r := range list {
			scales = append(scales, r.Scale())
			remarks = append(remarks, r.Scale().String())
		}
		sheets = append(sheets, speed.Scales.Sheet(scales))
	}
	here := speed.Computer{Processors: runtime.NumCPU(), Level: engine.Level(), PeakBytes: math.NaN()}
	if bytes, ok := peakMemory(); ok {
		here.PeakBytes = float64(bytes)
		remarks = append(remarks, fmt.Sprintf("peak memory %s, %d processors", result.Bytes.Say(here.PeakBytes, 0),
			here.Processors))
	}
	sheets = append(sheets, speed.Computers.Sheet([]speed.Computer{here}))
	return s.give(answer{
		Document: s.document("bench", c, sheets...),
		out:      output{outFolder: c.outFolder}, lines: remarks,
	})
}

// check refuses what cannot be measured before anything is unpacked.
func (c *benchCommand) check() error {
	if c.Suite != "" && len(c.Model) == 0 {
		return usageError("--suite needs a model to measure on it")
	}
	if only := c.corrections(); !only.None() && len(c.Model) == 0 {
		return usageError("--recipe, --mean, --std, --output and --position need the model that they are about")
	}
	if err := c.Correct.Possible(); err != nil {
		return err
	}
	for _, path := range c.Model {
		if suffixOf(path) != ".onnx" {
			return usageError(path + " is no .onnx file; bench measures model files")
		}
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("model %s cannot be read: %w", path, errors.Unwrap(err))
		}
	}
	return nil
}

// corrections are those of a model, without the batch of the runs.
func (c *benchCommand) corrections() intake.CorrectionOptions {
	o := c.Correct
	o.Batch = 0
	return o
}

// subjects are what is measured. The demo is unpacked into folder where its images or models are
// needed.
func (c *benchCommand) subjects(folder string) ([]benchSubject, error) {
	if found := zooSubjects(os.Getenv("VARISCOPE_ZOO")); len(c.Model) == 0 && len(found) > 0 {
		return found, nil
	}
	images, models := c.Suite, c.Model
	if images == "" {
		if err := os.CopyFS(folder, assets.Demo()); err != nil {
			return nil, fmt.Errorf("unpack the demo: %w", err)
		}
		images = filepath.Join(folder, "targets")
	}
	if len(models) == 0 {
		var err error
		if models, err = filepath.Glob(filepath.Join(folder, "models", "*.onnx")); err != nil {
			return nil, err
		}
	}
	var list []benchSubject
	for _, path := range models {
		list = append(list, benchSubject{strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), path, images})
	}
	return list, nil
}

// zooSubjects are the models of a zoo that are measured without arguments, as far as they are
// there.
func zooSubjects(zoo string) []benchSubject {
	if zoo == "" {
		return nil
	}
	digits, pictures := filepath.Join(zoo, "mnist", "test-images-idx3-ubyte.gz"), filepath.Join(zoo, "cifar", "test")
	var found []benchSubject
	for _, one := range []benchSubject{
		{"cnn5", filepath.Join(zoo, "mnist", "models", "307.onnx"), digits},
		{"vgg", filepath.Join(zoo, "bench", "vgg13bn-half.onnx"), pictures},
		{"cifar4", filepath.Join(zoo, "cifar", "models", "4.onnx"), pictures},
	} {
		if exists(one.model) && exists(one.suite) {
			found = append(found, one)
		}
	}
	return found
}

// benchDevice is the one device that is measured.
func (s *Session) benchDevice() (device.Device, error) {
	choice, err := s.common.Choice()
	if err != nil {
		return "", err
	}
	if list := choice.Devices(); len(list) == 1 {
		return list[0], nil
	}
	if choice != "" {
		return "", usageError("bench measures one device: --device cpu, webgpu, cuda:N, directml:N or coreml")
	}
	return device.CPU, nil
}

// measure measures one model in a workspace in folder, which is removed afterwards: what it takes
// to keep signals on a disk is a part of what is measured.
func (c *benchCommand) measure(
	s *Session, one benchSubject, family transform.Family, folder string,
) (r speed.Result, err error) {
	library, err := s.Runtime()
	if err != nil {
		return r, err
	}
	on, err := s.benchDevice()
	if err != nil {
		return r, err
	}
	in, err := s.readModel(one.model, one.suite, memory.Options{CorrectionOptions: c.corrections()}, signal.Want{})
	if err != nil {
		return r, err
	}
	ws, err := store.Create(filepath.Join(folder, "bench.variscope"))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, ws.Close(), os.RemoveAll(ws.Path())) }()
	data, err := readWhole(one.model)
	if err != nil {
		return r, err
	}
	m, _, err := ws.AddModel(in.Subject, bytes.NewReader(data))
	if err != nil {
		return r, err
	}
	images, err := ws.AddSuite(in.Images)
	if err != nil {
		return r, err
	}
	bench := speed.Benchmark{
		Workspace: ws, Runtime: library, Workers: c.Workers, Batch: c.Correct.Batch, Rounds: c.Rounds, Device: on,
		Slice: time.Duration(c.Seconds * float64(time.Second)), Family: family, Images: c.Images, Alone: c.Scale,
		Tune: &speed.Tuner{File: tuningPath(), Always: true},
		Tell: func(step string) { fmt.Fprintf(s.stderr, "%s\n", step) },
	}
	if bench.Workers == 0 {
		bench.Workers = runtime.NumCPU()
	}
	r, err = bench.Measure(s.ctx, m, images)
	r.Model = one.name
	return r, err
}
