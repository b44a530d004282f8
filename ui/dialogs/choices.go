package dialogs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// modelChoice is what a dialog about models offers: those that were chosen before it was opened,
// and all.
type modelChoice struct {
	all    []model.Model
	chosen []string // hashes; none where nothing was chosen
}

func readChoice(ws *store.Workspace, chosen []string) (c modelChoice, err error) {
	c.chosen = chosen
	c.all, err = ws.Models()
	return c, err
}

// options are the choices of an option `source:"models"` that is a list, and the usual one.
func (c modelChoice) options() (list []kit.Option, first string) {
	if name := c.name(); name != "" {
		first = option.Join(c.chosen)
		list = append(list, kit.Option{Key: first, Name: name})
	}
	return append(list, kit.Option{Name: fmt.Sprintf("all models (%d)", len(c.all))}), first
}

// name is what the chosen models are called, "" where none are.
func (c modelChoice) name() string {
	switch ids := c.ids(c.chosen); {
	case len(ids) == 0:
		return ""
	case len(ids) > 1:
		return "the " + result.Counted(len(ids), "chosen model")
	case ids[0] == c.chosen[0]: // it is not among them
		return "the chosen model"
	default:
		return "model " + ids[0]
	}
}

// ids are the ids of models, which the command line takes, by their hashes.
func (c modelChoice) ids(hashes []string) (ids []string) {
	for _, hash := range hashes {
		id := ""
		for _, m := range c.all {
			if m.Hash == hash {
				id = m.ID
			}
		}
		ids = append(ids, cmp.Or(id, hash))
	}
	return ids
}

// roundOptions are the rounds to choose from, by id. Those of the same name are told apart by the
// end of their id.
func roundOptions(rounds []label.Round) (list []kit.Option) {
	for _, r := range rounds {
		list = append(list, kit.Option{Key: r.ID, Name: roundName(r)})
	}
	return list
}

func roundName(r label.Round) string {
	return fmt.Sprintf("%s (%s)", r.Name, r.ID[max(0, len(r.ID)-6):])
}

// put gives an option of a form that opens a text that it takes; another text stays out.
func put[O any](f *kit.Form[O], name, text string) { _ = f.Put(name, text) }

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

// suiteOf is the suite of a hash, the zero Manifest for none.
func suiteOf(suites []suite.Manifest, hash string) suite.Manifest {
	if k := slices.IndexFunc(suites, func(m suite.Manifest) bool { return m.Hash == hash }); k >= 0 {
		return suites[k]
	}
	return suite.Manifest{}
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

// suiteTree lays a menu `source:"suites"` out.
func suiteTree(suites []suite.Manifest) map[string]func() []own.ChoiceNode {
	return map[string]func() []own.ChoiceNode{"suites": func() []own.ChoiceNode { return SuiteNodes(suites) }}
}

// familyMeaning says what the text of a family or a transformation set means: in words, and its
// values or what it holds; "" for what is neither.
func familyMeaning(text string) string {
	family, err := transform.ParseAny(text)
	if err != nil {
		return ""
	}
	words := family.Words()
	words = strings.ToUpper(words[:1]) + words[1:]
	if family.IsSet() {
		members := make([]string, family.N())
		for i := range members {
			members[i] = family.Describe(i)
		}
		holds := strings.Join(few(members, 3, 1), ", ")
		if _, masked := family.Masked(); masked {
			return fmt.Sprintf("%s. A transformation set: predictions and accuracies while regions of the model's "+
				"feature maps are deleted; the images stay as they are. It holds %s.", words, holds)
		}
		return fmt.Sprintf("%s. A transformation set: "+
			"predictions, accuracies and effective invariance, no variance matrix. It holds %s.", words, holds)
	}
	var values []string
	for _, v := range family.Values() {
		values = append(values, result.Digits(v, 6))
	}
	count := result.Counted(family.N(), "value")
	if unit := family.Unit(); unit != "" {
		count = fmt.Sprintf("%s in %s", count, unit)
	}
	return fmt.Sprintf("%s: %s, the identity is number %d: %s", words, count, family.Identity()+1,
		strings.Join(few(values, 20, 20), "  "))
}

// few are the first and the last ones of a list that has more than one or two beside them.
func few(list []string, first, last int) []string {
	if len(list) <= first+last+2 {
		return list
	}
	return slices.Concat(list[:first], []string{"…"}, list[len(list)-last:])
}

// families are usual families and sets, by their texts.
func families(names []string) (list []kit.Option) {
	for _, name := range names {
		text, _ := transform.Default(name)
		if family, err := transform.ParseAny(text); err == nil { // "none" has no usual setting
			list = append(list, kit.Option{Key: family.String(), Name: family.Words()})
		}
	}
	return list
}
