package result

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Matrix are cells of one size in rows and columns, coloured by their values: a variance matrix, an
// interpolated field, shares over the regions of a picture, a table of coefficients. Along an axis
// with names or values its cells stand at the places 0, 1, ...; along another one they divide what
// lies from Low to High.
type Matrix struct {
	Rows, Columns int
	Values        []float64 // row by row, the first one where Y begins; NaN is no value
	Colours       Colours
	Value         Axis // of the colour bar: what the values are; its ends are those of Colours
	// Barless leaves the colour bar to a figure beside this one.
	Barless bool
	// Text writes a value into its cell; nil for none.
	Text func(v float64) string
	// Under lies below the cells, in grey, and gives them its proportions; nil for none.
	Under image.Image
	// Marked are cells with a frame, by their places in Values.
	Marked []int
}

// Colours say which value has which colour, and from where to where a colour bar runs.
type Colours interface {
	Color(v float64) color.RGBA
	Ends() (low, high float64)
}

// Regions draws values over n x n regions of an image, which may be nil, row by row from the upper
// left, with their numbers. value names the numbers.
func Regions(
	n int, values []float64, colours Colours, under image.Image, value string, text func(v float64) string,
) Figure {
	axis := Axis{Name: "column", Ticks: []float64{}}
	for k := range n {
		axis.Values = append(axis.Values, float64(k+1))
	}
	f := Figure{X: axis, Y: axis, Matrix: &Matrix{
		Rows: n, Columns: n, Values: values, Colours: colours, Under: under, Value: Axis{Name: value}, Text: text,
	}}
	f.Y.Name, f.Y.Down = "row", true
	return f
}

// Size is the number of cells, 0 of no matrix.
func (m *Matrix) Size() int {
	if m == nil {
		return 0
	}
	return m.Rows * m.Columns
}

// Outside counts the values below and above the ends of the colours.
func (m Matrix) Outside() (under, over int) {
	low, high := m.Colours.Ends()
	for _, v := range m.Values {
		switch {
		case v < low:
			under++
		case v > high:
			over++
		}
	}
	return under, over
}

// Ends are where so many cells begin and end along the axis.
func (a Axis) Ends(cells int) (low, high float64) {
	if a.Low < a.High {
		return a.Low, a.High
	}
	return -0.5, float64(cells) - 0.5
}

func (f Figure) checkMatrix() error {
	m := f.Matrix
	if m.Size() == 0 {
		return nil
	}
	if len(m.Values) != m.Size() {
		return fmt.Errorf("figure %q: %d values for a %d x %d matrix", f.Title, len(m.Values), m.Rows, m.Columns)
	}
	for _, a := range []struct {
		Axis
		cells int
	}{{f.X, m.Columns}, {f.Y, m.Rows}} {
		if n := len(a.Names) + len(a.Values); n > 0 && n != a.cells {
			return fmt.Errorf("figure %q: %d places along %s for a %d x %d matrix",
				f.Title, n, a.Name, m.Rows, m.Columns)
		}
		if low, high := a.Ends(a.cells); math.IsInf(high-low, 0) || math.IsNaN(a.Low) || math.IsNaN(a.High) {
			return fmt.Errorf("figure %q: the axis %s runs from %g to %g", f.Title, a.Name, a.Low, a.High)
		}
	}
	return nil
}

// cell is where cell k of the matrix lies.
func (f Figure) cell(k int) Box {
	m := f.Matrix
	along := func(a Axis, at, cells int) (from, to float64) {
		low, high := a.Ends(cells)
		step := (high - low) / float64(cells)
		return low + step*float64(at), low + step*float64(at+1)
	}
	var b Box
	b.X0, b.X1 = along(f.X, k%m.Columns, m.Columns)
	b.Y0, b.Y1 = along(f.Y, k/m.Columns, m.Rows)
	return b
}

// tellCell reads a cell out: "V_i 3°, V_j -3°: max@CONF 0.0125".
func (f Figure) tellCell(k int) string {
	b, v := f.cell(k), f.Matrix.Values[k]
	value := "no value"
	switch {
	case !math.IsNaN(v) && f.Matrix.Text != nil:
		value = f.Matrix.Text(v)
	case !math.IsNaN(v):
		value = f.Matrix.Value.Say(v)
	}
	if name := f.Matrix.Value.Name; name != "" {
		value = name + " " + value
	}
	x, y := f.X.Say((b.X0+b.X1)/2), f.Y.Say((b.Y0+b.Y1)/2)
	if f.X.Names == nil {
		x = f.X.Name + " " + x
	}
	if f.Y.Names == nil {
		y = f.Y.Name + " " + y
	}
	return y + ", " + x + ": " + value
}

// matrixSheet has a row per row where both axes have names, else a row per cell.
func (f Figure) matrixSheet() *Sheet {
	m := f.Matrix
	number := func(key string, of func(k int) float64) Column[int] {
		return Column[int]{Key: key, Title: key, Format: Number, Value: of}
	}
	t := Table[int]{Name: "figure", Title: "Figure", Noun: "cell", ID: func(k int) string { return fmt.Sprint(k) }}
	rows := m.Rows
	if f.X.Names != nil && f.Y.Names != nil {
		t.Noun = "row"
		t.Columns = []Column[int]{{Key: "row", Title: "row", Text: func(k int) string { return f.Y.Names[k] }}}
		for c, name := range f.X.Names {
			t.Columns = append(t.Columns, number(name, func(k int) float64 { return m.Values[k*m.Columns+c] }))
		}
	} else {
		rows = m.Size()
		place := func(a Axis, from, to float64) float64 {
			if len(a.Values) > 0 {
				return a.Values[int(math.Round((from+to)/2))]
			}
			return (from + to) / 2
		}
		t.Columns = []Column[int]{
			number("x", func(k int) float64 { b := f.cell(k); return place(f.X, b.X0, b.X1) }),
			number("y", func(k int) float64 { b := f.cell(k); return place(f.Y, b.Y0, b.Y1) }),
			number("value", func(k int) float64 { return m.Values[k] }),
		}
	}
	list := make([]int, rows)
	for k := range list {
		list[k] = k
	}
	return t.Sheet(list)
}
