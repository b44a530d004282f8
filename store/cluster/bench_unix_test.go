//go:build unix

package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	pictures "github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// A run of a benchmark has so many models, with so many units each, of images of benchSide x
// benchSide pixels.
const benchModels, benchChunks, benchSide = 4, 10, 28

// benchUnits are all units of a run.
const benchUnits = benchModels * benchChunks

// BenchmarkUnit is what a usual unit costs beside its inference, which waits here and uses no
// processor: 256 images of 28 x 28 under 31 rotations, three positions, ten classes. Plain is a
// run of this process alone with one core, the other a coordinator and a worker with one core,
// each in a process. Every tenth unit fetches a model of 66 kB, and its images are packed and
// fetched.
//
//	cpu-ms/unit    of the process that has the workspace
//	worker-ms/unit of the worker, with its start and the first run
//	gap-us         between the last inference of a unit and the first one of the next, the median
//	kB-in/unit     what the worker fetches: order, answers, images and model, without TLS
//	kB-out/unit    what it brings
//	messages/unit  in both directions
func BenchmarkUnit(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		d := newBenchDesk(b, 1)
		d.measure(b, d.rt, func() {})
	})
	b.Run("worker", func(b *testing.B) {
		d := newBenchDesk(b, engine.NoWorkers)
		c, err := Serve(b.Context(), filepath.Join(b.TempDir(), "queue"), "127.0.0.1:0", Options{Self: self()})
		must(d, err)
		detach := d.eng.Attach(c)
		dismiss := d.hire(c)
		d.run(b) // the first one fetches the images
		before := d.traffic(c)
		d.measure(b, nil, func() {
			units := float64(b.N * benchUnits)
			now := d.traffic(c)
			b.ReportMetric(float64(now.out-before.out)/1e3/units, "kB-in/unit")
			b.ReportMetric(float64(now.in-before.in)/1e3/units, "kB-out/unit")
			b.ReportMetric(float64(now.messages-before.messages)/units, "messages/unit")
		})
		used, gap := dismiss()
		detach()
		c.Close()
		b.ReportMetric(float64(used)/float64(time.Millisecond)/float64((b.N+1)*benchUnits), "worker-ms/unit")
		b.ReportMetric(gap, "gap-us")
	})
}

// benchDesk is a workspace for benchmarks.
type benchDesk struct {
	testing.TB
	ws    *store.Workspace
	eng   *engine.Engine
	rt    *instant
	suite suite.Manifest
	made  int // models
}

func newBenchDesk(b *testing.B, workers int) *benchDesk {
	d := &benchDesk{TB: b, rt: &instant{}}
	ws := testdata.Must(store.Create(filepath.Join(b.TempDir(), "w.variscope")))(d)
	d.ws, d.eng = ws, engine.New(engine.InProcess{Library: d.rt}, ws,
		engine.Limits{Workers: workers, Batch: engine.DefaultBatch})
	b.Cleanup(func() {
		must(d, d.eng.Close())
		must(d, ws.Close())
	})
	path := filepath.Join(b.TempDir(), "noise-images-idx3-ubyte")
	pictures.Put(b, path, noise(0x803, benchChunks*256, benchSide, benchSide))
	pictures.Put(b, strings.Replace(path, "images-idx3", "labels-idx1", 1), noise(0x801, benchChunks*256))
	m, err := suite.Scan(b.Context(), path, suite.Options{}, engine.NoProgress{})
	must(d, err)
	d.suite, err = ws.AddSuite(m)
	must(d, err)
	return d
}

// noise is an IDX file whose values are below ten.
func noise(magic uint32, sizes ...int) []byte {
	file, n := binary.BigEndian.AppendUint32(nil, magic), 1
	for _, size := range sizes {
		file = binary.BigEndian.AppendUint32(file, uint32(size))
		n *= size
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range n {
		file = append(file, byte(random.IntN(10)))
	}
	return file
}

// benchLine is the variable by which this program, started once more, is a worker of that line.
const benchLine = "VARISCOPE_BENCH_LINE"

// init is the worker of a benchmark in a process of its own. It ends with its input, and says the
// gap between two units then.
func init() {
	line := os.Getenv(benchLine)
	if line == "" {
		return
	}
	j, err := ParseJoin(line)
	rt := &instant{}
	if err == nil {
		ctx, end := context.WithCancel(context.Background())
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			end()
		}()
		err = Work(ctx, j, WorkOptions{
			Self: self(), Runtime: engine.InProcess{Library: rt}, Cache: os.TempDir(),
			CacheBytes: 1 << 30, UnitTime: time.Hour,
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(float64(rt.gap()) / float64(time.Microsecond))
	os.Exit(0)
}

// hire starts a worker with one core. dismiss ends it, and says what processor time it took and
// the gap between two units in microseconds.
func (d *benchDesk) hire(c *Coordinator) (dismiss func() (used time.Duration, gap float64)) {
	program := testdata.Must(os.Executable())(d)
	cmd := exec.Command(program)
	var out strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), benchLine+"="+c.Join()[0], "TMPDIR="+d.TempDir()), &out,
		os.Stderr
	input, err := cmd.StdinPipe()
	must(d, err)
	must(d, cmd.Start())
	return func() (time.Duration, float64) {
		must(d, input.Close())
		must(d, cmd.Wait())
		gap, err := strconv.ParseFloat(out.String(), 64)
		must(d, err)
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), gap
	}
}

// run computes models that were not there before.
func (d *benchDesk) run(b *testing.B) {
	b.Helper()
	var models []string
	for range benchModels {
		d.made++
		id := fmt.Sprintf("m%d", d.made)
		m, _, err := d.ws.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
			Opset: 13, Input: model.Input{
				Name: "x", Layout: model.NCHW, Channels: 1, Height: benchSide, Width: benchSide,
			},
			Outputs: []model.Output{{Name: "y", Classes: 10}}, Convs: []string{"c1", "c2"},
			Tensors: []string{"c1", "c2", "y"},
		}}, strings.NewReader(id+strings.Repeat(" ", 66_000)))
		must(d, err)
		models = append(models, m.Hash)
	}
	run, _, err := job.Start(b.Context(), d.ws, d.eng, engine.InProcess{Library: d.rt}, job.Request{
		Suite: d.suite.Hash, Family: "rotation:-15:15:1", Models: models,
	}, engine.NoProgress{})
	must(d, err)
	if status, err := d.eng.Wait(b.Context(), run); err != nil || status.Phase != engine.Done {
		d.Fatalf("%v: %+v", err, status)
	}
}

// measure runs b.N times and reports per unit; more is asked before anything else happens.
func (d *benchDesk) measure(b *testing.B, rt *instant, more func()) {
	if rt != nil {
		rt.reset()
	}
	begun := processorTime(b)
	b.ResetTimer()
	for range b.N {
		d.run(b)
	}
	b.StopTimer()
	units := float64(b.N * benchUnits)
	more()
	b.ReportMetric(float64(processorTime(b)-begun)/float64(time.Millisecond)/units, "cpu-ms/unit")
	if rt != nil {
		b.ReportMetric(float64(rt.gap())/float64(time.Microsecond), "gap-us")
	}
}

// traffic is what the worker's connection has carried, as the server sees it.
type traffic struct{ in, out, messages int64 }

func (d *benchDesk) traffic(c *Coordinator) (sum traffic) {
	list := testdata.Must(c.server.server.Connz(nil))(d)
	for _, one := range list.Conns {
		if one.Name == self().Name {
			sum.in, sum.out, sum.messages = sum.in+one.InBytes, sum.out+one.OutBytes,
				sum.messages+one.InMsgs+one.OutMsgs
		}
	}
	return sum
}

// processorTime is that of this process so far.
func processorTime(tb testing.TB) time.Duration {
	var used syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// inferenceTime is how long an inference waits: a unit has 248 of them.
const inferenceTime = 300 * time.Microsecond

// instant is a runtime whose inferences take no processor time. It notes when a unit begins and
// ends.
type instant struct {
	mu   sync.Mutex
	runs int
	last time.Time
	gaps []time.Duration
}

// runsPerUnit are the inferences of one unit.
const runsPerUnit = 31 * 256 / engine.DefaultBatch

func (r *instant) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps = nil
}

// gap is the median time between two units.
func (r *instant) gap() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.gaps) == 0 {
		return 0
	}
	sorted := slices.Clone(r.gaps)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

func (*instant) Version() string { return "1.0" }

func (*instant) Probe(context.Context, engine.Feed) (engine.Probe, error) {
	return engine.Probe{Classes: 10}, nil
}

func (r *instant) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	return instantSession{r, feed}, nil
}

type instantSession struct {
	rt   *instant
	feed engine.Feed
}

func (instantSession) Close() error { return nil }

func (s instantSession) Runner() (engine.Runner, error) {
	n := s.feed.Input.Batch
	return &instantRunner{s, make([]float32, n*benchSide*benchSide), make([]float32, n*16)}, nil
}

type instantRunner struct {
	instantSession
	input, values []float32
}

func (r *instantRunner) Input() []float32 { return r.input }

func (*instantRunner) Mask(int) { panic("no masks here") }

func (r *instantRunner) Run(context.Context) error {
	r.rt.mu.Lock()
	defer r.rt.mu.Unlock()
	now := time.Now()
	if r.rt.runs%runsPerUnit == 0 && r.rt.runs > 0 {
		r.rt.gaps = append(r.rt.gaps, now.Sub(r.rt.last))
	}
	time.Sleep(inferenceTime) // what is measured, no synchronisation
	r.rt.runs, r.rt.last = r.rt.runs+1, time.Now()
	return nil
}

// Result is N x 10 for the class output and N x 4 x 2 x 2 for any other tensor.
func (r *instantRunner) Result(k int) ([]int64, []float32) {
	n := int64(r.feed.Input.Batch)
	if k > 0 {
		return []int64{n, 4, 2, 2}, r.values
	}
	return []int64{n, 10}, r.values[:10*n]
}
