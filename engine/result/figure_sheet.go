package result

import (
	"fmt"
	"math"
	"slices"
)

// mark is a row of a figure's sheet: of a point of points, lines and trends, or of a box.
type mark struct {
	kind, group, name, id string
	x, y, low, high       float64
	level                 float64
	box                   Box
	row, column           string
}

// Sheet is the figure as numbers: a row per point of points, lines and trends; of boxes alone a row
// per box; of a matrix a row per cell, or per row where its rows and columns have names.
func (f Figure) Sheet() *Sheet {
	if f.Matrix != nil {
		return f.matrixSheet()
	}
	if len(f.Links) > 0 {
		return f.linkSheet()
	}
	var marks []mark
	add := func(kind, group string, x, y, low, high []float64) {
		for k := range x {
			m := mark{kind: kind, group: group, x: x[k], y: y[k], low: nan, high: nan}
			if low != nil {
				m.low, m.high = low[k], high[k]
			}
			marks = append(marks, m)
		}
	}
	for _, p := range f.Points {
		m := mark{
			kind: "point", group: f.Groups[p.Group].Name, name: p.Name, id: p.ID, x: p.X, y: p.Y, low: nan, high: nan,
		}
		m.level = p.Level
		if p.Low < p.High {
			m.low, m.high = p.Low, p.High
		}
		marks = append(marks, m)
	}
	for _, l := range f.Lines {
		var low, high []float64
		for k := range l.SD {
			low, high = append(low, l.Y[k]-l.SD[k]), append(high, l.Y[k]+l.SD[k])
		}
		add("line", l.Name, l.X, l.Y, low, high)
	}
	for _, t := range f.Trends {
		add("trend", t.Group, t.X, t.Y, t.Low, t.High)
	}
	if len(marks) > 0 || len(f.Boxes) == 0 {
		table := figureTable
		if f.Levels[0] != "" {
			table.Columns = append(slices.Clone(table.Columns), Column[mark]{
				Key: "level", Title: "level", Format: Number, Value: func(m mark) float64 { return m.level },
			})
		}
		return table.Sheet(marks)
	}
	for _, b := range f.Boxes {
		m := mark{group: f.Groups[b.Group].Name, id: b.ID, box: b, low: nan, high: nan}
		if b.Low != b.High {
			m.low, m.high = b.Low, b.High
		}
		if f.X.Names != nil {
			m.column = f.X.Say((b.X0 + b.X1) / 2)
		}
		if f.Y.Names != nil {
			m.row = f.Y.Say((b.Y0 + b.Y1) / 2)
		}
		marks = append(marks, m)
	}
	return f.boxTable().Sheet(marks)
}

var figureTable = Table[mark]{
	Name: "figure", Title: "Figure", Noun: "point",
	ID: func(m mark) string { return fmt.Sprint(m.kind, m.group, m.id, m.x, m.y) },
	Columns: []Column[mark]{
		{Key: "kind", Title: "kind", Text: func(m mark) string { return m.kind }},
		{Key: "group", Title: "group", Text: func(m mark) string { return m.group }},
		{Key: "name", Title: "name", Text: func(m mark) string { return m.name }},
		{Key: "id", Title: "id", Text: func(m mark) string { return m.id }, Show: FileOnly},
		{Key: "x", Title: "x", Format: Number, Value: func(m mark) float64 { return m.x }},
		{
			Key: "y", Title: "y", Format: Number, Value: func(m mark) float64 { return m.y },
			Low: func(m mark) float64 { return m.low }, High: func(m mark) float64 { return m.high },
		},
	},
}

// boxTable has the names of a box, or its ends, along each axis.
func (f Figure) boxTable() Table[mark] {
	t := Table[mark]{
		Name: "figure", Title: "Figure", Noun: "box",
		ID: func(m mark) string { return fmt.Sprint(m.group, m.id, m.box) },
	}
	number := func(key string, of func(Box) float64) {
		value := func(m mark) float64 { return of(m.box) }
		t.Columns = append(t.Columns, Column[mark]{Key: key, Title: key, Format: Number, Value: value})
	}
	if f.Y.Names != nil {
		t.Columns = append(t.Columns, Column[mark]{
			Key: "row", Title: "row", Text: func(m mark) string { return m.row },
		})
	}
	if f.X.Names != nil {
		t.Columns = append(t.Columns, Column[mark]{
			Key: "column", Title: "column", Text: func(m mark) string { return m.column },
		})
	}
	t.Columns = append(t.Columns, Column[mark]{
		Key: "group", Title: "group", Text: func(m mark) string { return m.group },
	})
	if f.X.Names == nil {
		number("x_from", func(b Box) float64 { return b.X0 })
		number("x_to", func(b Box) float64 { return b.X1 })
		if bars := &t.Columns[len(t.Columns)-1]; f.Y.Names != nil {
			bars.Low, bars.High = func(m mark) float64 { return m.low }, func(m mark) float64 { return m.high }
		}
	}
	if f.Y.Names == nil {
		place := func(v float64) float64 { return v }
		if f.Y.Log {
			place = func(v float64) float64 {
				if v <= LogCount(0) {
					return 0
				}
				return math.Round(math.Pow(10, v))
			}
		}
		number("y_from", func(b Box) float64 { return place(b.Y0) })
		number("y_to", func(b Box) float64 { return place(b.Y1) })
	}
	return t
}
