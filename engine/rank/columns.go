package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
)

// key names the model on a suite.
func (m Model) key() string { return cmp.Or(m.Hash, m.ID) }

func (s *OnSuite) subject(m Model) subject.Subject {
	return subject.Subject{Model: m.ID, ModelHash: m.Hash, Suite: s.Suite, SuiteHash: s.SuiteHash}
}

// place is the suite that a row is about.
type place struct {
	suite, hash, corruption string
	severity                int
}

func (s *OnSuite) place() place { return place{s.Suite, s.SuiteHash, s.Corruption, s.Severity} }

func (s Shift) place() place {
	if s.Of == nil {
		return place{suite: "mean of the shifted"}
	}
	return s.Of.place()
}

var places = append(
	result.Lift(subject.Columns[2:4],
		func(p place) subject.Subject { return subject.Subject{Suite: p.suite, SuiteHash: p.hash} }),
	result.Texts("corruption", "corruption", "what was done to the images of the suite that this one is made from",
		func(p place) string { return p.corruption }).Told(func(p place) string { return derive.Title(p.corruption) }),
	result.Numbers("severity", "severity", "of the corruption, 1 to 5", result.Count,
		func(p place) float64 { return positive(p.severity) }))

// rankerHelp is the help of a column that names a ranker, whatever its table measures.
const rankerHelp = "a way to put models in order: LaF, one of its baselines, or a score that needs labels"

// about are the columns that say which ranker a row is about, and on which suite.
var about = append([]result.Column[Rated]{
	result.Texts("method", "ranker", rankerHelp, func(r Rated) string { return r.Of.Names()[r.K] }).
		Told(func(r Rated) string { return r.Of.title(r.K, Method.Title) }),
	result.Texts("note", "rests on", "what the ranking rests on, or why there is none",
		func(r Rated) string { return r.Ranking().Note }).Told(Rated.RestsOn),
	result.Texts("family", "transformations",
		"canonical text of the family or sets under which the ranker was measured",
		func(r Rated) string { return r.Ranking().Family }).In(result.FileOnly),
	result.Texts("reason", "why none", "why there is no ranking",
		func(r Rated) string { return r.Ranking().Reason.Text }).In(result.FileOnly),
	result.Texts("code", "code", "that reason in a word, for programs",
		func(r Rated) string { return r.Ranking().Reason.Code }).In(result.FileOnly),
}, result.Showing(result.FileOnly, result.Lift(places, func(r Rated) place { return r.Of.place() })...)...)

func (r Rated) id() string { return r.Of.id() + "/" + r.Of.Names()[r.K] }

func (r Rated) models() float64 {
	if one := r.Ranking(); one.Reason.None() {
		return float64(one.Scored())
	}
	return undefined
}

// The qualities of rows.
func (r Rated) quality() Quality       { return r.Ranking().Quality }
func (p CurvePoint) quality() Quality  { return p.Quality }
func (p ImpactPoint) quality() Quality { return p.Quality }
func (c Conditions) quality() Quality  { return c.Quality }

func (s Scored) missing() result.Reason { return unmeasuredOne }

// agreement is LaF's prior specialty.
func (r Ranked) agreement() float64 {
	if r.Of.LaF == nil {
		return undefined
	}
	return at(r.Of.LaF.PriorSpecialty, r.Model)
}

func (r Ranked) model() Model { return r.Of.Models[r.Model] }
func (s Scored) model() Model { return s.Of.Models[s.Model] }

// devices is the column of what has computed a row's predictions, where some are of a GPU. Of
// those that came from elsewhere it is not known.
func devices[R any](rows []R, of func(R) Model) []result.Column[R] {
	list := subject.Device(rows, func(r R) string { return of(r).Device })
	for k, c := range list {
		list[k].Text = func(r R) string {
			if of(r).Hash == "" {
				return ""
			}
			return c.Text(r)
		}
	}
	return list
}

// accuracies are the columns of true accuracy; they are for files alone where no suite has it.
func accuracies(rows []Ranked) []result.Column[Ranked] {
	why := func(r Ranked) result.Reason { return r.Of.NoTruth }
	list := append([]result.Column[Ranked]{
		result.Numbers("accuracy", "accuracy", TruthMethod.Help(), result.Share,
			func(r Ranked) float64 { return at(r.Of.Truth, r.Model) }).Because(why),
		result.Numbers("accuracy_rank", "rank", "by accuracy, 1 for the best", result.Count, func(r Ranked) float64 {
			if r.Of.Truth == nil {
				return undefined
			}
			return positive(Competition(r.Of.Truth)[r.Model])
		}).Because(why),
	}, result.Lift(chance.Columns, func(r Ranked) chance.Level { return r.Of.ChanceOf(r.Model) })...)
	if slices.ContainsFunc(rows, func(r Ranked) bool { return r.Of.Truth != nil }) {
		return list
	}
	return result.Showing(result.FileOnly, list...)
}

// byRanker are the columns of ranks; they are for files alone where a ranker has no ranking on any
// suite.
func byRanker(rows []Ranked) []result.Column[Ranked] {
	var on []*OnSuite
	for _, r := range rows {
		if !slices.Contains(on, r.Of) {
			on = append(on, r.Of)
		}
	}
	var list []result.Column[Ranked]
	for _, by := range rankersOf(on) {
		c := result.Numbers(by.key(), by.title, by.of.Help(), result.Count, func(r Ranked) float64 {
			if one := r.Of.named(by.name); one.Reason.None() {
				return positive(one.Rank[r.Model])
			}
			return undefined
		}).Because(func(r Ranked) result.Reason {
			if one := r.Of.named(by.name); !one.Reason.None() {
				return one.Reason
			}
			return unmeasuredOne
		})
		c.Descending = false
		if !slices.ContainsFunc(on, func(s *OnSuite) bool { return s.named(by.name).Reason.None() }) {
			c.Show = result.FileOnly
		}
		list = append(list, c)
	}
	return list
}

// ranker is a ranking as a column.
type ranker struct {
	name, title string // Leaderboard.Names, and for people
	of          Method
}

// key is the ranker's name as the key of a column.
func (r ranker) key() string { return strings.ReplaceAll(r.name, "-", "_") }

// rankersOf are the rankers of all suites, those of the first one first.
func rankersOf(on []*OnSuite) []ranker {
	var list []ranker
	for _, s := range on {
		for k, name := range s.Names() {
			if !slices.ContainsFunc(list, func(r ranker) bool { return r.name == name }) {
				list = append(list, ranker{name, s.title(k, Method.Short), s.Rankings[k].Method})
			}
		}
	}
	return list
}

// compared are the columns of how a ranking compares with true accuracy.
func compared[R any](of func(R) Quality) []result.Column[R] {
	const sampled = "; the mean over repetitions of sampled rankers, for others the 95 % interval over resamples " +
		"of 6 models and more"
	rho, tau := func(q Quality) stats.Correlation { return q.Rho }, func(q Quality) stats.Correlation { return q.Tau }
	return result.Lift([]result.Column[Quality]{
		around(rho, spreads("spearman", Measure{Key: "spearman"}.Title(),
			"correlation of the ranks with those of the true accuracies, 1 for the same order"+sampled,
			result.Coefficient, func(q Quality) Spread { return q.Spearman })),
		probability("spearman_p", "of Spearman's ρ, two-sided", rho),
		around(tau, spreads("kendall", Measure{Key: "kendall"}.Title(),
			"share of pairs of models in the right order minus that in the wrong one, with ties taken into "+
				"account"+sampled,
			result.Coefficient, func(q Quality) Spread { return q.Kendall })),
		probability("kendall_p", "of Kendall's τ-b, two-sided", tau),
		result.Numbers("significant", "p < 0.05",
			"share of the repetitions in which Spearman's ρ has p < 0.05; 0 or 1 for rankers that are not sampled",
			result.Share, func(q Quality) float64 {
				if q.Spearman.N == 0 {
					return undefined
				}
				return q.Significant
			}),
		result.Numbers("repetitions", "repetitions",
			"what the means are over, 1 for rankers that are not sampled", result.Count,
			func(q Quality) float64 { return positive(q.Spearman.Of) }).In(result.FileOnly),
		result.Numbers("defined", "defined", "repetitions in which Spearman's ρ is defined", result.Count,
			func(q Quality) float64 { return positive(q.Spearman.N) }).In(result.FileOnly),
		result.Texts("spearman_p_by", "p by", "how p of Spearman's ρ was found",
			func(q Quality) string { return string(q.Rho.PBy) }).In(result.FileOnly),
		result.Texts("kendall_p_by", "p by", "how p of Kendall's τ-b was found",
			func(q Quality) string { return string(q.Tau.PBy) }).In(result.FileOnly),
		result.Texts("no_interval", "no interval", "why there is no 95 % interval",
			func(q Quality) string { return q.Rho.NoInterval }).In(result.FileOnly),
	}, of)
}

// spreads is a column of means over repetitions.
func spreads[R any](key, title, help string, format result.Format, of func(R) Spread) result.Column[R] {
	return result.Numbers(key, title, help, format, func(r R) float64 { return of(r).value() }).
		Spread(func(r R) float64 { return of(r).deviation() }).Because(func(r R) result.Reason { return of(r).Reason })
}

func around(of func(Quality) stats.Correlation, c result.Column[Quality]) result.Column[Quality] {
	end := func(value func(stats.Correlation) float64) func(Quality) float64 {
		return func(q Quality) float64 {
			if c := of(q); c.HasInterval() {
				return value(c)
			}
			return undefined
		}
	}
	return c.Between(end(func(c stats.Correlation) float64 { return c.Low }),
		end(func(c stats.Correlation) float64 { return c.High }))
}

func probability(key, help string, of func(Quality) stats.Correlation) result.Column[Quality] {
	return result.Numbers(key, "p", help, result.P, func(q Quality) float64 { return pOf(of(q)) }).
		Because(func(q Quality) result.Reason { return because(of(q)) })
}

// jaccards are the columns of the best models.
func jaccards[R any](rows []R, of func(R) Quality) []result.Column[R] {
	var top []int
	for _, r := range rows {
		if q := of(r); len(q.Top) > len(top) {
			top = q.Top
		}
	}
	var list []result.Column[R]
	for _, m := range Measures(top)[2:] {
		help := fmt.Sprintf("how many of the %d best models by the ranker and by true accuracy are the same, as a "+
			"share of all that are among either", m.Best)
		list = append(list, spreads(m.Key, fmt.Sprintf("Jaccard %d", m.Best), help, result.Number,
			func(r R) Spread { return m.Of(of(r)) }))
	}
	return list
}

// value is the mean, NaN without one.
func (s Spread) value() float64 {
	if s.N == 0 {
		return undefined
	}
	return s.Mean
}

// deviation is that over several repetitions, NaN for one.
func (s Spread) deviation() float64 {
	if s.N == 0 || s.Of < 2 {
		return undefined
	}
	return s.SD
}

// at is the k-th value, NaN where the list does not have it.
func at(values []float64, k int) float64 {
	if k >= len(values) {
		return undefined
	}
	return values[k]
}

// positive is a number that counts from 1 on; 0 is none.
func positive(n int) float64 {
	if n == 0 {
		return undefined
	}
	return float64(n)
}
