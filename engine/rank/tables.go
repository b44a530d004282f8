package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
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
	More: func(rows []Ranked) []result.Column[Ranked] {
		return slices.Concat(devices(rows, Ranked.model), accuracies(rows), byRanker(rows))
	},
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
		return append(devices(rows, Ranked.model), list...)
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
		return result.Texts(key, title, help, func(Ranked) string { return "" }).Told(func(Ranked) string {
			return " "
		}).
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
	ID: func(s Scored) string { return s.Rated.id() + "/" + s.model().key() },
	Columns: slices.Concat(
		result.Lift(subject.Columns[:2], func(s Scored) subject.Subject { return s.Of.subject(s.model()) }),
		result.Lift(about, func(s Scored) Rated { return s.Rated }),
		[]result.Column[Scored]{
			scoreColumn,
			result.Numbers("rank", "rank",
				"by the score, 1 for the best; equal scores share the smaller number", result.Count,
				func(s Scored) float64 { return positive(s.Ranking().Rank[s.Model]) }).Because(Scored.missing),
		}),
	More: func(rows []Scored) []result.Column[Scored] { return devices(rows, Scored.model) },
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
			result.Counts("models", "models", modelsHelp, func(c Conditions) int { return c.Models }),
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

// modelsHelp is the help of the number of models on a suite.
const modelsHelp = "models that take part; those without predictions on the suite do not"

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
			result.Lift(places[1:], Shift.place)...),
		[]result.Column[Shift]{result.Numbers("models", "models", modelsHelp, result.Count, Shift.models)}),
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
