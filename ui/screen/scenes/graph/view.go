package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// View is what the page shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	Mined  Mined
	mining bool
	chosen int // item, -1 for none
	// of the table of rules
	filter string
	only   bool // rules of the chosen keyword
	rules  query
	rows   []int32
	// of the table of edges
	edges  []itemset.Edge
	column int
	down   bool
}

// NewView makes an empty view: rules from the largest lift, edges from the largest weight.
func NewView() *View {
	return &View{chosen: -1, rules: query{item: -1, column: ruleLift, descending: true}, column: edgeWeight, down: true}
}

// Take shows other data. A chosen keyword stays where it is still a node; rules stay as long as
// they are of the same making.
func (v *View) Take(d Data) {
	name := v.Chosen()
	v.Data, v.chosen = d, -1
	if at := slices.Index(d.Shown.Names, name); at >= 0 && name != "" {
		if _, node := slices.BinarySearch(d.Shown.Nodes, at); node {
			v.chosen = at
		}
	}
	if !v.current() {
		v.Mined, v.rows = Mined{}, nil
	}
	v.listEdges()
}

// current tells whether the rules are of the ontology that is shown.
func (v *View) current() bool { return v.Has && v.Fault == nil && v.Mined.making == making(v.Record) }

// Choose chooses a keyword by its item, -1 for none.
func (v *View) Choose(item int) {
	v.chosen = item
	v.listEdges()
}

// Chosen is the name of the chosen keyword, empty for none.
func (v *View) Chosen() string {
	if v.chosen < 0 || v.chosen >= len(v.Shown.Names) {
		return ""
	}
	return v.Shown.Names[v.chosen]
}

// node is the node of an item, -1 for none; item is the item of a node.
func (v *View) node(item int) int {
	if at, ok := slices.BinarySearch(v.Shown.Nodes, item); ok {
		return at
	}
	return -1
}

func (v *View) item(node int) int {
	if node < 0 || node >= len(v.Shown.Nodes) {
		return -1
	}
	return v.Shown.Nodes[node]
}

// query is what the table of rules asks for.
func (v *View) query() query {
	q := v.rules
	q.filter, q.item = v.filter, -1
	if v.only {
		q.item = v.chosen
	}
	return q
}

// SortRules sorts the rules by a column, numbers from the largest; the same one again turns the
// order round.
func (v *View) SortRules(column int) {
	v.rules.column, v.rules.descending = turned(v.rules.column, v.rules.descending, column, column >= ruleSupport)
}

// turned is the order after a click on a heading.
func turned(before int, descending bool, column int, first bool) (int, bool) {
	if column == before {
		return column, !descending
	}
	return column, first
}

// The columns of the table of edges.
const (
	edgeFrom = iota
	edgeTo
	edgeWeight
	edgeImages
	edgeLift
	edgeHand
)

func edgeColumns() []widget.Column {
	hints := []string{
		"where the edge begins", "where it leads to", "confidence: the share of images with the first that have the second, too",
		"images that have both", "how many times as often as on average the second is there", "set by hand",
	}
	titles := []string{"from", "to", "weight", "images", "lift", "by hand"}
	list := make([]widget.Column, 0, len(titles))
	for k, title := range titles {
		width := headingWidth(title)
		if k <= edgeTo {
			width = keywordWidth
		}
		list = append(list, widget.Column{Title: title, Width: width, Right: k > edgeTo && k < edgeHand, Hint: hints[k]})
	}
	return list
}

// SortEdges sorts the edges by a column, see SortRules.
func (v *View) SortEdges(column int) {
	v.column, v.down = turned(v.column, v.down, column, column >= edgeWeight)
	v.listEdges()
}

// listEdges lists the edges of the chosen keyword, all without one.
func (v *View) listEdges() {
	v.edges = v.edges[:0:0]
	for _, e := range v.Shown.Edges {
		if v.chosen < 0 || e.From == v.chosen || e.To == v.chosen {
			v.edges = append(v.edges, e)
		}
	}
	turn := 1
	if v.down {
		turn = -1
	}
	slices.SortStableFunc(v.edges, func(a, b itemset.Edge) int { return turn * v.compare(a, b) })
}

func (v *View) compare(a, b itemset.Edge) int {
	name := func(item int) string { return v.Shown.Names[item] }
	switch v.column {
	case edgeFrom:
		return result.Natural(name(a.From), name(b.From))
	case edgeTo:
		return result.Natural(name(a.To), name(b.To))
	case edgeImages:
		return cmp.Compare(a.Count, b.Count)
	case edgeLift:
		return cmp.Compare(v.Shown.Lift(a), v.Shown.Lift(b))
	case edgeHand:
		return cmp.Compare(strings.Compare(v.hand(a), ""), strings.Compare(v.hand(b), ""))
	}
	return cmp.Compare(a.Weight, b.Weight)
}

// EdgeCell is a cell of the table of edges.
func (v *View) EdgeCell(row, col int) string {
	if row < 0 || row >= len(v.edges) {
		return ""
	}
	e := v.edges[row]
	switch col {
	case edgeFrom:
		return v.Shown.Names[e.From]
	case edgeTo:
		return v.Shown.Names[e.To]
	case edgeWeight:
		return present.Kappa(e.Weight)
	case edgeImages:
		if e.Count == 0 {
			return present.None
		}
		return present.Count(int64(e.Count))
	case edgeLift:
		return present.Number(v.Shown.Lift(e))
	case edgeHand:
		return v.hand(e)
	}
	return ""
}

func (v *View) hand(e itemset.Edge) string {
	if e.Edited {
		return "●"
	}
	return ""
}

// EdgesCaption says which edges are listed.
func (v *View) EdgesCaption() string {
	if v.chosen < 0 {
		if len(v.edges) == 0 && v.Has {
			return "No edge is there: targets keep the keywords that their images have, and nothing expands them."
		}
		return fmt.Sprintf("%s of all keywords", present.Counted(int64(len(v.edges)), "edge"))
	}
	if len(v.edges) == 0 {
		return fmt.Sprintf("%s stands alone: no edge leads to it or away from it.", v.Chosen())
	}
	out := 0
	for _, e := range v.edges {
		if e.From == v.chosen {
			out++
		}
	}
	return fmt.Sprintf("%s: leads to %s, reached from %s", v.Chosen(), present.Counted(int64(out), "keyword"), present.Counted(int64(len(v.edges)-out), "keyword"))
}

// Caption is the line about the ontology.
func (v *View) Caption() string {
	r := v.Record
	return fmt.Sprintf("%s, %s, %s; support from %s, confidence from %s; %s of %s", present.Counted(int64(len(v.Graph.Nodes)), "keyword"),
		present.Counted(int64(len(v.Graph.Edges)), "edge"), present.Counted(int64(len(r.Edits)), "edit"), number(r.MinSupport),
		number(r.MinConfidence), present.Counted(int64(v.Graph.Transactions), "image"), v.Table.Name)
}

// least is the smallest weight of an edge, most the largest; 0 and 1 without edges.
func (v *View) least() float64 {
	least := math.Inf(1)
	for _, e := range v.Shown.Edges {
		least = min(least, e.Weight)
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}
