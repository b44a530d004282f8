package dscore

import (
	"testing"

	"github.com/variscope/variscope/engine/suite"
)

// TestTheAverageBelowOtherTabs: below the maps that stand side by side lies the average image of the suite that is looked at.
func TestTheAverageBelowOtherTabs(t *testing.T) {
	var other suite.Manifest
	r := newRig(t, 3, func(r *rig) {
		computed("mask:2", "shift:2:5")(r)
		other = r.store.Shift(r.T, "contrast", 5)
		for _, m := range r.store.Imported[:2] {
			for _, set := range []string{"mask:2", "shift:2:5"} {
				r.store.ComputeOn(r.T, m, spread, other, set)
			}
		}
	})
	r.idle()
	f := r.screen.face
	r.tab(3)
	before := f.compare.rows[0].trio.maps[features].Picture().Image
	r.screen.ShowSuite(other.Hash)
	r.stage.Until("the other suite", func() bool { return r.screen.view.Suite.Hash == other.Hash && r.screen.renewal.Idle() })
	r.idle()
	for k := range f.compare.made.Rows {
		if got := f.compare.rows[k].trio.maps[features].Picture().Image; got == before || got == nil || got != f.main.detail.average.picture {
			t.Errorf("model %d: below the maps lies another image: %v", k, got != nil)
		}
	}
	r.tab(2)
	r.screen.ShowSuite(r.store.Shapes.Hash)
	r.stage.Until("the first suite", func() bool {
		return r.screen.view.Suite.Hash == r.store.Shapes.Hash && r.screen.renewal.Idle() && f.main.detail.average.job == nil && len(f.lose.maps) > 0
	})
	if got := f.lose.maps[0].regions.Picture().Image; got == nil || got != f.main.detail.average.picture {
		t.Errorf("below what is lost lies another image: %v", got != nil)
	}
}
