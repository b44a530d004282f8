package ranking

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
)

func TestRankersDialog(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.press("Rankers…")
	f := newRankersForm(r.screen.settings)
	for k, check := range f.checks {
		check.SetChecked(f.methods[k] == rank.LaFUnpruned || f.methods[k] == rank.LaFMethod)
	}
	f.budget.SetText("15")
	f.seed.SetText("9")
	next, err := f.settings()
	if err != nil || next.Budget != 15 || next.Seed != 9 || !slices.Equal(next.Methods, []rank.Method{rank.LaFMethod, rank.LaFUnpruned}) {
		t.Fatalf("%+v, %v", next, err)
	}
	f.repetitions.SetText("many")
	if _, err := f.settings(); err == nil || err.Error() != "Repetitions takes a whole number from 1 to 100,000" {
		t.Errorf("%v", err)
	}
	f.repetitions.SetText("5")
	for _, check := range f.checks {
		check.SetChecked(false)
	}
	if _, err := f.settings(); err == nil {
		t.Error("no ranker is chosen")
	}
	r.press("Rank") // nothing was changed
	r.screen.Set(next)
	v := r.idle()
	if len(v.Board.Rankings) != 2 || v.Title(3) != "LaF without pruning" {
		t.Errorf("%d rankings", len(v.Board.Rankings))
	}
	var kept Settings
	r.stage.Until("the settings are remembered", func() bool {
		_, err := r.ws.Setting(keySettings, &kept)
		return err == nil && kept.Seed == 9
	})
}

func TestModelsDialog(t *testing.T) {
	r := newRig(t, nil)
	v := r.idle()
	f := newModelsForm(v.Material.Data.Models, nil)
	f.filter.SetText("M0") // m00 to m09
	f.all(false)
	f.filter.SetText("")
	f.in["hash02"] = true
	if f.say(); f.count.Text != "3 of 12 models" {
		t.Errorf("%q", f.count.Text)
	}
	next := r.screen.settings
	next.Without = f.without()
	asked := r.store.asked
	r.screen.Set(next)
	v = r.idle()
	if len(v.Board.Models) != 3 || r.store.asked != asked {
		t.Errorf("%d models, gathered %d times", len(v.Board.Models), r.store.asked-asked)
	}
	next.Without = append(next.Without, "hash02")
	r.screen.Set(next)
	r.idle()
	if r.screen.face.tabs.Visible() || !strings.Contains(r.screen.face.empty.Text(), "3") {
		t.Errorf("two models: %q", r.screen.face.empty.Text())
	}
	r.press("Models…") // the way back
	r.press("Cancel")
	next.Without = nil
	r.screen.Set(next)
	r.idle()
	if !r.screen.face.tabs.Visible() || len(r.screen.view.Board.Models) != 12 {
		t.Error("all models are not back")
	}
}
