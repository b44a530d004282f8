package present

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/model"
)

// State is the word for where a model stands under the workspace's suite and family.
type State string

// The states of DESIGN.md sections 4 and 6.
const (
	NoSignals State = "no signals"
	Running   State = "running"
	Ready     State = "ready"
	Stale     State = "stale"
	Failed    State = "failed"
)

// Scores are what is known of a model under the workspace's suite and family. Accuracies are NaN when unknown.
type Scores struct {
	State            State
	Note             string // why it failed or is stale
	Accuracy, Robust float64
}

// ModelRow is a model as the Models screen lists it.
type ModelRow struct {
	Hash, ID string
	Scores
	Fields     []model.Field
	Added      time.Time
	File       string
	Parameters int64
	Classes    int
}

// The columns that every model has.
const (
	ColumnID         = "id"
	ColumnState      = "state"
	ColumnAccuracy   = "accuracy"
	ColumnRobust     = "robust accuracy"
	ColumnParameters = "parameters"
)

// ModelRows lists the models in natural order of id. scores tells what is known of a model by its hash.
func ModelRows(models []model.Model, scores func(hash string) Scores) []ModelRow {
	rows := make([]ModelRow, len(models))
	for i, m := range models {
		classes := 0
		if len(m.Graph.Outputs) > 0 {
			classes = m.Graph.Outputs[0].Classes
		}
		rows[i] = ModelRow{
			Hash: m.Hash, ID: m.ID, Scores: scores(m.Hash), Fields: m.Record, Added: m.Added, File: m.File,
			Parameters: m.Graph.Parameters, Classes: classes,
		}
	}
	slices.SortStableFunc(rows, func(a, b ModelRow) int { return Natural(a.ID, b.ID) })
	return rows
}

// Columns are the columns for these models: the common ones, then every column of any training record in the order of
// first appearance. A metadata column with the name of a common one is not repeated.
func Columns(models []model.Model) []string {
	columns := []string{ColumnID, ColumnState, ColumnAccuracy, ColumnRobust, ColumnParameters}
	for _, m := range models {
		for _, f := range m.Record {
			if f.Name != "" && !slices.Contains(columns, f.Name) {
				columns = append(columns, f.Name)
			}
		}
	}
	return columns
}

// Cell is the text in a column, "" where there is none.
func (r ModelRow) Cell(column string) string {
	switch column {
	case ColumnID:
		return r.ID
	case ColumnState:
		return string(r.State)
	case ColumnAccuracy:
		return optional(r.Accuracy)
	case ColumnRobust:
		return optional(r.Robust)
	case ColumnParameters:
		if r.Parameters > 0 {
			return Count(r.Parameters)
		}
	}
	for _, f := range r.Fields {
		if f.Name == column {
			return f.Value
		}
	}
	return ""
}

func optional(share float64) string {
	if math.IsNaN(share) {
		return ""
	}
	return fixed(share, 4)
}

// number is the column's value as a number, for sorting.
func (r ModelRow) number(column string) (v float64, ok bool) {
	switch column {
	case ColumnAccuracy:
		return r.Accuracy, !math.IsNaN(r.Accuracy)
	case ColumnRobust:
		return r.Robust, !math.IsNaN(r.Robust)
	case ColumnParameters:
		if r.Parameters > 0 {
			return float64(r.Parameters), true
		}
	case ColumnID, ColumnState:
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(r.Cell(column)), 64)
	return v, err == nil && !math.IsNaN(v)
}

// SortRows sorts by a column, stable: numbers by value and before texts, texts in natural order, empty cells last in
// both directions.
func SortRows(rows []ModelRow, column string, descending bool) {
	slices.SortStableFunc(rows, func(a, b ModelRow) int {
		x, y := a.Cell(column), b.Cell(column)
		switch {
		case x == "" || y == "":
			return strings.Compare(y, x) // the empty one last
		case descending:
			return compareCells(b, a, column)
		}
		return compareCells(a, b, column)
	})
}

func compareCells(a, b ModelRow, column string) int {
	x, xok := a.number(column)
	y, yok := b.number(column)
	switch {
	case xok && yok && x < y:
		return -1
	case xok && yok && x > y:
		return 1
	case xok && yok:
		return 0
	case xok:
		return -1
	case yok:
		return 1
	}
	return Natural(a.Cell(column), b.Cell(column))
}

// FilterRows keeps the rows in which every word of text occurs in some cell, without regard to case. A word
// "column:part" looks in the columns whose name begins with column only. The order is kept.
func FilterRows(rows []ModelRow, text string) []ModelRow {
	words := strings.Fields(strings.ToLower(text))
	kept := make([]ModelRow, 0, len(rows))
	for _, r := range rows {
		if !slices.ContainsFunc(words, func(word string) bool { return !r.matches(word) }) {
			kept = append(kept, r)
		}
	}
	return kept
}

func (r ModelRow) matches(word string) bool {
	column, part, named := strings.Cut(word, ":")
	if named && column != "" && r.has(column, part) {
		return true
	}
	return r.has("", word)
}

// has tells whether a column whose name begins with prefix contains part.
func (r ModelRow) has(prefix, part string) bool {
	cell := func(name string) bool {
		return strings.HasPrefix(strings.ToLower(name), prefix) && strings.Contains(strings.ToLower(r.Cell(name)), part)
	}
	for _, name := range []string{ColumnID, ColumnState, ColumnAccuracy, ColumnRobust, ColumnParameters} {
		if cell(name) {
			return true
		}
	}
	if strings.HasPrefix("file", prefix) && strings.Contains(strings.ToLower(r.File), part) {
		return true
	}
	return slices.ContainsFunc(r.Fields, func(f model.Field) bool { return cell(f.Name) })
}
