package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/ui/present"
)

// View is what the list shows: rows, filter, order, checks and the selected row. It knows no
// widgets.
type View struct {
	rows       []Row
	visible    []int    // indices into rows, in the order shown
	all        []Column // every column that there is
	columns    []Column // those that are shown
	hidden     map[string]bool
	labelled   bool // there is a round whose columns are shown
	query      Query
	sortBy     string
	descending bool
	checked    map[string]bool
	selected   string // hash; "" for none
}

// NewView is an empty list in the order of the models' ids.
func NewView() *View {
	v := &View{sortBy: keyID, checked: map[string]bool{}, hidden: map[string]bool{}}
	v.arrangeColumns()
	return v
}

// SetRows replaces the models. Filter, order, checks and selection stay; what no longer exists
// leaves them.
func (v *View) SetRows(rows []Row) {
	v.rows = slices.Clone(rows)
	known := make(map[string]bool, len(rows))
	for i := range v.rows {
		if v.rows[i].haystack == "" {
			v.rows[i].haystack = v.rows[i].search()
		}
		v.rows[i].base.state, v.rows[i].base.reason = v.rows[i].State, v.rows[i].Reason
		known[v.rows[i].Model.Hash] = true
	}
	for hash := range v.checked {
		if !known[hash] {
			delete(v.checked, hash)
		}
	}
	if !known[v.selected] {
		v.selected = ""
	}
	v.arrangeColumns()
	v.arrange()
}

// SetLabelled shows or leaves out the columns of a round.
func (v *View) SetLabelled(on bool) { v.labelled = on }

// arrangeColumns derives the columns from the rows and from what is hidden.
func (v *View) arrangeColumns() {
	v.all = columnsOf(v.rows)
	if !v.labelled {
		v.all = slices.DeleteFunc(v.all, func(c Column) bool {
			return c.Key == keyLabel || c.Key == keyAgreement || c.Key == keyRatings
		})
	}
	v.columns = slices.DeleteFunc(slices.Clone(v.all), func(c Column) bool { return v.hidden[c.Key] && !c.fixed() })
}

// fixed columns cannot be hidden.
func (c Column) fixed() bool { return c.Key == keyCheck || c.Key == keyID }

// AllColumns are the columns that there are, shown or hidden.
func (v *View) AllColumns() []Column { return v.all }

// Hide hides or shows a column.
func (v *View) Hide(key string, on bool) {
	if on {
		v.hidden[key] = true
	} else {
		delete(v.hidden, key)
	}
	v.arrangeColumns()
}

// Hidden tells whether a column is hidden, Hiding are the keys of those that are.
func (v *View) Hidden(key string) bool { return v.hidden[key] }

// Hiding are the keys of the hidden columns, sorted.
func (v *View) Hiding() []string { return slices.Sorted(maps.Keys(v.hidden)) }

// Overlay changes the states that come from the runs at work, without sorting anew: rows must not
// jump under the pointer while numbers count up. It returns the visible indices of the rows that
// changed.
func (v *View) Overlay(state func(Row) Row) []int {
	touched := map[int]bool{}
	for i, old := range v.rows {
		now := state(old)
		if now.State == old.State && now.Share == old.Share && now.Reason == old.Reason {
			continue
		}
		if now.State != old.State {
			now.haystack = now.search()
		}
		v.rows[i] = now
		touched[i] = true
	}
	var changed []int
	for at, i := range v.visible {
		if touched[i] {
			changed = append(changed, at)
		}
	}
	return changed
}

// SetFilter shows only the models that meet the filter; see Query for how it is written.
func (v *View) SetFilter(text string) {
	v.query = ParseQuery(text)
	v.arrange()
}

// Query is the filter.
func (v *View) Query() Query { return v.query }

// column finds a column by the name that a filter gives it: its key, its title, with or without
// regard to case.
func (v *View) column(name string) (key string, ok bool) {
	name = strings.ToLower(name)
	for _, c := range v.all {
		if c.Key != keyCheck && c.Key != keyThumbs && (strings.ToLower(c.Name()) == name || c.Title == name) {
			return c.Key, true
		}
	}
	return "", false
}

// Unknown are the names in the filter that are no columns; they are looked for as words.
func (v *View) Unknown() []string {
	var names []string
	for _, c := range v.query.Clauses {
		if _, ok := v.column(c.Column); c.Op != "" && c.Op != ":" && !ok { // a colon is in many words
			names = append(names, c.Column)
		}
	}
	return names
}

// Value is one value of a column with the number of models that have it.
type Value struct {
	Text  string
	Count int
}

// Values are the values of a column over all models, in their order; the empty one is last.
func (v *View) Values(key string) []Value {
	counts := map[string]int{}
	for _, r := range v.rows {
		counts[r.filterText(key)]++
	}
	list := make([]Value, 0, len(counts))
	for text, n := range counts {
		list = append(list, Value{text, n})
	}
	slices.SortFunc(list, func(a, b Value) int { return compareText(a.Text, b.Text) })
	return list
}

// SetOrder orders by a column in a direction.
func (v *View) SetOrder(key string, descending bool) {
	v.sortBy, v.descending = key, descending
	v.arrange()
}

// SortBy orders by a column; the same column again turns the order round.
func (v *View) SortBy(key string) {
	if key == keyThumbs || key == keyCheck {
		return
	}
	if v.sortBy == key {
		v.descending = !v.descending
	} else {
		v.sortBy, v.descending = key, false
	}
	v.arrange()
}

// Order is the column that orders the list and its direction.
func (v *View) Order() (key string, descending bool) { return v.sortBy, v.descending }

// Len is the number of rows shown.
func (v *View) Len() int { return len(v.visible) }

// Total is the number of models, shown or not.
func (v *View) Total() int { return len(v.rows) }

// Columns are the columns shown.
func (v *View) Columns() []Column { return v.columns }

// At is the row shown at an index.
func (v *View) At(i int) (Row, bool) {
	if i < 0 || i >= len(v.visible) {
		return Row{}, false
	}
	return v.rows[v.visible[i]], true
}

// Index is where a model is shown, -1 when it is not.
func (v *View) Index(hash string) int {
	return slices.IndexFunc(v.visible, func(i int) bool { return v.rows[i].Model.Hash == hash })
}

// Select makes a model the selected one.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model.
func (v *View) Selected() (Row, bool) {
	if v.selected == "" {
		return Row{}, false
	}
	for _, r := range v.rows {
		if r.Model.Hash == v.selected {
			return r, true
		}
	}
	return Row{}, false
}

// IsSelected tells whether a model is the selected one.
func (v *View) IsSelected(hash string) bool { return hash != "" && v.selected == hash }

// Check sets or clears a model's check.
func (v *View) Check(hash string, on bool) {
	if on {
		v.checked[hash] = true
	} else {
		delete(v.checked, hash)
	}
}

// Checked tells whether a model is checked.
func (v *View) Checked(hash string) bool { return v.checked[hash] }

// CheckShown sets or clears the checks of all rows shown.
func (v *View) CheckShown(on bool) {
	for _, i := range v.visible {
		v.Check(v.rows[i].Model.Hash, on)
	}
}

// AllShownChecked tells whether every row shown is checked; false for an empty list.
func (v *View) AllShownChecked() bool {
	for _, i := range v.visible {
		if !v.checked[v.rows[i].Model.Hash] {
			return false
		}
	}
	return len(v.visible) > 0
}

// CheckRange checks every row shown between two indices, both included.
func (v *View) CheckRange(a, b int) {
	for i := max(0, min(a, b)); i <= min(max(a, b), len(v.visible)-1); i++ {
		v.Check(v.rows[v.visible[i]].Model.Hash, true)
	}
}

// UncheckRange clears the checks of every row shown between two indices, both included.
func (v *View) UncheckRange(a, b int) {
	for i := max(0, min(a, b)); i <= min(max(a, b), len(v.visible)-1); i++ {
		v.Check(v.rows[v.visible[i]].Model.Hash, false)
	}
}

// CheckNone clears all checks, also those of rows that the filter hides.
func (v *View) CheckNone() { clear(v.checked) }

// Unchecked tells whether no model is checked.
func (v *View) Unchecked() bool { return len(v.checked) == 0 }

// Chosen are the hashes that "run selected" means: the checked models in the workspace's order,
// else the selected one.
func (v *View) Chosen() []string {
	var chosen []string
	for _, r := range v.rows {
		if v.checked[r.Model.Hash] {
			chosen = append(chosen, r.Model.Hash)
		}
	}
	if len(chosen) == 0 && v.selected != "" {
		chosen = []string{v.selected}
	}
	return chosen
}

// Caption counts what is shown.
func (v *View) Caption() string {
	text := present.Counted(int64(len(v.rows)), "model")
	if len(v.visible) != len(v.rows) {
		text = fmt.Sprintf("%s of %s", present.Count(int64(len(v.visible))), text)
	}
	if n := len(v.checked); n > 0 {
		text = fmt.Sprintf("%s, %s checked", text, present.Count(int64(n)))
	}
	return text
}

func (v *View) arrange() {
	tests := v.query.compile(v.column)
	v.visible = v.visible[:0]
rows:
	for i := range v.rows {
		for _, t := range tests {
			if !t.holds(v.rows[i]) {
				continue rows
			}
		}
		v.visible = append(v.visible, i)
	}
	v.sort()
}

// sortKey is what a row is ordered by, worked out once per row.
type sortKey struct {
	text    string
	number  float64
	numeric bool
	id      string
}

// sort orders the rows shown by the chosen column, then by id; rows without a value come last in
// either direction.
func (v *View) sort() {
	keys := make([]sortKey, len(v.rows))
	for _, i := range v.visible {
		r := v.rows[i]
		keys[i] = sortKey{id: r.Model.ID}
		if v.sortBy == keyState {
			keys[i].number, keys[i].numeric, keys[i].text = float64(r.State)+r.Share/2, true, "state"
			continue
		}
		keys[i].text = r.filterText(v.sortBy)
		keys[i].number, keys[i].numeric = number(keys[i].text)
	}
	slices.SortStableFunc(v.visible, func(a, b int) int { return compareKeys(keys[a], keys[b], v.descending) })
}

func compareKeys(a, b sortKey, descending bool) int {
	if (a.text == "") != (b.text == "") {
		return cmp.Compare(b.text, a.text) // the empty one is the larger: it goes last
	}
	var order int
	switch {
	case a.numeric && b.numeric:
		order = cmp.Compare(a.number, b.number)
	case a.numeric != b.numeric: // numbers before words
		order = 1
		if a.numeric {
			order = -1
		}
	default:
		order = result.Natural(a.text, b.text)
	}
	if descending {
		order = -order
	}
	return cmp.Or(order, result.Natural(a.id, b.id))
}

// compareText orders the values of a column as the list does.
func compareText(a, b string) int {
	x, okX := number(a)
	y, okY := number(b)
	return compareKeys(sortKey{text: a, number: x, numeric: okX}, sortKey{text: b, number: y, numeric: okY}, false)
}
