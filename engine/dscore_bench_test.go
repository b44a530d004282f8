//go:build cgo

package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// BenchmarkDScore is what the signals of a D-Score cost, n = 3 and t = 5: the sets mask:3 and
// shift:3:5 of a CNN5 on 4,000 images through the engine, as a part of n*n + n*n plain inferences
// of these images by runners whose input lies there already, with the same batch on all processors.
// Both are run in turn; clock is the part of the time on the clock, cpu of the processors'.
func BenchmarkDScore(b *testing.B) {
	folder, ok := testdata.Zoo("mnist")
	if !ok {
		b.Log("zoo mnist: absent")
		return
	}
	rt := testdata.Must(onnx.Load("", ""))(b)
	defer func() { _ = rt.Close() }()
	d := dscoreBench{
		B: b, rt: engine.InProcess{Library: rt}, path: filepath.Join(folder, "models", "307.onnx"),
		workers: runtime.NumCPU(),
	}
	d.manifest = testdata.Must(suite.Scan(b.Context(), filepath.Join(folder, "test-images-idx3-ubyte.gz"),
		suite.Options{Labels: filepath.Join(folder, "test-labels-idx1-ubyte.gz")}, nil))(b)
	var of, plain [2]time.Duration // on the clock, of the processors
	var parts [2]time.Duration
	for b.Loop() {
		for k, set := range []string{"mask:3", "shift:3:5"} {
			clock, cpu := d.timed(func() { d.run(set) })
			of[0], of[1], parts[k] = of[0]+clock, of[1]+cpu, parts[k]+cpu
			clock, cpu = d.timed(func() { d.plain(9 * d.manifest.Images) })
			plain[0], plain[1] = plain[0]+clock, plain[1]+cpu
		}
	}
	b.ReportMetric(of[0].Seconds()/plain[0].Seconds(), "clock")
	b.ReportMetric(of[1].Seconds()/plain[1].Seconds(), "cpu")
	b.ReportMetric(2*parts[0].Seconds()/plain[1].Seconds(), "cpu-masks")
	b.ReportMetric(2*parts[1].Seconds()/plain[1].Seconds(), "cpu-shifts")
	b.ReportMetric(float64(b.N*18*d.manifest.Images)/plain[0].Seconds(), "plain-images/s")
}

type dscoreBench struct {
	*testing.B
	rt       engine.InProcess
	path     string
	manifest suite.Manifest
	workers  int
}

func (d *dscoreBench) timed(work func()) (clock, cpu time.Duration) {
	begin, used := time.Now(), testdata.ProcessorTime()
	work()
	return time.Since(begin), testdata.ProcessorTime() - used
}

func (d *dscoreBench) task(set string) engine.Task {
	family := testdata.Must(transform.ParseAny(set))(d)
	graph := testdata.Must(onnx.Inspect(d.path))(d)
	task := testdata.Must(engine.Plan(engine.PlanInput{
		Model: model.Model{Hash: "m", ID: "m", Graph: graph}, Path: d.path, Suite: d.manifest, Family: family,
		Runtime: d.rt.Version(),
	}))(d)
	task.Probed = true // once per model, not per suite
	return task
}

// run runs a set through the engine.
func (d *dscoreBench) run(set string) {
	source := testdata.Must(suite.Open(d.manifest, d.manifest.Root))(d)
	e := engine.New(d.rt, &units{byKey: map[string]*signal.Unit{}}, engine.Limits{Workers: d.workers})
	defer func() { _ = e.Close() }()
	task := d.task(set)
	testdata.OK(d, e.Submit(engine.Run{ID: "r", Source: source, Tasks: []engine.Task{task}, Close: source.Close}))
	status, err := e.Wait(context.Background(), "r")
	if err != nil || status.Phase != engine.Done || status.Done != int64(10*d.manifest.Images) {
		d.Fatal(fmt.Sprint(err, status))
	}
}

// plain runs the model on a number of images, one runner per processor.
func (d *dscoreBench) plain(images int) {
	feed := d.task(transform.Plain).Feed
	session := testdata.Must(d.rt.Open(d.Context(), feed))(d)
	defer func() { _ = session.Close() }()
	var group sync.WaitGroup
	for range d.workers {
		runner := testdata.Must(session.Runner())(d)
		defer func() { _ = runner.Close() }()
		for k := range runner.Input() {
			runner.Input()[k] = float32(k%7) / 7
		}
		group.Go(func() {
			for range images / feed.Input.Batch / d.workers {
				if err := runner.Run(d.Context()); err != nil {
					d.Error(err)
				}
			}
		})
	}
	group.Wait()
}
