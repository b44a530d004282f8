package saved

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/internal/testdata"
)

// TestTablesOfFiles fills the tables from an assessor that was trained.
func TestTablesOfFiles(t *testing.T) {
	f := trained(t, madeUp(20, 2, 1), settings()[0])
	half := 0.5
	gated := Gated{
		Judged: assess.Judgements(f.Assessor, madeUp(20, 2, 1), []int{1}, nil, f.From(madeUp(20, 2, 1)))[0],
		By:     f, On: Suite{Name: "other", Hash: "b"}, Bound: &half, Passed: true,
	}
	for name, err := range map[string]error{
		"sources": Sources.Check(), "assessors": Assessors.Check(), "results": Results.Check(), "gates": Gates.Check(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var card bytes.Buffer
	assessors := Assessors.Sheet([]Trained{{File: f, Kept: "judge"}})
	testdata.OK(t, assessors.Card(&card, 0))
	for _, want := range []string{
		"algorithm     decision tree\n", "models        20\n", "invariant     10\n",
		"kept as       judge, in the workspace\n", "hold-out and two halves [1]: accuracy 90.00 %", "AUC 0.500",
	} {
		if !strings.Contains(card.String(), want) {
			t.Errorf("no %q in\n%s", want, card.String())
		}
	}
	if strings.Contains(card.String(), "borderline") || strings.Contains(card.String(), "files") {
		t.Errorf("what is missing has a line:\n%s", card.String())
	}
	gates := Gates.Sheet([]Gated{gated})
	if v := gates.Fields[gates.Field("max_variance")].Number(0); v != half ||
		gates.Fields[gates.Field("suite")].Say(0) != "other" {
		t.Errorf("at most %v", v)
	}
	results := Results.Sheet(f.Results)
	if kappa := results.Fields[results.Field("kappa")].Number(0); !math.IsNaN(kappa) ||
		results.Fields[results.Field("auc")].Number(0) != half {
		t.Errorf("kappa %v", kappa)
	}
	if got := f.Elsewhere(gated.On); got != "the assessor was trained on another suite, digits" ||
		f.Elsewhere(f.Suite) != "" || f.Elsewhere(Suite{}) != "" {
		t.Error(got)
	}
}
