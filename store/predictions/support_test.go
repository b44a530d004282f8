package predictions

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// images are two chunks.
const images = 300

// rotation has three transformations.
const rotation = "rotation:-15:15:15;interpolation=bilinear;border=zero"

// bench is a workspace with a suite of three classes and models with made-up signals.
type bench struct {
	*store.Workspace
	tb   testing.TB
	pets suite.Manifest
	sets map[string]*signal.Set // by model hash and family, put together number by number
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	ws, err := store.Create(filepath.Join(tb.TempDir(), "quiet"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := ws.Close(); err != nil {
			tb.Error(err)
		}
	})
	b := &bench{Workspace: ws, tb: tb, sets: map[string]*signal.Set{}}
	b.pets = b.suite("pets", "cat", "dog", "eel")
	return b
}

// suite adds a suite whose image i has class i modulo their number, but none for image 5. Without
// classes it has no labels.
func (b *bench) suite(name string, classes ...string) suite.Manifest {
	b.tb.Helper()
	sum := sha256.Sum256([]byte(name))
	m := suite.Manifest{
		Hash: hex.EncodeToString(sum[:]), Name: name, Format: suite.IDX, Root: b.tb.TempDir(), Classes: classes, Named: true,
		Images: images, Shape: [3]int{1, 8, 8},
	}
	for i := range m.Images {
		l := -1
		if i != 5 && len(classes) > 0 {
			l = i % len(classes)
		}
		m.Labels = append(m.Labels, l)
	}
	if err := os.WriteFile(filepath.Join(m.Root, name), []byte(name), 0o644); err != nil {
		b.tb.Fatal(err)
	}
	m.Files = []suite.File{{Path: name, Size: int64(len(name))}}
	m, err := b.AddSuite(m)
	if err != nil {
		b.tb.Fatal(err)
	}
	return m
}

// model adds a model of so many classes, with names if some are given.
func (b *bench) model(id string, classes int, names ...string) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1"}, Tensors: []string{"y", "c1"},
		},
		Correction: model.Correction{ClassNames: names},
	}
	m, _, err := b.AddModel(m, strings.NewReader("model "+id))
	if err != nil {
		b.tb.Fatal(err)
	}
	return m
}

// run records signals of a model and finishes them; mapped is the model's class for each of the
// suite's.
func (b *bench) run(m model.Model, s suite.Manifest, family string, mapped []int) *signal.Set {
	b.tb.Helper()
	return b.runOn("", m, s, family, mapped)
}

// runOn is run on a kind of device, empty for the processor.
func (b *bench) runOn(device string, m model.Model, s suite.Manifest, family string, mapped []int) *signal.Set {
	b.tb.Helper()
	settings, err := m.Settings()
	if err != nil {
		b.tb.Fatal(err)
	}
	f, err := transform.ParseAny(family)
	if err != nil {
		b.tb.Fatal(err)
	}
	spec := signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: f.String(), Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: 8, Width: 8, Batch: 32,
		Runtime: "1.27.0", Device: device, Arch: "amd64", Level: "v3", Positions: []signal.Position{{Name: model.CONF, Tensor: "y"}},
	}
	plan, err := f.Plan(8, 8)
	if err != nil {
		b.tb.Fatal(err)
	}
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		units = append(units, madeUp(spec, chunk, plan.N(), settings.Classes))
		if err := b.Record(b.tb.Context(), spec, units[chunk]); err != nil {
			b.tb.Fatal(err)
		}
	}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: mapped, MappedBy: "by name"}
	if err := b.Finish(b.tb.Context(), task); err != nil {
		b.tb.Fatal(err)
	}
	set, err := assembly.Set(spec, units)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.sets[m.Hash+family] = set
	return set
}

// madeUp is a unit of random softmax vectors with what follows from them.
func madeUp(spec signal.Spec, chunk, transformations, classes int) *signal.Unit {
	_, n := spec.ChunkImages(chunk)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", spec.Model, spec.Family, chunk))
	rng := rand.New(rand.NewPCG(uint64(sum[0])<<8|uint64(sum[1]), uint64(sum[2])))
	u := &signal.Unit{Chunk: chunk, Transformations: transformations, Images: n, Classes: classes}
	for range transformations * n {
		row := make([]float32, classes)
		total := float32(0)
		for c := range row {
			row[c] = rng.Float32() + 0.01
			total += row[c]
		}
		for c := range row {
			row[c] /= total
		}
		best := largest(row)
		u.Prediction, u.Confidence = append(u.Prediction, int32(best)), append(u.Confidence, row[best])
		if classes <= signal.FullSoftmaxClasses {
			u.Softmax = append(u.Softmax, row...)
		} else {
			u.TrueScore = append(u.TrueScore, row[0])
		}
	}
	reduced := make([]float32, signal.Reducers*transformations*n)
	for k := range reduced {
		reduced[k] = rng.Float32()
	}
	u.Reduced = [][]float32{reduced}
	return u
}

// table keeps predictions of the classes (i + j) modulo 3 for image i and model j, with
// probabilities for the first model.
func (b *bench) table(name, suite string, samples int, models ...string) store.PredictionTable {
	b.tb.Helper()
	t := Table{Name: name, Suite: suite, Models: models, Samples: samples, Classes: 3, ClassNames: []string{"dog", "eel", "cat"}}
	soft := make([]float32, 0, 3*samples)
	for i := range samples {
		for j := range models {
			t.Labels = append(t.Labels, int32((i+j)%3))
		}
		row := []float32{.125, .125, .125}
		row[i%3] = .75
		soft = append(soft, row...)
		t.Truth = append(t.Truth, int32(i%2))
	}
	t.Probabilities = append(make([][]float32, 0, len(models)), soft)
	t.Probabilities = t.Probabilities[:len(models)]
	added, err := Keep(b.Workspace, t)
	if err != nil {
		b.tb.Fatal(err)
	}
	return added
}
