package invariance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/stats"
)

// Point is one model of a model-centric study, or one suite of a dataset-centric one.
type Point struct {
	ID, Hash string  // of the model, or the suite's name and hash
	Score    float64 // the invariance score
	Accuracy float64 // 0..1; NaN for a suite without labels, which takes no part in the fit
	Group    string  // for colours: a value of the metadata, a corruption
	Chance   chance.Level
}

// AtChance tells whether the point's accuracy is known not to be above chance.
func (p Point) AtChance() bool { return p.Chance.Code == chance.NotAbove }

// StudyOptions of a study. The zero value is the paper's: logit scale, eps from Images, no band.
type StudyOptions struct {
	Unscaled bool
	// Eps clips accuracies to [Eps, 1-Eps] before the logit; 0 takes 1/(2 Images).
	Eps    float64
	Images int // of the suite, the smallest one of several
	// Resamples of the band (1000 in the paper), drawn from Seed; 0 for no band. Given replaces the
	// drawing: lists of indices among the points that take part.
	Resamples int
	Seed      uint64
	Given     [][]int
	Grid      []float64 // scores at which line and band are evaluated; nil for 101 from the smallest to the largest
}

// Study says how a score goes with accuracy (spec/ei.md, "A study over many models"). Y is logit
// accuracy unless Unscaled. Points without a score or accuracy stay in Points with a Y of NaN, are
// left out of everything else and counted in Dropped.
type Study struct {
	Points []Point
	Y      []float64 // of the points; NaN where there is none
	Correlations
	// AtChance of the points that take part have an accuracy that is not above chance: one failed
	// model can turn a correlation round. Above are the correlations without them, nil where there
	// are none.
	AtChance int
	Above    *Correlations
	Line     stats.Line // y = Intercept + Slope x, robust
	// Intercept and Slope are percentile intervals of the line's coefficients: quantiles over the
	// lines through the resamples, as the band has them at every score. Pairs are resampled, so
	// that scores may scatter more at one end than at the other.
	Intercept, Slope  Ends
	Grid              []float64
	Fitted, Low, High []float64 // y at Grid: the line and its 95 % band; Low and High nil without one
	Defined           int       // resamples that gave a line
	Dropped           int
	Unscaled          bool
	Eps               float64
}

// Correlations of a score with accuracy on the study's scale, and (Raw) with the accuracy itself.
// The intervals of the rank correlations rest on resamples of the points by the study's seed.
type Correlations struct {
	Pearson, Spearman       stats.Correlation
	RawPearson, RawSpearman stats.Correlation
}

// Streams of the random numbers: that of the fit's resamples, and from firstLeftOut on one for
// every suite that is left out. The residuals of an interval are drawn from the stream behind that
// of its resamples, so each takes two.
const (
	streamBand   = 1
	firstLeftOut = 3
)

// gridSize is how many scores line and band are evaluated at where none are given.
const gridSize = 101

// fewestPoints is the smallest number of points that a study draws a line through (spec/ei.md).
// Below roughPoints, resamples repeat so many points that intervals and band come out too narrow:
// of 1,000 simulated studies with 5 to 10 points (TestCoverage), 92 to 93 % held the true slope.
const fewestPoints, roughPoints = 3, 10

// Examine makes a study. Fewer than 3 points, or a constant score, give a study without line and
// with the reasons in its correlations; an error is only for points and options that make no sense
// (accuracy outside 0..1, infinite score, nothing to clip accuracies to, a resample of points that
// are not there), and for the end of ctx.
func Examine(ctx context.Context, points []Point, o StudyOptions) (Study, error) {
	d, err := newData(points, o)
	if err != nil {
		return Study{}, err
	}
	s := Study{
		Points: slices.Clone(points), Y: d.every, Dropped: len(points) - len(d.x), Unscaled: o.Unscaled, Eps: d.eps,
		Correlations: d.correlations(o.Seed),
	}
	if above := d.aboveChance(); len(above.x) < len(d.x) {
		c := above.correlations(o.Seed)
		s.AtChance, s.Above = len(d.x)-len(above.x), &c
	}
	s.Line = d.line()
	if !s.Line.Defined() {
		return s, nil
	}
	s.Grid = slices.Clone(o.Grid)
	if o.Grid == nil {
		low, high := slices.Min(d.x), slices.Max(d.x)
		s.Grid = make([]float64, gridSize)
		for k := range s.Grid {
			share := float64(k) / (gridSize - 1)
			s.Grid[k] = float64(low*(1-share)) + float64(high*share)
		}
	}
	for _, x := range s.Grid {
		s.Fitted = append(s.Fitted, s.Line.At(x))
	}
	lines, err := d.resampled(ctx, o, streamBand)
	if err != nil {
		return Study{}, err
	}
	s.Defined = len(lines)
	s.Low, s.High = band(lines, s.Grid)
	s.Intercept = ends(lines, func(l stats.Line) float64 { return l.Intercept })
	s.Slope = ends(lines, func(l stats.Line) float64 { return l.Slope })
	return s, nil
}

// Shown is the accuracy, within 0..1, that stands at y on the study's scale.
func (s Study) Shown(y float64) float64 { return data{unscaled: s.Unscaled}.shown(y) }

// Logit is ln(a/(1-a)) with a clipped to [eps, 1-eps].
func Logit(a, eps float64) float64 {
	a = max(eps, min(1-eps, a))
	return math.Log(a / (1 - a))
}

// Expit is 1/(1+exp(-y)), the inverse of the logit.
func Expit(y float64) float64 { return 1 / (1 + math.Exp(-y)) }

// data are the points that take part in a study.
type data struct {
	x, y, accuracy []float64
	atChance       []bool
	every          []float64 // y of all points, NaN where there is none
	unscaled       bool
	eps            float64
}

func newData(points []Point, o StudyOptions) (data, error) {
	d := data{unscaled: o.Unscaled, every: make([]float64, len(points))}
	var err error
	if d.eps, err = o.eps(); err != nil {
		return d, err
	}
	for k, p := range points {
		if math.IsInf(p.Score, 0) {
			return d, fmt.Errorf("%s has an infinite score", p.ID)
		}
		if p.Accuracy < 0 || p.Accuracy > 1 {
			return d, fmt.Errorf("%s has accuracy %v; it must lie between 0 and 1", p.ID, p.Accuracy)
		}
		d.every[k] = math.NaN()
		if math.IsNaN(p.Score) || math.IsNaN(p.Accuracy) {
			continue
		}
		d.every[k] = d.scaled(p.Accuracy)
		d.x, d.y, d.accuracy = append(d.x, p.Score), append(d.y, d.every[k]), append(d.accuracy, p.Accuracy)
		d.atChance = append(d.atChance, p.AtChance())
	}
	if slices.ContainsFunc(o.Grid, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return d, errors.New("a score of the grid is not a finite number")
	}
	return d, checkGiven(o.Given, len(d.x))
}

// eps is what accuracies are clipped to; 0 where they are not.
func (o StudyOptions) eps() (float64, error) {
	switch {
	case o.Unscaled:
		return 0, nil
	case o.Eps != 0:
		if !(o.Eps > 0 && o.Eps <= 0.5) {
			return 0, fmt.Errorf("accuracies cannot be clipped at %v; take a share above 0 and up to 0.5", o.Eps)
		}
		return o.Eps, nil
	case o.Images < 1:
		return 0, errors.New("a study on the logit scale needs the number of images, or the share that accuracies " +
			"are clipped at")
	}
	return 1 / (2 * float64(o.Images)), nil
}

func checkGiven(given [][]int, points int) error {
	for b, items := range given {
		for _, k := range items {
			if k < 0 || k >= points {
				return fmt.Errorf("resample %d names point %d of %d", b, k, points)
			}
		}
	}
	return nil
}

// scaled is an accuracy on the study's scale.
func (d data) scaled(accuracy float64) float64 {
	if d.unscaled {
		return accuracy
	}
	return Logit(accuracy, d.eps)
}

// shown is the accuracy of a place on the study's scale, kept within 0..1.
func (d data) shown(y float64) float64 {
	if d.unscaled {
		return max(0, min(1, y))
	}
	return Expit(y)
}

func (d data) correlations(seed uint64) Correlations {
	return Correlations{
		Pearson: stats.Pearson(d.x, d.y), Spearman: stats.SpearmanInterval(d.x, d.y, seed),
		RawPearson: stats.Pearson(d.x, d.accuracy), RawSpearman: stats.SpearmanInterval(d.x, d.accuracy, seed),
	}
}

// aboveChance are the data without the points at chance.
func (d data) aboveChance() data {
	var above data
	for k, at := range d.atChance {
		if !at {
			above.x, above.y, above.accuracy = append(above.x, d.x[k]), append(above.y, d.y[k]),
				append(above.accuracy, d.accuracy[k])
		}
	}
	return above
}

// line is the robust line through all points that take part.
func (d data) line() stats.Line {
	if len(d.x) < fewestPoints {
		return stats.Line{Reason: stats.FewPairs}
	}
	return stats.Huber(d.x, d.y)
}

// without are the data without point k.
func (d data) without(k int) data {
	d.x = slices.Delete(slices.Clone(d.x), k, k+1)
	d.y = slices.Delete(slices.Clone(d.y), k, k+1)
	d.accuracy = slices.Delete(slices.Clone(d.accuracy), k, k+1)
	d.atChance = slices.Delete(slices.Clone(d.atChance), k, k+1)
	return d
}
