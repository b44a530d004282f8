package agreement

import (
	"os"
	"slices"
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/screen/scenes/scenestest"
)

// A background round has three classes in order: its kappas can be looked at with weights, and its cases show interpolated matrices and the
// accuracies of the baseline.
func TestAgreementOfABackgroundRound(t *testing.T) {
	ws := scenestest.New(t, 5)
	round := label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: ws.Targets.Hash, Selection: ws.Selection.Hash, Annotators: []string{"r1", "r2", "r3"},
		Classes: 3,
	}
	for _, m := range ws.Models[:4] {
		round.Models = append(round.Models, m.Hash)
	}
	round, err := ws.CreateRound(t.Context(), round)
	if err != nil {
		t.Fatal(err)
	}
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
	events, err := ws.Events(round.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := measure.Measure(label.Ratings(round, events), 3, round.Annotators, measure.Options{})
	pair, _ := want.Pair(0, 2)
	f := r.screen.face.figures
	for weights, kappa := range map[string]*measure.Estimate{plainKappas: &pair.Kappa, linearKappas: pair.Linear, quadraticKappas: pair.Quadratic} {
		f.weights.SetSelected(weights)
		if got := f.matrix(v)[0][2].Text; got != present.Kappa(kappa.Value.Value) {
			t.Errorf("%s: %s, want %v", weights, got, kappa.Value)
		}
	}
	if pair.Kappa.Value == pair.Linear.Value || pair.Linear.Value == pair.Quadratic.Value || !f.weights.Visible() {
		t.Error("the weights change nothing, or cannot be chosen")
	}
	at := slices.IndexFunc(v.Measures, func(m Measure) bool { return m.Name == "Cohen, quadratic, mean" })
	if at < 0 || v.Measures[at].Value.Text != present.Kappa(want.CohenMeanQuadratic.Value.Value) {
		t.Errorf("measures %+v", v.Measures)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "agreement-scenes-measures")
	r.screen.face.body.SelectIndex(3)
	row := r.screen.face.queue.row
	r.stage.Until("matrices", func() bool { return len(row.Shown().Tiles) == 8 && row.Shown().Ready() })
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "agreement-scenes-queue")
	if title := r.screen.face.queue.title.Text; !strings.Contains(title, "; accuracy 100.0 %, worst case ") {
		t.Errorf("titled %q", title)
	}
	// Two classes have no weights.
	two := label.Round{Name: "two", Kind: label.BackgroundRound, Suite: round.Suite, Selection: round.Selection, Annotators: []string{"r1"}, Classes: 2, Models: round.Models}
	if two, err = ws.CreateRound(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	r.screen.ShowRound(two.ID)
	r.stage.Until("the other round", func() bool { v, _ := r.screen.View(); return v.Round.ID == two.ID && !r.screen.loading })
	if f.weights.Visible() {
		t.Error("the kappas of two classes can be weighted")
	}
}
