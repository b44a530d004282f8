package saved

import (
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func TestRemarks(t *testing.T) {
	f := File{Suite: Suite{Name: "targets", Hash: "t"}, Training: []Example{{Hash: "a"}, {Hash: "b"}}}
	list := []assess.Judgement{
		{Label: label.Variant, Verdict: assess.Verdict{Label: label.Variant}, Learned: 2},
		{Label: label.Invariant, Verdict: assess.Verdict{Label: label.Variant}},
		{Verdict: assess.Verdict{Label: label.Variant}},
	}
	want := []string{
		"1 of 2 labels disagree with the assessor",
		"1 of these 3 models are among the 2 that the assessor learned from",
		"the assessor was trained on another suite, targets",
	}
	testdata.Equal(t, "remarks", f.Remarks(Suite{Hash: "u"}, list), want)
	if got := f.Remarks(Suite{Hash: "t"}, list[2:]); got != nil {
		t.Errorf("nothing to say: %q", got)
	}
}
