package itemset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ontology is the graph of what goes with what: a node per frequent item, an edge A -> B with
// weight pr(B|A) where {A, B} is frequent and the confidence is high enough (spec/background.md
// section 3). A -> B and B -> A are separate edges; one may be there without the other. It is a
// value; With makes an edited one.
type Ontology struct {
	Names         []string `json:"names"`  // of all items, frequent or not; no two alike
	Counts        []int    `json:"counts"` // transactions per item
	Transactions  int      `json:"transactions"`
	MinSupport    float64  `json:"min_support"`
	MinConfidence float64  `json:"min_confidence"`
	Nodes         []int    `json:"nodes"` // frequent items, ascending
	Edges         []Edge   `json:"edges"` // by From, then To
	// Hash names what the graph was made of: names, transactions, thresholds (not the edits). The
	// order of the items within a transaction does not matter to it, that of the transactions does.
	Hash string `json:"hash"`
	// Edits are the changes by hand that Edges already has in it, in their order.
	Edits []Edit `json:"edits,omitempty"`
}

// Edge leads from one item to another.
type Edge struct {
	From   int     `json:"from"`
	To     int     `json:"to"`
	Count  int     `json:"count"`  // transactions that hold both; 0 for an edge made by hand where nobody counted
	Weight float64 `json:"weight"` // pr(To|From)
	Edited bool    `json:"edited,omitempty"`
}

func (e Edge) compare(other Edge) int {
	return cmp.Or(cmp.Compare(e.From, other.From), cmp.Compare(e.To, other.To))
}

// Edit is a change of the graph by hand: it sets an edge's weight, making the edge where there is
// none, or removes it.
type Edit struct {
	From   string  `json:"from"` // names
	To     string  `json:"to"`
	Weight float64 `json:"weight"` // (0, 1]; 0 removes the edge
	Note   string  `json:"note,omitempty"`
}

// maxNodes is how many frequent items an ontology has at most: all pairs of them are counted. A
// keyword list has some hundreds.
const maxNodes = 5000

// New builds the ontology of transactions over the named items. The errors are those of Mine and of
// thresholds; names that are empty or used twice, and more than 5,000 frequent items are errors
// too. Only pairs are counted, so that it takes no longer where many items go together.
func New(names []string, transactions [][]int, minSupport, minConfidence float64) (Ontology, error) {
	o := Ontology{
		Names: slices.Clone(names), Transactions: len(transactions), MinSupport: minSupport,
		MinConfidence: minConfidence, Nodes: []int{}, Edges: []Edge{},
	}
	if err := o.checkSettings(); err != nil {
		return Ontology{}, fmt.Errorf("build ontology: %w", err)
	}
	c, err := count(transactions, len(names))
	if err != nil {
		return Ontology{}, fmt.Errorf("build ontology: %w", err)
	}
	o.Counts = c.counts
	least := leastCount(len(transactions), minSupport)
	for item, n := range c.counts {
		if n >= least {
			o.Nodes = append(o.Nodes, item)
		}
	}
	if len(o.Nodes) > maxNodes {
		return Ontology{}, fmt.Errorf("build ontology: %d items reach the minimum support %g, and %d are "+
			"possible: raise it", len(o.Nodes), minSupport, maxNodes)
	}
	o.join(c, least)
	o.Hash = o.hash(c.transactions)
	return o, nil
}

// checkSettings refuses thresholds out of range, and names that are empty or not unique.
func (o Ontology) checkSettings() error {
	if err := checkSupport(o.MinSupport); err != nil {
		return err
	}
	if err := checkConfidence(o.MinConfidence); err != nil {
		return err
	}
	seen := make(map[string]int, len(o.Names))
	for item, name := range o.Names {
		if name == "" {
			return fmt.Errorf("item %d has no name", item)
		}
		if !utf8.ValidString(name) || strings.ContainsFunc(name, unwritable) {
			return fmt.Errorf("item %d is called %q: names are letters that files can hold", item, name)
		}
		if other, twice := seen[name]; twice {
			return fmt.Errorf("items %d and %d are both called %q: join them to one", other, item, name)
		}
		seen[name] = item
	}
	return nil
}

// unwritable tells of letters that XML has no place for.
func unwritable(r rune) bool { return unicode.IsControl(r) || r == 0xfffe || r == 0xffff }

// join counts the pairs of nodes and makes the edges.
func (o *Ontology) join(c counted, least int) {
	place := make([]int, len(o.Names)) // among the nodes, -1 for none
	for item := range place {
		place[item] = -1
	}
	for k, item := range o.Nodes {
		place[item] = k
	}
	n := len(o.Nodes)
	pairs := make([]int32, n*n) // above the diagonal
	var here []int
	for _, list := range c.transactions {
		here = here[:0]
		for _, item := range list {
			if place[item] >= 0 {
				here = append(here, place[item])
			}
		}
		for k, a := range here {
			row := pairs[a*n : (a+1)*n]
			for _, b := range here[k+1:] {
				row[b]++
			}
		}
	}
	for a, from := range o.Nodes {
		for b, to := range o.Nodes {
			both := int(pairs[min(a, b)*n+max(a, b)])
			if a != b && both >= least && confident(both, o.Counts[from], o.MinConfidence) {
				o.Edges = append(o.Edges, Edge{
					From: from, To: to, Count: both, Weight: float64(both) / float64(o.Counts[from]),
				})
			}
		}
	}
}

// hash names what the graph is made of.
func (o Ontology) hash(transactions [][]int) string {
	h := sha256.New()
	buffer := []byte("ontology 1\n")
	number := func(n int) { buffer = binary.AppendUvarint(buffer, uint64(n)) }
	number(len(o.Names))
	for _, name := range o.Names {
		number(len(name))
		buffer = append(buffer, name...)
	}
	buffer = binary.BigEndian.AppendUint64(buffer, math.Float64bits(o.MinSupport))
	buffer = binary.BigEndian.AppendUint64(buffer, math.Float64bits(o.MinConfidence))
	number(len(transactions))
	for _, list := range transactions {
		number(len(list))
		for _, item := range list {
			number(item)
		}
		h.Write(buffer)
		buffer = buffer[:0]
	}
	h.Write(buffer)
	return hex.EncodeToString(h.Sum(nil))
}

// With is the graph after further edits; o is left as it is. The error names an edit whose item is
// unknown, whose ends are the same or whose weight is not from 0 to 1. An edit may join items that
// are not frequent: they become nodes. One that removes an edge which is not there is recorded and
// changes nothing else.
func (o Ontology) With(edits ...Edit) (Ontology, error) {
	items := o.items()
	o.Nodes, o.Edges, o.Edits = slices.Clone(o.Nodes), slices.Clone(o.Edges), slices.Clone(o.Edits)
	for _, edit := range edits {
		e, err := edit.edge(items)
		if err != nil {
			return Ontology{}, fmt.Errorf("edit ontology: %w", err)
		}
		o.put(e)
		o.Edits = append(o.Edits, edit)
	}
	return o, nil
}

// items are the numbers of all items by their names.
func (o Ontology) items() map[string]int {
	items := make(map[string]int, len(o.Names))
	for item, name := range o.Names {
		items[name] = item
	}
	return items
}

// edge is the edge that an edit makes, of weight 0 where it removes one.
func (e Edit) edge(items map[string]int) (Edge, error) {
	ends := [2]int{}
	for k, name := range []string{e.From, e.To} {
		item, ok := items[name]
		if !ok {
			return Edge{}, fmt.Errorf("the edge from %q to %q: no item is called %q", e.From, e.To, name)
		}
		ends[k] = item
	}
	if ends[0] == ends[1] {
		return Edge{}, fmt.Errorf("the edge from %q to %q: it must lead to another item", e.From, e.To)
	}
	if !(e.Weight >= 0 && e.Weight <= 1) {
		return Edge{}, fmt.Errorf("the edge from %q to %q has the weight %g: it must be from 0 (no edge) to 1", e.From,
			e.To, e.Weight)
	}
	return Edge{From: ends[0], To: ends[1], Weight: e.Weight, Edited: true}, nil
}

// put sets or removes an edge; what was counted of it stays known.
func (o *Ontology) put(e Edge) {
	at, there := slices.BinarySearchFunc(o.Edges, e, Edge.compare)
	switch {
	case e.Weight == 0 && there:
		o.Edges = slices.Delete(o.Edges, at, at+1)
	case e.Weight == 0:
	case there:
		e.Count = o.Edges[at].Count
		o.Edges[at] = e
	default:
		o.Edges = slices.Insert(o.Edges, at, e)
		o.addNode(e.From)
		o.addNode(e.To)
	}
}

func (o *Ontology) addNode(item int) {
	if at, there := slices.BinarySearch(o.Nodes, item); !there {
		o.Nodes = slices.Insert(o.Nodes, at, item)
	}
}

// From are the edges that leave an item, by To.
func (o Ontology) From(item int) []Edge {
	start, _ := slices.BinarySearchFunc(o.Edges, item, func(e Edge, item int) int { return cmp.Compare(e.From, item) })
	end := start
	for end < len(o.Edges) && o.Edges[end].From == item {
		end++
	}
	return slices.Clone(o.Edges[start:end])
}

// To are the edges that reach an item, by From.
func (o Ontology) To(item int) []Edge {
	var list []Edge
	for _, e := range o.Edges {
		if e.To == item {
			list = append(list, e)
		}
	}
	return list
}

// Support is the share of the transactions that hold both ends of an edge, Lift its weight over the
// share of those that hold To: how many times as often To is there as it is on average. NaN where
// nobody counted.
func (o Ontology) Support(e Edge) float64 {
	if e.Count == 0 || o.Transactions == 0 {
		return math.NaN()
	}
	return float64(e.Count) / float64(o.Transactions)
}

// Lift is that of an edge, see Support.
func (o Ontology) Lift(e Edge) float64 {
	if e.To < 0 || e.To >= len(o.Counts) || o.Counts[e.To] == 0 {
		return math.NaN()
	}
	return e.Weight / (float64(o.Counts[e.To]) / float64(o.Transactions))
}
