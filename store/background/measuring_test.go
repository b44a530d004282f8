package background_test

import (
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// TestMeasuringLeavesOutWithTheReason: a model without a last layer has no coverage, and one whose
// signals of HEAD are no numbers has no matrices of them; the other matrices are there.
func TestMeasuringLeavesOutWithTheReason(t *testing.T) {
	none, damaged := "model a has no last layer before its head", "is NaN; run the model again"
	for why, positions := range map[string][]string{none: nil, damaged: {model.Head}} {
		w := newMade(t, 0, 1, 2)
		m := w.model("a", 3)
		w.run(m, positions, float32(math.NaN()), mapping)
		ask := scenes.Measuring{
			Workspace: w.ws, Selections: []store.SelectionRecord{w.record}, Models: []model.Model{m},
			Options: background.MatrixOptions{
				Measure: []string{"max@CONF", "max@HEAD"}, Coverage: why == none, Share: 1, Raster: 8,
			},
			Runtime: func() (engine.Runtime, error) { return nil, nil }, // no model is run
		}
		found, err := ask.Measure(t.Context(), engine.NoProgress{})
		if err != nil || len(found.Of) != 1 || len(found.Left) != 1 || len(found.Interpolated()) == 0 {
			t.Fatalf("%s: %+v, %v", why, found.Left, err)
		}
		left, flags := found.Left[0], strings.Join(found.Of[0].Flags, "; ")
		if left.Measure != "max@HEAD" || !strings.Contains(left.Reason, why) {
			t.Errorf("%s: %+v", why, left)
		}
		if why == none && !strings.HasPrefix(flags, "no coverage: "+none) || why == damaged && flags != "" {
			t.Errorf("%s: flags %q", why, flags)
		}
	}
}
