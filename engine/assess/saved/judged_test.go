package saved

import (
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func TestRemarks(t *testing.T) {
	f := File{
		Suite: Suite{Name: "targets", Hash: "t"}, Training: []Example{{Hash: "a", Features: []float64{1}}, {Hash: "b"}},
	}
	list := []assess.Judgement{
		{Label: label.Variant, Verdict: assess.Verdict{Label: label.Variant}, Learned: 2},
		{Label: label.Invariant, Verdict: assess.Verdict{Label: label.Variant}},
		{Verdict: assess.Verdict{Label: label.Variant}},
		{ID: "m", Distance: assess.Distance{
			Outside: true, Value: 3, Limit: 0.5, Nearest: "n",
			Beyond: []assess.BeyondRange{{Feature: "svm", SDs: 7.04}, {Feature: "std", SDs: math.NaN()}},
		}},
	}
	want := []string{
		"1 of 2 labels disagree with the assessor",
		"1 of these 4 models are among the 2 that the assessor learned from",
		"m lies outside of what the assessor has seen: 3.00 SD from the nearest model that it learned from (n), " +
			"where at most 0.50 is usual; farthest out: svm (7.0 SD), std (constant there)",
		"the assessor was trained on another suite, targets",
	}
	testdata.Equal(t, "remarks", f.Remarks(Suite{Hash: "u"}, list), want)
	if got := f.Remarks(Suite{Hash: "t"}, list[2:3]); got != nil {
		t.Errorf("nothing to say: %q", got)
	}
	f.Training[0].Features = nil
	if got := f.Remarks(f.Suite, list[2:3]); len(got) != 1 || !strings.Contains(got[0], "is not known") {
		t.Errorf("a file of before: %q", got)
	}
}
