package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/assembly"
)

// fakeNet is a deterministic stand-in for a model: a few sums over the pixels.
type fakeNet struct {
	classes int
	kind    model.OutputKind
	layout  model.Layout
}

// pixel reads entry (c, y, x) of image b from an input of either layout.
func (n fakeNet) pixel(in model.Input, input []float32, b, c, y, x int) float32 {
	if n.layout == model.NHWC {
		return input[((b*in.Height+y)*in.Width+x)*in.Channels+c]
	}
	return input[((b*in.Channels+c)*in.Height+y)*in.Width+x]
}

// run returns output, c1 (B x 2 x H x W) and tok (B x 3 x 4) for a batch.
func (n fakeNet) run(in model.Input, input []float32) (shapes [][]int64, results [][]float32) {
	var output, c1, tok []float32
	for b := range in.Batch {
		logits := make([]float64, n.classes)
		planes := make([]float32, 2*in.Height*in.Width)
		tokens := make([]float32, 12)
		for c := range in.Channels {
			for y := range in.Height {
				for x := range in.Width {
					v := n.pixel(in, input, b, c, y, x)
					at := (c*in.Height+y)*in.Width + x
					for k := range logits {
						logits[k] += float64(v) * math.Sin(float64(31*k+at))
					}
					planes[y*in.Width+x] += v
					planes[in.Height*in.Width+y*in.Width+x] += max(0, v*float32(c+1)-0.3)
					tokens[at%12] += v
				}
			}
		}
		for _, l := range logits {
			if n.kind == model.Probabilities {
				l = math.Exp(l)
			}
			output = append(output, float32(l))
		}
		c1, tok = append(c1, planes...), append(tok, tokens...)
	}
	batch, h, w := int64(in.Batch), int64(in.Height), int64(in.Width)
	return [][]int64{{batch, int64(n.classes)}, {batch, 2, h, w}, {batch, 3, 4}}, [][]float32{output, c1, tok}
}

// fakeRuntime serves fakeNets by path and counts what is done with them.
type fakeRuntime struct {
	nets                                    map[string]fakeNet
	probes, opens, closes, runners, batches atomic.Int64
	inputs                                  atomic.Int64 // calls of Input
	// The hooks may be nil. onRun is called with the input of every batch.
	onProbe, onOpen func(path string) error
	onRun           func(ctx context.Context, feed Feed, input []float32) error
	onResult        func(feed Feed, k int, values []float32)
}

func (r *fakeRuntime) Version() string { return "1.0" }

func (r *fakeRuntime) Probe(_ context.Context, feed Feed) (Probe, error) {
	r.probes.Add(1)
	if r.onProbe != nil {
		return Probe{}, r.onProbe(feed.Path)
	}
	return Probe{}, nil
}

func (r *fakeRuntime) Open(_ context.Context, feed Feed) (Session, error) {
	if r.onOpen != nil {
		if err := r.onOpen(feed.Path); err != nil {
			return nil, err
		}
	}
	r.opens.Add(1)
	return &fakeSession{r, feed}, nil
}

type fakeSession struct {
	*fakeRuntime
	feed Feed
}

func (s *fakeSession) Close() error { s.closes.Add(1); return nil }

func (s *fakeSession) Runner() (Runner, error) {
	s.runners.Add(1)
	in := s.feed.Input
	return &fakeRunner{s: s, input: make([]float32, in.Batch*in.Channels*in.Height*in.Width)}, nil
}

type fakeRunner struct {
	s       *fakeSession
	input   []float32
	shapes  [][]int64
	results [][]float32
	region  int
}

func (r *fakeRunner) Input() []float32 {
	if r.s != nil {
		r.s.inputs.Add(1)
	}
	return r.input
}

func (r *fakeRunner) Close() error { r.s.runners.Add(-1); return nil }

// Mask deletes region k by turning the numbers of the class output around by k places.
func (r *fakeRunner) Mask(region int) {
	masks := r.s.feed.Mask
	if masks == nil || region < 0 || region > masks.N*masks.N {
		panic("no such mask")
	}
	r.region = region
}

func (r *fakeRunner) Run(ctx context.Context) error {
	r.s.batches.Add(1)
	if r.s.onRun != nil {
		if err := r.s.onRun(ctx, r.s.feed, r.input); err != nil {
			return err
		}
	}
	r.shapes, r.results = r.s.nets[r.s.feed.Path].run(r.s.feed.Input, r.input)
	r.results[0] = turned(r.results[0], r.s.nets[r.s.feed.Path].classes, r.region)
	return nil
}

// turned is what a fake net with a deleted region says.
func turned(output []float32, classes, region int) []float32 {
	out := make([]float32, 0, len(output))
	for row := range slices.Chunk(output, classes) {
		at := region % classes
		out = append(append(out, row[at:]...), row[:at]...)
	}
	return out
}

func (r *fakeRunner) Result(k int) ([]int64, []float32) {
	at := 0
	if k > 0 {
		at = slices.Index([]string{"out", "c1", "tok"}, r.s.feed.Tensors[k-1])
	}
	if r.s.onResult != nil {
		r.s.onResult(r.s.feed, k, r.results[at])
	}
	return r.shapes[at], r.results[at]
}

// fakeSource are random images; image 3 of every ten has another size.
type fakeSource struct {
	n, channels, height, width int
	reads                      atomic.Int64
	broken                     int // index of an image that cannot be read, -1 for none
}

func newSource(n int) *fakeSource {
	return &fakeSource{n: n, channels: 3, height: 6, width: 5, broken: -1}
}

func (s *fakeSource) Len() int          { return s.n }
func (s *fakeSource) Label(i int) int   { return i % 4 }
func (s *fakeSource) Name(i int) string { return fmt.Sprintf("img%03d.png", i) }

func (s *fakeSource) Image(i int) (suite.Image, error) {
	s.reads.Add(1)
	if i == s.broken {
		return suite.Image{}, errors.New("damaged file")
	}
	img := suite.Image{Channels: s.channels, Height: s.height, Width: s.width}
	if i%10 == 3 {
		img.Height, img.Width = 11, 9
	}
	random := rand.New(rand.NewPCG(7, uint64(i)))
	for range img.Channels * img.Height * img.Width {
		img.Pix = append(img.Pix, random.Float32())
	}
	return img, nil
}

// memory is a Recorder in memory.
type memory struct {
	mu                        sync.Mutex
	units                     map[string]*signal.Unit
	finished                  []string
	ended                     []Status
	onHas, onRecord, onFinish func() error
}

func newMemory() *memory { return &memory{units: map[string]*signal.Unit{}} }

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

func (m *memory) Has(key string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.units[key]
	return ok, call(m.onHas)
}

func (m *memory) Record(_ context.Context, spec signal.Spec, u *signal.Unit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := call(m.onRecord); err != nil {
		return err
	}
	key := spec.UnitKey(u.Chunk)
	if m.units[key] != nil {
		return errors.New("recorded twice")
	}
	m.units[key] = u
	return nil
}

func (m *memory) Finish(_ context.Context, task Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for chunk := range task.Spec.Chunks() {
		if m.units[task.Spec.UnitKey(chunk)] == nil {
			return fmt.Errorf("finished without chunk %d", chunk)
		}
	}
	m.finished = append(m.finished, task.ID)
	return call(m.onFinish)
}

func (m *memory) Ended(status Status) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = append(m.ended, status)
	return nil
}

func (m *memory) set(task Task) (*signal.Set, error) {
	var units []*signal.Unit
	for chunk := range task.Spec.Chunks() {
		if u := m.units[task.Spec.UnitKey(chunk)]; u != nil {
			units = append(units, u)
		}
	}
	return assembly.Set(task.Spec, units)
}

// fakeTask is a task of the fake net of that name.
func fakeTask(id string, images int) Task {
	return Task{
		ID: id, Probed: true, Classes: []int{0, 1, 2, 3}, MappedBy: ByIndex,
		Spec: signal.Spec{
			Model: "hash-" + id, Source: "source", Images: images,
			Family:        "rotation:-10:10:5;interpolation=bilinear;border=zero",
			Preprocessing: model.Preprocessing{Mean: []float64{.5, .4, .3}, Std: []float64{.25}, Resize: model.Stretch},
			OutputKind:    model.Logits, Output: "out", Channels: 3, Height: 6, Width: 5, Batch: 16, Runtime: "1.0",
			Positions: []signal.Position{
				{Name: model.CONF, Tensor: "out"},
				{Name: model.Conv1, Tensor: "c1"},
				{Name: "tok", Tensor: "tok"},
				{Name: "raw", Tensor: "out"},
			},
		},
		Feed: Feed{
			Path: id, Output: "out", Tensors: []string{"c1", "tok"},
			Input: model.Input{Name: "in", Layout: model.NCHW, Batch: 16, Channels: 3, Height: 6, Width: 5},
		},
	}
}

func fakeRun(id string, source Source, tasks ...Task) Run {
	return Run{ID: id, Suite: "random", Family: tasks[0].Spec.Family, Source: source, Tasks: tasks}
}

// netsFor serves every task by the same kind of net.
func netsFor(tasks ...Task) *fakeRuntime {
	r := &fakeRuntime{nets: map[string]fakeNet{}}
	for _, t := range tasks {
		r.nets[t.Feed.Path] = fakeNet{classes: 4, kind: t.Spec.OutputKind, layout: t.Feed.Input.Layout}
	}
	return r
}

// jobOf is a submitted run that nobody computes.
func jobOf(run Run) (*Job, error) {
	return newJob(context.Background(), run, newMemory(), func() {})
}
