package agreement

import (
	"os"
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/scenestest"
)

// A background round has three classes in order: its kappas can be looked at with weights, and its
// cases show interpolated matrices and the accuracies of the baseline.
func TestAgreementOfABackgroundRound(t *testing.T) {
	ws := scenestest.New(t, 5)
	round := label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: ws.Targets.Hash, Selection: ws.Selection.Hash,
		Annotators: []string{"r1", "r2", "r3"}, Classes: 3,
	}
	for _, m := range ws.Models[:4] {
		round.Models = append(round.Models, m.Hash)
	}
	round = testdata.Must(ws.CreateRound(t.Context(), round))(t)
	r := newRigOver(t, &sample.Workspace{Workspace: ws.Workspace})
	for a, values := range []string{"iibv", "ibvv", "ibbv"} {
		for k, v := range values {
			for _, value := range label.Values(3) {
				if strings.HasPrefix(string(value), string(v)) {
					r.store.Put(t, round, round.Annotators[a], round.Models[k], value)
				}
			}
		}
	}
	v := r.rated(4)
	events := testdata.Must(ws.Events(round.ID))(t)
	want := measure.Measure(label.Ratings(round, events), 3, round.Annotators, measure.Options{})
	pair, _ := want.Pair(0, 2)
	p := r.screen.measures
	for k, kappa := range []*measure.Estimate{&pair.Kappa, pair.Linear, pair.Quadratic} {
		p.weights.SetSelectedIndex(k)
		if got := v.kappas(weightings[k].of)[0][2].Text; got != result.Coefficient.Say(kappa.Value.Value, 0) {
			t.Errorf("%s: %s, want %v", weightings[k].name, got, kappa.Value)
		}
	}
	if pair.Kappa.Value == pair.Linear.Value || pair.Linear.Value == pair.Quadratic.Value || !p.weights.Visible() {
		t.Error("the weights change nothing, or cannot be chosen")
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "agreement-scenes-measures")
	r.screen.tabs.Select("adjudicate")
	row := r.screen.queue.row
	r.stage.Until("matrices", func() bool { return len(row.Shown().Tiles) == 8 && row.Shown().Ready() })
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "agreement-scenes-queue")
	if title := r.screen.queue.title.Text; !strings.Contains(title, "; accuracy 100.0 %, worst case ") {
		t.Errorf("titled %q", title)
	}
	// Two classes have no weights.
	two := label.Round{
		Name: "two", Kind: label.BackgroundRound, Suite: round.Suite, Selection: round.Selection,
		Annotators: []string{"r1"}, Classes: 2, Models: round.Models,
	}
	testdata.Must(ws.CreateRound(t.Context(), two))(t)
	r.screen.tabs.Select("measures")
	r.stage.Until("the new round", func() bool { return r.screen.view().Round.Name == "two" && r.screen.Idle() })
	if p.weights.Visible() {
		t.Error("the kappas of two classes can be weighted")
	}
}
