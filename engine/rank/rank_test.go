package rank

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

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

// TestCompetitionCountsSortedScores compares with places in a sorted list, which is the same where
// no scores are nearly equal.
func TestCompetitionCountsSortedScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOf(rapid.IntRange(-5, 5)).Draw(t, "scores")
		scores, sorted := make([]float64, len(whole)), slices.Clone(whole)
		for k, v := range whole {
			scores[k] = float64(v)
		}
		slices.SortFunc(sorted, func(a, b int) int { return b - a })
		for k, rank := range Competition(scores) {
			if want := slices.Index(sorted, whole[k]) + 1; rank != want {
				t.Fatalf("%d of %v has rank %d, want %d", whole[k], whole, rank, want)
			}
		}
	})
}

func TestMethodsAreNamedOnce(t *testing.T) {
	all := Methods()
	seen := map[string]bool{}
	for _, m := range append(Methods(), TruthMethod) {
		title, short := m.Title(), m.Short()
		if m.Help() == "" || len(short) > len(title) || seen[title] || seen["short "+short] {
			t.Errorf("%s: %q, %q, %q", m, title, short, m.Help())
		}
		seen[title], seen["short "+short] = true, true
	}
	want := []Method{
		LaFMethod, LaFReference, LaFUnpruned, LaFUnoptimised, CRC, Random, SDS, CES, CESReference, CESOracle, EI,
		DScore, RobustAccuracy, MeanVariance,
	}
	testdata.Equal(t, "the order of tables", all, want)
	all[0] = "changed"
	testdata.Is(t, "the list is shared between callers", Methods()[0], LaFMethod)
	testdata.Is(t, "title of an unknown method", Method("new").Title(), "new")
}
