package background

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
)

// Mined is an ontology with what it is made of and what was found on the way.
type Mined struct {
	Name, ID        string // of one that is kept
	Table           string // name and content hash of the table of keywords, empty for a file
	TableHash       string
	Rule            Rule
	Ontology        itemset.Ontology
	Sets            []itemset.Itemset
	Rules           []itemset.Rule
	Levels          []LevelCount // of the targets, of the backgrounds where there are no targets
	WithoutKeywords []string     // files of these
}

// Ontology is what goes together among the keywords of images, with edits by hand.
func (k Keywords) Ontology(minSupport, minConfidence float64, edits []itemset.Edit) (itemset.Ontology, error) {
	graph, err := itemset.New(k.Items, k.Present, minSupport, minConfidence)
	if err == nil && len(edits) > 0 {
		graph, err = graph.With(edits...)
	}
	return graph, err
}

// Mine finds the ontology of a table with these keywords, their itemsets and rules, and expands the
// targets' keywords level by level, without a bound, as the paper's Fig. 9 does. An ontology
// without nodes has nothing else.
func (k Keywords) Mine(
	ctx context.Context, t Table, minSupport, minConfidence float64, edits []itemset.Edit, levels int,
) (m Mined, err error) {
	if m.Ontology, err = k.Ontology(minSupport, minConfidence, edits); err != nil || len(m.Ontology.Nodes) == 0 {
		return m, err
	}
	m.Sets, m.Rules, err = itemset.Associations(ctx, k.Present, len(k.Items), minSupport, minConfidence)
	if err != nil {
		return m, err
	}
	all, rows, err := ExpandAll(ctx, t, m.Ontology, k, Expansion{MaxLevels: levels})
	if err != nil {
		return m, err
	}
	m.Levels = Levels(all, levels)
	for _, row := range rows {
		if len(k.Present[row]) == 0 {
			m.WithoutKeywords = append(m.WithoutKeywords, t.Rows[row].File)
		}
	}
	return m, nil
}

// Names are the names of its items.
func (m Mined) Names() *itemset.Names { return KeywordNames(m.Ontology.Names) }

// Figure is the ontology as a network (Fig. 5 of the background paper): keywords, as large as they
// are frequent, and an arrow per rule between two of them, as strong as its confidence.
func (m Mined) Figure(ctx context.Context) (result.Figure, error) {
	shown := m.Ontology
	shown.Names = m.Names().People
	places, err := shown.Places(ctx)
	if err != nil {
		return result.Figure{}, err
	}
	f := shown.Figure(places, itemset.Look{})
	f.Title, f.Note = cmp.Or(m.Name, "Ontology"), m.String()
	return f, nil
}

// Sheets are all its tables.
func (m Mined) Sheets() []*result.Sheet {
	names := m.Names()
	var without []ImageKeywords
	for _, file := range m.WithoutKeywords {
		without = append(without, ImageKeywords{Row: Row{File: file}})
	}
	return []*result.Sheet{
		MinedTable.Sheet([]Mined{m}), itemset.SetTable.Sheet(itemset.NameSets(m.Sets, m.Ontology.Transactions, names)),
		itemset.RuleTable.Sheet(itemset.NameRules(m.Rules, names)),
		itemset.NodeTable.Sheet(m.Ontology.NameNodes(*names)), itemset.EdgeTable.Sheet(m.Ontology.NameEdges(*names)),
		itemset.EditTable.Sheet(itemset.NameEdits(m.Ontology.Edits,
			KeywordName)),
		LevelTable.Sheet(m.Levels), WithoutKeywords.Sheet(without),
	}
}

// WithoutKeywords is the table of images without any keyword.
var WithoutKeywords = result.Table[ImageKeywords]{
	Name: "without_keywords", Title: "Without keywords", Noun: "image",
	ID: func(i ImageKeywords) string { return i.File }, Columns: ImageTable.Columns[:1],
}

// MinedTable is the table of what ontologies are made of.
var MinedTable = result.Table[Mined]{
	Name: "ontology", Title: "Ontology", Noun: "ontology", ID: func(m Mined) string { return m.Ontology.Hash },
	Columns: slices.Concat(
		[]result.Column[Mined]{
			result.Texts("ontology", "ontology", "name of one that is kept", func(m Mined) string { return m.Name }),
			result.Texts("ontology_id", "ID", "of one that is kept", func(m Mined) string { return m.ID }),
			result.Texts("ontology_hash", "hash", "of what it is made of, without edits",
				func(m Mined) string { return m.Ontology.Hash }),
			result.Texts("table", "table", "name of the table of keywords", func(m Mined) string { return m.Table }),
			result.Texts("table_hash", "table hash", "content hash of the table of keywords",
				func(m Mined) string { return m.TableHash }),
			result.Counts("images", "images", "in the table", func(m Mined) int { return m.Ontology.Transactions }),
		},
		result.Lift(RuleColumns, func(m Mined) Rule { return m.Rule }),
		[]result.Column[Mined]{
			result.Numbers("min_support", "least support", "of itemsets", result.Share,
				func(m Mined) float64 { return m.Ontology.MinSupport }),
			result.Numbers("min_confidence", "least confidence", "of rules and edges", result.Share,
				func(m Mined) float64 { return m.Ontology.MinConfidence }),
			result.Counts("itemsets", "itemsets", "that are frequent", func(m Mined) int { return len(m.Sets) }),
			result.Counts("rules", "rules", "that were found", func(m Mined) int { return len(m.Rules) }),
			result.Counts("nodes", "keywords", "of the ontology", func(m Mined) int { return len(m.Ontology.Nodes) }),
			result.Counts("edges", "edges", "of the ontology", func(m Mined) int { return len(m.Ontology.Edges) }),
			result.Counts("edited_edges", "edited edges", "that were set by hand", func(m Mined) (n int) {
				for _, e := range m.Ontology.Edges {
					if e.Edited {
						n++
					}
				}
				return n
			}),
			result.Counts("edits", "edits", "by hand", func(m Mined) int { return len(m.Ontology.Edits) }),
		}),
}

// String says what the ontology is: "34 keywords, 203 edges, 1 edit; support from 0.05, confidence
// from 0.3; 960 images".
func (m Mined) String() string {
	o := m.Ontology
	return fmt.Sprintf("%s, %s, %s; support from %s, confidence from %s; %s", result.Counted(len(o.Nodes), "keyword"),
		result.Counted(len(o.Edges), "edge"), result.Counted(len(o.Edits), "edit"), result.Number.Write(o.MinSupport),
		result.Number.Write(o.MinConfidence), result.Counted(o.Transactions, "image"))
}

// Found says how much was found: "15 frequent itemsets (8 of 1, 6 of 2, 1 of 3), 18 rules".
func (m Mined) Found() string {
	var sizes []int // itemsets by size
	for _, s := range m.Sets {
		for len(sizes) < len(s.Items) {
			sizes = append(sizes, 0)
		}
		sizes[len(s.Items)-1]++
	}
	parts := make([]string, len(sizes))
	for k, n := range sizes {
		parts[k] = fmt.Sprintf("%s of %d", result.Whole(n), k+1)
	}
	return fmt.Sprintf("%s (%s), %s", result.Counted(len(m.Sets), "frequent itemset"), strings.Join(parts, ", "),
		result.Counted(len(m.Rules), "rule"))
}

// SpreadTable is the table of quantiles of semantic distances.
var SpreadTable = result.Table[Spread]{
	Name: "distances", Title: "Distances", Noun: "line", ID: func(Spread) string { return "distances" },
	Columns: []result.Column[Spread]{
		quantile("min", "smallest", func(s Spread) float64 { return s.Least }),
		quantile("q25", "lower quartile", func(s Spread) float64 { return s.Lower }),
		quantile("median", "median", func(s Spread) float64 { return s.Median }),
		quantile("q75", "upper quartile", func(s Spread) float64 { return s.Upper }),
		quantile("max", "largest", func(s Spread) float64 { return s.Far }),
		quantile("mean", "mean", func(s Spread) float64 { return s.Mean }),
	},
}

func quantile(key, title string, of func(Spread) float64) result.Column[Spread] {
	return result.Numbers(key, title, "semantic distance of the chosen scenes", result.Number, of)
}

// String says the distances in a line.
func (s Spread) String() string {
	say := func(v float64) string { return result.Number.Say(v, 0) }
	return fmt.Sprintf("from %s to %s, quartiles %s %s %s, mean %s", say(s.Least), say(s.Far), say(s.Lower),
		say(s.Median), say(s.Upper), say(s.Mean))
}

// ReasonCount is how many scenes were chosen for a keyword of a level.
type ReasonCount struct {
	Level  int // -1 for those that were chosen by distance, by chance or to fill up
	Scenes int
}

// Reasons are how many scenes were chosen for what.
func (d Diversity) Reasons() []ReasonCount {
	list := []ReasonCount{{-1, d.ByDistance}}
	for level, n := range d.ByLevel {
		list = append(list, ReasonCount{level, n})
	}
	return list
}

// ReasonTable is the table of what scenes were chosen for.
var ReasonTable = result.Table[ReasonCount]{
	Name: "reasons", Title: "What scenes were chosen for", Noun: "reason",
	ID: func(r ReasonCount) string { return strconv.Itoa(r.Level) },
	Columns: []result.Column[ReasonCount]{
		result.Counts("level", "level",
			"of the keyword that a scene was chosen for; -1: by distance, by chance or to fill up",
			func(r ReasonCount) int { return r.Level }),
		result.Counts("scenes", "scenes", "that were chosen for it", func(r ReasonCount) int { return r.Scenes }),
	},
}
