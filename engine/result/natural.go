package result

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// CompareTexts compares texts of a column: numbers by value, before all words; words as Natural.
func CompareTexts(a, b string) int {
	x, isX := Decimal(a)
	y, isY := Decimal(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), Natural(a, b))
	case isX != isY && isX:
		return -1
	case isX != isY:
		return 1
	}
	return Natural(a, b)
}

// Decimal reads a text that is a finite number, such as 0.05, 1e-3 or -7.
func Decimal(text string) (v float64, ok bool) {
	if text == "" || !strings.ContainsAny(text[:1], "+-.0123456789") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// Natural compares texts as people sort them: digits as numbers, letters without regard to case,
// equal texts by bytes. It is negative, zero or positive as a stands before, with or after b.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if digit(x[0]) && digit(y[0]) {
			m, n := digits(x), digits(y)
			if c := compareNumbers(x[:m], y[:n]); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if c := int(lower(x[0])) - int(lower(y[0])); c != 0 {
			return c
		}
		x, y = x[1:], y[1:]
	}
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}

// compareNumbers compares runs of digits of any length by value.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := len(a) - len(b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
