package present

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/stats"
)

// The window says in its language what the engine says in English.
func TestChanceIsTheEnginesSentence(t *testing.T) {
	for code, c := range map[chance.Code]chance.Counts{
		chance.NotAbove: {Labelled: 400, Correct: 45, Classes: 10, Largest: 40, Top: 100, TopLabels: 40},
		chance.OneClass: {Labelled: 400, Correct: 230, Classes: 3, Largest: 200, Top: 370, TopLabels: 200},
		chance.Fine:     {Labelled: 400, Correct: 390, Classes: 10, Largest: 40, Top: 41, TopLabels: 40},
	} {
		l := c.Level()
		if l.Code != code || Chance(l) != l.Sentence() || ChanceBadge(l) != l.Code.Word() || (Chance(l) == "") != (code == chance.Fine) {
			t.Errorf("%s: %q %q, the engine says %q", code, ChanceBadge(l), Chance(l), l.Sentence())
		}
	}
}

func TestCorrelationTexts(t *testing.T) {
	c := stats.Correlation{Value: 0.9312, P: 2e-9, PBy: stats.StudentsT, N: 24, Low: 0.8, High: 0.97, IntervalBy: stats.FisherZ}
	short := stats.Correlation{Value: -1, P: 1. / 3, PBy: stats.Exact, N: 3, NoInterval: stats.FewForZ}
	for want, got := range map[string]string{
		"r 0.931 (95 % 0.800 .. 0.970, p <0.001)": Correlation("r", c),
		"r -1.000 (p 0.333)":                      Correlation("r", short),
		"r -":                                     Correlation("r", stats.Correlation{Reason: stats.FewPairs}),
		"t approximation":                         PMethod(c),
		"exact":                                   PMethod(short),
		"-":                                       Ends(short),
		"0.050":                                   PValue(0.05),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if PValue(math.NaN()) != None || PValue(0.0009) != "<0.001" {
		t.Error(PValue(math.NaN()), PValue(0.0009))
	}
}
