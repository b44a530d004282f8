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
	f := newRankersForm(r.screen.Options())
	for k, check := range f.checks {
		check.SetChecked(f.methods[k] == rank.LaFUnpruned || f.methods[k] == rank.LaFMethod)
	}
	f.budget.SetText("15")
	f.seed.SetText("9")
	next, err := f.settings()
	if err != nil || next.Budget != 15 || next.Seed != 9 ||
		!slices.Equal(next.Methods, []rank.Method{rank.LaFMethod, rank.LaFUnpruned}) {
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
	r.screen.take(next)
	if out := r.idle(); len(out.Board.Rankings) != 2 || !strings.Contains(r.memory["options.ranking"], `"seed":"9"`) {
		t.Errorf("%d rankings, remembered %q", len(out.Board.Rankings), r.memory)
	}
}

func TestModelsDialog(t *testing.T) {
	r := newRig(t, nil)
	out := r.idle()
	f := newModelsForm(out.Material.Data.Models, nil)
	f.filter.SetText("M0") // m00 to m09
	f.all(false)
	f.filter.SetText("")
	f.in["hash02"] = true
	if f.say(); f.count.Text != "3 of 12 models" {
		t.Errorf("%q", f.count.Text)
	}
	asked := r.store.asked.Load()
	without := f.without()
	if out = r.set(func(s *Settings) { s.Without = without }); len(out.Board.Models) != 3 ||
		r.store.asked.Load() != asked {
		t.Errorf("%d models, gathered %d times", len(out.Board.Models), r.store.asked.Load()-asked)
	}
	out = r.set(func(s *Settings) { s.Without = append(without, "hash02") })
	if e, is := r.screen.empty(out); !is || !strings.Contains(e.Text, "3") {
		t.Errorf("two models: %q", e.Text)
	}
	r.press("Models…") // the way back
	r.press("Cancel")
	if out = r.set(func(s *Settings) { s.Without = nil }); len(out.Board.Models) != 12 {
		t.Error("all models are not back")
	}
}
