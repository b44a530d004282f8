package assessors

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func TestModelsRemovedSince(t *testing.T) {
	r := newRig(t, 40)
	// others can be removed
	vote(t, r.ws, r.ws.NewRound(t, func(round *label.Round) { round.Models = round.Models[:34] }))
	r.screen.Refresh()
	r.stage.Until("the round is offered", func() bool { return r.screen.widgets.form.Options().Labels != "" })
	r.train(nil)
	r.choose(assess.Regression)
	r.turn("doubts")
	unsure := r.screen.widgets.doubts.sure.Shown()
	if len(unsure) < 3 {
		t.Fatalf("%d models without a label", len(unsure))
	}
	testdata.Must(r.ws.RemoveModels([]string{unsure[1].Hash}, nil))(t)

	r.screen.open(unsure[1].ID, unsure[1].Hash)
	r.stage.Until("it says that the model is gone", func() bool { return len(r.failed) == 1 })
	if text := r.failed[0].Error(); !strings.Contains(text, "model "+unsure[1].ID+" was removed") || len(r.opened) > 0 {
		t.Errorf("says %q and opens %v", text, r.opened)
	}
	r.screen.open(unsure[0].ID, unsure[0].Hash)
	r.stage.Until("the model is opened", func() bool { return slices.Equal(r.opened, []string{unsure[0].Hash}) })

	r.screen.newRound("least sure", unsure)
	r.stage.Until("a round is asked for", func() bool { return len(r.asked) == 1 })
	if want := append([]string{unsure[0].Hash}, hashes(unsure[2:])...); !slices.Equal(r.asked[0], want) ||
		!strings.HasPrefix(r.said, "1 model removed") {
		t.Errorf("a round of %d models, want the %d that are there; says %q", len(r.asked[0]), len(want), r.said)
	}
	r.screen.newRound("least sure", unsure[1:2])
	r.stage.Until("it says that none is there", func() bool { return len(r.failed) == 2 })
	if len(r.asked) != 1 {
		t.Error("a round of no models was asked for")
	}
}
