package ranking

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/widget"
)

// rankersPage is how well the rankers agree with each other and with the truth: a matrix of rank
// correlations.
type rankersPage struct {
	s       *Screen
	measure *measureMenu
	grid    *widget.AgreementTable
	save    *fynewidget.Button
	object  fyne.CanvasObject
}

func newRankersPage(s *Screen) *rankersPage {
	p := &rankersPage{s: s, grid: widget.NewAgreementTable()}
	p.measure = newMeasureMenu(p.draw)
	p.grid.OnHint = s.deps.Status
	p.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), p.openSave)
	note := fynewidget.NewLabel("How alike two rankers order the models: 1 for the same order, 0 for no relation, below 0 (warm) for the opposite. Scores of sampled rankers are means over their repetitions.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	head := container.NewBorder(nil, nil, p.measure.object(), p.save)
	p.object = container.NewBorder(container.NewVBox(head, note), nil, nil, nil, container.NewScroll(p.grid))
	return p
}

func (p *rankersPage) show() {
	p.measure.offer(p.s.view.Board.TopK)
	p.draw()
}

func (p *rankersPage) draw() {
	names, cells := p.s.view.Agreement(p.measure.chosen())
	p.grid.SetCells("", names, names, cells)
}

func (p *rankersPage) changed() {}
func (p *rankersPage) close()   {}

// measureMenu chooses how two rankings are compared.
type measureMenu struct {
	list   []rank.Measure
	menu   *fynewidget.Select
	quiet  bool
	chose  func()
	labels *fynewidget.Label
}

// newMeasureMenu makes a menu; chose is called when the person has chosen.
func newMeasureMenu(chose func()) *measureMenu {
	m := &measureMenu{list: rank.Measures(nil), chose: chose, labels: fynewidget.NewLabel("measure")}
	m.menu = fynewidget.NewSelect(measureNames(m.list), func(string) {
		if !m.quiet {
			m.chose()
		}
	})
	m.menu.Selected = m.menu.Options[0]
	return m
}

func (m *measureMenu) object() fyne.CanvasObject {
	return container.NewHBox(m.labels, wide(190*widget.Grown(), m.menu))
}

// offer offers Jaccard of these numbers of best models beside the correlations.
func (m *measureMenu) offer(topK []int) {
	before := m.chosen()
	m.list = rank.Measures(topK)
	m.quiet = true
	defer func() { m.quiet = false }()
	m.menu.SetOptions(measureNames(m.list))
	m.menu.SetSelectedIndex(0)
	for k, measure := range m.list {
		if measure == before {
			m.menu.SetSelectedIndex(k)
		}
	}
}

func (m *measureMenu) chosen() rank.Measure {
	if at := m.menu.SelectedIndex(); at >= 0 && at < len(m.list) {
		return m.list[at]
	}
	return m.list[0]
}
