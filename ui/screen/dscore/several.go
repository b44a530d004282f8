package dscore

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// severalPage is the table of scores with several n side by side.
type severalPage struct {
	kit.Panel
	s    *Screen
	note *fynewidget.Label
	more *fynewidget.Button
	list *kit.Records[score.Several]
}

func newSeveral(s *Screen, host *kit.Host) *severalPage {
	p := &severalPage{s: s, note: fynewidget.NewLabel("")}
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.more = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { s.ask(p.more.Text, p.order()) })
	p.list = &kit.Records[score.Several]{
		Host: host, Table: score.SeveralTable(nil), Bare: true,
		OnSelect: func(one score.Several, ok bool) {
			if ok {
				s.models.list.Select(one.Model.Hash)
			}
		},
		OnOpen: func(one score.Several) { host.Inspect(one.Model.Hash) },
	}
	body := container.NewBorder(container.NewBorder(nil, nil, nil, p.more, p.note), nil, nil, nil, p.list.Object())
	p.Panel = kit.Panel{Body: body, Show: p.show, Keys: p.list.Focus, OnHidden: p.Changed} // marks may change meanwhile
	return p
}

// grids are those with t and masks of the grid that is looked at, where that is of all layers; else
// with those of all layers.
func (p *severalPage) grids() []score.Grid {
	d := p.s.data()
	return slices.DeleteFunc(slices.Clone(d.Grids), func(g score.Grid) bool {
		return g.T != d.Grid.T || !ofAllLayers(g) || takesSmall(g) != takesSmall(d.Grid) || behindNorm(g) != behindNorm(d.Grid)
	})
}

// rows are the compared models with these grids.
func (p *severalPage) rows(grids []score.Grid) []score.Several {
	var models []model.Model
	for _, r := range p.s.models.compared() {
		models = append(models, r.Model)
	}
	return score.SeveralOf(models, p.s.data().Rows, grids)
}

// sheet is what is saved.
func (p *severalPage) sheet() func() *result.Sheet {
	grids := p.grids()
	rows := p.rows(grids)
	return func() *result.Sheet { return score.SeveralTable(grids).Sheet(rows) }
}

// order is what the table lacks of the n of the paper's Table V.
func (p *severalPage) order() Order {
	d := p.s.data()
	o := usualOrder(d.Suite.Hash, d.withConvolution()).like(d.Grid)
	o.N, o.T = []int{2, 3, 4}, []int{d.Grid.T}
	for _, g := range p.grids() {
		o.N = slices.DeleteFunc(o.N, func(n int) bool { return n == g.N })
	}
	return o
}

func (p *severalPage) show() {
	grids := p.grids()
	rows := p.rows(grids)
	which := "all models of the table"
	if len(p.s.models.list.Marked()) > 0 {
		which = "the marked models"
	}
	p.note.SetText(fmt.Sprintf("%s, t = %d; %s. v_robust: the smaller the better; v_fitness and D-Score: the larger. "+
		"★ best, ☆ second-best.", result.Counted(len(rows), "model"), p.s.data().Grid.T, which))
	missing := p.order().N
	p.more.SetText("Compute n = " + numbers(missing))
	widget.Show(p.more, p.s.Start != nil && len(missing) > 0)
	p.list.Table = score.SeveralTable(grids)
	p.list.Set(rows)
	p.Body.Refresh()
}
