package render

import (
	"math"
	"testing"
)

func TestRunsBreakAtNaN(t *testing.T) {
	nan := math.NaN()
	got := Curve{X: []float64{0, 1, 2, 3, 4, 5, 6}, Y: []float64{nan, 1, 2, nan, nan, 3, math.Inf(1)}}.runs()
	if len(got) != 2 || len(got[0]) != 2 || len(got[1]) != 1 || got[1][0].X != 5 || got[0][0].X != 1 {
		t.Errorf("got %v, want 1..2 and 5", got)
	}
	if (Curve{X: []float64{0}, Y: []float64{nan}}).runs() != nil {
		t.Error("nothing to draw must give no runs")
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"rotation (°)": "rotation (°)", "δ − 3…": "delta - 3...", "0.9×": "0.9×", "日": "?", "Spearman's ρ, τ-b": "Spearman's rho, tau-b", "a\nb": "a b", "“x”": "?x?", "it’s – so": "it's - so",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
