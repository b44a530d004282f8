package invariance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
)

const hidden, offered = result.FileOnly, result.Offered

// resampled says of what the interval of a line's coefficient is made.
const resampled = "; its 95 % interval rests on resamples of the points"

// Studies is the table of studies, one row each. What all points have in common is the suite or
// the model that the column "of" names.
var Studies = result.Table[*Studied]{
	Name: "studies", Title: "Studies", Noun: "study", ID: (*Studied).id,
	Columns: slices.Concat(
		study(func(s *Studied) *Studied { return s }),
		[]result.Column[*Studied]{
			result.Counts("points", "points", "models or suites that take part",
				func(s *Studied) int { return s.Pearson.N }),
		},
		correlation("pearson", "Pearson r", "pearson_p", func(s *Studied) stats.Correlation { return s.Pearson }),
		correlation("spearman", "Spearman ρ", "spearman_p", func(s *Studied) stats.Correlation { return s.Spearman }),
		[]result.Column[*Studied]{
			line("intercept", "of the robust line"+resampled,
				func(s *Studied) float64 { return s.Line.Intercept }).Between(
				ofLine(func(s *Studied) float64 { return s.Intercept.Low }),
				ofLine(func(s *Studied) float64 { return s.Intercept.High })),
			line("slope", "of the robust line"+resampled, func(s *Studied) float64 { return s.Line.Slope }).Between(
				ofLine(func(s *Studied) float64 { return s.Slope.Low }),
				ofLine(func(s *Studied) float64 { return s.Slope.High })),
			line("scale", "of the residuals of the robust line",
				func(s *Studied) float64 { return s.Line.Scale }).In(hidden),
			result.Texts("remark", "remark", "why there is no line, or what to know about it", (*Studied).remark),
			result.Counts("dropped", "left out", "points without score or accuracy",
				func(s *Studied) int { return s.Dropped }).In(offered),
			result.Counts("at_chance", "at chance", "points whose accuracy is not above chance",
				func(s *Studied) int { return s.AtChance }).In(offered),
			result.Bools("unscaled", "unscaled", "accuracies as they are, in place of their logits",
				func(s *Studied) bool { return s.Unscaled }).In(hidden),
			result.Numbers("eps", "clipped at",
				"accuracies are clipped to eps and 1 - eps before the logit", result.Number,
				func(s *Studied) float64 { return s.Eps }).In(hidden),
			result.Counts("resamples", "resamples", "for the band",
				func(s *Studied) int { return s.Resamples }).In(hidden),
			result.Counts("resamples_defined", "defined resamples", "of these, those that have a line",
				func(s *Studied) int { return s.Defined }).In(hidden),
			result.Texts("seed", "seed", "of the resamples",
				func(s *Studied) string { return fmt.Sprint(s.Seed) }).In(hidden),
			forecast("mean_absolute_error",
				"of the accuracies of suites with labels, each predicted without it", result.Points,
				func(p *Prediction) float64 { return p.MeanAbsoluteError }),
			forecast("worst_error", "the largest of them", result.Points,
				func(p *Prediction) float64 { return p.WorstError }),
			forecast("covered", "share of their intervals that hold the accuracy", result.Share,
				func(p *Prediction) float64 { return p.Covered }),
		}),
}

// StudyPoints is the table of the points of studies.
var StudyPoints = result.Table[Part]{
	Name: "study", Title: "Points of studies", Noun: "point", ID: Part.id,
	Columns: slices.Concat(
		[]result.Column[Part]{
			result.Texts("over", "over", "what the points are", func(p Part) string { return p.Of.Over }).In(hidden),
		},
		result.Lift(subject.Columns, func(p Part) subject.Subject { return p.row().subject() }),
		[]result.Column[Part]{
			result.Texts("score_name", "score", "what is studied", func(p Part) string { return string(p.Of.Score) }),
			result.Texts("group", "group", "corruption, or value of a record",
				func(p Part) string { return p.point().Group }),
			result.Numbers("score", "value", "of the score", result.Number,
				func(p Part) float64 { return p.point().Score }).Because(Part.noScore),
			result.Numbers("accuracy", "accuracy",
				"of images with labels; missing where it is not in the fit", result.Share,
				func(p Part) float64 { return p.point().Accuracy }),
		},
		result.Lift(chance.Columns[:1], func(p Part) chance.Level { return p.point().Chance }),
		[]result.Column[Part]{
			result.Numbers("y", "y",
				"logit of the accuracy, or the accuracy itself where the study is unscaled", result.Number,
				func(p Part) float64 { return p.Of.Y[p.K] }).In(hidden),
			result.Numbers("fitted_accuracy", "fitted", "accuracy on the line at this score",
				result.Share, Part.fitted),
		}),
}

// StudyLines is the table of the lines of studies with their bands. It has many rows: the hashes
// of models and suites stand in Studies.
var StudyLines = result.Table[Part]{
	Name: "study_lines", Title: "Lines of studies", Noun: "place",
	ID: func(p Part) string { return p.Of.id() + "/" + strconv.Itoa(p.K) },
	Columns: append(result.Seen(study(func(p Part) *Studied { return p.Of })),
		result.Numbers("score", "value", "of the score", result.Number, func(p Part) float64 { return p.Of.Grid[p.K] }),
		result.Numbers("y", "y", "the line at this score with its 95 % band, on the scale of the study", result.Number,
			func(p Part) float64 { return p.Of.Fitted[p.K] }).Between(
			func(p Part) float64 { return at(p.Of.Low, p.K) }, func(p Part) float64 { return at(p.Of.High, p.K) })),
}

// Correlated is the table of the correlations of studies.
var Correlated = result.Table[Test]{
	Name: "study_correlations", Title: "Correlations of studies", Noun: "correlation",
	ID: func(t Test) string { return t.Of.id() + "/" + t.Points + "/" + t.Name },
	Columns: slices.Concat(
		study(func(t Test) *Studied { return t.Of }),
		[]result.Column[Test]{
			result.Texts("points", "points", "all, or those above chance", func(t Test) string { return t.Points }),
			result.Texts("correlation", "correlation", "with accuracies as they are plotted; unscaled: as they are",
				func(t Test) string { return t.Name }),
			result.Counts("n", "n", "points that take part", func(t Test) int { return t.N }),
		},
		correlation("value", "value", "p", func(t Test) stats.Correlation { return t.Correlation }),
		[]result.Column[Test]{
			result.Numbers("q", "q",
				"p by Benjamini and Hochberg over the tests of all points in this table; one that is "+
					"the same with accuracies as they are counts once", result.P, func(t Test) float64 { return t.Q }),
			result.Texts("interval_by", "interval by", "its method",
				func(t Test) string { return t.IntervalBy }).In(hidden),
			result.Texts("no_interval", "no interval", "why not",
				func(t Test) string { return t.NoInterval }).In(hidden),
			result.Texts("p_by", "p by", "how p was computed", func(t Test) string { return t.PBy }).In(hidden),
		}),
}

// Predictions is the table of the suites of forecasts.
var Predictions = result.Table[Predicted]{
	Name: "prediction", Title: "Predicted accuracies", Noun: "suite", ID: func(p Predicted) string { return p.id() },
	Columns: append(result.Lift(subject.Columns, func(p Predicted) subject.Subject { return p.row().subject() }),
		result.Texts("score_name", "score", "its name", func(p Predicted) string { return string(p.Of.Score) }).
			Told(func(p Predicted) string { return p.Of.Score.Title() }).In(hidden),
		result.Texts("role", "role", "in the fit, held back, or without labels",
			func(p Predicted) string { return string(p.Role) }).Told(func(p Predicted) string { return p.Role.Word() }),
		result.Numbers("score", "value", "of the score", result.Number,
			func(p Predicted) float64 { return p.Score }).Because(func(p Predicted) result.Reason {
			return p.noScore()
		}),
		result.Numbers("accuracy", "accuracy", "the true one", result.Share,
			func(p Predicted) float64 { return p.True }),
		result.Numbers("predicted_accuracy", "predicted", "by the fit, of a suite in the fit by one without it; its "+
			"interval is that of a new suite: the spread of the fitted lines and of the points around them",
			result.Share,
			func(p Predicted) float64 { return p.Accuracy }).Because(Predicted.why).Between(
			func(p Predicted) float64 { return p.Low }, func(p Predicted) float64 { return p.High }),
		result.Numbers("error", "error", "predicted minus true accuracy", result.Points, Predicted.Error),
		result.Texts("remark", "remark", "what to know before it is believed", Predicted.Remark),
		result.Bools("extrapolated", "extrapolated", "the score lies outside of the scores of the fit",
			func(p Predicted) bool { return p.Extrapolated }).In(hidden)),
}

func (s *Studied) id() string {
	about := s.subject()
	id := fmt.Sprint(s.Over, "/", about.ModelHash, about.SuiteHash, "/", about.Family, "/", s.Score)
	if s.Group != "" {
		id += "/" + s.Group
	}
	return id
}

func (p Part) id() string { return p.Of.id() + "/" + p.row().ID() }

func (p Part) row() *Measured { return &p.Of.Rows[p.K] }

func (p Part) point() Point { return p.Of.Points[p.K] }

func (p Part) fitted() float64 {
	if !p.Of.Line.Defined() {
		return nan
	}
	return p.Of.Shown(p.Of.Line.At(p.point().Score))
}

func (p Part) noScore() result.Reason { return p.row().noScore(p.Of.Score) }

// why says why a suite has no prediction.
func (p Predicted) why() result.Reason {
	switch {
	case p.Role == Scoreless:
		return p.noScore()
	case !p.Of.Why.None():
		return p.Of.Why
	}
	return result.Because(ScoreFixed, "without this suite the score is the same for all")
}

func (s *Studied) remark() string {
	switch {
	case !s.Why.None():
		return s.Why.Text
	case !s.Line.Settled:
		return "the line did not settle"
	case s.rough():
		return roughly
	}
	return ""
}

// study are the columns that say which study a row is of.
func study[R any](of func(R) *Studied) []result.Column[R] {
	hashes := result.Showing(result.FileOnly, subject.Columns[:4]...) // "of" has the name that there is
	return result.Lift(slices.Concat(
		[]result.Column[*Studied]{
			result.Texts("over", "over", "what the points are", func(s *Studied) string { return s.Over }).In(hidden),
			result.Texts("of", "of",
				"the suite whose models, or the model whose suites are studied; behind it the group",
				(*Studied).Name).Told((*Studied).named),
			result.Texts("group", "group", "value of the record that the models have in common, empty for all models",
				func(s *Studied) string { return s.Group }).In(hidden),
		},
		result.Lift(append(hashes, subject.Columns[4:]...), (*Studied).subject),
		[]result.Column[*Studied]{
			result.Texts("score_name", "score", "what is studied",
				func(s *Studied) string { return string(s.Score) }).Told(func(s *Studied) string {
				return s.Score.Title()
			}),
		}), of)
}

func correlation[R any](key, title, p string, of func(R) stats.Correlation) []result.Column[R] {
	return stats.Columns(key, title, p, of, func(r R) result.Reason { return because(of(r).Reason) })
}

// line is a column of a study's line.
func line(key, help string, value func(*Studied) float64) result.Column[*Studied] {
	return result.Numbers(key, key, help, result.Number, ofLine(value)).
		Because(func(s *Studied) result.Reason { return because(s.Line.Reason) })
}

// ofLine is a number of a study's line, NaN without a line.
func ofLine(value func(*Studied) float64) func(*Studied) float64 {
	return func(s *Studied) float64 {
		if !s.Line.Defined() {
			return nan
		}
		return value(s)
	}
}

// forecast is a column of how well a forecast predicts.
func forecast(key, help string, format result.Format, value func(*Prediction) float64) result.Column[*Studied] {
	return result.Numbers(key, strings.ReplaceAll(key, "_", " "), help, format, func(s *Studied) float64 {
		if s.Forecast == nil {
			return nan
		}
		return value(s.Forecast)
	}).In(hidden)
}

// at is an end of a band, NaN where there is no band.
func at(values []float64, k int) float64 {
	if k >= len(values) {
		return nan
	}
	return values[k]
}
