package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
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

const (
	images   = 300 // two chunks
	classes  = 3
	rotation = "rotation:-10:10:10;interpolation=bilinear;border=zero"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// bench is a workspace with suites, models and made-up signals.
type bench struct {
	*store.Workspace
	tb     testing.TB
	suites []suite.Manifest
	models []model.Model
	sets   map[string]*signal.Set // by key, put together number by number
}

// newBench has the labelled suite "pets", the suite "wild" without labels, and models m0, m1, ... with three channels.
func newBench(tb testing.TB, models int) *bench {
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
	b.addSuite("pets", true)
	b.addSuite("wild", false)
	for k := range models {
		b.addModel(fmt.Sprintf("m%d", k), 3, classes)
	}
	return b
}

func (b *bench) addSuite(name string, labelled bool) {
	b.tb.Helper()
	m := suite.Manifest{
		Hash: hashOf(name), Name: name, Format: suite.IDX, Root: b.tb.TempDir(), Classes: []string{"a", "b", "c"}, Named: true,
		Images: images, Shape: [3]int{3, 8, 8}, Counts: []int{100, 100, 99},
	}
	for i := range m.Images {
		l := i % classes
		if i == 5 || !labelled {
			l = -1
		}
		m.Labels = append(m.Labels, l)
	}
	if err := os.WriteFile(filepath.Join(m.Root, name), []byte(name), 0o644); err != nil {
		b.tb.Fatal(err)
	}
	m.Files = []suite.File{{Path: name, Size: int64(len(name))}}
	added, err := b.AddSuite(m)
	if err != nil {
		b.tb.Fatal(err)
	}
	whole, err := b.Suite(added.Hash)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.suites = append(b.suites, whole)
}

func (b *bench) addModel(id string, channels, classes int) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: channels, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Tensors: []string{"y"},
		},
		Record: []model.Field{{Name: "optimizer", Value: []string{"Adam", "SGD"}[len(b.models)%2]}},
	}
	added, _, err := b.AddModel(m, strings.NewReader("model "+id))
	if err != nil {
		b.tb.Fatal(err)
	}
	b.models = append(b.models, added)
	return added
}

func (b *bench) spec(m model.Model, s suite.Manifest, family string) signal.Spec {
	b.tb.Helper()
	settings, err := m.Settings()
	if err != nil {
		b.tb.Fatal(err)
	}
	return signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: m.Graph.Input.Channels, Height: 8, Width: 8, Batch: 32,
		Positions: []signal.Position{{Name: model.CONF, Tensor: "y"}}, Runtime: "1.27.0", Arch: "amd64", Level: "v3",
	}
}

// suiteClasses maps a suite's label l to the models' class 2-l.
var suiteClasses = []int{2, 1, 0}

// run records signals of a model on a suite and finishes them.
func (b *bench) run(m model.Model, s suite.Manifest, family string) store.SetInfo {
	b.tb.Helper()
	spec := b.spec(m, s, family)
	rng := rand.New(rand.NewPCG(uint64(m.Hash[0]), uint64(s.Hash[0])))
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		u := b.unit(rng, m, s, spec, chunk)
		units = append(units, u)
		if err := b.Record(b.tb.Context(), spec, u); err != nil {
			b.tb.Fatal(err)
		}
	}
	b.finish(m, spec)
	info, ok, err := b.BestSet(m, s.Hash, family)
	if err != nil || !ok {
		b.tb.Fatalf("no set of %s: %v", m.ID, err)
	}
	if b.sets[info.Key], err = assembly.Set(spec, units); err != nil {
		b.tb.Fatal(err)
	}
	return info
}

// unit draws predictions that are right more often for later models.
func (b *bench) unit(rng *rand.Rand, m model.Model, s suite.Manifest, spec signal.Spec, chunk int) *signal.Unit {
	f, err := transform.ParseAny(spec.Family)
	if err != nil {
		b.tb.Fatal(err)
	}
	first, n := spec.ChunkImages(chunk)
	number := m.Graph.Outputs[0].Classes
	u := &signal.Unit{Chunk: chunk, Transformations: f.N(), Images: n, Classes: number}
	skill := float64(len(b.models)) / 2
	for k := range b.models {
		if b.models[k].Hash == m.Hash {
			skill = float64(k)
		}
	}
	for t := range f.N() {
		for x := range n {
			row := make([]float32, number)
			for c := range row {
				row[c] = float32(2 * rng.NormFloat64())
			}
			if l := s.Labels[first+x]; l >= 0 && t == f.Identity() {
				row[suiteClasses[l]] += float32(skill)
			}
			signal.Softmax(row, row, model.Logits)
			top := signal.Argmax(row)
			u.Prediction, u.Confidence = append(u.Prediction, int32(top)), append(u.Confidence, row[top])
			if number <= signal.FullSoftmaxClasses {
				u.Softmax = append(u.Softmax, row...)
			}
		}
	}
	for range spec.Positions {
		u.Reduced = append(u.Reduced, make([]float32, signal.Reducers*f.N()*n))
	}
	return u
}

// count is a Progress that counts.
type count struct{ total, done atomic.Int64 }

func (c *count) SetTotal(n int64) { c.total.Store(n) }
func (c *count) Add(n int64)      { c.done.Add(n) }

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

func (b *bench) finish(m model.Model, spec signal.Spec) {
	b.tb.Helper()
	if err := b.Finish(b.tb.Context(), engine.Task{ID: m.ID, Spec: spec, Classes: suiteClasses, MappedBy: "by name"}); err != nil {
		b.tb.Fatal(err)
	}
}
