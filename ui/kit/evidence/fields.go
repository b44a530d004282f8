package evidence

import (
	"cmp"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/widget"
)

// barred tells whether field k has its colour bar: the last of a row, whose scale is that of its
// neighbours, and one that stands alone.
func (r *Matrices) barred(k int) bool {
	if r.columns() == 0 {
		return r.only == k
	}
	columns := cmp.Or(r.laid, r.columns())
	return k%columns == columns-1
}

// bars shows the colour bars anew after the number of columns changed.
func (r *Matrices) bars() {
	if r.shown.Scenes == nil {
		return
	}
	for k, f := range r.fields {
		f.SetBar(r.barred(k))
	}
}

// hoverField reads out the element under the pointer.
func (r *Matrices) hoverField(k int, p widget.FieldPoint) {
	if r.onHover != nil {
		r.onHover(r.shown.fieldReadOut(k, p))
	}
}

// Fields are the row's fields in their order; those of a variance round are hidden.
func (r *Matrices) Fields() []*widget.Field { return r.fields }

// barWidth is how much wider the last column is than the others, for the colour bar to stand
// beside a square as large as theirs.
func barWidth() float32 {
	bar := widget.NewColourBar()
	bar.SetScale(render.FieldScale(render.FieldHigh, nil))
	return bar.MinSize().Width + barGap
}

// barGap is the room between a square and its colour bar, less what stands at the right of one
// without.
const barGap = 3

// fieldColumns is the number of columns in which n fields stand, of which so many are asked for. A
// single row that leaves more than half of the height empty becomes two.
func fieldColumns(n, columns int, size fyne.Size) int {
	if n <= columns && columns > 1 && size.Width/float32(columns) < size.Height/2 {
		return (columns + 1) / 2
	}
	return columns
}

// lay notes the number of columns in which fields stand now, and shows the colour bars where each
// row ends.
func (r *Matrices) lay(columns int) {
	if columns != r.laid {
		r.laid = columns
		r.bars()
	}
}
