// Package sections is the pane of cross-sections below the matrices: a row, a diagonal, accuracy
// and mean confidence over V, and loss curves over epochs, as plots. Pane shows what Options draw.
package sections

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// The matrices that become lines of the row and the diagonal: the one in focus, all, or all, each
// divided by its largest element, since matrices of different positions have different sizes.
const (
	Focused = "matrix in focus"
	All     = "all matrices"
	Shares  = "all, each / its largest"
)

// Options are the pane's own choices.
type Options struct {
	Lines string
	Anti  bool // the anti-diagonal in place of the diagonal through the focus
}

// Cell is where the sections run: the matrix and the transformations of its cell, in the family's
// numbering and inside the sub-interval first..last, whose values are values.
type Cell struct {
	Modality    string
	I, J        int
	first, last int
	values      []float64
}

// CellOf is the cell that the sections run through: the one in focus, else the identity and its
// neighbour. ok is false without a matrix whose rows have values.
func CellOf(s pane.Subject) (c Cell, ok bool) {
	n, values := s.Last-s.First+1, s.Evidence.Values
	for _, t := range s.Evidence.Tiles {
		if t.Matrix.N == n && (c.Modality == "" || t.Modality == s.Focus.Modality) {
			c.Modality = t.Modality
		}
	}
	if len(values) > s.Last && len(values) != n { // the values of the whole family
		values = values[s.First : s.Last+1]
	}
	if c.Modality == "" || len(values) != n {
		return Cell{}, false
	}
	c.first, c.last, c.values = s.First, s.Last, values
	if s.Focus.Cell() {
		c.I, c.J = c.hold(s.Focus.I), c.hold(s.Focus.J)
		return c, true
	}
	c.I = (s.First + s.Last) / 2
	if s.Set != nil {
		c.I = c.hold(s.Set.Transformations / 2)
	}
	c.J = c.hold(c.I + 1)
	return c, true
}

// hold is the transformation of the sub-interval that is nearest.
func (c Cell) hold(k int) int { return min(max(k, c.first), c.last) }

// value is that of a transformation.
func (c Cell) value(k int) float64 { return c.values[k-c.first] }

// at is the transformation of a value, -1 when none has it.
func (c Cell) at(v float64) int {
	if k := slices.Index(c.values, v); k >= 0 {
		return c.first + k
	}
	return -1
}

// figure draws elements of matrices: one line per matrix, through the cells (i, j) in the order of
// the values of their transformations at.
func (o Options) figure(s pane.Subject, title string, x result.Axis, c Cell, cells [][2]int, at int) result.Figure {
	f := result.Figure{
		Title: titled(title, s), Note: s.Evidence.Note(), X: x, Y: result.Axis{Name: "δ"},
		Empty: nothing(s, "no matrix yet"),
	}
	if o.Lines == Shares {
		f.Y.Name = "δ / largest δ"
	}
	for _, t := range s.Evidence.Tiles {
		if t.Absent() || len(cells) == 0 || o.Lines == Focused && t.Modality != c.Modality {
			continue
		}
		line, scale := result.Line{Name: t.Modality}, 1.0
		if largest := t.Matrix.Max(); o.Lines == Shares && largest > 0 {
			scale = largest
		}
		for _, k := range cells {
			line.X = append(line.X, c.value(k[at]))
			line.Y = append(line.Y, t.Matrix.At(k[0]-c.first, k[1]-c.first)/scale)
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}

func titled(title string, s pane.Subject) string {
	return fmt.Sprintf("%s of %s, %s, %s", title, s.Evidence.Model.ID, s.Evidence.Suite, s.Evidence.Family)
}

// nothing says why there is nothing to draw.
func nothing(s pane.Subject, yet string) string {
	if s.Set != nil && len(s.Chosen) == 0 {
		return "no images left"
	}
	return yet
}

// RowName is "Row V_i = 3°".
func RowName(s pane.Subject) string {
	if c, ok := CellOf(s); ok {
		return "Row " + vi(s, c)
	}
	return "Row"
}

func vi(s pane.Subject, c Cell) string {
	return "V_i = " + result.Digits(c.value(c.I), 6) + s.Evidence.Unit
}

// Row are the elements delta_ij of the row i in focus over V_j.
func (o Options) Row(s pane.Subject) result.Figure {
	c, ok := CellOf(s)
	var cells [][2]int
	for j := c.first; ok && j <= c.last; j++ {
		cells = append(cells, [2]int{c.I, j})
	}
	x := result.Axis{Name: fmt.Sprintf("V_j: %s", s.Evidence.Variable), Unit: s.Evidence.Unit, Ticks: c.values}
	return o.figure(s, RowName(s), x, c, cells, 1)
}

// Diagonal are the elements at a constant distance from the main diagonal, delta between V_i and
// the transformation as many steps further as in the cell in focus, over V_i; or, as the
// anti-diagonal, delta between V_i and its mirror image in the family.
func (o Options) Diagonal(s pane.Subject) result.Figure {
	c, ok := CellOf(s)
	var cells [][2]int
	for i := c.first; ok && i <= c.last; i++ {
		if j := o.partner(s, c, i); j >= c.first && j <= c.last {
			cells = append(cells, [2]int{i, j})
		}
	}
	x := result.Axis{Name: fmt.Sprintf("V_i: %s", s.Evidence.Variable), Unit: s.Evidence.Unit}
	f := o.figure(s, o.DiagonalName(s), x, c, cells, 0)
	if ok && len(cells) == 0 {
		f.Empty = "no pair of transformations lies on this diagonal"
	}
	return f
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

// DiagonalName says which diagonal is drawn: "Diagonal V_j = V_i + 3°", in steps where the values
// have unequal distances.
func (o Options) DiagonalName(s pane.Subject) string {
	c, ok := CellOf(s)
	if !ok {
		return "Diagonal"
	}
	if o.Anti {
		return "Anti-diagonal, V_j opposite V_i"
	}
	d := c.J - c.I
	step, even := stepOf(c.values)
	switch {
	case d == 0:
		return "Diagonal V_j = V_i"
	case even:
		sign := "+"
		if float64(d)*step < 0 {
			sign = "-"
		}
		return fmt.Sprintf("Diagonal V_j = V_i %s %s", sign,
			result.Digits(math.Abs(float64(d)*step), 6)+s.Evidence.Unit)
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

// Confidence is the mean confidence of the predictions for the chosen images under each
// transformation of the sub-interval, nil where it is not known. It takes less than a
// millisecond for 10,000 images.
func Confidence(s pane.Subject) (mean []float64) {
	if s.Set == nil || len(s.Chosen) == 0 || s.Last >= s.Set.Transformations ||
		len(s.Set.Confidence) != s.Set.Transformations*s.Set.Images {
		return nil
	}
	for i := s.First; i <= s.Last; i++ {
		sum := 0.0
		row := s.Set.Confidence[i*s.Set.Images:][:s.Set.Images]
		for _, k := range s.Chosen {
			sum += float64(row[k])
		}
		mean = append(mean, sum/float64(len(s.Chosen)))
	}
	return mean
}

// OverV is what changes over V besides the matrices: accuracy, and the mean confidence.
func OverV(s pane.Subject, confidence []float64) result.Figure {
	e := s.Evidence
	f := result.Figure{
		Title: titled("Accuracy and confidence", s), Note: e.Note(), Empty: nothing(s, "no predictions yet"),
		X: result.Axis{Name: fmt.Sprintf("V: %s", e.Variable), Unit: e.Unit},
		Y: result.Axis{Name: "share of images, mean confidence", Format: result.Share, High: 1},
	}
	c, ok := CellOf(s)
	if !ok {
		return f
	}
	f.X.Ticks = c.values
	add := func(name string, y []float64) {
		if len(y) == len(c.values) {
			f.Lines = append(f.Lines, result.Line{Name: name, X: c.values, Y: y})
		}
	}
	add("accuracy", e.Accuracy)
	add("mean confidence", confidence)
	if len(e.Accuracy) > 0 {
		add("robust accuracy", slices.Repeat([]float64{e.Robust}, len(e.Accuracy)))
	}
	return f
}
