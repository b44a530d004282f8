package report

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// number writes v with 4 significant digits.
func number(v float64) string {
	if math.IsNaN(v) {
		return result.None
	}
	magnitude := math.Abs(v)
	if v == 0 || magnitude >= 1e-4 && magnitude < 1e7 {
		text := strconv.FormatFloat(v, 'g', 4, 64)
		if short, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(short, 'f', -1, 64)
		}
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func numbers(list []float64) string {
	texts := make([]string, len(list))
	for k, v := range list {
		texts[k] = result.Number.Write(v)
	}
	return strings.Join(texts, ", ")
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// estimate writes a measure, its interval, n and the word or reason beside it, for a row of a
// table.
func estimate(e agreement.Estimate) []string {
	value := result.None
	if e.Value.Defined() {
		value = result.Coefficient.Say(e.Value.Value, 0)
	}
	interval := result.None
	if iv := e.Interval; iv != nil && iv.Reason == "" {
		interval = result.Coefficient.Say(iv.Low, 0) + " to " + result.Coefficient.Say(iv.High, 0)
	}
	return []string{value, interval, result.Whole(e.N), e.Remark()}
}

// valueOrNone is a label, or a dash where there is none.
func valueOrNone(v label.Value) string {
	if v == "" {
		return result.None
	}
	return string(v)
}
