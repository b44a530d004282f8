package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Compared is a number of a step beside the one that a paper prints.
type Compared struct {
	Step, Source string
	What         string // what the row is of: "decision tree"
	Quantity     string // the column's title
	Format       result.Format
	Decimals     int
	Here         float64 // NaN where the step has no such number
	Low, High    float64 // its interval, NaN for none
	Paper        float64
	Why          result.Reason // why Here is missing
}

// Comparison is the table of numbers beside those of papers. Values have the formats of the columns
// that they are from.
var Comparison = result.Table[Compared]{
	Name: "paper", Title: "Beside the paper", Noun: "number",
	ID: func(c Compared) string { return c.Step + "/" + c.Source + "/" + c.What + "/" + c.Quantity },
	Columns: []result.Column[Compared]{
		result.Texts("step", "step", "step of the study",
			func(c Compared) string { return c.Step }).In(result.FileOnly),
		result.Texts("source", "in the paper", "where the paper prints the number",
			func(c Compared) string { return c.Source }),
		result.Texts("what", "of", "what the number is of", func(c Compared) string { return c.What }),
		result.Texts("quantity", "quantity", "title of the column of the step's table",
			func(c Compared) string { return c.Quantity }),
		said(result.Numbers("here", "here", "what the study found, with its interval where it has one", result.Number,
			func(c Compared) float64 { return c.Here }).Between(
			func(c Compared) float64 { return c.Low }, func(c Compared) float64 { return c.High }).
			Because(func(c Compared) result.Reason { return c.Why })),
		said(result.Numbers("paper", "paper", "what the paper prints", result.Number,
			func(c Compared) float64 { return c.Paper })),
		said(result.Numbers("difference", "here - paper",
			"what the study found less what the paper prints", result.Number,
			func(c Compared) float64 { return c.Here - c.Paper }).Because(func(c Compared) result.Reason {
			return c.Why
		})),
	},
}

// said gives a column the formats of its values.
func said(c result.Column[Compared]) result.Column[Compared] {
	c.As = func(c Compared) (result.Format, int) { return c.Format, c.Decimals }
	return c
}

// compare finds the numbers of a step that stand beside those of papers. A row that is not found is
// a missing number; a table or column that is not there is a mistake in the study.
func compare(step Step, sheets []*result.Sheet) (list []Compared, err error) {
	for _, p := range step.Papers {
		sheet := sheetNamed(p.Table, sheets)
		if sheet == nil {
			return nil, fmt.Errorf("%s has no table %s to compare with %s", step.Command, p.Table, p.Source)
		}
		for _, key := range slices.Concat(p.By, []string{p.Column}) {
			if sheet.Field(key) < 0 {
				return nil, fmt.Errorf("table %s of %s has no column %s to compare with %s",
					p.Table, step.Command, key, p.Source)
			}
		}
		if sheet.Fields[sheet.Field(p.Column)].Format.Textual() {
			return nil, fmt.Errorf("column %s of table %s has texts and no numbers to compare with %s", p.Column,
				p.Table, p.Source)
		}
		for _, row := range p.Rows {
			paper, _ := number(row[len(row)-1]) // as Parse has checked
			var keys, what []string
			for _, key := range row[:len(row)-1] {
				keys = append(keys, fmt.Sprint(key))
				if key != "" {
					what = append(what, fmt.Sprint(key))
				}
			}
			c := Compared{
				Step: step.Name, Source: p.Source, What: strings.Join(what, ", "), Paper: paper,
				Format: result.Number, Here: math.NaN(), Low: math.NaN(), High: math.NaN(),
			}
			c.find(sheet, p, keys)
			list = append(list, c)
		}
	}
	return list, nil
}

// find looks for the number in the step's table, which has the columns.
func (c *Compared) find(sheet *result.Sheet, p Published, keys []string) {
	field := &sheet.Fields[sheet.Field(p.Column)]
	c.Quantity = field.Title
	found := -1
	for row := range sheet.Len() {
		if !meets(sheet, row, p.By, keys) {
			continue
		}
		if found >= 0 {
			c.Why = result.Because("ambiguous", "several rows of the table %s are of %s", p.Table, c.What)
			return
		}
		found = row
	}
	if found < 0 {
		c.Why = result.Because("no_row", "the table %s has no row of %s", p.Table, c.What)
		return
	}
	c.Format, c.Decimals = field.Written(found)
	c.Here, c.Why = field.Number(found), field.Why(found)
	c.Low, c.High = field.Interval(found)
	if math.IsNaN(c.Here) && c.Why.None() {
		c.Why = result.Because("missing", "the table %s has no value there", p.Table)
	}
}

// meets tells whether the columns have these values in a row, as files write them or as people read
// them.
func meets(s *result.Sheet, row int, by, keys []string) bool {
	for k, key := range by {
		f := &s.Fields[s.Field(key)]
		if f.Write(row) != keys[k] && f.Say(row) != keys[k] {
			return false
		}
	}
	return true
}

func sheetNamed(name string, sheets []*result.Sheet) *result.Sheet {
	for _, s := range sheets {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Heading is how a step is headed in a report.
func (s Step) Heading() string { return cmp.Or(s.Title, s.Name) }
