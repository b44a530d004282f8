package models

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/ui/present"
)

// View is what the list shows: rows, filter, order, checks and the selected row. It knows no widgets.
type View struct {
	rows       []Row
	visible    []int // indices into rows, in the order shown
	columns    []Column
	filter     string
	sortBy     string
	descending bool
	checked    map[string]bool
	selected   string // hash; "" for none
}

// NewView is an empty list in the order of the models' ids.
func NewView() *View {
	return &View{columns: columnsOf(nil), sortBy: keyID, checked: map[string]bool{}}
}

// SetRows replaces the models. Filter, order, checks and selection stay; what no longer exists leaves them.
func (v *View) SetRows(rows []Row) {
	v.rows = slices.Clone(rows)
	known := make(map[string]bool, len(rows))
	for i := range v.rows {
		v.rows[i].haystack = v.rows[i].search()
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
	v.columns = columnsOf(v.rows)
	v.arrange()
}

// Overlay changes the states that come from the runs at work, without sorting anew: rows must not jump under the pointer
// while numbers count up. It returns the visible indices of the rows that changed.
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

// SetFilter shows only the models in which every word of the text occurs, in id, state, file name or record; a word may
// name the column: architecture=vgg.
func (v *View) SetFilter(text string) {
	v.filter = text
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

// Chosen are the hashes that "run selected" means: the checked models in the workspace's order, else the selected one.
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
	text := strconv.Itoa(len(v.rows)) + " models"
	if len(v.rows) == 1 {
		text = "1 model"
	}
	if len(v.visible) != len(v.rows) {
		text = strconv.Itoa(len(v.visible)) + " of " + text
	}
	if n := len(v.checked); n > 0 {
		text += ", " + strconv.Itoa(n) + " checked"
	}
	return text
}

func (v *View) arrange() {
	words := strings.Fields(strings.ToLower(v.filter))
	v.visible = v.visible[:0]
	for i, r := range v.rows {
		if matches(r.haystack, words) {
			v.visible = append(v.visible, i)
		}
	}
	slices.SortStableFunc(v.visible, func(a, b int) int { return v.compare(v.rows[a], v.rows[b]) })
}

func matches(haystack string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(haystack, w) {
			return false
		}
	}
	return true
}

// compare orders by the chosen column, then by id; rows without a value come last in either direction.
func (v *View) compare(a, b Row) int {
	order := 0
	if v.sortBy == keyState {
		order = cmp.Or(cmp.Compare(a.State, b.State), cmp.Compare(a.Share, b.Share))
	} else {
		x, y := a.Text(v.sortBy), b.Text(v.sortBy)
		if (x == "") != (y == "") {
			return cmp.Compare(y, x) // the empty one is the larger: it goes last
		}
		order = v.compareText(x, y)
	}
	if v.descending {
		order = -order
	}
	return cmp.Or(order, present.Natural(a.Model.ID, b.Model.ID))
}

// compareText compares two cells of the sorting column: by value where all of its cells are numbers.
func (v *View) compareText(a, b string) int {
	if i := slices.IndexFunc(v.columns, func(c Column) bool { return c.Key == v.sortBy }); i >= 0 && v.columns[i].Numeric {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
	}
	return present.Natural(a, b)
}
