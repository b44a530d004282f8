package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Scale is a transformation on which an estimate is closer to normal than on its own scale, with
// inverse and derivative.
type Scale struct{ To, From, Slope func(float64) float64 }

// FisherScale is the scale of correlations and kappas, -1 to 1.
var FisherScale = Scale{math.Atanh, math.Tanh, func(v float64) float64 { return 1 / (1 - v*v) }}

// Logit is the scale of shares, 0 to 1.
var Logit = Scale{
	To:    func(p float64) float64 { return math.Log(p / (1 - p)) },
	From:  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	Slope: func(p float64) float64 { return 1 / (p * (1 - p)) },
}

// negligible is a difference between estimates that is rounding.
const negligible = 1e-9

// Jackknife returns Tukey's interval of an estimate over n items, computed on a scale and taken
// back (Efron and Tibshirani 1993, chapter 11). without holds the estimates that leave one item
// out, as distinct values; times says of how many items each is the estimate. ok is false where
// the variance is 0 or the scale does not reach the estimate: then there is no interval.
//
// The quantile is Student's t. Its degrees of freedom follow from the kurtosis of the differences
// (Satterthwaite 1946), since few large ones say less about the variance than many alike; there
// are at most most of them, and at least 1.
func Jackknife(
	value float64, without []float64, times []int, n int, most, confidence float64, on Scale,
) (low, high float64, ok bool) {
	squares, fourths := 0.0, 0.0
	for k, w := range without {
		if d := w - value; math.Abs(d) > negligible {
			squares += float64(times[k]) * d * d
			fourths += float64(times[k]) * d * d * d * d
		}
	}
	centre := on.To(value)
	if squares == 0 || n < 2 || math.IsInf(centre, 0) || math.IsNaN(centre) {
		return 0, 0, false
	}
	items := float64(n)
	kurtosis := items * fourths / (squares * squares)
	freedom := max(1, min(most, 2/(2/(items-1)+max(0, kurtosis-3)/items)))
	error := math.Sqrt((items-1)/items*squares) * on.Slope(value)
	half := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2) * error
	return on.From(centre - half), on.From(centre + half), true
}
