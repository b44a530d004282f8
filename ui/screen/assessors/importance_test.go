package assessors

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/assess"
)

// The importances of the folds are joined as if all test models were one set: checked against sums made by hand.
func TestImportanceIsMeasuredOnUnseenModels(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.DecisionTree)
	i, err := measureImportance(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if i.Seen || i.Models != len(s.Data.Labelled()) || len(i.Features) != len(s.Data.Names) {
		t.Errorf("measured on %d models, %d features", i.Models, len(i.Features))
	}
	largest := 0.0
	for k, f := range i.Features {
		if f.Name != s.Data.Names[k] || math.Abs(f.Mean) > 1 || f.SD < 0 || math.IsNaN(f.SD) {
			t.Errorf("%+v", f)
		}
		largest = math.Max(largest, f.Mean)
	}
	if largest < 0.05 {
		t.Errorf("no feature matters: %g", largest)
	}
	if !strings.Contains(i.note(), "had not seen") {
		t.Error(i.note())
	}
	bars := ImportanceBars(s.Name, i.Features)
	if bars.Bars.Bars[0].To != largest {
		t.Errorf("the first bar is %g, the largest %g", bars.Bars.Bars[0].To, largest)
	}
	worse := ImportanceBars("", []assess.Permuted{{Name: "a", Mean: -0.3}, {Name: "b", Mean: 0.1}, {Name: "c"}})
	if first := worse.Bars.Bars[0].Name; first != "b" || worse.Bars.Bars[2].Name != "a" {
		t.Errorf("a feature that harms comes before others: %+v", worse.Bars.Bars)
	}
}

func TestImportancesOfFoldsAreJoined(t *testing.T) {
	var i Importance
	i.add([]assess.Permuted{{Name: "a", Mean: 0.2, SD: 0.1}}, 10)
	i.add([]assess.Permuted{{Name: "a", Mean: 0.5, SD: 0.2}}, 20)
	if i.Models != 30 || math.Abs(i.Features[0].Mean-12) > 1e-12 || math.Abs(i.Features[0].SD-(1+16)) > 1e-12 {
		t.Errorf("%+v", i)
	}
}

func TestASavedAssessorsImportance(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.DecisionTree)
	f := s.saved("kept", time.Now(), "test")
	s.Evaluation, s.File = nil, &f
	all, err := measureImportance(context.Background(), s)
	if err != nil || !all.Seen || all.Models != len(f.Training) || !strings.Contains(all.note(), "learned from") {
		t.Errorf("%d models, %v", all.Models, err)
	}
	f.Training = f.Training[:len(f.Training)-3]
	rest, err := measureImportance(context.Background(), s)
	if err != nil || rest.Seen || rest.Models != 3 {
		t.Errorf("%d models, %v", rest.Models, err)
	}
	s.Data.Rows = slices.Clone(s.Data.Rows) // the lesson is not this test's own
	for k := range s.Data.Rows {
		s.Data.Rows[k].Label = ""
	}
	if none, err := measureImportance(context.Background(), s); err != nil || none.Features != nil || none.note() == "" {
		t.Errorf("%+v, %v", none, err)
	}
}
