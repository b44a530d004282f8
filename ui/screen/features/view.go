// Package features is the screen that shows what assessors learn from: a table of models x
// features, the distribution of each feature by label, scatter plots of any two, their correlation
// with accuracy and robust accuracy, and which models look alike.
package features

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
)

// The keys of the columns that are no features. A feature's key is its name: "max@CONF.svm".
const (
	keyModel    = "model"
	keyLabel    = "label"
	keyAccuracy = "accuracy"
	keyChance   = "chance"
	keyRobust   = "robust accuracy"
)

// Column is a column of the table; At is the feature's place in the vector, -1 for the others.
type Column struct {
	Key, Title string
	At         int
}

// View is what the screen shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Set
	matrix     string // whose features the table has; "" for the whole vector
	filter     present.Filter
	sorted     string // key of a column
	descending bool
	shown      []int // indices of Rows that meet the filter, in order
	selected   string
	chosen     string // key of the feature of histogram and scatter plot
	against    string // key of the scatter plot's other axis
}

// NewView makes an empty view.
func NewView() *View { return &View{sorted: keyModel, against: keyRobust} }

// Take shows another set; choices that are still possible stay.
func (v *View) Take(s Set) {
	v.Set = s
	if !slices.Contains(s.Layout.Modalities, v.matrix) && v.matrix != "" {
		v.matrix = ""
	}
	if v.find(v.selected) < 0 {
		v.selected = ""
	}
	if !slices.Contains(v.Axes(), v.chosen) {
		v.chosen = v.first()
	}
	if !slices.Contains(v.Axes(), v.against) {
		v.against = keyRobust
	}
	if !slices.ContainsFunc(v.Columns(), func(c Column) bool { return c.Key == v.sorted }) {
		v.sorted, v.descending = keyModel, false
	}
	v.arrange()
	if r, ok := v.At(0); ok && v.selected == "" {
		v.selected = r.Model.Hash // so that every pane has something to show
	}
}

// first is the key of the first feature in the table, "" without any.
func (v *View) first() string {
	for _, c := range v.Columns() {
		if c.At >= 0 {
			return c.Key
		}
	}
	return ""
}

// ShowMatrix chooses whose features the table has: one of the layout's modalities, "" for the
// whole vector.
func (v *View) ShowMatrix(modality string) {
	if !slices.Contains(v.Layout.Modalities, modality) {
		modality = ""
	}
	v.matrix = modality
	if v.at(v.chosen) >= 0 && !slices.ContainsFunc(v.Columns(), func(c Column) bool { return c.Key == v.chosen }) {
		v.chosen = modality + "." + short(v.chosen) // the same feature of this matrix
	}
	if v.at(v.sorted) >= 0 && !slices.ContainsFunc(v.Columns(), func(c Column) bool { return c.Key == v.sorted }) {
		v.sorted = modality + "." + short(v.sorted)
	}
	v.arrange()
}

// Matrix is the matrix whose features the table has, "" for the whole vector.
func (v *View) Matrix() string { return v.matrix }

// Columns are the table's columns. That of the chance levels is among them where some model has
// one.
func (v *View) Columns() []Column {
	list := []Column{
		{keyModel, "model", -1},
		{keyLabel, "label", -1},
		{keyAccuracy, "accuracy", -1},
	}
	if slices.ContainsFunc(v.Rows, func(r Row) bool { return r.Chance.Flagged() }) {
		list = append(list, Column{keyChance, "chance", -1})
	}
	list = append(list, Column{keyRobust, "robust", -1})
	for at, name := range v.Names {
		switch {
		case v.matrix == "":
			list = append(list, Column{name, name, at})
		case strings.HasPrefix(name, v.matrix+"."):
			list = append(list, Column{name, short(name), at})
		}
	}
	return list
}

// Axes are the keys that a plot may have on an axis: the features of the table, then both
// accuracies.
func (v *View) Axes() []string {
	var list []string
	for _, c := range v.Columns() {
		if c.At >= 0 {
			list = append(list, c.Key)
		}
	}
	return append(list, keyAccuracy, keyRobust)
}

// AxisName is what people read for a key of an axis.
func AxisName(key string) string {
	switch key {
	case keyAccuracy:
		return "accuracy"
	case keyRobust:
		return "robust accuracy"
	}
	return key
}

// at is a feature's place in the vector, -1 for another key.
func (v *View) at(key string) int { return slices.Index(v.Names, key) }

// Value is a row's number under a key, NaN where it has none.
func (v *View) Value(r Row, key string) float64 {
	switch key {
	case keyAccuracy:
		return r.Accuracy
	case keyRobust:
		return r.Robust
	}
	if at := v.at(key); at >= 0 {
		return r.Shown[at]
	}
	return math.NaN()
}

// Len is how many models are shown.
func (v *View) Len() int { return len(v.shown) }

// At is the model in a row of the table; ok is false outside.
func (v *View) At(row int) (r Row, ok bool) {
	if row < 0 || row >= len(v.shown) {
		return Row{}, false
	}
	return v.Rows[v.shown[row]], true
}

// Cell is the text of a cell. A value by convention has an asterisk, see Reason.
func (v *View) Cell(row int, c Column) string {
	r, ok := v.At(row)
	if !ok {
		return ""
	}
	switch c.Key {
	case keyModel:
		return r.Model.ID
	case keyLabel:
		return r.labelText()
	case keyChance:
		return r.Chance.Code.Word()
	}
	text := present.Number(v.Value(r, c.Key))
	if v.Reason(r, c.At) != "" {
		text += "*"
	}
	return text
}

// Detail is the line about a row, and about one of its cells where a column is given.
func (v *View) Detail(row int, c *Column) string {
	r, ok := v.At(row)
	if !ok {
		return ""
	}
	text := fmt.Sprintf("%s: %s, accuracy %s, robust accuracy %s", r.Model.ID, v.groupName(r), present.Number(r.Accuracy), present.Number(r.Robust))
	if c == nil || c.At < 0 {
		if r.Label == "" && !r.NoLabel.None() {
			text += "; " + r.NoLabel.Text
		}
		if r.Chance.Flagged() {
			text += "; " + r.Chance.Sentence()
		}
		return text
	}
	text = fmt.Sprintf("%s: %s %s", r.Model.ID, c.Key, present.Number(r.Shown[c.At]))
	if reason := v.Reason(r, c.At); reason != "" {
		text += "; " + reason
	}
	return text
}

// Filter shows only the models that meet a text, see present.ParseFilter.
func (v *View) Filter(text string) {
	v.filter = present.ParseFilter(text)
	v.arrange()
}

// SortBy sorts by a column; the same one again turns the order round. Numbers begin with the
// largest.
func (v *View) SortBy(key string) {
	if key == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = key, key != keyModel && key != keyLabel
	}
	v.arrange()
}

// Order is the column that the table is sorted by, and whether from the largest to the smallest.
func (v *View) Order() (key string, descending bool) { return v.sorted, v.descending }

// arrange finds the rows that are shown and their order. What has no value stands last in both
// orders.
func (v *View) arrange() {
	v.shown = v.shown[:0:0]
	for i, r := range v.Rows {
		if v.meets(r) {
			v.shown = append(v.shown, i)
		}
	}
	slices.SortStableFunc(v.shown, func(a, b int) int {
		if c := v.compare(v.Rows[a], v.Rows[b]); c != 0 {
			return c
		}
		return result.Natural(v.Rows[a].Model.ID, v.Rows[b].Model.ID)
	})
}

func (v *View) compare(a, b Row) int {
	turn := 1
	if v.descending {
		turn = -1
	}
	switch v.sorted {
	case keyModel:
		return turn * result.Natural(a.Model.ID, b.Model.ID)
	case keyLabel:
		return turn * cmp.Compare(rank(a.Label), rank(b.Label))
	case keyChance:
		return turn * cmp.Compare(b.Chance.Code, a.Chance.Code)
	}
	return result.Compare(v.Value(a, v.sorted), v.Value(b, v.sorted), v.descending)
}

// rank is the order of labels in the table; without a label last.
func rank(l label.Value) int {
	if at := slices.Index(label.Values(3), l); at >= 0 {
		return at
	}
	return 3
}

// Select selects a model by its hash, "" for none.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model; ok is false without one.
func (v *View) Selected() (r Row, ok bool) {
	if at := v.find(v.selected); at >= 0 {
		return v.Rows[at], true
	}
	return Row{}, false
}

// Index is the row of the table in which a model stands, -1 when it is not shown.
func (v *View) Index(hash string) int {
	return slices.IndexFunc(v.shown, func(at int) bool { return v.Rows[at].Model.Hash == hash })
}

func (v *View) find(hash string) int {
	return slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == hash })
}

// Choose chooses the number of the histogram and of the scatter plot's horizontal axis; Against
// that of the other axis.
func (v *View) Choose(key string) {
	if slices.Contains(v.Axes(), key) {
		v.chosen = key
	}
}

// Against chooses the vertical axis of the scatter plot.
func (v *View) Against(key string) {
	if slices.Contains(v.Axes(), key) {
		v.against = key
	}
}

// Chosen is the key of the chosen number, and Facing that of the scatter plot's vertical axis.
func (v *View) Chosen() string { return v.chosen }

// Facing is the key of the scatter plot's vertical axis.
func (v *View) Facing() string { return v.against }

// Picture is the modality whose matrices belong to the chosen feature, else the table's, else the
// first.
func (v *View) Picture() string {
	switch at := v.at(v.chosen); {
	case at >= 0:
		return v.Layout.Modalities[at/feature.Count]
	case v.matrix != "":
		return v.matrix
	case len(v.Layout.Modalities) > 0:
		return v.Layout.Modalities[0]
	}
	return ""
}
