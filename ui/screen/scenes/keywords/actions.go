package keywords

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// askKeywords opens the dialog that brings a table; what it brings is looked at.
func (p *Page) askKeywords() {
	d := p.site
	dialogs.KeywordsDialog(d.Host, d.Workspace, d.Runtime, func(t store.KeywordTable) {
		if !p.gone {
			d.Choose(page.Subject{Table: t.Hash, Ontology: p.subject.Ontology, Selection: p.subject.Selection})
		}
	})
}

// askMasks opens the dialog of masks, of the suite of the table's targets.
func (p *Page) askMasks() {
	suite := ""
	for row, place := range p.view.Places {
		if place.Suite != "" && p.view.Table.Rows[row].Kind == "target" {
			suite = place.Suite
			break
		}
	}
	dialogs.MasksDialog(p.site.Host, p.site.Workspace, p.site.Runtime, suite)
}

// tableMenu is what can be done with the table.
func (p *Page) tableMenu() []*fyne.MenuItem {
	record, table := p.view.Record, p.view.Table
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Export as CSV…", func() {
			p.Saver().Ask(figures.FileName("csv", record.Name), table.WriteTable)
		}),
		fyne.NewMenuItem("Make an ontology…", func() { p.site.Open(page.Ontology, p.subject) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Remove…", func() { p.askRemove(record) }),
	}
}

// askRemove removes a table after a question. One that something rests on stays, which is said.
func (p *Page) askRemove(record store.KeywordTable) {
	p.Confirm("Remove table", fmt.Sprintf("Remove the keyword table %s from the workspace?", record.Name),
		"Remove", fynewidget.DangerImportance,
		func() { p.remove(record) })
}

func (p *Page) remove(record store.KeywordTable) {
	p.Work.Quiet("remove keyword table", func(context.Context) error {
		return p.site.Workspace.RemoveKeywords(record.Hash)
	}, func(err error) {
		switch {
		case err == nil:
			p.Say(fmt.Sprintf("removed %s", record.Name))
		case !errors.Is(err, jobs.ErrClosed):
			p.Fail(err)
		}
	})
}
