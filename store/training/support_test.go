package training

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
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	images  = 300 // two chunks
	classes = 3
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// bench is a workspace with a suite, models and made-up signals under one family.
type bench struct {
	*store.Workspace
	tb     testing.TB
	suite  suite.Manifest
	family transform.Family
	models []model.Model
	sets   map[string]*signal.Set // by model hash, put together number by number
}

// newBench has so many models: m0, m1, ...; every fourth has one convolution only.
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
	family, err := transform.Parse("rotation:-15:15:5")
	if err != nil {
		tb.Fatal(err)
	}
	b := &bench{Workspace: ws, tb: tb, family: family, sets: map[string]*signal.Set{}}
	b.addSuite("pets", true)
	for k := range models {
		b.addModel(k)
		b.run(b.models[k], k)
	}
	return b
}

func (b *bench) addSuite(name string, labelled bool) {
	b.tb.Helper()
	m := suite.Manifest{
		Hash: hashOf(name), Name: name, Format: suite.IDX, Root: b.tb.TempDir(), Classes: []string{"a", "b", "c"}, Named: true,
		Images: images, Shape: [3]int{1, 8, 8}, Counts: []int{100, 100, 99},
	}
	for i := range m.Images {
		l := i % classes
		if i == 5 || !labelled {
			l = -1
		}
		m.Labels = append(m.Labels, l)
	}
	if err := os.WriteFile(filepath.Join(m.Root, "pets"), []byte("pets"), 0o644); err != nil {
		b.tb.Fatal(err)
	}
	m.Files = []suite.File{{Path: "pets", Size: 4}}
	added, err := b.AddSuite(m)
	if err != nil {
		b.tb.Fatal(err)
	}
	if b.suite, err = b.Suite(added.Hash); err != nil {
		b.tb.Fatal(err)
	}
}

func (b *bench) addModel(k int) {
	b.tb.Helper()
	convs := []string{"c1", "c2"}
	if k%4 == 3 {
		convs = convs[:1]
	}
	m := model.Model{
		ID: fmt.Sprintf("m%d", k), File: "m.onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: convs, Tensors: append([]string{"y"}, convs...),
		},
		Record: []model.Field{
			{Name: "fold", Value: []string{"regular", "holdout"}[k%2]},
			{Name: "rule_label", Value: []string{"0", "1", ""}[k%3]},
			{Name: "optimizer", Value: []string{"Adam", "SGD", "RMSprop"}[k%3]},
			{Name: "verdict", Value: []string{"variant", "borderline"}[k%2]},
		},
	}
	added, _, err := b.AddModel(m, strings.NewReader(fmt.Sprint("model ", k)))
	if err != nil {
		b.tb.Fatal(err)
	}
	b.models = append(b.models, added)
}

// spec has the model's default positions.
func (b *bench) spec(m model.Model) (signal.Spec, []string) {
	b.tb.Helper()
	settings, err := m.Settings()
	if err != nil {
		b.tb.Fatal(err)
	}
	spec := signal.Spec{
		Model: m.Hash, Source: b.suite.Hash, Images: b.suite.Images, Family: b.family.String(), Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: 8, Width: 8, Batch: 32,
		Runtime: "1.27.0", Arch: "amd64", Level: "v3",
	}
	var absent []string
	for _, name := range model.DefaultPositions() {
		if tensor, ok := m.Graph.Tensor(name, nil); ok {
			spec.Positions = append(spec.Positions, signal.Position{Name: name, Tensor: tensor})
		} else {
			absent = append(absent, name)
		}
	}
	return spec, absent
}

// run records signals of a model and finishes them; the suite's label l is the model's class 2-l.
func (b *bench) run(m model.Model, k int) {
	b.tb.Helper()
	spec, absent := b.spec(m)
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		units = append(units, b.unit(spec, chunk, k))
		if err := b.Record(b.tb.Context(), spec, units[chunk]); err != nil {
			b.tb.Fatal(err)
		}
	}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{2, 1, 0}, MappedBy: "by name", Absent: absent}
	if err := b.Finish(b.tb.Context(), task); err != nil {
		b.tb.Fatal(err)
	}
	set, err := assembly.Set(spec, units)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.sets[m.Hash] = set
}

func (b *bench) unit(spec signal.Spec, chunk, k int) *signal.Unit {
	first, n := spec.ChunkImages(chunk)
	rng := rand.New(rand.NewPCG(uint64(k), uint64(chunk)))
	t := len(b.family.Values())
	u := &signal.Unit{Chunk: chunk, Transformations: t, Images: n, Classes: classes}
	for i := range t {
		for x := range n {
			right := max(0, 2-b.suite.Labels[first+x])
			if rng.IntN(12) < k%5 && i != t/2 {
				right = (right + 1) % classes
			}
			u.Prediction, u.Confidence = append(u.Prediction, int32(right)), append(u.Confidence, 0.75)
			u.Softmax = append(u.Softmax, 0.25, 0.5, 0.25)
		}
	}
	for range spec.Positions {
		reduced := make([]float32, signal.Reducers*t*n)
		for i := range reduced {
			reduced[i] = float32(rng.Float64() * float64(k+1))
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	return u
}

func (b *bench) ask() Ask {
	return Ask{Suite: b.suite.Hash, Family: b.family.String(), Layout: feature.DefaultLayout(), Images: variance.AllImages()}
}

// addRound makes a round over all models and labels m0 variant, m1 by majority, m2 in a tie, m3 by one annotator.
func (b *bench) addRound(change func(*label.Round)) label.Round {
	b.tb.Helper()
	r := label.Round{
		Name: "first", Suite: b.suite.Hash, Family: b.family.String(), Classes: 3, Annotators: []string{"r1", "r2", "r3"}, Guideline: "Look.",
	}
	for _, m := range b.models {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	r, err := b.CreateRound(b.tb.Context(), r)
	if err != nil {
		b.tb.Fatal(err)
	}
	for m, values := range [][]label.Value{
		{label.Variant, label.Variant, label.Variant},
		{label.Invariant, label.Borderline, label.Borderline},
		{label.Variant, label.Invariant},
		{label.Invariant},
	} {
		for a, v := range values {
			if v == label.Borderline && r.Classes == 2 || m >= len(r.Models) {
				continue
			}
			b.put(r, r.Models[m], r.Annotators[a], v)
		}
	}
	return r
}

func (b *bench) put(r label.Round, hash, annotator string, v label.Value) {
	b.tb.Helper()
	ev := label.Event{Round: r.ID, Model: hash, Annotator: annotator, Kind: label.Label, Value: v, Sure: true, Guideline: r.GuidelineHash()}
	if _, err := b.Append(ev); err != nil {
		b.tb.Fatal(err)
	}
}

// count is a Progress that counts.
type count struct{ total, done atomic.Int64 }

func (c *count) SetTotal(n int64) { c.total.Store(n) }
func (c *count) Add(n int64)      { c.done.Add(n) }
