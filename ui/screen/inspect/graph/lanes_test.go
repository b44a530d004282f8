package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
)

func from(sources ...[]int) []model.Layer {
	layers := make([]model.Layer, len(sources))
	for k, s := range sources {
		layers[k] = model.Layer{Op: "Op", From: s}
	}
	return layers
}

func TestLanesOfABranch(t *testing.T) {
	// 0 -> 1 -> 2 -> Add(2, 0), a residual block, and a layer that nobody takes.
	rows := layLanes(from([]int{-1}, []int{0}, []int{1}, []int{2, 0}, []int{3, 3}))
	for k, want := range []lanes{
		{Own: 0, Out: true},
		{Own: 1, Through: []int{0}, In: []int{0}, Out: true},
		{Own: 1, Through: []int{0}, In: []int{1}, Out: true},
		{Own: 0, In: []int{1, 0}, Out: true},
		{Own: 0, In: []int{0}},
	} {
		got := rows[k]
		if got.Own != want.Own || got.Out != want.Out || !slices.Equal(got.Through, want.Through) ||
			!slices.Equal(got.In, want.In) {
			t.Errorf("row %d is %+v, want %+v", k, got, want)
		}
	}
	if width(rows) != 2 || width(nil) != 1 {
		t.Errorf("%d lanes", width(rows))
	}
}

// TestLanesKeepEveryConnection: in any graph, a result's lane is drawn through all rows from its
// layer to its last taker, never shared with another, and every layer begins at the lanes of its
// inputs.
func TestLanesKeepEveryConnection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 11).Draw(t, "layers") // fewer than maxLanes: none has to share
		layers := make([]model.Layer, n)
		last := make([]int, n)
		for k := range layers {
			layers[k].From = rapid.SliceOfN(rapid.IntRange(-1, k-1), 0, 4).Draw(t, "from")
			for _, f := range layers[k].From {
				if f >= 0 {
					last[f] = k
				}
			}
		}
		rows := layLanes(layers)
		for k, row := range rows {
			if row.Out != (last[k] > 0) {
				t.Fatalf("layer %d: out %v", k, row.Out)
			}
			for _, f := range layers[k].From {
				if f >= 0 && !slices.Contains(row.In, rows[f].Own) {
					t.Fatalf("layer %d does not begin at the lane of layer %d: %+v", k, f, row)
				}
			}
			if slices.Contains(row.Through, row.Own) {
				t.Fatalf("layer %d stands on a lane that passes by", k)
			}
			for f := range k {
				if last[f] > k && !slices.Contains(row.Through, rows[f].Own) {
					t.Fatalf("the lane of layer %d is cut at layer %d", f, k)
				}
			}
		}
	})
}

func TestManyBranchesShareTheLastLane(t *testing.T) {
	var sources [][]int
	for range 40 {
		sources = append(sources, []int{-1})
	}
	var all []int
	for k := range 40 {
		all = append(all, k)
	}
	rows := layLanes(from(append(sources, all)...))
	if width(rows) != maxLanes {
		t.Errorf("%d lanes", width(rows))
	}
}
