package assessors

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/internal/testdata"
)

// TestASavedAssessorKeepsItsImportance: the assessor of a training and the one that was saved of it
// have the same importances, which are of models that were not learned from, and the note says so.
func TestASavedAssessorKeepsItsImportance(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.DecisionTree)
	trained := testdata.Must(measureImportance(context.Background(), s))(t)
	f := s.saved("kept", time.Now(), "test")
	s.Evaluation, s.File = nil, &f
	kept, err := measureImportance(context.Background(), s)
	if err != nil || !kept.Refitted || kept.Models != len(f.Training) ||
		!slices.Equal(kept.Features, trained.Features) ||
		!strings.Contains(kept.String(), "had not seen") {
		t.Errorf("%+v, want %+v, %v", kept, trained, err)
	}
	f.Training = f.Training[:len(f.Training)-3]
	rest, err := measureImportance(context.Background(), s)
	if err != nil || rest.Refitted || rest.Models != 3 || !strings.Contains(rest.String(), "on 3 models") {
		t.Errorf("%+v, %v", rest, err)
	}
	bars := ImportanceBars(s.Name, kept)
	if largest := slices.MaxFunc(kept.Features, func(a, b assess.Permuted) int {
		return cmp.Compare(a.Mean, b.Mean)
	}); bars.Boxes[0].X1 != largest.Mean {
		t.Errorf("the first bar is %g, the largest %g", bars.Boxes[0].X1, largest.Mean)
	}
	worse := ImportanceBars("",
		assess.Importance{Features: []assess.Permuted{{Name: "a", Mean: -0.3}, {Name: "b", Mean: 0.1}, {Name: "c"}}})
	if names := worse.Y.Names; names[0] != "b" || names[2] != "a" {
		t.Errorf("a feature that harms comes before others: %+v", worse.Y.Names)
	}
	s.Data.Rows = slices.Clone(s.Data.Rows) // the training is not this test's own
	for k := range s.Data.Rows {
		s.Data.Rows[k].Label = ""
	}
	if none, err := measureImportance(context.Background(), s); err != nil || none.Features != nil ||
		none.Problem == nil {
		t.Errorf("%+v, %v", none, err)
	}
}
