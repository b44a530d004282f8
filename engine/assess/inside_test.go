package assess

import (
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestStumpsOfBoosting(t *testing.T) {
	d := madeUp(20, 5, 2, 1)
	a := testdata.Must(Train(t.Context(), d, d.Labelled(), Settings{Algorithm: AdaBoost, Rounds: 3}))(t)
	stumps := a.BoostStumps()
	if err := Stumps.Sheet(stumps).Check(); err != nil || len(stumps) != len(a.Boost.Stumps) ||
		stumps[0].Feature == "" || math.IsNaN(stumps[0].Error) {
		t.Errorf("%v, %+v", err, stumps)
	}
}

func TestRulesInWords(t *testing.T) {
	for want, thresholds := range map[string][]float64{
		"below 0.8124.": {0.81236},
		"below -∞.":     {math.Inf(-1)},
		"below 0.25, and borderline when it is below 0.5.": {0.25, 0.5},
	} {
		got := (&Threshold{Score: CorrectProduct, Thresholds: thresholds}).Rule(false)
		if !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
