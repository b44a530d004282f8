package result

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
)

var nan = math.NaN()

// Figure is a picture as data: lines over a common X, points over two numbers, boxes (histograms,
// bars beside names, cells), a matrix, or several of them. It is made by a pure function beside the
// formulas, drawn by engine/render for the window and for files, and saved as numbers by Sheet.
type Figure struct {
	// Title and Note head and foot the figure in files; Note may have several lines. Empty stands
	// in place of a figure without anything to draw.
	Title, Note, Empty string
	X, Y               Axis
	Lines              []Line
	Groups             []Group
	Boxes              []Box
	Matrix             *Matrix // nil for none
	Points             []Point
	Trends             []Trend // lines with bands, below the points
	Rules              []Rule
	Links              []Link // between points or boxes
	// Grid are rows of figures in place of all else, below the common title. Where Y has names,
	// these head the rows and those of X the columns: the figures are square matrices then, drawn
	// as their cells alone, with a colour bar behind each row.
	Grid [][]Figure
	// NoAxes says that places mean nothing beside each other, as in networks and trees: no axes are
	// drawn, and dragging moves what is shown.
	NoAxes bool
	// Crossed is what a cross over a point means, in the legend and the read-out.
	Crossed string
	// Over says that boxes of several groups over one place lie over each other, each from the axis
	// up; else they stand on each other, and their sum is read out, too.
	Over bool
	// Levels are what the colours of points mean at both ends of Point.Level; empty where points
	// have the looks of their groups.
	Levels [2]string
}

// Drawn is a figure with the name of its files.
type Drawn struct {
	Name   string
	Figure Figure
}

// Axis is an axis: what is along it, in which unit and format.
type Axis struct {
	Name, Unit string
	Format     Format  // of ticks and read-out
	Low, High  float64 // the least extent; both 0 for that of the data
	// Logit says that values are ln(a/(1-a)) of shares a; ticks and read-out tell the shares.
	Logit bool
	// Log says that values are LogCount of counts; ticks and read-out tell the counts.
	Log bool
	// Ticks are the places where ticks may stand, such as sampling values; nil for round numbers,
	// an empty list for no ticks.
	Ticks []float64
	// Names stand at the places 0, 1, ... of the axis, which ends half a place beyond them; those
	// of Y run from the top down. Each says that every name has room for its text in the window.
	Names []string
	Each  bool
	// Values are numbers that stand at the places 0, 1, ..., such as the sampling values of a
	// matrix. A place between two has the number between theirs.
	Values []float64
	// Down says that the Y axis of a matrix runs from the top down.
	Down bool
}

// LogCount is the place of a count on an axis of logarithms: log10 of it, of 0.5 for less.
func LogCount(n float64) float64 { return math.Log10(max(n, 0.5)) }

// Line is a curve through points in the order of X, which ascends; Y is NaN where it is broken. SD
// are the standard deviations of Y, drawn as a band; nil for no band.
type Line struct {
	Name     string
	X, Y, SD []float64
}

// Group is points that have something in common, with a look of their own in the legend.
type Group struct {
	Name   string
	Look   Look
	Colour color.Color // in place of the look's; nil for that
}

// Point is a point of a group.
type Point struct {
	// Name is what it stands for, in the read-out; ID names its record, "" for none.
	Name, ID  string
	X, Y      float64
	Group     int     // index into Figure.Groups
	Low, High float64 // an interval upright through the point; equal or NaN ones draw none
	Crossed   bool
	Level     float64 // from 0 to 1, NaN for none, where the figure has Levels
	// Label is written beside it where there is room, Size its radius as a share of the largest
	// one, in a bare figure.
	Label    string
	Size     float64
	Emphasis Emphasis
}

// Box is a rectangle between two places on both axes: a part of a bar of a histogram, a bar beside
// a name, a cell.
type Box struct {
	// Name is the line that is read out; "" reads out the places and the heights of all groups
	// there. ID names its record, "" for none; several boxes of one record are chosen together.
	Name, ID       string
	X0, X1, Y0, Y1 float64 // X0 may lie above X1
	Group          int     // index into Figure.Groups
	Text           string  // behind the end X1
	Low, High      float64 // an interval along X through the middle; equal ones draw none
	// Lines are written into the box, which then has a frame and no colour. A Picture stands in its
	// upper part, in a frame of the group's colour, and the lines below it.
	Lines    []string
	Picture  image.Image
	Emphasis Emphasis // Chosen draws a strong frame
}

// Rule is a line at X from Y0 to Y1, with its name above; equal ends let it run over the whole
// height.
type Rule struct {
	Name      string
	X, Y0, Y1 float64
}

// Stacked are the boxes of a histogram: counts by group, then bin, which stand on each other, the
// first group at the foot. Bin b lies between the edges b and b+1. A bin without counts has a box
// of no height, so that it can be read out.
func Stacked(edges []float64, counts [][]int) (boxes []Box) {
	for b := range len(edges) - 1 {
		foot := 0.0
		for g := range counts {
			if n := float64(counts[g][b]); n > 0 {
				boxes = append(boxes, Box{X0: edges[b], X1: edges[b+1], Y0: foot, Y1: foot + n, Group: g})
				foot += n
			}
		}
		if foot == 0 {
			boxes = append(boxes, Box{X0: edges[b], X1: edges[b+1]})
		}
	}
	return boxes
}

// Edges are the ends of so many bins of equal width from low to high.
func Edges(low, high float64, bins int) []float64 {
	edges := make([]float64, bins+1)
	for b := range edges {
		edges[b] = low + (high-low)*float64(b)/float64(bins)
	}
	return edges
}

// AddBar adds a name to the Y axis, below the others, and a bar beside it: a box from a place to
// another with a text behind it, which reads out a line.
func (f *Figure) AddBar(name, text, line string, from, to float64, group int) *Box {
	const half = 0.36 // of the height of a row
	k := float64(len(f.Y.Names))
	f.Y.Names, f.Y.Each = append(f.Y.Names, name), true
	f.Boxes = append(f.Boxes, Box{X0: from, X1: to, Y0: k - half, Y1: k + half, Text: text, Name: line, Group: group})
	return &f.Boxes[len(f.Boxes)-1]
}

// AddLine adds a line with ticks at its places, of many places without: not each has room for one.
// A line without any value is left away.
func (f *Figure) AddLine(name string, x, y []float64) {
	const many = 12
	if slices.ContainsFunc(y, func(v float64) bool { return !math.IsNaN(v) }) {
		f.Lines = append(f.Lines, Line{Name: name, X: x, Y: y})
	}
	if len(x) <= many {
		f.X.Ticks = x
	}
}

// Swarm says how far each value of a row stands from the middle of the row, from -0.42 to 0.42, so
// that points in the same of so many columns from low to high do not cover each other: the first
// stands in the middle, the next below, above, and so on.
func Swarm(x []float64, low, high float64) []float64 {
	const columns, reach, step = 120, 0.42, 0.12
	places, filled, most := make([]float64, len(x)), map[int]int{}, 1.0
	for k, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) || !(high > low) {
			continue
		}
		column := int(math.Floor((v - low) / (high - low) * columns))
		n := filled[column]
		filled[column]++
		places[k] = float64((n + 1) / 2)
		most = max(most, places[k])
		if n%2 == 0 {
			places[k] = -places[k]
		}
	}
	for k := range places {
		places[k] *= min(step, reach/most)
	}
	return places
}

// Cell is the box of row and column.
func Cell(row, column int) Box {
	x, y := float64(column), float64(row)
	return Box{X0: x - 0.5, X1: x + 0.5, Y0: y - 0.5, Y1: y + 0.5}
}

// Trend is a line with a band around it: X ascends, all slices are of equal length, Low and High
// may be nil. Group is the name of the group of points that it is of, "" for all of them; Look is
// the group's.
type Trend struct {
	X, Y, Low, High []float64
	Group           string
	Look            Look
}

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

// Check reports what cannot be drawn: points and boxes of no group, boxes without ends, slices of
// different lengths, half a band, a matrix that does not fit its axes.
func (f Figure) Check() error {
	if err := f.checkMatrix(); err != nil {
		return err
	}
	if err := cmp.Or(f.checkLinks(), f.checkGrid()); err != nil {
		return err
	}
	for k, b := range f.Boxes {
		if b.Group < 0 || b.Group >= len(f.Groups) {
			return fmt.Errorf("figure %q: box %d is of group %d, there are %d", f.Title, k, b.Group, len(f.Groups))
		}
		for _, v := range []float64{b.X0, b.X1, b.Y0, b.Y1, b.Low, b.High} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("figure %q: box %d (%s) runs from %g, %g to %g, %g", f.Title, k, b.Name, b.X0, b.Y0,
					b.X1, b.Y1)
			}
		}
	}
	for k, p := range f.Points {
		if p.Group < 0 || p.Group >= len(f.Groups) {
			return fmt.Errorf("figure %q: point %d is of group %d, there are %d", f.Title, k, p.Group, len(f.Groups))
		}
	}
	for _, l := range f.Lines {
		if len(l.X) != len(l.Y) || l.SD != nil && len(l.SD) != len(l.X) {
			return fmt.Errorf("figure %q: line %s has %d values and %d deviations at %d places",
				f.Title, l.Name, len(l.Y), len(l.SD), len(l.X))
		}
	}
	for _, t := range f.Trends {
		if len(t.X) != len(t.Y) || len(t.Low) != len(t.High) || t.Low != nil && len(t.Low) != len(t.X) {
			return fmt.Errorf("figure %q: a trend of %d values with a band of %d and %d at %d places",
				f.Title, len(t.Y), len(t.Low), len(t.High), len(t.X))
		}
	}
	return nil
}

// checkGrid reports figures of a grid that cannot be drawn, and names that do not fit its rows.
func (f Figure) checkGrid() error {
	headed := len(f.Y.Names) > 0
	if headed && f.Grid != nil && len(f.Grid) != len(f.Y.Names) {
		return fmt.Errorf("figure %q: %d names for %d rows of figures", f.Title, len(f.Y.Names), len(f.Grid))
	}
	for _, row := range f.Grid {
		if headed && len(row) > len(f.X.Names) {
			return fmt.Errorf("figure %q: %d names for %d columns of figures", f.Title, len(f.X.Names), len(row))
		}
		for _, one := range row {
			if err := one.Check(); err != nil {
				return fmt.Errorf("figure %q: %w", f.Title, err)
			}
			if headed && (one.Matrix == nil || one.Matrix.Rows != one.Matrix.Columns) {
				return fmt.Errorf("figure %q: figure %q of a grid with names has no square matrix", f.Title, one.Title)
			}
		}
	}
	return nil
}

// Drawable tells whether there is anything to draw.
func (f Figure) Drawable() bool {
	return f.Items()+len(f.Lines) > 0 ||
		slices.ContainsFunc(slices.Concat(f.Grid...), Figure.Drawable)
}

// Items is the number of what can be read out and chosen one by one: the points, then the boxes,
// then the cells of the matrix.
func (f Figure) Items() int { return len(f.Points) + len(f.Boxes) + f.Matrix.Size() }

// Box is the box of item k, which is no point and no link: that of a cell has its ends alone.
func (f Figure) Box(k int) Box {
	if k -= len(f.Points); k < len(f.Boxes) {
		return f.Boxes[k]
	}
	return f.cell(k - len(f.Boxes))
}

// ItemID is the ID of item k, "" for none.
func (f Figure) ItemID(k int) string {
	switch n := len(f.Points); {
	case k < 0 || k >= f.Items():
		return ""
	case k < n:
		return f.Points[k].ID
	case f.Link(k) != nil:
		return f.Link(k).ID
	default:
		return f.Box(k).ID
	}
}

// Tell reads item k out; "" where there is no such item.
func (f Figure) Tell(k int) string {
	switch n := len(f.Points); {
	case k < 0 || k >= f.Items():
		return ""
	case k < n:
		return f.tellPoint(f.Points[k])
	case f.Link(k) != nil:
		return f.Link(k).Name
	case k >= n+len(f.Boxes):
		return f.tellCell(k - n - len(f.Boxes))
	default:
		return f.tellBox(f.Boxes[k-n])
	}
}

// tellBox reads a box out: its own line, what is beside and below it, or, of a histogram, all boxes
// over its places: "0.1..0.12: models 5, invariant 3, variant 2".
func (f Figure) tellBox(b Box) string {
	switch row, group := f.Y.Say((b.Y0+b.Y1)/2), f.Groups[b.Group].Name; {
	case b.Name != "":
		return b.Name
	case f.Y.Names != nil && f.X.Names != nil:
		return fmt.Sprintf("%s, %s: %s", row, f.X.Say((b.X0+b.X1)/2), group)
	case f.Y.Names != nil:
		return strings.TrimSpace(fmt.Sprintf("%s: %s %s", row, f.X.Name, f.X.Say(b.X1)))
	}
	var parts []string
	sum := 0.0
	for _, other := range f.Boxes {
		if other.X0 == b.X0 && other.X1 == b.X1 && other.Y1 > other.Y0 {
			value := other.Y1
			if !f.Over {
				value -= other.Y0
				sum += value
			}
			if name := f.Groups[other.Group].Name; name != "" {
				parts = append(parts, name+" "+f.Y.Say(value))
			}
		}
	}
	if len(parts) == 0 && f.Over {
		parts = []string{f.Y.Name + " " + f.Y.Say(b.Y1)}
	}
	if !f.Over {
		parts = append([]string{f.Y.Name + " " + f.Y.Say(sum)}, parts...)
		if len(f.Groups) == 1 {
			parts = parts[:1]
		}
	}
	return fmt.Sprintf("%s..%s: %s", f.X.Say(b.X0), f.X.Say(b.X1), strings.Join(parts, ", "))
}

// Say is a value along the axis for people, with its unit: four digits of a Number, the share on
// an axis of logits, else as Format says it.
func (a Axis) Say(v float64) string {
	switch {
	case a.Logit:
		return Share.Say(1/(1+math.Exp(-v)), 0)
	case a.Log && v <= LogCount(0):
		return Count.Say(0, 0)
	case a.Log:
		return Count.Say(math.Round(math.Pow(10, v)), 0)
	case a.Names != nil:
		if k := int(math.Round(v)); k >= 0 && k < len(a.Names) {
			return a.Names[k]
		}
		return None
	case len(a.Values) > 0:
		last := float64(len(a.Values) - 1)
		if !(v >= -0.5 && v <= last+0.5) { // the first and last cells end there
			return None
		}
		whole, part := math.Modf(min(max(v, 0), last))
		value := a.Values[int(whole)]
		if part > 0 {
			value += float64(part * (a.Values[int(whole)+1] - value))
		}
		return Axis{Unit: a.Unit, Format: a.Format}.Say(value)
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

// tellPoint reads a point out: "m12, invariant: EI 0.91, accuracy 96.6 % (95.1 %..97.7 %)".
func (f Figure) tellPoint(p Point) string {
	if f.Levels[0] != "" || f.NoAxes { // its name says all
		return p.Name
	}
	names := []string{p.Name, f.Groups[p.Group].Name}
	if p.Crossed {
		names = append(names, f.Crossed)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	text := fmt.Sprintf("%s: %s %s, %s %s", strings.Join(names, ", "), f.X.Name, f.X.Say(p.X), f.Y.Name, f.Y.Say(p.Y))
	if p.Low < p.High {
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
