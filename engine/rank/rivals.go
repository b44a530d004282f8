package rank

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Rivals are two rankers compared over suites by one measure: a row of Differences.
type Rivals struct {
	Of            string // Suites.Of
	Measure       Measure
	First, Second string // Leaderboard.Names
	titles        [2]string
	Suites        int // on which both have a value
	// that both have, of which a value is the mean; the largest number of a suite's, 0 for unknown
	Budgets     int
	Better      int     // on which the first one has the larger value
	Mean        float64 // of the first one's value less that of the second; NaN without suites
	P, Adjusted float64 // of the signed-rank test; by Holm over all pairs of this measure
}

// RivalsOf compares every two rankers over the suites of a group, by each measure: the values of a
// suite, over the budgets that both have, are a pair. The test takes differences rounded to nine
// decimals, so that those that are equal but for the rounding of sums are equal. Suites are no
// independent draws, as several may be made by one corruption, and a sampled ranker draws the same
// images of each; the test says how consistent a difference is over the suites at hand.
func RivalsOf(groups []Suites) (rows []Rivals) {
	for _, g := range groups {
		for _, m := range Measures(topOf(g.On)) {
			rows = append(rows, rivals(g, m)...)
		}
	}
	return rows
}

// rivals are all pairs of rankers of a group by one measure.
func rivals(g Suites, m Measure) (rows []Rivals) {
	rankers := rankersOf(g.On)
	var p []float64
	for a, one := range rankers {
		for _, other := range rankers[a+1:] {
			r := Rivals{
				Of: g.Of, Measure: m, First: one.name, Second: other.name, titles: [2]string{one.title, other.title},
			}
			var differences, rounded []float64
			for _, s := range g.On {
				first, second := s.curve(one.name), s.curve(other.name)
				both := slices.DeleteFunc(slices.Clone(first.Budgets), func(budget int) bool {
					return !slices.Contains(second.Budgets, budget)
				})
				raw := first.over(m, both) - second.over(m, both)
				if math.IsNaN(raw) {
					continue
				}
				r.Budgets = max(r.Budgets, len(both))
				differences, rounded = append(differences, raw), append(rounded, math.Round(1e9*raw)/1e9)
				if rounded[len(rounded)-1] > 0 {
					r.Better++
				}
			}
			r.Suites, r.Mean = len(differences), mean(differences)
			r.P, _ = stats.SignedRank(rounded)
			rows, p = append(rows, r), append(p, r.P)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		rows[k].Adjusted = adjusted
	}
	return rows
}

// noTest says why a pair of rankers has no p-value.
func (r Rivals) noTest() result.Reason {
	switch {
	case r.Suites == 0:
		return result.Because("no_suites", "on no suite both rankers have a value")
	case math.IsNaN(r.P):
		return result.Because("no_difference", "the two rankers do not differ on any suite")
	}
	return result.Reason{}
}

// Differences is the table of rankers, two by two, over shifted suites.
var Differences = result.Table[Rivals]{
	Name: "differences", Title: "Rankers beside each other over suites", Noun: "pair",
	ID: func(r Rivals) string { return r.Of + "/" + r.Measure.Key + "/" + r.First + "/" + r.Second },
	Columns: []result.Column[Rivals]{
		ofSuites(func(r Rivals) string { return r.Of }),
		byMeasure(func(r Rivals) Measure { return r.Measure }),
		result.Texts("first", "first", rankerHelp, func(r Rivals) string { return r.First }).
			Told(func(r Rivals) string { return r.titles[0] }),
		result.Texts("second", "second", rankerHelp, func(r Rivals) string { return r.Second }).
			Told(func(r Rivals) string { return r.titles[1] }),
		result.Counts("suites", "suites", "suites on which both have a value", func(r Rivals) int { return r.Suites }),
		overBudgets(func(r Rivals) int { return r.Budgets }),
		result.Counts("better", "first is better", "suites on which the first has the larger value",
			func(r Rivals) int { return r.Better }),
		result.Numbers("difference", "first - second",
			"mean over the suites of the first's value less that of the second",
			result.Coefficient, func(r Rivals) float64 { return r.Mean }).Because(Rivals.noTest),
		result.Numbers("p", "p", "two-sided, by Wilcoxon's signed-rank test over the suites", result.P,
			func(r Rivals) float64 { return r.P }).Because(Rivals.noTest),
		result.Numbers("p_holm", "p (Holm)", "p adjusted by Holm over all pairs of rankers of the measure", result.P,
			func(r Rivals) float64 { return r.Adjusted }).Because(Rivals.noTest),
	},
}
