package invariance

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Studies is the table of studies, one row each. What all points have in common is the suite or the
// model that the column "of" names.
var Studies = result.Table[*Studied]{
	Name: "studies", Title: "Studies", Noun: "study", ID: (*Studied).id,
	Columns: join(
		study(result.Shown, func(s *Studied) *Studied { return s }),
		[]result.Column[*Studied]{
			whole("points", "points", "models or suites that take part", result.Shown, func(s *Studied) int { return s.Pearson.N }),
			coefficient("pearson", "Pearson r", func(s *Studied) stats.Correlation { return s.Pearson }),
			significance("pearson_p", func(s *Studied) stats.Correlation { return s.Pearson }),
			coefficient("spearman", "Spearman ρ", func(s *Studied) stats.Correlation { return s.Spearman }),
			significance("spearman_p", func(s *Studied) stats.Correlation { return s.Spearman }),
			fitted("intercept", "of the robust line, on the scale on which accuracies are plotted", result.Shown, func(s *Studied) float64 { return s.Line.Intercept }),
			fitted("slope", "of the robust line", result.Shown, func(s *Studied) float64 { return s.Line.Slope }),
			fitted("scale", "of the residuals of the robust line", result.FileOnly, func(s *Studied) float64 { return s.Line.Scale }),
			{Key: "remark", Title: "remark", Help: "why there is no line, or what to know about it", Text: (*Studied).remark},
			whole("dropped", "left out", "points without score or accuracy", result.Offered, func(s *Studied) int { return s.Dropped }),
			whole("at_chance", "at chance", "points whose accuracy is not above chance", result.Offered, func(s *Studied) int { return s.AtChance }),
			{
				Key: "unscaled", Title: "unscaled", Help: "accuracies as they are, in place of their logits", Format: result.Bool, Show: result.FileOnly,
				Value: func(s *Studied) float64 { return yes(s.Unscaled) },
			},
			{
				Key: "eps", Title: "clipped at", Help: "accuracies are clipped to eps and 1 - eps before the logit", Format: result.Number,
				Show: result.FileOnly, Value: func(s *Studied) float64 { return s.Eps },
			},
			whole("resamples", "resamples", "of the points, for the band", result.FileOnly, func(s *Studied) int { return s.Resamples }),
			whole("resamples_defined", "defined resamples", "of these, those that have a line", result.FileOnly, func(s *Studied) int { return s.Defined }),
			{
				Key: "seed", Title: "seed", Help: "of the resamples", Show: result.FileOnly,
				Text: func(s *Studied) string { return strconv.FormatUint(s.Seed, 10) },
			},
			forecast("mean_absolute_error", "of the accuracies of suites with labels, each predicted without it", result.Points,
				func(p *Prediction) float64 { return p.MeanAbsoluteError }),
			forecast("worst_error", "the largest of these errors", result.Points, func(p *Prediction) float64 { return p.WorstError }),
			forecast("covered", "share of their 95 % intervals that hold the accuracy", result.Share, func(p *Prediction) float64 { return p.Covered }),
		}),
}

// StudyPoints is the table of the points of studies.
var StudyPoints = result.Table[StudyPoint]{
	Name: "study", Title: "Points of studies", Noun: "point", ID: func(p StudyPoint) string { return p.Of.id() + "/" + p.row().ID() },
	Columns: join(
		study(result.FileOnly, func(p StudyPoint) *Studied { return p.Of })[:1],
		result.Lift(names, func(p StudyPoint) subject { return p.row().subject() }),
		[]result.Column[StudyPoint]{
			{Key: "score_name", Title: "score", Help: "what is studied", Text: func(p StudyPoint) string { return string(p.Of.Score) }},
			{Key: "group", Title: "group", Help: "corruption, or value of a training record's column", Text: func(p StudyPoint) string { return p.point().Group }},
			{
				Key: "score", Title: "value", Help: "value of the score", Format: result.Number, Descending: true,
				Value: func(p StudyPoint) float64 { return p.point().Score }, Why: func(p StudyPoint) result.Reason { return p.row().noScore(p.Of.Score) },
			},
			accuracy("accuracy", "accuracy", "of the labelled images; missing where it does not take part in the fit", func(p StudyPoint) float64 { return p.point().Accuracy }),
		},
		result.Lift(chance.Columns[:1], func(p StudyPoint) chance.Level { return p.point().Chance }),
		[]result.Column[StudyPoint]{
			{
				Key: "y", Title: "y", Help: "logit of the accuracy, or the accuracy itself where the study is unscaled", Format: result.Number, Show: result.FileOnly,
				Value: func(p StudyPoint) float64 { return p.Of.Y[p.K] },
			},
			accuracy("fitted_accuracy", "fitted", "accuracy on the line at this score", StudyPoint.fitted),
		}),
}

// StudyLines is the table of the lines of studies with their bands.
var StudyLines = result.Table[LinePoint]{
	Name: "study_lines", Title: "Lines of studies", Noun: "place", ID: func(p LinePoint) string { return p.Of.id() + "/" + strconv.Itoa(p.K) },
	Columns: join(
		visible(study(result.Shown, func(p LinePoint) *Studied { return p.Of })), // with many rows, hashes stand in Studies
		[]result.Column[LinePoint]{
			{Key: "score", Title: "value", Help: "value of the score", Format: result.Number, Value: func(p LinePoint) float64 { return p.Of.Grid[p.K] }},
			{
				Key: "y", Title: "y", Help: "the line at this score with its 95 % band, on the scale of the study", Format: result.Number,
				Value: func(p LinePoint) float64 { return p.Of.Fitted[p.K] },
				Low:   func(p LinePoint) float64 { return at(p.Of.Low, p.K) }, High: func(p LinePoint) float64 { return at(p.Of.High, p.K) },
			},
		}),
}

// Correlated is the table of the correlations of studies.
var Correlated = result.Table[Test]{
	Name: "study_correlations", Title: "Correlations of studies", Noun: "correlation", ID: func(t Test) string { return t.Of.id() + "/" + t.Points + "/" + t.Name },
	Columns: join(
		study(result.Shown, func(t Test) *Studied { return t.Of }),
		[]result.Column[Test]{
			{Key: "points", Title: "points", Help: "all, or those whose accuracy is above chance", Text: func(t Test) string { return t.Points }},
			{
				Key: "correlation", Title: "correlation", Help: "of the score with accuracies as they are plotted; unscaled: as they are",
				Text: func(t Test) string { return t.Name },
			},
			coefficient("value", "value", func(t Test) stats.Correlation { return t.Correlation }),
			{
				Key: "interval_by", Title: "interval by", Help: "how the interval was computed", Show: result.FileOnly,
				Text: func(t Test) string { return t.IntervalBy }, Why: func(t Test) result.Reason { return t.noInterval() },
			},
			whole("n", "n", "points that take part", result.Shown, func(t Test) int { return t.N }),
			significance("p", func(t Test) stats.Correlation { return t.Correlation }),
			{Key: "p_by", Title: "p by", Help: "how p was computed", Show: result.FileOnly, Text: func(t Test) string { return t.PBy }},
			{
				Key: "q", Title: "q", Help: "p by Benjamini and Hochberg over the tests of all points in this table", Format: result.P,
				Value: func(t Test) float64 { return t.Q },
			},
		}),
}

// Predictions is the table of the suites of forecasts.
var Predictions = result.Table[Predicted]{
	Name: "prediction", Title: "Predicted accuracies", Noun: "suite", ID: func(p Predicted) string { return p.Of.id() + "/" + p.row().ID() },
	Columns: join(
		result.Lift(names, func(p Predicted) subject { return p.row().subject() }),
		[]result.Column[Predicted]{
			{Key: "score_name", Title: "score", Help: "what the prediction rests on", Show: result.FileOnly, Text: func(p Predicted) string { return string(p.Of.Score) }},
			{
				Key: "role", Title: "role", Help: "in the fit, held back, or without labels",
				Text: func(p Predicted) string { return string(p.Role) }, Said: func(p Predicted) string { return p.Role.Word() },
			},
			{
				Key: "score", Title: "value", Help: "value of the score", Format: result.Number, Descending: true,
				Value: func(p Predicted) float64 { return p.Score }, Why: func(p Predicted) result.Reason { return p.row().noScore(p.Of.Score) },
			},
			accuracy("accuracy", "accuracy", "the true one, where the suite has labels", func(p Predicted) float64 { return p.True }),
			{
				Key: "predicted_accuracy", Title: "predicted", Help: "by the fit, of a suite in the fit by a fit without it; the interval is that of a " +
					"new suite: the spread of the fitted lines and of the points around them", Format: result.Share, Descending: true,
				Value: func(p Predicted) float64 { return p.Accuracy }, Why: Predicted.why,
				Low: func(p Predicted) float64 { return p.Low }, High: func(p Predicted) float64 { return p.High },
			},
			{Key: "error", Title: "error", Help: "predicted minus true accuracy", Format: result.Points, Descending: true, Value: Predicted.Error},
			{Key: "remark", Title: "remark", Help: "what to know before it is believed", Text: Predicted.Remark},
			{
				Key: "extrapolated", Title: "extrapolated", Help: "the score lies outside of the scores of the fit", Format: result.Bool, Show: result.FileOnly,
				Value: func(p Predicted) float64 { return yes(p.Extrapolated) },
			},
		}),
}

func (s *Studied) id() string {
	about := s.subject()
	return fmt.Sprint(s.Over, "/", about.hash, about.suiteHash, "/", about.family, "/", s.Score)
}

func (p StudyPoint) row() *Measured { return &p.Of.Rows[p.K] }

func (p StudyPoint) point() Point { return p.Of.Points[p.K] }

func (p StudyPoint) fitted() float64 {
	if !p.Of.Line.Defined() {
		return nan
	}
	return p.Of.Shown(p.Of.Line.At(p.point().Score))
}

func (p Predicted) row() *Measured { return &p.Of.Rows[p.K] }

// why says why a suite has no prediction.
func (p Predicted) why() result.Reason {
	switch {
	case p.Role == Scoreless:
		return p.row().noScore(p.Of.Score)
	case !p.Of.Why.None():
		return p.Of.Why
	}
	return result.Because(ScoreFixed, "without this suite the score is the same for all")
}

func (t Test) noInterval() result.Reason {
	if !t.Defined() {
		return because(t.Reason)
	}
	return result.Reason{Code: Undefined, Text: t.NoInterval}
}

func (s *Studied) remark() string {
	switch {
	case !s.Why.None():
		return s.Why.Text
	case !s.Line.Settled:
		return "the line did not settle"
	}
	return ""
}

// study are the columns that say which study a row is of.
func study[R any](show result.Show, of func(R) *Studied) []result.Column[R] {
	about := []result.Column[*Studied]{
		{Key: "over", Title: "over", Help: "what the points are: models or suites", Show: result.FileOnly, Text: func(s *Studied) string { return s.Over }},
		{Key: "of", Title: "of", Help: "the suite whose models, or the model whose suites are studied", Show: show, Text: (*Studied).Name},
	}
	about = append(about, result.Showing(result.FileOnly, result.Lift(names[:4], (*Studied).subject)...)...)
	about = append(about, result.Lift(names[4:], (*Studied).subject)...)
	about = append(about, result.Column[*Studied]{
		Key: "score_name", Title: "score", Help: "what is studied", Show: show, Text: func(s *Studied) string { return string(s.Score) },
		Said: func(s *Studied) string { return s.Score.Title() },
	})
	return result.Lift(about, of)
}

func whole[R any](key, title, help string, show result.Show, value func(R) int) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: title, Help: help, Format: result.Count, Show: show, Descending: true,
		Value: func(r R) float64 { return float64(value(r)) },
	}
}

func coefficient[R any](key, title string, of func(R) stats.Correlation) result.Column[R] {
	value := func(of func(R) stats.Correlation, part func(stats.Correlation) float64) func(R) float64 {
		return func(r R) float64 { return part(of(r)) }
	}
	return result.Column[R]{
		Key: key, Title: title, Help: "correlation of score and accuracy with its 95 % interval", Format: result.Coefficient, Descending: true,
		Value: value(of, func(c stats.Correlation) float64 { return defined(c, c.Value) }),
		Low:   value(of, func(c stats.Correlation) float64 { return bound(c, c.Low) }),
		High:  value(of, func(c stats.Correlation) float64 { return bound(c, c.High) }),
		Why:   func(r R) result.Reason { return because(of(r).Reason) },
	}
}

func significance[R any](key string, of func(R) stats.Correlation) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: "p", Help: "of the correlation, two-sided", Format: result.P,
		Value: func(r R) float64 { return defined(of(r), of(r).P) },
	}
}

// fitted is a column of the line.
func fitted(key, help string, show result.Show, value func(*Studied) float64) result.Column[*Studied] {
	return result.Column[*Studied]{
		Key: key, Title: key, Help: help, Format: result.Number, Show: show, Why: func(s *Studied) result.Reason { return because(s.Line.Reason) },
		Value: func(s *Studied) float64 {
			if !s.Line.Defined() {
				return nan
			}
			return value(s)
		},
	}
}

// forecast is a column of how well a forecast predicts.
func forecast(key, help string, format result.Format, value func(*Prediction) float64) result.Column[*Studied] {
	return result.Column[*Studied]{
		Key: key, Title: strings.ReplaceAll(key, "_", " "), Help: help, Format: format, Show: result.FileOnly,
		Value: func(s *Studied) float64 {
			if s.Forecast == nil {
				return nan
			}
			return value(s.Forecast)
		},
	}
}

func accuracy[R any](key, title, help string, value func(R) float64) result.Column[R] {
	return result.Column[R]{Key: key, Title: title, Help: help, Format: result.Share, Descending: true, Value: value}
}

func at(values []float64, k int) float64 {
	if k >= len(values) {
		return nan
	}
	return values[k]
}

func yes(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
