package label

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestHistogram(t *testing.T) {
	for _, c := range []struct {
		values []float64
		width  float64
		counts []int
	}{
		{[]float64{1, 2, 3, 4}, 0.2, []int{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		{[]float64{0.5}, 0.05, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},
		{[]float64{7, 7, 7, 7}, 0.5, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0}},
	} {
		counts, width := histogram(c.values, 24)
		total := 0
		for _, n := range counts {
			total += n
		}
		testdata.Is(t, fmt.Sprintf("%v", c.values), total, len(c.values))
		if width != c.width || !slices.Equal(counts, c.counts) {
			t.Errorf("%v: %v by %g, want %v by %g", c.values, counts, width, c.counts, c.width)
		}
	}
	outlier := append(slices.Repeat([]float64{3}, 99), 1e6)
	if counts, width := histogram(outlier, 24); counts[len(counts)-1] != 1 || width > 1 {
		t.Errorf("one outlier widens the bars to %g: %v", width, counts)
	}
}

// TestTimesOf: labels without a time, and those that were replaced, do not count.
func TestTimesOf(t *testing.T) {
	r := Round{ID: "R", Classes: 2, Annotators: []string{"a", "b"}, Models: []string{"m0", "m1"}}
	events := []Event{
		{ID: "1", Round: "R", Kind: Label, Annotator: "a", Model: "m0", Value: Variant, Pass: 1, Seconds: 7},
		{ID: "2", Round: "R", Kind: Label, Annotator: "a", Model: "m1", Value: Variant, Pass: 1, Seconds: 3},
		{
			ID: "3", Round: "R", Kind: Label, Annotator: "a", Model: "m1", Value: Invariant, Pass: 1, Seconds: 5,
			Supersedes: "2",
		},
		{ID: "4", Round: "R", Kind: Label, Annotator: "b", Model: "m0", Value: Variant, Pass: 1},
	}
	list := TimesOf(r, events, func(id string) string { return "annotator " + id })
	if len(list) != 2 || list[0].Annotator != "annotator a" || !slices.Equal(list[0].Seconds, []float64{5, 7}) ||
		list[1].Seconds != nil {
		t.Errorf("%+v", list)
	}
	testdata.OK(t, Times.Check())
	if !TimesFigure(list).Drawable() || TimesFigure(list[1:]).Drawable() || TimesFigure(list).Check() != nil {
		t.Error("a figure of no times, or none of some")
	}
}
