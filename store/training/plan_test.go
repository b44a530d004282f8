package training

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// TestPlan: after ten labels the models that the annotator's assessor is least sure of come
// first, and the plan is on disk: another reader of the workspace asks for the same models.
func TestPlan(t *testing.T) {
	b := newFixture(t, 22)
	r := b.addRound(func(r *label.Round) { r.Order = label.OrderUseful })
	who := r.Annotators[0]
	events := func() []label.Event { return testdata.Must(b.Events(r.ID))(t) }
	for k := 0; ; k++ {
		done, _, _ := label.Progress(r, who, events())
		plan, planned, err := Plan(t.Context(), b.Workspace, r.ID, who)
		must(t, err)
		turn, more := label.NextTurn(r, who, events())
		if planned {
			remaining := label.Remaining(r, who, events())
			if done != 10 && done != 15 && done != 20 || turn.Model != plan.Queue[0] ||
				len(plan.Queue) != len(remaining) {
				t.Errorf("after %d labels a plan of %d models for %d, and the next is none of it", done,
					len(plan.Queue), len(remaining))
			}
			again, err := useful(t.Context(), b.Workspace, r, who, events())
			if err != nil || !slices.Equal(again, plan.Queue) {
				t.Errorf("%v, %v; planned %v", again, err, plan.Queue)
			}
		}
		if !more {
			testdata.Is(t, "labels", done, 22)
			break
		}
		v := label.Values(2)[k%2]
		testdata.Must(b.Append(label.Event{
			Round: r.ID, Model: turn.Model, Annotator: who, Kind: label.Label, Value: v,
			Sure: true,
		}))(t)
	}
	x, err := roundFeatures(t.Context(), b.Workspace, r, b.models[3].Hash) // without a second convolution
	if err != nil || len(x) != len(r.Modalities)*feature.Count {
		t.Errorf("%d features, %v", len(x), err)
	}
	b.addModel(22)
	if x, err := roundFeatures(t.Context(), b.Workspace, r, b.models[22].Hash); x != nil || err != nil {
		t.Errorf("%v, %v", x, err)
	}
}
