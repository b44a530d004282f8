package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Ranks is the table of models: accuracy, and a column with the rank by each ranker.
var Ranks = result.Table[Ranked]{
	Name: "ranks", Title: "Ranks of the models", Noun: "model", ID: func(r Ranked) string { return r.Of.id() + "/" + r.model().key() },
	Columns: slices.Concat(
		result.Lift(models, Ranked.model),
		result.Showing(result.FileOnly, result.Lift(places, func(r Ranked) place { return r.Of.place() })...),
		[]result.Column[Ranked]{{
			Key: "majority_agreement", Title: "agrees with the majority", Format: result.Share, Show: result.FileOnly, Descending: true,
			Help:  "share of the images that are not unanimous on which the model predicts the class of most models (LaF's prior specialty)",
			Value: func(r Ranked) float64 { return r.agreement() },
		}}),
	More: func(rows []Ranked) []result.Column[Ranked] { return slices.Concat(accuracies(rows), byRanker(rows)) },
}

// Scores is the table of models and rankers: score and rank of each model by each ranker.
var Scores = result.Table[Scored]{
	Name: "ranking", Title: "Ranking", Noun: "score",
	ID: func(s Scored) string { return s.Rated.id() + "/" + s.Of.Models[s.Model].key() },
	Columns: slices.Concat(
		result.Lift(models, func(s Scored) Model { return s.Of.Models[s.Model] }),
		result.Lift(about, func(s Scored) Rated { return s.Rated }),
		[]result.Column[Scored]{
			{
				Key: "score", Title: "score", Help: "by the ranker, the larger the better; of a sampled ranker the mean over its repetitions", Decimals: 4,
				Format: result.Number, Descending: true, Why: Scored.missing,
				Value: func(s Scored) float64 { return s.Ranking().Scores[s.Model] },
				SD: func(s Scored) float64 {
					if sd := s.Ranking().SD; sd != nil {
						return sd[s.Model]
					}
					return undefined
				},
			},
			{
				Key: "rank", Title: "rank", Help: "by the score, 1 for the best; equal scores share the smaller number", Format: result.Count,
				Why: Scored.missing, Value: func(s Scored) float64 { return positive(s.Ranking().Rank[s.Model]) },
			},
		}),
}

// Qualities is the table of rankers: what each rests on, and how its ranking compares with true
// accuracy.
var Qualities = result.Table[Rated]{
	Name: "quality", Title: "Quality of the rankers", Noun: "ranker", ID: Rated.id,
	Columns: slices.Concat(
		about,
		[]result.Column[Rated]{
			{
				Key: "models", Title: "models", Help: "how many of the models have a score by this ranker", Format: result.Count, Descending: true,
				Value: func(r Rated) float64 { return r.only(float64(r.Ranking().Scored())) }, Why: func(r Rated) result.Reason { return r.Ranking().Reason },
			},
			{
				Key: "budget", Title: "labels", Help: "how many images have to be labelled for one ranking; robust accuracy needs all", Format: result.Count,
				Value: func(r Rated) float64 { return positive(r.Ranking().Budget) },
			},
		},
		result.Lift(compared, func(r Rated) Quality { return r.Ranking().Quality })),
	More: func(rows []Rated) []result.Column[Rated] {
		return jaccards(rows, func(r Rated) Quality { return r.Ranking().Quality })
	},
}

// Correlations is the table of how alike the rankers order the models, each pair by each measure.
var Correlations = result.Table[Pair]{
	Name: "rank_correlation", Title: "Rank correlations", Noun: "pair", ID: func(p Pair) string { return p.Measure.Key + "/" + p.First + "/" + p.Second },
	Columns: []result.Column[Pair]{
		{Key: "measure", Title: "measure", Help: "how the two orders are compared", Text: func(p Pair) string { return p.Measure.Key }, Said: func(p Pair) string { return p.Measure.Title() }},
		{Key: "first", Title: "first", Help: "ranker, or truth for the true accuracies", Text: func(p Pair) string { return p.First }, Said: func(p Pair) string { return p.titles[0] }},
		{Key: "second", Title: "second", Help: "ranker, or truth for the true accuracies", Text: func(p Pair) string { return p.Second }, Said: func(p Pair) string { return p.titles[1] }},
		{
			Key: "value", Title: "value", Help: "1 for the same order; undefined where one of the two ranks all models alike", Format: result.Coefficient,
			Descending: true, Value: func(p Pair) float64 { return p.Value },
		},
	},
}

// HardImages is the table of the images on which models disagree.
var HardImages = result.Table[HardImage]{
	Name: "hard_images", Title: "Hard images", Noun: "image", ID: func(h HardImage) string { return fmt.Sprint(h.Image) },
	Columns: []result.Column[HardImage]{
		{Key: "image", Title: "image", Help: "number of the image, from 0", Format: result.Count, Value: func(h HardImage) float64 { return float64(h.Image) }},
		{Key: "name", Title: "name", Help: "name of the image in its suite or table", Text: func(h HardImage) string { return h.Name }},
		{
			Key: "difficulty", Title: "difficulty", Help: "by LaF: the negative of the log-easiness", Format: result.Number, Descending: true,
			Value: func(h HardImage) float64 { return h.Difficulty },
		},
		{Key: "agreement", Title: "agreement", Help: "share of the models that predict the class of most", Format: result.Share, Value: func(h HardImage) float64 { return h.Agreement }},
		{Key: "majority", Title: "majority", Help: "the class that most models predict", Text: func(h HardImage) string { return h.Majority }},
		{Key: "likely", Title: "likely", Help: "the most probable class by LaF", Text: func(h HardImage) string { return h.Likely }},
		{Key: "sure", Title: "sure", Help: "probability of that class", Format: result.Share, Descending: true, Value: func(h HardImage) float64 { return h.Sure }},
		{Key: "true", Title: "true", Help: "the true class, where it is known", Text: func(h HardImage) string { return h.True }},
	},
}

// CurveTable is the table of the rankers' quality over the labelling budget.
var CurveTable = result.Table[CurvePoint]{
	Name: "curves", Title: "Quality over the labelling budget", Noun: "point",
	ID: func(p CurvePoint) string { return fmt.Sprint(p.Of.Method, "/", p.Of.Note, "/", p.Budget) },
	Columns: slices.Concat(
		[]result.Column[CurvePoint]{
			{Key: "method", Title: "ranker", Help: rankerHelp, Text: func(p CurvePoint) string { return string(p.Of.Method) }, Said: func(p CurvePoint) string { return p.Of.Method.Title() }},
			{Key: "note", Title: "rests on", Help: "what the ranker rests on", Show: result.Offered, Text: func(p CurvePoint) string { return p.Of.Note }},
			{Key: "budget", Title: "labels", Help: "labelled images", Format: result.Count, Value: func(p CurvePoint) float64 { return float64(p.Budget) }},
		},
		result.Lift(compared, func(p CurvePoint) Quality { return p.Quality })),
	More: func(rows []CurvePoint) []result.Column[CurvePoint] {
		return jaccards(rows, func(p CurvePoint) Quality { return p.Quality })
	},
}

// ImpactTable is the table of LaF's quality on shares of the models and of the images.
var ImpactTable = result.Table[ImpactPoint]{
	Name: "impact", Title: "Impact of models and images", Noun: "point", ID: func(p ImpactPoint) string { return fmt.Sprint(p.Factor, p.Share) },
	Columns: slices.Concat(
		[]result.Column[ImpactPoint]{
			{Key: "factor", Title: "share of", Help: "what LaF gets a share of: models or images", Text: func(p ImpactPoint) string { return string(p.Factor) }},
			{Key: "share", Title: "share", Help: "drawn anew in each repetition", Format: result.Share, Value: func(p ImpactPoint) float64 { return p.Share }},
			{Key: "models", Title: "models", Help: "models that take part, at least 3", Format: result.Count, Value: func(p ImpactPoint) float64 { return float64(p.Models) }},
			{Key: "images", Title: "images", Help: "images that take part, at least 1", Format: result.Count, Value: func(p ImpactPoint) float64 { return float64(p.Samples) }},
		},
		result.Lift(compared, func(p ImpactPoint) Quality { return p.Quality })),
	More: func(rows []ImpactPoint) []result.Column[ImpactPoint] {
		return jaccards(rows, func(p ImpactPoint) Quality { return p.Quality })
	},
}

// ConditionsTable is the table of suites: LaF's quality beside the accuracies of the models.
var ConditionsTable = result.Table[Conditions]{
	Name: "conditions", Title: "Conditions of the suites", Noun: "suite", ID: func(c Conditions) string { return cmp.Or(c.SuiteHash, c.Name) }, First: result.Order{Key: "suite"},
	Columns: slices.Concat(
		result.Lift(places, func(c Conditions) place { return place{c.Name, c.SuiteHash, c.Corruption, c.Severity} }),
		[]result.Column[Conditions]{
			share("lowest", "lowest", "accuracy of the worst model", func(c Conditions) float64 { return c.Lowest }),
			share("highest", "highest", "accuracy of the best model", func(c Conditions) float64 { return c.Highest }),
			share("mean_accuracy", "quality", "mean accuracy of the models", func(c Conditions) float64 { return c.MeanAccuracy }),
			share("diversity", "diversity", "standard deviation of the models' accuracies", func(c Conditions) float64 { return c.Diversity }),
		},
		result.Lift(compared, func(c Conditions) Quality { return c.Quality })),
	More: func(rows []Conditions) []result.Column[Conditions] {
		return jaccards(rows, func(c Conditions) Quality { return c.Quality })
	},
}

// Shifts is the table of suites by measure, with a column per ranker.
var Shifts = result.Table[Shift]{
	Name: "shifted", Title: "Quality on shifted suites", Noun: "row",
	ID: func(s Shift) string { return s.Measure.Key + "/" + s.place().hash + "/" + s.place().suite },
	Columns: append([]result.Column[Shift]{{
		Key: "measure", Title: "measure", Help: "of the rankers' orders and that of the true accuracies",
		Text: func(s Shift) string { return s.Measure.Key }, Said: func(s Shift) string { return s.Measure.Title() },
	}}, result.Lift(append(result.Showing(result.Shown, places[0]), result.Showing(result.FileOnly, places[1:]...)...), Shift.place)...),
	More: func(rows []Shift) []result.Column[Shift] {
		var list []result.Column[Shift]
		for _, name := range rankersOf(rows[0].all) {
			list = append(list, result.Column[Shift]{
				Key: key(name), Title: name.title, Help: name.of.Help(), Format: result.Coefficient, Descending: true,
				Value: func(s Shift) float64 { return s.spread(name.key).value() }, SD: func(s Shift) float64 { return s.spread(name.key).deviation() },
				Why: func(s Shift) result.Reason { return s.spread(name.key).Reason },
			})
		}
		return list
	},
}

// basis is one row: what the rankings of the first suite rest on, and how LaF came to its end.
var basis = result.Table[Rankings]{
	Name: "basis", Title: "What the rankings rest on", Noun: "row", ID: func(r Rankings) string { return r.On[0].id() },
	Columns: slices.Concat(
		result.Lift(places, func(r Rankings) place { return r.On[0].place() }),
		[]result.Column[Rankings]{
			fact("images", "images of the suite", result.Count, func(r Rankings) float64 { return float64(r.On[0].Samples) }),
			fact("true_classes", "images whose true class is known", result.Count, func(r Rankings) float64 { return float64(r.Data.Samples - r.Data.unlabelled(nil)) }),
			fact("classes", "classes of the task", result.Count, func(r Rankings) float64 { return float64(r.Data.Classes) }),
			fact("models", "models that take part", result.Count, func(r Rankings) float64 { return float64(len(r.On[0].Models)) }),
			fact("laf_images", "images on which not all models agree, which LaF keeps", result.Count, func(r Rankings) float64 { return ofLaF(r, float64(len(r.laf().Kept))) }),
			fact("laf_rounds", "M-steps of LaF", result.Count, func(r Rankings) float64 { return ofLaF(r, float64(r.laf().Rounds)) }),
			fact("laf_settled", "whether LaF came to rest", result.Bool, func(r Rankings) float64 { return ofLaF(r, bit(r.laf().Settled)) }),
			fact("laf_q_first", "LaF's expected log-likelihood Q at its start", result.Number, func(r Rankings) float64 { return r.laf().QFirst }),
			fact("laf_q_last", "the same at its end", result.Number, func(r Rankings) float64 { return r.laf().QLast }),
			{Key: "laf_reason", Title: "why no LaF", Help: "why LaF has no ranking", Text: func(r Rankings) string { return r.laf().Reason.Text }},
		}),
}

// LeftOuts is the table of models and suites that take no part.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row", ID: func(l LeftOut) string { return cmp.Or(l.SuiteHash, l.Suite) + "/" + cmp.Or(l.Hash, l.ID) },
	Columns: slices.Concat(
		result.Lift(models, func(l LeftOut) Model { return Model{l.ID, l.Hash} }),
		result.Showing(result.FileOnly, result.Lift(places[:2], func(l LeftOut) place { return place{l.Suite, l.SuiteHash, "", 0} })...),
		[]result.Column[LeftOut]{
			{Key: "reason", Title: "why", Help: "why it takes no part", Text: func(l LeftOut) string { return l.Reason.Text }},
			{Key: "code", Title: "code", Help: "the reason in a word, for programs", Show: result.FileOnly, Text: func(l LeftOut) string { return l.Reason.Code }},
		}),
}

var models = []result.Column[Model]{
	{Key: "model_id", Title: "model", Help: "name of the model", Text: func(m Model) string { return m.ID }},
	{
		Key: "model_hash", Title: "model hash", Help: "SHA-256 of the model's file; models of tables have none", Format: result.ID, Show: result.FileOnly,
		Text: func(m Model) string { return m.Hash },
	},
}

// key names the model on a suite.
func (m Model) key() string { return cmp.Or(m.Hash, m.ID) }

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

var places = []result.Column[place]{
	{Key: "suite", Title: "suite", Help: "name of the test suite, or of the table of predictions", Text: func(p place) string { return p.suite }},
	{
		Key: "suite_hash", Title: "suite hash", Help: "content hash of the suite; tables of predictions have none", Format: result.ID, Show: result.FileOnly,
		Text: func(p place) string { return p.hash },
	},
	{
		Key: "corruption", Title: "corruption", Help: "what was done to the images of the suite that this one is made from",
		Text: func(p place) string { return p.corruption }, Said: func(p place) string { return derive.Title(p.corruption) },
	},
	{Key: "severity", Title: "severity", Help: "of the corruption, 1 to 5", Format: result.Count, Value: func(p place) float64 { return positive(p.severity) }},
}

const rankerHelp = "how well each ranker's order is that of the true accuracies"

// about are the columns that say which ranker a row is about, and on which suite.
var about = slices.Concat(
	[]result.Column[Rated]{
		{
			Key: "method", Title: "ranker", Help: rankerHelp, Text: func(r Rated) string { return r.Of.Names()[r.K] },
			Said: func(r Rated) string { return r.Of.title(r.K, Method.Title) },
		},
		{Key: "note", Title: "rests on", Help: "what the ranking rests on, or why there is none", Text: func(r Rated) string { return r.Ranking().Note }, Said: Rated.RestsOn},
		{
			Key: "family", Title: "transformations", Help: "canonical text of the family or sets under which the ranker was measured", Show: result.FileOnly,
			Text: func(r Rated) string { return r.Ranking().Family },
		},
		{Key: "reason", Title: "why none", Help: "why there is no ranking", Show: result.FileOnly, Text: func(r Rated) string { return r.Ranking().Reason.Text }},
		{Key: "code", Title: "code", Help: "that reason in a word, for programs", Show: result.FileOnly, Text: func(r Rated) string { return r.Ranking().Reason.Code }},
	},
	result.Showing(result.FileOnly, result.Lift(places, func(r Rated) place { return r.Of.place() })...))

func (r Rated) id() string { return r.Of.id() + "/" + r.Of.Names()[r.K] }

// only is a value of a ranking that there is.
func (r Rated) only(v float64) float64 {
	if r.Ranking().Reason.None() {
		return v
	}
	return undefined
}

func (s Scored) missing() result.Reason { return unmeasuredOne }

func (r Ranked) model() Model { return r.Of.Models[r.Model] }

func (r Ranked) agreement() float64 {
	if l := r.Of.LaF; l != nil && l.PriorSpecialty != nil {
		return l.PriorSpecialty[r.Model]
	}
	return undefined
}

// accuracies are the columns of true accuracy; they are for files alone where no suite has it.
func accuracies(rows []Ranked) []result.Column[Ranked] {
	list := append([]result.Column[Ranked]{
		{
			Key: "accuracy", Title: "accuracy", Help: TruthMethod.Help(), Format: result.Share, Descending: true, Why: func(r Ranked) result.Reason { return r.Of.NoTruth },
			Value: func(r Ranked) float64 {
				if r.Of.Truth == nil {
					return undefined
				}
				return r.Of.Truth[r.Model]
			},
		},
		{
			Key: "accuracy_rank", Title: "rank", Help: "by accuracy, 1 for the best", Format: result.Count, Why: func(r Ranked) result.Reason { return r.Of.NoTruth },
			Value: func(r Ranked) float64 {
				if r.Of.Truth == nil {
					return undefined
				}
				return positive(Competition(r.Of.Truth)[r.Model])
			},
		},
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
	for _, name := range rankersOf(on) {
		c := result.Column[Ranked]{
			Key: key(name), Title: name.title, Help: name.of.Help(), Format: result.Count, Show: result.FileOnly,
			Value: func(r Ranked) float64 {
				if one := r.Of.named(name.key); one.Reason.None() {
					return positive(one.Rank[r.Model])
				}
				return undefined
			},
			Why: func(r Ranked) result.Reason {
				if one := r.Of.named(name.key); !one.Reason.None() {
					return one.Reason
				}
				return unmeasuredOne
			},
		}
		if slices.ContainsFunc(on, func(s *OnSuite) bool { return s.named(name.key).Reason.None() }) {
			c.Show = result.Shown
		}
		list = append(list, c)
	}
	return list
}

// ranker is a ranking as a column.
type ranker struct {
	key, title string
	of         Method
}

// rankersOf are the rankers of all suites, those of the first one first.
func rankersOf(on []*OnSuite) []ranker {
	var list []ranker
	for _, s := range on {
		for k, name := range s.Names() {
			if !slices.ContainsFunc(list, func(r ranker) bool { return r.key == name }) {
				list = append(list, ranker{name, s.title(k, Method.Short), s.Rankings[k].Method})
			}
		}
	}
	return list
}

// key is the ranker's name as the key of a column.
func key(r ranker) string { return strings.ReplaceAll(r.key, "-", "_") }

// compared are the columns of how a ranking compares with true accuracy.
var compared = []result.Column[Quality]{
	correlation("spearman", Measure{Key: "spearman"}, "correlation of the ranks with those of the true accuracies, 1 for the same order",
		func(q Quality) Spread { return q.Spearman }, func(q Quality) stats.Correlation { return q.Rho }),
	probability("spearman_p", "of Spearman's ρ, two-sided", func(q Quality) stats.Correlation { return q.Rho }),
	correlation("kendall", Measure{Key: "kendall"}, "share of pairs of models in the right order minus that in the wrong one, with ties taken into account",
		func(q Quality) Spread { return q.Kendall }, func(q Quality) stats.Correlation { return q.Tau }),
	probability("kendall_p", "of Kendall's τ-b, two-sided", func(q Quality) stats.Correlation { return q.Tau }),
	{
		Key: "significant", Title: "p < 0.05", Help: "share of the repetitions in which Spearman's ρ has p < 0.05; 0 or 1 for rankers that are not sampled",
		Format: result.Share, Descending: true, Value: func(q Quality) float64 {
			if q.Spearman.N == 0 {
				return undefined
			}
			return q.Significant
		},
	},
	{
		Key: "repetitions", Title: "repetitions", Help: "what the means are over, 1 for rankers that are not sampled", Format: result.Count, Show: result.FileOnly,
		Value: func(q Quality) float64 { return positive(q.Spearman.Of) },
	},
}

func correlation(key string, m Measure, help string, of func(Quality) Spread, c func(Quality) stats.Correlation) result.Column[Quality] {
	end := func(value func(stats.Correlation) float64) func(Quality) float64 {
		return func(q Quality) float64 {
			if c := c(q); c.HasInterval() {
				return value(c)
			}
			return undefined
		}
	}
	return result.Column[Quality]{
		Key: key, Title: m.Title(), Format: result.Coefficient, Descending: true,
		Help:  help + "; the mean over repetitions of sampled rankers, for others the 95 % interval over resamples of 6 models and more",
		Value: func(q Quality) float64 { return of(q).value() }, SD: func(q Quality) float64 { return of(q).deviation() },
		Low: end(func(c stats.Correlation) float64 { return c.Low }), High: end(func(c stats.Correlation) float64 { return c.High }),
		Why: func(q Quality) result.Reason { return of(q).Reason },
	}
}

func probability(key, help string, of func(Quality) stats.Correlation) result.Column[Quality] {
	return result.Column[Quality]{
		Key: key, Title: "p", Help: help, Format: result.P, Value: func(q Quality) float64 { return pOf(of(q)) },
		Why: func(q Quality) result.Reason { return because(of(q)) },
	}
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
		list = append(list, result.Column[R]{
			Key: m.Key, Title: fmt.Sprintf("Jaccard %d", m.Best), Format: result.Number, Descending: true,
			Help:  fmt.Sprintf("how many of the %d best models by the ranker and by true accuracy are the same, as a share of all that are among either", m.Best),
			Value: func(r R) float64 { return m.Of(of(r)).value() }, SD: func(r R) float64 { return m.Of(of(r)).deviation() },
			Why: func(r R) result.Reason { return m.Of(of(r)).Reason },
		})
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

func share(key, title, help string, value func(Conditions) float64) result.Column[Conditions] {
	return result.Column[Conditions]{Key: key, Title: title, Help: help, Format: result.Share, Descending: true, Value: value}
}

func fact(key, help string, format result.Format, value func(Rankings) float64) result.Column[Rankings] {
	return result.Column[Rankings]{Key: key, Title: strings.ReplaceAll(key, "_", " "), Help: help, Format: format, Value: value}
}

// ofLaF is a number of LaF, NaN where it was not asked.
func ofLaF(r Rankings, v float64) float64 {
	if r.On[0].LaF == nil {
		return undefined
	}
	return v
}

// positive is a number that counts from 1 on; 0 is none.
func positive(n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return float64(n)
}

func bit(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Wanted is an image whose label a ranker needs: a row of ToLabel.
type Wanted struct {
	Image int
	Name  string // "" for none
}

// ToLabel is the table of images to label, with an empty column for the labels: with these filled in
// the command rank reads its file by --truth.
var ToLabel = result.Table[Wanted]{
	Name: "labels", Title: "Images to label", Noun: "image", ID: func(w Wanted) string { return fmt.Sprint(w.Image) },
	Columns: []result.Column[Wanted]{
		{Key: "sample", Title: "image", Help: "number of the image, from 0", Format: result.Count, Value: func(w Wanted) float64 { return float64(w.Image) }},
		{Key: "name", Title: "name", Help: "name of the image in its suite or table", Text: func(w Wanted) string { return w.Name }},
		{Key: "label", Title: "label", Help: "the true class, by name or number, for people to fill in", Text: func(Wanted) string { return "" }},
	},
}
