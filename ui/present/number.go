// Package present turns engine values into what people read: times, rows, ticks, status words and
// error sentences. It is pure and knows nothing of Fyne, so that everything a screen says can be
// tested as text. Numbers are said by engine/result alone.
package present

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
)

// None stands for a value that does not exist.
const None = result.None

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
