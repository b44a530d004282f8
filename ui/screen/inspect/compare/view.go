// Package compare is the pane that shows the variance matrices of two to four models side by side,
// with one colour range, one cursor and the screen's controls for all, and the signed difference
// of two of them. What is compared is computed by plain functions; Pane draws it.
package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Most is how many models stand side by side; as many sets of signals are in memory at most.
const Most = 4

// Side is one model with its signals.
type Side struct {
	Model   model.Model
	Name    string      // above its column: the model's id where it is empty
	Set     *signal.Set // nil without signals
	Mapping []int       // suite label -> class of the model
	Problem string      // why Set is nil, for people
	key     string      // of the set
	loaded  []string    // modalities that were asked for when Set was loaded
}

// Query is what is to be compared.
type Query struct {
	Subject    pane.Subject
	Modalities []string
	// Same takes only the images that every model's own choice has: with "correct only", those that
	// all get right.
	Same bool
	// Minuend and Subtrahend are the sides whose difference is drawn; none where they are equal.
	Minuend, Subtrahend int
}

// Column is a model's share of a comparison.
type Column struct {
	Model    model.Model
	Name     string    // the model's id, and the interpolation where it is not that of the others
	Images   int       // that its matrices are made from
	Accuracy []float64 // per transformation of the sub-interval, nil without labels
	Robust   float64
	Tiles    []Tile // one per modality
}

// Tile is one matrix ready to be drawn; Matrix.N is 0 and Reason says why where it is absent.
type Tile struct {
	Matrix  variance.Matrix
	Reason  string
	Scale   render.Scale
	Picture widget.Picture
}

// Result is a comparison. It is immutable.
type Result struct {
	Query   Query
	Axis    render.Axis
	Columns []Column
	// Difference are the matrices of the minuend less those of the subtrahend, one per modality;
	// nil for none.
	Difference []Tile
	Problem    string // why nothing is compared, such as that no image is left
}

// Compute makes a comparison. It is slow (some 10 ms per model and matrix of 10,000 images) and
// safe for several goroutines.
func Compute(sides []Side, q Query) Result {
	r := Result{Query: q, Axis: q.Subject.Evidence.Axis()}
	chosen, problem := choose(sides, q)
	r.Problem = problem
	for k, side := range sides {
		r.Columns = append(r.Columns, column(side, q, chosen[k], r.Axis))
	}
	if q.Minuend == q.Subtrahend || q.Minuend >= len(sides) || q.Subtrahend >= len(sides) {
		return r
	}
	a, b := r.Columns[q.Minuend], r.Columns[q.Subtrahend]
	for k := range q.Modalities {
		r.Difference = append(r.Difference, difference(a.Tiles[k], b.Tiles[k], r.Axis))
	}
	return r
}

// choose are each side's images; those of a side without signals are nil.
func choose(sides []Side, q Query) (chosen [][]int, problem string) {
	chosen = make([][]int, len(sides))
	var common []int
	first := true
	for k, side := range sides {
		if side.Set == nil {
			continue
		}
		rows := side.Set.Predictions()
		if rows == nil {
			continue
		}
		list, err := q.Subject.Images.Choose(labelsOf(q.Subject, side.Set.Images), rows[len(rows)/2], side.Mapping)
		if err != nil && problem == "" {
			problem = side.Model.ID + ": " + present.Sentence(err)
		}
		chosen[k] = list
		if first {
			common, first = slices.Clone(list), false
		}
		common = slices.DeleteFunc(common, func(image int) bool {
			_, in := slices.BinarySearch(list, image)
			return !in
		})
	}
	if !q.Same {
		return chosen, problem
	}
	if len(common) == 0 && problem == "" && !first {
		problem = "no image is among those of all models"
	}
	for k := range chosen {
		if chosen[k] != nil {
			chosen[k] = common
		}
	}
	return chosen, problem
}

// labelsOf are the suite's labels, nil where it has none or they do not fit the signals.
func labelsOf(s pane.Subject, images int) []int {
	if len(s.Suite.Labels) != images || !s.Suite.Labelled() {
		return nil
	}
	return s.Suite.Labels
}

func column(side Side, q Query, chosen []int, axis render.Axis) Column {
	c := Column{Model: side.Model, Name: cmp.Or(side.Name, side.Model.ID), Images: len(chosen)}
	for _, name := range q.Modalities {
		t := tile(side, q.Subject, name, chosen)
		if t.Matrix.N > 0 {
			t.Scale = q.Subject.View.Scale(name)
			t.Picture = widget.NewPicture(t.Matrix, t.Scale, axis)
		}
		c.Tiles = append(c.Tiles, t)
	}
	if side.Set == nil || len(chosen) == 0 {
		return c
	}
	if labels := labelsOf(q.Subject, side.Set.Images); labels != nil {
		rows := side.Set.Predictions()
		c.Accuracy, c.Robust = variance.Accuracy(rows[q.Subject.First:q.Subject.Last+1], labels, side.Mapping, chosen)
	}
	return c
}

// tile computes one matrix, cut to the sub-interval.
func tile(side Side, s pane.Subject, modality string, chosen []int) Tile {
	switch {
	case side.Set == nil:
		return Tile{Reason: side.Problem}
	case len(chosen) == 0:
		return Tile{Reason: "no images left"}
	case s.Last >= side.Set.Transformations:
		return Tile{Reason: "signals of another family"}
	}
	m, err := signal.ParseModality(modality)
	if err != nil {
		return Tile{Reason: present.Sentence(err)}
	}
	matrix, err := store.MatrixOf(side.Set, m, chosen)
	if err != nil {
		return Tile{Reason: cmp.Or(store.WhyAbsent(side.Model, m, err), present.Sentence(err))}
	}
	return Tile{Matrix: matrix.Centre((s.Last - s.First) / 2)}
}

// difference is a less b with a symmetric range of its own.
func difference(a, b Tile, axis render.Axis) Tile {
	for _, t := range []Tile{a, b} {
		if t.Matrix.N == 0 {
			return Tile{Reason: t.Reason}
		}
	}
	m := variance.Matrix{N: a.Matrix.N, Data: make([]float64, len(a.Matrix.Data))}
	largest := 0.0
	for k := range m.Data {
		m.Data[k] = a.Matrix.Data[k] - b.Matrix.Data[k]
		largest = math.Max(largest, math.Abs(m.Data[k]))
	}
	end := render.RoundUp(largest)
	if end == 0 {
		end = 1
	}
	t := Tile{Matrix: m, Scale: render.Scale{Low: -end, High: end, Map: &render.Diverging}}
	t.Picture = widget.NewPicture(m, t.Scale, axis)
	return t
}

// Caption is the line about a model: accuracy, robust accuracy and images.
func (c Column) Caption() string {
	var parts []string
	if c.Accuracy != nil { // that of the identity stands in the middle
		parts = append(parts, "accuracy "+result.Share.Say(c.Accuracy[len(c.Accuracy)/2], 0),
			"robust "+result.Share.Say(c.Robust, 0))
	}
	if c.Images > 0 {
		parts = append(parts, result.Counted(c.Images, "image"))
	}
	return strings.Join(parts, ", ")
}

// Head is the short line above column k: the number of images only where the columns differ in it,
// then first.
func (r Result) Head(k int) string {
	c := r.Columns[k]
	images := c.Images
	c.Images = 0
	differ := slices.ContainsFunc(r.Columns, func(o Column) bool { return o.Images != images && o.Images > 0 })
	if !differ || images == 0 {
		return c.Caption()
	}
	return strings.TrimSuffix(result.Counted(images, "image")+", "+c.Caption(), ", ")
}

// DifferenceName names the difference: "m1 - m2"; "" for none.
func (r Result) DifferenceName() string {
	if r.Difference == nil {
		return ""
	}
	return r.Columns[r.Query.Minuend].Name + " - " + r.Columns[r.Query.Subtrahend].Name
}

// ReadOut is the line under the pointer: the same element of a modality in all models, and their
// difference.
func (r Result) ReadOut(modality, i, j int) string {
	n := len(r.Axis.Values)
	if modality < 0 || modality >= len(r.Query.Modalities) || i < 0 || j < 0 || i >= n || j >= n {
		return ""
	}
	value := func(t Tile) string {
		if t.Matrix.N != n {
			return present.None
		}
		return result.Significant(t.Matrix.At(i, j), 3)
	}
	text := fmt.Sprintf("%s   V_i = %s, V_j = %s, δ:", r.Query.Modalities[modality],
		result.Digits(r.Axis.Values[i], 6)+r.Axis.Unit, result.Digits(r.Axis.Values[j], 6)+r.Axis.Unit)
	for _, c := range r.Columns {
		text += "   " + c.Name + " " + value(c.Tiles[modality])
	}
	if r.Difference != nil {
		text = fmt.Sprintf("%s   difference %s", text, value(r.Difference[modality]))
	}
	return text
}

// Figures are the comparison for a file: a row per modality, a column per model and one for the
// difference.
func (r Result) Figures() [][]result.Figure {
	var rows [][]result.Figure
	for k, modality := range r.Query.Modalities {
		var row []result.Figure
		add := func(t Tile, title, value, note string) {
			f := t.Matrix.Figure(r.Axis, t.Scale, value)
			f.Title, f.Empty, f.Note = title, t.Reason, note
			row = append(row, f)
		}
		for _, c := range r.Columns {
			add(c.Tiles[k], c.Name, modality, c.Caption())
		}
		if r.Difference != nil {
			add(r.Difference[k], r.DifferenceName(), "difference of "+modality, "")
		}
		rows = append(rows, row)
	}
	return rows
}

// Title heads the comparison's file.
func (r Result) Title() string {
	e := r.Query.Subject.Evidence
	text := e.Suite + ", " + e.Family
	if choice := r.Query.Subject.Images.String(); choice != "all" {
		text += ", " + choice
	}
	if r.Query.Same {
		text = fmt.Sprintf("%s, the same images for all", text)
	}
	return text
}

// sameWords are the words of the switch that Query.Same is, for a choice of images.
func sameWords(images variance.Images) string {
	switch images.Which {
	case variance.Correct:
		return "images that all get right"
	case variance.Wrong:
		return "images that all get wrong"
	}
	return "the same images for all"
}
