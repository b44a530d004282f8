package graph

import (
	"context"
	"io"
	"strconv"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/figures"
)

// figure is the graph as it is saved.
func (p *Page) figure() figures.Figure {
	v := p.view
	network := render.OntologyNetwork(v.Shown)
	network.Title, network.Note = v.Record.Name, v.Caption()
	return figures.Figure{
		Name:  []string{v.Record.Name, "ontology"},
		Write: func(w io.Writer, format string) error { return network.Write(context.Background(), w, format) },
		CSV:   figures.TableCSV(v.edgesTable()),
	}
}

// edgesTable are all edges for a file, with names as in the table of keywords.
func (v *View) edgesTable() (head []string, rows [][]string) {
	for _, e := range v.Graph.Edges {
		rows = append(rows, []string{
			v.Graph.Names[e.From], v.Graph.Names[e.To], strconv.Itoa(e.Count), digits(e.Weight), strconv.FormatBool(e.Edited),
		})
	}
	return []string{"from", "to", "count", "weight", "edited"}, rows
}

// exportMenu offers the ontology for graph programs, its rules and itemsets as tables, and the
// picture of it.
func (p *Page) exportMenu() []*fyne.MenuItem {
	v := p.view
	graph, name, m, names := v.Graph, v.Record.Name, v.Mined, v.Graph.Names
	ask := func(text, format, what string, write func(w io.Writer) error) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.saver.Ask(figures.FileName(format, name, what), write) })
	}
	items := []*fyne.MenuItem{
		ask("Ontology as JSON…", "json", "ontology", graph.WriteJSON),
		ask("Ontology as GraphML…", "graphml", "ontology", graph.WriteGraphML),
		ask("Rules as CSV…", "csv", "rules", func(w io.Writer) error { return figures.TableCSV(rulesTable(names, m.Rules))(w) }),
		ask("Frequent itemsets as CSV…", "csv", "itemsets", func(w io.Writer) error {
			return figures.TableCSV(itemsetsTable(names, m.Sets, graph.Transactions))(w)
		}),
	}
	for _, item := range items[2:] {
		item.Disabled = v.mining || m.Err != nil
	}
	picture := fyne.NewMenuItem("Figure", nil)
	picture.ChildMenu = fyne.NewMenu("", p.saver.Entries(p.figure())...)
	return append(items, fyne.NewMenuItemSeparator(), picture)
}
