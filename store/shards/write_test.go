package shards

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/job"
)

// TestAPlanAppearsWholeOrNotAtAll: whatever step of writing fails, nothing is left behind, and the
// error is the disk's.
func TestAPlanAppearsWholeOrNotAtAll(t *testing.T) {
	b := newFixture(t, 5, "a")
	parent := t.TempDir()
	dir := filepath.Join(parent, "plan")
	failures := 0
	for at := int64(1); ; at++ {
		var steps atomic.Int64
		stop := durable.Watch(func(s durable.Step) error {
			if s.Op == durable.Remove || !strings.HasPrefix(s.Path, parent) {
				return nil
			}
			if steps.Add(1) == at {
				return durable.ErrFull
			}
			return nil
		})
		_, err := b.write(dir, b.request(), 2)
		stop()
		if err == nil {
			break
		}
		failures++
		entries, readErr := os.ReadDir(parent)
		must(b, readErr)
		placed := len(entries) == 1 && entries[0].Name() == "plan" // where the lasting of its name alone failed
		if !errors.Is(err, durable.ErrFull) || len(entries) > 0 && !placed {
			t.Fatalf("step %d: %v, %v", at, err, entries)
		}
		if placed {
			b.open(dir)
			must(b, os.RemoveAll(dir))
		}
	}
	if failures < 15 {
		t.Errorf("only %d steps", failures)
	}
	b.work(b.open(dir), 1)
}

// TestPlansThatCannotBeMade leave nothing behind either.
func TestPlansThatCannotBeMade(t *testing.T) {
	b := newFixture(t, 5, "a")
	run := testdata.Must(job.Prepare(t.Context(), b.place(), b.request(), engine.NoProgress{}))(b)
	defer func() { must(b, run.Close()) }()
	making := Making{Program: program, Run: run, Has: b.ws.Has, Shards: 1}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	dir := filepath.Join(t.TempDir(), "plan")
	testdata.ErrorIs(t, "writing", testdata.Err(Write(ended, dir, making, engine.NoProgress{})), context.Canceled)
	broken := making
	broken.Has = func(string) (bool, error) { return false, errors.New("no database") }
	says(t, testdata.Err(Write(t.Context(), dir, broken, engine.NoProgress{})), "no database")
	file := filepath.Join(t.TempDir(), "file")
	must(b, os.WriteFile(file, nil, 0o644))
	says(t, testdata.Err(Write(t.Context(), file, making, engine.NoProgress{})), file)
	path := run.Tasks[0].Feed.Path
	must(b, os.Chmod(path, 0o644))
	must(b, os.WriteFile(path, []byte("another model"), 0o644))
	says(t, testdata.Err(Write(t.Context(), dir, making, engine.NoProgress{})), "has changed since it was imported")
	must(b, os.Remove(path))
	testdata.ErrorIs(t, "writing", testdata.Err(Write(t.Context(), dir, making, engine.NoProgress{})), os.ErrNotExist)
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
}
