package itemset

import "io"

// Ontology is the graph of what goes with what: a node per frequent item, an edge A -> B with weight pr(B|A) where {A, B} is frequent
// and the confidence is high enough (spec/background.md section 3). A -> B and B -> A are separate edges; one may be there without the
// other. It is a value; With makes an edited one.
type Ontology struct {
	Names         []string `json:"names"`  // of all items, frequent or not
	Counts        []int    `json:"counts"` // transactions per item
	Transactions  int      `json:"transactions"`
	MinSupport    float64  `json:"min_support"`
	MinConfidence float64  `json:"min_confidence"`
	Nodes         []int    `json:"nodes"` // frequent items, ascending
	Edges         []Edge   `json:"edges"` // by From, then To
	// Hash names what the graph was made of: names, transactions, thresholds (not the edits).
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

// Edit is a change of the graph by hand: it sets an edge's weight, making the edge where there is none, or removes it.
type Edit struct {
	From   string  `json:"from"` // names
	To     string  `json:"to"`
	Weight float64 `json:"weight"` // (0, 1]; 0 removes the edge
	Note   string  `json:"note,omitempty"`
}

// New builds the ontology of transactions over the named items. The errors are those of Mine and of thresholds.
func New(names []string, transactions [][]int, minSupport, minConfidence float64) (Ontology, error) {
	panic("not built yet")
}

// With is the graph after further edits; o is left as it is. The error names an edit whose item is unknown, whose ends are the same or
// whose weight is not from 0 to 1. An edit may join items that are not frequent: they become nodes.
func (o Ontology) With(edits ...Edit) (Ontology, error) { panic("not built yet") }

// From are the edges that leave an item, by To. To are those that reach it, by From.
func (o Ontology) From(item int) []Edge { panic("not built yet") }

// To are the edges that reach an item, by From.
func (o Ontology) To(item int) []Edge { panic("not built yet") }

// Around is the part of the graph within hops edges of an item, in either direction: what a person looks at. Names and Counts stay whole.
func (o Ontology) Around(item, hops int) Ontology { panic("not built yet") }

// WriteJSON writes the graph as JSON, ReadOntology reads it back. WriteGraphML writes it for graph programs: node ids are names, edges
// carry support, confidence, lift and whether they were edited.
func (o Ontology) WriteJSON(w io.Writer) error { panic("not built yet") }

// WriteGraphML writes the graph for graph programs, see WriteJSON.
func (o Ontology) WriteGraphML(w io.Writer) error { panic("not built yet") }

// ReadOntology reads what WriteJSON wrote and checks it. Errors say what is wrong and where.
func ReadOntology(r io.Reader) (Ontology, error) { panic("not built yet") }
