// Package present turns engine values into what people read: numbers, times, rows, ticks, status
// words and error sentences. It is pure and knows nothing of Fyne, so that everything a screen
// says can be tested as text.
package present

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// None stands for a value that does not exist.
const None = "-"

// Number writes v with 3 significant digits for tables: 0.0413, 12.3, 12,345. Whole numbers of
// more digits are written out; magnitudes below 1e-4 and from 1e9 on come in the form 1.23e-05.
// NaN is None.
func Number(v float64) string {
	switch magnitude := math.Abs(v); {
	case math.IsNaN(v):
		return None
	case math.IsInf(v, 0):
		return map[bool]string{true: "∞", false: "-∞"}[v > 0]
	case v == 0:
		return "0"
	case magnitude < 1e-4 || magnitude >= 1e9:
		return strconv.FormatFloat(v, 'e', 2, 64)
	case magnitude >= 999.5:
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	text := strconv.FormatFloat(v, 'g', 3, 64)
	short, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(short, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(short))))), 64)
}

// Kappa writes a coefficient of agreement or another value near -1..1 with 3 decimals; NaN is None.
func Kappa(v float64) string { return fixed(v, 3) }

// Percent writes a share as "83.1 %"; NaN is None.
func Percent(share float64) string {
	if math.IsNaN(share) {
		return None
	}
	return fixed(100*share, 1) + " %"
}

// fixed never writes a negative zero.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return None
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Count writes a whole number with thousands separators: "12,345".
func Count(n int64) string { return grouped(strconv.FormatInt(n, 10)) }

func grouped(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// Counted is a count and its noun: "1 model", "12 models", "2 classes", "no entries" is "0
// entries".
func Counted(n int64, noun string) string {
	return ByCount(int(n), "%s "+noun, "%s "+Plural(noun), Count(n))
}

// ByCount formats one or many, the text for one thing and that for several, with values.
func ByCount(n int, one, many string, values ...any) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf(one, values...)
	}
	return fmt.Sprintf(many, values...)
}

// Plural is the English noun for several.
func Plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Short is the beginning of a hash, enough to tell it from others.
func Short(hash string) string { return hash[:min(12, len(hash))] }

// ValueText is a sampling value with its unit: "-3°", "0.9×". At most 6 significant digits.
func ValueText(v float64, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None
	}
	text := strconv.FormatFloat(v, 'g', 6, 64)
	if short, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(short) < 1e6 && (short == 0 || math.Abs(short) >= 1e-4) {
		text = strconv.FormatFloat(short+0, 'f', -1, 64)
	}
	return text + unit
}

// RangeText is a colour range: "0..0.3".
func RangeText(low, high float64) string { return ValueText(low, "") + ".." + ValueText(high, "") }
