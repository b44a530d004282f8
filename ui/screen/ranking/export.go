package ranking

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/widget"
)

// openExport offers the files of the ranking, with all that was studied of it.
func (f *face) openExport() {
	var items []*fyne.MenuItem
	for _, file := range f.written().Files() {
		items = append(items, fyne.NewMenuItem(fileTitle(file.Name), func() { f.s.saver.Ask(file.Name, file.Write) }))
	}
	widget.PopUpBelow(f.export, f.s.deps.Window.Canvas(), items...)
}

// fileTitle is what a file of a ranking holds, for people.
func fileTitle(name string) string {
	switch name {
	case "ranking.csv":
		return "Ranking (CSV)…"
	case "ranking.json":
		return "Everything (JSON)…"
	case "quality.csv":
		return "Quality of the rankers (CSV)…"
	case "rank_correlation.csv":
		return "Rank correlations (CSV)…"
	case "hard_images.csv":
		return "Hard images (CSV)…"
	case "curves.csv":
		return "Curves over the budget (CSV)…"
	case "impact.csv":
		return "Impact of models and images (CSV)…"
	case "conditions.csv":
		return "Conditions of suites (CSV)…"
	}
	return name
}

// written is the ranking as files hold it, with what the pages have measured.
func (f *face) written() export.Rankings {
	r := f.s.view.Rankings()
	if f.budget.got != nil {
		r.Curves = f.budget.got.Curves
	}
	r.Impact, r.Conditions = f.conditions.impact.points, f.conditions.got.Rows
	return r
}

// Rankings are the answer as files hold it.
func (v *View) Rankings() export.Rankings {
	m := v.Material
	r := export.Rankings{
		Source: m.Source.Name, Classes: v.Data.Classes, Board: v.Board, SampleNames: m.Samples, ClassNames: m.Classes, Truth: v.Data.Truth,
	}
	for _, l := range m.Left {
		r.LeftOut = append(r.LeftOut, export.RankLeftOut{ID: l.ID, Reason: l.Reason})
	}
	return r
}

// openSave offers the matrix of the rankers' agreement as a figure or as numbers.
func (p *rankersPage) openSave() {
	m := p.measure.chosen()
	c := p.s.view.coefficients(m)
	widget.PopUpBelow(p.save, p.s.deps.Window.Canvas(), p.s.saver.Entries(figures.Figure{
		Name: []string{"rank_correlation", m.Kind, p.s.view.Material.Source.Name}, Write: c.Write, CSV: figures.CoefficientsCSV(c),
	})...)
}
