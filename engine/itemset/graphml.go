package itemset

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"
)

// The elements of GraphML (http://graphml.graphdrawing.org).
type (
	graphML struct {
		XMLName xml.Name     `xml:"graphml"`
		Space   string       `xml:"xmlns,attr"`
		Keys    []graphKey   `xml:"key"`
		Graph   graphContent `xml:"graph"`
	}
	graphKey struct {
		ID   string `xml:"id,attr"`
		For  string `xml:"for,attr"`
		Name string `xml:"attr.name,attr"`
		Type string `xml:"attr.type,attr"`
	}
	graphContent struct {
		ID      string      `xml:"id,attr"`
		Default string      `xml:"edgedefault,attr"`
		Data    []graphData `xml:"data"`
		Nodes   []graphNode `xml:"node"`
		Edges   []graphEdge `xml:"edge"`
	}
	graphNode struct {
		ID   string      `xml:"id,attr"`
		Data []graphData `xml:"data"`
	}
	graphEdge struct {
		Source string      `xml:"source,attr"`
		Target string      `xml:"target,attr"`
		Data   []graphData `xml:"data"`
	}
	graphData struct {
		Key   string `xml:"key,attr"`
		Value string `xml:",chardata"`
	}
)

// graphKeys are the numbers that the file carries; the id of a key is what it is for, a dot, and
// its name.
func graphKeys() []graphKey {
	var keys []graphKey
	for _, k := range [][3]string{
		{"graph", "transactions", "int"},
		{"graph", "min_support", "double"},
		{"graph", "min_confidence", "double"},
		{"graph", "hash", "string"},
		{"node", "label", "string"},
		{"node", "count", "int"},
		{"node", "support", "double"},
		{"edge", "weight", "double"},
		{"edge", "count", "int"},
		{"edge", "support", "double"},
		{"edge", "confidence", "double"},
		{"edge", "lift", "double"},
		{"edge", "edited", "boolean"},
	} {
		keys = append(keys, graphKey{ID: k[0] + "." + k[1], For: k[0], Name: k[1], Type: k[2]})
	}
	return keys
}

// WriteGraphML writes the graph for graph programs, see WriteJSON. An edge's weight is its
// confidence, by the name that those programs look for; what nobody counted is left out. Graph
// programs call a node by its label, which is its name again.
func (o Ontology) WriteGraphML(w io.Writer) error {
	number := func(key string, v float64) graphData {
		return graphData{key, result.Number.Write(v)}
	}
	content := graphContent{ID: "ontology", Default: "directed", Data: []graphData{
		{"graph.transactions", strconv.Itoa(o.Transactions)},
		number("graph.min_support", o.MinSupport), number("graph.min_confidence", o.MinConfidence),
		{"graph.hash", o.Hash},
	}}
	for _, item := range o.Nodes {
		node := graphNode{ID: o.Names[item], Data: []graphData{
			{"node.label", o.Names[item]}, {"node.count", strconv.Itoa(o.Counts[item])},
		}}
		if o.Transactions > 0 {
			node.Data = append(node.Data, number("node.support", float64(o.Counts[item])/float64(o.Transactions)))
		}
		content.Nodes = append(content.Nodes, node)
	}
	for _, e := range o.Edges {
		edge := graphEdge{
			Source: o.Names[e.From], Target: o.Names[e.To], Data: []graphData{number("edge.weight", e.Weight)},
		}
		if support := o.Support(e); !math.IsNaN(support) {
			edge.Data = append(edge.Data, graphData{"edge.count", strconv.Itoa(e.Count)},
				number("edge.support", support))
		}
		edge.Data = append(edge.Data, number("edge.confidence", e.Weight))
		if lift := o.Lift(e); !math.IsNaN(lift) {
			edge.Data = append(edge.Data, number("edge.lift", lift))
		}
		edge.Data = append(edge.Data, graphData{"edge.edited", strconv.FormatBool(e.Edited)})
		content.Edges = append(content.Edges, edge)
	}
	data, err := xml.MarshalIndent(graphML{
		Space: "http://graphml.graphdrawing.org/xmlns", Keys: graphKeys(),
		Graph: content,
	}, "", " ")
	if err == nil {
		_, err = w.Write(slices.Concat([]byte(xml.Header), data, []byte("\n")))
	}
	if err != nil {
		return fmt.Errorf("write ontology as GraphML: %w", err)
	}
	return nil
}
