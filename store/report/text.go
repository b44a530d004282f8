package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// none stands for a value that does not exist.
const none = "-"

// number writes v with 4 significant digits.
func number(v float64) string {
	if math.IsNaN(v) {
		return none
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

// exact writes every digit that v has, as settings are written.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func numbers(list []float64) string {
	texts := make([]string, len(list))
	for k, v := range list {
		texts[k] = exact(v)
	}
	return strings.Join(texts, ", ")
}

// percent writes a share as "83.1 %".
func percent(share float64) string {
	if math.IsNaN(share) {
		return none
	}
	return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
}

// count writes a whole number with separators: "12,345".
func count[T int | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// counted is a count and its noun: "1 model", "3 models".
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + one + "s"
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// seconds writes a time spent: "4.2 s", "3 min 05 s", "2 h 10 min".
func seconds(s float64) string {
	whole := int(math.Round(s))
	switch {
	case math.IsNaN(s):
		return none
	case whole < 60:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case whole < 3600:
		return fmt.Sprintf("%d min %02d s", whole/60, whole%60)
	}
	return fmt.Sprintf("%d h %02d min", whole/3600, whole/60%60)
}

// short is the beginning of a hash.
func short(hash string) string { return hash[:min(12, len(hash))] }

// estimate writes a measure, its interval, n and the word or reason beside it, for a row of a table.
func estimate(e agreement.Estimate) []string {
	value := none
	if e.Value.Defined() {
		value = fixed(e.Value.Value)
	}
	interval := none
	if iv := e.Interval; iv != nil && iv.Reason == "" {
		interval = fixed(iv.Low) + " to " + fixed(iv.High)
	}
	return []string{value, interval, count(e.N), e.Remark()}
}

// fixed writes a coefficient with 3 decimals, never a negative zero.
func fixed(v float64) string {
	text := strconv.FormatFloat(v, 'f', 3, 64)
	if text == "-0.000" {
		return "0.000"
	}
	return text
}

// valueOrNone is a label, or a dash where there is none.
func valueOrNone(v label.Value) string {
	if v == "" {
		return none
	}
	return string(v)
}
