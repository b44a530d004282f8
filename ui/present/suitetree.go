package present

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/words"
)

// SuiteNode is a line of a menu of suites: one to choose, or a heading with further lines.
type SuiteNode struct {
	Title string
	Hash  string // of the suite; "" for a heading
	Nodes []SuiteNode
}

// SuiteTree lays out suites for a menu: those that stand for themselves in the given order, and behind each the ones that are
// made from it, by corruption in the order of the corruptions' table, then by severity, seed and the rest. There may be 75 of
// them and more: a corruption is a heading as soon as it has several. The only suite that
// stands for itself needs no heading. names are the names for people by hash.
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
			node.Nodes = append([]SuiteNode{{Title: words.T("as it is"), Hash: m.Hash}}, shiftNodes(sorted(list, names))...)
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

// shift is a derived suite with what its change says.
type shift struct {
	hash, name string
	setting    corrupt.Setting
	place      int // of the corruption in the table; behind all for a change of a newer program
}

// sorted are derived suites in the order of menus.
func sorted(list []suite.Manifest, names map[string]string) []shift {
	table := corrupt.Names()
	shifts := make([]shift, len(list))
	for i, m := range list {
		s := shift{hash: m.Hash, name: names[m.Hash], place: len(table)}
		if setting, err := corrupt.Parse(m.Derived.Change); err == nil {
			s.setting, s.place = setting, slices.Index(table, setting.Name)
		}
		shifts[i] = s
	}
	slices.SortStableFunc(shifts, func(a, b shift) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.setting.Severity, b.setting.Severity),
			cmp.Compare(a.setting.Seed, b.setting.Seed), Natural(a.name, b.name))
	})
	return shifts
}

// shiftNodes are the lines of the suites that are made from one.
func shiftNodes(shifts []shift) (nodes []SuiteNode) {
	for len(shifts) > 0 {
		n := 1
		for n < len(shifts) && shifts[n].setting.Name == shifts[0].setting.Name {
			n++
		}
		nodes = append(nodes, corruptionNode(shifts[:n])...)
		shifts = shifts[n:]
	}
	return nodes
}

// corruptionNode is one line for the suites of one corruption: the suite itself where it is alone, else a heading. What has no
// known corruption gets a line each.
func corruptionNode(shifts []shift) []SuiteNode {
	if len(shifts) == 1 || shifts[0].setting.Name == "" {
		nodes := make([]SuiteNode, len(shifts))
		for i, s := range shifts {
			nodes[i] = SuiteNode{Title: s.name, Hash: s.hash}
			if s.setting.Name != "" {
				nodes[i].Title = s.setting.Short()
			}
		}
		return nodes
	}
	heading := SuiteNode{Title: corrupt.Title(shifts[0].setting.Name)}
	for _, s := range shifts {
		heading.Nodes = append(heading.Nodes, SuiteNode{Title: severity(shifts, s), Hash: s.hash})
	}
	return []SuiteNode{heading}
}

// severity names a suite below its corruption's heading: by its severity where that tells it from the others, else by its name.
func severity(among []shift, s shift) string {
	for _, other := range among {
		if other.hash != s.hash && other.setting.Severity == s.setting.Severity {
			return s.name
		}
	}
	return words.F("severity %s", strconv.Itoa(s.setting.Severity))
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
