package graph

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Data is one ontology with what belongs to it. Without Has there is none of the table that is
// looked at.
type Data struct {
	Tables   []store.KeywordTable // oldest first
	Names    []string             // of all ontologies
	Table    store.KeywordTable   // the one that is looked at
	Record   store.OntologyRecord
	Has      bool
	Fault    error            // why the record has no graph
	Graph    itemset.Ontology // with the edits; names as in the table
	Shown    itemset.Ontology // the same with names for people
	names    *itemset.Names
	Present  [][]int  // the keywords of each image
	Classes  []string // of the targets: words that are never keywords
	Selected []origin // the selections that were chosen by this making
	known    origins  // of all selections
}

// origin is what a selection of scenes was chosen by.
type origin struct {
	name, table, ontology string
	edits                 int
}

// origins are those of selections by their hashes; a selection never changes but in its name.
type origins map[string]origin

// read reads what the page shows. known are origins that were read before.
func read(ctx context.Context, ws *store.Workspace, subject page.Subject, known origins) (d Data, err error) {
	d.known = known
	if d.Tables, err = ws.KeywordTables(); err != nil {
		return d, err
	}
	list, err := ws.Ontologies()
	if err != nil {
		return d, err
	}
	for _, t := range d.Tables {
		if t.Hash == subject.Table {
			d.Table = t
		}
	}
	for _, o := range list {
		d.Names = append(d.Names, o.Name)
		if o.ID == subject.Ontology && o.Table == subject.Table {
			d.Record, d.Has = o, true
		}
	}
	if !d.Has {
		return d, nil
	}
	graph, table, keywords, err := scenes.Ontology(ws, d.Record)
	if err != nil {
		d.Fault = err
		return d, ctx.Err()
	}
	d.Graph, d.Shown, d.Present, d.names = graph, graph, keywords.Present, background.KeywordNames(graph.Names)
	d.Shown.Names = d.names.People
	d.Classes = table.Classes()
	if d.known, err = readOrigins(ctx, ws, known); err != nil {
		return d, err
	}
	for _, o := range d.known {
		if o.table == d.Record.Table && o.ontology == graph.Hash {
			d.Selected = append(d.Selected, o)
		}
	}
	slices.SortFunc(d.Selected, func(a, b origin) int { return result.Natural(a.name, b.name) })
	return d, nil
}

// readOrigins are the origins of all selections that there are.
func readOrigins(ctx context.Context, ws *store.Workspace, known origins) (origins, error) {
	list, err := ws.Selections()
	if err != nil {
		return nil, err
	}
	all := make(origins, len(list))
	for _, r := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o, ok := known[r.Hash]
		if !ok {
			whole, err := ws.Selection(r.Hash)
			if err != nil {
				return nil, err
			}
			o = origin{table: whole.Selection.Table, ontology: whole.Selection.Ontology, edits: whole.Selection.Edits}
		}
		o.name = r.Name
		all[r.Hash] = o
	}
	return all, nil
}
