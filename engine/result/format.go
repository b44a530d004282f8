package result

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/outside"
)

// Format is the kind of value in a column: how it is said to people and written to files.
type Format int

// The formats. People read, with the usual decimals: 12,345 (Count), 0.913 (Number, Coefficient),
// 96.6 % (Share), +1.2 pp (Points), 0.012 or <0.001 (P), 1.2 MB (Bytes), 3 min 12 s (Duration),
// 2026-11-25 14:03 (Time, in the zone of the computer), yes or no (Bool).
const (
	Text    Format = iota // names and other words
	ID                    // content hashes and other long names, of which people see the beginning
	Numeral               // numbers as somebody wrote them, such as in a training record: kept to the letter
	Label                 // invariant, borderline, variant
	Count                 // whole numbers
	Number
	Share       // from 0 to 1
	Points      // differences of shares, with their sign
	Coefficient // of agreement or correlation, from -1 to 1
	P           // p- and q-values
	Bytes
	Duration // seconds
	Time     // seconds since 1970, UTC
	Bool     // 0 or 1
)

// None stands for a missing value where people read.
const None = "-"

// shortID is how much of a long name people see.
const shortID = 12

// Textual tells whether values are texts; all others are numbers.
func (f Format) Textual() bool { return f <= Label }

// Right tells whether the column is aligned to the right, so that digits of one place stand below
// each other.
func (f Format) Right() bool { return f == Numeral || f >= Count && f <= Duration }

// decimals is how many are usual.
func (f Format) decimals() int {
	switch f {
	case Share, Points, Bytes:
		return 1
	case Count, Duration, Time, Bool:
		return 0
	}
	return 3
}

// SayText is a text for people: a missing one is None, of an ID the beginning is shown, and letters
// that would hide are visible.
func (f Format) SayText(text string) string {
	if text == "" {
		return None
	}
	if f == ID && len(text) > shortID {
		text = text[:shortID]
	}
	return outside.VisibleLines(text)
}

// Say is a number for people, NaN is None. Decimals is 0 for the usual number of them. What is not
// zero but smaller than half a unit of the last place is said as "<0.001" or ">-0.001". Less than 0
// are so many significant digits, for columns whose rows are of different sizes.
func (f Format) Say(v float64, decimals int) string {
	if math.IsNaN(v) {
		return None
	}
	decimals = cmp.Or(decimals, f.decimals())
	switch f {
	case Number, Coefficient:
		if decimals < 0 {
			return Digits(v, -decimals)
		}
	case Count:
		return fixed(v, 0)
	case Share:
		return fixed(100*v, decimals) + " %"
	case Points:
		text := fixed(100*v, decimals)
		if v > 0 && text[0] != '<' && text != "0.0" {
			text = "+" + text
		}
		return text + " pp"
	case Bytes:
		return sayBytes(v, decimals)
	case Duration:
		return sayDuration(v)
	case Time:
		return time.Unix(int64(v), 0).Format("2006-01-02 15:04")
	case Bool:
		if v != 0 {
			return "yes"
		}
		return "no"
	}
	return fixed(v, decimals)
}

// SayInterval is a number with the ends of its interval, "0.913 (0.870..0.941)" or
// "96.6 % (95.1..97.7)"; without the ends where one of them is NaN.
func (f Format) SayInterval(v, low, high float64, decimals int) string {
	return f.saySpread(v, math.NaN(), low, high, decimals)
}

// saySpread is a number with its standard deviation and its interval, "96.6 ± 1.2 % (95.1..97.7)",
// without what is NaN.
func (f Format) saySpread(v, sd, low, high float64, decimals int) string {
	text := f.Say(v, decimals)
	if math.IsNaN(v) {
		return text
	}
	unit := map[Format]string{Share: " %", Points: " pp"}[f]
	bare := func(v float64) string { return strings.TrimSuffix(f.Say(v, decimals), unit) }
	if !math.IsNaN(sd) {
		text = bare(v) + " ± " + strings.TrimPrefix(bare(sd), "+") + unit
	}
	if math.IsNaN(low) || math.IsNaN(high) {
		return text
	}
	return text + " (" + bare(low) + ".." + bare(high) + ")"
}

// Some lists names, of many the first: "m1, m2, m3, m4, m5 and 7 more".
func Some(names []string) string {
	const few = 5
	if n := len(names); n > few {
		return strings.Join(names[:few], ", ") + " and " + strconv.Itoa(n-few) + " more"
	}
	return strings.Join(names, ", ")
}

// Write is a number for files, with all its digits: "" for NaN, RFC 3339 for times, true or false
// for booleans. Infinite numbers are Inf and -Inf.
func (f Format) Write(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, 64), "+")
	case f == Bool:
		return strconv.FormatBool(v != 0)
	case f == Time:
		return time.Unix(int64(v), 0).UTC().Format(time.RFC3339)
	case f == Count || f == Bytes:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// fixed has so many decimals, a comma between thousands, and no negative zero.
func fixed(v float64, decimals int) string {
	if math.IsInf(v, 0) {
		return map[bool]string{true: "∞", false: "-∞"}[v > 0]
	}
	if v != 0 && math.Abs(v) < 0.5*math.Pow10(-decimals) && decimals > 0 {
		unit := strconv.FormatFloat(math.Pow10(-decimals), 'f', decimals, 64)
		return map[bool]string{true: "<" + unit, false: ">-" + unit}[v > 0]
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	whole, rest := text, ""
	if at := strings.IndexByte(text, '.'); at >= 0 {
		whole, rest = text[:at], text[at:]
	}
	sign := ""
	if whole[0] == '-' {
		sign, whole = "-", whole[1:]
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return sign + whole + rest
}

// Digits is a number for people with at most so many significant digits, as few as it needs:
// "0.041", "12", "12,346", "1.23e-05"; NaN is None.
func Digits(v float64, most int) string {
	text := Significant(v, most)
	switch {
	case strings.ContainsRune(text, 'e'):
		return strconv.FormatFloat(v, 'g', most, 64)
	case strings.ContainsRune(text, '.'):
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Significant is a number for people with so many significant digits and all of those before the
// point: "0.0410", "12.0", "12,346", "1.23e-05"; NaN is None.
func Significant(v float64, digits int) string {
	switch magnitude := math.Abs(v); {
	case math.IsNaN(v):
		return None
	case math.IsInf(v, 0) || v == 0:
		return fixed(v, 0)
	case magnitude < 1e-4 || magnitude >= 1e9:
		return strconv.FormatFloat(v, 'e', digits-1, 64)
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return strconv.FormatFloat(v, 'e', digits-1, 64)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(short))))
	if decimals <= 0 {
		return fixed(v, 0)
	}
	return fixed(v, decimals)
}

func sayBytes(v float64, decimals int) string {
	const step = 1000
	units := []string{"kB", "MB", "GB", "TB"}
	if math.Abs(v) < step {
		return fixed(v, 0) + " B"
	}
	k := -1
	for math.Abs(v) >= step && k+1 < len(units) {
		v /= step
		k++
	}
	return fixed(v, decimals) + " " + units[k]
}

// sayDuration has the two largest units: "41 ms", "12.4 s", "3 min 12 s", "2 h 5 min", "3 d 4 h".
func sayDuration(seconds float64) string {
	switch {
	case math.IsInf(seconds, 0):
		return fixed(seconds, 0)
	case seconds < 0:
		return "-" + sayDuration(-seconds)
	case seconds == 0:
		return "0 s"
	case seconds < 0.0005:
		return "<1 ms"
	case seconds < 0.9995:
		return fixed(1000*seconds, 0) + " ms"
	case seconds >= 10 && seconds < 60 && seconds == math.Trunc(seconds): // such as a limit that was chosen
		return fixed(seconds, 0) + " s"
	case seconds < 59.95:
		return fixed(seconds, 1) + " s"
	}
	whole := int64(math.Round(seconds))
	for _, u := range []struct {
		size, part int64
		name, rest string
	}{{86400, 3600, "d", "h"}, {3600, 60, "h", "min"}, {60, 1, "min", "s"}} {
		if whole >= u.size {
			text := strconv.FormatInt(whole/u.size, 10) + " " + u.name
			if rest := whole % u.size / u.part; rest > 0 {
				text += " " + strconv.FormatInt(rest, 10) + " " + u.rest
			}
			return text
		}
	}
	return fixed(seconds, 1) + " s"
}
