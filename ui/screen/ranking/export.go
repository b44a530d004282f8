package ranking

import (
	"io"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/widget"
)

// openExport offers the files of the ranking, with all that was studied of it.
func (f *face) openExport() {
	doc := f.written().Document(f.s.view.asked())
	items := []*fyne.MenuItem{fyne.NewMenuItem("Everything (JSON)…",
		func() { f.s.saver.Ask("ranking.json", doc.JSON) })}
	for _, sheet := range doc.Sheets {
		items = append(items, fyne.NewMenuItem(sheet.Title+" (CSV)…", func() {
			f.s.saver.Ask(sheet.Name+".csv", func(w io.Writer) error { return sheet.CSV(w, false) })
		}))
	}
	widget.PopUpBelow(f.export, f.s.deps.Window.Canvas(), items...)
}

// written is the ranking as files hold it, with what the pages have measured.
func (f *face) written() rank.Rankings {
	r := f.s.view.Rankings()
	if f.budget.got != nil {
		r.Curves = f.budget.got.Curves
	}
	r.Impact, r.Conditions = f.conditions.impact.points, f.conditions.got.Rows
	return r
}

// Rankings are the answer as files hold it.
func (v *View) Rankings() rank.Rankings {
	m := v.Material
	on := v.on()
	on.Corruption, on.Severity = derive.Kind(m.Source.Change)
	return rank.Rankings{
		On: []*rank.OnSuite{on}, Data: v.Data, SampleNames: m.Samples,
		ClassNames: m.Classes, LeftOut: m.Left,
	}
}

// asked is the answer's settings as the command line has them.
func (v *View) asked() rank.Asked {
	a := rank.Asked{
		Suite: v.Material.Source.Name, Truth: string(v.Material.Truth), Family: v.Material.Family,
		Options: v.Settings.options(),
	}
	a.Top = v.Board.TopK
	if len(v.Settings.Without) > 0 {
		for _, m := range v.Board.Models {
			a.Models = append(a.Models, m.ID)
		}
	}
	return a
}

// openSave offers the matrix of the rankers' agreement as a figure or as numbers.
func (p *rankersPage) openSave() {
	m := p.measure.chosen()
	c := p.s.view.coefficients(m)
	widget.PopUpBelow(p.save, p.s.deps.Window.Canvas(), p.s.saver.Entries(figures.Figure{
		Name: []string{"rank_correlation", m.Key, p.s.view.Material.Source.Name}, Write: c.Write,
		CSV: figures.CoefficientsCSV(c),
	})...)
}
