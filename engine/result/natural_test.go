package result

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestNatural(t *testing.T) {
	want := []string{
		"", "2", "10", "10a", "m", "M1", "m2", "m10", "m10-2", "m10-11", "model 9", "model 10", "vit",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	testdata.Equal(t, "order", got, want)
}

func TestNaturalIsAnOrder(t *testing.T) {
	text := rapid.StringMatching(`[aAb0-2]{0,5}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		testdata.Is(t, fmt.Sprintf("%q and %q are not antisymmetric", a, b),
			sign(Natural(a, b)), -sign(Natural(b, a)))
		if (Natural(a, b) == 0) != (a == b) {
			t.Errorf("%q and %q: zero must mean equal", a, b)
		}
		if Natural(a, b) <= 0 && Natural(b, c) <= 0 && Natural(a, c) > 0 {
			t.Errorf("%q, %q, %q are not transitive", a, b, c)
		}
	})
}

func sign(n int) int { return min(1, max(-1, n)) }

func TestTextsOfNumbersCompareByValue(t *testing.T) {
	in := []string{"-1", "1e-4", "0.0500", "0.05", "5e-2", "10", "1e400", "007b", "Inf", "nan", "v9", "v10"}
	for a := range in {
		for b := range in {
			got, want := CompareTexts(in[a], in[b]), a-b
			if same := a != b && a >= 2 && b >= 2 && a <= 4 && b <= 4; !same && got*want < 0 || a == b && got != 0 ||
				!same && a != b && got == 0 {
				t.Errorf("%s and %s: %d", in[a], in[b], got)
			}
		}
	}
}
