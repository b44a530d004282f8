// Package invariance is the screen of effective invariance: how consistently and confidently models predict under
// transformations, without labels (spec/ei.md); how that goes with accuracy over many models and over many suites; and what accuracy it
// predicts where there are no labels.
package invariance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// View is what the screen shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	filter     string
	sorted     string
	descending bool
	shown      []int // indices of Rows, in order
	selected   string
	suite      string // of the table; "" for all
	family     string
	OverModels StudyChoice
	OverSuites SuitesChoice
	Forecast   ForecastChoice
}

// NewView makes an empty view.
func NewView() *View {
	return &View{sorted: keyModel, OverModels: newStudyChoice(), OverSuites: newSuitesChoice(), Forecast: newForecastChoice()}
}

// id names a row, also after another measuring.
func (r Row) id() string { return r.Model.Hash + "/" + r.Suite + "/" + r.Family }

// Take shows other data; choices that are still possible stay.
func (v *View) Take(d Data) {
	v.Data = d
	if !has(d.suiteChoices(), v.suite) {
		v.suite = ""
	}
	if !has(d.familyChoices(), v.family) {
		v.family = ""
	}
	v.OverModels.settle(d)
	v.OverSuites.settle(d)
	v.Forecast.settle(d)
	if _, ok := v.Selected(); !ok {
		v.selected = ""
	}
	v.arrange()
	if r, ok := v.At(0); ok && v.selected == "" {
		v.selected = r.id() // so that the detail has something to show
	}
}

func has(list []widget.Option, key string) bool {
	return slices.ContainsFunc(list, func(c widget.Option) bool { return c.Key == key })
}

// Only shows the rows of a suite and a family, "" for all.
func (v *View) Only(suiteHash, family string) {
	v.suite, v.family = suiteHash, family
	v.arrange()
}

// Filter shows the rows that have all words of a text in model, suite, transformations or training record, and none of those
// with a minus in front; "ei<0.5" and "accuracy>0.9" compare a column.
func (v *View) Filter(text string) {
	v.filter = text
	v.arrange()
}

// SortBy sorts by a column; the same one again turns the order round. Numbers begin with the largest.
func (v *View) SortBy(key string) {
	if key == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = key, !slices.Contains([]string{keyModel, keySuite, keyFamily}, key)
	}
	v.arrange()
}

// Order is the column that the table is sorted by, and whether from the largest to the smallest.
func (v *View) Order() (key string, descending bool) { return v.sorted, v.descending }

// arrange finds the rows that are shown and their order. What has no value stands last in both orders.
func (v *View) arrange() {
	v.shown = v.shown[:0:0]
	filter := present.ParseFilter(v.filter)
	for i, r := range v.Rows {
		if (v.suite == "" || v.suite == r.Suite) && (v.family == "" || v.family == r.Family) && r.meets(filter) {
			v.shown = append(v.shown, i)
		}
	}
	column := columnOf(v.sorted)
	slices.SortStableFunc(v.shown, func(a, b int) int {
		x, y := v.Rows[a], v.Rows[b]
		return cmp.Or(v.compare(column, x, y), result.Natural(x.Model.ID, y.Model.ID), result.Natural(x.SuiteName, y.SuiteName), cmp.Compare(x.Family, y.Family))
	})
}

func columnOf(key string) Column {
	list := Columns()
	if at := slices.IndexFunc(list, func(c Column) bool { return c.Key == key }); at >= 0 {
		return list[at]
	}
	return list[0]
}

func (v *View) compare(c Column, a, b Row) int {
	turn := 1
	if v.descending {
		turn = -1
	}
	if c.Text != nil {
		return turn * result.Natural(c.Text(a), c.Text(b))
	}
	return result.Compare(c.Value(a), c.Value(b), v.descending)
}

// meets tells whether the filter lets a row through.
func (r Row) meets(f present.Filter) bool {
	return f.Meets(r.contains, func(name string) (float64, bool) {
		for _, c := range Columns() {
			if c.Value != nil && (c.Key == name || strings.ToLower(c.Title) == name) {
				return c.Value(r), true
			}
		}
		return 0, false
	})
}

// contains looks for a word in lower case.
func (r Row) contains(word string) bool {
	in := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	if in(r.Model.ID) || in(r.SuiteName) || in(r.FamilyName) {
		return true
	}
	for _, f := range r.Model.Record {
		if in(f.Value) {
			return true
		}
	}
	return false
}

// Len is how many rows are shown.
func (v *View) Len() int { return len(v.shown) }

// At is a row of the table; ok is false outside.
func (v *View) At(row int) (r Row, ok bool) {
	if row < 0 || row >= len(v.shown) {
		return Row{}, false
	}
	return v.Rows[v.shown[row]], true
}

// Select selects a row by its id; Selected is the selected one, ok is false without one.
func (v *View) Select(id string) { v.selected = id }

// Selected is the selected row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.id() == v.selected })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

// Index is the row of the table in which the selected one stands, -1 where it is not shown.
func (v *View) Index() int {
	return slices.IndexFunc(v.shown, func(at int) bool { return v.Rows[at].id() == v.selected })
}

// Caption is the line over the table.
func (v *View) Caption() string {
	models, suites := map[string]bool{}, map[string]bool{}
	for _, at := range v.shown {
		models[v.Rows[at].Model.Hash], suites[v.Rows[at].Suite] = true, true
	}
	text := fmt.Sprintf("%s: %s, %s", present.Counted(int64(len(v.shown)), "row"), present.Counted(int64(len(models)), "model"), present.Counted(int64(len(suites)), "suite"))
	if len(v.shown) < len(v.Rows) {
		text = fmt.Sprintf("%s; %s in all", text, present.Count(int64(len(v.Rows))))
	}
	return text
}

// Detail is the line about a row, and about a missing number of one of its columns where one is given.
func (v *View) Detail(row, col int) string {
	r, ok := v.At(row)
	if !ok {
		return ""
	}
	text := fmt.Sprintf("%s on %s, %s: EI %s, accuracy %s", r.Model.ID, r.SuiteName, r.FamilyName, present.Number(r.Mean[0]), present.Number(r.Accuracy))
	if level := r.Chance.Level(); level.Flagged() {
		text += "; " + level.Sentence()
	}
	list := Columns()
	if col < 0 || col >= len(list) {
		return text
	}
	if reason := list[col].reason(r); reason != "" {
		return fmt.Sprintf("%s: no %s: %s", r.Model.ID, list[col].Title, reason)
	}
	return text
}

// Table is the table as it is shown for a file: names and hashes, then all numbers with all digits.
func (v *View) Table() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "suite", "suite_hash", "family"}
	var numbers []Column
	for _, c := range Columns() {
		if c.Value != nil {
			numbers = append(numbers, c)
			head = append(head, c.Key)
		}
	}
	for k := range v.shown {
		r, _ := v.At(k)
		line := []string{r.Model.ID, r.Model.Hash, r.SuiteName, r.Suite, r.Family}
		for _, c := range numbers {
			line = append(line, c.whole(r))
		}
		rows = append(rows, line)
	}
	return head, rows
}

// leftName is the model, or how many there are with the first ones.
func leftName(l measure.Lack) string {
	const few = 3
	if n := len(l.IDs); n > few {
		return fmt.Sprintf("%s: %s…", present.Counted(int64(n), "model"), strings.Join(l.IDs[:few], ", "))
	}
	return strings.Join(l.IDs, ", ")
}

// LeftCell is a cell of the table of what was not measured: models, suite, transformations and why.
func (v *View) LeftCell(row, col int) string {
	if row < 0 || row >= len(v.Left) {
		return ""
	}
	l := v.Left[row]
	switch col {
	case 0:
		return leftName(l)
	case 1:
		if l.Suite == "" {
			return ""
		}
		return v.suiteName(l.Suite)
	case 2:
		return familyName(l.Family)
	}
	return l.Reason.Text
}
