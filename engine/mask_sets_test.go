//go:build cgo

package engine_test

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// TestMaskSetOnARealModel: without a deleted region the bits are those of a run without masks, and
// they are the same for any number of workers; with one, predictions change, with several layers'
// more than with one's.
func TestMaskSetOnARealModel(t *testing.T) {
	m := loadReal(t)
	if m == nil {
		return
	}
	plain := m.run(m.task(transform.Plain), m.open(), 2)
	task := m.task("mask:2")
	want := m.run(task, m.open(), 1)
	cells := want.Images * want.Classes
	testdata.Equal(t, "region 0 is not the model", want.Softmax[:cells], plain.Softmax)
	if got := m.run(task, m.open(), 3); !slices.Equal(got.Softmax, want.Softmax) ||
		!slices.Equal(got.Prediction, want.Prediction) {
		t.Error("three workers give other numbers than one")
	}
	last := m.run(m.task("mask:2;layers=2"), m.open(), 2)
	for region := 1; region <= 4; region++ {
		at := region * cells
		if slices.Equal(want.Softmax[at:at+cells], plain.Softmax) ||
			slices.Equal(last.Softmax[at:at+cells], want.Softmax[at:at+cells]) {
			t.Errorf("region %d: nothing is deleted, or as much as of one layer", region)
		}
	}
}
