package cluster

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

var must = testdata.OK

// TestMain fails when goroutines are left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const family = "rotation:-10:10:10"

// quick makes what would take minutes take seconds.
var quick = Pace{Beat: 100 * time.Millisecond, AckWait: 2500 * time.Millisecond}

// desk is a workspace with a suite and models on an engine.
type desk struct {
	*testing.T
	ws    *store.Workspace
	eng   *engine.Engine
	rt    *sums.Runtime
	suite suite.Manifest
	// coordinator is the last one that was attached.
	coordinator *Coordinator
}

// newDesk has models named by the letters of ids.
func newDesk(t *testing.T, root, ids string, workers int) *desk {
	t.Helper()
	d := &desk{T: t, rt: &sums.Runtime{}}
	d.ws, d.suite = sums.Workspace(t, root)
	d.open(workers)
	t.Cleanup(func() { must(d, d.eng.Close()) })
	for _, id := range strings.Split(ids, "") {
		m := sums.Model(id)
		m.Graph.Metadata = map[string]string{"mean": "0", "std": "1"} // so that runs have no batches but their own
		_, _, err := d.ws.AddModel(m, strings.NewReader("model "+id))
		must(d, err)
	}
	return d
}

// open starts an engine.
func (d *desk) open(workers int) { d.eng = engine.New(d.rt, d.ws, engine.Limits{Workers: workers}) }

func (d *desk) start() string {
	d.Helper()
	id, _, err := job.Start(d.Context(), d.ws, d.eng, d.rt, job.Request{Suite: d.suite.Hash, Family: family},
		engine.NoProgress{})
	must(d, err)
	return id
}

// wait returns how a run ended, which it must do soon.
func (d *desk) wait(id string) engine.Status {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), 60*time.Second)
	defer cancel()
	status, err := d.eng.Wait(ctx, id)
	if err != nil {
		if d.coordinator != nil {
			d.Logf("workers: %+v", d.coordinator.Workers())
		}
		d.Fatalf("%v: %+v", err, status)
	}
	return status
}

// done waits for a run, which must compute everything.
func (d *desk) done(id string) engine.Status {
	d.Helper()
	s := d.wait(id)
	if s.Phase != engine.Done {
		d.Fatalf("%+v", s)
	}
	return s
}

// signals are the bytes of all signal files, by name.
func (d *desk) signals() map[string]string {
	d.Helper()
	files := map[string]string{}
	must(d, filepath.WalkDir(filepath.Join(d.ws.Path(), "signals"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var content []byte
			content, err = os.ReadFile(path)
			files[filepath.Base(path)] = string(content)
		}
		return err
	}))
	return files
}

// local are the signals of the same models computed without anybody's help.
func local(t *testing.T, root, ids string) map[string]string {
	t.Helper()
	d := newDesk(t, root, ids, 2)
	d.done(d.start())
	return d.signals()
}

// compared is a desk that computes nothing itself, with models on so many images, and what a local
// run of the same gives.
func compared(t *testing.T, images int, ids string) (d *desk, want map[string]string) {
	t.Helper()
	root := sums.Pets(t, images)
	return newDesk(t, root, ids, engine.NoWorkers), local(t, root, ids)
}

// same compares signals byte by byte.
func (d *desk) same(want map[string]string) {
	d.Helper()
	have := d.signals()
	for name, content := range want {
		if have[name] != content {
			d.Errorf("unit %.12s: %d bytes that differ from those of a local run (%d)", name, len(have[name]),
				len(content))
		}
	}
	if len(have) != len(want) || len(want) == 0 {
		d.Errorf("%d units in place of %d", len(have), len(want))
	}
}

func self() Machine {
	return Machine{Name: "desk", Program: "1", Runtime: "1.0", Arch: runtime.GOARCH, Level: engine.Level(), Cores: 1}
}

// serve attaches a coordinator to the desk.
func (d *desk) serve(dir string) (c *Coordinator, detach func()) {
	d.Helper()
	c, err := Serve(d.Context(), dir, "127.0.0.1:0", Options{Self: self(), Pace: quick, Log: logTo(d.T, "coordinator")})
	must(d, err)
	d.coordinator = c
	return c, d.eng.Attach(c)
}

// served is serve that ends with the test.
func (d *desk) served() *Coordinator {
	d.Helper()
	c, detach := d.serve(filepath.Join(d.TempDir(), "queue"))
	d.Cleanup(func() {
		detach()
		c.Close()
	})
	return c
}

// hand is a worker in this process.
type hand struct {
	t     *testing.T
	rt    *sums.Runtime
	end   context.CancelFunc
	ended chan error
}

func hire(t *testing.T, line string, change func(*WorkOptions)) *hand {
	t.Helper()
	j := testdata.Must(ParseJoin(line))(t)
	h := &hand{t: t, rt: &sums.Runtime{}, ended: make(chan error, 1)}
	o := WorkOptions{
		Self: self(), Runtime: h.rt, Cache: t.TempDir(), CacheBytes: 1 << 30, UnitTime: time.Hour,
		Log: logTo(t, "worker"), Patience: time.Second,
	}
	o.Self.Name = "worker"
	if change != nil {
		change(&o)
	}
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	go func() { h.ended <- Work(ctx, j, o) }()
	t.Cleanup(func() {
		end()
		_ = h.gone()
	})
	return h
}

// gone waits for the worker's end and returns its error.
func (h *hand) gone() error {
	h.t.Helper()
	select {
	case err := <-h.ended:
		h.ended <- err
		return err
	case <-time.After(30 * time.Second):
		h.t.Fatal("the worker does not end")
		return nil
	}
}

// until waits for something that happens within a minute.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !happened() {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen within a minute: %s", what)
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

// logTo shows what a process logs where the test fails.
func logTo(t *testing.T, who string) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelInfo})).With("who", who)
}
