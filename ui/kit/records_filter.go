package kit

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
)

// Clause is a condition of the filter under a name: "raters disagree" for "agreement<100%".
type Clause struct{ Name, Text string }

// mostValues is how many values of a column the filter menu lists; a column with more is filtered
// by comparisons.
const mostValues = 200

// openFilters opens the filter menu: it shows the values of one column after the other and writes
// what is checked into the filter.
func (r *Records[R]) openFilters() {
	r.Focus()
	var columns []int
	var titles []string
	for k := range r.sheet.Fields {
		if f := &r.sheet.Fields[k]; k != r.name() && f.Show != result.FileOnly && r.Pictures[f.Key] == nil {
			columns, titles = append(columns, k), append(titles, f.Title)
		}
	}
	head, rows, note := container.NewVBox(), container.NewVBox(), fynewidget.NewLabel("")
	note.Importance, note.Wrapping = fynewidget.LowImportance, fyne.TextWrapWord
	column := fynewidget.NewSelect(titles, nil)
	column.OnChanged = func(string) { r.listValues(columns[column.SelectedIndex()], rows, note) }
	head.Add(column)
	for _, c := range r.Clauses {
		check := fynewidget.NewCheck(c.Name, nil)
		check.Checked = r.clause(c.Text) >= 0
		check.OnChanged = func(on bool) {
			if at := r.clause(c.Text); at >= 0 && !on {
				r.SetFilter(r.filter.Without(at).String())
			} else if on {
				r.SetFilter(result.Filter{Clauses: slices.Concat(r.filter.Clauses,
					result.ParseFilter(c.Text).Clauses)}.String())
			}
		}
		head.Add(check)
	}
	r.popUp(r.filters, container.NewBorder(head, note, nil, nil, container.NewVScroll(rows)),
		fyne.NewSize(320, 430), r.Focus)
	at := slices.IndexFunc(columns, func(k int) bool { return r.filter.Chosen(r.named(k)) != nil })
	column.SetSelectedIndex(max(at, 0))
}

// clause is the place of a clause in the filter, -1 where it is not there.
func (r *Records[R]) clause(text string) int {
	return slices.IndexFunc(r.filter.Clauses, func(c result.Clause) bool { return c.String() == text })
}

// named is the name of a column in a filter: its title where that is one word of this column alone.
func (r *Records[R]) named(k int) string {
	f := &r.sheet.Fields[k]
	if found := r.sheet.Find(f.Title); found == k {
		return f.Title
	}
	return f.Key
}

// listValues shows the values of a column.
func (r *Records[R]) listValues(k int, rows *fyne.Container, note *fynewidget.Label) {
	name := r.named(k)
	values, counts := r.sheet.Values(k)
	rows.RemoveAll()
	note.SetText("")
	if len(values) > mostValues {
		note.SetText(fmt.Sprintf("The first %d of %s values. Comparisons are written in the filter: %s",
			mostValues, result.Whole(len(values)),
			result.Clause{Column: name, Op: ">", Values: []result.Operand{{Text: values[0]}}}))
		values = values[:mostValues]
	}
	for _, v := range values {
		text := v
		if v == "" {
			text = "missing"
		}
		check := fynewidget.NewCheck(fmt.Sprintf("%s  (%d)", text, counts[v]), nil)
		check.Checked = slices.Contains(r.filter.Chosen(name), v)
		check.OnChanged = func(on bool) {
			chosen := slices.DeleteFunc(r.filter.Chosen(name), func(one string) bool { return one == v })
			if on {
				chosen = append(chosen, v)
			}
			r.SetFilter(r.filter.Choose(name, chosen).String())
		}
		rows.Add(check)
	}
}
