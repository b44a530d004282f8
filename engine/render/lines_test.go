package render

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"rotation (°)": "rotation (°)", "δ − 3…": "delta - 3...", "0.9×": "0.9×", "日": "?",
		"Spearman's ρ, τ-b": "Spearman's rho, tau-b", "a\nb": "a b", "“x”": "?x?", "it’s – so": "it's - so",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
