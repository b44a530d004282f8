package evaluate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
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
	classes  = 3
	rotation = "rotation:-10:10:10;interpolation=bilinear;border=zero"
)

// fixture is a workspace with suites, models and made-up signals.
type fixture struct {
	*store.Workspace
	tb     testing.TB
	suites []suite.Manifest
	models []model.Model
	sets   map[string]*signal.Set // by key, put together number by number
}

// newFixture has the labelled suite "pets", the suite "wild" without labels, and models m0, m1, ...
// with three channels.
func newFixture(tb testing.TB, models int) *fixture {
	tb.Helper()
	b := &fixture{Workspace: sums.Empty(tb), tb: tb, sets: map[string]*signal.Set{}}
	b.suites = []suite.Manifest{
		sums.MadeUpSuite(tb, b.Workspace, "pets", 3, true, "a", "b", "c"),
		sums.MadeUpSuite(tb, b.Workspace, "wild", 3, false, "a", "b", "c"),
	}
	for k := range models {
		b.addModel(fmt.Sprintf("m%d", k), 3, classes)
	}
	return b
}

func (b *fixture) addModel(id string, channels, classes int) model.Model {
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
	must(b.tb, err)
	b.models = append(b.models, added)
	return added
}

func (b *fixture) spec(m model.Model, s suite.Manifest, family string) signal.Spec {
	spec := sums.MadeUpSpec(b.tb, m, s, family)
	spec.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}}
	return spec
}

// suiteClasses maps a suite's label l to the models' class 2-l.
var suiteClasses = []int{2, 1, 0}

// run records signals of a model on a suite and finishes them.
func (b *fixture) run(m model.Model, s suite.Manifest, family string) store.SetInfo {
	b.tb.Helper()
	spec := b.spec(m, s, family)
	rng := rand.New(rand.NewPCG(uint64(m.Hash[0]), uint64(s.Hash[0])))
	set := sums.Record(b.tb, b.Workspace, task(m, spec), func(chunk int) *signal.Unit {
		return b.unit(rng, m, s, spec, chunk)
	})
	info, ok, err := b.BestSet(m, s.Hash, family)
	if err != nil || !ok {
		b.tb.Fatalf("no set of %s: %v", m.ID, err)
	}
	b.sets[info.Key] = set
	return info
}

// unit draws predictions that are right more often for later models.
func (b *fixture) unit(rng *rand.Rand, m model.Model, s suite.Manifest, spec signal.Spec, chunk int) *signal.Unit {
	f := testdata.Must(transform.ParseAny(spec.Family))(b.tb)
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

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

func task(m model.Model, spec signal.Spec) engine.Task {
	return engine.Task{ID: m.ID, Spec: spec, Classes: suiteClasses, MappedBy: "by name"}
}
