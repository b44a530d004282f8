package graph

import (
	"io"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
)

// figure is the graph as it is saved.
func (p *Page) figure() result.Figure {
	f := p.view.Shown.Figure(p.places().spots, itemset.Look{})
	f.Title, f.Note = p.view.Record.Name, p.view.Caption()
	return f
}

// exportMenu offers the ontology for graph programs, its rules and itemsets as tables, and the
// picture of it.
func (p *Page) exportMenu() []*fyne.MenuItem {
	graph, name := p.view.Graph, p.view.Record.Name
	m, found := p.mined()
	ask := func(text, format, what string, write func(w io.Writer) error) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.Saver().Ask(figures.FileName(format, name, what), write) })
	}
	items := []*fyne.MenuItem{
		ask("Ontology as JSON…", "json", "ontology", graph.WriteJSON),
		ask("Ontology as GraphML…", "graphml", "ontology", graph.WriteGraphML),
		ask("Rules as CSV…", "csv", "rules", func(w io.Writer) error {
			return itemset.RuleTable.Sheet(itemset.NameRules(m.Rules, m.names)).CSV(w, false)
		}),
		ask("Frequent itemsets as CSV…", "csv", "itemsets", func(w io.Writer) error {
			return itemset.SetTable.Sheet(itemset.NameSets(m.Sets, graph.Transactions, m.names)).CSV(w, false)
		}),
	}
	for _, item := range items[2:] {
		item.Disabled = !found || m.Err != nil
	}
	picture := fyne.NewMenuItem("Figure", nil)
	picture.ChildMenu = fyne.NewMenu("", p.graph.net.Entries()...)
	picture.Disabled = p.places().spots == nil
	return append(items, fyne.NewMenuItemSeparator(), picture)
}
