package background_test

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/testdata"
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

// TestFiguresOfMeasured: one selection twice under two names stands for two; each model has points
// and matrices by measure, by selection and by share of the targets, and every figure can be drawn.
func TestFiguresOfMeasured(t *testing.T) {
	w := newMade(t, 0, 1, 2)
	m := w.model("a", 3)
	w.run(m, []string{model.Head}, 0, mapping)
	again := w.record
	again.Name = "again"
	ask := scenes.Measuring{
		Workspace: w.ws, Selections: []store.SelectionRecord{w.record, again}, Models: []model.Model{m}, Keep: true,
		Options: background.MatrixOptions{
			Measure: []string{"max@CONF"}, Share: 1, Shares: true, Draws: 2, Raster: 8, High: 0.5,
		},
	}
	found := testdata.Must(ask.Measure(t.Context(), engine.NoProgress{}))(t)
	var names []string
	for _, d := range found.Figures() {
		names = append(names, d.Name)
		if err := render.Draw(io.Discard, d.Figure, render.Part{}, "svg"); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if rows := len(d.Figure.Y.Names); strings.HasPrefix(d.Name, "selections_") && rows != 2 ||
			strings.HasPrefix(d.Name, "shares_") && rows != 6 {
			t.Errorf("%s has %d rows", d.Name, rows)
		}
	}
	for _, want := range []string{"distances", "selections_a_max@CONF"} {
		if !slices.Contains(names, want) {
			t.Errorf("no figure %s among %v", want, names)
		}
	}
	for _, one := range found.Of { // the intervals hold what the outcome counts, of a class that the model lacks, too
		right, all := 0, 0
		for _, b := range one.Distance {
			right, all = right+b.Right, all+b.Composites
		}
		testdata.Near(t, "accuracy in all intervals", float64(right)/float64(all), one.Outcome.MeanComposite, 1e-12)
	}
	if n := len(found.ByShare()); n != 2*3*6 || background.SharesTable.Check() != nil ||
		len(found.OverDistance()) != 2*background.DistanceIntervals {
		t.Errorf("%d shares, %v, %d intervals", n, background.SharesTable.Check(), len(found.OverDistance()))
	}
}
