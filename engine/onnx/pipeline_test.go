package onnx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/testdata"
)

// oneRegion is a model of 12 x 12 images that looks at one of 3 x 3 regions alone: two convolutions
// that hand on what they see, a maximum over 2 x 2 between them, and a linear layer over the mean m
// of the region: class 0 for a bright one (3 m - 1.2), class 1 for a grey one (m), class 2, which
// no image has, for a black one (0.1).
func oneRegion(number int) []byte {
	eye := make([]float32, 9)
	eye[4] = 1
	linear := make([]float32, 36*3)
	for k := range 36 {
		if regionOf(k/6, 6, 3) == (number-1)/3 && regionOf(k%6, 6, 3) == (number-1)%3 {
			linear[k*3], linear[k*3+1] = 3./4, 1./4
		}
	}
	return graphOf{
		inputs:  []pb{value("image", typeFloat, -1, 1, 12, 12)},
		outputs: []pb{value("scores", typeFloat, -1, 3)},
		weights: []pb{
			floats("w1", eye, 1, 1, 3, 3), floats("w2", []float32{1}, 1, 1, 1, 1), floats("lw", linear, 36, 3),
			floats("lb", []float32{-1.2, 0, 0.1}, 3),
		},
		nodes: []pb{
			node("Conv", list("image", "w1"), list("c1"), attrInts("pads", 1, 1, 1, 1)),
			node("Relu", list("c1"), list("r1")),
			node("MaxPool", list("r1"), list("p"), attrInts("kernel_shape", 2, 2), attrInts("strides", 2, 2)),
			node("Conv", list("p", "w2"), list("c2")),
			node("Relu", list("c2"), list("r2")),
			node("Flatten", list("r2"), list("flat")),
			node("Gemm", list("flat", "lw", "lb"), list("scores")),
		},
	}.file()
}

// brightAndGrey are images of 12 x 12 pixels, in turn bright (class 0) and grey (class 1).
type brightAndGrey int

func (s brightAndGrey) Len() int        { return int(s) }
func (brightAndGrey) Label(i int) int   { return i % 2 }
func (brightAndGrey) Name(i int) string { return fmt.Sprint(i) }
func (brightAndGrey) Image(i int) (suite.Image, error) {
	random, img := rand.New(rand.NewPCG(uint64(i), 12)), suite.Image{Channels: 1, Height: 12, Width: 12}
	for range 144 {
		img.Pix = append(img.Pix, float32([]int{200, 100}[i%2]+random.IntN(13)-6)/255)
	}
	return img, nil
}

// memoryRecorder keeps units.
type memoryRecorder struct {
	sync.Mutex
	units []*signal.Unit
}

func (*memoryRecorder) Has(string) (bool, error)                  { return false, nil }
func (*memoryRecorder) Finish(context.Context, engine.Task) error { return nil }
func (*memoryRecorder) Ended(engine.Status) error                 { return nil }
func (m *memoryRecorder) Record(_ context.Context, _ signal.Spec, u *signal.Unit) error {
	m.Lock()
	defer m.Unlock()
	m.units = append(m.units, u)
	return nil
}

// accuracies runs a model under a set through the engine: the share of right predictions per
// transformation.
func accuracies(t *testing.T, rt *Runtime, path string, images brightAndGrey, set string) []float64 {
	t.Helper()
	family := testdata.Must(transform.ParseAny(set))(t)
	graph := testdata.Must(Inspect(path))(t)
	task, err := engine.Plan(engine.PlanInput{
		Model: model.Model{Hash: "m", ID: "m", Graph: graph}, Path: path, Family: family,
		Suite:   suite.Manifest{Hash: "s", Name: "s", Images: images.Len(), Shape: [3]int{1, 12, 12}},
		Runtime: rt.Version(), Classes: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	task.Probed = true // our own model; probes have tests of their own
	rec := &memoryRecorder{}
	e := engine.New(engine.InProcess{Library: rt}, rec, engine.Limits{Workers: 2, Batch: 16})
	defer func() { _ = e.Close() }()
	testdata.OK(t, e.Submit(engine.Run{ID: "r", Source: images, Tasks: []engine.Task{task}}))
	if status, err := e.Wait(t.Context(), "r"); err != nil || status.Phase != engine.Done {
		t.Fatalf("%+v, %v", status.Tasks, err)
	}
	slices.SortFunc(rec.units, func(a, b *signal.Unit) int { return a.Chunk - b.Chunk })
	signals := testdata.Must(assembly.Set(task.Spec, rec.units))(t)
	out := make([]float64, signals.Transformations)
	for cell, predicted := range signals.Prediction {
		if int(predicted) == images.Label(cell%signals.Images) {
			out[cell/signals.Images] += 1 / float64(signals.Images)
		}
	}
	return out
}

// TestOneRegionHasAllTheMass: for a model that looks at region i alone, features and attention lie
// there and nowhere else.
func TestOneRegionHasAllTheMass(t *testing.T) {
	r := library(t)
	const images = brightAndGrey(300)
	for _, number := range []int{1, 2, 6, 7} {
		path := save(t, "one.onnx", oneRegion(number))
		shifts := accuracies(t, r, path, images, "shift:3:1")
		for _, set := range []string{"mask:3", "mask:3;layers=1", "mask:3;layers=2"} {
			masks := accuracies(t, r, path, images, set)
			testdata.Is(t, fmt.Sprintf("region %d: the untouched model is right for", number), masks[0], shifts[0])
			score := testdata.Must(dscore.Compute(dscore.Accuracies{
				Original: masks[0], Variants: masks[1:], Shifted: shifts[1:], Classes: 3,
			}))(t)
			want := make([]float64, 9)
			want[number-1] = 1
			if !slices.Equal(score.Features, want) || !slices.Equal(score.Attention, want) || len(score.Flags) > 1 {
				t.Errorf("region %d, %s: features %v, attention %v, flags %v", number, set, score.Features,
					score.Attention, score.Flags)
			}
		}
	}
}
