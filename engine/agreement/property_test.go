package agreement

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine/stats"

	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func drawRatings(t *rapid.T) (ratings [][]int, classes int) {
	classes = rapid.IntRange(2, 5).Draw(t, "classes")
	raters := rapid.IntRange(1, 5).Draw(t, "raters")
	items := rapid.IntRange(0, 12).Draw(t, "items")
	rating := rapid.IntRange(Missing, classes-1)
	for range raters {
		ratings = append(ratings, rapid.SliceOfN(rating, items, items).Draw(t, "row"))
	}
	return ratings, classes
}

func names(n int) []string {
	list := make([]string, n)
	for k := range list {
		list[k] = "r" + strconv.Itoa(k)
	}
	return list
}

// Leaving one out compares a rater with the majority of the ratings without that row.
func TestLeaveOneOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		r := Measure(ratings, classes, names(len(ratings)), Options{LeaveOneOut: true})
		for k, m := range r.VsMajority {
			others := slices.Delete(slices.Clone(ratings), k, k+1)
			column := majorities(others, classes, len(ratings[0])).Unresolved
			want := Measure([][]int{ratings[k], column}, classes, names(2), Options{}).Cohen[0].Kappa.Value
			testdata.Near(t, "kappa of rater "+strconv.Itoa(k), m.Kappa.Value.Value, want.Value, 1e-9)
			testdata.Is(t, "its reason", m.Kappa.Value.Reason, want.Reason)
		}
	})
}

// The interval is that of the values which Measure gives for a round without one of its items, each
// in turn.
func TestIntervalsLeaveOutItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		whole := Measure(ratings, classes, names(len(ratings)), Options{Intervals: true}).Fleiss
		if whole.Interval.Reason != "" {
			return
		}
		var without []float64
		var times []int
		for i := range ratings[0] {
			less := make([][]int, len(ratings))
			for r, row := range ratings {
				less[r] = slices.Delete(slices.Clone(row), i, i+1)
			}
			without, times = append(without, Measure(less, classes, names(len(ratings)), Options{}).Fleiss.Value.Value),
				append(times, 1)
		}
		most := float64(whole.N - 2 - classes)
		low, high, ok := stats.Jackknife(whole.Value.Value, without, times, whole.N, most,
			Confidence, stats.FisherScale)
		if iv := whole.Interval; !ok || math.Abs(iv.Low-low) > 1e-9 || math.Abs(iv.High-high) > 1e-9 ||
			!(iv.Low < whole.Value.Value && whole.Value.Value < iv.High) {
			t.Fatalf("%+v, want %v .. %v (%v)", iv, low, high, ok)
		}
	})
}
