package rank

import (
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestCompetition(t *testing.T) {
	nan, infinite := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		scores []float64
		want   []int
	}{
		{"none", nil, []int{}},
		{"one", []float64{-3}, []int{1}},
		{"the form 1224", []float64{0.9, 0.7, 0.7, 0.1}, []int{1, 2, 2, 4}},
		{"all equal", []float64{2, 2, 2}, []int{1, 1, 1}},
		{"within a tie", []float64{0.5, 0.5 + 0.9e-9}, []int{1, 1}},
		{"beyond a tie", []float64{0.5, 0.5 + 1.1e-9}, []int{2, 1}},
		{"an unknown score has no rank", []float64{1, nan, 2}, []int{2, 0, 1}},
		{"infinite scores", []float64{infinite, 5, infinite, -infinite}, []int{1, 3, 1, 4}},
	} {
		testdata.Equal(t, c.name, Competition(c.scores), c.want)
	}
}

func TestMethodsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range append(Methods(), TruthMethod) {
		title, short := m.Title(), m.Short()
		if m.Help() == "" || len(short) > len(title) || seen[title] || seen["short "+short] {
			t.Errorf("%s: %q, %q, %q", m, title, short, m.Help())
		}
		seen[title], seen["short "+short] = true, true
	}
	testdata.Equal(t, "the order of tables", Methods(), []Method{
		LaFMethod, LaFReference, LaFUnpruned, LaFUnoptimised, CRC, Random, SDS, CES, CESReference, CESOracle, EI,
		DScore, RobustAccuracy, MeanVariance,
	})
	testdata.Is(t, "title of an unknown method", Method("new").Title(), "new")
}
