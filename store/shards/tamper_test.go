package shards

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// tampering is what can happen to a file.
var tampering = map[string]func(data []byte) []byte{
	"cut off":  func(data []byte) []byte { return data[:len(data)/2] },
	"empty":    func([]byte) []byte { return nil },
	"longer":   func(data []byte) []byte { return append(data, 0) },
	"flipped":  func(data []byte) []byte { data[len(data)/2] ^= 1; return data },
	"one byte": func(data []byte) []byte { return append(data[:len(data)-1], data[len(data)-1]^128) },
	"other":    func(data []byte) []byte { return bytes.Repeat([]byte("x"), len(data)) },
}

// TestTamperedManifest is refused whatever happened to it.
func TestTamperedManifest(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 1)
	path := f.path(manifestFile)
	data := testdata.Must(os.ReadFile(path))(b)
	more := maps.Clone(tampering)
	more["newer"] = func(data []byte) []byte {
		return bytes.Replace(data, []byte(`"variscope_plan":3`), []byte(`"variscope_plan":4`), 1)
	}
	more["another number"] = func(data []byte) []byte {
		return bytes.Replace(data, []byte(`"chunks":[0]`), []byte(`"chunks":[1]`), 1)
	}
	more["spaces"] = func(data []byte) []byte { return bytes.Replace(data, []byte(`,`), []byte(`, `), 1) }
	more["a field more"] = func(data []byte) []byte {
		return bytes.Replace(data, []byte(`{`), []byte(`{"path":"/etc",`), 1)
	}
	for name, alter := range more {
		must(b, os.WriteFile(path, alter(bytes.Clone(data)), 0o644))
		says := map[string]string{"newer": "form 4, and this program reads form 3"}[name]
		testdata.Refused(t, name, testdata.Err(Open(f.dir)), path, says)
	}
	must(b, os.Remove(path))
	says(t, testdata.Err(Open(f.dir)), "is no plan")
	must(b, os.Mkdir(path, 0o755))
	testdata.Refused(t, "a folder as manifest", testdata.Err(Open(f.dir)))
}

// TestTamperedModelsAndImages: their units fail with a sentence that names the file, the others
// are computed, and planning again brings the file back.
func TestTamperedModelsAndImages(t *testing.T) {
	b, f, want := whole(t)
	for _, place := range []string{modelName(f.models[0].Spec.Model), packName(f.packs[1].SHA256)} {
		original, err := os.ReadFile(f.path(place))
		must(b, err)
		alterations := maps.Clone(tampering)
		alterations["gone"] = nil
		for name, alter := range alterations {
			b.empty(f)
			if alter == nil {
				must(b, os.Remove(f.path(place)))
			} else {
				must(b, os.WriteFile(f.path(place), alter(bytes.Clone(original)), 0o644))
			}
			report, err := f.Work(t.Context(), 1, b.by(2), engine.NoProgress{})
			if err != nil || report.Failed == 0 ||
				!strings.Contains(report.Failures[0].Reason, filepath.FromSlash(place)) {
				t.Errorf("%s %s: %+v %v", place, name, report, err)
			}
			if sound := map[string]int{modelsFolder: 3, imagesFolder: 4}[place[:6]]; report.Computed != sound {
				t.Errorf("%s %s: %d units are computed in place of %d", place, name, report.Computed, sound)
			}
			if name == "flipped" {
				status, _ := b.collect(f)
				if status.Failed == 0 || !strings.Contains(status.Tasks[0].Err.Error(), filepath.FromSlash(place)) {
					t.Errorf("%s: %+v", place, status)
				}
			}
			must(b, os.WriteFile(f.path(place), original, 0o644))
		}
	}
	b.work(f, 1)
	b.same(f, want)
}

// TestTamperedResults: neither is recorded; the sentence names the file and the shard, which
// computes it anew.
func TestTamperedResults(t *testing.T) {
	b, f, want := whole(t)
	victim, other := f.all()[1], f.all()[2]
	path := f.path(resultName(victim.Unit))
	alterations := maps.Clone(tampering)
	alterations["that of another unit"] = func([]byte) []byte { return []byte(want[other.Unit+".result"]) }
	alterations["of another version"] = func(data []byte) []byte {
		return bytes.Replace(data, []byte(program), []byte("0.1.1"), 1)
	}
	alterations["of a long version"] = func(data []byte) []byte {
		return bytes.Replace(data, []byte(program), bytes.Repeat([]byte("1"), maxText+1), 1)
	}
	alterations["of no version"] = func(data []byte) []byte { return data[len("variscope "+program+"\n"):] }
	for name, alter := range alterations {
		b.change(path, alter)
		if report := b.work(f, 1); report.Computed != 1 || report.Reused != 5 {
			t.Errorf("%s: %+v", name, report)
		}
		b.same(f, want)
	}
	for _, name := range []string{"cut off", "flipped", "that of another unit", "of another version"} {
		if testing.Short() && name != "flipped" {
			continue
		}
		b := newFixture(t, 700, "a", "b") // the same, with nothing recorded
		b.change(path, alterations[name])
		status, c := b.collect(f)
		err := status.Tasks[0].Err
		if status.Phase != engine.Done || status.Failed != 1 || err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "remove it; run shard 1") ||
			strings.Contains(err.Error(),
				`begins with "variscope 0.1.1" in place of "variscope 0.1.0"`) != (name == "of another version") {
			t.Errorf("%s: %+v, %v", name, status, err)
		}
		if s := c.States()[0]; s.Damaged != 1 || s.Missing != 0 || s.Complete() {
			t.Errorf("%s: %+v", name, s)
		}
		if n := len(b.signals()); n != 5 {
			t.Errorf("%s: %d units are recorded in place of the 5 sound ones", name, n)
		}
		b.work(f, 1)
		if status, c := b.collect(f); status.Failed > 0 || status.Done != status.Total || !c.States()[0].Complete() {
			t.Errorf("%s: %+v", name, status)
		}
	}
}

// TestHugeFiles are refused before they are read.
func TestHugeFiles(t *testing.T) {
	b, f, _ := whole(t)
	const huge = 1 << 36
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o := f.all()[0]
	for _, path := range []string{
		f.path(resultName(o.Unit)), f.path(failedName(f.all()[1].Unit)),
		f.path(modelName(f.models[1].Spec.Model)), f.path(manifestFile),
	} {
		file := testdata.Must(os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644))(b)
		must(b, errors.Join(file.Truncate(huge), file.Close()))
	}
	says(t, testdata.Err(f.result(o.Unit, o.Spec, o.Chunk)), "larger than it can be")
	testdata.Is(t, "noted", f.noted(f.all()[1].Unit), "")
	testdata.Refused(t, "a huge model is whole",
		testdata.Err(f.object(modelName(f.models[1].Spec.Model), f.models[1].Model)))
	says(t, testdata.Err(Open(f.dir)), "larger than it can be")
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d bytes were allocated", took)
	}
}

// TestCollectingTakesLittleMemory: of many results only a few are in memory at a time.
func TestCollectingTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		return // under the race detector memory says nothing
	}
	b := newFixture(t, 1300, "a", "b", "c", "d")
	req := b.request()
	req.Family, req.Vectors = "rotation:-15:15:1", []string{"L2@CONV-1"}
	f := b.plan(req, 1)
	b.work(f, 1)
	var total, largest, most int64
	for _, data := range b.results(f) {
		total += int64(len(data))
		largest = max(largest, int64(len(data)))
	}
	before := heap()
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Rename {
			most = max(most, heap()-before)
		}
		return nil
	})
	defer stop()
	if status, _ := b.collect(f); status.Done != status.Total {
		t.Fatalf("%+v", status)
	}
	// A result in work is there as a file, as a unit and as the file of the workspace.
	if limit := 4*takers*largest + 2<<20; most > limit || total < 2*limit {
		t.Errorf("%d bytes more than before, of results of %d bytes in all; %d are allowed", most, total, limit)
	}
}

// heap is what is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestAFileThatChangesMeanwhile: images that were whole for one model are not taken for the next
// one when they were exchanged, and models are opened by their hash.
func TestAFileThatChangesMeanwhile(t *testing.T) {
	b := newFixture(t, 5, "a", "b")
	f := b.plan(b.request(), 1)
	var other sync.Once
	b.rt.OnRun = func(_ context.Context, feed engine.Feed, _ int64) error {
		if name := strings.TrimSuffix(filepath.Base(feed.Path), ".onnx"); feed.SHA256 != name {
			t.Errorf("model %s is opened as %q", name, feed.SHA256)
		}
		other.Do(func() {
			path := f.path(packName(f.packs[0].SHA256))
			data := testdata.Must(os.ReadFile(path))(b)
			data[20] ^= 1 // a pixel
			must(b, os.WriteFile(path+".new", data, 0o644))
			must(b, os.Rename(path+".new", path))
		})
		return nil
	}
	report, err := f.Work(t.Context(), 1, b.by(1), engine.NoProgress{})
	if err != nil || report.Computed != 1 || report.Failed != 1 ||
		!strings.Contains(report.Failures[0].Reason, filepath.FromSlash(packName(f.packs[0].SHA256))) {
		t.Errorf("%+v %v", report, err)
	}
}
