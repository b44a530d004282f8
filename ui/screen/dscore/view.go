// Package dscore is the screen of the D-Score: where the features of a suite are and where models
// look (spec/dscore.md), region by region, over all images and over single ones; what would be
// lost without a region; models side by side; and the way to the augmentation that a score
// recommends.
package dscore

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/present"
)

// View is what the screen shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	filter     string
	records    []string // columns of the training records
	columns    []Column
	sorted     string
	descending bool
	shown      []int    // indices of Rows with the grid that meet the filter, in order
	marked     []string // hashes, in the order in which they were marked
	selected   string   // hash
}

// NewView makes an empty view.
func NewView() *View {
	return &View{sorted: "d_score", descending: true, columns: Columns(nil)}
}

// Take shows other data, with these columns of the training records (nil for the usual ones).
// Choices that are still possible stay.
func (v *View) Take(d Data, records []string) {
	v.Data = d
	v.setRecords(records)
	v.marked = slices.DeleteFunc(v.marked, func(hash string) bool { return !v.known(hash) })
	v.arrange()
	if _, ok := v.Selected(); ok {
		return
	}
	v.selected = ""
	if r, ok := v.At(0); ok {
		v.selected = r.Model.Hash // so that the maps have something to show
	}
}

// SetRecords chooses the columns of the training records, nil for the usual ones.
func (v *View) SetRecords(records []string) {
	v.setRecords(records)
	v.arrange()
}

func (v *View) setRecords(records []string) {
	has := model.RecordNames(v.Models, 2, math.MaxInt)
	if records == nil {
		records = usualColumns(has)
	}
	v.records = slices.DeleteFunc(slices.Clone(records), func(name string) bool { return !slices.Contains(has, name) })
	v.columns = Columns(v.records)
	if !slices.ContainsFunc(v.columns, func(c Column) bool { return c.Key == v.sorted }) {
		v.sorted, v.descending = "d_score", true
	}
}

// Records are the columns of the training records that the table has.
func (v *View) Records() []string { return v.records }

// Columns are the columns of the table.
func (v *View) Columns() []Column { return v.columns }

// ShowGrid looks at another grid; ok is false where it was not diagnosed.
func (v *View) ShowGrid(g score.Grid) (ok bool) {
	v.Wanted = g
	v.arrange()
	return slices.Contains(v.asked(), g) && slices.ContainsFunc(v.Rows, func(r Row) bool { return r.Grid == g })
}

// Filter shows the rows that meet a filter; see result.ParseFilter.
func (v *View) Filter(text string) {
	v.filter = text
	v.arrange()
}

// SortBy sorts by a column, the best first; the same one again turns the order round.
func (v *View) SortBy(key string) {
	at := slices.IndexFunc(v.columns, func(c Column) bool { return c.Key == key })
	if at < 0 {
		return
	}
	if key == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = key, key == keyMark || v.columns[at].Descending
	}
	v.arrange()
}

// Order is the column that the table is sorted by, and whether from the largest to the smallest.
func (v *View) Order() (key string, descending bool) { return v.sorted, v.descending }

// arrange finds the rows that are shown and their order: by the column, then by name. What has no
// value stands last.
func (v *View) arrange() {
	var at []int // of the grid, by name
	for i, r := range v.Rows {
		if r.Grid == v.Grid() {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return result.Natural(v.Rows[a].Model.ID, v.Rows[b].Model.ID) })
	rows := make([]Row, len(at))
	for k, i := range at {
		rows[k] = v.Rows[i]
	}
	order := result.Order{Key: v.sorted, Descending: v.descending}
	v.shown = v.shown[:0:0]
	for _, k := range score.Scores.Sheet(rows).Arrange(result.ParseFilter(v.filter), order) {
		v.shown = append(v.shown, at[k])
	}
	if v.sorted == keyMark {
		marked := func(at int) float64 { return bit(v.Marked(v.Rows[at].Model.Hash)) }
		slices.SortStableFunc(v.shown, func(a, b int) int { return result.Compare(marked(a), marked(b), v.descending) })
	}
}

// bit is 1 for true.
func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
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

// of is the row of a model with a grid.
func (v *View) of(hash string, g score.Grid) (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == hash && r.Grid == g })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

func (v *View) known(hash string) bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return r.Model.Hash == hash })
}

// Select selects a model.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model's row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) { return v.of(v.selected, v.Grid()) }

// Index is the row of the table in which the selected model stands, -1 where it is not shown.
func (v *View) Index() int {
	return slices.IndexFunc(v.shown, func(at int) bool { return v.Rows[at].Model.Hash == v.selected })
}

// Mark marks a model, or takes its mark away.
func (v *View) Mark(hash string) {
	if at := slices.Index(v.marked, hash); at >= 0 {
		v.marked = slices.Delete(slices.Clone(v.marked), at, at+1)
	} else {
		v.marked = append(slices.Clone(v.marked), hash)
	}
	if v.sorted == keyMark {
		v.arrange()
	}
}

// Marked tells whether a model is marked.
func (v *View) Marked(hash string) bool { return slices.Contains(v.marked, hash) }

// Marks are the marked models, in the order in which they were marked.
func (v *View) Marks() []string { return v.marked }

// Cell is the text of a cell.
func (v *View) Cell(row, col int, intervals bool) string {
	r, ok := v.At(row)
	if !ok || col < 0 || col >= len(v.columns) {
		return ""
	}
	if c := v.columns[col]; c.Key != keyMark {
		if !intervals {
			c = c.Between(nil, nil)
		}
		return c.Say(r)
	}
	if v.Marked(r.Model.Hash) {
		return "●"
	}
	return "·"
}

// Caption is the line over the table.
func (v *View) Caption() string {
	text := present.Counted(int64(len(v.shown)), "model")
	all := 0
	for _, r := range v.Rows {
		if r.Grid == v.Grid() {
			all++
		}
	}
	if len(v.shown) < all {
		text = fmt.Sprintf("%s; %s in all", text, present.Count(int64(all)))
	}
	if n := len(v.marked); n > 0 {
		text = fmt.Sprintf("%s; %s marked", text, present.Count(int64(n)))
	}
	for _, at := range v.shown {
		if why := v.Rows[at].NoInterval(); !why.None() {
			return fmt.Sprintf("%s; scores have no intervals: %s", text, why)
		}
	}
	return text
}

// Detail is the line about a row, with the addends of v_robust.
func (v *View) Detail(row int) string {
	r, ok := v.At(row)
	if !ok {
		return ""
	}
	t := r.Score.RobustTerms
	text := fmt.Sprintf("%s: D-Score %s = fitness %s − robust %s (features %s, attention %s, loss by shifting %s)", r.Model.ID, decimals(r.Score.DScore, 4),
		decimals(r.Score.Fitness, 4), decimals(r.Score.Robust, 4), decimals(t[0], 4), decimals(t[1], 4), decimals(t[2], 4))
	for _, f := range r.Score.Flags {
		text += "; " + f.Sentence()
	}
	return text
}
