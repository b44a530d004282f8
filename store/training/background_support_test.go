package training

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
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

const (
	targetsPerClass = 5
	scenesPerTarget = 4
)

// stage is a workspace with targets of three classes, masks, backgrounds and a selection, and
// models with made-up signals under it. The model m0 is steady; the larger the number, the more
// scenes move a model.
type stage struct {
	*store.Workspace
	tb        testing.TB
	targets   suite.Manifest
	selection store.SelectionRecord
	models    []model.Model
	units     map[string]*signal.Unit // by model hash
}

func newStage(tb testing.TB, models int) *stage {
	tb.Helper()
	s := &stage{Workspace: sums.Empty(tb), tb: tb, units: map[string]*signal.Unit{}}
	root := tb.TempDir()
	for c := range classes {
		for k := range targetsPerClass {
			sums.Gray(tb, filepath.Join(root, "targets", string(rune('a'+c)), fmt.Sprintf("%d.png", k)),
				func(p int) uint8 {
					return uint8(20*c + 7*k + p)
				})
			sums.Gray(tb, filepath.Join(root, "masks", string(rune('a'+c)), fmt.Sprintf("%d.png", k)),
				func(p int) uint8 {
					return uint8(255 * (p % sums.Side / 4))
				})
		}
	}
	for b := range 9 {
		sums.Gray(tb, filepath.Join(root, "backgrounds", fmt.Sprintf("%d.png", b)), func(p int) uint8 {
			return uint8(200 - 5*b - p)
		})
	}
	s.targets = sums.Suite(tb, s.Workspace, filepath.Join(root, "targets"))
	masks, err := s.AddMasks(tb.Context(), s.targets.Hash, filepath.Join(root, "masks"), false, engine.NoProgress{})
	must(s.tb, err)
	s.choose(masks.Hash, sums.Suite(tb, s.Workspace, filepath.Join(root, "backgrounds")).Hash)
	for k := range models {
		s.addModel(k)
	}
	return s
}

func (s *stage) choose(masks, backgrounds string) {
	s.tb.Helper()
	chosen := background.Selection{
		Targets: s.targets.Hash, Masks: masks, Backgrounds: backgrounds,
		Choice: background.Choice{Method: background.Nearest, N: scenesPerTarget, Seed: 1},
	}
	random := rand.New(rand.NewPCG(5, 5))
	for range s.targets.Images {
		var list []background.Scene
		for j, b := range random.Perm(9)[:scenesPerTarget] {
			list = append(list, background.Scene{
				Background: b, Distance: 0.2 + 0.25*float64(j) + 0.1*random.Float64(), Keyword: -1, Level: -1,
			})
		}
		chosen.Chosen = append(chosen.Chosen, list)
	}
	s.selection = testdata.Must(s.AddSelection("near", chosen))(s.tb)
	s.selection = testdata.Must(s.Selection(s.selection.Hash))(s.tb)
}

// addModel adds model mK. Of every five the fourth has no HEAD, and the fifth no signals.
func (s *stage) addModel(k int) {
	s.tb.Helper()
	m := model.Model{
		ID: fmt.Sprintf("m%d", k), File: "m.onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1"}, Head: "h",
			Tensors: []string{"y", "c1", "h"},
		},
		Record: []model.Field{{Name: "three", Value: []string{"invariant", "borderline", "variant"}[k%3]}},
	}
	if k%5 == 3 {
		m.Graph.Head, m.Graph.Tensors = "", []string{"y", "c1"}
	}
	added, _, err := s.AddModel(m, strings.NewReader(fmt.Sprint("model of scenes ", k)))
	must(s.tb, err)
	s.models = append(s.models, added)
	if k%5 != 4 {
		s.run(added, k)
	}
}

func (s *stage) run(m model.Model, k int) {
	s.tb.Helper()
	family := testdata.Must(transform.Scenes(s.selection.Hash, s.selection.N))(s.tb)
	spec := sums.MadeUpSpec(s.tb, m, s.targets, family.String())
	var absent []string
	for _, name := range []string{model.CONF, model.Head} {
		if tensor, ok := m.Graph.Tensor(name, nil); ok {
			spec.Positions = append(spec.Positions, signal.Position{Name: name, Tensor: tensor})
		} else {
			absent = append(absent, name)
		}
	}
	s.units[m.Hash] = s.unit(spec, k)
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1, 2}, MappedBy: "by name", Absent: absent}
	sums.Record(s.tb, s.Workspace, task, func(int) *signal.Unit { return s.units[m.Hash] })
}

// unit has the target itself first, then its composites.
func (s *stage) unit(spec signal.Spec, k int) *signal.Unit {
	random := rand.New(rand.NewPCG(uint64(k), 17))
	n, t := s.targets.Images, 1+scenesPerTarget
	u := &signal.Unit{Transformations: t, Images: n, Classes: classes}
	for i := range t {
		for x := range n {
			class := s.targets.Labels[x]
			if random.IntN(20) < k && i > 0 {
				class = (class + 1) % classes
			}
			u.Prediction, u.Confidence = append(u.Prediction, int32(class)), append(u.Confidence, 0.5)
			u.Softmax = append(u.Softmax, 0.25, 0.5, 0.25)
		}
	}
	for range spec.Positions {
		reduced := make([]float32, signal.Reducers*t*n)
		for i := range reduced {
			reduced[i] = 0.5 + float32(k)*0.04*random.Float32()
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	return u
}

// ask asks for interpolated matrices on a small raster.
func (s *stage) ask() Ask {
	layout := feature.DefaultBackgroundLayout()
	layout.Background.Raster = 12
	return Ask{Selection: s.selection.Hash, Layout: layout, Images: variance.AllImages()}
}

// round is one of backgrounds over all models, whose labels are given by model and annotator.
func (s *stage) round(change func(*label.Round), values ...[]label.Value) label.Round {
	s.tb.Helper()
	r := label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: s.targets.Hash, Selection: s.selection.Hash,
		Interpolants: []string{"I1", "I2", "I3"}, Modalities: []string{"max@CONF", "max@HEAD"}, Classes: 3,
		Annotators: []string{"r1", "r2", "r3"}, Guideline: "Look.",
	}
	for _, m := range s.models {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	r = testdata.Must(s.CreateRound(s.tb.Context(), r))(s.tb)
	for m, list := range values {
		for a, v := range list {
			testdata.Must(s.Append(label.Event{
				Round: r.ID, Model: r.Models[m], Annotator: r.Annotators[a], Kind: label.Label, Value: v, Sure: true,
				Guideline: r.GuidelineHash(),
			}))(s.tb)
		}
	}
	return r
}
