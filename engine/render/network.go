package render

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/itemset"
)

// NetworkNode is a node of a Network: its name, and how often it occurs.
type NetworkNode struct {
	Name  string
	Count int
}

// NetworkLink leads from one node to another, with a weight in (0, 1].
type NetworkLink struct {
	From, To int // indices of nodes
	Weight   float64
	Marked   bool // made or changed by hand
}

// Network is a directed graph as a picture: nodes as large as their counts, links as strong as their weights.
type Network struct {
	Title, Note string
	Nodes       []NetworkNode
	Links       []NetworkLink
}

// OntologyNetwork is an ontology as a network: a node per node, a link per edge, both in their order.
func OntologyNetwork(o itemset.Ontology) Network {
	n := Network{Nodes: make([]NetworkNode, len(o.Nodes)), Links: make([]NetworkLink, len(o.Edges))}
	for k, item := range o.Nodes {
		n.Nodes[k] = NetworkNode{Name: o.Names[item], Count: o.Counts[item]}
	}
	for k, e := range o.Edges {
		from, _ := slices.BinarySearch(o.Nodes, e.From)
		to, _ := slices.BinarySearch(o.Nodes, e.To)
		n.Links[k] = NetworkLink{From: from, To: to, Weight: e.Weight, Marked: e.Edited}
	}
	return n
}

// Check refuses links between nodes that there are not, from a node to itself, or with a weight outside of (0, 1], and counts below 0.
func (n Network) Check() error {
	for k, node := range n.Nodes {
		if node.Count < 0 {
			return fmt.Errorf("draw network %q: node %d (%s) has a count of %d", n.Title, k, node.Name, node.Count)
		}
	}
	for k, l := range n.Links {
		if min(l.From, l.To) < 0 || max(l.From, l.To) >= len(n.Nodes) || l.From == l.To {
			return fmt.Errorf("draw network %q: link %d leads from node %d to node %d of %d", n.Title, k, l.From, l.To, len(n.Nodes))
		}
		if !(l.Weight > 0 && l.Weight <= 1) {
			return fmt.Errorf("draw network %q: link %d has the weight %g", n.Title, k, l.Weight)
		}
	}
	return nil
}

// Way says in which direction links are followed.
type Way int

// The ways: in either direction, from a link's From to its To, and against it.
const (
	Either Way = iota
	Onward
	Back
)

// Hops is how many links away from a node each node is, following links one way, at most `most`; -1 for what is farther.
func (n Network) Hops(node, most int, way Way) []int {
	hops := slices.Repeat([]int{-1}, len(n.Nodes))
	if node < 0 || node >= len(hops) {
		return hops
	}
	hops[node] = 0
	for step := range most {
		grown := false
		for _, l := range n.Links {
			if way != Back && hops[l.From] == step && hops[l.To] < 0 {
				hops[l.To], grown = step+1, true
			}
			if way != Onward && hops[l.To] == step && hops[l.From] < 0 {
				hops[l.From], grown = step+1, true
			}
		}
		if !grown {
			break
		}
	}
	return hops
}

// Shares are the radii of the nodes as shares of the largest one's: their areas are as their counts are.
func (n Network) Shares() []float64 {
	most := 1
	for _, node := range n.Nodes {
		most = max(most, node.Count)
	}
	shares := make([]float64, len(n.Nodes))
	for k, node := range n.Nodes {
		shares[k] = math.Sqrt(float64(node.Count) / float64(most))
	}
	return shares
}

// radii are the radii of the nodes, for a largest one of `most`.
func (n Network) radii(most float64) []float64 {
	radii := n.Shares()
	for k, share := range radii {
		radii[k] = NodeRadius(share, most)
	}
	return radii
}

// Returned tells of each link whether another one leads back.
func (n Network) Returned() []bool {
	there := make(map[[2]int]bool, len(n.Links))
	for _, l := range n.Links {
		there[[2]int{l.From, l.To}] = true
	}
	back := make([]bool, len(n.Links))
	for k, l := range n.Links {
		back[k] = there[[2]int{l.To, l.From}]
	}
	return back
}
