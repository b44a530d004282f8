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
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// severalPage is the table of scores with several n side by side, and below it the scores over a
// column of the training records, with the grid that is looked at.
type severalPage struct {
	kit.Panel
	s     *Screen
	note  *fynewidget.Label
	more  *fynewidget.Button
	list  *kit.Records[score.Several]
	over  *kit.Form[score.OverOption]
	chart *kit.Figure
}

func newSeveral(s *Screen, host *kit.Host) *severalPage {
	p := &severalPage{s: s, note: fynewidget.NewLabel("")}
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.more = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { s.ask(p.more.Text, p.order()) })
	p.list = &kit.Records[score.Several]{
		Host: host, Table: score.SeveralTable(nil), Plain: true,
		OnSelect: func(one score.Several, ok bool) {
			if ok {
				s.models.list.Select(one.Model.Hash)
			}
		},
		OnOpen: func(one score.Several) { host.Inspect(one.Model.Hash) },
	}
	p.over = &kit.Form[score.OverOption]{Host: host, Choices: p.columns, OnChange: func(score.OverOption) { p.draw() }}
	p.over.Make()
	p.chart = &kit.Figure{
		Host: host, Name: func() []string { return []string{"dscore-over", p.over.Options().Over} }, Command: p.command,
		OnTap: func(hash string) { s.models.list.Select(hash) },
	}
	split := container.NewVSplit(p.list.Object(), container.NewBorder(p.over.Object(), nil, nil, nil, p.chart.Object()))
	body := container.NewBorder(container.NewBorder(nil, nil, nil, p.more, p.note), nil, nil, nil, split)
	p.Panel = kit.Panel{Body: body, Show: p.show, Keys: p.list.Focus, OnHidden: p.Changed} // marks may change meanwhile
	return p
}

// grids are those with t and masks of the grid that is looked at, where that is of all layers; else
// with those of all layers.
func (p *severalPage) grids() []score.Grid {
	d := p.s.data()
	return slices.DeleteFunc(slices.Clone(d.Grids), func(g score.Grid) bool {
		return g.T != d.Grid.T || !ofAllLayers(g) || takesSmall(g) != takesSmall(d.Grid) ||
			behindNorm(g) != behindNorm(d.Grid)
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

// columns are those that scores with the grid that is looked at can be drawn over.
func (p *severalPage) columns(string) (list []kit.Option, first string) {
	var models []model.Model
	for _, r := range p.s.data().rows() {
		models = append(models, r.Model)
	}
	for _, name := range score.OverColumns(models) {
		list = append(list, kit.Option{Key: name, Name: name})
	}
	if list == nil {
		return []kit.Option{{Name: "no column with numbers"}}, ""
	}
	return list, list[0].Key
}

// scoresOver are the scores of the compared models over the chosen column, with the grid that is
// looked at.
func (p *severalPage) scoresOver() []score.Over {
	compared := p.s.models.compared() // their records may be those of before
	now := slices.DeleteFunc(p.s.data().rows(), func(r Row) bool {
		return !slices.ContainsFunc(compared, func(one Row) bool { return one.Model.Hash == r.Model.Hash })
	})
	rows, _ := score.OverOf(now, p.over.Options().Over) // that none has a number is seen
	return rows
}

// command is the command that makes the figure of scores over a column.
func (p *severalPage) command() string {
	d, rows := p.s.data(), p.scoresOver()
	if len(rows) == 0 {
		return ""
	}
	o := exactly(d.Grid)
	o.Suite, o.OverOption = []string{d.Suite.Name}, p.over.Options()
	for _, r := range rows {
		o.Models = append(o.Models, r.Model.ID)
	}
	return option.Command([]string{"variscope", "dscore", p.s.store.Path()}, &o)
}

// draw draws the scores over the chosen column.
func (p *severalPage) draw() {
	column := p.over.Options().Over
	figure := result.Figure{Empty: "no training record of these models has a number in a column; " +
		"import records with one, such as p"}
	if column != "" {
		figure.Empty = "no training record of these models has a number in the column " + column
	}
	if list := score.OverFigures(p.scoresOver(), column); len(list) > 0 {
		figure = list[0]
	}
	p.chart.Set(figure)
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
	p.note.SetText(fmt.Sprintf("%s, t = %d; %s. Unevenness: the smaller the better; fitness and D-Score: the larger. "+
		"★ best, ☆ second-best.", result.Counted(len(rows), "model"), p.s.data().Grid.T, which))
	missing := p.order().N
	p.more.SetText("Compute n = " + numbers(missing))
	widget.Show(p.more, p.s.Start != nil && len(missing) > 0)
	p.list.Table = score.SeveralTable(grids)
	p.list.Set(rows)
	p.over.Offer()
	p.draw()
	p.Body.Refresh()
}
