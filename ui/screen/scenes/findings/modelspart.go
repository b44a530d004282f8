package findings

import (
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// modelsPart is the table of all models that ran in the scenes, with worst-case over accuracy
// beside it.
type modelsPart struct {
	kit.Panel
	p    *Page
	left *kit.RunButton
	list *kit.Records[Row]
	plot *kit.Figure
}

// tableShare is the share of the width that the table takes.
const tableShare = 0.6

func newModelsPart(p *Page) *modelsPart {
	m := &modelsPart{p: p}
	m.list = &kit.Records[Row]{
		Host: p.Host, Table: p.view.table(), OnOpen: func(r Row) { p.site.Inspect(r.Model.Hash) },
		OnSelect: func(r Row, ok bool) {
			if ok {
				p.view.Select(r.Model.Hash)
				p.Say(p.view.Line(r))
				m.plot.Select(r.Model.Hash)
				p.distance.Changed()
			}
		},
		OnShown: func(shown []Row) {
			m.plot.Set(p.view.Plot(shown))
			m.plot.Select(p.view.selected)
		},
		Note: func([]Row) string { return p.view.Caption() },
	}
	m.left = p.NewRunButton(func() { p.AskMissing(page.Missing(p.view.Selection, p.view.withoutRun())) })
	m.plot = &kit.Figure{
		Host: p.Host, OnTap: m.choose, OnOpen: p.site.Inspect,
		Name:    func() []string { return []string{"worst-case", p.view.Selection.Name} },
		Command: p.matrices,
	}
	split := container.NewHSplit(container.NewBorder(container.NewHBox(m.left.Button), nil, nil, nil, m.list.Object()),
		m.plot.Object())
	split.Offset = tableShare
	m.Panel = kit.Panel{Body: split, Show: m.show, Keys: m.list.Focus}
	return m
}

// choose looks at the model of a point (its hash), in the table too.
func (m *modelsPart) choose(hash string) {
	m.list.Select(hash)
	m.list.OnSelect(m.list.Selected())
}

// show brings the part up to date.
func (m *modelsPart) show() {
	missing := page.Missing(m.p.view.Selection, m.p.view.withoutRun())
	if m.left.Hidden = len(missing) == 0 || m.p.Start == nil; len(missing) > 0 {
		m.left.Offer(missing[0].Text, true, missing[0].Runs...)
	}
	m.list.Table = m.p.view.table()
	m.list.Set(m.p.view.Rows)
	m.list.Select(m.p.view.selected)
	m.Body.Refresh()
}
