// Package present turns engine values into what people read: times, rows, ticks, status words and
// error sentences. It is pure and knows nothing of Fyne, so that everything a screen says can be
// tested as text. Numbers are said by engine/result alone.
package present

import (
	"fmt"
	"time"

	"github.com/variscope/variscope/engine/result"
)

// None stands for a value that does not exist.
const None = result.None

// The formatters of engine/result by their former names, which some screens still use.
func Number(v float64) string                 { return result.Significant(v, 3) }
func Kappa(v float64) string                  { return result.Coefficient.Say(v, 0) }
func Percent(share float64) string            { return result.Share.Say(share, 0) }
func Count(n int64) string                    { return result.Whole(n) }
func Counted(n int64, noun string) string     { return result.Counted(n, noun) }
func Plural(noun string) string               { return result.Plural(noun) }
func Short(hash string) string                { return hash[:min(12, len(hash))] }
func ValueText(v float64, unit string) string { return result.Digits(v, 6) + unit }
func Duration(passed time.Duration) string    { return result.Duration.Say(passed.Seconds(), 0) }

// ByCount formats one or many, the text for one thing and that for several, with values.
func ByCount(n int, one, many string, values ...any) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf(one, values...)
	}
	return fmt.Sprintf(many, values...)
}

// RangeText is a colour range: "0..0.3".
func RangeText(low, high float64) string {
	return result.Digits(low, 6) + ".." + result.Digits(high, 6)
}
