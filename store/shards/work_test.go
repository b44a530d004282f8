package shards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// whole is a plan of two models and three units each in one shard, with the results that it has
// when it is computed.
func whole(t *testing.T) (b *fixture, f *Folder, want map[string]string) {
	t.Helper()
	b = newFixture(t, 700, "a", "b")
	f = b.plan(b.request(), 1)
	var p testdata.Progress
	report, err := f.Work(t.Context(), 1, b.by(1), &p)
	if err != nil || report.Computed != 6 || report.Inferences != 2*700*3 {
		t.Fatalf("%+v %v", report, err)
	}
	p.Whole(t, report.Inferences)
	return b, f, b.results(f)
}

// same compares the results of a shard with those that it should have.
func (b *fixture) same(f *Folder, want map[string]string) {
	b.Helper()
	if got := b.results(f); !maps.Equal(got, want) {
		b.Errorf("%d files in place of %d, or other ones", len(got), len(want))
	}
}

func (b *fixture) results(f *Folder) map[string]string {
	b.Helper()
	return files(b.T, f.path(resultsFolder))
}

// empty removes all results.
func (b *fixture) empty(f *Folder) {
	b.Helper()
	for name := range b.results(f) {
		must(b, os.Remove(filepath.Join(f.path(resultsFolder), name)))
	}
}

// TestAnInterruptedShardGoesOn: what was computed stays, and the end has the bits of a shard that
// nobody interrupted.
func TestAnInterruptedShardGoesOn(t *testing.T) {
	b, f, want := whole(t)
	b.empty(f)
	for at := int64(5); ; at += 17 {
		ctx, cancel := context.WithCancel(t.Context())
		b.rt.Batches.Store(0)
		b.rt.OnRun = func(ctx context.Context, _ engine.Feed, n int64) error {
			if n == at {
				cancel()
			}
			return ctx.Err()
		}
		before := len(b.results(f))
		report, err := f.Work(ctx, 1, b.by(2), engine.NoProgress{})
		cancel()
		if report.Reused != before || report.Computed+report.Reused+report.Left != 6 || report.Failed > 0 ||
			len(b.results(f)) != report.Reused+report.Computed {
			t.Errorf("%d results, %+v", before, report)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	b.same(f, want)
}

// TestTwoWorkersOnOneShard do no harm.
func TestTwoWorkersOnOneShard(t *testing.T) {
	b, f, want := whole(t)
	b.empty(f)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			report, err := f.Work(t.Context(), 1, b.by(2), engine.NoProgress{})
			if err != nil || report.Computed+report.Reused != 6 {
				t.Errorf("%+v %v", report, err)
			}
		})
	}
	both.Wait()
	b.same(f, want)
}

// TestFailedUnits: a model that fails is noted and the others go on; once the reason is gone, the
// shard is completed and the note goes.
func TestFailedUnits(t *testing.T) {
	b, f, want := whole(t)
	b.empty(f)
	bad := f.models[0]
	fails := func(feed engine.Feed) error {
		if strings.Contains(feed.Path, bad.Spec.Model) {
			return errors.New("it\nfails")
		}
		return nil
	}
	for _, name := range []string{"run", "probe", "panic"} {
		b.rt.OnRun = func(_ context.Context, feed engine.Feed, _ int64) error {
			if err := fails(feed); err != nil && name == "panic" {
				panic(err.Error())
			}
			return fails(feed)
		}
		if name == "probe" {
			b.rt.OnRun = nil
			b.rt.OnProbe = func(_ context.Context, feed engine.Feed) error { return fails(feed) }
		}
		report, err := f.Work(t.Context(), 1, b.by(1), engine.NoProgress{})
		if err != nil || report.Failed != 1 || report.Left != 2 || report.Computed+report.Reused != 3 ||
			len(report.Failures) != 1 {
			t.Fatalf("%s: %+v %v", name, report, err)
		}
		failure := report.Failures[0]
		var n Failure
		data, err := os.ReadFile(f.path(failedName(failure.Unit)))
		if err != nil || json.Unmarshal(data, &n) != nil || n != failure || failure.Model != bad.ID ||
			!strings.Contains(n.Reason, "it fails") {
			t.Errorf("%s: noted %+v of %+v, %v", name, n, failure, err)
		}
		b.rt.OnRun, b.rt.OnProbe = nil, nil
	}
	b.work(f, 1)
	b.same(f, want)
}

// TestTimeLimit: a unit that takes too long is given up; nothing waits for it.
func TestTimeLimit(t *testing.T) {
	b, f, _ := whole(t)
	b.empty(f)
	bad := f.models[0].Spec.Model
	b.rt.OnRun = func(ctx context.Context, feed engine.Feed, _ int64) error {
		if strings.Contains(feed.Path, bad) {
			<-ctx.Done()
		}
		return nil
	}
	report, err := f.Work(t.Context(), 1, Worker{
		Program: program, Runtime: b.rt, Cores: 1, UnitTime: 50 * time.Millisecond,
	}, engine.NoProgress{})
	if err != nil || report.Failed < 1 || !strings.Contains(report.Failures[0].Reason, "took longer than 50ms") {
		t.Errorf("%+v %v", report, err)
	}
}

// TestADiskThatFails ends the work with the disk's error, and what was there stays.
func TestADiskThatFails(t *testing.T) {
	b, f, want := whole(t)
	b.empty(f)
	places := 0
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Rename {
			if places++; places == 3 {
				return durable.ErrFull
			}
		}
		return nil
	})
	report, err := f.Work(t.Context(), 1, b.by(1), engine.NoProgress{})
	stop()
	if !errors.Is(err, durable.ErrFull) || report.Failed != 0 || report.Computed < 2 {
		t.Errorf("%+v %v", report, err)
	}
	b.work(f, 1)
	b.same(f, want)
}

// TestRefusedWork: other shards, versions and processors.
func TestRefusedWork(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 2)
	mixed := b.request()
	mixed.Mixed = true
	anyProcessor := b.plan(mixed, 1)
	foreign := b.remade(f, func(m *manifest) {
		b.orders(m, func(o *wire.Order) { o.Spec.Level = "other" })
	})
	own := Worker{Program: program, Runtime: b.rt}
	newer := Worker{Program: "0.1.1", Runtime: b.rt}
	const versions = "the plan is of Variscope 0.1.0, and this is 0.1.1"
	for name, test := range map[string]struct {
		f     *Folder
		shard int
		by    Worker
		want  string
	}{
		"no shard 0":  {f, 0, own, "shards 1 to 2"},
		"no shard -1": {f, -1, own, "shards 1 to 2"},
		"no shard 3":  {f, 3, own, "no shard 3"},
		"runtime": {
			f, 1,
			Worker{Program: program, Runtime: &sums.Runtime{Release: "2.0"}},
			"ONNX Runtime 1.0, and this machine has 2.0",
		},
		"no runtime":    {f, 1, Worker{Program: program}, engine.ErrNoRuntime.Error()},
		"other program": {f, 1, newer, versions},
		"mixed, too":    {anyProcessor, 1, newer, versions},
		"other processor": {
			foreign, 1, own,
			"processors with other (" + runtime.GOARCH + "), and this machine has " + engine.Level(),
		},
	} {
		_, err := test.f.Work(t.Context(), test.shard, test.by, engine.NoProgress{})
		testdata.Refused(t, name, err, test.want)
		testdata.Is(t, name, len(b.results(test.f)), 0)
	}
	testdata.Is(t, "mixed", b.work(anyProcessor, 1).Computed, 1)
}

// remade is a folder like another with a changed manifest that is written as it should be.
func (b *fixture) remade(f *Folder, alter func(*manifest)) *Folder {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "remade")
	must(b, os.CopyFS(dir, os.DirFS(f.dir)))
	b.change(filepath.Join(dir, manifestFile), func(data []byte) []byte {
		var m manifest
		must(b, json.Unmarshal(data, &m))
		alter(&m)
		return m.encode()
	})
	return b.open(dir)
}

// orders changes all orders of a manifest, which get the names that belong to them.
func (b *fixture) orders(m *manifest, alter func(*wire.Order)) {
	b.Helper()
	for i := range m.Models {
		b.order(m, i, alter)
	}
}

// order changes the order of one model.
func (b *fixture) order(m *manifest, i int, alter func(*wire.Order)) {
	b.Helper()
	o, err := wire.ParseOrder(m.Models[i].Order)
	must(b, err)
	alter(&o)
	o.Unit = o.Spec.UnitKey(o.Chunk)
	m.Models[i].Order, err = o.Encode()
	must(b, err)
}

// childWorks computes the only shard of a plan and prints a line per inference; it is killed
// meanwhile.
func childWorks(dir string) error {
	f, err := Open(dir)
	if err != nil {
		return err
	}
	rt := &sums.Runtime{OnRun: func(context.Context, engine.Feed, int64) error {
		fmt.Println("inference")
		return nil
	}}
	_, err = f.Work(context.Background(), 1, Worker{Program: program, Runtime: rt, Cores: 2, UnitTime: time.Hour},
		engine.NoProgress{})
	return err
}

// TestAKilledShardGoesOn kills a shard's process at random inferences and steps of writing: what
// is there is whole, and the repetition has the bits of a shard that nobody killed and leaves no
// drafts behind.
func TestAKilledShardGoesOn(t *testing.T) {
	b, f, want := whole(t)
	b.empty(f)
	calm := kill.Undisturbed(t, "shard", f.dir)
	if got := b.results(f); !maps.Equal(got, want) {
		t.Fatal("another process has other results")
	}
	random, rounds := kill.Random(t), 12
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		b.empty(f)
		for range 3 {
			m := calm.Draw(random)
			kill.At(t, m, "shard", f.dir)
			for name, data := range b.results(f) {
				if !strings.HasSuffix(name, durable.PartSuffix) && data != want[name] {
					t.Errorf("killed %v: %s is not what it should be", m, name)
				}
			}
		}
		b.work(f, 1)
		b.same(f, want)
	}
}

// TestPacksAtWorkShareTheirRoom: the memory of composites does not grow with the packs that are at
// work.
func TestPacksAtWorkShareTheirRoom(t *testing.T) {
	b := newFixture(t, 300, "a")
	f := b.plan(b.scened(), 1)
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	w := &worker{
		folder: f, by: Worker{UnitTime: time.Hour}, ctx: ctx, stop: stop, progress: engine.NoProgress{},
		seen: map[string]bool{}, kept: background.NewKept(background.Room{Scenes: 1000, Foregrounds: 1000}),
	}
	before := int64(0)
	for _, u := range f.units {
		c := newWorkUnit(w, u)
		o := testdata.Must(c.prepare())(b)
		first, _ := c.Spec.ChunkImages(c.Chunk)
		for i := first; i < first+10; i++ {
			fitted := make([]float32, 36)
			fitting := suite.Fitting{Channels: 1, Height: 6, Width: 6}
			must(b, o.Source.(engine.Composer).Compose(make([]float32, 36), fitted, i, 1, fitting))
		}
		if kept := w.kept.Bytes(); kept == 0 || kept > 2000 || before > 0 && kept < before {
			t.Errorf("%d bytes are kept after %d", kept, before)
		} else {
			before = kept
		}
		c.end()
	}
}

// TestAUnitThatCannotBeWritten is a failure like any other.
func TestAUnitThatCannotBeWritten(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 1)
	b.work(f, 1)
	o := f.all()[0]
	unit := testdata.Must(f.result(o.Unit, o.Spec, o.Chunk))(b)
	b.empty(f)
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	w := &worker{
		folder: f, by: Worker{UnitTime: time.Hour}, ctx: ctx, stop: stop, progress: engine.NoProgress{},
		given: map[string]bool{},
	}
	unit.Prediction[0] = 77 // no result can hold it
	newWorkUnit(w, f.units[0]).Done(unit, engine.Timings{})
	if w.report.Failed != 1 || w.report.Computed != 0 || f.noted(o.Unit) == "" || ctx.Err() != nil {
		t.Errorf("%+v", w.report)
	}
}
