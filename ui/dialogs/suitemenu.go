package dialogs

import (
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// suiteMenu chooses a suite by name; suites of the same name carry the start of their hash.
type suiteMenu struct {
	menu   *own.Choice
	hashes map[string]string
}

func newSuiteMenu(suites []suite.Manifest, current string, changed func()) *suiteMenu {
	_, hashes := SuiteNames(suites)
	m := &suiteMenu{hashes: hashes, menu: own.NewChoice(nil)}
	m.menu.PlaceHolder = "import a test suite first"
	m.menu.SetNodes(SuiteNodes(suites))
	for name, hash := range hashes {
		if hash == current || len(suites) == 1 {
			m.menu.SetSelected(name)
		}
	}
	m.menu.OnChanged = func(string) { changed() }
	return m
}

func (m *suiteMenu) hash() string { return m.hashes[m.menu.Selected] }

// SuiteNames are the names of suites for a menu, in order, each once, and the hash behind each.
func SuiteNames(suites []suite.Manifest) (names []string, hashes map[string]string) {
	hashes = map[string]string{}
	uses := map[string]int{}
	for _, s := range suites {
		uses[s.Name]++
	}
	for _, s := range suites {
		name := s.Name
		if uses[name] > 1 || name == "" {
			name = strings.TrimSpace(name + " " + s.Hash[:min(8, len(s.Hash))])
		}
		names = append(names, name)
		hashes[name] = s.Hash
	}
	return names, hashes
}

// SuiteOptions are suites to choose from, by hash, under the names of SuiteNames.
func SuiteOptions(suites []suite.Manifest) (list []kit.Option) {
	names, hashes := SuiteNames(suites)
	for _, name := range names {
		list = append(list, kit.Option{Key: hashes[name], Name: name})
	}
	return list
}

// suiteNamed is what the command line calls a suite: its name, or the hash where several have it.
func suiteNamed(suites []suite.Manifest, hash string) string {
	_, hashes := SuiteNames(suites)
	for _, m := range suites {
		if hashes[m.Name] == hash {
			return m.Name
		}
	}
	return hash
}

// SuiteNodes are the lines of a menu of suites: those that are made from one stand behind it.
// Options are the names of SuiteNames.
func SuiteNodes(suites []suite.Manifest) []own.ChoiceNode {
	_, hashes := SuiteNames(suites)
	names := make(map[string]string, len(hashes))
	for name, hash := range hashes {
		names[hash] = name
	}
	return choiceNodes(present.SuiteTree(suites, names), names)
}

func choiceNodes(tree []present.SuiteNode, names map[string]string) []own.ChoiceNode {
	nodes := make([]own.ChoiceNode, len(tree))
	for i, n := range tree {
		nodes[i] = own.ChoiceNode{Title: n.Title, Option: names[n.Hash], Nodes: choiceNodes(n.Nodes, names)}
	}
	return nodes
}
