package present

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
)

// SuiteNode is a line of a menu of suites: one to choose, or a heading with further lines.
type SuiteNode struct {
	Title string
	Hash  string // of the suite; "" for a heading
	Nodes []SuiteNode
}

// SuiteTree lays out suites for a menu: those that stand for themselves in the given order, and
// behind each the ones that are made from it: by corruption in the order of the corruptions'
// table, then by severity, seed and the rest; then the shifts by n, t and region. There may be 75
// of them and more: a corruption is a heading as soon as it has several, and so is the grid of a
// shift. The only suite that stands for itself needs no heading. names are the names for people by
// hash.
func SuiteTree(suites []suite.Manifest, names map[string]string) []SuiteNode {
	shifted := map[string][]suite.Manifest{}
	for _, m := range suites {
		if m.Derived != nil {
			shifted[m.Derived.Of] = append(shifted[m.Derived.Of], m)
		}
	}
	var tree []SuiteNode
	for _, m := range suites {
		if m.Derived != nil {
			continue
		}
		node := SuiteNode{Title: names[m.Hash], Hash: m.Hash}
		if list := shifted[m.Hash]; len(list) > 0 {
			node.Hash = ""
			node.Nodes = append([]SuiteNode{{Title: "as it is", Hash: m.Hash}}, derivedNodes(sorted(list, names))...)
		}
		tree = append(tree, node)
	}
	if len(tree) == 1 && len(tree[0].Nodes) > 0 {
		only := tree[0].Nodes
		only[0].Title = tree[0].Title
		return only
	}
	return tree
}

// derived is a suite that is made from another one, with what its change says.
type derived struct {
	hash, name string
	change     derive.Change // nil for a change of a newer program
	kind       string        // what the suites below one heading have in common; "" for a change of a newer program
	severity   int
	seed       uint64
	shift      derive.Shift
	place      int // of the corruption in the table; shifts come behind, and behind all the changes of a newer program
}

func derivedOf(m suite.Manifest, name string, table []string) derived {
	d := derived{hash: m.Hash, name: name, place: len(table) + 1}
	change, err := derive.Parse(m.Derived.Change)
	if err != nil {
		return d
	}
	d.change = change
	d.kind, d.severity = change.Kind()
	switch c := change.(type) {
	case corrupt.Setting:
		d.seed, d.place = c.Seed, slices.Index(table, c.Name)
	case derive.Shift:
		d.shift, d.place = c, len(table)
	}
	return d
}

// sorted are derived suites in the order of menus.
func sorted(list []suite.Manifest, names map[string]string) []derived {
	table := corrupt.Names()
	made := make([]derived, len(list))
	for i, m := range list {
		made[i] = derivedOf(m, names[m.Hash], table)
	}
	slices.SortStableFunc(made, func(a, b derived) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.severity, b.severity), cmp.Compare(a.seed, b.seed),
			cmp.Compare(a.shift.N, b.shift.N), cmp.Compare(a.shift.T, b.shift.T),
			cmp.Compare(a.shift.Region, b.shift.Region), result.Natural(a.name, b.name))
	})
	return made
}

// derivedNodes are the lines of the suites that are made from one.
func derivedNodes(list []derived) (nodes []SuiteNode) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].kind == list[0].kind {
			n++
		}
		nodes = append(nodes, kindNodes(list[:n])...)
		list = list[n:]
	}
	return nodes
}

// kindNodes is one line for the suites of one kind: the suite itself where it is alone, else a
// heading. What has no known change gets a line each.
func kindNodes(list []derived) []SuiteNode {
	if len(list) == 1 || list[0].change == nil {
		nodes := make([]SuiteNode, len(list))
		for i, d := range list {
			nodes[i] = SuiteNode{Title: d.name, Hash: d.hash}
			if d.change != nil {
				nodes[i].Title = d.change.Words()
			}
		}
		return nodes
	}
	heading := SuiteNode{Title: derive.Title(list[0].kind)}
	for _, d := range list {
		heading.Nodes = append(heading.Nodes, SuiteNode{Title: below(list, d), Hash: d.hash})
	}
	return []SuiteNode{heading}
}

// below names a suite below its kind's heading: by its severity or region where that tells it from
// the others, else by its name.
func below(among []derived, d derived) string {
	for _, other := range among {
		if other.hash != d.hash && other.severity == d.severity && other.shift == d.shift {
			return d.name
		}
	}
	if d.shift.Region > 0 {
		return fmt.Sprintf("region %d", d.shift.Region)
	}
	return fmt.Sprintf("severity %s", strconv.Itoa(d.severity))
}

// ShiftsOf are the hashes of the suites that are made from one, in the order of SuiteTree.
func ShiftsOf(base string, suites []suite.Manifest) []string {
	var list []suite.Manifest
	for _, m := range suites {
		if m.Derived != nil && m.Derived.Of == base {
			list = append(list, m)
		}
	}
	var hashes []string
	for _, s := range sorted(list, nil) {
		hashes = append(hashes, s.hash)
	}
	return hashes
}
