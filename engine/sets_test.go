//go:build cgo

package engine_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/testdata"
)

// realModel is a model of the demo with its images and a runtime.
type realModel struct {
	*testing.T
	rt       engine.Runtime
	path     string
	graph    model.Graph
	manifest suite.Manifest
}

// loadReal is nil where ONNX Runtime is absent.
func loadReal(t *testing.T) *realModel {
	t.Helper()
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("sets on a real model: not run, ONNX Runtime is absent; make library brings it")
		return nil
	}
	rt := testdata.Must(onnx.Load("", ""))(t)
	t.Cleanup(func() { _ = rt.Close() })
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	path := filepath.Join(scenes, "models", "s11.onnx")
	return &realModel{
		T: t, rt: engine.InProcess{Library: rt}, path: path, graph: testdata.Must(onnx.Inspect(path))(t),
		manifest: testdata.Must(suite.Scan(t.Context(), filepath.Join(scenes, "targets"), suite.Options{}, nil))(t),
	}
}

func (m *realModel) open() *suite.Suite {
	m.Helper()
	return testdata.Must(suite.Open(m.manifest, m.manifest.Root))(m)
}

// task plans the model on its images under a set.
func (m *realModel) task(set string) engine.Task {
	m.Helper()
	family := testdata.Must(transform.ParseAny(set))(m)
	return testdata.Must(engine.Plan(engine.PlanInput{
		Model: model.Model{Hash: "s11", ID: "s11", Graph: m.graph}, Path: m.path, Suite: m.manifest, Family: family,
		Runtime: m.rt.Version(),
	}))(m)
}

// run runs the model to its end and returns its signals.
func (m *realModel) run(task engine.Task, source *suite.Suite, workers int) *signal.Set {
	m.Helper()
	rec := &units{byKey: map[string]*signal.Unit{}}
	e := engine.New(m.rt, rec, engine.Limits{Workers: workers})
	defer func() { _ = e.Close() }()
	testdata.OK(m, e.Submit(engine.Run{ID: "r", Source: source, Tasks: []engine.Task{task}, Close: source.Close}))
	status, err := e.Wait(m.Context(), "r")
	if err != nil || status.Phase != engine.Done {
		m.Fatalf("%+v, %v", status.Tasks, err)
	}
	var list []*signal.Unit
	for chunk := range task.Spec.Chunks() {
		list = append(list, rec.byKey[task.Spec.UnitKey(chunk)])
	}
	return testdata.Must(assembly.Set(task.Spec, list))(m)
}

// byHand changes images as the set does, written out pixel by pixel; the images are brought to the
// model's input before.
func (m *realModel) byHand(spec signal.Spec, i int) suite.Change {
	family := testdata.Must(transform.ParseAny(spec.Family))(m)
	fitting := suite.Fitting{
		Channels: spec.Channels, Height: spec.Height, Width: spec.Width, Resize: spec.Preprocessing.Resize,
	}
	return func(_ int, img suite.Image) (suite.Image, error) {
		in := suite.Fit(img, fitting)
		if n, by, ok := family.Shifted(); ok && i > 0 {
			return padded(in, region.Pad(in.Height, in.Width, n, by, i), fitting), nil
		}
		out := in
		out.Pix = make([]float32, len(in.Pix))
		n := in.Width
		for p := range out.Pix {
			c, y, x := p/(n*n), p/n%n, p%n
			switch {
			case spec.Family == transform.Grayscale && i == 1:
				area := n * n
				out.Pix[p] = float32(0.299*float64(in.Pix[p%area]) + 0.587*float64(in.Pix[area+p%area]) +
					0.114*float64(in.Pix[2*area+p%area]))
				continue
			case spec.Family == transform.Rot90:
				for range i { // the pixel that a turn of 90 degrees counter-clockwise brings here
					y, x = x, n-1-y
				}
			}
			out.Pix[p] = in.Pix[(c*n+y)*n+x]
		}
		return out, nil
	}
}

// padded is an image with zero fill around it, brought back to its size.
func padded(in suite.Image, p region.Padding, size suite.Fitting) suite.Image {
	out := suite.Image{Channels: in.Channels, Height: in.Height + p.Top + p.Bottom, Width: in.Width + p.Left + p.Right}
	out.Pix = make([]float32, out.Channels*out.Height*out.Width)
	for c := range in.Channels {
		for y := range in.Height {
			copy(out.Pix[(c*out.Height+p.Top+y)*out.Width+p.Left:], in.Pix[(c*in.Height+y)*in.Width:][:in.Width])
		}
	}
	size.Resize = model.Stretch
	return suite.Fit(out, size)
}

// TestSetsOnARealModel: a run under a set gives the predictions and softmax vectors of runs over
// images that were changed by hand.
func TestSetsOnARealModel(t *testing.T) {
	m := loadReal(t)
	if m == nil {
		return
	}
	for _, name := range []string{transform.Rot90, transform.Grayscale, "shift:2:3"} {
		task := m.task(name)
		got := m.run(task, m.open(), 2)
		cells := got.Images
		for i := range got.Transformations {
			base := m.open()
			changed := base.Through(m.manifest.Derive("by hand", "by hand"), m.byHand(task.Spec, i), 0)
			want := m.run(m.task(transform.Plain), changed, 2)
			testdata.Equal(t, fmt.Sprintf("%s: other predictions under transformation %d", name, i),
				got.Prediction[i*cells:(i+1)*cells], want.Prediction)
			for c, v := range want.Softmax {
				if have := got.Softmax[i*cells*got.Classes+c]; have < v-1e-6 || have > v+1e-6 {
					t.Fatalf("%s, transformation %d: softmax %d is %v, by hand %v", name, i, c, have, v)
				}
			}
		}
	}
}
