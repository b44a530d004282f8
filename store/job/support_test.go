package job

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/store"
)

// TestMain serves as the child process of the test that kills one (scenes_killed_test.go), and fails when a run leaves goroutines behind.
func TestMain(m *testing.M) {
	kill.Serve(map[string]kill.Task{"run": func(args []string) int {
		if err := childRuns(args[0]); err != nil {
			return kill.Complain(err)
		}
		return 0
	}})
	goleak.VerifyTestMain(m)
}

// family has three transformations.
const family = "rotation:-10:10:10"

// fakeRuntime serves every model file with sums over the pixels, weighted by the file's name.
type fakeRuntime struct {
	classes int // of the class output
	sums    bool
	batches atomic.Int64

	mu     sync.Mutex
	probed []engine.Feed
	refuse map[string]error // by path
	// onProbe and onRun may be nil; onRun gets the number of batches so far.
	onProbe func(ctx context.Context) error
	onRun   func(batch int64) error
}

func (r *fakeRuntime) Version() string { return "1.0" }

func (r *fakeRuntime) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	r.mu.Lock()
	r.probed = append(r.probed, feed)
	err := r.refuse[feed.Path]
	r.mu.Unlock()
	if err == nil && r.onProbe != nil {
		err = r.onProbe(ctx)
	}
	return engine.Probe{Classes: r.classes, Sums: r.sums}, err
}

func (r *fakeRuntime) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	return fakeSession{r, feed}, nil
}

type fakeSession struct {
	*fakeRuntime
	feed engine.Feed
}

func (s fakeSession) Close() error { return nil }

func (s fakeSession) Runner() (engine.Runner, error) {
	in := s.feed.Input
	return &fakeRunner{fakeSession: s, input: make([]float32, in.Batch*in.Channels*in.Height*in.Width)}, nil
}

type fakeRunner struct {
	fakeSession
	input []float32
}

func (r *fakeRunner) Input() []float32 { return r.input }

func (*fakeRunner) Mask(int) { panic("no masks here") }

func (r *fakeRunner) Run(context.Context) error {
	n := r.batches.Add(1)
	if r.onRun != nil {
		return r.onRun(n)
	}
	return nil
}

// Result is N x classes for the class output and N x 2 x 2 x 2 for any other tensor.
func (r *fakeRunner) Result(k int) ([]int64, []float32) {
	batch := r.feed.Input.Batch
	shape, width := []int64{int64(batch), int64(r.classes)}, r.classes
	if k > 0 {
		shape, width = []int64{int64(batch), 2, 2, 2}, 8
	}
	size := len(r.input) / batch
	seed := float64(filepath.Base(r.feed.Path)[0]) + float64(k)
	values := make([]float32, batch*width)
	for i := range values {
		for x, v := range r.input[i/width*size : (i/width+1)*size] {
			values[i] += float32(float64(v) * math.Sin(seed+float64(31*(i%width)+x)))
		}
	}
	return shape, values
}

// bench is a workspace with a suite, an engine on it and a runtime.
type bench struct {
	*testing.T
	ws    *store.Workspace
	eng   *engine.Engine
	rt    *fakeRuntime
	suite suite.Manifest
	root  string // of the suite
}

// newBench makes a bench whose suite has the given number of 6 x 6 images in the classes cat, dog and eel.
func newBench(t *testing.T, images int) *bench {
	t.Helper()
	b := &bench{T: t, rt: &fakeRuntime{classes: 3, refuse: map[string]error{}}, root: filepath.Join(t.TempDir(), "pets")}
	for i := range images {
		b.picture(filepath.Join([]string{"cat", "dog", "eel"}[i%3], fmt.Sprintf("%03d.png", i)), i)
	}
	ws, err := store.Create(filepath.Join(t.TempDir(), "w.variscope"))
	b.must(err)
	b.ws = ws
	b.eng = engine.New(b.rt, ws, engine.Limits{Workers: 1})
	t.Cleanup(func() { b.must(errors.Join(b.eng.Close(), ws.Close())) })
	m, err := suite.Scan(t.Context(), b.root, suite.Options{}, engine.NoProgress{})
	b.must(err)
	b.suite, err = ws.AddSuite(m)
	b.must(err)
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) picture(name string, seed int) {
	b.Helper()
	img := image.NewGray(image.Rect(0, 0, 6, 6))
	for i := range img.Pix {
		img.SetGray(i%6, i/6, color.Gray{Y: uint8(seed*29 + i*i*7)})
	}
	path := filepath.Join(b.root, name)
	b.must(os.MkdirAll(filepath.Dir(path), 0o755))
	file, err := os.Create(path)
	b.must(err)
	b.must(errors.Join(png.Encode(file, img), file.Close()))
}

// model adds a model with the tensors c1, c2 and the class output y; change may be nil.
func (b *bench) model(id string, change func(*model.Model)) model.Model {
	b.Helper()
	m := model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 6, Width: 6},
		Outputs: []model.Output{{Name: "y", Classes: 3}}, Convs: []string{"c1", "c2"}, Tensors: []string{"c1", "c2", "y"},
	}}
	if change != nil {
		change(&m)
	}
	m, _, err := b.ws.AddModel(m, strings.NewReader("model "+id))
	b.must(err)
	return m
}

func (b *bench) request() Request { return Request{Suite: b.suite.Hash, Family: family} }

func (b *bench) start(req Request) (string, []Refused, error) {
	return Start(b.Context(), b.ws, b.eng, b.rt, req, engine.NoProgress{})
}

// run starts a run that must start, and waits for its end.
func (b *bench) run(req Request) (engine.Status, []Refused) {
	b.Helper()
	id, refused, err := b.start(req)
	b.must(err)
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	status, err := b.eng.Wait(ctx, id)
	b.must(err)
	return status, refused
}

// done is run for a run that must succeed whole.
func (b *bench) done(req Request) engine.Status {
	b.Helper()
	status, refused := b.run(req)
	if status.Phase != engine.Done || status.Done != status.Total || status.Failed > 0 || len(refused) > 0 {
		b.Fatalf("the run ended with %+v, refused %v", status, refused)
	}
	return status
}

func (b *bench) records() []store.RunRecord {
	b.Helper()
	list, err := b.ws.Runs()
	b.must(err)
	return list
}

func (b *bench) summary(m model.Model) store.Summary {
	b.Helper()
	m, err := b.ws.Model(m.Hash)
	b.must(err)
	s, ok, err := b.ws.Summary(m, b.suite.Hash, canonical)
	if err != nil || !ok {
		b.Fatalf("summary of %s: %v, %v", m.ID, ok, err)
	}
	return s
}

// canonical is the family as it is stored.
const canonical = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// counter is a Progress.
type counter struct{ total, n atomic.Int64 }

func (c *counter) SetTotal(n int64) { c.total.Store(n) }
func (c *counter) Add(n int64)      { c.n.Add(n) }
