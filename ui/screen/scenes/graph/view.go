package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
)

// View is what the page shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	all    []itemset.NamedEdge
	chosen int // item, -1 for none
}

// Take shows other data. A chosen keyword stays where it is still a node.
func (v *View) Take(d Data) {
	name := v.Chosen()
	v.Data, v.chosen = d, -1
	if at := slices.Index(d.Shown.Names, name); at >= 0 && name != "" && slices.Contains(d.Shown.Nodes, at) {
		v.chosen = at
	}
	v.all = d.Graph.NameEdges(itemset.Names{Files: d.Graph.Names, People: d.Shown.Names})
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

// edges are those of the chosen keyword, all without one.
func (v *View) edges() (list []itemset.NamedEdge) {
	for _, e := range v.all {
		if v.chosen < 0 || e.From == v.chosen || e.To == v.chosen {
			list = append(list, e)
		}
	}
	return list
}

// EdgesCaption says which edges are listed.
func (v *View) EdgesCaption() string {
	list := v.edges()
	switch {
	case v.chosen < 0 && len(list) == 0:
		return "No edge is there: targets keep the keywords that their images have, and nothing expands them."
	case v.chosen < 0:
		return result.Counted(len(list), "edge") + " of all keywords"
	case len(list) == 0:
		return fmt.Sprintf("%s stands alone: no edge leads to it or away from it.", v.Chosen())
	}
	out := 0
	for _, e := range list {
		if e.From == v.chosen {
			out++
		}
	}
	return fmt.Sprintf("%s: leads to %s, reached from %s", v.Chosen(), result.Counted(out, "keyword"),
		result.Counted(len(list)-out, "keyword"))
}

// Caption is the line about the ontology.
func (v *View) Caption() string {
	return fmt.Sprintf("%s of %s", background.Mined{Ontology: v.Graph}, v.Table.Name)
}

// find is the item that a text names, -1 for none.
func (v *View) find(text string) int { return background.FindKeyword(v.Graph.Names, text) }

// edge is the edge between two items; ok is false where there is none.
func (v *View) edge(from, to int) (e itemset.NamedEdge, ok bool) {
	at := slices.IndexFunc(v.all, func(e itemset.NamedEdge) bool { return e.From == from && e.To == to })
	if at < 0 {
		return e, false
	}
	return v.all[at], true
}

// change is what is typed below the table of edges.
type change struct{ from, to, weight, note string }

// edit is the edit that is typed. The error is a sentence about what is missing or wrong.
func (v *View) edit(c change) (itemset.Edit, error) {
	e, err := background.ReadEdit(v.Graph.Names, c.from, c.to, c.weight, c.note)
	if err == nil && e.Weight == 0 {
		err = fmt.Errorf("the weight is a number above 0, at most 1")
	}
	return e, err
}

// about says what is known of the edge that is typed, and what setting it means.
func (v *View) about(c change) string {
	from, to := v.find(c.from), v.find(c.to)
	e, there := v.edge(from, to)
	switch {
	case there:
		return e.String()
	case from < 0 || to < 0 || from == to:
		return ""
	case v.node(from) < 0 || v.node(to) < 0:
		return "No such edge: setting it adds it, and a rare keyword to the graph with it."
	}
	return "No such edge: setting it adds it."
}

// cutOff are the edits that remove all edges of an item.
func (v *View) cutOff(item int, note string) (list []itemset.Edit) {
	for _, e := range v.Graph.Edges {
		if e.From == item || e.To == item {
			list = append(list, itemset.Edit{
				From: v.Graph.Names[e.From], To: v.Graph.Names[e.To], Note: strings.TrimSpace(note),
			})
		}
	}
	return list
}

// name is the name for people of an item by its name.
func (v *View) name(item string) string {
	if at := slices.Index(v.Graph.Names, item); at >= 0 {
		return v.Shown.Names[at]
	}
	return background.KeywordName(item)
}

// editText is an edit for people.
func (v *View) editText(e itemset.Edit) string {
	return itemset.NameEdits([]itemset.Edit{e}, v.name)[0].String()
}

// EditsNote says what edits do to selections that are there already.
func (v *View) EditsNote() string {
	var lines []string
	if len(v.Record.Edits) > 0 {
		lines = append(lines,
			"Later edits of an edge win. Taking one back lets the one before it count again, or what the images say.")
	}
	if len(v.Selected) > 0 {
		var list []string
		for _, o := range v.Selected {
			list = append(list, fmt.Sprintf("%s (%s)", o.name, result.Counted(o.edits, "edit")))
		}
		lines = append(lines, fmt.Sprintf("Selections keep what they were chosen by, whatever is edited now: %s.",
			result.Some(list)))
	}
	return strings.Join(lines, " ")
}
