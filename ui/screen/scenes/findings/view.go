package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// View is the table of models. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	filter     string
	records    []string // columns of the training records
	columns    []Column
	sorted     string
	descending bool
	shown      []int  // indices of Rows that meet the filter, in order
	selected   string // hash
}

// Column is a column of the table of models. Value is nil for texts.
type Column struct {
	Key, Title, Hint string
	Text             func(r Row) string
	Value            func(r Row) float64
}

// The keys of the columns that are asked for by name, and what stands before the name of one of the training records.
const keyModel, keyWorst, keyLabel, keyRecord = "model_id", "worst_case_accuracy", "label", "record."

// NewView makes an empty view.
func NewView() *View {
	v := &View{sorted: keyWorst, descending: true}
	v.columns = v.made()
	return v
}

// Take shows other data. Choices that are still possible stay.
func (v *View) Take(d Data) {
	v.Data = d
	has := v.recordColumns()
	v.records = slices.DeleteFunc(v.records, func(name string) bool { return !slices.Contains(has, name) })
	if v.records == nil {
		for _, name := range []string{"architecture", "augmentation", "natural_share"} {
			if slices.Contains(has, name) {
				v.records = append(v.records, name)
			}
		}
	}
	v.columns = v.made()
	v.arrange()
	if _, ok := v.Selected(); !ok {
		v.selected = ""
		if r, ok := v.At(0); ok {
			v.selected = r.Model.Hash
		}
	}
}

// recordColumns are the columns of the training records that tell models apart, in the order in which they are met.
func (v *View) recordColumns() []string {
	var order []string
	first := map[string]string{}
	several := map[string]bool{}
	for _, r := range v.Rows {
		for _, f := range r.Model.Record {
			value, met := first[f.Name]
			if !met {
				first[f.Name] = f.Value
				order = append(order, f.Name)
			}
			several[f.Name] = several[f.Name] || met && value != f.Value
		}
	}
	return slices.DeleteFunc(order, func(name string) bool { return !several[name] })
}

// ToggleRecord shows a column of the training records, or takes it away.
func (v *View) ToggleRecord(name string) {
	if at := slices.Index(v.records, name); at >= 0 {
		v.records = slices.Delete(slices.Clone(v.records), at, at+1)
	} else {
		v.records = append(slices.Clone(v.records), name)
	}
	v.columns = v.made()
	v.arrange()
}

// made are the columns of the table.
func (v *View) made() []Column {
	list := []Column{
		{Key: keyModel, Title: "model", Text: func(r Row) string { return r.Model.ID }},
		shareColumn("accuracy", "accuracy", "share of the targets themselves that are classified rightly", accuracyOf),
		shareColumn("mean_composite_accuracy", "in scenes", "accuracy of the composites: mean over all scenes of all targets", compositeOf),
		shareColumn(keyWorst, "worst case", "share of targets that are right in all their images, the target itself and every scene", worstOf),
		shareColumn("changed_share", "changed", "share of composites whose prediction is not that of their target", func(r Row) float64 { return r.Outcome.ChangedShare }),
	}
	if v.Round.ID != "" {
		list = append(list, Column{
			Key: keyLabel, Title: "label", Text: func(r Row) string { return labelWord(r.Label) },
			Hint: fmt.Sprintf("what the annotators of round %s decided: adjudicated, else the majority, ties being borderline", v.Round.Name),
		})
	}
	for _, name := range v.records {
		list = append(list, Column{Key: keyRecord + name, Title: name, Text: func(r Row) string { return r.Model.Value(name) }})
	}
	return list
}

func shareColumn(key, title, hint string, value func(r Row) float64) Column {
	return Column{Key: key, Title: title, Hint: hint, Value: value, Text: func(r Row) string { return present.Percent(value(r)) }}
}

func accuracyOf(r Row) float64  { return r.Outcome.Accuracy }
func compositeOf(r Row) float64 { return r.Outcome.MeanComposite }
func worstOf(r Row) float64     { return r.Outcome.WorstCase }

// labelWord is a label as people read it.
func labelWord(l label.Value) string {
	if l == "" {
		return present.None
	}
	return string(l)
}

// Filter shows the rows that have all words of a text; see present.ParseFilter.
func (v *View) Filter(text string) {
	v.filter = text
	v.arrange()
}

// SortBy sorts by a column, numbers from the largest; the same one again turns the order round.
func (v *View) SortBy(key string) {
	at := slices.IndexFunc(v.columns, func(c Column) bool { return c.Key == key })
	if at < 0 {
		return
	}
	if key == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = key, v.columns[at].Value != nil
	}
	v.arrange()
}

// arrange finds the rows that are shown and their order.
func (v *View) arrange() {
	v.shown = v.shown[:0:0]
	filter := present.ParseFilter(v.filter)
	for i, r := range v.Rows {
		if v.meets(r, filter) {
			v.shown = append(v.shown, i)
		}
	}
	at := max(0, slices.IndexFunc(v.columns, func(c Column) bool { return c.Key == v.sorted }))
	c := v.columns[at]
	slices.SortStableFunc(v.shown, func(a, b int) int {
		x, y := v.Rows[a], v.Rows[b]
		return cmp.Or(order(c.Text(x), c.Text(y), valueOf(c.Value, x), valueOf(c.Value, y), v.descending), result.Natural(x.Model.ID, y.Model.ID))
	})
}

// valueOf is the value of a column, 0 for all lines of one of texts.
func valueOf[R any](of func(R) float64, row R) float64 {
	if of == nil {
		return 0
	}
	return of(row)
}

// order compares two lines of a table by their numbers, else by their texts; what has no number stands last in both directions.
func order(textA, textB string, a, b float64, descending bool) int {
	turn := 1
	if descending {
		turn = -1
	}
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	}
	return turn * cmp.Or(cmp.Compare(a, b), result.Natural(textA, textB))
}

// meets tells whether the filter lets a row through.
func (v *View) meets(r Row, filter present.Filter) bool {
	in := func(text, word string) bool { return strings.Contains(strings.ToLower(text), word) }
	return filter.Meets(func(word string) bool {
		return in(r.Model.ID, word) || in(labelWord(r.Label), word) ||
			slices.ContainsFunc(r.Model.Record, func(f model.Field) bool { return in(f.Value, word) })
	}, func(name string) (float64, bool) {
		for _, c := range v.columns {
			if c.Value != nil && (c.Key == name || strings.ReplaceAll(strings.ToLower(c.Title), " ", "") == name) {
				return c.Value(r), true
			}
		}
		return 0, false
	})
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

// Select selects a model.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model's row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == v.selected })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

// Index is the row of the table in which the selected model stands, -1 where it is not shown.
func (v *View) Index() int {
	return slices.IndexFunc(v.shown, func(at int) bool { return v.Rows[at].Model.Hash == v.selected })
}

// Cell is the text of a cell.
func (v *View) Cell(row, col int) string {
	r, ok := v.At(row)
	if !ok || col < 0 || col >= len(v.columns) {
		return ""
	}
	return v.columns[col].Text(r)
}

// Caption is the line over the table.
func (v *View) Caption() string {
	text := present.Counted(int64(len(v.Rows)), "model")
	if len(v.shown) < len(v.Rows) {
		text = fmt.Sprintf("%s of %s", present.Count(int64(len(v.shown))), text)
	}
	if n := len(v.Left); n > 0 {
		text = fmt.Sprintf("%s; %s without a run in these scenes", text, present.Count(int64(n)))
	}
	switch {
	case v.Round.ID == "":
		text = fmt.Sprintf("%s; no round of labels yet", text)
	case v.Secret:
		text = fmt.Sprintf("%s; round %s is blind and still open", text, v.Round.Name)
	default:
		text = fmt.Sprintf("%s; %s labelled in round %s", text, present.Count(int64(v.labelled())), v.Round.Name)
	}
	return text
}

// Line is what is said of a row.
func (v *View) Line(r Row) string {
	text := fmt.Sprintf("%s: accuracy %s, in scenes %s, worst case %s", r.Model.ID, present.Percent(r.Outcome.Accuracy), present.Percent(r.Outcome.MeanComposite), present.Percent(r.Outcome.WorstCase))
	if r.Label != "" {
		return fmt.Sprintf("%s; %s (%s)", text, string(r.Label), r.Basis)
	}
	return text
}

// Table is the table as it is shown for a file, with all digits.
func (v *View) Table() (head []string, rows [][]string) {
	head = []string{keyModel, "model_hash", "selection", "selection_hash", "targets", "n"}
	for _, c := range v.columns[1:] {
		head = append(head, strings.TrimPrefix(c.Key, keyRecord))
	}
	for k := range v.shown {
		r, _ := v.At(k)
		line := []string{r.Model.ID, r.Model.Hash, v.Selection.Name, v.Selection.Hash, whole(float64(r.Outcome.Targets)), whole(float64(v.Selection.N))}
		for _, c := range v.columns[1:] {
			switch {
			case c.Value != nil:
				line = append(line, whole(c.Value(r)))
			case c.Key == keyLabel:
				line = append(line, string(r.Label))
			default:
				line = append(line, c.Text(r))
			}
		}
		rows = append(rows, line)
	}
	return head, rows
}

// whole is a number in a file, with all digits; empty where there is none.
func whole(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// groups are the kinds of models: the labels, then those without one where there are any.
func (v *View) groups() []widget.Group {
	var list []widget.Group
	for _, l := range v.Classes {
		list = append(list, widget.Group{Name: string(l), Look: lookOf(l)})
	}
	if v.labelled() < len(v.Rows) {
		list = append(list, widget.Group{Name: "unlabelled"})
	}
	return list
}

// groupOf is the row's index among groups.
func (v *View) groupOf(r Row) int {
	if at := slices.Index(v.Classes, r.Label); at >= 0 {
		return at
	}
	return len(v.Classes)
}

func lookOf(l label.Value) widget.Look {
	switch l {
	case label.Invariant:
		return widget.LookInvariant
	case label.Borderline:
		return widget.LookBorderline
	case label.Variant:
		return widget.LookVariant
	}
	return widget.LookNone
}

// Plot is worst-case accuracy over accuracy of the rows that are shown, coloured by label; point k is row k.
func (v *View) Plot() widget.ScatterData {
	d := widget.ScatterData{
		Title: fmt.Sprintf("Worst case against accuracy in the scenes of %s", v.Selection.Name), Note: v.Caption(),
		XName: "accuracy of the targets", YName: "worst-case accuracy", Groups: v.groups(),
		Empty: "no model is shown",
	}
	for k := range v.shown {
		r, _ := v.At(k)
		d.Points = append(d.Points, widget.ScatterPoint{X: r.Outcome.Accuracy, Y: r.Outcome.WorstCase, Group: v.groupOf(r), Name: r.Model.ID})
	}
	return d
}
