package dscore

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// severalPane is the table of scores with several n side by side.
type severalPane struct {
	s      *Screen
	made   Several
	sorted int
	turned bool
	note   *fynewidget.Label
	more   *fynewidget.Button
	table  *widget.Table
	object fyne.CanvasObject
}

func newSeveralPane(s *Screen) *severalPane {
	p := &severalPane{s: s, note: fynewidget.NewLabel("")}
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.more = fynewidget.NewButtonWithIcon("Compute n = 2, 3, 4", theme.MediaPlayIcon(), p.compute)
	p.more.Hidden = s.deps.Start == nil
	p.table = widget.NewTable(nil, func() int { return len(p.made.Models) }, func(row, col int) string { return p.made.Cell(row, col) })
	p.table.StickyColumnCount = 1
	p.table.OnHint = s.deps.Status
	p.table.OnRow = func(row int) {
		s.view.Select(p.made.Models[row])
	}
	p.table.OnOpen = func(row int) { s.deps.Inspect(p.made.Models[row]) }
	p.table.OnSort = func(col int) {
		p.turned = col == p.sorted && !p.turned
		p.sorted = col
		p.show()
	}
	p.object = container.NewBorder(container.NewBorder(nil, nil, nil, p.more, p.note), nil, nil, nil, p.table)
	return p
}

// usualSeveral are the n of the paper's Table V.
var usualSeveral = []int{2, 3, 4}

// order is what the table lacks of the usual n.
func (p *severalPane) order() Order {
	v := p.s.view
	o := usualOrder(v.Suite.Hash, v.withConvolution())
	o.N, o.T, o.Small, o.AfterBatchNorm = nil, []int{v.Grid().T}, takesSmall(v.Grid()), behindNorm(v.Grid())
	for _, n := range usualSeveral {
		there := false
		for _, g := range p.made.Grids {
			there = there || g.N == n
		}
		if !there {
			o.N = append(o.N, n)
		}
	}
	return o
}

func (p *severalPane) compute() { p.s.order(p.order()) }

func (p *severalPane) show() {
	v := p.s.view
	p.made = v.several(p.sorted, p.turned)
	p.sorted, p.turned = p.made.sorted, p.made.turned
	which := "all models of the table"
	if len(v.marked) > 0 {
		which = "the marked models"
	}
	p.note.SetText(fmt.Sprintf("%s, t = %d; %s. v_robust: the smaller the better; v_fitness and D-Score: the larger. ★ best, ☆ second-best.",
		present.Counted(int64(len(p.made.Models)), "model"), v.Grid().T, which))
	missing := p.order().N
	if len(missing) > 0 {
		p.more.SetText(fmt.Sprintf("Compute n = %s", numbers(missing)))
	}
	p.more.Hidden = p.s.deps.Start == nil || len(missing) == 0
	p.table.SetColumns(widths(p.made.Titles(), nil, len(p.made.Models), p.made.Cell))
	p.table.SetSort(p.sorted, p.sorted > 0 && p.made.up(p.sorted) != p.turned || p.sorted == 0 && p.turned)
	p.table.Reload()
	p.table.SelectRow(-1)
	p.object.Refresh()
}
