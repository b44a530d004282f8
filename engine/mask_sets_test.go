//go:build cgo

package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// TestMaskSetOnARealModel: without a deleted region the bits are those of a run without masks, the
// same for any number of workers and for a run that was broken off; with one, predictions change,
// with several layers' more than with one's.
func TestMaskSetOnARealModel(t *testing.T) {
	m := loadReal(t)
	if m == nil {
		return
	}
	plain := m.run(m.task(transform.Plain), m.open(), newMemoryRecorder(), 2)
	task := m.task("mask:2")
	want := m.run(task, m.open(), newMemoryRecorder(), 1)
	cells := want.Images * want.Classes
	testdata.Equal(t, "region 0 is not the model", want.Softmax[:cells], plain.Softmax)
	if got := m.run(task, m.open(), newMemoryRecorder(), 3); !slices.Equal(got.Softmax, want.Softmax) ||
		!slices.Equal(got.Prediction, want.Prediction) {
		t.Error("three workers give other numbers than one")
	}
	rec := newMemoryRecorder()
	rec.breakAt = int64(task.Spec.Chunks())
	m.breakOff(task, rec)
	rec.breakAt = 0
	testdata.Equal(t, "a run that was broken off gives other numbers",
		m.run(task, m.open(), rec, 2).Softmax, want.Softmax)
	last := m.run(m.task("mask:2;layers=2"), m.open(), newMemoryRecorder(), 2)
	for region := 1; region <= 4; region++ {
		at := region * cells
		if slices.Equal(want.Softmax[at:at+cells], plain.Softmax) ||
			slices.Equal(last.Softmax[at:at+cells], want.Softmax[at:at+cells]) {
			t.Errorf("region %d: nothing is deleted, or as much as of one layer", region)
		}
	}
}

// TestCancelOfMasksOnARealModel ends in the middle of a unit, and all goroutines end (TestMain).
func TestCancelOfMasksOnARealModel(t *testing.T) {
	m := loadReal(t)
	if m == nil {
		return
	}
	e := engine.New(m.rt, newMemoryRecorder(), engine.Limits{Workers: 2})
	defer func() { _ = e.Close() }()
	source := m.open()
	task := m.task("mask:16")
	testdata.OK(t, e.Submit(engine.Run{ID: "r", Source: source, Tasks: []engine.Task{task}, Close: source.Close}))
	for e.Snapshot()[0].Done == 0 { // until it is at work
		select {
		case <-time.After(5 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the run never began")
		}
	}
	testdata.OK(t, e.Cancel("r"))
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != engine.Cancelled || status.Done == status.Total {
		t.Errorf("%+v, %v", status, err)
	}
}
