package shards

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/job"
)

// requests are runs of all kinds on a fixture.
func requests(b *fixture) map[string]job.Request {
	vectors, set, derived, some := b.request(), b.request(), b.request(), b.request()
	vectors.Vectors = []string{"L2@CONV-1"}
	set.Family = transform.Rot90
	derived.Suite = b.derived()
	some.Batch, some.Positions, some.Mixed = 7, []string{model.CONF}, true
	return map[string]job.Request{
		"family": b.request(), "vectors": vectors, "set": set, "derived": derived,
		"scenes": b.scened(), "mixed": some,
	}
}

// derived is the suite with fog.
func (b *fixture) derived() string {
	b.Helper()
	m := testdata.Must(b.ws.DeriveSuite(b.suite.Hash, corrupt.Setting{Name: "fog", Severity: 3, Seed: 1}, ""))(b)
	return m.Hash
}

// TestPlannedRunsGiveTheBitsOfLocalOnes compares the signal files, for all kinds of runs and
// several numbers of shards.
func TestPlannedRunsGiveTheBitsOfLocalOnes(t *testing.T) {
	local, planned := newFixture(t, 300, "a", "b", "c"), newFixture(t, 300, "a", "b", "c")
	theirs := requests(planned)
	for name, req := range requests(local) {
		want := local.local(req)
		shards := 1 + len(name)%4
		f := planned.plan(theirs[name], shards)
		if f.Shards != shards || len(f.units) != 6 || len(f.models) != 3 || f.Request.Mixed != req.Mixed {
			t.Errorf("%s: %d shards, %d units, %d models", name, f.Shards, len(f.units), len(f.models))
		}
		for k := range shards {
			if r := planned.work(f, k+1); r.Computed != r.Units || r.Failed+r.Left+r.Reused != 0 {
				t.Errorf("%s: %+v", name, r)
			}
		}
		status, c := planned.collect(f)
		if status.Phase != engine.Done || status.Done != status.Total || status.Reused != 0 || len(c.Refused) > 0 {
			t.Errorf("%s: %+v", name, status)
		}
		for _, s := range c.States() {
			if !s.Complete() {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if got := planned.signals(); len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s: %d signal files in place of %d, or other ones", name, len(got), len(want))
		}
	}
	for _, r := range planned.runs() {
		if r.Phase != engine.Done || r.Mixed != job.Again(r).Mixed {
			t.Errorf("%+v", r)
		}
	}
}

// TestMixedRunsCarryTheMark, and their repetition does, too.
func TestMixedRunsCarryTheMark(t *testing.T) {
	b := newFixture(t, 5, "a")
	req := b.request()
	req.Mixed = true
	f := b.plan(req, 1)
	b.work(f, 1)
	b.collect(f)
	sets, err := b.ws.Sets(f.models[0].Spec.Model, "", "")
	if len(sets) != 1 || !sets[0].Spec.IsMixed() || sets[0].Spec.Arch != signal.Mixed {
		t.Errorf("%+v %v", sets, err)
	}
	record := b.runs()[0]
	if !record.Mixed {
		t.Errorf("%+v", record)
	}
	before := b.rt.Batches.Load()
	b.local(job.Again(record))
	if b.rt.Batches.Load() != before {
		t.Error("the repetition computes it again")
	}
	b.local(b.request())
	if b.rt.Batches.Load() == before {
		t.Error("a run for one kind of processor takes the signals of a mixed one")
	}
}

// TestOnlyWhatIsMissingIsPlanned: neither units of the workspace nor their models travel.
func TestOnlyWhatIsMissingIsPlanned(t *testing.T) {
	b := newFixture(t, 300, "a", "b")
	first := b.request()
	models := testdata.Must(b.ws.Models())(b)
	first.Models = []string{models[0].Hash}
	b.local(first)
	f := b.plan(b.request(), 3)
	if len(f.units) != 2 || len(f.models) != 1 || len(f.Request.Models) != 2 {
		t.Errorf("%d units of %d models; %d in the request", len(f.units), len(f.models), len(f.Request.Models))
	}
	if list := files(t, filepath.Join(f.dir, modelsFolder)); len(list) != 1 {
		t.Errorf("%d models", len(list))
	}
	for k := range 3 {
		b.work(f, k+1)
	}
	if status, _ := b.collect(f); status.Reused*2 != status.Total || status.Failed > 0 {
		t.Errorf("%+v", status)
	}
	says(t, testdata.Err(b.write(filepath.Join(t.TempDir(), "p"), b.request(), 1)), "nothing to plan")
}

// TestPlanningAgain: the same plan is welcome and mends the folder, any other content is not
// touched.
func TestPlanningAgain(t *testing.T) {
	b := newFixture(t, 300, "a", "b")
	f := b.plan(b.request(), 2)
	b.work(f, 1)
	want := files(t, f.dir)
	for name := range want {
		if name == manifestFile || strings.HasPrefix(name, resultsFolder) {
			continue
		}
		b.change(filepath.Join(f.dir, name), func(data []byte) []byte { return data[:len(data)-1] })
		must(t, testdata.Err(b.write(f.dir, b.request(), 2)))
		must(b, os.Remove(filepath.Join(f.dir, name)))
		must(t, testdata.Err(b.write(f.dir, b.request(), 2)))
	}
	if got := files(t, f.dir); !maps.Equal(got, want) {
		t.Errorf("%q in place of %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	same := b.request()
	for _, p := range f.models[0].Spec.Positions {
		same.Positions = append(same.Positions, p.Name)
	}
	testdata.Is(t, "the positions of the plan by their names", testdata.Must(b.write(f.dir, same, 2))(t).Again, true)
	says(t, testdata.Err(b.write(f.dir, b.request(), 3)), "another plan")
	other := t.TempDir()
	must(t, testdata.Err(b.write(other, b.request(), 2)))
	full := t.TempDir()
	must(b, os.WriteFile(filepath.Join(full, "notes.txt"), []byte("mine"), 0o644))
	if _, err := b.write(full, b.request(), 2); err == nil || len(files(t, full)) != 1 {
		t.Errorf("a folder with something else: %v", err)
	}
	if got := files(t, f.dir); !maps.Equal(got, want) {
		t.Error("a refused plan has changed the folder")
	}
	for _, n := range []int{0, -1, MaxShards + 1} {
		if _, err := b.write(filepath.Join(t.TempDir(), "p"), b.request(), n); err == nil {
			t.Errorf("%d shards", n)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(f.dir), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q are left behind, %v", left, err)
	}
}

// TestSessionsAreOpenedOncePerShard: the units of a model stay together.
func TestSessionsAreOpenedOncePerShard(t *testing.T) {
	b := newFixture(t, 700, "a", "b")
	f := b.plan(b.request(), 2)
	b.rt.Opened.Store(0)
	probed := len(b.rt.Probed())
	for k := range 2 {
		report, err := f.Work(t.Context(), k+1, b.by(1), engine.NoProgress{})
		if err != nil || report.Units != 3 {
			t.Errorf("%+v %v", report, err)
		}
	}
	if b.rt.Opened.Load() != 2 || len(b.rt.Probed())-probed != 2 {
		t.Errorf("opened %d times, tried %d times", b.rt.Opened.Load(), len(b.rt.Probed())-probed)
	}
}

// TestCut: the shards of all units ascend, and are as even as whole units let them be.
func TestCut(t *testing.T) {
	const whole, last = 256 * 31, 16 * 31 // inferences of a unit
	for _, c := range []struct{ models, chunks, shards int }{
		{1, 1, 1}, {1, 1, 300}, {1, 3, 2}, {1, 40, 13}, {2, 3, 5}, {2, 40, 5}, {7, 3, 13}, {7, 40, 2}, {7, 40, 300},
	} {
		var units []planned
		for m := range c.models {
			for k := range c.chunks {
				units = append(units, planned{model: m, chunk: k, inferences: whole})
			}
			units[len(units)-1].inferences = last
		}
		before := slices.Clone(units)
		cut(units, c.shards)
		sums, total := make([]int64, c.shards), int64(0)
		for i, u := range units {
			before[i].shard = u.shard
			if u != before[i] || u.shard < 1 || u.shard > c.shards || i > 0 && u.shard < units[i-1].shard {
				t.Fatalf("%+v: unit %d of %v", c, i, units)
			}
			sums[u.shard-1] += u.inferences
			total += u.inferences
		}
		even := total / int64(c.shards)
		for k, sum := range sums {
			if sum > even+whole || c.shards < len(units)/2 && sum < even-whole {
				t.Errorf("%+v: shard %d has %d of %d inferences", c, k+1, sum, total)
			}
		}
	}
}

func TestShardList(t *testing.T) {
	for want, list := range map[string][]int{
		"shard 3": {3}, "shards 1-2": {1, 2},
		"shards 1, 3-5, 9": {1, 3, 4, 5, 9},
	} {
		if got := shardList(list); got != want {
			t.Errorf("%q in place of %q", got, want)
		}
	}
}
