// Package agreement measures how well the raters of a round agree: percent agreement, Cohen's,
// Fleiss', Gwet's and Krippendorff's coefficients, the majority vote, and intervals
// (spec/agreement.md).
//
// Ratings are indexed raters x items. A rating is a class 0..K-1 in order (0 invariant, K-1
// variant) or Missing. K is the round's number of classes, not the number of classes seen.
package agreement

import (
	"fmt"
	"math"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Missing is the rating of an item that a rater did not rate, and the majority of an item that has
// none.
const Missing = -1

// The reasons why a value is undefined (spec/agreement.md, "Input").
var (
	NoCommonItems      = result.Because("no_common_items", "no common items")
	NoItemTwice        = result.Because("no_item_twice", "no item has two ratings")
	ExpectedAgreement  = result.Because("expected_agreement", "expected agreement is 1")
	ExpectedNoConflict = result.Because("expected_no_conflict", "expected disagreement is 0")
	TooFewClasses      = result.Because("too_few_classes", "fewer than two classes")
)

// Value is a number, or undefined with a reason.
type Value struct {
	Value  float64
	Reason result.Reason // none where the value is defined
}

func defined(v float64) Value              { return Value{Value: v} }
func undefined(reason result.Reason) Value { return Value{Reason: reason} }

// Defined tells whether there is a number.
func (v Value) Defined() bool { return v.Reason.None() }

// Number is the number, NaN where it is undefined.
func (v Value) Number() float64 {
	if !v.Defined() {
		return math.NaN()
	}
	return v.Value
}

// Estimate is a measure with what belongs beside it.
type Estimate struct {
	Value Value
	// N is the number of items behind the value: those that both raters rated, or those with two or
	// more ratings.
	N int
	// Words is the interpretation of a kappa-like coefficient, a hint only; empty for shares and
	// undefined values.
	Words string
	// Interval is nil when no intervals were asked for.
	Interval *stats.Interval
}

// NoInterval says why a defined value has no interval, "" where it has one and where none was asked
// for.
func (e Estimate) NoInterval() string {
	if e.Interval == nil || !e.Value.Defined() {
		return ""
	}
	return e.Interval.Reason
}

// Remark is what stands beside the value for people: its interpretation or the reason why it is
// undefined, and why a defined one has no interval.
func (e Estimate) Remark() string {
	text := e.Words
	if !e.Value.Defined() {
		text = e.Value.Reason.Text
	}
	if why := e.NoInterval(); why != "" {
		text = strings.TrimPrefix(text+"; no interval: "+why, "; ")
	}
	return text
}

// Ends are those of the interval, NaN for none.
func (e Estimate) Ends() (low, high float64) {
	if e.Interval == nil || e.Interval.Reason != "" || !e.Value.Defined() {
		return math.NaN(), math.NaN()
	}
	return e.Interval.Low, e.Interval.High
}

// Tell is all that is known of a value of this format, for people: "0.533 (0.102..0.801), n = 70,
// moderate", "1.000, n = 5, almost perfect; no interval: fewer than 8 items", "undefined: no
// common items".
func (e Estimate) Tell(format result.Format) string {
	if !e.Value.Defined() {
		return "undefined: " + e.Value.Reason.Text
	}
	low, high := e.Ends()
	text := fmt.Sprintf("%s, n = %s", format.SayInterval(e.Value.Value, low, high, 0), result.Whole(e.N))
	if beside := e.Remark(); beside != "" {
		text += ", " + beside
	}
	return text
}

// Estimated declares a column of estimates with their intervals, and why there is no value.
func Estimated[R any](key, title, help string, format result.Format, of func(R) Estimate) result.Column[R] {
	return result.Numbers(key, title, help, format, func(r R) float64 { return of(r).Value.Number() }).
		Because(func(r R) result.Reason { return of(r).Value.Reason }).
		Between(
			func(r R) float64 { low, _ := of(r).Ends(); return low },
			func(r R) float64 { _, high := of(r).Ends(); return high })
}

// Words interprets a kappa after Landis and Koch: below 0 poor, up to 0.20 slight, 0.40 fair, 0.60
// moderate, 0.80 substantial, above almost perfect. A value between two printed bounds (0.205)
// belongs to the upper word.
func Words(kappa float64) string {
	switch {
	case kappa < 0:
		return "poor"
	case kappa <= 0.20:
		return "slight"
	case kappa <= 0.40:
		return "fair"
	case kappa <= 0.60:
		return "moderate"
	case kappa <= 0.80:
		return "substantial"
	}
	return "almost perfect"
}
