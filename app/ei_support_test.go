package app_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// eiImages is more than one chunk.
const eiImages = 260

// eiBench is a workspace with made-up signals under rot90: models m0..m4, whose skill grows with
// their number, and "gray" with one channel; the labelled suite "pets", its five shifted forms,
// and "wild" without labels.
type eiBench struct {
	*store.Workspace
	tb     testing.TB
	path   string
	models []model.Model
	suites []suite.Manifest
}

// newEIBench closes the workspace, for commands to open it.
func newEIBench(tb testing.TB) *eiBench {
	tb.Helper()
	b := &eiBench{tb: tb, path: filepath.Join(tb.TempDir(), "quiet.variscope")}
	var err error
	if b.Workspace, err = store.Create(b.path); err != nil {
		tb.Fatal(err)
	}
	pets := b.addSuite("pets", true)
	b.suites = append(b.suites, pets)
	for severity := range corrupt.Severities {
		derived, err := b.DeriveSuite(pets.Hash, corrupt.Setting{Name: "fog", Severity: severity + 1, Seed: 1}, "")
		b.must(err)
		derived, err = b.Suite(derived.Hash)
		b.must(err)
		b.suites = append(b.suites, derived)
	}
	b.suites = append(b.suites, b.addSuite("wild", false))
	for k := range 5 {
		b.addModel(fmt.Sprintf("m%d", k), 3)
		for severity, s := range b.suites {
			b.run(b.models[k], s, float64(k+1)/float64(severity+1))
		}
	}
	b.run(b.addModel("gray", 1), pets, 2)
	b.must(b.Close())
	return b
}

func (b *eiBench) must(err error) {
	b.tb.Helper()
	if err != nil {
		b.tb.Fatal(err)
	}
}

func (b *eiBench) addSuite(name string, labelled bool) suite.Manifest {
	b.tb.Helper()
	sum := sha256.Sum256([]byte(name))
	m := suite.Manifest{
		Hash: hex.EncodeToString(sum[:]), Name: name, Format: suite.IDX, Root: b.tb.TempDir(), Classes: []string{"a", "b", "c"}, Named: true,
		Images: eiImages, Shape: [3]int{3, 32, 32}, Counts: []int{87, 87, 86}, Files: []suite.File{{Path: name, Size: int64(len(name))}},
	}
	for i := range m.Images {
		label := -1
		if labelled {
			label = i % 3
		}
		m.Labels = append(m.Labels, label)
	}
	b.must(os.WriteFile(filepath.Join(m.Root, name), []byte(name), 0o644))
	added, err := b.AddSuite(m)
	b.must(err)
	whole, err := b.Suite(added.Hash)
	b.must(err)
	return whole
}

func (b *eiBench) addModel(id string, channels int) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx", Record: []model.Field{{Name: "optimizer", Value: []string{"Adam", "SGD"}[len(b.models)%2]}},
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: channels, Height: 32, Width: 32},
			Outputs: []model.Output{{Name: "y", Classes: 3}}, Tensors: []string{"y"},
		},
	}
	added, _, err := b.AddModel(m, strings.NewReader("model "+id))
	b.must(err)
	b.models = append(b.models, added)
	return added
}

// run records signals of a model that is right, and sure, the more often the greater its skill.
func (b *eiBench) run(m model.Model, s suite.Manifest, skill float64) {
	b.tb.Helper()
	random := rand.New(rand.NewPCG(uint64(m.Hash[0]), uint64(s.Hash[0])))
	b.put(m, s, transform.Rot90, 4, func(t, x int) []float32 {
		row := []float32{float32(random.NormFloat64()), float32(random.NormFloat64()), float32(random.NormFloat64())}
		row[x%3] += float32(skill * float64(4-t) / 4)
		signal.Softmax(row, row, model.Logits)
		return row
	})
}

// put records signals under a family; row is what the model says of image x under transformation t.
func (b *eiBench) put(m model.Model, s suite.Manifest, family string, steps int, row func(t, x int) []float32) {
	b.tb.Helper()
	settings, err := m.Settings()
	b.must(err)
	spec := signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: m.Graph.Input.Channels, Height: 32, Width: 32, Batch: 32,
		Positions: []signal.Position{{Name: model.CONF, Tensor: "y"}}, Runtime: "1.27.0", Arch: "amd64", Level: "v3",
	}
	for chunk := range spec.Chunks() {
		first, n := spec.ChunkImages(chunk)
		u := &signal.Unit{
			Chunk: chunk, Transformations: steps, Images: n, Classes: 3, Reduced: [][]float32{make([]float32, signal.Reducers*steps*n)},
		}
		for t := range steps {
			for x := range n {
				softmax := row(t, first+x)
				top := signal.Argmax(softmax)
				u.Softmax = append(u.Softmax, softmax...)
				u.Prediction, u.Confidence = append(u.Prediction, int32(top)), append(u.Confidence, softmax[top])
			}
		}
		b.must(b.Record(b.tb.Context(), spec, u))
	}
	b.must(b.Finish(b.tb.Context(), engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1, 2}, MappedBy: "by name"}))
}
