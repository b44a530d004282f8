package onnx

import (
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/worker"
)

// workers are worker processes of this test program.
func workers(t *testing.T, limits worker.Limits) *worker.Pool {
	t.Helper()
	library(t)
	pool, err := Workers("", limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

// A model that wants 16 GB, when it is loaded or when it runs, gives one sentence; this process does not notice.
func TestWorkersLimitMemory(t *testing.T) {
	w := workers(t, worker.Limits{Memory: 4 << 30})
	for _, late := range []bool{false, true} {
		begin := time.Now()
		_, err := w.Probe(t.Context(), feedOf(t, save(t, "hungry.onnx", hungry(late).file()), 1))
		want := "hungry.onnx needs more than 4096 MB of memory in a trial run; choose a smaller batch or another model"
		if err == nil || err.Error() != want {
			t.Errorf("late %v: got %v", late, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("late %v: took %v", late, took)
		}
	}
	if _, err := w.Probe(t.Context(), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestWorkersLimitTime(t *testing.T) {
	w := workers(t, worker.Limits{Trial: 700 * time.Millisecond})
	begin := time.Now()
	_, err := w.Probe(t.Context(), feedOf(t, save(t, "endless.onnx", endless().file()), 1))
	want := "endless.onnx did not finish a trial run within 700ms; it cannot be used"
	if err == nil || err.Error() != want || time.Since(begin) > 5*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begin))
	}
}

func TestWorkersThatMisbehave(t *testing.T) {
	library(t)
	for how, want := range map[string]string{
		"crash":   "a worker process could not be started: its worker process ended: signal: killed",
		"silence": "a worker process could not be started: its worker process ended: EOF",
	} {
		t.Setenv(misbehaviour, how)
		if _, err := Workers("", worker.Limits{}); err == nil || !strings.HasPrefix(err.Error(), "a worker process could not be started") {
			t.Errorf("%s: got  %v\nwant %s", how, err, want)
		}
	}
}

func TestWorkersNeedServeWorker(t *testing.T) {
	serving.Store(false)
	defer serving.Store(true)
	if _, err := Workers("", worker.Limits{}); err == nil || !strings.Contains(err.Error(), "main does not call onnx.ServeWorker") {
		t.Errorf("got %v", err)
	}
}

// A library that is not there is said by the first worker.
func TestWorkersWithoutLibrary(t *testing.T) {
	_, err := Workers(t.TempDir(), worker.Limits{})
	if err == nil || !strings.Contains(err.Error(), "run `make library`") {
		t.Errorf("got %v", err)
	}
}
