package store

import (
	"cmp"
	"strings"
)

// CompareNatural orders names as people do: runs of digits by their number, the rest by bytes, so
// that "s2" comes before "s10". Names that differ only in leading zeros are ordered by bytes.
func CompareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		partX, partY := leading(x), leading(y)
		if c := compareParts(partX, partY); c != 0 {
			return c
		}
		x, y = x[len(partX):], y[len(partY):]
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// leading is the longest start of text that is all digits or all other bytes.
func leading(text string) string {
	for i := 1; i < len(text); i++ {
		if isDigit(text[i]) != isDigit(text[0]) {
			return text[:i]
		}
	}
	return text
}

func compareParts(a, b string) int {
	if !isDigit(a[0]) || !isDigit(b[0]) {
		return strings.Compare(a, b)
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
