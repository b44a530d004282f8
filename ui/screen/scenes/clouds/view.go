package clouds

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/ui/present"
)

// View is the list of models. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	filter     string
	sorted     string
	descending bool
	shown      []int // indices of Rows that meet the filter, in order
	selected   string
}

// NewView makes an empty view, the models by their names.
func NewView() *View { return &View{sorted: "model"} }

// Column is a column of the list; Value is nil for names.
type Column struct {
	Key, Title, Hint string
	Value            func(r Row) float64
}

// Columns are the list's columns.
func Columns() []Column {
	return []Column{
		{Key: "model", Title: "model"},
		{
			"accuracy", "clean", "accuracy on the targets as they are",
			func(r Row) float64 { return r.Outcome.Accuracy },
		},
		{
			"scenes", "scenes", "mean accuracy on the targets in their testing scenes",
			func(r Row) float64 { return r.Outcome.MeanComposite },
		},
		{
			"worst", "worst", "worst-case accuracy: targets that are right as they are and in every scene",
			func(r Row) float64 { return r.Outcome.WorstCase },
		},
	}
}

// Take shows other data. What is selected stays where it is still there, else wanted comes in its place, else the first with a run.
func (v *View) Take(d Data, wanted string) {
	v.Data = d
	v.arrange()
	for _, hash := range []string{v.selected, wanted} {
		if r, ok := v.of(hash); ok && r.Ran() {
			v.selected = hash
			return
		}
	}
	v.selected = ""
	for _, at := range v.shown {
		if v.Rows[at].Ran() {
			v.selected = v.Rows[at].Model.Hash
			return
		}
	}
}

// Filter shows the models that have all words of a text in their names or training records; see present.ParseFilter. What is compared is
// a column's key or title.
func (v *View) Filter(text string) {
	v.filter = text
	v.arrange()
}

// SortBy sorts by a column, numbers with the largest first; the same one again turns the order round.
func (v *View) SortBy(col int) {
	list := Columns()
	if col < 0 || col >= len(list) {
		return
	}
	if key := list[col].Key; key == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = key, list[col].Value != nil
	}
	v.arrange()
}

// Order is the number of the column that the list is sorted by, and whether from the largest to the smallest.
func (v *View) Order() (col int, descending bool) {
	return max(0, slices.IndexFunc(Columns(), func(c Column) bool { return c.Key == v.sorted })), v.descending
}

// arrange finds the models that are shown and their order. Those without a run stand at the end in every order.
func (v *View) arrange() {
	v.shown = v.shown[:0:0]
	filter := present.ParseFilter(v.filter)
	for i, r := range v.Rows {
		if meets(r, filter) {
			v.shown = append(v.shown, i)
		}
	}
	col, _ := v.Order()
	column := Columns()[col]
	slices.SortStableFunc(v.shown, func(a, b int) int {
		x, y := v.Rows[a], v.Rows[b]
		if x.Ran() != y.Ran() {
			return map[bool]int{true: -1, false: 1}[x.Ran()]
		}
		return cmp.Or(v.compare(column, x, y), result.Natural(x.Model.ID, y.Model.ID))
	})
}

func (v *View) compare(c Column, a, b Row) int {
	if c.Value != nil {
		return result.Compare(c.Value(a), c.Value(b), v.descending)
	}
	if v.descending {
		a, b = b, a
	}
	return result.Natural(a.Model.ID, b.Model.ID)
}

// meets tells whether the filter lets a row through.
func meets(r Row, filter present.Filter) bool {
	in := func(text, word string) bool { return strings.Contains(strings.ToLower(text), word) }
	return filter.Meets(func(word string) bool {
		if in(r.Model.ID, word) {
			return true
		}
		for _, f := range r.Model.Record {
			if in(f.Value, word) {
				return true
			}
		}
		return false
	}, func(name string) (float64, bool) {
		for _, c := range Columns() {
			if c.Value != nil && (c.Key == name || strings.ToLower(c.Title) == name) {
				if !r.Ran() {
					return math.NaN(), true
				}
				return c.Value(r), true
			}
		}
		return 0, false
	})
}

// Len is how many models are shown.
func (v *View) Len() int { return len(v.shown) }

// At is a row of the list; ok is false outside.
func (v *View) At(row int) (r Row, ok bool) {
	if row < 0 || row >= len(v.shown) {
		return Row{}, false
	}
	return v.Rows[v.shown[row]], true
}

func (v *View) of(hash string) (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == hash })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

// Select selects a model.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model's row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) { return v.of(v.selected) }

// Index is the row of the list in which the selected model stands, -1 where it is not shown.
func (v *View) Index() int {
	return slices.IndexFunc(v.shown, func(at int) bool { return v.Rows[at].Model.Hash == v.selected })
}

// Cell is the text of a cell.
func (v *View) Cell(row, col int) string {
	r, ok := v.At(row)
	list := Columns()
	switch {
	case !ok || col < 0 || col >= len(list):
		return ""
	case list[col].Value == nil:
		return r.Model.ID
	case !r.Ran():
		return present.None
	}
	return present.Percent(list[col].Value(r))
}

// Detail is the line about a row.
func (v *View) Detail(row int) string {
	r, ok := v.At(row)
	if !ok {
		return ""
	}
	if !r.Ran() {
		return fmt.Sprintf("%s: %s", r.Model.ID, r.Reason)
	}
	return fmt.Sprintf("%s: %s clean, %s in scenes, worst case %s; the prediction changes in %s of the composites", r.Model.ID,
		present.Percent(r.Outcome.Accuracy), present.Percent(r.Outcome.MeanComposite), present.Percent(r.Outcome.WorstCase),
		present.Percent(r.Outcome.ChangedShare))
}

// others are the models with a run that the selected one can be compared with, by name.
func (v *View) others() []Row {
	var list []Row
	for _, r := range v.Rows {
		if r.Ran() && r.Model.Hash != v.selected {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Row) int { return result.Natural(a.Model.ID, b.Model.ID) })
	return list
}

// second is the model that the selected one is compared with: wanted where it can be, else the first.
func (v *View) second(wanted string) (r Row, ok bool) {
	list := v.others()
	if at := slices.IndexFunc(list, func(r Row) bool { return r.Model.Hash == wanted }); at >= 0 {
		return list[at], true
	}
	if len(list) == 0 {
		return Row{}, false
	}
	return list[0], true
}

// vacancy says why there is nothing to look at; ok is false when there is something.
func (v *View) vacancy() (text string, ok bool) {
	switch {
	case v.Selection.Hash == "":
		return "There are no testing scenes yet: choose some on the page Scenes.", true
	case len(v.Rows) == 0:
		return "This workspace has no models yet. Import some.", true
	case len(v.without()) == len(v.Rows):
		return fmt.Sprintf("No model ran in the scenes of %s yet. A run puts every target into its scenes and keeps what the models say.", v.Selection.Name), true
	}
	return "", false
}
