package diagnosis

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	pictures = sums.Images
	classes  = 3
)

// fewSamples keep intervals quick.
var fewSamples = dscore.BootstrapOptions{Samples: 40}

// fixture is a workspace with suites, models and made-up signals.
type fixture struct {
	*store.Workspace
	tb         testing.TB
	pets, wild suite.Manifest // with labels and without
	models     []model.Model
	sets       map[string]*signal.Set // by key, put together number by number
}

// newFixture has the labelled suite "pets", the suite "wild" without labels, and models m0, m1, ...
// with three convolutions.
func newFixture(tb testing.TB, models int) *fixture {
	tb.Helper()
	b := &fixture{Workspace: sums.Empty(tb), tb: tb, sets: map[string]*signal.Set{}}
	b.pets, b.wild = b.addSuite("pets", true), b.addSuite("wild", false)
	for k := range models {
		b.addModel(fmt.Sprintf("m%d", k), classes)
	}
	return b
}

func (b *fixture) addSuite(name string, labelled bool) suite.Manifest {
	return sums.MadeUpSuite(b.tb, b.Workspace, name, 3, labelled, "a", "b", "c")
}

func (b *fixture) whole(hash string) suite.Manifest {
	b.tb.Helper()
	return testdata.Must(b.Suite(hash))(b.tb)
}

func (b *fixture) addModel(id string, classes int) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 3, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1", "c2", "c3"},
			Tensors: []string{"c1", "c2", "c3", "y"},
		},
	}
	added, _, err := b.AddModel(m, strings.NewReader("model "+id))
	must(b.tb, err)
	b.models = append(b.models, added)
	return added
}

// suiteClasses maps a suite's label l to the models' class 2-l.
var suiteClasses = []int{2, 1, 0}

func (b *fixture) spec(m model.Model, s suite.Manifest, set string) signal.Spec {
	b.tb.Helper()
	spec := sums.MadeUpSpec(b.tb, m, s, set)
	if m.Graph.Outputs[0].Classes > signal.FullSoftmaxClasses {
		spec.TrueClass = suiteClasses
	}
	return spec
}

// run records made-up signals of a model on a suite under a set and finishes them.
func (b *fixture) run(m model.Model, s suite.Manifest, set string) store.SetInfo {
	b.tb.Helper()
	return b.record(m, s, b.spec(m, s, set), suiteClasses)
}

// both runs the masks and the padded translation of a grid.
func (b *fixture) both(m model.Model, s suite.Manifest, n, t int) {
	b.tb.Helper()
	b.run(m, s, fmt.Sprintf("mask:%d", n))
	b.run(m, s, fmt.Sprintf("shift:%d:%d", n, t))
}

func (b *fixture) record(m model.Model, s suite.Manifest, spec signal.Spec, mapping []int) store.SetInfo {
	b.tb.Helper()
	set := sums.Record(b.tb, b.Workspace, task(m, spec, mapping), func(chunk int) *signal.Unit {
		return b.unit(m, s, spec, chunk)
	})
	sets := testdata.Must(b.Sets(m.Hash, s.Hash, spec.Family))(b.tb)
	for _, info := range sets {
		if info.Key == spec.Key() {
			b.sets[info.Key] = set
			return info
		}
	}
	b.tb.Fatalf("no set of %s", m.ID)
	return store.SetInfo{}
}

func task(m model.Model, spec signal.Spec, mapping []int) engine.Task {
	return engine.Task{ID: m.ID, Spec: spec, Classes: mapping, MappedBy: "by name"}
}

// unit draws predictions that are right more often than not. The untouched model answers alike in
// all sets.
func (b *fixture) unit(m model.Model, s suite.Manifest, spec signal.Spec, chunk int) *signal.Unit {
	f := testdata.Must(transform.ParseAny(spec.Family))(b.tb)
	first, n := spec.ChunkImages(chunk)
	number := m.Graph.Outputs[0].Classes
	u := &signal.Unit{Chunk: chunk, Transformations: f.N(), Images: n, Classes: number}
	seed := uint64(m.Hash[0])<<8 | uint64(s.Hash[0])
	untouched, changed := rand.New(rand.NewPCG(seed, uint64(chunk))),
		rand.New(rand.NewPCG(seed, uint64(sums.Hash(spec.Family)[0])<<8|uint64(chunk)))
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

func (b *fixture) diagnose(ask Ask) ([]dscore.Diagnosis, []dscore.LeftOut) {
	b.tb.Helper()
	if ask.Bootstrap.Samples == 0 {
		ask.Bootstrap = fewSamples
	}
	var p testdata.Progress
	list, left, err := Diagnose(b.tb.Context(), b.Workspace, ask, &p)
	must(b.tb, err)
	testdata.Is(b.tb, "progress", p.Done.Load(), p.Total.Load())
	return list, left
}

// accuracies of a set, image by image.
func (b *fixture) accuracies(key string, labels []int, mapping []int) []float64 {
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
func (b *fixture) removeSignals() {
	b.tb.Helper()
	must(b.tb, os.RemoveAll(filepath.Join(b.Path(), "signals")))
}
