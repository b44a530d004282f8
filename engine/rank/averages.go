package rank

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/result"
)

// Suites are suites over which rankers are averaged and compared.
type Suites struct {
	Of string // what they are: a suite, or what is shifted from it
	On []*OnSuite
}

// Averaged is a ranker's quality by a measure, averaged over suites and budgets: a row of Averages.
type Averaged struct {
	Of                           string // Suites.Of
	Measure                      Measure
	Ranker                       string // Leaderboard.Names
	title                        string
	Suites, Budgets              int // what the mean is over: suites that have a value, the largest number of budgets
	Average, SD, Lowest, Highest float64
	Repetitions                  int // of a sampled ranker, else 0
}

// AveragesOf averages every ranker's quality by each measure over the suites of a group, as Tables
// 5 to 8 of the LaF paper do. A suite's value is the mean over its budgets (OnSuite.Curves) of the
// means over repetitions, and the average is the mean of these values; suites without a value do
// not count. SD is that over the repetitions of a sampled ranker: each repetition is averaged over
// budgets and suites first, because its draws for a larger budget begin with those for a smaller
// one. It is NaN where suites have different numbers of repetitions, or one. Lowest and Highest are
// the values of single suites.
func AveragesOf(groups []Suites) (rows []Averaged) {
	for _, g := range groups {
		for _, m := range Measures(topOf(g.On)) {
			for _, by := range rankersOf(g.On) {
				if row := averaged(g.On, m, by.name); row.Suites > 0 {
					row.Of, row.Measure, row.Ranker, row.title = g.Of, m, by.name, by.title
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}

// averaged is the average of one ranker by a measure, without names.
func averaged(on []*OnSuite, m Measure, ranker string) (a Averaged) {
	var values []float64
	var draws [][]float64 // by suite: a value for each repetition
	for _, s := range on {
		c := s.curve(ranker)
		value := c.over(m, c.Budgets)
		if math.IsNaN(value) {
			continue
		}
		values, draws = append(values, value), append(draws, c.Average.draws(m))
		a.Budgets = max(a.Budgets, len(c.Budgets))
	}
	if a.Suites = len(values); a.Suites == 0 {
		return a
	}
	a.Average, a.SD, a.Lowest, a.Highest = mean(values), undefined, slices.Min(values), slices.Max(values)
	a.Repetitions = len(draws[0])
	for _, list := range draws {
		if len(list) != a.Repetitions {
			a.Repetitions = 0
		}
	}
	if a.Repetitions > 1 {
		repeated := make([]float64, a.Repetitions)
		for r := range repeated {
			over := make([]float64, len(draws))
			for k := range draws {
				over[k] = draws[k][r]
			}
			repeated[r] = mean(over)
		}
		a.SD = spread(repeated, result.Reason{}).SD
	}
	return a
}

// curve is a ranker's curve on the suite, or one of the one budget of all rankers where it has
// none.
func (s *OnSuite) curve(ranker string) Curve {
	one := s.named(ranker)
	for _, c := range s.Curves {
		if c.Method == one.Method && (c.Note == "" || c.Note == one.Note) {
			return c
		}
	}
	return Curve{Method: one.Method, Budgets: []int{0}, Quality: []Quality{one.Quality}, Average: one.Quality}
}

// over is the mean over some budgets of the means over repetitions, without budgets where none is
// defined; of a curve that was read, whose budgets nobody names, the average that it has. It is NaN
// without any.
func (c Curve) over(m Measure, budgets []int) float64 {
	if c.Budgets == nil {
		return m.Of(c.Average).value()
	}
	var values []float64
	for k, budget := range c.Budgets {
		if slices.Contains(budgets, budget) {
			values = append(values, m.Of(c.Quality[k]).value())
		}
	}
	return mean(values)
}

// draws are a sampled ranker's values of a measure by repetition, nil for other rankers.
func (q Quality) draws(m Measure) []float64 {
	k := slices.IndexFunc(Measures(q.Top), func(other Measure) bool { return other == m })
	if q.Draws == nil || k < 0 {
		return nil
	}
	return q.Draws[k]
}

// topOf are the numbers of best models that suites compare.
func topOf(on []*OnSuite) (top []int) {
	for _, s := range on {
		if len(s.TopK) > len(top) {
			top = s.TopK
		}
	}
	return top
}

// Averages is the table of the rankers' qualities averaged over suites and budgets.
var Averages = result.Table[Averaged]{
	Name: "averages", Title: "Averages over suites and budgets", Noun: "average",
	ID: func(a Averaged) string { return a.Of + "/" + a.Measure.Key + "/" + a.Ranker },
	Columns: []result.Column[Averaged]{
		ofSuites(func(a Averaged) string { return a.Of }),
		byMeasure(func(a Averaged) Measure { return a.Measure }),
		result.Texts("method", "ranker", rankerHelp, func(a Averaged) string { return a.Ranker }).
			Told(func(a Averaged) string { return a.title }),
		result.Numbers("average", "average",
			"mean over the suites of the means over budgets and repetitions, with the "+
				"deviation over the repetitions of sampled rankers", result.Coefficient,
			func(a Averaged) float64 { return a.Average }).Spread(func(a Averaged) float64 { return a.SD }),
		result.Numbers("lowest", "lowest", "of a single suite", result.Coefficient,
			func(a Averaged) float64 { return a.Lowest }),
		result.Numbers("highest", "highest", "of a single suite", result.Coefficient,
			func(a Averaged) float64 { return a.Highest }),
		result.Counts("suites", "suites", "suites that have a value", func(a Averaged) int { return a.Suites }),
		overBudgets(func(a Averaged) int { return a.Budgets }),
		result.Numbers("repetitions", "repetitions", "of a sampled ranker", result.Count,
			func(a Averaged) float64 { return positive(a.Repetitions) }).In(result.FileOnly),
	},
}

func ofSuites[R any](of func(R) string) result.Column[R] {
	return result.Texts("of", "of", "the suites that are averaged", of)
}

func overBudgets[R any](of func(R) int) result.Column[R] {
	return result.Numbers("budgets", "budgets",
		"budgets that a suite's value is the mean over, missing where they are not known",
		result.Count, func(r R) float64 { return positive(of(r)) })
}

func byMeasure[R any](of func(R) Measure) result.Column[R] {
	return result.Texts("measure", "measure", "of the rankers' orders and that of the true accuracies",
		func(r R) string { return of(r).Key }).Told(func(r R) string { return of(r).Title() })
}

// ReadQualities reads qualities of rankers on suites from a table such as quality.csv of the
// command: CSV in any form of csvfile.Foreign with the columns suite and method, one or more of
// spearman, kendall and jaccard_K, and any others. Column of groups the suites; without it those
// with a corruption are one group, and every other suite is one of its own. Empty cells are missing
// values. is is false for a table without these columns, which is something else.
func ReadQualities(r io.Reader) (groups []Suites, is bool, err error) {
	in := csvfile.Foreign(r)
	header, err := in.Read()
	if err != nil {
		return nil, false, nil //nolint:nilerr // whoever reads it as something else says what is wrong
	}
	at := map[string]int{}
	var measures []Measure
	for k, name := range header {
		name = strings.TrimSpace(name)
		at[name] = k
		best, _ := strconv.Atoi(strings.TrimPrefix(name, "jaccard_")) // 0 for other names
		for _, m := range Measures([]int{max(1, best)}) {
			if m.Key == name {
				measures = append(measures, m)
			}
		}
	}
	_, suites := at["suite"]
	if _, methods := at["method"]; !suites || !methods || len(measures) == 0 {
		return nil, false, nil
	}
	var top []int
	for _, m := range measures {
		if m.Best > 0 {
			top = append(top, m.Best)
		}
	}
	for {
		cells, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && groups == nil:
			return nil, true, errors.New("the table has no row below the names of its columns")
		case errors.Is(err, io.EOF):
			return groups, true, nil
		case err != nil:
			return nil, true, err
		}
		cell := func(name string) string {
			if k, there := at[name]; there {
				return strings.Clone(strings.TrimSpace(cells[k]))
			}
			return ""
		}
		q := noQuality(result.Because("not_given", "the table has no value"), 1, top)
		line, _ := in.FieldPos(0)
		for _, m := range measures {
			text := cell(m.Key)
			v, ok := result.Decimal(text)
			least := -1.0
			if m.Best > 0 {
				least = 0
			}
			switch {
			case text == "":
				continue
			case !ok || v < least || v > 1:
				return nil, true, fmt.Errorf("line %d, column %s: %q is no number from %g to 1",
					line, m.Key, text, least)
			}
			q.set(m, Spread{Mean: v, N: 1, Of: 1})
		}
		of := cmp.Or(cell("of"), cell("suite"))
		if cell("of") == "" && cell("corruption") != "" {
			of = "shifted suites"
		}
		if groups, err = placed(groups, of, cell("suite"),
			Ranking{Method: Method(cell("method")), Quality: q}); err != nil {
			return nil, true, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// placed puts a ranking into its suite of its group.
func placed(groups []Suites, of, suite string, one Ranking) ([]Suites, error) {
	if suite == "" || one.Method == "" {
		return nil, errors.New("it names no suite or no method")
	}
	g := slices.IndexFunc(groups, func(s Suites) bool { return s.Of == of })
	if g < 0 {
		g, groups = len(groups), append(groups, Suites{Of: of})
	}
	on := groups[g].On
	k := slices.IndexFunc(on, func(s *OnSuite) bool { return s.Suite == suite })
	if k < 0 {
		k, on = len(on), append(on, &OnSuite{Suite: suite})
		groups[g].On = on
	}
	if slices.ContainsFunc(on[k].Rankings, func(r Ranking) bool { return r.Method == one.Method }) {
		return nil, fmt.Errorf("suite %s has %s twice", suite, one.Method)
	}
	on[k].TopK, on[k].Rankings = one.Quality.Top, append(on[k].Rankings, one)
	// over budgets that nobody names
	on[k].Curves = append(on[k].Curves, Curve{Method: one.Method, Average: one.Quality})
	return groups, nil
}

// set puts a measure into a quality.
func (q *Quality) set(m Measure, s Spread) {
	switch m.Key {
	case "spearman":
		q.Spearman = s
	case "kendall":
		q.Kendall = s
	default:
		q.Jaccard[slices.Index(q.Top, m.Best)] = s
	}
}

// GivenSheets are the tables of qualities that were read: the averages, and the rankers two by two
// where a group has several suites.
func GivenSheets(groups []Suites) []*result.Sheet {
	list := []*result.Sheet{Averages.Sheet(AveragesOf(groups))}
	groups = slices.DeleteFunc(slices.Clone(groups), func(g Suites) bool { return len(g.On) < 2 })
	if len(groups) > 0 {
		list = append(list, Differences.Sheet(RivalsOf(groups)))
	}
	return list
}
