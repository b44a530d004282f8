package invariance

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Estimate is a predicted accuracy with its interval, all in 0..1.
type Estimate struct {
	ID, Hash     string
	Score        float64
	Accuracy     float64 // predicted
	Low, High    float64 // 95 %
	True         float64 // NaN where it is not known
	Extrapolated bool    // the score lies outside of the scores of the fit
}

// Prediction of accuracies on suites without labels from suites with labels.
type Prediction struct {
	Fit Study
	// Estimates are those of the suites without labels.
	Estimates []Estimate
	// LeaveOneOut are the estimates of each labelled suite by a fit without it; a suite without
	// which all scores are equal has none. MeanAbsoluteError and WorstError are over them, NaN
	// without any.
	LeaveOneOut                   []Estimate
	MeanAbsoluteError, WorstError float64
	// Covered is the share of leave-one-suite-out intervals that hold the true accuracy.
	Covered float64
	// Reason says why there is no prediction: fewer than 4 labelled suites, or a constant score.
	Reason result.Reason
}

// fewestLabelled is the smallest number of labelled suites: without one of them, a line must still
// be possible.
const fewestLabelled = fewestPoints + 1

// usualResamples is how many resamples an interval rests on where the options name none.
const usualResamples = 1000

// Predict fits on the points with an accuracy and predicts the others. The interval is that of a
// new suite: the quantiles of the resampled lines, each with a residual of the fit drawn beside
// it, mapped back to 0..1. Residuals are widened by sqrt(n/(n-2)): two coefficients were fitted to
// them. Without Resamples there are 1000. Given replaces the drawing for the fit, not for the fits
// without a suite. Equal inputs give equal bits. The errors are those of Examine. Progress counts
// suites with labels, each of which is left out once.
func Predict(ctx context.Context, points []Point, o StudyOptions, progress progress.Progress) (Prediction, error) {
	if o.Resamples <= 0 {
		o.Resamples = usualResamples
	}
	p := Prediction{MeanAbsoluteError: nan, WorstError: nan, Covered: nan}
	var err error
	if p.Fit, err = Examine(ctx, points, o); err != nil {
		return p, err
	}
	d, err := newData(points, o)
	if err != nil {
		return p, err
	}
	switch {
	case len(d.x) < fewestLabelled:
		p.Reason = result.Because(FewLabelled, "fewer than %d labelled suites", fewestLabelled)
		return p, nil
	case !p.Fit.Line.Defined():
		p.Reason = because(p.Fit.Line.Reason)
		return p, nil
	}
	m, err := d.predictor(ctx, p.Fit.Line, o, streamBand)
	if err != nil {
		return p, err
	}
	for _, point := range points {
		if math.IsNaN(point.Accuracy) && !math.IsNaN(point.Score) {
			p.Estimates = append(p.Estimates, m.estimate(point))
		}
	}
	labelled := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
		return math.IsNaN(p.Accuracy) || math.IsNaN(p.Score)
	})
	return p, p.leaveOneOut(ctx, leaving{d, labelled, o}, progress)
}

// leaving are labelled points, each to be left out once, and their data in the same order.
type leaving struct {
	data    data
	points  []Point
	options StudyOptions
}

// leaveOneOut predicts every labelled point by a fit without it.
func (p *Prediction) leaveOneOut(ctx context.Context, out leaving, progress progress.Progress) error {
	out.options.Given = nil
	progress.SetTotal(int64(len(out.points)))
	sum, worst, covered := 0.0, 0.0, 0
	for k, point := range out.points {
		progress.Add(1)
		rest := out.data.without(k)
		line := rest.line()
		if !line.Defined() {
			continue
		}
		m, err := rest.predictor(ctx, line, out.options, uint64(firstLeftOut+2*k))
		if err != nil {
			return err
		}
		e := m.estimate(point)
		p.LeaveOneOut = append(p.LeaveOneOut, e)
		sum, worst = sum+math.Abs(e.Accuracy-e.True), max(worst, math.Abs(e.Accuracy-e.True))
		if e.Low <= e.True && e.True <= e.High {
			covered++
		}
	}
	if n := float64(len(p.LeaveOneOut)); n > 0 {
		p.MeanAbsoluteError, p.WorstError, p.Covered = sum/n, worst, float64(covered)/n
	}
	return nil
}

// predictor is a fit ready to predict: the line, its resamples, and a residual for each of them.
type predictor struct {
	data
	line      stats.Line
	lines     []stats.Line
	residuals []float64
}

// predictor draws the resamples from stream and the residuals from the next one.
func (d data) predictor(ctx context.Context, line stats.Line, o StudyOptions, stream uint64) (predictor, error) {
	lines, err := d.resampled(ctx, o, stream)
	if err != nil {
		return predictor{}, err
	}
	m := predictor{data: d, line: line, lines: lines}
	n := float64(len(d.x))
	wider := math.Sqrt(n / (n - 2))
	draw := rand.New(rand.NewPCG(o.Seed, stream+1))
	m.residuals = make([]float64, len(m.lines))
	for b := range m.residuals {
		k := draw.IntN(len(d.x))
		m.residuals[b] = wider * (d.y[k] - line.At(d.x[k]))
	}
	return m, nil
}

// estimate predicts the accuracy of a point that the fit did not use.
func (m predictor) estimate(p Point) Estimate {
	e := Estimate{ID: p.ID, Hash: p.Hash, Score: p.Score, True: p.Accuracy}
	e.Accuracy = m.shown(m.line.At(p.Score))
	e.Extrapolated = p.Score < slices.Min(m.x) || p.Score > slices.Max(m.x)
	values := make([]float64, len(m.lines))
	for b, l := range m.lines {
		values[b] = l.At(p.Score) + m.residuals[b]
	}
	e.Low, e.High = math.NaN(), math.NaN()
	if len(values) > 0 {
		slices.Sort(values)
		e.Low, e.High = m.shown(stats.Quantile(values, lowTail)), m.shown(stats.Quantile(values, highTail))
	}
	return e
}
