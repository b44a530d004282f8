package itemset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Names are those of all items: in files, and for people, where no two may be alike either.
type Names struct{ Files, People []string }

func joined(names []string, items []int, by string) string {
	list := make([]string, len(items))
	for k, item := range items {
		list[k] = names[item]
	}
	return strings.Join(list, by)
}

// NamedSet is a frequent itemset of so many transactions.
type NamedSet struct {
	Itemset
	Transactions int
	Names        *Names
}

// NameSets are itemsets with the names of their items.
func NameSets(sets []Itemset, transactions int, names *Names) []NamedSet {
	list := make([]NamedSet, len(sets))
	for k, s := range sets {
		list[k] = NamedSet{s, transactions, names}
	}
	return list
}

// SetTable is the table of frequent itemsets.
var SetTable = result.Table[NamedSet]{
	Name: "itemsets", Title: "Frequent itemsets", Noun: "itemset", ID: NamedSet.files,
	Columns: []result.Column[NamedSet]{
		result.Counts("size", "size", "number of keywords", func(s NamedSet) int { return len(s.Items) }),
		result.Texts("items", "keywords", "that images have together", NamedSet.files).
			Told(func(s NamedSet) string { return joined(s.Names.People, s.Items, " + ") }),
		result.Counts("count", "images", "that have all of them", func(s NamedSet) int { return s.Count }),
		result.Numbers("support", "support", "share of all images that have all of them", result.Share,
			func(s NamedSet) float64 { return float64(s.Count) / float64(s.Transactions) }),
	},
}

func (s NamedSet) files() string { return joined(s.Names.Files, s.Items, "+") }

// NamedRule is a rule with the names of its items.
type NamedRule struct {
	Rule
	Names *Names
}

// NameRules are rules with the names of their items.
func NameRules(rules []Rule, names *Names) []NamedRule {
	list := make([]NamedRule, len(rules))
	for k, r := range rules {
		list[k] = NamedRule{r, names}
	}
	return list
}

// RuleTable is the table of association rules.
var RuleTable = result.Table[NamedRule]{
	Name: "rules", Title: "Association rules", Noun: "rule",
	ID:    func(r NamedRule) string { return r.when() + ">" + r.then() },
	First: result.Order{Key: "lift", Descending: true},
	Columns: []result.Column[NamedRule]{
		result.Texts("antecedent", "if there is", "keywords that an image has", NamedRule.when).Told(NamedRule.sayWhen),
		result.Texts("consequent", "then there is", "keywords that it then often has, too",
			NamedRule.then).Told(NamedRule.sayThen),
		result.Counts("count", "images", "images that have all of them", func(r NamedRule) int { return r.Count }),
		result.Numbers("support", "support", "share of all images that have all of them", result.Share,
			func(r NamedRule) float64 { return r.Support() }),
		result.Numbers("confidence", "confidence", "share of the images with the first that have the second, too",
			result.Share,
			func(r NamedRule) float64 { return r.Confidence() }),
		lift(func(r NamedRule) float64 { return r.Lift() }),
		result.Counts("length", "length", "number of keywords on both sides",
			func(r NamedRule) int { return len(r.Antecedent) + len(r.Consequent) }),
	},
}

func lift[R any](of func(R) float64) result.Column[R] {
	c := result.Numbers("lift", "lift", "how many times as often as on average the second is there", result.Number, of)
	c.Decimals = 2
	return c
}

func (r NamedRule) when() string    { return joined(r.Names.Files, r.Antecedent, "+") }
func (r NamedRule) then() string    { return joined(r.Names.Files, r.Consequent, "+") }
func (r NamedRule) sayWhen() string { return joined(r.Names.People, r.Antecedent, " + ") }
func (r NamedRule) sayThen() string { return joined(r.Names.People, r.Consequent, " + ") }

// String says what a rule means: "of 120 images with sea + sand 110 (91.7 %) have beach, too: 4.10
// times as many as on average".
func (r NamedRule) String() string {
	return fmt.Sprintf("of %s with %s %s (%s) have %s, too: %s times as many as on average",
		result.Counted(r.AntecedentCount, "image"), r.sayWhen(), result.Whole(r.Count),
		result.Share.Say(r.Confidence(), 0), r.sayThen(), result.Number.Say(r.Lift(), 2))
}

// NamedEdge is an edge with the ontology that it is of, which has names for people in place of its
// own.
type NamedEdge struct {
	Edge
	Of    *Ontology
	Files []string // the names of the items in files
}

// NameEdges are all edges of an ontology; names.Files are those of the ontology.
func (o Ontology) NameEdges(names Names) []NamedEdge {
	o.Names = names.People
	list := make([]NamedEdge, len(o.Edges))
	for k, e := range o.Edges {
		list[k] = NamedEdge{e, &o, names.Files}
	}
	return list
}

// EdgeTable is the table of the edges of an ontology.
var EdgeTable = result.Table[NamedEdge]{
	Name: "edges", Title: "Edges", Noun: "edge", First: result.Order{Key: "weight", Descending: true},
	ID: func(e NamedEdge) string { return e.Files[e.From] + ">" + e.Files[e.To] },
	Columns: []result.Column[NamedEdge]{
		result.Texts("from", "from", "where the edge begins", func(e NamedEdge) string { return e.Files[e.From] }).
			Told(func(e NamedEdge) string { return e.Of.Names[e.From] }),
		result.Texts("to", "to", "where it leads to", func(e NamedEdge) string { return e.Files[e.To] }).
			Told(func(e NamedEdge) string { return e.Of.Names[e.To] }),
		result.Numbers("weight", "weight",
			"confidence: the share of images with the first that have the second, too; or what was set by hand",
			result.Number, func(e NamedEdge) float64 { return e.Weight }),
		result.Numbers("count", "images", "images that have both", result.Count, func(e NamedEdge) float64 {
			if e.Count == 0 {
				return math.NaN()
			}
			return float64(e.Count)
		}).Because(func(NamedEdge) result.Reason {
			return result.Because("not_counted",
				"the edge was made by hand; too few images have both for them to be counted")
		}),
		lift(func(e NamedEdge) float64 { return e.Of.Lift(e.Edge) }),
		result.Bools("edited", "by hand", "set by hand", func(e NamedEdge) bool { return e.Edited }),
	},
}

// String is the line about an edge: "from sky to cloud: confidence 0.385, in 297 of 960 images,
// lift 1.25", and whether it was set by hand.
func (e NamedEdge) String() string {
	ends := fmt.Sprintf("from %s to %s: ", e.Of.Names[e.From], e.Of.Names[e.To])
	weight := result.Number.Say(e.Weight, 0)
	switch {
	case !e.Edited:
		return ends + fmt.Sprintf("confidence %s, in %s of %s, lift %s", weight, result.Whole(e.Count),
			result.Counted(e.Of.Transactions, "image"), result.Number.Say(e.Of.Lift(e.Edge), 2))
	case e.Count > 0 && e.Of.Counts[e.From] > 0:
		counted := float64(e.Count) / float64(e.Of.Counts[e.From])
		return ends + fmt.Sprintf("%s, set by hand; the images say %s", weight, result.Number.Say(counted, 0))
	}
	return ends + weight + ", set by hand"
}

// NamedEdit is one of the edits of an ontology, with the names of its ends for people.
type NamedEdit struct {
	Edit
	Number         int // from 1, in the order in which they were made
	SayFrom, SayTo string
}

// NameEdits are edits, the newest first. say is the name of an item for people.
func NameEdits(edits []Edit, say func(item string) string) []NamedEdit {
	var list []NamedEdit
	for k, e := range slices.Backward(edits) {
		list = append(list, NamedEdit{e, k + 1, say(e.From), say(e.To)})
	}
	return list
}

// EditTable is the table of changes of an ontology by hand, the newest first.
var EditTable = result.Table[NamedEdit]{
	Name: "edits", Title: "Edits", Noun: "edit", First: result.Order{Key: "number", Descending: true},
	ID: func(e NamedEdit) string { return strconv.Itoa(e.Number) },
	Columns: []result.Column[NamedEdit]{
		result.Counts("number", "no.", "in the order in which they were made",
			func(e NamedEdit) int { return e.Number }),
		result.Texts("from", "from", "where the edge begins", func(e NamedEdit) string { return e.From }).
			Told(func(e NamedEdit) string { return e.SayFrom }),
		result.Texts("to", "to", "where it leads to", func(e NamedEdit) string { return e.To }).
			Told(func(e NamedEdit) string { return e.SayTo }),
		result.Numbers("weight", "weight", "what the edge was set to; 0 where it was removed", result.Number,
			func(e NamedEdit) float64 { return e.Weight }).In(result.FileOnly),
		result.Texts("change", "set to", "the weight of the edge", NamedEdit.change),
		result.Texts("note", "why", "what was typed as the reason", func(e NamedEdit) string { return e.Note }),
	},
}

func (e NamedEdit) change() string {
	if e.Weight == 0 {
		return "removed"
	}
	return result.Number.Write(e.Weight)
}

// String is an edit for people: "edge from sea to sand: 0.8", "edge from sea to sand: removed".
func (e NamedEdit) String() string {
	return fmt.Sprintf("edge from %s to %s: %s", e.SayFrom, e.SayTo, e.change())
}

// NamedNode is a keyword of an ontology.
type NamedNode struct {
	Item int
	Of   *Ontology
	File string // its name in files; Of has names for people
}

// NameNodes are all nodes of an ontology; names.Files are those of the ontology.
func (o Ontology) NameNodes(names Names) []NamedNode {
	o.Names = names.People
	list := make([]NamedNode, len(o.Nodes))
	for k, item := range o.Nodes {
		list[k] = NamedNode{item, &o, names.Files[item]}
	}
	return list
}

// NodeTable is the table of the keywords of an ontology.
var NodeTable = result.Table[NamedNode]{
	Name: "nodes", Title: "Keywords of the ontology", Noun: "keyword", ID: func(n NamedNode) string { return n.File },
	Columns: []result.Column[NamedNode]{
		result.Texts("keyword", "keyword", "its name", func(n NamedNode) string { return n.File }).
			Told(func(n NamedNode) string { return n.Of.Names[n.Item] }),
		result.Counts("count", "images", "images that have it", func(n NamedNode) int { return n.Of.Counts[n.Item] }),
		result.Numbers("support", "support", "share of all images that have it", result.Share, NamedNode.support),
		result.Counts("leads_to", "leads to", "keywords that an edge from it reaches",
			func(n NamedNode) int { return len(n.Of.From(n.Item)) }),
		result.Counts("reached_from", "reached from", "keywords from which an edge reaches it",
			func(n NamedNode) int { return len(n.Of.To(n.Item)) }),
	},
}

func (n NamedNode) support() float64 {
	if n.Of.Transactions == 0 {
		return math.NaN()
	}
	return float64(n.Of.Counts[n.Item]) / float64(n.Of.Transactions)
}

// String is the line about a keyword of an ontology: "sky: in 771 of 960 images (80.3 %); leads to
// 5 keywords, reached from 33 keywords".
func (n NamedNode) String() string {
	return fmt.Sprintf("%s: in %s of %s (%s); leads to %s, reached from %s", n.Of.Names[n.Item],
		result.Whole(n.Of.Counts[n.Item]), result.Counted(n.Of.Transactions, "image"), result.Share.Say(n.support(), 0),
		result.Counted(len(n.Of.From(n.Item)), "keyword"), result.Counted(len(n.Of.To(n.Item)), "keyword"))
}
