package invariance

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
)

// Studied is a study over the models of a suite, or the suites of a model, under one family: a row
// of Studies. It is immutable.
type Studied struct {
	Asked
	Rows []Measured
	True []float64 // the accuracies of all points, also of those that are held back
	Study
	Group    string        // of the models that take part, "" for all
	Groups   []*Studied    // the studies of the groups, where there are several
	Forecast *Prediction   // nil where none was asked for
	Why      result.Reason // why there is no line, or no prediction where one was asked for
}

// Part is a point of a study, a row of StudyPoints, or a place on its line, a row of StudyLines.
type Part struct {
	Of *Studied
	K  int // a point's number in Of.Rows, Of.Points and Of.Y; a place's in Of.Grid and Of.Fitted
}

// Test is a correlation of a study: a row of Correlated.
type Test struct {
	Of     *Studied
	Points string // "all", or "above_chance": without those whose accuracy is not above chance
	Name   string // pearson, spearman: with the accuracies as they are plotted; pearson_unscaled, ...: as they are
	stats.Correlation
	Q float64 // by Benjamini and Hochberg over the tests of all points of all studies; NaN for others
}

// WithGroups are studies, each with those of its groups behind it.
func WithGroups(list []*Studied) (all []*Studied) {
	for _, s := range list {
		all = append(append(all, s), s.Groups...)
	}
	return all
}

// PointsOf are the points of studies.
func PointsOf(list []*Studied) []Part {
	return parts(list, func(s *Studied) int { return len(s.Points) })
}

// LinesOf are the places of the lines of studies and of their groups.
func LinesOf(list []*Studied) []Part {
	return parts(WithGroups(list), func(s *Studied) int { return len(s.Fitted) })
}

func parts(list []*Studied, count func(*Studied) int) (all []Part) {
	for _, s := range list {
		for k := range count(s) {
			all = append(all, Part{s, k})
		}
	}
	return all
}

// TestsOf are the correlations of studies and of their groups. A correlation with accuracies as
// they are may be that with accuracies as they are plotted: Pearson's where no logits are taken,
// and that of ranks where the clipping before the logit makes no ties. The two are then one test.
func TestsOf(list []*Studied) (tests []Test) {
	for _, s := range WithGroups(list) {
		add := func(points string, c Correlations) {
			tests = append(tests, Test{s, points, "pearson", c.Pearson, nan},
				Test{s, points, "spearman", c.Spearman, nan},
				Test{s, points, "pearson_unscaled", c.RawPearson, nan},
				Test{s, points, "spearman_unscaled", c.RawSpearman, nan})
		}
		add("all", s.Correlations)
		if s.Above != nil {
			add("above_chance", *s.Above)
		}
	}
	again := func(k int) bool { // the test of two rows before
		return k%4 >= 2 && tests[k].Value == tests[k-2].Value && tests[k].P == tests[k-2].P
	}
	p := make([]float64, len(tests))
	for k, t := range tests {
		if p[k] = t.P; t.Points != "all" || !t.Defined() || again(k) {
			p[k] = nan
		}
	}
	for k, q := range stats.BenjaminiHochberg(p) {
		if tests[k].Q = q; again(k) {
			tests[k].Q = tests[k-2].Q
		}
	}
	return tests
}

// Role is what a suite does in a forecast.
type Role string

// The roles, in the order in which a forecast lists them.
const (
	Unlabelled Role = "unlabelled" // without labels: this is what the forecast is for
	HeldBack   Role = "held_back"  // with labels, out of the fit by choice
	InFit      Role = "fit"        // with labels, part of the fit
	Scoreless  Role = "no_score"   // without the score
)

// Word is the role for people.
func (r Role) Word() string {
	return map[Role]string{
		Unlabelled: "no labels", HeldBack: "held back", InFit: "in the fit",
		Scoreless: "no score",
	}[r]
}

// Predicted is a suite of a forecast: a row of Predictions. That of a suite in the fit is
// predicted by a fit without it.
type Predicted struct {
	Part
	Role Role
	Estimate
}

// PredictedOf are the suites of forecasts: those that are predicted first, then those of the fit.
func PredictedOf(list []*Studied) []Predicted {
	var all []Predicted
	for _, s := range list {
		if s.Forecast == nil {
			continue
		}
		estimates := map[string]Estimate{}
		for _, e := range slices.Concat(s.Forecast.LeaveOneOut, s.Forecast.Estimates) {
			estimates[e.Hash] = e
		}
		var lines []Predicted
		for k, m := range s.Rows {
			none := Estimate{
				ID: m.SuiteName, Hash: m.Suite, Score: s.Points[k].Score, Accuracy: nan, Low: nan, High: nan,
			}
			p := Predicted{Part{s, k}, s.role(k), none}
			if e, found := estimates[m.Suite]; found {
				p.Estimate = e
			}
			p.True = s.True[k]
			lines = append(lines, p)
		}
		order := []Role{Unlabelled, HeldBack, InFit, Scoreless}
		slices.SortStableFunc(lines, func(a, b Predicted) int {
			if a.Role != b.Role {
				return slices.Index(order, a.Role) - slices.Index(order, b.Role)
			}
			return result.Natural(a.ID, b.ID)
		})
		all = append(all, lines...)
	}
	return all
}

func (s *Studied) role(k int) Role {
	switch {
	case math.IsNaN(s.Points[k].Score):
		return Scoreless
	case math.IsNaN(s.True[k]):
		return Unlabelled
	case math.IsNaN(s.Points[k].Accuracy):
		return HeldBack
	}
	return InFit
}

// Error is the predicted minus the true accuracy, NaN where one of them is not known.
func (p Predicted) Error() float64 { return p.Accuracy - p.True }

// Remark is what to know about a prediction before it is believed, "" for nothing.
func (p Predicted) Remark() string {
	switch {
	case p.Extrapolated:
		return "extrapolated"
	case p.True < p.Low || p.True > p.High:
		return "beyond the interval"
	}
	return ""
}

// Name is what the study is about: the suite, or the model.
func (s *Studied) Name() string { return s.subject().Model + s.subject().Suite }

// named is Name with the group behind it, where the study is one of a group.
func (s *Studied) named() string {
	if s.Group == "" {
		return s.Name()
	}
	return s.Name() + ": " + s.Group
}

// subject has no model in a study over models, and no suite in one over suites.
func (s *Studied) subject() subject.Subject {
	about := s.Rows[0].subject()
	if s.Over == OverSuites {
		about.Suite, about.SuiteHash = "", ""
	} else {
		about.Model, about.ModelHash = "", ""
	}
	return about
}

// Facts are the lines about a study: the correlations; of a forecast, how well suites with labels
// are predicted; the line and what was left out, or why there is none; the correlations without
// the points at chance, where there are some. Of a forecast that cannot be made they say why.
func (s *Studied) Facts() []string {
	facts := []string{s.Correlations.say()}
	if !s.Pearson.Defined() {
		facts[0] = "no correlation: " + because(s.Pearson.Reason).Text
	}
	switch {
	case s.Forecast != nil && !s.Why.None():
		return []string{"no prediction: " + s.Why.Text, morePoints}
	case s.Forecast != nil:
		p, covered := s.Forecast, result.Share.Say(s.Forecast.Covered, 0)
		facts = append(facts, fmt.Sprintf("leaving one suite out: error %s on average, %s at worst; %s of the 95 %% "+
			"intervals hold the true accuracy", points(p.MeanAbsoluteError), points(p.WorstError), covered))
	}
	line := fmt.Sprintf(
		"robust line: slope %s, intercept %s; 95 %% intervals and band from %s of %s resamples, seed %d",
		result.Number.SayInterval(s.Line.Slope, s.Slope.Low, s.Slope.High, 3),
		result.Number.SayInterval(s.Line.Intercept, s.Intercept.Low, s.Intercept.High, 3),
		count(s.Defined), count(s.Resamples), s.Seed)
	switch {
	case !s.Why.None() && s.Over == OverSuites:
		line = "no line: " + s.Why.Text + ". " + morePoints
	case !s.Why.None():
		line = "no line: " + s.Why.Text
	case !s.Line.Settled:
		line += "; the line did not settle"
	case s.rough():
		line += "; " + roughly
	}
	if s.Dropped > 0 {
		line += fmt.Sprintf("; without score or accuracy: %s of %s %s", count(s.Dropped), count(len(s.Points)), s.Over)
	}
	if facts = append(facts, line); s.Above != nil {
		facts = append(facts, s.AboveChance())
	}
	if s.Groups != nil {
		facts = append(facts, s.byGroup())
	}
	return facts
}

// byGroup says what Pearson's r is in each group, and in which it has the other sign than over all.
func (s *Studied) byGroup() string {
	var groups, turned []string
	for _, g := range s.Groups {
		r := result.None
		if g.Pearson.Defined() {
			r = result.Coefficient.Say(g.Pearson.Value, 0)
			if g.Pearson.Value*s.Pearson.Value < 0 {
				turned = append(turned, g.Group)
			}
		}
		groups = append(groups, fmt.Sprintf("%s r %s (n %s)", g.Group, r, count(g.Pearson.N)))
	}
	text := "by " + s.Column + ": " + result.Some(groups)
	if turned != nil {
		text += "; with the other sign than over all: " + result.Some(turned)
	}
	return text
}

// rough tells whether intervals and band rest on few points.
func (s *Studied) rough() bool { return s.Line.Defined() && s.Pearson.N < roughPoints }

var roughly = fmt.Sprintf("fewer than %d points say little", roughPoints)

const morePoints = "Shifted suites of a suite with labels give more points, once models are run on them."

// AboveChance says what the correlations are without the points at chance, "" without such points.
func (s *Studied) AboveChance() string {
	if s.Above == nil {
		return ""
	}
	var failed []string
	for k, p := range s.Points {
		if p.AtChance() && !math.IsNaN(s.Y[k]) {
			failed = append(failed, p.ID)
		}
	}
	return fmt.Sprintf("without %s (accuracy not above chance): %s", result.Some(failed), s.Above.say())
}

// say is both correlations, and of how many points.
func (c Correlations) say() string {
	return fmt.Sprintf("%s; %s; n %s", c.Pearson.Say("Pearson r"), c.Spearman.Say("Spearman ρ"), count(c.Pearson.N))
}

func count(n int) string { return result.Count.Say(float64(n), 0) }

// points are percentage points without a sign.
func points(share float64) string { return result.Number.Say(100*share, 1) + " pp" }
