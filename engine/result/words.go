package result

import (
	"math"
	"strings"
)

// Whole is a whole number for people: "12,345".
func Whole[N ~int | ~int64](n N) string { return Count.Say(float64(n), 0) }

// Counted is a count and its noun: "1 model", "12,345 models", "0 classes".
func Counted[N ~int | ~int64](n N, noun string) string {
	if n != 1 && n != -1 {
		noun = Plural(noun)
	}
	return Whole(n) + " " + noun
}

// Plural is the English noun for several.
func Plural(noun string) string {
	switch {
	case noun == "epoch": // its ch is spoken as a k
	case noun == "matrix":
		return "matrices"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"),
		strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Percent is a share within a sentence, with at most one decimal: "95 %", "2.5 %".
func Percent(share float64) string { return Digits(math.Round(1000*share)/10, 6) + " %" }
