package dscore

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// comparePane shows a few models side by side: the maps of each in a row, all with the same
// colours, and their numbers.
type comparePane struct {
	s      *Screen
	made   Comparison
	note   *fynewidget.Label
	marks  marks
	rows   []*compareRow
	column *fyne.Container
	table  *widget.Table
	object fyne.CanvasObject
}

// compareRow is one model: its name and scores, and its maps.
type compareRow struct {
	facts  *fynewidget.Label
	trio   *trio
	object *fyne.Container
}

func newComparePane(s *Screen) *comparePane {
	p := &comparePane{s: s, note: fynewidget.NewLabel("")}
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.marks.changed = p.marked
	p.table = widget.NewTable(nil, func() int { return p.made.quantities() }, func(row, col int) string { return p.made.Cell(row, col) })
	p.table.StickyColumnCount = 1
	p.table.OnCell = func(row, _ int) { // a line about a region marks it
		if at := row - fixedQuantities; at >= 0 {
			p.marks.set(at%p.made.regions() + 1)
		}
	}
	p.column = container.New(rowsLayout{})
	split := container.NewHSplit(container.NewVScroll(p.column), p.table)
	split.Offset = rowsShare
	p.object = container.NewBorder(p.note, nil, nil, nil, split)
	return p
}

// rowsShare is the share of the width that the maps take.
const rowsShare = 0.68

func (p *comparePane) newRow(k int) *compareRow {
	r := &compareRow{facts: fynewidget.NewLabel(""), trio: newTrio(&p.marks)}
	r.facts.Truncation = fyne.TextTruncateEllipsis
	for kind, m := range r.trio.maps {
		m.Menu = func() []*fyne.MenuItem {
			row := p.made.Rows[k]
			return p.s.saver.Entries(mapFigure(row, p.made.Maps[k], kind, p.s.face.main.detail.average.image, regionsOf(row)))
		}
	}
	r.object = container.New(factsLayout{}, r.facts, r.trio.object)
	return r
}

func (p *comparePane) show() {
	v := p.s.view
	p.made = v.comparison()
	p.note.SetText(v.comparedNote(p.made))
	p.column.Objects = nil
	for k := range p.made.Rows {
		if k == len(p.rows) {
			p.rows = append(p.rows, p.newRow(k))
		}
		row := p.rows[k]
		row.facts.SetText(p.made.Rows[k].Model.ID + "\n" + strings.Join(p.made.Facts(k), "\n"))
		row.trio.show(p.made.Maps[k], p.s.face.main.detail.average.picture, "")
		p.column.Objects = append(p.column.Objects, row.object)
	}
	p.marks.within(v.Grid().N)
	p.column.Refresh()
	p.table.SetColumns(widths(p.made.Titles(), nil, p.made.quantities(), p.made.Cell))
	p.table.Reload()
}

// marked says what the models have in a region.
func (p *comparePane) marked(region int) {
	var parts []string
	for _, r := range p.made.Rows {
		if region > 0 && region <= r.N*r.N {
			parts = append(parts, fmt.Sprintf("%s features %s, attention %s", r.Model.ID, percentShare(r.Score.Features[region-1]), percentShare(r.Score.Attention[region-1])))
		}
	}
	if len(parts) == 0 {
		p.s.deps.Status("")
		return
	}
	p.s.deps.Status(fmt.Sprintf("region %d: %s", region, strings.Join(parts, "; ")))
}

// percentShare is a share in percent.
func percentShare(v float64) string { return decimals(100*v, 1) + " %" }

// rowsLayout gives its rows the same height: that of the whole where it is enough for all.
type rowsLayout struct{}

// leastRow is the least height of a row.
const leastRow = 150

// Layout implements fyne.Layout.
func (l rowsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) == 0 {
		return
	}
	gap, bar := theme.Padding(), 2*theme.Padding() // the bar of the scroll lies over the rows
	height := (size.Height - gap*float32(len(objects)-1)) / float32(len(objects))
	for k, o := range objects {
		o.Move(fyne.NewPos(0, float32(k)*(height+gap)))
		o.Resize(fyne.NewSize(size.Width-bar, height))
	}
}

// MinSize implements fyne.Layout.
func (l rowsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var width float32
	for _, o := range objects {
		width = max(width, o.MinSize().Width)
	}
	return fyne.NewSize(width, float32(len(objects))*leastRow*widget.Grown())
}

// factsLayout puts a narrow text before a trio.
type factsLayout struct{}

// factsWidth is the width of the text.
const factsWidth = 140

// Layout implements fyne.Layout.
func (factsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := factsWidth * widget.Grown()
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width, 0))
	objects[1].Resize(fyne.NewSize(max(size.Width-width, 0), size.Height))
}

// MinSize implements fyne.Layout.
func (factsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[1].MinSize()
	return fyne.NewSize(factsWidth*widget.Grown()+least.Width, least.Height)
}
