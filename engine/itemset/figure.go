package itemset

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine/result"
)

// Way says in which direction edges are followed.
type Way int

// The ways: in either direction, from an edge's From to its To, and against it.
const (
	Either Way = iota
	Onward
	Back
)

// Look is what comes forward in the figure of an ontology. The zero Look is for files.
type Look struct {
	Chosen int // node, -1 for none
	Hops   int // how many edges lead from it to nodes that are not faint
	Way    Way
	Least  float64 // edges of a smaller weight are left out
	Found  []int   // nodes
	// Node and Edge, which may be nil, are the lines that are read out.
	Node, Edge func(k int) string
}

// Figure is the ontology as a network: a point per node, as large as its count, at its place, and a
// link per edge. The IDs are the names of nodes, and From and To of an edge joined by EdgeID.
func (o Ontology) Figure(places []r2.Vec, look Look) result.Figure {
	f := result.Figure{
		NoAxes: true, X: result.Axis{High: 1}, Y: result.Axis{High: 1},
		Groups: []result.Group{{Look: result.LookInvariant}},
	}
	var near []int
	if look.Hops > 0 && look.Chosen >= 0 {
		near = o.Hops(look.Chosen, look.Hops, look.Way)
	}
	counts := make([]int, len(o.Nodes))
	for k, item := range o.Nodes {
		p := result.Point{Name: o.Names[item], ID: o.Names[item], Label: o.Names[item], X: places[k].X, Y: places[k].Y}
		switch {
		case look.Hops > 0 && k == look.Chosen:
			p.Emphasis = result.Chosen
		case slices.Contains(look.Found, k):
			p.Emphasis = result.Found
		case near != nil && near[k] < 0:
			p.Emphasis = result.Faint
		}
		if look.Node != nil {
			p.Name = look.Node(k)
		}
		f.Points, counts[k] = append(f.Points, p), o.Counts[item]
	}
	result.Linked(f.Points, counts)
	for k, e := range o.Edges {
		if e.Weight < look.Least {
			continue
		}
		from, to := o.ends(e)
		l := result.Link{
			From: from, To: to, Weight: e.Weight, Marked: e.Edited, ID: EdgeID(o.Names[e.From], o.Names[e.To]),
		}
		if look.Edge != nil {
			l.Name = look.Edge(k)
		}
		if near != nil {
			l.Emphasis = result.Chosen
			if beyond(near[from], near[to], look) {
				l.Emphasis = result.Faint
			}
		}
		f.Links = append(f.Links, l)
	}
	return f
}

// EdgeID names an edge in figures.
func EdgeID(from, to string) string { return from + "\x00" + to }

// ends are the nodes of an edge.
func (o Ontology) ends(e Edge) (from, to int) {
	from, _ = slices.BinarySearch(o.Nodes, e.From)
	to, _ = slices.BinarySearch(o.Nodes, e.To)
	return from, to
}

// beyond tells whether an edge is none of those around the chosen node: those that lead to its
// neighbours, and on from them as many as are shown, where only one way is looked along those of
// that way. Its ends are so many hops away, -1 for farther.
func beyond(from, to int, look Look) bool {
	switch {
	case from < 0 || to < 0:
		return true
	case look.Way == Onward:
		return from >= look.Hops
	case look.Way == Back:
		return to >= look.Hops
	}
	return min(from, to) >= look.Hops
}

// Hops is how many edges away from a node each node is, following edges one way, at most `most`; -1
// for what is farther.
func (o Ontology) Hops(node, most int, way Way) []int {
	hops := slices.Repeat([]int{-1}, len(o.Nodes))
	hops[node] = 0
	for step := range most {
		for _, e := range o.Edges {
			from, to := o.ends(e)
			if way != Back && hops[from] == step && hops[to] < 0 {
				hops[to] = step + 1
			}
			if way != Onward && hops[to] == step && hops[from] < 0 {
				hops[from] = step + 1
			}
		}
	}
	return hops
}

// The room in which a network is laid out; places are shares of it. A name is thought to be so wide
// and high there, and the largest node to have such a radius.
const (
	roomWidth, roomHeight = 1200.0, 760.0
	nameLetter, nameLine  = 7.2, 17.0
	nodeRoom              = 17.0
	mostNamed             = 150     // nodes up to which there is room for all names
	mostPulling           = 200_000 // edges that draw their ends together, the strongest of more
)

// network is what is laid out. It gives nodes and neighbours in their order, so that the same
// network gets the same places, and keeps only the pairs that have an edge.
type network struct {
	*simple.WeightedUndirectedGraph
}

// Nodes implements graph.Graph.
func (n network) Nodes() graph.Nodes { return inOrder(n.WeightedUndirectedGraph.Nodes()) }

// From implements graph.Graph.
func (n network) From(id int64) graph.Nodes { return inOrder(n.WeightedUndirectedGraph.From(id)) }

func inOrder(nodes graph.Nodes) graph.Nodes {
	list := graph.NodesOf(nodes)
	slices.SortFunc(list, func(a, b graph.Node) int { return cmp.Compare(a.ID(), b.ID()) })
	return iterator.NewOrderedNodes(list)
}

// Places lays the network out, each node at x and y from 0 to 1 from the lower left corner: nodes
// push each other away and edges draw their ends together, the more the larger their weights are
// both ways (P. Eades, "A heuristic for graph drawing", 1984); at the end nodes give way until
// their names can be read, if there are not too many. The same network gets the same places. It is
// meant for the background; the error is the end of ctx.
func (o Ontology) Places(ctx context.Context) ([]r2.Vec, error) {
	n := len(o.Nodes)
	if n < 2 {
		return slices.Repeat([]r2.Vec{{X: 0.5, Y: 0.5}}, n), ctx.Err()
	}
	edges := o.Edges
	if len(edges) > mostPulling {
		edges = slices.Clone(edges)
		slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(b.Weight, a.Weight) })
		edges = edges[:mostPulling]
	}
	// What hangs on nothing hangs on a node in the middle, so that it stays near.
	g := network{simple.NewWeightedUndirectedGraph(0, 0)}
	// of all edges of a node: weights are shares of the largest sum, so that none overshoots
	pulls := make([]float64, n)
	for _, e := range edges {
		from, to := o.ends(e)
		pulls[from] += e.Weight
		pulls[to] += e.Weight
	}
	most := max(slices.Max(pulls), 1)
	for k := range n {
		g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(k), T: simple.Node(n), W: 1 / max(most, float64(n))})
	}
	for _, e := range edges {
		from, to := o.ends(e)
		weight, _ := g.Weight(int64(from), int64(to))
		g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(from), T: simple.Node(to), W: weight + e.Weight/most})
	}
	const mostWork = 4e6 // nodes and edges moved; larger networks are moved fewer times
	rounds := int(min(max(mostWork/float64(n*8+len(edges)), 40), 300))
	seed := rand.NewPCG(uint64(n), uint64(len(o.Edges)))
	eades := layout.EadesR2{Updates: rounds, Repulsion: 1, Rate: 0.2, Theta: 0.3, Src: seed}
	settling := layout.NewOptimizerR2(g, eades.Update)
	for settling.Update() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	at := make([]r2.Vec, n)
	for k := range at {
		at[k] = settling.Coord2(int64(k))
	}
	o.turn(at)
	fill(at)
	spread(at)
	if n <= mostNamed {
		o.part(at)
		fill(at)
	}
	for k, p := range at {
		at[k] = r2.Vec{X: p.X / roomWidth, Y: p.Y / roomHeight}
	}
	return at, nil
}

// turn turns the nodes so that they reach farthest from left to right, as windows and pages do, and
// mirrors them so that the most frequent one stands to the right of and above the middle: small
// changes of a network then rarely turn its picture over.
func (o Ontology) turn(at []r2.Vec) {
	x, y := make([]float64, len(at)), make([]float64, len(at))
	most := 0
	for k, p := range at {
		x[k], y[k] = p.X, p.Y
		if o.Counts[o.Nodes[k]] > o.Counts[o.Nodes[most]] {
			most = k
		}
	}
	middle := r2.Vec{X: stat.Mean(x, nil), Y: stat.Mean(y, nil)}
	angle := math.Atan2(2*stat.Covariance(x, y, nil), stat.Variance(x, nil)-stat.Variance(y, nil)) / 2
	for k, p := range at {
		at[k] = r2.Rotate(r2.Sub(p, middle), -angle, r2.Vec{})
	}
	sides := r2.Vec{X: math.Copysign(1, at[most].X), Y: math.Copysign(1, at[most].Y)}
	for k, p := range at {
		at[k] = r2.Vec{X: sides.X * p.X, Y: sides.Y * p.Y}
	}
}

// fill stretches the nodes over the room, from its corner on. A line of nodes stays one, in the
// middle.
func fill(at []r2.Vec) {
	low, high := at[0], at[0]
	for _, p := range at {
		low, high = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	stretch := func(v, low, high, room float64) float64 {
		if high-low < 1e-9 {
			return room / 2
		}
		return (v - low) / (high - low) * room
	}
	for k, p := range at {
		at[k] = r2.Vec{X: stretch(p.X, low.X, high.X, roomWidth), Y: stretch(p.Y, low.Y, high.Y, roomHeight)}
	}
}

// spread moves each node half the way to where it would stand if all were evenly apart along both
// axes: groups that hang on nothing leave less room between them, and have more inside.
func spread(at []r2.Vec) {
	order := make([]int, len(at))
	for k := range order {
		order[k] = k
	}
	last := float64(len(at) - 1)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a].X, at[b].X) })
	for rank, k := range order {
		at[k].X = (at[k].X + roomWidth*float64(rank)/last) / 2
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a].Y, at[b].Y) })
	for rank, k := range order {
		at[k].Y = (at[k].Y + roomHeight*float64(rank)/last) / 2
	}
}

// part moves nodes until the boxes around them and their names, which stand below, do not overlap.
func (o Ontology) part(at []r2.Vec) {
	half, most := make([]r2.Vec, len(at)), 1
	for _, item := range o.Nodes {
		most = max(most, o.Counts[item])
	}
	for k, item := range o.Nodes {
		radius := nodeRoom * (0.25 + 0.75*math.Sqrt(float64(o.Counts[item])/float64(most)))
		half[k] = r2.Vec{
			X: max(radius, nameLetter*float64(len([]rune(o.Names[item])))/2) + 6, Y: radius + nameLine/2 + 3,
		}
	}
	for range 200 {
		moved := false
		for a := range at {
			for b := a + 1; b < len(at); b++ {
				way, room := r2.Sub(at[a], at[b]), r2.Add(half[a], half[b])
				over := r2.Vec{X: room.X - math.Abs(way.X), Y: room.Y - math.Abs(way.Y)}
				if over.X <= 0 || over.Y <= 0 {
					continue
				}
				moved = true
				by := r2.Vec{X: math.Copysign(over.X/2+0.5, way.X)}
				if over.X >= over.Y {
					by = r2.Vec{Y: math.Copysign(over.Y/2+0.5, way.Y)}
				}
				at[a], at[b] = r2.Add(at[a], by), r2.Sub(at[b], by)
			}
		}
		if !moved {
			return
		}
	}
}
