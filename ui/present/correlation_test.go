package present

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/stats"
)

func TestCorrelationTexts(t *testing.T) {
	c := stats.Correlation{Value: 0.9312, P: 2e-9, PBy: stats.StudentsT, N: 24, Low: 0.8, High: 0.97, IntervalBy: stats.FisherZ}
	short := stats.Correlation{Value: -1, P: 1. / 3, PBy: stats.Exact, N: 3, NoInterval: stats.FewForZ}
	for want, got := range map[string]string{
		"0.800 .. 0.970": Ends(c),
		"-":              Ends(short),
		"0.050":          PValue(0.05),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if PValue(math.NaN()) != None || PValue(0.0009) != "<0.001" {
		t.Error(PValue(math.NaN()), PValue(0.0009))
	}
}
