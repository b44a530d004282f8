package shards

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// TestMain serves as the process of a shard that is killed, and fails when goroutines are left behind.
func TestMain(m *testing.M) {
	kill.Serve(map[string]kill.Task{"shard": func(args []string) int {
		if err := childWorks(args[0]); err != nil {
			return kill.Complain(err)
		}
		return 0
	}})
	goleak.VerifyTestMain(m)
}

const (
	family  = "rotation:-10:10:10"
	program = "0.1.0" // version
)

// fakeRuntime serves every model file with sums over the pixels, weighted by the file's name.
type fakeRuntime struct {
	version string
	batches atomic.Int64
	opened  atomic.Int64
	probed  atomic.Int64
	// onProbe and onRun may be nil; onRun gets the number of batches so far.
	onProbe func(feed engine.Feed) error
	onRun   func(ctx context.Context, feed engine.Feed, batch int64) error
}

func (r *fakeRuntime) Version() string { return r.version }

func (r *fakeRuntime) Probe(_ context.Context, feed engine.Feed) (engine.Probe, error) {
	r.probed.Add(1)
	if r.onProbe != nil {
		return engine.Probe{Classes: 3}, r.onProbe(feed)
	}
	return engine.Probe{Classes: 3}, nil
}

func (r *fakeRuntime) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	r.opened.Add(1)
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

func (r *fakeRunner) Run(ctx context.Context) error {
	n := r.batches.Add(1)
	if r.onRun != nil {
		return r.onRun(ctx, r.feed, n)
	}
	return ctx.Err()
}

// Result is N x 3 for the class output and N x 2 x 2 x 2 for any other tensor.
func (r *fakeRunner) Result(k int) ([]int64, []float32) {
	batch := r.feed.Input.Batch
	shape, width := []int64{int64(batch), 3}, 3
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

// bench is a workspace with a suite of 6 x 6 images in the classes cat, dog and eel, and a runtime.
type bench struct {
	*testing.T
	ws    *store.Workspace
	rt    *fakeRuntime
	suite suite.Manifest
	root  string // of the suite
}

func newBench(t *testing.T, images int, models ...string) *bench {
	t.Helper()
	b := &bench{T: t, rt: &fakeRuntime{version: "1.0"}, root: filepath.Join(t.TempDir(), "pets")}
	for i := range images {
		b.gray(filepath.Join(b.root, []string{"cat", "dog", "eel"}[i%3], fmt.Sprintf("%03d.png", i)), func(p int) uint8 { return uint8(i*29 + p*p*7) })
	}
	ws, err := store.Create(filepath.Join(t.TempDir(), "w.variscope"))
	b.must(err)
	b.ws = ws
	t.Cleanup(func() { b.must(ws.Close()) })
	m, err := suite.Scan(t.Context(), b.root, suite.Options{}, engine.NoProgress{})
	b.must(err)
	b.suite, err = ws.AddSuite(m)
	b.must(err)
	for _, id := range models {
		b.model(id)
	}
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// gray writes a picture of 6 x 6 pixels.
func (b *bench) gray(path string, value func(p int) uint8) {
	b.Helper()
	img := image.NewGray(image.Rect(0, 0, 6, 6))
	for p := range img.Pix {
		img.SetGray(p%6, p/6, color.Gray{Y: value(p)})
	}
	b.must(os.MkdirAll(filepath.Dir(path), 0o755))
	file, err := os.Create(path)
	b.must(err)
	b.must(errors.Join(png.Encode(file, img), file.Close()))
}

// model adds a model with the tensors c1, c2 and the class output y.
func (b *bench) model(id string) model.Model {
	b.Helper()
	m := model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 6, Width: 6}, Head: "c2",
		Outputs: []model.Output{{Name: "y", Classes: 3}}, Convs: []string{"c1", "c2"}, Tensors: []string{"c1", "c2", "y"},
	}}
	m, _, err := b.ws.AddModel(m, strings.NewReader("model "+id))
	b.must(err)
	return m
}

// scened adds backgrounds, masks and a selection of three scenes per target, and is a request under it.
func (b *bench) scened() job.Request {
	b.Helper()
	scenes, masks := filepath.Join(b.TempDir(), "scenes"), filepath.Join(b.TempDir(), "masks")
	for i := range 7 {
		b.gray(filepath.Join(scenes, fmt.Sprintf("bg_%d.png", i)), func(p int) uint8 { return uint8(p*p*(3+i) + 50*i) })
	}
	for i, f := range b.suite.Files {
		b.gray(filepath.Join(masks, filepath.FromSlash(f.Path)), func(p int) uint8 {
			if p/6 >= 1+i%5 {
				return 255
			}
			return 0
		})
	}
	m, err := suite.Scan(b.Context(), scenes, suite.Options{}, engine.NoProgress{})
	b.must(err)
	m, err = b.ws.AddSuite(m)
	b.must(err)
	set, err := b.ws.AddMasks(b.Context(), b.suite.Hash, masks, false, engine.NoProgress{})
	b.must(err)
	s := background.Selection{
		Targets: b.suite.Hash, Masks: set.Hash, Backgrounds: m.Hash, Rule: background.PaperRule(),
		Choice: background.Choice{Method: background.Random, N: 3, Seed: 1},
	}
	for t := range b.suite.Images {
		var list []background.Scene
		for j := range 3 {
			list = append(list, background.Scene{Background: (2*t + j) % 7, Distance: float64(t%5+j) / 7, Keyword: -1, Level: -1})
		}
		s.Chosen = append(s.Chosen, list)
	}
	record, err := b.ws.AddSelection("scenes", s)
	b.must(err)
	text, err := record.Family()
	b.must(err)
	return job.Request{Suite: b.suite.Hash, Family: text}
}

func (b *bench) request() job.Request { return job.Request{Suite: b.suite.Hash, Family: family} }

// place is where runs are prepared.
func (b *bench) place() job.Place {
	return job.Place{Workspace: b.ws, Runtime: b.rt, Limits: engine.Limits{Batch: engine.DefaultBatch}}
}

// write tries to plan a run.
func (b *bench) write(dir string, req job.Request, shards int) (Written, error) {
	b.Helper()
	if there := Planned(dir); there != nil && req.Batch == 0 {
		req.Batches = there.Request.Batches
	}
	run, err := job.Prepare(b.Context(), b.place(), req, engine.NoProgress{})
	b.must(err)
	defer func() { b.must(run.Close()) }()
	return Write(b.Context(), dir, Making{Program: program, Run: run, Has: b.ws.Has, Shards: shards}, engine.NoProgress{})
}

// plan plans a run into a new folder.
func (b *bench) plan(req job.Request, shards int) *Folder {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "plan")
	if _, err := b.write(dir, req, shards); err != nil {
		b.Fatal(err)
	}
	return b.open(dir)
}

func (b *bench) open(dir string) *Folder {
	b.Helper()
	f, err := Open(dir)
	b.must(err)
	return f
}

// work computes a shard.
func (b *bench) work(f *Folder, shard int) Report {
	b.Helper()
	report, err := f.Work(b.Context(), shard, Worker{Program: program, Runtime: b.rt, Cores: 2}, engine.NoProgress{})
	b.must(err)
	return report
}

// collect collects what is there.
func (b *bench) collect(f *Folder) (engine.Status, *Collection) {
	b.Helper()
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { b.must(eng.Close()) }()
	c, err := f.Collect(b.Context(), b.place(), eng, program)
	b.must(err)
	status, err := eng.Wait(b.Context(), c.Run)
	b.must(err)
	return status, c
}

// refused is the error of a collection that must not begin.
func (b *bench) refused(f *Folder) error {
	b.Helper()
	runs, before := len(b.runs()), files(b.T, b.ws.Path())
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { b.must(eng.Close()) }()
	_, err := f.Collect(b.Context(), b.place(), eng, program)
	if err == nil {
		b.Fatal("it is collected")
	}
	if after := files(b.T, b.ws.Path()); len(b.runs()) != runs || !maps.Equal(before, after) {
		b.Error("something was recorded")
	}
	return err
}

func (b *bench) runs() []store.RunRecord {
	b.Helper()
	list, err := b.ws.Runs()
	b.must(err)
	return list
}

// local computes a request in the usual way and gives the signal files.
func (b *bench) local(req job.Request) map[string]string {
	b.Helper()
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: 2})
	defer func() { b.must(eng.Close()) }()
	id, refused, err := job.Start(b.Context(), b.ws, eng, b.rt, req, engine.NoProgress{})
	b.must(err)
	status, err := eng.Wait(b.Context(), id)
	b.must(err)
	if status.Phase != engine.Done || status.Failed > 0 || len(refused) > 0 {
		b.Fatalf("%+v %v", status, refused)
	}
	return b.signals()
}

// signals are the signal files by name.
func (b *bench) signals() map[string]string {
	b.Helper()
	return files(b.T, filepath.Join(b.ws.Path(), "signals"))
}

// files are the contents of all files below a folder but for databases.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".db") {
			return err
		}
		name, _ := filepath.Rel(root, path)
		data, err := os.ReadFile(path)
		list[name] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return list
}

// change alters a file.
func (b *bench) change(path string, alter func(data []byte) []byte) {
	b.Helper()
	data, err := os.ReadFile(path)
	b.must(err)
	b.must(os.WriteFile(path, alter(data), 0o644))
}
