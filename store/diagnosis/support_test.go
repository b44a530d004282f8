package diagnosis

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	pictures = 300 // two chunks
	classes  = 3
)

// fewSamples keep intervals quick.
var fewSamples = dscore.BootstrapOptions{Samples: 40}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// bench is a workspace with suites, models and made-up signals.
type bench struct {
	*store.Workspace
	tb         testing.TB
	pets, wild suite.Manifest // with labels and without
	models     []model.Model
	sets       map[string]*signal.Set // by key, put together number by number
}

// newBench has the labelled suite "pets", the suite "wild" without labels, and models m0, m1, ...
// with three convolutions.
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
	b.pets, b.wild = b.addSuite("pets", true), b.addSuite("wild", false)
	for k := range models {
		b.addModel(fmt.Sprintf("m%d", k), classes)
	}
	return b
}

// addSuite adds a suite whose image i is of class i modulo 3, but for image 5, which has no label.
func (b *bench) addSuite(name string, labelled bool) suite.Manifest {
	b.tb.Helper()
	m := suite.Manifest{
		Hash: hashOf(name), Name: name, Format: suite.IDX, Root: b.tb.TempDir(), Classes: []string{"a", "b", "c"}, Named: true,
		Images: pictures, Shape: [3]int{3, 8, 8},
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
	return b.whole(added.Hash)
}

func (b *bench) whole(hash string) suite.Manifest {
	b.tb.Helper()
	m, err := b.Suite(hash)
	if err != nil {
		b.tb.Fatal(err)
	}
	return m
}

func (b *bench) addModel(id string, classes int) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 3, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1", "c2", "c3"}, Tensors: []string{"c1", "c2", "c3", "y"},
		},
	}
	added, _, err := b.AddModel(m, strings.NewReader("model "+id))
	if err != nil {
		b.tb.Fatal(err)
	}
	b.models = append(b.models, added)
	return added
}

// suiteClasses maps a suite's label l to the models' class 2-l.
var suiteClasses = []int{2, 1, 0}

func (b *bench) spec(m model.Model, s suite.Manifest, set string) signal.Spec {
	b.tb.Helper()
	settings, err := m.Settings()
	if err != nil {
		b.tb.Fatal(err)
	}
	spec := signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: set, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 3, Height: 8, Width: 8, Batch: 32,
		Runtime: "1.27.0", Arch: "amd64", Level: "v3",
	}
	if settings.Classes > signal.FullSoftmaxClasses {
		spec.TrueClass = suiteClasses
	}
	return spec
}

// run records made-up signals of a model on a suite under a set and finishes them.
func (b *bench) run(m model.Model, s suite.Manifest, set string) store.SetInfo {
	b.tb.Helper()
	return b.record(m, s, b.spec(m, s, set), suiteClasses)
}

// both runs the masks and the padded translation of a grid.
func (b *bench) both(m model.Model, s suite.Manifest, n, t int) {
	b.tb.Helper()
	b.run(m, s, fmt.Sprintf("mask:%d", n))
	b.run(m, s, fmt.Sprintf("shift:%d:%d", n, t))
}

func (b *bench) record(m model.Model, s suite.Manifest, spec signal.Spec, mapping []int) store.SetInfo {
	b.tb.Helper()
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		u := b.unit(m, s, spec, chunk)
		units = append(units, u)
		if err := b.Record(b.tb.Context(), spec, u); err != nil {
			b.tb.Fatal(err)
		}
	}
	b.finish(m, spec, mapping)
	sets, err := b.Sets(m.Hash, s.Hash, spec.Family)
	if err != nil {
		b.tb.Fatal(err)
	}
	for _, info := range sets {
		if info.Key == spec.Key() {
			if b.sets[info.Key], err = assembly.Set(spec, units); err != nil {
				b.tb.Fatal(err)
			}
			return info
		}
	}
	b.tb.Fatalf("no set of %s", m.ID)
	return store.SetInfo{}
}

// finish says that all chunks are recorded.
func (b *bench) finish(m model.Model, spec signal.Spec, mapping []int) {
	b.tb.Helper()
	if err := b.Finish(b.tb.Context(), engine.Task{ID: m.ID, Spec: spec, Classes: mapping, MappedBy: "by name"}); err != nil {
		b.tb.Fatal(err)
	}
}

// unit draws predictions that are right more often than not. The untouched model answers alike in
// all sets.
func (b *bench) unit(m model.Model, s suite.Manifest, spec signal.Spec, chunk int) *signal.Unit {
	f, err := transform.ParseAny(spec.Family)
	if err != nil {
		b.tb.Fatal(err)
	}
	first, n := spec.ChunkImages(chunk)
	number := m.Graph.Outputs[0].Classes
	u := &signal.Unit{Chunk: chunk, Transformations: f.N(), Images: n, Classes: number}
	seed := uint64(m.Hash[0])<<8 | uint64(s.Hash[0])
	untouched, changed := rand.New(rand.NewPCG(seed, uint64(chunk))), rand.New(rand.NewPCG(seed, uint64(hashOf(spec.Family)[0])<<8|uint64(chunk)))
	for t := range f.N() {
		rng := changed
		if t == 0 {
			rng = untouched
		}
		for x := range n {
			row := make([]float32, number)
			for c := range row {
				row[c] = float32(2 * rng.NormFloat64())
			}
			want := -1
			if l := s.Labels[first+x]; l >= 0 {
				want = suiteClasses[l]
				row[want] += float32(4) / float32(t%3+1)
			}
			signal.Softmax(row, row, model.Logits)
			top := signal.Argmax(row)
			u.Prediction, u.Confidence = append(u.Prediction, int32(top)), append(u.Confidence, row[top])
			switch {
			case number <= signal.FullSoftmaxClasses:
				u.Softmax = append(u.Softmax, row...)
			case want >= 0:
				u.TrueScore = append(u.TrueScore, row[want])
			default:
				u.TrueScore = append(u.TrueScore, 0)
			}
		}
	}
	return u
}

func (b *bench) diagnose(ask Ask) ([]dscore.Diagnosis, []dscore.LeftOut) {
	b.tb.Helper()
	if ask.Bootstrap.Samples == 0 {
		ask.Bootstrap = fewSamples
	}
	list, left, err := Diagnose(b.tb.Context(), b.Workspace, ask, nil)
	if err != nil {
		b.tb.Fatal(err)
	}
	return list, left
}

// accuracies of a set, image by image.
func (b *bench) accuracies(key string, labels []int, mapping []int) []float64 {
	set := b.sets[key]
	var shares []float64
	for _, row := range set.Predictions() {
		right, known := 0, 0
		for i, l := range labels {
			if l < 0 {
				continue
			}
			known++
			if l < len(mapping) && int(row[i]) == mapping[l] {
				right++
			}
		}
		shares = append(shares, float64(right)/float64(known))
	}
	return shares
}

// removeSignals takes the signal files away behind the workspace's back.
func (b *bench) removeSignals() {
	b.tb.Helper()
	err := filepath.WalkDir(filepath.Join(b.Path(), "signals"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		b.tb.Fatal(err)
	}
}

// count is a Progress that counts.
type count struct{ total, done atomic.Int64 }

func (c *count) SetTotal(n int64) { c.total.Store(n) }
func (c *count) Add(n int64)      { c.done.Add(n) }
