package dscore

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// leftPane lists what has no score, and why; the selected line can be computed.
type leftPane struct {
	s      *Screen
	table  *widget.Table
	run    *fynewidget.Button
	note   *fynewidget.Label
	at     int // the selected line, -1 for none
	object fyne.CanvasObject
}

func newLeftPane(s *Screen) *leftPane {
	p := &leftPane{s: s, at: -1}
	columns := func() []widget.Column {
		return []widget.Column{{Title: "models", Width: 190}, {Title: "regions", Width: 170}, {Title: "why", Width: 560}}
	}
	p.table = widget.NewTable(columns(), func() int { return len(s.view.Left) }, func(row, col int) string { return s.view.LeftCell(row, col) })
	p.table.OnRow = p.selected
	p.run = fynewidget.NewButtonWithIcon("Compute the selected line", theme.MediaPlayIcon(), func() {
		s.start(s.view.Left[p.at].Runs(s.view.Suite.Hash))
	})
	p.note = fynewidget.NewLabel("")
	p.note.Wrapping = fyne.TextWrapWord
	p.object = container.NewBorder(p.note, container.NewHBox(p.run), nil, nil, evidence.Fit(p.table, columns))
	return p
}

// LeftCell is a cell of the table of what has no score: models, regions and why.
func (v *View) LeftCell(row, col int) string {
	if row < 0 || row >= len(v.Left) {
		return ""
	}
	l := v.Left[row]
	return []string{l.Name(), l.Grid.Title(), l.Why()}[min(max(col, 0), 2)]
}

// title is the tab's, with the number of lines.
func (p *leftPane) title() string {
	if n := len(p.s.view.Left); n > 0 {
		return fmt.Sprintf("Left out %d", n)
	}
	return "Left out"
}

func (p *leftPane) selected(row int) {
	v := p.s.view
	p.at = row
	p.run.Disable()
	if row < 0 || row >= len(v.Left) {
		return
	}
	p.s.deps.Status(v.LeftCell(row, 0) + ": " + v.LeftCell(row, 2))
	if len(v.Left[row].Sets) > 0 && p.s.deps.Start != nil {
		p.run.Enable()
	}
}

func (p *leftPane) show() {
	p.at = -1
	p.run.Disable()
	p.note.SetText("Every model has a score with all regions that others have.")
	if len(p.s.view.Left) > 0 {
		p.note.SetText("Models that have no score with regions that others have. Select a line to compute it.")
	}
	p.table.SelectRow(-1)
	p.table.Reload()
}
