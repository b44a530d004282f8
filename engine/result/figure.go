package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

var nan = math.NaN()

// Figure is a picture as data: lines over a common X, points over two numbers, or both. It is made
// by a pure function beside the formulas, drawn by the window (ui/kit) and for files
// (engine/render), and saved as numbers by Sheet.
type Figure struct {
	// Title and Note head and foot the figure in files; Note may have several lines. Empty stands
	// in place of a figure without anything to draw.
	Title, Note, Empty string
	X, Y               Axis
	Lines              []Line
	Groups             []Group
	Points             []Point
	Trends             []Trend // lines with bands, below the points
	// Crossed is what a cross over a point means, in the legend and the read-out.
	Crossed string
}

// Axis is an axis: what is along it, in which unit and format.
type Axis struct {
	Name, Unit string
	Format     Format  // of ticks and read-out
	Low, High  float64 // the least extent; both 0 for that of the data
	// Logit says that values are ln(a/(1-a)) of shares a; ticks and read-out tell the shares.
	Logit bool
	// Ticks are the places where ticks may stand, such as sampling values; nil for round numbers.
	Ticks []float64
}

// Line is a curve through points in the order of X, which ascends; Y is NaN where it is broken. SD
// are the standard deviations of Y, drawn as a band; nil for no band.
type Line struct {
	Name     string
	X, Y, SD []float64
}

// Group is points that have something in common, with a look of their own in the legend.
type Group struct {
	Name string
	Look Look
}

// Point is a point of a group.
type Point struct {
	// Name is what it stands for, in the read-out; ID names its record, "" for none.
	Name, ID  string
	X, Y      float64
	Group     int     // index into Figure.Groups
	Low, High float64 // an interval upright through the point; equal ones draw none
	Crossed   bool
}

// Trend is a line with a band around it: X ascends, all slices are of equal length, Low and High
// may be nil.
type Trend struct{ X, Y, Low, High []float64 }

// Look is a shape and colour that tells a group from others.
type Look int

// The looks of labels and of what has none. Others are those of Category.
const (
	LookNone Look = iota
	LookInvariant
	LookBorderline
	LookVariant
)

// Categories is how many looks Category has.
const Categories = 16

// Category is the look of the k-th of other groups, from 0 on; they begin anew after Categories.
func Category(k int) Look { return LookVariant + 1 + Look(max(k, 0)%Categories) }

// Check reports what cannot be drawn: points of no group, slices of different lengths, half a band.
func (f Figure) Check() error {
	for k, p := range f.Points {
		if p.Group < 0 || p.Group >= len(f.Groups) {
			return fmt.Errorf("figure %q: point %d is of group %d, there are %d", f.Title, k, p.Group, len(f.Groups))
		}
	}
	for _, l := range f.Lines {
		if len(l.X) != len(l.Y) || l.SD != nil && len(l.SD) != len(l.X) {
			return fmt.Errorf("figure %q: line %s has %d values and %d deviations at %d places", f.Title, l.Name, len(l.Y), len(l.SD), len(l.X))
		}
	}
	for _, t := range f.Trends {
		if len(t.X) != len(t.Y) || len(t.Low) != len(t.High) || t.Low != nil && len(t.Low) != len(t.X) {
			return fmt.Errorf("figure %q: a trend of %d values with a band of %d and %d at %d places", f.Title, len(t.Y), len(t.Low), len(t.High), len(t.X))
		}
	}
	return nil
}

// Drawable tells whether there is anything to draw.
func (f Figure) Drawable() bool { return len(f.Points)+len(f.Lines) > 0 }

// Say is a value along the axis for people, with its unit: four digits of a Number, the share on
// an axis of logits, else as Format says it.
func (a Axis) Say(v float64) string {
	switch {
	case a.Logit:
		return Share.Say(1/(1+math.Exp(-v)), 0)
	case a.Format != Number && !a.Format.Textual():
		return strings.TrimSpace(a.Format.Say(v, 0) + " " + a.Unit)
	case math.IsNaN(v):
		return None
	}
	text := Digits(v, 4)
	if a.Unit == "°" {
		return text + a.Unit
	}
	return strings.TrimSpace(text + " " + a.Unit)
}

// Title is the name of the axis with its unit in brackets.
func (a Axis) Title() string {
	if a.Unit == "" {
		return a.Name
	}
	return a.Name + " (" + a.Unit + ")"
}

// TellPoint reads a point out: "m12, invariant: EI 0.91, accuracy 96.6 % (95.1 %..97.7 %)"; ""
// where there is no such point.
func (f Figure) TellPoint(k int) string {
	if k < 0 || k >= len(f.Points) {
		return ""
	}
	p := f.Points[k]
	names := []string{p.Name, f.Groups[p.Group].Name}
	if p.Crossed {
		names = append(names, f.Crossed)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	text := fmt.Sprintf("%s: %s %s, %s %s", strings.Join(names, ", "), f.X.Name, f.X.Say(p.X), f.Y.Name, f.Y.Say(p.Y))
	if p.Low != p.High {
		text += fmt.Sprintf(" (%s..%s)", f.Y.Say(p.Low), f.Y.Say(p.High))
	}
	return text
}

// TellAt reads all lines out at an X that they have: "rotation -3°: accuracy 98.1 %, robust 96 %".
func (f Figure) TellAt(x float64) string {
	var parts []string
	for _, l := range f.Lines {
		if k := slices.Index(l.X, x); k >= 0 && !math.IsNaN(l.Y[k]) {
			name := l.Name
			if name == "" {
				name = f.Y.Name
			}
			text := name + " " + f.Y.Say(l.Y[k])
			if l.SD != nil {
				text += " ± " + f.Y.Say(l.SD[k])
			}
			parts = append(parts, text)
		}
	}
	return f.X.Name + " " + f.X.Say(x) + ": " + strings.Join(parts, ", ")
}

// mark is a row of a figure's sheet.
type mark struct {
	kind, group, name, id string
	x, y, low, high       float64
}

// Sheet is the figure as numbers: a row per point of points, lines and trends.
func (f Figure) Sheet() *Sheet {
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
		m := mark{"point", f.Groups[p.Group].Name, p.Name, p.ID, p.X, p.Y, nan, nan}
		if p.Low != p.High {
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
		add("trend", "", t.X, t.Y, t.Low, t.High)
	}
	return figureTable.Sheet(marks)
}

var figureTable = Table[mark]{
	Name: "figure", Title: "Figure", Noun: "point", ID: func(m mark) string { return fmt.Sprint(m.kind, m.group, m.id, m.x, m.y) },
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
