package graph

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// find is the item that a text names: by the name that is shown, or as in the table, in capitals
// or not; -1 for none.
func (v *View) find(text string) int {
	text = strings.TrimSpace(text)
	for _, names := range [][]string{v.Shown.Names, v.Graph.Names} {
		if at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) }); at >= 0 {
			return at
		}
	}
	return -1
}

// edge is the edge between two items; ok is false where there is none.
func (v *View) edge(from, to int) (e itemset.Edge, ok bool) {
	at := slices.IndexFunc(v.Graph.Edges, func(e itemset.Edge) bool { return e.From == from && e.To == to })
	if at < 0 {
		return e, false
	}
	return v.Graph.Edges[at], true
}

// change is what is typed below the table of edges.
type change struct{ from, to, weight, note string }

// edit is the edit that is typed. The error is a sentence about what is missing or wrong.
func (v *View) edit(c change) (itemset.Edit, error) {
	from, to := v.find(c.from), v.find(c.to)
	switch {
	case strings.TrimSpace(c.from) == "" || strings.TrimSpace(c.to) == "":
		return itemset.Edit{}, errors.New("choose the keywords that the edge joins, or click an edge")
	case from < 0:
		return itemset.Edit{}, fmt.Errorf("no keyword is called %q", strings.TrimSpace(c.from))
	case to < 0:
		return itemset.Edit{}, fmt.Errorf("no keyword is called %q", strings.TrimSpace(c.to))
	case from == to:
		return itemset.Edit{}, errors.New("an edge leads to another keyword")
	}
	weight, err := parseShare(c.weight)
	if err != nil {
		return itemset.Edit{}, errors.New("the weight is a number above 0, at most 1")
	}
	return itemset.Edit{From: v.Graph.Names[from], To: v.Graph.Names[to], Weight: weight, Note: strings.TrimSpace(c.note)}, nil
}

// parseShare reads a number above 0, at most 1; a decimal comma counts as a point.
func parseShare(text string) (float64, error) {
	share, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil || !(share > 0 && share <= 1) {
		return 0, fmt.Errorf("%q is no number above 0, at most 1", text)
	}
	return share, nil
}

// about says what is known of the edge that is typed, and what setting it means.
func (v *View) about(c change) string {
	from, to := v.find(c.from), v.find(c.to)
	e, there := v.edge(from, to)
	switch {
	case there:
		return present.OntologyEdge(v.Shown, e)
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
			list = append(list, itemset.Edit{From: v.Graph.Names[e.From], To: v.Graph.Names[e.To], Note: strings.TrimSpace(note)})
		}
	}
	return list
}

// editText is an edit for people: "edge from sea to sand: 0.8", "edge from sea to sand: removed".
func (v *View) editText(e itemset.Edit) string {
	return fmt.Sprintf("edge from %s to %s: %s", v.name(e.From), v.name(e.To), weightText(e.Weight))
}

func weightText(weight float64) string {
	if weight == 0 {
		return "removed"
	}
	return present.ValueText(weight, "")
}

// name is the name for people of an item by its name.
func (v *View) name(item string) string {
	if at := slices.Index(v.Graph.Names, item); at >= 0 {
		return v.Shown.Names[at]
	}
	return present.KeywordName(item)
}

// editColumns are those of the table of edits.
func editColumns() []widget.Column {
	return []widget.Column{
		{Title: "no.", Width: 40, Right: true},
		{Title: "from", Width: keywordWidth},
		{Title: "to", Width: keywordWidth},
		{Title: "set to", Width: 80, Right: true},
		{Title: "why", Width: keywordsWidth},
	}
}

// EditCell is a cell of the table of edits, the newest first.
func (v *View) EditCell(row, col int) string {
	k, ok := v.editAt(row)
	if !ok {
		return ""
	}
	e := v.Record.Edits[k]
	return []string{strconv.Itoa(k + 1), v.name(e.From), v.name(e.To), weightText(e.Weight), e.Note}[min(max(col, 0), 4)]
}

// editAt is the index of the edit in a row.
func (v *View) editAt(row int) (k int, ok bool) {
	k = len(v.Record.Edits) - 1 - row
	return k, row >= 0 && k >= 0
}

// EditsTitle is the title of the tab of edits.
func (v *View) EditsTitle() string {
	if n := len(v.Record.Edits); n > 0 {
		return fmt.Sprintf("Edits %d", n)
	}
	return "Edits"
}

// EditsNote says what edits do to selections that are there already.
func (v *View) EditsNote() string {
	text := "Nothing was changed by hand."
	if n := len(v.Record.Edits); n > 0 {
		text = "Later edits of an edge win. Taking one back lets the one before it count again, or what the images say."
	}
	if len(v.Selected) == 0 {
		return text
	}
	var list []string
	for _, o := range v.Selected {
		list = append(list, fmt.Sprintf("%s (%s)", o.name, present.Counted(int64(o.edits), "edit")))
	}
	return text + " " + fmt.Sprintf("Selections keep what they were chosen by, whatever is edited now: %s.", few(list))
}

// fewNames is how many names a sentence has at most.
const fewNames = 5

// few are some of a list and how many more there are.
func few(list []string) string {
	if more := len(list) - fewNames; more > 0 {
		return fmt.Sprintf("%s and %s more", strings.Join(list[:fewNames], ", "), present.Count(int64(more)))
	}
	return strings.Join(list, ", ")
}
