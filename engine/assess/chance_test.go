package assess

import (
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/chance"
)

// Ten repetitions make ten models no hundred: 6 of 10 right is not above chance, 60 of 100 would
// be.
func TestVerdictsBesideChance(t *testing.T) {
	of := func(repetitions int, confusion ...[]int) Evaluation {
		e := Evaluation{Repetitions: make([]float64, repetitions), Metrics: Metrics{Confusion: confusion}}
		for _, row := range confusion {
			for _, n := range row {
				e.Metrics.N += n
			}
		}
		return e
	}
	for _, c := range []struct {
		what string
		of   Evaluation
		code chance.Code
		says string
	}{
		{"repeated guessing", of(10, []int{30, 20}, []int{20, 30}), chance.NotAbove, "not above chance (50 %)"},
		{"the same once, on many models", of(1, []int{300, 200}, []int{200, 300}), chance.Fine, ""},
		{
			"always the most frequent label", of(2, []int{80, 0}, []int{20, 0}), chance.NotAbove,
			"not above chance (80 %)",
		},
		{"all right", of(3, []int{60, 0}, []int{0, 60}), chance.Fine, ""},
		{"nearly one label", of(1, []int{500, 0}, []int{400, 100}), chance.Fine, ""},
		{
			"one label", of(1, []int{550, 0}, []int{400, 50}), chance.OneClass,
			"95 % of 1,000 verdicts are one label, as are 55 % of the labels",
		},
		{"nothing", Evaluation{}, chance.Fine, ""},
	} {
		if l := c.of.Chance(); l.Code != c.code || !strings.Contains(l.OfVerdicts(), c.says) ||
			(c.says == "") != (l.OfVerdicts() == "") {
			t.Errorf("%s: %q, %q", c.what, l.Code, l.OfVerdicts())
		}
	}
}
