package compare

import (
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// AccuracyCurves are the accuracies of all models over V.
func (r Result) AccuracyCurves() widget.ChartData {
	data := r.chart("Accuracy")
	data.YName, data.High, data.Empty = "accuracy", 1, "no labels"
	for _, c := range r.Columns {
		if len(c.Accuracy) == len(r.Axis.Values) && len(c.Accuracy) > 0 {
			data.Series = append(data.Series, widget.Series{Name: c.Name, X: r.Axis.Values, Y: c.Accuracy})
		}
	}
	return data
}

// RowCurves are the elements of row i of a modality's matrices of all models.
func (r Result) RowCurves(modality, i int) widget.ChartData {
	data := r.chart(r.RowName(modality, i))
	data.YName, data.Empty, data.XName = "δ", "no matrix", fmt.Sprintf("V_j: %s", data.XName)
	n := len(r.Axis.Values)
	if modality < 0 || modality >= len(r.Query.Modalities) || i < 0 || i >= n {
		return data
	}
	for _, c := range r.Columns {
		if m := c.Tiles[modality].Matrix; m.N == n {
			data.Series = append(data.Series, widget.Series{Name: c.Name, X: r.Axis.Values, Y: m.Data[i*n:][:n]})
		}
	}
	return data
}

// RowName is "Row V_i = 3°, max@CONF".
func (r Result) RowName(modality, i int) string {
	if modality < 0 || modality >= len(r.Query.Modalities) || i < 0 || i >= len(r.Axis.Values) {
		return "Row"
	}
	return fmt.Sprintf("Row V_i = %s, %s", result.Digits(r.Axis.Values[i], 6)+r.Axis.Unit, r.Query.Modalities[modality])
}

func (r Result) chart(title string) widget.ChartData {
	e := r.Query.Subject.Evidence
	return widget.ChartData{
		Title: title, Note: r.Title(), XName: e.Variable, XUnit: r.Axis.Unit, XTicks: r.Axis.Values,
	}
}

// middle is the row of the identity, which stands in the middle of every sub-interval.
func (r Result) middle() int { return len(r.Axis.Values) / 2 }

// curves are two charts about all models beside or below one row of matrices.
type curves struct {
	accuracy, row *widget.Chart
	head          *fynewidget.Label
	boxes         [2]fyne.CanvasObject
	shown         [2]int // modality and row of the second chart
}

func newCurves(p *Pane) *curves {
	c := &curves{accuracy: widget.NewChart(), row: widget.NewChart()}
	saver := p.saver()
	for k, chart := range []*widget.Chart{c.accuracy, c.row} {
		head := fynewidget.NewLabelWithStyle("Accuracy", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		head.Truncation = fyne.TextTruncateEllipsis
		name := []string{"accuracy", "row"}[k]
		saver.Connect(chart, func() []string { return append(p.fileParts(), name) })
		chart.OnHover = func(_ float64, text string) { p.deps.Host.Status(text) }
		c.head, c.boxes[k] = head, container.NewBorder(head, nil, nil, nil, chart)
	}
	return c
}

// show draws a comparison, with the row of the screen's focus.
func (c *curves) show(r Result, focus pane.Focus) {
	c.accuracy.SetData(r.AccuracyCurves())
	c.shown = [2]int{-1, -1}
	c.follow(r, focus)
}

// follow draws the row in focus, that of the identity without one.
func (c *curves) follow(r Result, focus pane.Focus) {
	first := r.Query.Subject.First
	i, mark := r.middle(), -1
	if focus.Cell() && focus.I >= first && focus.I-first < len(r.Axis.Values) {
		i, mark = focus.I-first, focus.J-first
	}
	c.point(r, 0, i, mark)
}

// point draws a row and marks its element j.
func (c *curves) point(r Result, modality, i, j int) {
	if c.shown != [2]int{modality, i} {
		c.shown = [2]int{modality, i}
		c.head.SetText(r.RowName(modality, i))
		c.row.SetData(r.RowCurves(modality, i))
	}
	mark := math.NaN()
	if j >= 0 && j < len(r.Axis.Values) {
		mark = r.Axis.Values[j]
	}
	c.row.SetMark(mark)
}

// The room of the curves and of what stands around a matrix, in Fyne's device-independent pixels.
const (
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
type bodyLayout struct{ f *face }

// Layout implements fyne.Layout. The objects are the matrices and the two boxes of the curves.
func (l bodyLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	matrices, below, ok := size, false, false
	if l.f.oneRow() {
		matrices, below, ok = divide(size, l.f.columns)
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
	if largest := max(under, beside); largest < leastShare*side(size.Width, size.Height) || largest < leastRow-tileHeight {
		return size, false, false
	}
	if under >= beside {
		return fyne.NewSize(size.Width, under+headsHeight+tileHeight), true, true
	}
	return fyne.NewSize(max((beside+tileWidth)*n, size.Width/2), size.Height), false, true
}

// MinSize implements fyne.Layout.
func (l bodyLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
