package graph

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// rulesPane is the table of rules.
type rulesPane struct {
	p       *Page
	filter  *widget.Entry
	only    *fynewidget.Check
	caption *fynewidget.Label
	again   *fynewidget.Button // finds rules after a cancel
	table   *widget.Table
	below   *fyne.Container
	object  fyne.CanvasObject
}

func newRulesPane(p *Page) *rulesPane {
	r := &rulesPane{p: p, caption: cut()}
	v := p.view
	var list fyne.CanvasObject
	r.table, list = listed(p, ruleColumns, func() int { return len(v.rows) }, v.RuleCell)
	r.table.OnRow = func(row int) { p.deps.Host.Say(v.RuleText(row)) }
	r.table.OnOpen = func(row int) {
		if rule, ok := v.rule(row); ok {
			p.choose(rule.Antecedent[0])
		}
	}
	r.table.OnSort = func(col int) {
		v.SortRules(col)
		p.list()
	}
	r.filter = widget.NewEntry()
	r.filter.SetPlaceHolder("Filter: sea  -boat  lift>2")
	r.filter.OnChanged = func(text string) {
		v.filter = text
		p.list()
	}
	focus := func() { p.deps.Host.Window.Canvas().Focus(r.table) }
	r.filter.OnSubmitted = func(string) { focus() }
	r.filter.OnEscape = focus
	r.table.OnRune = func(typed rune) { // begins to filter
		if typed != ' ' {
			p.deps.Host.Window.Canvas().Focus(r.filter)
			r.filter.TypedRune(typed)
		}
	}
	r.only = fynewidget.NewCheck("of the chosen keyword", func(on bool) {
		v.only = on
		p.list()
	})
	r.again = fynewidget.NewButtonWithIcon("Find rules", theme.ViewRefreshIcon(), p.mineAgain)
	r.again.Hide()
	r.below = container.NewBorder(nil, nil, nil, r.again, r.caption)
	head := container.NewVBox(container.NewBorder(nil, nil, nil, r.only, r.filter), r.below)
	r.object = container.NewBorder(head, nil, nil, nil, list)
	return r
}

// show brings the table up to date.
func (r *rulesPane) show() {
	v := r.p.view
	r.caption.SetText(v.RulesCaption())
	r.again.Hidden = v.mining || !present.Cancelled(v.Mined.Err)
	r.below.Refresh()
	r.named()
	r.table.SelectRow(-1)
	r.table.SetSort(v.rules.column, v.rules.descending)
	r.table.Reload()
}

// named lets rules of one keyword be asked for where one is chosen.
func (r *rulesPane) named() { widget.Enable(r.only, r.p.view.chosen >= 0 || r.only.Checked) }
