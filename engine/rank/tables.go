package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
)

// Ranks is the table of models: accuracy, and a column with the rank by each ranker.
var Ranks = result.Table[Ranked]{
	Name: "ranks", Title: "Ranks of the models", Noun: "model",
	ID: func(r Ranked) string { return r.Of.id() + "/" + r.model().key() },
	Columns: slices.Concat(
		result.Lift(subject.Columns[:2], func(r Ranked) subject.Subject { return r.Of.subject(r.model()) }),
		result.Showing(result.FileOnly, result.Lift(places, func(r Ranked) place { return r.Of.place() })...),
		[]result.Column[Ranked]{
			result.Numbers("majority_agreement", "agrees with the majority",
				"share of the images that are not unanimous on which the model predicts the class of most models "+
					"(LaF's prior specialty)",
				result.Share, func(r Ranked) float64 { return r.agreement() }).In(result.FileOnly),
		}),
	More: func(rows []Ranked) []result.Column[Ranked] { return append(accuracies(rows), byRanker(rows)...) },
}

// Standings is Ranks with the score beside each rank, for the window.
var Standings = result.Table[Ranked]{
	Name: "standings", Title: Ranks.Title, Noun: Ranks.Noun, ID: Ranks.ID, Columns: Ranks.Columns,
	More: func(rows []Ranked) []result.Column[Ranked] {
		if len(rows) == 0 {
			return nil
		}
		list, on := accuracies(rows), rows[0].Of
		list[0].Title = TruthMethod.Title()
		truth := Competition(on.Truth)
		list[0].Sign = func(r Ranked) string {
			if r.Model >= len(truth) {
				return ""
			}
			return before(truth[r.Model])
		}
		list[1].Show = result.FileOnly
		if !slices.ContainsFunc(on.Chance, chance.Level.Flagged) {
			list[2].Show = result.Offered // in words, for who has none
		}
		for k, one := range on.Rankings {
			list = append(list, standing(on, k, one))
		}
		return list
	},
}

// standing is the column of the k-th ranking of a suite: score and rank.
func standing(on *OnSuite, k int, one Ranking) result.Column[Ranked] {
	key, title := on.Key(k), on.title(k, Method.Title)
	if title != one.Method.Title() { // measured more than once
		title = on.title(k, Method.Short)
	}
	help := one.Method.Help()
	if one.Note != "" {
		help += " — " + one.Note
	}
	if !one.Reason.None() {
		help += " — " + one.Reason.Text
	}
	if one.Reason == BeingAsked { // it shows nothing, not that there is nothing
		return result.Texts(key, title, help, func(Ranked) string { return "" }).Told(func(Ranked) string { return " " }).
			Because(func(Ranked) result.Reason { return one.Reason })
	}
	c := result.Numbers(key, title, help, result.Number, func(r Ranked) float64 { return at(one.Scores, r.Model) }).
		Because(func(Ranked) result.Reason {
			if !one.Reason.None() {
				return one.Reason
			}
			return unmeasuredOne
		})
	c.Decimals = 4
	c.Sign = func(r Ranked) string {
		if r.Model >= len(one.Rank) || one.Rank[r.Model] == 0 {
			return ""
		}
		return before(one.Rank[r.Model])
	}
	if one.SD != nil {
		c = c.Spread(func(r Ranked) float64 { return at(one.SD, r.Model) })
	}
	return c
}

// before is a rank before a score.
func before(rank int) string { return strconv.Itoa(rank) + "  " }

// Scores is the table of models and rankers: score and rank of each model by each ranker.
var Scores = result.Table[Scored]{
	Name: "ranking", Title: "Ranking", Noun: "score",
	ID: func(s Scored) string { return s.Rated.id() + "/" + s.Of.Models[s.Model].key() },
	Columns: slices.Concat(
		result.Lift(subject.Columns[:2], func(s Scored) subject.Subject { return s.Of.subject(s.Of.Models[s.Model]) }),
		result.Lift(about, func(s Scored) Rated { return s.Rated }),
		[]result.Column[Scored]{
			scoreColumn,
			result.Numbers("rank", "rank",
				"by the score, 1 for the best; equal scores share the smaller number", result.Count,
				func(s Scored) float64 { return positive(s.Ranking().Rank[s.Model]) }).Because(Scored.missing),
		}),
}

var scoreColumn = result.Column[Scored]{
	Key: "score", Title: "score",
	Help:   "by the ranker, the larger the better; of a sampled ranker the mean over its repetitions",
	Format: result.Number, Decimals: 4, Descending: true, Why: Scored.missing,
	Value: func(s Scored) float64 { return s.Ranking().Scores[s.Model] },
	SD:    func(s Scored) float64 { return at(s.Ranking().SD, s.Model) },
}

// Qualities is the table of rankers: what each rests on, and how its ranking compares with true
// accuracy.
var Qualities = result.Table[Rated]{
	Name: "quality", Title: "Quality of the rankers", Noun: "ranker", ID: Rated.id,
	Columns: slices.Concat(
		about,
		[]result.Column[Rated]{
			result.Numbers("models", "models",
				"how many of the models have a score by this ranker", result.Count, Rated.models).
				Because(func(r Rated) result.Reason { return r.Ranking().Reason }),
			result.Numbers("budget", "labels",
				"how many images have to be labelled for one ranking; robust accuracy needs all", result.Count,
				func(r Rated) float64 { return positive(r.Ranking().Budget) }),
		},
		compared(Rated.quality)),
	More: func(rows []Rated) []result.Column[Rated] { return jaccards(rows, Rated.quality) },
}

// Correlations is the table of how alike the rankers order the models, each pair by each measure.
var Correlations = result.Table[Pair]{
	Name: "rank_correlation", Title: "Rank correlations", Noun: "pair",
	ID: func(p Pair) string { return p.Measure.Key + "/" + p.First + "/" + p.Second },
	Columns: []result.Column[Pair]{
		result.Texts("measure", "measure", "how the two orders are compared",
			func(p Pair) string { return p.Measure.Key }).
			Told(func(p Pair) string { return p.Measure.Title() }),
		result.Texts("first", "first", "ranker, or truth for the true accuracies",
			func(p Pair) string { return p.First }).
			Told(func(p Pair) string { return p.titles[0] }),
		result.Texts("second", "second", "ranker, or truth for the true accuracies",
			func(p Pair) string { return p.Second }).
			Told(func(p Pair) string { return p.titles[1] }),
		result.Numbers("value", "value",
			"1 for the same order; undefined where one of the two ranks all models alike", result.Coefficient,
			func(p Pair) float64 { return p.Value }),
	},
}

// HardImages is the table of the images on which models disagree.
var HardImages = result.Table[HardImage]{
	Name: "hard_images", Title: "Hard images", Noun: "image",
	ID: func(h HardImage) string { return fmt.Sprint(h.Image) },
	Columns: []result.Column[HardImage]{
		result.Counts("image", "image", "number of the image, from 0", func(h HardImage) int { return h.Image }),
		result.Texts("name", "name", "name of the image in its suite or table",
			func(h HardImage) string { return h.Name }),
		result.Numbers("difficulty", "difficulty", "by LaF: the negative of the log-easiness", result.Number,
			func(h HardImage) float64 { return h.Difficulty }),
		result.Numbers("agreement", "agreement", "share of the models that predict the class of most", result.Share,
			func(h HardImage) float64 { return h.Agreement }),
		result.Texts("majority", "majority", "the class that most models predict",
			func(h HardImage) string { return h.Majority }),
		result.Texts("likely", "likely", "the most probable class by LaF",
			func(h HardImage) string { return h.Likely }),
		result.Numbers("sure", "sure", "probability of that class", result.Share,
			func(h HardImage) float64 { return h.Sure }),
		result.Texts("true", "true", "the true class, where it is known", func(h HardImage) string { return h.True }),
	},
}

// CurveTable is the table of the rankers' quality over the labelling budget.
var CurveTable = result.Table[CurvePoint]{
	Name: "curves", Title: "Quality over the labelling budget", Noun: "point",
	ID: func(p CurvePoint) string { return fmt.Sprint(p.Of.Method, "/", p.Of.Note, "/", p.Budget) },
	Columns: append([]result.Column[CurvePoint]{
		result.Texts("method", "ranker", rankerHelp, func(p CurvePoint) string { return string(p.Of.Method) }).
			Told(func(p CurvePoint) string { return p.Of.Method.Title() }),
		result.Texts("note", "rests on", "what the ranker rests on",
			func(p CurvePoint) string { return p.Of.Note }).In(result.Offered),
		result.Counts("budget", "labels", "labelled images", func(p CurvePoint) int { return p.Budget }),
	}, compared(CurvePoint.quality)...),
	More: func(rows []CurvePoint) []result.Column[CurvePoint] { return jaccards(rows, CurvePoint.quality) },
}

// ImpactTable is the table of LaF's quality on shares of the models and of the images.
var ImpactTable = result.Table[ImpactPoint]{
	Name: "impact", Title: "Impact of models and images", Noun: "point",
	ID: func(p ImpactPoint) string { return fmt.Sprint(p.Factor, p.Share) },
	Columns: append([]result.Column[ImpactPoint]{
		result.Texts("factor", "share of", "what LaF gets a share of: models or images",
			func(p ImpactPoint) string { return string(p.Factor) }),
		result.Numbers("share", "share", "drawn anew in each repetition", result.Share,
			func(p ImpactPoint) float64 { return p.Share }),
		result.Counts("models", "models", "models that take part, at least 3",
			func(p ImpactPoint) int { return p.Models }),
		result.Counts("images", "images", "images that take part, at least 1",
			func(p ImpactPoint) int { return p.Samples }),
	}, compared(ImpactPoint.quality)...),
	More: func(rows []ImpactPoint) []result.Column[ImpactPoint] { return jaccards(rows, ImpactPoint.quality) },
}

// ConditionsTable is the table of suites: LaF's quality beside the accuracies of the models.
var ConditionsTable = result.Table[Conditions]{
	Name: "conditions", Title: "Conditions of the suites", Noun: "suite",
	ID:    func(c Conditions) string { return cmp.Or(c.SuiteHash, c.Name) },
	First: result.Order{Key: "suite"},
	Columns: slices.Concat(
		result.Lift(places, func(c Conditions) place { return place{c.Name, c.SuiteHash, c.Corruption, c.Severity} }),
		[]result.Column[Conditions]{
			result.Numbers("lowest", "lowest", "accuracy of the worst model", result.Share,
				func(c Conditions) float64 { return c.Lowest }),
			result.Numbers("highest", "highest", "accuracy of the best model", result.Share,
				func(c Conditions) float64 { return c.Highest }),
			result.Numbers("mean_accuracy", "quality", "mean accuracy of the models", result.Share,
				func(c Conditions) float64 { return c.MeanAccuracy }),
			result.Numbers("diversity", "diversity", "standard deviation of the models' accuracies", result.Share,
				func(c Conditions) float64 { return c.Diversity }),
		},
		compared(Conditions.quality)),
	More: func(rows []Conditions) []result.Column[Conditions] { return jaccards(rows, Conditions.quality) },
}

// Shifts is the table of suites by measure, with a column per ranker.
var Shifts = result.Table[Shift]{
	Name: "shifted", Title: "Quality on shifted suites", Noun: "row",
	ID: func(s Shift) string { return s.Measure.Key + "/" + s.place().hash + "/" + s.place().suite },
	Columns: slices.Concat(
		[]result.Column[Shift]{
			result.Texts("measure", "measure", "of the rankers' orders and that of the true accuracies",
				func(s Shift) string { return s.Measure.Key }).
				Told(func(s Shift) string { return s.Measure.Title() }),
		},
		result.Lift(places[:1], Shift.place), result.Showing(result.FileOnly,
			result.Lift(places[1:], Shift.place)...)),
	More: func(rows []Shift) []result.Column[Shift] {
		if len(rows) == 0 {
			return nil
		}
		var list []result.Column[Shift]
		for _, by := range rankersOf(rows[0].all) {
			of := func(s Shift) Spread { return s.spread(by.name) }
			list = append(list, spreads(by.key(), by.title, by.of.Help(), result.Coefficient, of))
		}
		return list
	},
}

// basis is one row: what the rankings of the first suite rest on, and how LaF came to its end.
var basis = result.Table[Rankings]{
	Name: "basis", Title: "What the rankings rest on", Noun: "row",
	ID: func(r Rankings) string { return r.On[0].id() },
	Columns: slices.Concat(
		result.Lift(places, func(r Rankings) place { return r.On[0].place() }),
		[]result.Column[Rankings]{
			result.Counts("images", "images", "images of the suite", func(r Rankings) int { return r.On[0].Samples }),
			result.Counts("true_classes", "true classes", "images whose true class is known",
				func(r Rankings) int { return r.Data.Samples - r.Data.unlabelled(nil) }),
			result.Counts("classes", "classes", "classes of the task", func(r Rankings) int { return r.Data.Classes }),
			result.Counts("models", "models", "models that take part",
				func(r Rankings) int { return len(r.On[0].Models) }),
		}),
	More: func(rows []Rankings) []result.Column[Rankings] {
		if len(rows) == 0 || rows[0].On[0].LaF == nil {
			return nil
		}
		return result.Lift([]result.Column[LaFResult]{
			result.Counts("laf_images", "LaF's images", "images on which not all models agree, which LaF keeps",
				func(l LaFResult) int { return len(l.Kept) }),
			result.Counts("laf_rounds", "LaF's rounds", "M-steps of LaF", func(l LaFResult) int { return l.Rounds }),
			result.Bools("laf_settled", "LaF settled", "whether LaF came to rest",
				func(l LaFResult) bool { return l.Settled }),
			result.Numbers("laf_q_first", "first Q", "LaF's expected log-likelihood Q at its start", result.Number,
				func(l LaFResult) float64 { return l.QFirst }),
			result.Numbers("laf_q_last", "last Q", "LaF's expected log-likelihood Q at its end", result.Number,
				func(l LaFResult) float64 { return l.QLast }),
			result.Texts("laf_reason", "why no LaF", "why LaF has no ranking",
				func(l LaFResult) string { return l.Reason.Text }),
		}, func(r Rankings) LaFResult { return *r.On[0].LaF })
	},
}

// LeftOuts is the table of models and suites that take no part.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row",
	ID: func(l LeftOut) string { return cmp.Or(l.SuiteHash, l.Suite) + "/" + cmp.Or(l.Hash, l.ID) },
	Columns: append(result.Lift(subject.Columns[:4], func(l LeftOut) subject.Subject {
		return subject.Subject{Model: l.ID, ModelHash: l.Hash, Suite: l.Suite, SuiteHash: l.SuiteHash}
	}),
		result.Texts("reason", "why", "why it takes no part", func(l LeftOut) string { return l.Reason.Text }),
		result.Texts("code", "code", "the reason in a word, for programs",
			func(l LeftOut) string { return l.Reason.Code }).In(result.FileOnly)),
}

// Wanted is an image whose label a ranker needs: a row of ToLabel.
type Wanted struct {
	Image int
	Name  string // "" for none
}

// ToLabel is the table of images to label, with an empty column for the labels: with these filled
// in the command rank reads its file by --truth.
var ToLabel = result.Table[Wanted]{
	Name: "labels", Title: "Images to label", Noun: "image", ID: func(w Wanted) string { return fmt.Sprint(w.Image) },
	Columns: []result.Column[Wanted]{
		result.Counts("sample", "image", "number of the image, from 0", func(w Wanted) int { return w.Image }),
		result.Texts("name", "name", "name of the image in its suite or table",
			func(w Wanted) string { return w.Name }),
		result.Texts("label", "label", "the true class, by name or number, for people to fill in",
			func(Wanted) string { return "" }),
	},
}

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

const rankerHelp = "how well each ranker's order is that of the true accuracies"

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
	name, title string // Board.Names, and for people
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
