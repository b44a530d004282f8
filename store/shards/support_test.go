package shards

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

var must = testdata.OK

// TestMain serves as the process of a shard that is killed, and fails when goroutines are left
// behind.
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

// fixture is a workspace with a suite of 6 x 6 images in the classes cat, dog and eel, and a
// runtime.
type fixture struct {
	*testing.T
	ws    *store.Workspace
	rt    *sums.Runtime
	suite suite.Manifest
	root  string // of the suite
}

func newFixture(t *testing.T, images int, models ...string) *fixture {
	t.Helper()
	b := &fixture{T: t, rt: &sums.Runtime{}, root: sums.Pets(t, images)}
	b.ws, b.suite = sums.Workspace(t, b.root)
	for _, id := range models {
		b.model(id)
	}
	return b
}

// model adds a model with the tensors c1, c2 and the class output y, whose range is said, so that
// runs have no batches but their own.
func (b *fixture) model(id string) model.Model {
	b.Helper()
	m := sums.Model(id)
	m.Graph.Head = "c2"
	m.Graph.Metadata = map[string]string{"mean": "0", "std": "1"}
	m, _, err := b.ws.AddModel(m, strings.NewReader("model "+id))
	must(b, err)
	return m
}

// scened is a request under three scenes per target.
func (b *fixture) scened() job.Request {
	b.Helper()
	text := testdata.Must(sums.Scenes(b, b.ws, b.suite, 3).Family())(b)
	return job.Request{Suite: b.suite.Hash, Family: text}
}

// says looks whether an error says all of these texts.
func says(t testing.TB, err error, texts ...string) {
	t.Helper()
	testdata.Refused(t, "the call", err, texts...)
}

func (b *fixture) request() job.Request { return job.Request{Suite: b.suite.Hash, Family: family} }

// place is where runs are prepared.
func (b *fixture) place() job.Place {
	return job.Place{Workspace: b.ws, Runtime: b.rt, Limits: engine.Limits{Batch: engine.DefaultBatch}}
}

// write tries to plan a run.
func (b *fixture) write(dir string, req job.Request, shards int) (Written, error) {
	b.Helper()
	if there, err := Open(dir); err == nil && req.Batch == 0 {
		req.Batches = there.Request.Batches
	}
	run := testdata.Must(job.Prepare(b.Context(), b.place(), req, engine.NoProgress{}))(b)
	defer func() { must(b, run.Close()) }()
	return Write(b.Context(), dir, Making{Program: program, Run: run, Has: b.ws.Has, Shards: shards},
		engine.NoProgress{})
}

// plan plans a run into a new folder.
func (b *fixture) plan(req job.Request, shards int) *Folder {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "plan")
	must(b, testdata.Err(b.write(dir, req, shards)))
	return b.open(dir)
}

func (b *fixture) open(dir string) *Folder {
	b.Helper()
	f := testdata.Must(Open(dir))(b)
	return f
}

// by is the fixture as a worker.
func (b *fixture) by(cores int) Worker {
	return Worker{Program: program, Runtime: b.rt, Cores: cores, UnitTime: time.Hour}
}

// all describes the units of all shards.
func (p *Plan) all() (list []wire.Order) {
	for _, u := range p.units {
		list = append(list, p.order(u))
	}
	return list
}

// work computes a shard.
func (b *fixture) work(f *Folder, shard int) Report {
	b.Helper()
	report := testdata.Must(f.Work(b.Context(), shard, b.by(2), engine.NoProgress{}))(b)
	return report
}

// collect collects what is there.
func (b *fixture) collect(f *Folder) (engine.Status, *Collection) {
	b.Helper()
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { must(b, eng.Close()) }()
	c := testdata.Must(f.Collect(b.Context(), b.place(), eng, program))(b)
	status := testdata.Must(eng.Wait(b.Context(), c.Run))(b)
	return status, c
}

// refused is the error of a collection that must not begin.
func (b *fixture) refused(f *Folder) error {
	b.Helper()
	runs, before := len(b.runs()), files(b.T, b.ws.Path())
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { must(b, eng.Close()) }()
	_, err := f.Collect(b.Context(), b.place(), eng, program)
	if err == nil {
		b.Fatal("it is collected")
	}
	if after := files(b.T, b.ws.Path()); len(b.runs()) != runs || !maps.Equal(before, after) {
		b.Error("something was recorded")
	}
	return err
}

func (b *fixture) runs() []store.RunRecord {
	b.Helper()
	list := testdata.Must(b.ws.Runs())(b)
	return list
}

// local computes a request in the usual way and gives the signal files.
func (b *fixture) local(req job.Request) map[string]string {
	b.Helper()
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: 2})
	defer func() { must(b, eng.Close()) }()
	id, refused, err := job.Start(b.Context(), b.ws, eng, b.rt, req, engine.NoProgress{})
	must(b, err)
	status := testdata.Must(eng.Wait(b.Context(), id))(b)
	if status.Phase != engine.Done || status.Failed > 0 || len(refused) > 0 {
		b.Fatalf("%+v %v", status, refused)
	}
	return b.signals()
}

// signals are the signal files by name.
func (b *fixture) signals() map[string]string {
	b.Helper()
	return files(b.T, filepath.Join(b.ws.Path(), "signals"))
}

// files are the contents of all files below a folder but for databases.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".db") || !e.Type().IsRegular() {
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
func (b *fixture) change(path string, alter func(data []byte) []byte) {
	b.Helper()
	data, err := os.ReadFile(path)
	must(b, err)
	must(b, os.WriteFile(path, alter(data), 0o644))
}
