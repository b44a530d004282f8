// Package sample makes workspaces for the tests of screens: real ones on disk, with a suite of
// small images and synthetic signals that were recorded as the engine records them. Matrices,
// accuracies and curves look like those of real models, from invariant to variant, without any
// inference.
package sample

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// Family is the family of all samples.
const Family = "rotation:-15:15:1;interpolation=bilinear;border=zero"

// Last is the last transformation of Family.
const Last = 30

// Images is the number of images in the suite, PerClass of each of the Classes; one more is corrupt
// and skipped.
const Images, PerClass = 60, 20

// Classes are the suite's classes in order.
var Classes = []string{"bird", "boat", "bridge"}

// Workspace is a sample: the workspace with its suite and models.
type Workspace struct {
	*store.Workspace
	Shapes   suite.Manifest
	Imported []model.Model // m00, m01, ...; every fifth has one convolution only, the last has no signals
}

// New makes a workspace with that many models below a temporary folder; it is closed when the test
// ends.
func New(tb testing.TB, models int) *Workspace {
	tb.Helper()
	folder := tb.TempDir()
	ws := testdata.Must(store.Create(filepath.Join(folder, "sample.variscope")))(tb)
	tb.Cleanup(func() { _ = ws.Close() })
	w := &Workspace{Workspace: ws}
	w.addSuite(tb, filepath.Join(folder, "shapes"))
	for k := range models {
		w.addModel(tb, k, k < models-1)
	}
	testdata.OK(tb, ws.SetCurrent(store.Current{Suite: w.Shapes.Hash, Family: Family}))
	return w
}

func (w *Workspace) addSuite(tb testing.TB, folder string) {
	tb.Helper()
	for c, name := range Classes {
		for k := range PerClass {
			images.Put(tb, filepath.Join(folder, name, fmt.Sprintf("%02d.png", k)), picture(c, k))
		}
	}
	images.Put(tb, filepath.Join(folder, Classes[0], "zz.png"), []byte("not a picture"))
	m := testdata.Must(suite.Scan(tb.Context(), folder, suite.Options{Name: "shapes", SkipCorrupt: true},
		engine.NoProgress{}))(tb)
	m = testdata.Must(w.AddSuite(m))(tb)
	w.Shapes = testdata.Must(w.Suite(m.Hash))(tb)
}

func picture(class, k int) []byte {
	img := image.NewGray(image.Rect(0, 0, 6, 6))
	for i := range img.Pix {
		img.SetGray(i%6, i/6, color.Gray{Y: uint8(40*class + 7*k + i)})
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // a buffer takes every write
	return out.Bytes()
}

func (w *Workspace) addModel(tb testing.TB, k int, signals bool) {
	tb.Helper()
	m, _, err := w.AddModel(Describe(k), bytes.NewReader(fmt.Appendf(nil, "model file %d", k)))
	testdata.OK(tb, err)
	w.Imported = append(w.Imported, m)
	if signals {
		w.Compute(tb, m, k)
	}
}

// Describe makes up model k with its record and loss curves.
func Describe(k int) model.Model {
	convs := []string{"conv1", "conv2"}
	if k%5 == 4 {
		convs = convs[:1]
	}
	m := model.Model{
		ID: fmt.Sprintf("m%02d", k), File: fmt.Sprintf("m%02d.onnx", k),
		Graph: model.Graph{
			Opset: 17, IR: 8, Producer: "pytorch", Parameters: int64(84185 + 97*k), Convs: convs, Head: "flat",
			Input:   model.Input{Name: "input", Layout: model.NCHW, Batch: 0, Channels: 1, Height: 6, Width: 6},
			Outputs: []model.Output{{Name: "logits", Classes: 3}},
			Tensors: append(convs[:len(convs):len(convs)], "relu1", "flat", "logits"),
		},
	}
	for _, f := range [][2]string{
		{"fold", "regular"},
		{"architecture", "vgg6"},
		{"output_kind", "logits"},
		{"mean", "0.519"},
		{"std", "0.2443"},
		{"learning_rate", "0.002"},
		{"epochs", "12"},
		{"batch_size", "50"},
		{"optimizer", "Adam"},
		{"augmentation", "rotation"},
		{"augmentation_range", fmt.Sprintf("-%d..%d", 4*k, 4*k)},
		{"anomaly", "none"},
		{"train_size", "4000"},
		{"train_accuracy", "0.9220000001"},
		{"test_accuracy", "0.9"},
	} {
		m.Record = append(m.Record, model.Field{Name: f[0], Value: f[1]})
	}
	for e := 1; e <= 12; e++ {
		fall := math.Exp(-float64(e) / 4)
		m.Curves = append(m.Curves, model.Epoch{Epoch: e, Values: map[string]float64{
			"train_loss": 0.1 + 1.8*fall, "test_loss": 0.25 + 1.6*fall + 0.01*float64(k*e), "train_accuracy": 1 - fall,
			"test_accuracy": 0.95 - fall,
		}})
	}
	return m
}

// Compute records and finishes synthetic signals of a model; the larger k, the more they vary.
func (w *Workspace) Compute(tb testing.TB, m model.Model, k int) {
	tb.Helper()
	spec, absent := specOf(tb, m, w.Shapes)
	w.record(tb, m, k, spec, absent)
}

// ComputeAt is Compute for these positions in place of the default ones.
func (w *Workspace) ComputeAt(tb testing.TB, m model.Model, k int, positions []signal.Position) {
	tb.Helper()
	spec, _ := specOf(tb, m, w.Shapes)
	spec.Positions = positions
	w.record(tb, m, k, spec, nil)
}

// ComputeOn is Compute on a suite of the workspace under a family or set; the larger k, the more
// the predictions vary.
func (w *Workspace) ComputeOn(tb testing.TB, m model.Model, k int, on suite.Manifest, family string) {
	tb.Helper()
	spec, absent := specOf(tb, m, on)
	spec.Family = family
	w.record(tb, m, k, spec, absent)
}

// Shift adds the suite that a corruption makes of the sample's.
func (w *Workspace) Shift(tb testing.TB, name string, severity int) suite.Manifest {
	tb.Helper()
	return testdata.Must(w.DeriveSuite(w.Shapes.Hash, corrupt.Setting{Name: name, Severity: severity, Seed: 1}, ""))(tb)
}

func (w *Workspace) record(tb testing.TB, m model.Model, k int, spec signal.Spec, absent []string) {
	tb.Helper()
	task := engine.Task{
		ID: m.ID, Spec: spec, Absent: absent, Classes: testdata.UpTo(len(w.Shapes.Counts)), MappedBy: "by index",
		Skipped: len(w.Shapes.Skipped),
	}
	for chunk := range spec.Chunks() {
		unit := Unit(spec, chunk, steps(tb, spec.Family), w.Shapes.Labels, k)
		testdata.OK(tb, w.Record(context.Background(), spec, unit))
	}
	testdata.OK(tb, w.Finish(context.Background(), task))
}

func specOf(tb testing.TB, m model.Model, s suite.Manifest) (signal.Spec, []string) {
	tb.Helper()
	settings := testdata.Must(m.Settings())(tb)
	spec := signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: Family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: 6, Width: 6, Batch: 32,
		Runtime: "1.27.0", Arch: "amd64", Level: "sample",
	}
	var absent []string
	for _, position := range model.DefaultPositions() {
		tensor, ok := m.Graph.Tensor(position, m.Correction.Positions)
		if !ok {
			absent = append(absent, position)
			continue
		}
		spec.Positions = append(spec.Positions, signal.Position{Name: position, Tensor: tensor})
	}
	return spec, absent
}

// steps are how far the transformations of a family lie from the identity; those of a set grow with
// their number.
func steps(tb testing.TB, text string) []float64 {
	tb.Helper()
	family := testdata.Must(transform.ParseAny(text))(tb)
	if !family.IsSet() {
		return family.Values()
	}
	values := make([]float64, family.N())
	for i := range values {
		values[i] = float64(i)
	}
	return values
}

// Unit makes up the signals of a chunk of images with these labels, for the values of a family's
// variable; the larger k, the more they vary.
func Unit(spec signal.Spec, chunk int, values []float64, labels []int, k int) *signal.Unit {
	first, n := spec.ChunkImages(chunk)
	t, classes := len(values), 1+slices.Max(labels)
	u := &signal.Unit{
		Chunk: chunk, Transformations: t, Images: n, Classes: classes, Softmax: make([]float32, t*n*classes),
		Prediction: make([]int32, t*n), Confidence: make([]float32, t*n),
	}
	for range spec.Positions {
		u.Reduced = append(u.Reduced, make([]float32, signal.Reducers*t*n))
	}
	for x := range n {
		rng := rand.New(rand.NewPCG(uint64(k), uint64(first+x)))
		slope, bend, jag := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		for i, v := range values {
			z := v / max(values[t-1], 1)
			change := float64(k+1) / 14 * (0.7*slope*z + 0.8*bend*z*z)
			if k%4 == 3 && i%5 == 0 {
				change += 0.06 * jag
			}
			confidence := min(max(0.93-math.Abs(change)*0.5, 0.4), 1)
			label := labels[first+x]
			prediction := label
			if math.Abs(change) > 0.55 || (first+x)%17 == 3 {
				prediction = (label + 1) % classes
			}
			at := i*n + x
			u.Prediction[at], u.Confidence[at] = int32(prediction), float32(confidence)
			for c := range classes {
				u.Softmax[at*classes+c] = float32((1 - confidence) / float64(classes-1))
			}
			u.Softmax[at*classes+prediction] = float32(confidence)
			for p := range u.Reduced {
				for r := range signal.Reducers {
					value := float32(confidence)
					if p > 0 {
						value = float32((4.3 + 3*change) / float64(p) / float64(r+1))
					}
					u.Reduced[p][r*t*n+at] = value
				}
			}
		}
	}
	return u
}

// NewRound creates a round over all models.
func (w *Workspace) NewRound(tb testing.TB, change func(*label.Round)) label.Round {
	tb.Helper()
	r := label.Round{
		Name: "first look", Suite: w.Shapes.Hash, Family: Family, Classes: 2, Annotators: []string{"r1", "r2", "r3"},
		OrderSeed: 7,
		Guideline: "**Call a model invariant** when all of its matrices look normal: no large values, no cross, " +
			"no jagged lines.\n\n" +
			"1. Look at CONF first.\n2. Then at CONV-1.\n\nOtherwise call it *variant*.",
	}
	for _, m := range w.Imported {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	return testdata.Must(w.CreateRound(tb.Context(), r))(tb)
}

// Put appends a label of pass 1 for an annotator and returns the stored event.
func (w *Workspace) Put(tb testing.TB, r label.Round, annotator, modelHash string, v label.Value) label.Event {
	tb.Helper()
	return testdata.Must(w.Append(label.Event{
		Round: r.ID, Model: modelHash, Annotator: annotator, Kind: label.Label, Pass: 1, Value: v, Sure: true,
	}))(tb)
}
