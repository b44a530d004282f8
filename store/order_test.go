package store

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCompareNatural(t *testing.T) {
	want := []string{"", "1", "2", "02", "10", "a", "a1", "a2", "a10", "a10b", "a10c", "b", "s01", "s2", "s10", "s10-2", "é"}
	slices.SortFunc(want, strings.Compare) // any other order
	got := slices.Clone(want)
	slices.SortFunc(got, CompareNatural)
	want = []string{"", "1", "02", "2", "10", "a", "a1", "a2", "a10", "a10b", "a10c", "b", "s01", "s2", "s10", "s10-2", "é"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

var naturalParts = regexp.MustCompile(`[0-9]+|[^0-9]+`)

// slowNatural compares part by part with numbers of any size.
func slowNatural(a, b string) int {
	x, y := naturalParts.FindAllString(a, -1), naturalParts.FindAllString(b, -1)
	for i := range min(len(x), len(y)) {
		m, ok1 := new(big.Int).SetString(x[i], 10)
		n, ok2 := new(big.Int).SetString(y[i], 10)
		c := strings.Compare(x[i], y[i])
		if ok1 && ok2 {
			c = m.Cmp(n)
		}
		if c != 0 {
			return c
		}
	}
	switch {
	case len(x) < len(y):
		return -1
	case len(x) > len(y):
		return 1
	}
	return strings.Compare(a, b)
}

func TestCompareNaturalIsAnOrder(t *testing.T) {
	name := rapid.StringOfN(rapid.RuneFrom([]rune("01239ab-")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if got, want := CompareNatural(a, b), slowNatural(a, b); got != want {
			t.Fatalf("%q %q: %d in place of %d", a, b, got, want)
		}
		if CompareNatural(a, b) != -CompareNatural(b, a) || (CompareNatural(a, b) == 0) != (a == b) {
			t.Fatalf("%q %q: not antisymmetric", a, b)
		}
		if CompareNatural(a, b) < 0 && CompareNatural(b, c) < 0 && CompareNatural(a, c) >= 0 {
			t.Fatalf("%q %q %q: not transitive", a, b, c)
		}
	})
}
