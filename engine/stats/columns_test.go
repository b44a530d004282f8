package stats

import (
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestCorrelationsInWordsAndColumns(t *testing.T) {
	why := func(c Correlation) result.Reason { return result.Because("none", "%s", c.Reason) }
	table := result.Table[Correlation]{
		Name: "t", Title: "T", Noun: "correlation", ID: func(c Correlation) string { return c.Reason },
		Columns: Columns("r", "Pearson r", "r_p", func(c Correlation) Correlation { return c }, why),
	}
	testdata.OK(t, table.Check())
	list := []Correlation{
		{Value: 0.931, P: 0.0001, N: 20, Low: 0.87, High: 0.964, IntervalBy: FisherZ},
		{Value: -1, P: 1. / 3, N: 3, NoInterval: FewForZ},
		{Reason: FewPairs, P: 7},
	}
	said := []string{"Pearson r 0.931 (95 % 0.870..0.964, p <0.001)", "Pearson r -1.000 (p 0.333)", "Pearson r -"}
	cells := [][2]string{{"0.931 (0.870..0.964)", "<0.001"}, {"-1.000", "0.333"}, {"-", "-"}}
	s := table.Sheet(list)
	for k, c := range list {
		testdata.Is(t, "Say", c.Say("Pearson r"), said[k])
		testdata.Is(t, "Say(k)}", [2]string{s.Fields[0].Say(k), s.Fields[1].Say(k)}, cells[k])
	}
	if s.Fields[0].Why(2).Text != FewPairs || !s.Fields[0].Why(0).None() {
		t.Errorf("%+v", s.Fields[0].Why(2))
	}
}
