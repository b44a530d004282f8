package training

import (
	"fmt"
	"math/rand/v2"
	"strings"
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
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	images  = sums.Images
	classes = 3
)

// fixture is a workspace with a suite, models and made-up signals under one family.
type fixture struct {
	*store.Workspace
	tb     testing.TB
	suite  suite.Manifest
	family transform.Family
	models []model.Model
	sets   map[string]*signal.Set // by model hash, put together number by number
}

// newFixture has so many models: m0, m1, ...; every fourth has one convolution only.
func newFixture(tb testing.TB, models int) *fixture {
	tb.Helper()
	family := testdata.Must(transform.Parse("rotation:-15:15:5"))(tb)
	b := &fixture{Workspace: sums.Empty(tb), tb: tb, family: family, sets: map[string]*signal.Set{}}
	b.suite = sums.MadeUpSuite(tb, b.Workspace, "pets", 1, true, "a", "b", "c")
	for k := range models {
		b.addModel(k)
		b.run(b.models[k], k)
	}
	return b
}

func (b *fixture) addModel(k int) {
	b.tb.Helper()
	convs := []string{"c1", "c2"}
	if k%4 == 3 {
		convs = convs[:1]
	}
	m := model.Model{
		ID: fmt.Sprintf("m%d", k), File: "m.onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: convs,
			Tensors: append([]string{"y"}, convs...),
		},
		Record: []model.Field{
			{Name: "fold", Value: []string{"regular", "holdout"}[k%2]},
			{Name: "rule_label", Value: []string{"0", "1", ""}[k%3]},
			{Name: "optimizer", Value: []string{"Adam", "SGD", "RMSprop"}[k%3]},
			{Name: "verdict", Value: []string{"variant", "borderline"}[k%2]},
		},
	}
	added, _, err := b.AddModel(m, strings.NewReader(fmt.Sprint("model ", k)))
	must(b.tb, err)
	b.models = append(b.models, added)
}

// spec has the model's default positions.
func (b *fixture) spec(m model.Model) (signal.Spec, []string) {
	b.tb.Helper()
	spec := sums.MadeUpSpec(b.tb, m, b.suite, b.family.String())
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
func (b *fixture) run(m model.Model, k int) {
	b.tb.Helper()
	spec, absent := b.spec(m)
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{2, 1, 0}, MappedBy: "by name", Absent: absent}
	b.sets[m.Hash] = sums.Record(b.tb, b.Workspace, task,
		func(chunk int) *signal.Unit { return b.unit(spec, chunk, k) })
}

func (b *fixture) unit(spec signal.Spec, chunk, k int) *signal.Unit {
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

func (b *fixture) ask() Ask {
	return Ask{
		Suite: b.suite.Hash, Family: b.family.String(), Layout: feature.DefaultLayout(), Images: variance.AllImages(),
	}
}

// addRound makes a round over all models and labels m0 variant, m1 by majority, m2 in a tie, m3 by
// one annotator.
func (b *fixture) addRound(change func(*label.Round)) label.Round {
	b.tb.Helper()
	r := label.Round{
		Name: "first", Suite: b.suite.Hash, Family: b.family.String(), Classes: 3,
		Annotators: []string{"r1", "r2", "r3"}, Guideline: "Look.",
	}
	for _, m := range b.models {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	r = testdata.Must(b.CreateRound(b.tb.Context(), r))(b.tb)
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

func (b *fixture) put(r label.Round, hash, annotator string, v label.Value) {
	b.tb.Helper()
	ev := label.Event{
		Round: r.ID, Model: hash, Annotator: annotator, Kind: label.Label, Value: v, Sure: true,
		Guideline: r.GuidelineHash(),
	}
	testdata.Must(b.Append(ev))(b.tb)
}
