package dscore

import (
	"slices"
	"strings"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
)

// Column is a column of the table of models; that of the marks has neither Text nor Value.
type Column = result.Column[Row]

// The keys of columns that are no numbers of a score.
const (
	keyMark  = "mark"
	keyModel = "model_id"
)

// Columns are the table's columns with these of the training records: some of score.Scores.
func Columns(records []string) []Column {
	list := []Column{
		{Key: keyMark, Title: "●", Help: "a click here marks a model: the other tabs compare the marked ones"},
	}
	list = append(list, some(score.Scores.Columns, keyModel)...)
	for _, name := range records {
		list = append(list, result.Texts(result.RecordKey(name), name, "",
			func(r Row) string { return r.Model.Value(name) }))
	}
	return append(list, some(score.Scores.Columns, "baseline_accuracy", "v_robust", "v_fitness", "d_score", "g", "p",
		"flags", "images")...)
}

// some are the columns with these keys, in the order of the keys.
func some[R any](columns []result.Column[R], keys ...string) []result.Column[R] {
	var list []result.Column[R]
	for _, key := range keys {
		list = append(list, columns[slices.IndexFunc(columns, func(c result.Column[R]) bool { return c.Key == key })])
	}
	return list
}

// decimals writes a number with so many decimals.
func decimals(v float64, digits int) string {
	if digits == 0 {
		return result.Count.Say(v, 0)
	}
	return result.Number.Say(v, digits)
}

// points writes a difference of accuracies in percentage points with its sign: "+3.2", "-0.5",
// "0.0".
func points(v float64) string { return strings.TrimSuffix(result.Points.Say(v, 1), " pp") }

// whole is a number in a file, with all digits; empty where there is none.
func whole(v float64) string { return result.Number.Write(v) }
