// Package sections is the pane of cross-sections below the matrices: a row, a diagonal, accuracy
// and mean confidence over V, and loss curves over epochs, as plots. Plots are made by View, which
// knows nothing of Fyne's widgets; Pane draws them.
package sections

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Lines says which matrices become lines of the row and the diagonal.
type Lines int

// Focused is the matrix in focus alone; All are all matrices; Shares are all, each divided by its
// largest element, since matrices of different positions have different sizes.
const (
	Focused Lines = iota
	All
	Shares
)

func linesNames() []string {
	return []string{"matrix in focus", "all matrices", "all, each / its largest"}
}

// Options are the pane's own choices.
type Options struct {
	Lines Lines
	Anti  bool // the anti-diagonal in place of the diagonal through the focus
}

// Cell is where the sections run: the matrix and the transformations of its cell, in the family's
// numbering and inside the sub-interval.
type Cell struct {
	Modality string
	I, J     int
}

// span is the sub-interval that can be drawn: transformations from..to and their values.
type span struct {
	from, to int
	values   []float64
}

// spanOf is the subject's sub-interval; ok is false without a matrix whose rows have values.
func spanOf(s pane.Subject) (out span, ok bool) {
	n := 0
	for _, t := range s.Evidence.Tiles {
		n = max(n, t.Matrix.N)
	}
	values := s.Evidence.Values
	if n == 0 || n != s.Last-s.First+1 {
		return span{}, false
	}
	if len(values) > s.Last && len(values) != n { // the values of the whole family
		values = values[s.First : s.Last+1]
	}
	if len(values) != n {
		return span{}, false
	}
	return span{s.First, s.Last, values}, true
}

func (s span) hold(k int) int { return min(max(k, s.from), s.to) }

func (s span) value(k int) float64 { return s.values[k-s.from] }

// at is the transformation of a value, -1 when none has it.
func (s span) at(v float64) int {
	k := slices.Index(s.values, v)
	if k < 0 {
		return -1
	}
	return s.from + k
}

// CellOf is the cell that the sections run through: the one in focus, else the identity and its
// neighbour. ok is false without a matrix.
func CellOf(s pane.Subject) (c Cell, ok bool) {
	in, ok := spanOf(s)
	if !ok {
		return Cell{}, false
	}
	for _, t := range s.Evidence.Tiles {
		if !t.Absent() && (c.Modality == "" || t.Modality == s.Focus.Modality) {
			c.Modality = t.Modality
		}
	}
	if s.Focus.Cell() {
		c.I, c.J = in.hold(s.Focus.I), in.hold(s.Focus.J)
		return c, true
	}
	middle := (s.First + s.Last) / 2
	if s.Set != nil {
		middle = in.hold(s.Set.Transformations / 2)
	}
	c.I, c.J = middle, in.hold(middle+1)
	return c, true
}

// tiles are the matrices that become lines.
func tiles(s pane.Subject, c Cell, lines Lines) []evidence.Tile {
	var list []evidence.Tile
	for _, t := range s.Evidence.Tiles {
		if !t.Absent() && (lines != Focused || t.Modality == c.Modality) {
			list = append(list, t)
		}
	}
	return list
}

// chart begins a chart of elements of matrices.
func (o Options) chart(s pane.Subject, title string) widget.ChartData {
	e := s.Evidence
	data := widget.ChartData{
		Title: fmt.Sprintf("%s of %s, %s, %s", title, e.Model.ID, e.Suite, e.Family), Note: note(s), XUnit: e.Unit, YName: "δ",
		Empty: nothing(s, "no matrix yet"),
	}
	if o.Lines == Shares {
		data.YName = "δ / largest δ"
	}
	return data
}

// nothing says why there is nothing to draw.
func nothing(s pane.Subject, yet string) string {
	if s.Set != nil && len(s.Chosen) == 0 {
		return "no images left"
	}
	return yet
}

// note is the line about images below a saved figure.
func note(s pane.Subject) string {
	text := s.Evidence.Counts()
	if choice := s.Images.String(); text != "" && choice != "all" {
		text += " (" + choice + ")"
	}
	return text
}

// series is one line: element (i(k), j(k)) of a matrix for every k of the list.
func (o Options) series(t evidence.Tile, in span, cells [][2]int, at func(c [2]int) int) widget.Series {
	line := widget.Series{Name: t.Modality}
	scale := 1.0
	if largest := t.Matrix.Max(); o.Lines == Shares && largest > 0 {
		scale = largest
	}
	for _, c := range cells {
		line.X = append(line.X, in.value(at(c)))
		line.Y = append(line.Y, t.Matrix.At(c[0]-in.from, c[1]-in.from)/scale)
	}
	return line
}

// Row are the elements delta_ij of the row i in focus over V_j.
func (o Options) Row(s pane.Subject) widget.ChartData {
	c, ok := CellOf(s)
	if !ok {
		return o.chart(s, "Row")
	}
	in, _ := spanOf(s)
	v := result.Digits(in.value(c.I), 6) + s.Evidence.Unit
	data := o.chart(s, fmt.Sprintf("Row V_i = %s", v))
	data.XName, data.XTicks = fmt.Sprintf("V_j: %s", s.Evidence.Variable), in.values
	var cells [][2]int
	for j := in.from; j <= in.to; j++ {
		cells = append(cells, [2]int{c.I, j})
	}
	for _, t := range tiles(s, c, o.Lines) {
		data.Series = append(data.Series, o.series(t, in, cells, func(c [2]int) int { return c[1] }))
	}
	return data
}

// Diagonal are the elements at a constant distance from the main diagonal, delta between V_i and
// the transformation as many steps further as in the cell in focus, over V_i; or, as the
// anti-diagonal, delta between V_i and its mirror image in the family.
func (o Options) Diagonal(s pane.Subject) widget.ChartData {
	c, ok := CellOf(s)
	if !ok {
		return o.chart(s, "Diagonal")
	}
	in, _ := spanOf(s)
	data := o.chart(s, o.diagonalTitle(s))
	data.XName = fmt.Sprintf("V_i: %s", s.Evidence.Variable)
	cells := o.diagonal(s, c, in)
	if len(cells) == 0 {
		data.Empty = "no pair of transformations lies on this diagonal"
		return data
	}
	for _, t := range tiles(s, c, o.Lines) {
		data.Series = append(data.Series, o.series(t, in, cells, func(c [2]int) int { return c[0] }))
	}
	return data
}

// diagonal are the cells of the diagonal, in the order of V_i.
func (o Options) diagonal(s pane.Subject, c Cell, in span) [][2]int {
	var cells [][2]int
	for i := in.from; i <= in.to; i++ {
		if j := o.partner(s, c, i); j >= in.from && j <= in.to {
			cells = append(cells, [2]int{i, j})
		}
	}
	return cells
}

// partner is the transformation that the diagonal compares transformation i with; it may lie
// outside of the interval.
func (o Options) partner(s pane.Subject, c Cell, i int) int {
	if !o.Anti {
		return i + c.J - c.I
	}
	n := s.First + s.Last // an interval around the identity is its own mirror image
	if s.Set != nil {
		n = s.Set.Transformations - 1
	}
	return n - i
}

// diagonalTitle says which diagonal is drawn: "Diagonal V_j = V_i + 3°", in steps where the values
// have unequal distances.
func (o Options) diagonalTitle(s pane.Subject) string {
	c, ok := CellOf(s)
	if !ok {
		return "Diagonal"
	}
	if o.Anti {
		return "Anti-diagonal, V_j opposite V_i"
	}
	d := c.J - c.I
	in, _ := spanOf(s)
	step, even := stepOf(in.values)
	switch {
	case d == 0:
		return "Diagonal V_j = V_i"
	case even:
		sign := "+"
		if float64(d)*step < 0 {
			sign = "-"
		}
		return fmt.Sprintf("Diagonal V_j = V_i %s %s", sign, result.Digits(math.Abs(float64(d)*step), 6)+s.Evidence.Unit)
	}
	return fmt.Sprintf("Diagonal, V_j %s from V_i", result.Counted(d, "step"))
}

// stepOf is the distance of neighbouring values, where all have the same.
func stepOf(values []float64) (step float64, even bool) {
	if len(values) < 2 {
		return 0, false
	}
	step = (values[len(values)-1] - values[0]) / float64(len(values)-1)
	for k := 1; k < len(values); k++ {
		if math.Abs(values[k]-values[k-1]-step) > 1e-6*math.Abs(step) {
			return 0, false
		}
	}
	return step, step != 0
}

// Course is what changes over V besides the matrices, for the chosen images.
type Course struct {
	Accuracy   []float64 // per transformation of the sub-interval, nil without labels
	Robust     float64   // share of images right under all of them
	Confidence []float64 // mean of the predictions' softmax, nil where it is not known
}

// CourseOf computes the course over the subject's chosen images. It takes some milliseconds for
// 10,000 images.
func CourseOf(s pane.Subject) Course {
	var c Course
	if s.Set == nil || len(s.Chosen) == 0 || s.Last >= s.Set.Transformations || s.First > s.Last {
		return c
	}
	if rows := s.Set.Predictions(); rows != nil && len(s.Suite.Labels) == s.Set.Images {
		c.Accuracy, c.Robust = variance.Accuracy(rows[s.First:s.Last+1], s.Suite.Labels, s.Mapping, s.Chosen)
	}
	m := s.Set.Images
	if len(s.Set.Confidence) != s.Set.Transformations*m {
		return c
	}
	for i := s.First; i <= s.Last; i++ {
		sum := 0.0
		row := s.Set.Confidence[i*m : (i+1)*m]
		for _, k := range s.Chosen {
			sum += float64(row[k])
		}
		c.Confidence = append(c.Confidence, sum/float64(len(s.Chosen)))
	}
	return c
}

// Chart draws the course over V.
func (c Course) Chart(s pane.Subject) widget.ChartData {
	e := s.Evidence
	data := widget.ChartData{
		Title: fmt.Sprintf("Accuracy and confidence of %s, %s, %s", e.Model.ID, e.Suite, e.Family), Note: note(s),
		XName: fmt.Sprintf("V: %s", e.Variable), XUnit: e.Unit, YName: "share of images, mean confidence", High: 1, Empty: nothing(s, "no predictions yet"),
	}
	in, ok := spanOf(s)
	if !ok {
		return data
	}
	data.XTicks = in.values
	if len(c.Accuracy) == len(in.values) {
		data.Series = append(data.Series, widget.Series{Name: "accuracy", X: in.values, Y: c.Accuracy})
	}
	if len(c.Confidence) == len(in.values) {
		data.Series = append(data.Series, widget.Series{Name: "mean confidence", X: in.values, Y: c.Confidence})
	}
	if len(c.Accuracy) == len(in.values) {
		robust := make([]float64, len(in.values))
		for k := range robust {
			robust[k] = c.Robust
		}
		data.Series = append(data.Series, widget.Series{Name: "robust accuracy", X: in.values, Y: robust})
	}
	return data
}
