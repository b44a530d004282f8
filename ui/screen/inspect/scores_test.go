package inspect

import (
	"testing"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// The preview draws the score of the label: it is in memory with the signals where it is small.
func TestSessionKeepsScores(t *testing.T) {
	x := opened(t, sample.New(t, 4), 1, evidence.DefaultModalities())
	if want := x.set.Transformations * sample.Images * x.set.Classes; len(x.set.Softmax) != want || want == 0 {
		t.Errorf("%d scores, want %d", len(x.set.Softmax), want)
	}
}

func TestScoresAreKeptWhereTheyAreSmall(t *testing.T) {
	info := func(images, classes int) store.SetInfo {
		return store.SetInfo{Spec: signal.Spec{Images: images}, Transformations: 31, Classes: classes}
	}
	for name, tt := range map[string]struct {
		info   store.SetInfo
		labels []int
		want   bool
	}{
		"ten classes":       {info(10000, 10), []int{3}, true},
		"a hundred classes": {info(10000, 100), []int{3}, false},
		"few images":        {info(1000, 100), []int{3}, true},
		"scores alone":      {info(10000, 1000), []int{3}, true},
		"no labels":         {info(1000, 10), nil, false},
		"no known label":    {info(1000, 10), []int{-1, -1}, false},
	} {
		if got := keepsScores(tt.info, suite.Manifest{Labels: tt.labels}); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
