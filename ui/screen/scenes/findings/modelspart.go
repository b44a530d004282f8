package findings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// modelsPart is the table of all models that ran in the scenes, with worst-case over accuracy
// beside it.
type modelsPart struct {
	p       *Page
	left    *fynewidget.Button
	list    *kit.Records[Row]
	plot    *widget.Scatter
	content fyne.CanvasObject
}

// tableShare is the share of the width that the table takes.
const tableShare = 0.6

func newModelsPart(p *Page) *modelsPart {
	m := &modelsPart{p: p, plot: widget.NewScatter()}
	m.list = &kit.Records[Row]{
		Host: p.host(), Table: p.view.table(), OnOpen: func(r Row) { p.deps.Inspect(r.Model.Hash) },
		OnSelect: func(r Row, ok bool) {
			if ok {
				p.view.Select(r.Model.Hash)
				p.deps.Host.Say(p.view.Line(r))
				m.mark()
			}
		},
		OnShown: func(shown []Row) {
			m.plot.SetData(p.view.Plot(shown))
			m.mark()
		},
		Note: func([]Row) string { return p.view.Caption() },
	}
	m.left = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { p.run(p.view.Selection, p.view.withoutRun()) })
	m.plot.OnHover = p.deps.Host.Say
	m.plot.OnTapped = func(point int) { m.choose(m.list.Shown()[point]) }
	m.plot.OnOpen = func(point int) { p.deps.Inspect(m.list.Shown()[point].Model.Hash) }
	p.saver.ConnectScatter(m.plot, func() []string { return []string{"worst-case", p.view.Selection.Name} })
	split := container.NewHSplit(container.NewBorder(container.NewHBox(m.left), nil, nil, nil, m.list.Object()), m.plot)
	split.Offset = tableShare
	m.content = split
	return m
}

// choose looks at the model of a point, in the table too.
func (m *modelsPart) choose(r Row) {
	m.list.Select(r.Model.Hash)
	m.list.OnSelect(r, true)
}

// mark shows the model that is looked at among the points.
func (m *modelsPart) mark() {
	m.plot.SetMarked(nil)
	at := slices.IndexFunc(m.list.Shown(), func(r Row) bool { return r.Model.Hash == m.p.view.selected })
	if at >= 0 {
		m.plot.SetMarked([]int{at})
	}
}

func (m *modelsPart) object() fyne.CanvasObject   { return m.content }
func (m *modelsPart) table() interface{ Focus() } { return m.list }
func (m *modelsPart) moved()                      {}
func (m *modelsPart) close()                      {}

func (m *modelsPart) entries() []*fyne.MenuItem {
	return with(m.list.FileItems(), "Chart", m.plot.Menu())
}

// show implements part.
func (m *modelsPart) show() {
	missing := m.p.view.withoutRun()
	m.left.SetText(m.p.runHelp(m.p.view.Selection, missing).Text)
	m.left.Hidden = len(missing) == 0 || m.p.deps.Start == nil
	m.list.Table = m.p.view.table()
	m.list.Set(m.p.view.Rows)
	m.list.Select(m.p.view.selected)
	m.content.Refresh()
}
