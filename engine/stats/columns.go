package stats

import (
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Columns are the columns KEY, with the 95 % interval, and PKEY, the p-value, of a correlation of
// a record. why, which may be nil, says why there is none.
func Columns[R any](key, title, pKey string, of func(R) Correlation, why func(R) result.Reason) []result.Column[R] {
	part := func(value func(Correlation) float64, is func(Correlation) bool) func(R) float64 {
		return func(r R) float64 {
			if c := of(r); is(c) {
				return value(c)
			}
			return math.NaN()
		}
	}
	return []result.Column[R]{
		result.Numbers(key, title, "correlation with its 95 % interval", result.Coefficient,
			part(func(c Correlation) float64 { return c.Value }, Correlation.Defined)).Because(why).Between(
			part(func(c Correlation) float64 { return c.Low }, Correlation.HasInterval),
			part(func(c Correlation) float64 { return c.High }, Correlation.HasInterval)),
		result.Numbers(pKey, "p", "p-value of the correlation, two-sided", result.P,
			part(func(c Correlation) float64 { return c.P }, Correlation.Defined)),
	}
}
