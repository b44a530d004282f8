package graph

import (
	"context"
	"fmt"
	"sync"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// counts are what an ontology would have: the preview of the form.
type counts struct {
	record                            store.OntologyRecord // with the names of the classes left out
	classes                           []string
	images, nodes, edges, sets, rules int
	unmined                           error // why itemsets and rules are not counted; the graph is there nevertheless
}

// counter counts, again and again on the same table. It is used by several goroutines.
type counter struct {
	ws    *store.Workspace
	mu    sync.Mutex
	hash  string
	table background.Table
}

func (c *counter) read(hash string) (background.Table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hash == c.hash {
		return c.table, nil
	}
	table, err := c.ws.Keywords(hash)
	if err == nil {
		c.hash, c.table = hash, table
	}
	return table, err
}

// count makes the graph of a record, and counts itemsets and rules.
func (c *counter) count(ctx context.Context, r store.OntologyRecord) (n counts, err error) {
	table, err := c.read(r.Table)
	if err != nil {
		return n, err
	}
	n.classes = table.Classes()
	r.Rule = r.Rule.Without(n.classes...)
	n.record = r
	keywords, err := table.Keywords(r.Rule)
	if err != nil {
		return n, err
	}
	graph, err := itemset.New(keywords.Items, keywords.Present, r.MinSupport, r.MinConfidence)
	if err == nil {
		graph, err = graph.With(r.Edits...)
	}
	if err != nil {
		return n, err
	}
	n.images, n.nodes, n.edges = graph.Transactions, len(graph.Nodes), len(graph.Edges)
	sets, rules, err := itemset.Associations(ctx, keywords.Present, len(keywords.Items), r.MinSupport, r.MinConfidence)
	if ctx.Err() != nil {
		return n, ctx.Err()
	}
	n.sets, n.rules, n.unmined = len(sets), len(rules), err
	return n, nil
}

// text says what there would be; ok is false where that is nothing.
func (n counts) text() (text string, ok bool) {
	if n.nodes == 0 {
		return fmt.Sprintf("The ontology would be empty: no keyword is in %s of the %s. Lower the least support.",
			result.Share.Say(n.record.MinSupport, 0), result.Counted(n.images, "image")), false
	}
	text = fmt.Sprintf("%s and %s of %s", result.Counted(n.nodes, "keyword"), result.Counted(n.edges, "edge"), result.Counted(n.images, "image"))
	if n.unmined != nil {
		return fmt.Sprintf("%s. Rules cannot be listed: %s", text, present.Sentence(n.unmined)), true
	}
	text = fmt.Sprintf("%s; %s, %s.", text, result.Counted(n.sets, "itemset"), result.Counted(n.rules, "rule"))
	if n.edges == 0 {
		text += " " + "Without edges nothing is expanded: lower the least support or the least confidence."
	}
	return text, true
}
