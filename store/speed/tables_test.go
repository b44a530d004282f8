package speed

import (
	"errors"
	"math"
	"testing"
)

func TestTables(t *testing.T) {
	if err := errors.Join(Results.Check(), Computers.Check(), Scales.Check()); err != nil {
		t.Error(err)
	}
}

// TestScaleGainsWithEachDoubling: four workers that are 2.25 times as fast gain 1.5 per doubling,
// and gain it twice more up to sixteen.
func TestScaleGainsWithEachDoubling(t *testing.T) {
	s := Result{PerSecond: 1000, Workers: 4, Gain: 2.25, Bytes: 10, Inferences: 5}.Scale()
	if math.Abs(s.GainPerDoubling-1.5) > 1e-12 || math.Abs(s.OnCores-s.Here/2.25) > 1e-6 || s.AtBest != s.Here/4 ||
		s.Here != scaleInferences/1000 || s.Bytes != 2*scaleInferences {
		t.Errorf("%+v", s)
	}
	for _, r := range []Result{
		{PerSecond: 1, Workers: 1, Inferences: 1},
		{PerSecond: 1, Workers: 2, Gain: 3, Inferences: 1},
	} {
		if got := r.Scale().GainPerDoubling; got != 2 {
			t.Errorf("%+v gains %v", r, got)
		}
	}
	if got := (Result{PerSecond: 1, Workers: 2, Gain: 0.5, Inferences: 1}).Scale().GainPerDoubling; got != 1 {
		t.Errorf("a loss gains %v", got)
	}
}
