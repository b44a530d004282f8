package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// RecordNames are the columns of the models' training records with at least so many different
// values and at most so many, in the order in which they are met. Those with 2 to
// result.Categories tell points of a figure apart.
func RecordNames(models []Model, least, most int) []string {
	var order []string
	seen := map[string]map[string]bool{}
	for _, m := range models {
		for _, f := range m.Record {
			if seen[f.Name] == nil {
				seen[f.Name] = map[string]bool{}
				order = append(order, f.Name)
			}
			seen[f.Name][f.Value] = true
		}
	}
	return slices.DeleteFunc(order, func(name string) bool { return len(seen[name]) < least || len(seen[name]) > most })
}

// CheckRecord refuses a column of training records that no model has; the error names those that
// there are.
func CheckRecord(models []Model, column string) error {
	names := RecordNames(models, 0, math.MaxInt)
	switch {
	case slices.Contains(names, column):
		return nil
	case len(names) == 0:
		return fmt.Errorf("no training record has a column %q; the models have no training records", column)
	}
	return fmt.Errorf("no training record has a column %q; there are %s", column, strings.Join(names, ", "))
}

// RecordColumns are an offered column record.NAME for each column NAME of training records, for
// rows that have a model. A column of numbers alone is a result.Numeral.
func RecordColumns[R any](rows []R, of func(R) Model) []result.Column[R] {
	models := make([]Model, len(rows))
	for k, r := range rows {
		models[k] = of(r)
	}
	var list []result.Column[R]
	for _, name := range RecordNames(models, 0, math.MaxInt) {
		c := result.Texts(result.RecordKey(name), name, name+", of the training record",
			func(r R) string { return of(r).Value(name) })
		if !slices.ContainsFunc(models, func(m Model) bool { return m.Value(name) != "" && !isNumber(m.Value(name)) }) {
			c.Format = result.Numeral
		}
		list = append(list, c.In(result.Offered))
	}
	return list
}

func isNumber(text string) bool {
	_, ok := result.Decimal(text)
	return ok
}
