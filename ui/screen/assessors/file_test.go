package assessors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

func TestASavedAssessorComesBack(t *testing.T) {
	ws, l := classroom(t)
	for _, a := range assess.Algorithms() {
		s := subjectOf(t, l, a)
		f := s.saved("kept", time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC), "test")
		data, err := f.Encode()
		if err != nil {
			t.Fatalf("%s: %v", a, err)
		}
		back, err := saved.Decode("kept", data)
		if err != nil {
			t.Fatalf("%s: %v", a, err)
		}
		if text := about(back); !strings.Contains(text, "round first look") ||
			!strings.Contains(text, a.Title(false)) || !strings.Contains(text, "accuracy") {
			t.Error(text)
		}
		revived, err := Revive(context.Background(), ws.Workspace, back, l.Plan.EvalOptions, &training.Cache{},
			engine.NoProgress{})
		if err != nil {
			t.Fatalf("%s: %v", a, err)
		}
		before, after := Judgements(s), Judgements(revived)
		for k := range before {
			if before[k].Verdict.Label != after[k].Verdict.Label || before[k].ID != after[k].ID {
				t.Errorf("%s: %s was judged %s and is judged %s",
					a, before[k].ID, before[k].Verdict.Label, after[k].Verdict.Label)
			}
		}
		if SecondLook(revived) != nil || !strings.Contains(revived.savedScores(), "±") ||
			!strings.Contains(revived.title(), "2025-03-04") {
			t.Errorf("%s: %s", a, revived.title())
		}
		if again := revived.saved("other", time.Now(), "x"); again.Name != "other" || !again.Created.Equal(f.Created) {
			t.Error("a saved assessor is made anew when it is saved again")
		}
	}
	testdata.OK(t, ws.SetCurrent(store.Current{Suite: ws.Shapes.Hash, Family: "shear:-10:10:1"}))
	f := subjectOf(t, l, assess.DecisionTree).saved("kept", time.Now(), "test")
	_, err := Revive(context.Background(), ws.Workspace, f, usual(), &training.Cache{}, engine.NoProgress{})
	if err == nil || !strings.Contains(err.Error(), "shear") || !strings.Contains(err.Error(), "rotation") {
		t.Errorf("another family: %v", err)
	}
}

func TestLearningSaysWhatIsMissing(t *testing.T) {
	ws := sample.New(t, 8)
	round := ws.NewRound(t, nil)
	asked := usual()
	asked.Labels = round.ID
	plan := testdata.Must(newPlan(asked))(t)
	learn := func() error {
		at, err := whereFor(ws.Workspace, "")
		if err != nil {
			return err
		}
		_, err = Learn(context.Background(), ws.Workspace, at, plan, &training.Cache{}, engine.NoProgress{})
		return err
	}
	refused := func(what, want string) {
		t.Helper()
		if err := learn(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("nobody has labelled anything", "label")
	for _, m := range ws.Imported {
		for _, who := range round.Annotators {
			ws.Put(t, round, who, m.Hash, label.Invariant)
		}
	}
	refused("one class only", "all labels are invariant")
	for what, current := range map[string]store.Current{
		"no signals": {Suite: ws.Shapes.Hash, Family: "shear:-10:10:1"}, "toolbar": {},
	} {
		testdata.OK(t, ws.SetCurrent(current))
		refused("the toolbar's choice", what)
	}
}
