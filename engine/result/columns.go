package result

import (
	"math"
	"time"
)

// Texts declares a column of texts that people see.
func Texts[R any](key, title, help string, text func(R) string) Column[R] {
	return Column[R]{Key: key, Title: title, Help: help, Text: text}
}

// Numbers declares a column of numbers that people see. A sort by it begins with the largest, of p
// with the smallest.
func Numbers[R any](key, title, help string, format Format, value func(R) float64) Column[R] {
	return Column[R]{Key: key, Title: title, Help: help, Format: format, Value: value, Descending: format != P}
}

// Counts declares a column of whole numbers that people see.
func Counts[R any](key, title, help string, count func(R) int) Column[R] {
	return Numbers(key, title, help, Count, func(r R) float64 { return float64(count(r)) })
}

// Bools declares a column of yes and no that people see.
func Bools[R any](key, title, help string, is func(R) bool) Column[R] {
	return Numbers(key, title, help, Bool, func(r R) float64 {
		if is(r) {
			return 1
		}
		return 0
	})
}

// Times declares a column of times that people see. Files have them to the nanosecond.
func Times[R any](key, title, help string, at func(R) time.Time) Column[R] {
	return Column[R]{Key: key, Title: title, Help: help, Format: Time, At: at, Descending: true}
}

// In is the column in another place.
func (c Column[R]) In(show Show) Column[R] { c.Show = show; return c }

// Once is the column with values that are those of one call.
func (c Column[R]) Once() Column[R] { c.Fleeting = true; return c }

// Significant is the column with so many significant digits, two or more.
func (c Column[R]) Significant(digits int) Column[R] { c.Decimals = -digits; return c }

// Told is the column with another text for people.
func (c Column[R]) Told(said func(R) string) Column[R] { c.Said = said; return c }

// Ranked is the column in the order of a number in place of its letters.
func (c Column[R]) Ranked(rank func(R) float64) Column[R] { c.Rank = rank; return c }

// Because is the column with the reasons of missing values.
func (c Column[R]) Because(why func(R) Reason) Column[R] { c.Why = why; return c }

// Between is the column with intervals around its values.
func (c Column[R]) Between(low, high func(R) float64) Column[R] { c.Low, c.High = low, high; return c }

// Spread is the column with standard deviations of what its values are means of.
func (c Column[R]) Spread(sd func(R) float64) Column[R] { c.SD = sd; return c }

// Starred is the column with ★ before the best of several values and ☆ before the second best: the
// largest ones, or the smallest where a sort by the column begins with these. Equal values share
// their sign.
func (c Column[R]) Starred(rows []R) Column[R] {
	var values []float64
	for _, r := range rows {
		if v := c.Value(r); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	c.Sign = func(r R) string { return Star(c.Value(r), values, c.Descending) }
	return c
}

// Star is ★ for the best of several values, ☆ for the second best, and "" for all others: the
// largest values or, without up, the smallest are the best.
func Star(v float64, values []float64, up bool) string {
	better := 0
	for _, w := range values {
		if up && w > v || !up && w < v {
			better++
		}
	}
	if len(values) < 2 || math.IsNaN(v) || better > 1 {
		return ""
	}
	return [2]string{"★", "☆"}[better]
}

// Seen are the columns that people see.
func Seen[R any](columns []Column[R]) []Column[R] {
	var list []Column[R]
	for _, c := range columns {
		if c.Show == Shown {
			list = append(list, c)
		}
	}
	return list
}
