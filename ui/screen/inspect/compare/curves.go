package compare

import (
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// AccuracyFigure are the accuracies of all models over V.
func (r Result) AccuracyFigure() result.Figure {
	return r.figure("Accuracy", result.Axis{Name: "accuracy", Format: result.Share, High: 1}, "no labels",
		func(c Column) []float64 {
			return c.Accuracy
		})
}

// RowFigure are the elements of row i of a modality's matrices of all models.
func (r Result) RowFigure(modality, i int) result.Figure {
	n := len(r.Axis.Values)
	f := r.figure(r.RowName(modality, i), result.Axis{Name: "δ"}, "no matrix", func(c Column) []float64 {
		if !r.has(modality, i) || c.Tiles[modality].Matrix.N != n {
			return nil
		}
		return c.Tiles[modality].Matrix.Data[i*n:][:n]
	})
	f.X.Name = fmt.Sprintf("V_j: %s", f.X.Name)
	return f
}

// figure draws values of the columns over V; a column without a value for each is left out.
func (r Result) figure(title string, y result.Axis, empty string, values func(Column) []float64) result.Figure {
	x := result.Axis{Name: r.Query.Subject.Evidence.Variable, Unit: r.Axis.Unit, Ticks: r.Axis.Values}
	f := result.Figure{Title: title, Note: r.Title(), X: x, Y: y, Empty: empty}
	for _, c := range r.Columns {
		if own := values(c); len(own) == len(x.Ticks) && len(own) > 0 {
			f.Lines = append(f.Lines, result.Line{Name: c.Name, X: x.Ticks, Y: own})
		}
	}
	return f
}

// has tells whether there is a row i of a modality.
func (r Result) has(modality, i int) bool {
	return modality >= 0 && modality < len(r.Query.Modalities) && i >= 0 && i < len(r.Axis.Values)
}

// RowName is "Row V_i = 3°, max@CONF".
func (r Result) RowName(modality, i int) string {
	if !r.has(modality, i) {
		return "Row"
	}
	return fmt.Sprintf("Row V_i = %s, %s", result.Digits(r.Axis.Values[i], 6)+r.Axis.Unit, r.Query.Modalities[modality])
}

// curves are two figures about all models beside or below one row of matrices.
type curves struct {
	accuracy, row *kit.Figure
	shown         [2]int // modality and row of the second figure
}

func newCurves(p *Pane) *curves {
	figure := func(name string) *kit.Figure {
		return &kit.Figure{
			Host: p.site.Host, Headed: true, Name: func() []string { return append(p.fileParts(), name) },
		}
	}
	c := &curves{accuracy: figure("accuracy"), row: figure("row")}
	c.accuracy.Command = func() string {
		s, ids := p.answer.compared()
		if ids == nil {
			return ""
		}
		return s.Accuracies(ids...)
	}
	c.row.Command = func() string {
		s, ids := p.answer.compared()
		if ids == nil {
			return ""
		}
		return s.Matrices(ids, p.answer.result.Query.Modalities...)
	}
	return c
}

// compared are the models (IDs) that a command can set side by side, nil for none: it has one
// family, and every model its own choice of images.
func (a *answer) compared() (s pane.Subject, ids []string) {
	q := a.result.Query
	if a.beside != "" || q.Same && q.Subject.Images.Which != variance.All {
		return q.Subject, nil
	}
	for _, side := range append([]Side{own(q.Subject)}, a.sides...) {
		if side.Set != nil {
			ids = append(ids, side.Model.ID)
		}
	}
	return q.Subject, ids
}

// show draws a comparison, with the row of the screen's focus.
func (c *curves) show(r Result, focus pane.Focus) {
	c.accuracy.Head("Accuracy")
	c.accuracy.Set(r.AccuracyFigure())
	c.shown = [2]int{-1, -1}
	c.follow(r, focus)
}

// follow draws the row in focus, that of the identity, which stands in the middle, without one.
func (c *curves) follow(r Result, focus pane.Focus) {
	first := r.Query.Subject.First
	i, mark := len(r.Axis.Values)/2, -1
	if focus.Cell() && focus.I >= first && focus.I-first < len(r.Axis.Values) {
		i, mark = focus.I-first, focus.J-first
	}
	c.point(r, 0, i, mark)
}

// point draws a row and marks its element j.
func (c *curves) point(r Result, modality, i, j int) {
	if c.shown != [2]int{modality, i} {
		c.shown = [2]int{modality, i}
		c.row.Head(r.RowName(modality, i))
		c.row.Set(r.RowFigure(modality, i))
	}
	mark := math.NaN()
	if j >= 0 && j < len(r.Axis.Values) {
		mark = r.Axis.Values[j]
	}
	c.row.Mark(mark)
}

// The room of the curves and of what stands around a matrix, in Fyne's device-independent pixels.
const (
	leastRow     = 190  // least height of a row of matrices; more rows than fit scroll
	curvesHeight = 170  // below the matrices, at least
	curvesShare  = 0.27 // of a high pane
	curvesWidth  = 280  // beside them
	headsHeight  = 46   // of the models' names above the matrices
	tileWidth    = 88   // of a tile beside its matrix
	tileHeight   = 80   // of a tile above and below its matrix
	// leastShare is the share of their size that the matrices must keep for the curves to be shown.
	leastShare = 0.6
)

// bodyLayout lays the matrices and the two charts out: below or beside one row of matrices,
// wherever the matrices stay larger, if they stay large enough. Several rows of matrices have all
// the room for themselves.
type bodyLayout struct{ p *Pane }

// Layout implements fyne.Layout. The objects are the matrices and the two boxes of the curves.
func (l bodyLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	matrices, below, ok := size, false, false
	if l.p.oneRow() {
		matrices, below, ok = divide(size, l.p.columns)
	}
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(matrices)
	gap := theme.Padding()
	for k, box := range objects[1:] {
		if !ok {
			box.Hide()
			continue
		}
		part := fyne.NewSize(size.Width-matrices.Width-gap, (size.Height-gap)/2)
		at := fyne.NewPos(matrices.Width+gap, float32(k)*(part.Height+gap))
		if below {
			part = fyne.NewSize((size.Width-gap)/2, size.Height-matrices.Height-gap)
			at = fyne.NewPos(float32(k)*(part.Width+gap), matrices.Height+gap)
		}
		box.Move(at)
		box.Resize(part)
		box.Show()
	}
}

// divide is the room of a row of square matrices beside or above the curves; ok is false where
// both take too much.
func divide(size fyne.Size, columns int) (matrices fyne.Size, below, ok bool) {
	n, gap := float32(max(columns, 1)), theme.Padding()
	side := func(width, height float32) float32 { return min(width/n-tileWidth, height-headsHeight-tileHeight) }
	curves := max(curvesHeight, curvesShare*size.Height)
	under, beside := side(size.Width, size.Height-curves-gap), side(size.Width-curvesWidth-gap, size.Height)
	if largest := max(under, beside); largest < leastShare*side(size.Width, size.Height) ||
		largest < leastRow-tileHeight {
		return size, false, false
	}
	if under >= beside {
		return fyne.NewSize(size.Width, under+headsHeight+tileHeight), true, true
	}
	return fyne.NewSize(max((beside+tileWidth)*n, size.Width/2), size.Height), false, true
}

// MinSize implements fyne.Layout.
func (l bodyLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
