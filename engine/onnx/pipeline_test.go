package onnx

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// brightAndGrey is a suite of bright (class 0) and grey (class 1) images of 12 x 12 pixels in an
// IDX file.
func brightAndGrey(t *testing.T, count int) suite.Manifest {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 12))
	images := binary.BigEndian.AppendUint32([]byte{0, 0, 8, 3}, uint32(count))
	images = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(images, 12), 12)
	labels := binary.BigEndian.AppendUint32([]byte{0, 0, 8, 1}, uint32(count))
	for k := range count {
		labels = append(labels, byte(k%2))
		for range 144 {
			images = append(images, byte([]int{200, 100}[k%2]+random.IntN(13)-6))
		}
	}
	folder := t.TempDir()
	for name, data := range map[string][]byte{"images-idx3-ubyte": images, "labels-idx1-ubyte": labels} {
		testdata.OK(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	}
	m, err := suite.Scan(t.Context(), filepath.Join(folder, "images-idx3-ubyte"),
		suite.Options{Labels: filepath.Join(folder, "labels-idx1-ubyte")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
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
func accuracies(t *testing.T, rt *Runtime, path string, m suite.Manifest, set string) []float64 {
	t.Helper()
	family := testdata.Must(transform.ParseAny(set))(t)
	graph := testdata.Must(Inspect(path))(t)
	task, err := engine.Plan(engine.PlanInput{
		Model: model.Model{Hash: "m", ID: "m", Graph: graph}, Path: path, Suite: m, Family: family,
		Runtime: rt.Version(), ClassMap: map[string]string{"0": "0", "1": "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	task.Probed = true // our own model; probes have tests of their own
	source := testdata.Must(suite.Open(m, m.Root))(t)
	rec := &memoryRecorder{}
	e := engine.New(engine.InProcess{Library: rt}, rec, engine.Limits{Workers: 2, Batch: 16})
	defer func() { _ = e.Close() }()
	testdata.OK(t, e.Submit(engine.Run{ID: "r", Source: source, Tasks: []engine.Task{task}, Close: source.Close}))
	if status, err := e.Wait(t.Context(), "r"); err != nil || status.Phase != engine.Done {
		t.Fatalf("%+v, %v", status.Tasks, err)
	}
	slices.SortFunc(rec.units, func(a, b *signal.Unit) int { return a.Chunk - b.Chunk })
	signals := testdata.Must(assembly.Set(task.Spec, rec.units))(t)
	out := make([]float64, signals.Transformations)
	for cell, predicted := range signals.Prediction {
		if int(predicted) == m.Labels[cell%signals.Images] {
			out[cell/signals.Images] += 1 / float64(signals.Images)
		}
	}
	return out
}

// TestOneRegionHasAllTheMass: for a model that looks at region i alone, features and attention lie
// there and nowhere else.
func TestOneRegionHasAllTheMass(t *testing.T) {
	r := library(t)
	images := brightAndGrey(t, 300)
	for number := 1; number <= 9; number++ {
		path := save(t, "one.onnx", oneRegion(number))
		shifts := accuracies(t, r, path, images, "shift:3:1")
		for _, set := range []string{"mask:3", "mask:3;layers=1", "mask:3;layers=2"} {
			masks := accuracies(t, r, path, images, set)
			testdata.Is(t, fmt.Sprintf("region %d: the untouched model is right for", number), masks[0], shifts[0])
			score, err := dscore.Compute(dscore.Accuracies{
				Original: masks[0], Variants: masks[1:], Shifted: shifts[1:], Classes: 3,
			})
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, 9)
			want[number-1] = 1
			if !slices.Equal(score.Features, want) || !slices.Equal(score.Attention, want) || len(score.Flags) > 1 {
				t.Errorf("region %d, %s: features %v, attention %v, flags %v", number, set, score.Features,
					score.Attention, score.Flags)
			}
		}
	}
}
