package wire

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// sums is a runtime whose models are sums over the pixels, weighted by the name of the result.
type sums struct{ classes int }

func (sums) Version() string { return "1.0" }

func (s sums) Probe(context.Context, engine.Feed) (engine.Probe, error) {
	return engine.Probe{Classes: s.classes}, nil
}

func (s sums) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	return sumsSession{s, feed}, nil
}

type sumsSession struct {
	sums
	feed engine.Feed
}

func (s sumsSession) Close() error { return nil }

func (s sumsSession) Runner() (engine.Runner, error) {
	in := s.feed.Input
	return &sumsRunner{sumsSession: s, input: make([]float32, in.Batch*in.Channels*in.Height*in.Width)}, nil
}

type sumsRunner struct {
	sumsSession
	input  []float32
	region int
}

func (r *sumsRunner) Input() []float32          { return r.input }
func (r *sumsRunner) Run(context.Context) error { return nil }

func (r *sumsRunner) Mask(region int) {
	if r.feed.Mask == nil || region > r.feed.Mask.N*r.feed.Mask.N {
		panic("no such mask")
	}
	r.region = region
}

// Result is batch x classes for the class output, batch x 2 x 2 x 2 for any other tensor.
func (r *sumsRunner) Result(k int) ([]int64, []float32) {
	batch := r.feed.Input.Batch
	shape, width, seed := []int64{int64(batch), int64(r.classes)}, r.classes, float64(r.region)
	if k > 0 {
		shape, width, seed = []int64{int64(batch), 2, 2, 2}, 8, float64(r.feed.Tensors[k-1][0])
	}
	size := len(r.input) / batch
	values := make([]float32, batch*width)
	for i := range values {
		for x, v := range r.input[i/width*size : (i/width+1)*size] {
			values[i] += float32(float64(v) * math.Sin(seed+float64(31*(i%width)+x)))
		}
	}
	return shape, values
}

// units records the units of one run; where only is set, the others are taken to be there.
type units struct {
	only string
	mu   sync.Mutex
	at   map[int]*signal.Unit
}

func (u *units) Has(key string) (bool, error) { return u.only != "" && key != u.only, nil }

func (u *units) Record(_ context.Context, _ signal.Spec, unit *signal.Unit) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at[unit.Chunk] = unit
	return nil
}

func (*units) Finish(context.Context, engine.Task) error { return nil }
func (*units) Ended(engine.Status) error                 { return nil }

// compute runs a task over a source: all units, or the one with a key.
func compute(
	t *testing.T, rt engine.Runtime, task engine.Task, source engine.Source, only string,
) map[int]*signal.Unit {
	t.Helper()
	rec := &units{only: only, at: map[int]*signal.Unit{}}
	e := engine.New(rt, rec, engine.Limits{Workers: 1})
	defer func() {
		testdata.OK(t, e.Close())
	}()
	testdata.OK(t,
		e.Submit(engine.Run{
			ID: "r", Suite: "random", Family: task.Spec.Family, Source: source, Tasks: []engine.Task{task},
		}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status, err := e.Wait(ctx, "r")
	if err != nil || status.Phase != engine.Done || status.Failed > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	return rec.at
}

// elsewhere computes a chunk as another machine does: from the bytes of an order and a pack, to
// the bytes of a result.
func elsewhere(t *testing.T, rt engine.Runtime, task engine.Task, source engine.Source, chunk int) *signal.Unit {
	t.Helper()
	first, n := task.Spec.ChunkImages(chunk)
	var pack bytes.Buffer
	images := testdata.Must(WritePack(t.Context(), &pack, source, first, n))(t)
	sent := testdata.Must(NewOrder(task, chunk, Blob{SHA256: task.Spec.Model, Size: 1}, images).Encode())(t)
	o := testdata.Must(ParseOrder(sent))(t)
	p := opened(t, pack.Bytes())
	testdata.OK(t, p.fits(o))
	u := compute(t, rt, o.Task("model.onnx"), p, o.Unit)[chunk]
	if u == nil {
		t.Fatalf("chunk %d was not computed", chunk)
	}
	return testdata.Must(DecodeResult(result(t, o.Spec, u), task.Spec, chunk, u.Transformations))(t)
}

// unitTask is a task on 300 images of several sizes.
func unitTask() engine.Task {
	task := someTask()
	s := &task.Spec
	s.Images, s.Channels, s.Height, s.Width, s.Batch, s.Runtime = 300, 3, 6, 7, 16, "1.0"
	s.Preprocessing = model.Preprocessing{
		Mean: []float64{0.485, 0.456, 0.406}, Std: []float64{0.229}, Resize: model.Stretch,
	}
	s.Family = "rotation:-10:10:5;interpolation=bilinear;border=zero"
	task.Feed.Input = model.Input{Name: "x", Layout: model.NCHW, Batch: 16, Channels: 3, Height: 6, Width: 7}
	task.Classes = []int{3, 2, 1, 0, -1}
	return task
}

// TestUnitsFromElsewhereAreTheSame, to the bit and with the same arrays missing, as units that are
// computed from the source.
func TestUnitsFromElsewhereAreTheSame(t *testing.T) {
	masked := transform.Masks{N: 2, Layers: []int{1}}
	scened := newStage(300)
	scened.backgrounds, scened.how.Feather = 39, 1
	for name, tt := range map[string]struct {
		classes int
		source  engine.Source
		change  func(*engine.Task)
	}{
		"rotation with distances": {4, fakeSource{n: 300}, func(*engine.Task) {}},
		"channels last, cropped": {4, fakeSource{n: 300}, func(t *engine.Task) {
			t.Feed.Input.Layout, t.Spec.Preprocessing.Resize = model.NHWC, model.Crop
		}},
		"many classes": {120, fakeSource{n: 300}, func(t *engine.Task) { t.Spec.TrueClass = t.Classes }},
		"a set without positions": {4, fakeSource{n: 300}, func(t *engine.Task) {
			t.Spec.Family, t.Spec.Positions, t.Spec.Vectors, t.Feed.Tensors = "shift:2:1", nil, nil, nil
		}},
		"no labels": {4, labelled{fakeSource{n: 300}, -1}, func(t *engine.Task) { t.Classes = nil }},
		"masks": {4, fakeSource{n: 300}, func(t *engine.Task) {
			t.Spec.Family, t.Spec.Vectors, t.Feed.Mask = "mask:2;layers=1", nil, &masked
		}},
		"scenes": {4, scened, func(t *engine.Task) { t.Spec.Family, t.Spec.Vectors = "scenes:"+hashC+":3", nil }},
	} {
		t.Run(name, func(t *testing.T) {
			task := unitTask()
			tt.change(&task)
			rt := sums{tt.classes}
			here := compute(t, engine.InProcess{Library: rt}, task, tt.source, "")
			if len(here) != 2 {
				t.Fatalf("%d units", len(here))
			}
			for chunk, want := range here {
				got := elsewhere(t, engine.InProcess{Library: rt}, task, tt.source, chunk)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("chunk %d differs", chunk)
				}
				if !bytes.Equal(result(t, task.Spec, got), result(t, task.Spec, want)) {
					t.Errorf("chunk %d has other bytes", chunk)
				}
			}
		})
	}
}
