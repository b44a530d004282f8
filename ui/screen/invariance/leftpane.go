package invariance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// leftPane lists what was not measured, and why; the selected line can be computed.
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
		return []widget.Column{
			{Title: "models", Width: 190}, {Title: "suite", Width: 150}, {Title: "transformations", Width: 170}, {Title: "why", Width: 420},
		}
	}
	p.table = widget.NewTable(columns(), func() int { return len(s.view.Left) }, func(row, col int) string { return s.view.LeftCell(row, col) })
	p.table.OnRow = p.selected
	p.run = fynewidget.NewButtonWithIcon("Compute the selected line", theme.MediaPlayIcon(), func() {
		if l := s.view.Left[p.at]; l.Runnable() {
			s.deps.Start(l.Hashes, l.Suite, l.Family)
		}
	})
	p.note = fynewidget.NewLabel("")
	p.note.Wrapping = fyne.TextWrapWord
	p.object = container.NewBorder(p.note, container.NewHBox(p.run), nil, nil, evidence.Fit(p.table, columns))
	return p
}

func (p *leftPane) selected(row int) {
	v := p.s.view
	p.at = row
	p.run.Disable()
	if row < 0 || row >= len(v.Left) {
		return
	}
	p.s.deps.Status(v.LeftCell(row, 0) + ": " + v.LeftCell(row, 3))
	if v.Left[row].Runnable() && p.s.deps.Start != nil {
		p.run.Enable()
	}
}

func (p *leftPane) show() {
	p.at = -1
	p.run.Disable()
	p.note.SetText("Every model has results for all suites and transformations that others have.")
	if len(p.s.view.Left) > 0 {
		p.note.SetText("Models that have no results for a suite and transformations that others have. Select a line to compute it.")
	}
	p.table.SelectRow(-1)
	p.table.Reload()
}
