package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/present"
)

// studyReport is one study: a score against accuracy over the models of a suite, or the suites of a model. Accuracies are
// shares; y is their logit, unless unscaled. What is undefined is null.
type studyReport struct {
	Of      string        `json:"of"`   // the suite, or the model
	Over    string        `json:"over"` // models or suites
	Family  string        `json:"family"`
	Score   string        `json:"score"`
	Column  string        `json:"column,omitempty"`
	Points  []pointReport `json:"points"`
	Dropped int           `json:"dropped"`
	correlationReport
	AtChance   int                `json:"at_chance"`              // points whose accuracy is not above chance
	Above      *correlationReport `json:"above_chance,omitempty"` // without these
	Line       *lineReport        `json:"line"`
	Reason     string             `json:"reason,omitempty"` // why there is no line
	Unscaled   bool               `json:"unscaled"`
	Eps        float64            `json:"eps,omitempty"`
	Seed       uint64             `json:"seed"`
	Resamples  int                `json:"resamples"`
	Defined    int                `json:"resamples_defined"`
	Grid       []float64          `json:"grid,omitempty"`
	Fitted     []float64          `json:"fitted,omitempty"`
	Low        []float64          `json:"band_low,omitempty"`
	High       []float64          `json:"band_high,omitempty"`
	Prediction *predictionReport  `json:"prediction,omitempty"`
}

// correlationReport are the correlations of a study: with the accuracies as they are plotted, and as they are.
type correlationReport struct {
	Pearson    stats.Correlation `json:"pearson"`
	Spearman   stats.Correlation `json:"spearman"`
	RawPearson stats.Correlation `json:"pearson_unscaled"`
	RawRho     stats.Correlation `json:"spearman_unscaled"`
}

func correlationsOf(c invariance.Correlations) correlationReport {
	return correlationReport{c.Pearson, c.Spearman, c.RawPearson, c.RawSpearman}
}

// namedCorrelation is a correlation with its name in files.
type namedCorrelation struct {
	name string
	stats.Correlation
}

func (r correlationReport) list() []namedCorrelation {
	return []namedCorrelation{{"pearson", r.Pearson}, {"spearman", r.Spearman}, {"pearson_unscaled", r.RawPearson}, {"spearman_unscaled", r.RawRho}}
}

// p is the p-value, NaN without a correlation.
func (c namedCorrelation) p() float64 {
	if !c.Defined() {
		return math.NaN()
	}
	return c.P
}

// cells are value, ends and method of the interval, n, p-value and its method; empty where undefined.
func (c namedCorrelation) cells() []string {
	n := strconv.Itoa(c.N)
	switch {
	case !c.Defined():
		return []string{"", "", "", "", n, "", ""}
	case !c.HasInterval():
		return []string{digits(&c.Value), "", "", "", n, digits(&c.P), c.PBy}
	}
	return []string{digits(&c.Value), digits(&c.Low), digits(&c.High), c.IntervalBy, n, digits(&c.P), c.PBy}
}

type pointReport struct {
	ID       string       `json:"id"`
	Hash     string       `json:"hash"`
	Group    string       `json:"group,omitempty"`
	Score    *float64     `json:"score"`
	Accuracy *float64     `json:"accuracy"`
	Chance   chance.Level `json:"chance"`
	Y        *float64     `json:"y"`
	Fitted   *float64     `json:"fitted_accuracy"`
}

// lineReport is the robust line y = intercept + slope x.
type lineReport struct {
	Intercept float64 `json:"intercept"`
	Slope     float64 `json:"slope"`
	Scale     float64 `json:"scale"`
	Settled   bool    `json:"settled"`
}

type predictionReport struct {
	Estimates         []estimateReport `json:"estimates"`
	LeaveOneOut       []estimateReport `json:"leave_one_suite_out"`
	MeanAbsoluteError *float64         `json:"mean_absolute_error"`
	WorstError        *float64         `json:"worst_error"`
	Covered           *float64         `json:"covered"`
	Reason            string           `json:"reason,omitempty"`
}

type estimateReport struct {
	Suite        string   `json:"suite"`
	Hash         string   `json:"suite_hash"`
	Score        float64  `json:"score"`
	Accuracy     float64  `json:"predicted_accuracy"`
	Low          *float64 `json:"low"`
	High         *float64 `json:"high"`
	True         *float64 `json:"accuracy"`
	Extrapolated bool     `json:"extrapolated"`
}

// studies are one per suite and family, or per model and family. It is an error when none of them has a line or a correlation.
func (c *eiCommand) studies(ctx context.Context, measured []invariance.Measured) ([]studyReport, error) {
	var list []studyReport
	var reasons []string
	for _, group := range c.groups(measured) {
		r, err := c.study(ctx, group)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
		if r.Reason != "" {
			reasons = append(reasons, fmt.Sprintf("%s, %s: %s", r.Of, shortFamily(r.Family), r.Reason))
		}
	}
	if len(reasons) == len(list) {
		return nil, errors.New("no study over " + c.Over + ": " + strings.Join(reasons, "; "))
	}
	return list, nil
}

// groups are what each study is about, in the order of what was measured.
func (c *eiCommand) groups(measured []invariance.Measured) [][]invariance.Measured {
	at := map[[2]string]int{}
	var list [][]invariance.Measured
	for _, m := range measured {
		key := [2]string{m.Suite, m.Family}
		if c.Over == "suites" {
			key[0] = m.Model.Hash
		}
		i, found := at[key]
		if !found {
			i = len(list)
			at[key] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], m)
	}
	return list
}

func (c *eiCommand) study(ctx context.Context, group []invariance.Measured) (studyReport, error) {
	score := invariance.Score(c.Study)
	r := studyReport{
		Of: group[0].SuiteName, Over: c.Over, Family: group[0].Family, Score: c.Study, Column: c.Column,
		Unscaled: c.Unscaled, Seed: c.Seed, Resamples: c.Resamples,
	}
	if c.Over == "suites" {
		r.Of = group[0].Model.ID
	}
	points := invariance.Points(group, score, c.Column, c.Over == "suites")
	options := invariance.StudyOptions{Unscaled: c.Unscaled, Images: invariance.FewestImages(group), Resamples: c.Resamples, Seed: c.Seed}
	if options.Images == 0 {
		r.Reason = "no suite has labels, and a study needs accuracies"
		return r, nil
	}
	if !c.Predict {
		s, err := invariance.Examine(ctx, points, options)
		r.fill(s)
		return r, err
	}
	p, err := invariance.Predict(ctx, points, options, engine.NoProgress{})
	r.fill(p.Fit)
	r.Prediction = &predictionReport{
		Estimates: estimates(p.Estimates), LeaveOneOut: estimates(p.LeaveOneOut), MeanAbsoluteError: defined(p.MeanAbsoluteError),
		WorstError: defined(p.WorstError), Covered: defined(p.Covered), Reason: p.Reason.Text,
	}
	if !p.Reason.None() {
		r.Reason = p.Reason.Text
	}
	return r, err
}

// fill takes over what a study found.
func (r *studyReport) fill(s invariance.Study) {
	r.Dropped, r.Eps, r.Defined = s.Dropped, s.Eps, s.Defined
	r.correlationReport, r.AtChance = correlationsOf(s.Correlations), s.AtChance
	if s.Above != nil {
		above := correlationsOf(*s.Above)
		r.Above = &above
	}
	r.Grid, r.Fitted, r.Low, r.High, r.Reason = s.Grid, s.Fitted, s.Low, s.High, s.Line.Reason
	if s.Line.Defined() {
		r.Line = &lineReport{s.Line.Intercept, s.Line.Slope, s.Line.Scale, s.Line.Settled}
	}
	for k, p := range s.Points {
		one := pointReport{ID: p.ID, Hash: p.Hash, Group: p.Group, Score: defined(p.Score), Accuracy: defined(p.Accuracy), Chance: p.Chance, Y: defined(s.Y[k])}
		if r.Line != nil && one.Score != nil {
			one.Fitted = defined(s.Shown(s.Line.At(p.Score)))
		}
		r.Points = append(r.Points, one)
	}
}

func estimates(list []invariance.Estimate) []estimateReport {
	reports := make([]estimateReport, len(list))
	for i, e := range list {
		reports[i] = estimateReport{
			e.ID, e.Hash, e.Score, e.Accuracy, defined(e.Low), defined(e.High), defined(e.True), e.Extrapolated,
		}
	}
	return reports
}

// studyTable is one row per study, and the predictions below.
func studyTable(list []studyReport) [][]string {
	first := list[0]
	one := map[string]string{"models": "suite", "suites": "model"}[first.Over]
	rows := [][]string{{one, "family", "score", first.Over, "pearson", "95 %", "p", "spearman", "95 %", "p", "intercept", "slope", ""}}
	for _, r := range list {
		row := []string{r.Of, shortFamily(r.Family), r.Score, fmt.Sprint(len(r.Points) - r.Dropped)}
		row = append(row, correlationCells(r.Pearson)...)
		row = append(row, correlationCells(r.Spearman)...)
		switch {
		case r.Line == nil:
			row = append(row, "-", "-", r.Reason)
		case !r.Line.Settled:
			row = append(row, number(&r.Line.Intercept), number(&r.Line.Slope), "the line did not settle")
		default:
			row = append(row, number(&r.Line.Intercept), number(&r.Line.Slope), "")
		}
		rows = append(rows, row)
	}
	for _, r := range list {
		if note := r.aboveNote(); note != "" {
			rows = append(rows, []string{fmt.Sprintf("%s, %s: %s", r.Of, shortFamily(r.Family), note)})
		}
	}
	for _, r := range list {
		rows = append(rows, r.Prediction.rows(r)...)
	}
	return rows
}

// aboveNote says what the correlations are without the points at chance, "" where all are above it.
func (r studyReport) aboveNote() string {
	if r.Above == nil {
		return ""
	}
	var names []string
	for _, p := range r.Points {
		if p.Chance.Code == chance.NotAbove && p.Y != nil {
			names = append(names, p.ID)
		}
	}
	return fmt.Sprintf("without %s (accuracy not above chance): %s, %s, n %d", firstOf(names, shownIDs),
		present.Correlation("r", r.Above.Pearson), present.Correlation("rho", r.Above.Spearman), r.Above.Pearson.N)
}

// correlationCells are value, interval and p-value.
func correlationCells(c stats.Correlation) []string {
	if !c.Defined() {
		return []string{"-", "-", "-"}
	}
	return []string{number(&c.Value), present.Ends(c), present.PValue(c.P)}
}

// rows are the predictions for people; none where there is no prediction.
func (p *predictionReport) rows(of studyReport) [][]string {
	if p == nil || p.Reason != "" {
		return nil
	}
	rows := [][]string{{""}, {
		fmt.Sprintf("%s, %s: each labelled suite predicted without it: mean error %s, worst %s; %.0f %% of the 95 %% intervals hold the accuracy",
			of.Of, shortFamily(of.Family), points(p.MeanAbsoluteError), points(p.WorstError), 100*orNaN(p.Covered)),
	}, {"suite without labels", "score", "predicted", "low", "high", ""}}
	for _, e := range p.Estimates {
		remark := ""
		if e.Extrapolated {
			remark = "outside of the labelled suites' scores"
		}
		rows = append(rows, []string{e.Suite, number(&e.Score), number(&e.Accuracy), number(e.Low), number(e.High), remark})
	}
	if len(p.Estimates) == 0 {
		rows = append(rows[:2], []string{"there is no suite without labels to predict"})
	}
	return rows
}

// points are percentage points.
func points(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f points", 100**v)
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
