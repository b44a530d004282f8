package tables

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// TestDeclaredTables says why a line has no figures, what thresholds a fit found, and which models
// have none.
func TestDeclaredTables(t *testing.T) {
	for name, err := range map[string]error{
		"automation": Automations.Check(), "labels": Labels.Check(), "accuracies": Accuracies.Check(),
		"diversities": Diversities.Check(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	fit := &Fit{Thresholds: []float64{0.25, math.Inf(1)}, Accuracy: 0.5, Kappa: agreement.Value{Value: 0.125}}
	s := Automations.Sheet([]Automation{
		{Settings: assess.Settings{Algorithm: assess.Baseline}, Fit: fit},
		{Interpolant: "I1", Settings: assess.Settings{Algorithm: assess.AdaBoost}, Problem: context.DeadlineExceeded},
	})
	for key, want := range map[string][2]string{
		"algorithm":      {"assessor worst-case accuracy", "assessor AdaBoost"},
		"fit_thresholds": {"thresholds of the fit 0.25, Inf", "thresholds of the fit is missing"},
		"fit_kappa":      {"kappa of the fit 0.125", "kappa of the fit is missing"},
		"kappa_sd":       {"SD of kappa 0.000, in full 0", "SD of kappa is missing: context deadline exceeded"},
	} {
		for row := range want {
			testdata.Is(t, fmt.Sprintf("%s of row %d", key, row), s.Fields[s.Field(key)].Tell(row), want[row])
		}
	}
	nan := math.NaN()
	d := assess.Data{Classes: label.Values(2), Rows: []assess.Row{
		{Label: label.Variant, Accuracy: 0.95, Scores: assess.Scores{CorrectProduct: nan}},
		{Accuracy: 0.25, Scores: assess.Scores{CorrectProduct: nan}},
	}}
	parts := Labels.Sheet(LabelsOf(d))
	if parts.Len() != 3 || parts.Fields[1].Number(2) != 1 || !parts.Fields[2].Missing(2) {
		t.Errorf("%d lines of labels", parts.Len())
	}
	accuracies, err := AccuraciesIn(d)
	if err != nil || len(accuracies) != 1 {
		t.Fatalf("%v, %d figures", err, len(accuracies))
	}
	a := Accuracies.Sheet(accuracies)
	if a.Fields[a.Field("from_0.9")].Number(0) != 1 || a.Fields[a.Field("from_0.2")].Number(0) != 1 ||
		a.Fields[a.Field("from_0.5")].Number(0) != 0 {
		t.Errorf("histogram %v", accuracies[0].Histogram)
	}
	testdata.Is(t, "String", accuracies[0].String(), "accuracy of 2 models: mean 60.00 %, largest 95.00 %, "+
		"smallest 25.00 %, std "+result.Share.Say(accuracies[0].Std, 2))
}
