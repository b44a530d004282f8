// Package agreement measures how well the raters of a round agree: percent agreement, Cohen's, Fleiss', Gwet's and
// Krippendorff's coefficients, the majority vote, and intervals (spec/agreement.md).
//
// Ratings are indexed raters x items. A rating is a class 0..K-1 in order (0 invariant, K-1 variant) or Missing. K is
// the round's number of classes, not the number of classes seen.
package agreement

import (
	"encoding/json"

	"github.com/variscope/variscope/engine/stats"
)

// Missing is the rating of an item that a rater did not rate, and the majority of an item that has none.
const Missing = -1

// The reasons why a value is undefined (spec/agreement.md, "Input").
const (
	NoCommonItems      = "no common items"
	NoItemTwice        = "no item has two ratings"
	ExpectedAgreement  = "expected agreement is 1"
	ExpectedNoConflict = "expected disagreement is 0"
	TooFewClasses      = "fewer than two classes"
)

// Value is a number, or undefined with a reason. An undefined value is null in JSON, never NaN and never 0.
type Value struct {
	Value  float64
	Reason string // empty when the value is defined
}

func defined(v float64) Value       { return Value{Value: v} }
func undefined(reason string) Value { return Value{Reason: reason} }

// Defined tells whether there is a number.
func (v Value) Defined() bool { return v.Reason == "" }

// MarshalJSON writes the number, or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(v.Value)
}

// Estimate is a measure with what belongs beside it.
type Estimate struct {
	Value Value
	// N is the number of items behind the value: those that both raters rated, or those with two or more ratings.
	N int
	// Words is the interpretation of a kappa-like coefficient, a hint only; empty for shares and undefined values.
	Words string
	// Interval is nil when no intervals were asked for.
	Interval *stats.Interval
}

// Remark is what stands beside the value for people: its interpretation or the reason why it is undefined, and the reason why a
// defined one has no interval.
func (e Estimate) Remark() string {
	switch iv := e.Interval; {
	case !e.Value.Defined():
		return e.Value.Reason
	case iv == nil || iv.Reason == "":
		return e.Words
	case e.Words == "":
		return NoInterval + iv.Reason
	default:
		return e.Words + "; " + NoInterval + iv.Reason
	}
}

// NoInterval stands before the reason why a value has no interval.
const NoInterval = "no interval: "

// MarshalJSON writes value (null when undefined, with the reason), n, interpretation and interval.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value    Value           `json:"value"`
		Reason   string          `json:"reason,omitempty"`
		N        int             `json:"n"`
		Words    string          `json:"interpretation,omitempty"`
		Interval *stats.Interval `json:"interval,omitempty"`
	}{e.Value, e.Value.Reason, e.N, e.Words, e.Interval})
}

// Words interprets a kappa after Landis and Koch: below 0 poor, up to 0.20 slight, 0.40 fair, 0.60 moderate, 0.80
// substantial, above almost perfect. A value between two printed bounds (0.205) belongs to the upper word.
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
