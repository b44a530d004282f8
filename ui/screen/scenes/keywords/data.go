package keywords

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Data is what the page shows of a subject. It is immutable.
type Data struct {
	Suites int                // that the workspace has
	Record store.KeywordTable // without a hash: there is no table
	Table  background.Table
	Places []scenes.Place            // of the table's rows
	Homes  map[string]suite.Manifest // the suites that have some of them, by hash
	Graph  Graph                     // what keywords are expanded with
}

// Graph is the ontology of the subject, with the keywords that it was made of.
type Graph struct {
	Record   store.OntologyRecord // without an ID: there is none of this table
	Ontology itemset.Ontology
	Keywords background.Keywords
}

// read reads a subject. An ontology of another table is none.
func read(ctx context.Context, ws *store.Workspace, s page.Subject) (d Data, err error) {
	list, err := ws.Suites()
	if err != nil {
		return d, err
	}
	d.Suites = len(list)
	tables, err := ws.KeywordTables()
	if err != nil {
		return d, err
	}
	at := slices.IndexFunc(tables, func(t store.KeywordTable) bool { return t.Hash == s.Table })
	if at < 0 {
		return d, nil
	}
	d.Record = tables[at]
	if d.Table, err = ws.Keywords(s.Table); err != nil {
		return d, err
	}
	if err := d.find(ctx, ws, list); err != nil {
		return d, err
	}
	ontologies, err := ws.Ontologies()
	if err != nil {
		return d, err
	}
	for _, o := range ontologies {
		if o.ID == s.Ontology && o.Table == s.Table {
			d.Graph.Record = o
			d.Graph.Ontology, _, d.Graph.Keywords, err = scenes.Ontology(ws, o)
		}
	}
	return d, err
}

// find finds the table's images.
func (d *Data) find(ctx context.Context, ws *store.Workspace, list []suite.Manifest) error {
	var whole []suite.Manifest
	for _, m := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.Derived != nil {
			continue
		}
		m, err := ws.Suite(m.Hash)
		if err != nil {
			return err
		}
		whole = append(whole, m)
	}
	slices.Reverse(whole) // the newest first
	d.Places = scenes.Places(d.Table, whole)
	d.Homes = map[string]suite.Manifest{}
	for _, p := range d.Places {
		if _, known := d.Homes[p.Suite]; known || p.Suite == "" {
			continue
		}
		at := slices.IndexFunc(whole, func(m suite.Manifest) bool { return m.Hash == p.Suite })
		d.Homes[p.Suite] = whole[at]
	}
	return nil
}

// key names what a rule belongs to: table and ontology.
func (d Data) key() [2]string { return [2]string{d.Record.Hash, d.Graph.Record.ID} }

// usualRule is the rule that a table is looked at with at first: that of its ontology, else the
// paper's, without the classes of its targets.
func (d Data) usualRule() background.Rule {
	if d.Graph.Record.ID != "" {
		return d.Graph.Record.Rule
	}
	return background.PaperRule().Without(d.Table.Classes()...)
}

// Counted is a table under a rule. It is immutable.
type Counted struct {
	Rule     background.Rule
	Keywords background.Keywords
	Counts   background.KeywordCounts
}

func count(t background.Table, rule background.Rule) (c Counted, err error) {
	c.Rule = rule
	if c.Keywords, err = t.Keywords(rule); err == nil {
		c.Counts = c.Keywords.Count(t)
	}
	return c, err
}
