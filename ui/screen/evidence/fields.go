package evidence

import (
	"cmp"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/widget"
)

// showFields puts evidence of a background round on the row: one field per tile, with the colour
// bar at the end of each row.
func (r *Row) showFields(p Prepared) {
	for k, t := range p.Tiles {
		f := r.fields[k]
		title := t.Title()
		if badge := p.badges[k]; badge != "" && r.barred(k) {
			title += " (" + badge + ")"
		}
		f.SetTitle(title)
		f.SetBar(r.barred(k))
		if t.Absent() {
			f.SetAbsent(t.Reason)
			continue
		}
		f.SetPicture(p.fields[k])
	}
}

// barred tells whether field k has its colour bar: the last of a row, whose scale is that of its
// neighbours, and one that stands alone.
func (r *Row) barred(k int) bool {
	if r.columns() == 0 {
		return r.only == k
	}
	columns := cmp.Or(r.laid, r.columns())
	return k%columns == columns-1
}

// bars shows the colour bars anew after the number of columns changed.
func (r *Row) bars() {
	if r.shown.Scenes == nil {
		return
	}
	for k, f := range r.fields {
		f.SetBar(r.barred(k))
	}
}

// fitFields makes as many fields as are needed; they are kept and hidden.
func (r *Row) fitFields(n int) {
	for len(r.fields) < n {
		k := len(r.fields)
		f := widget.NewField("")
		f.Keys = r.keys
		f.OnHover = func(p widget.FieldPoint) { r.hoverField(k, p) }
		f.OnTapped = func(p widget.FieldPoint) {
			r.hoverField(k, p)
			if r.onTap != nil {
				r.onTap()
			}
		}
		r.link.Add(&f.Plot)
		r.fields = append(r.fields, f)
		r.box.Add(f)
	}
}

// hoverField reads out the element under the pointer.
func (r *Row) hoverField(k int, p widget.FieldPoint) {
	if r.onHover != nil {
		r.onHover(r.shown.fieldReadOut(k, p))
	}
}

// Fields are the row's fields in their order; those of a variance round are hidden.
func (r *Row) Fields() []*widget.Field { return r.fields }

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
func (r *Row) lay(columns int) {
	if columns != r.laid {
		r.laid = columns
		r.bars()
	}
}
