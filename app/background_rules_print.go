package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

// write makes the files that the flags name.
func (c *backgroundRulesCommand) write(graph itemset.Ontology, r rulesReport) error {
	if c.Itemsets != "" {
		if err := r.itemsetSheet().saveAs(c.Itemsets); err != nil {
			return err
		}
	}
	if c.Rules != "" {
		if err := r.ruleSheet().saveAs(c.Rules); err != nil {
			return err
		}
	}
	switch strings.ToLower(suffixOf(c.Ontology)) {
	case ".json":
		return durable.WriteFile(c.Ontology, graph.WriteJSON)
	case ".graphml":
		return durable.WriteFile(c.Ontology, graph.WriteGraphML)
	}
	return nil
}

// itemsetSheet has a row per frequent itemset.
func (r rulesReport) itemsetSheet() sheet {
	return sheet{"itemsets.csv", []string{"size", "items", "count", "support"}, func(row func(...string) error) error {
		for _, one := range r.Itemsets {
			if err := row(strconv.Itoa(len(one.Items)), strings.Join(one.Items, "+"), strconv.Itoa(one.Count), digits(&one.Support)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// ruleSheet has a row per rule.
func (r rulesReport) ruleSheet() sheet {
	return sheet{"rules.csv", []string{"antecedent", "consequent", "count", "support", "confidence", "lift"}, func(row func(...string) error) error {
		for _, one := range r.Rules {
			err := row(strings.Join(one.Antecedent, "+"), strings.Join(one.Consequent, "+"), strconv.Itoa(one.Count),
				digits(&one.Support), digits(&one.Confidence), digits(&one.Lift))
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// print writes the document, or the tables for people: the rules with the largest lift, the
// expansion by level, and counts.
func (c *backgroundRulesCommand) print(s *session, r rulesReport) error {
	if s.common.JSON {
		return writeJSON(s.stdout, r)
	}
	if err := s.print(nil, r.ruleRows(c.Show)); err != nil {
		return err
	}
	s.say("")
	if err := s.print(nil, r.levelRows()); err != nil {
		return err
	}
	s.say("")
	for _, line := range r.lines() {
		s.say("%s", line)
	}
	return nil
}

// ruleRows are the rules with the largest lift; equal ones in their order.
func (r rulesReport) ruleRows(show int) [][]string {
	rows := [][]string{{"if there is", "then there is", "images", "support", "confidence", "lift"}}
	best := slices.Clone(r.Rules)
	slices.SortStableFunc(best, func(a, b ruleRow) int {
		switch {
		case a.Lift > b.Lift:
			return -1
		case a.Lift < b.Lift:
			return 1
		}
		return 0
	})
	for _, one := range best[:min(show, len(best))] {
		rows = append(rows, []string{
			plainWords(one.Antecedent), plainWords(one.Consequent), strconv.Itoa(one.Count), decimals4(one.Support), decimals4(one.Confidence), decimals4(one.Lift),
		})
	}
	return rows
}

func plainWords(items []string) string {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = scenes.PlainWord(item)
	}
	return strings.Join(words, " + ")
}

func (r rulesReport) levelRows() [][]string {
	rows := [][]string{{"level", "fewest keywords", "mean", "most"}}
	for _, one := range r.Expansion {
		rows = append(rows, []string{strconv.Itoa(one.Level), strconv.Itoa(one.Min), fmt.Sprintf("%.1f", one.Mean), strconv.Itoa(one.Max)})
	}
	return rows
}

// lines say in words what there is in all.
func (r rulesReport) lines() []string {
	sizes := map[int]int{}
	largest := 0
	for _, one := range r.Itemsets {
		sizes[len(one.Items)]++
		largest = max(largest, len(one.Items))
	}
	var parts []string
	for size := 1; size <= largest; size++ {
		parts = append(parts, fmt.Sprintf("%d of %d", sizes[size], size))
	}
	lines := []string{
		fmt.Sprintf("%d images, support from %g, confidence from %g", r.Images, r.MinSupport, r.MinConfidence),
		fmt.Sprintf("%d frequent itemsets (%s), %d rules", len(r.Itemsets), strings.Join(parts, ", "), len(r.Rules)),
		fmt.Sprintf("ontology: %d keywords, %d edges, %d edits", len(r.Ontology.Nodes), len(r.Ontology.Edges), len(r.Ontology.Edits)),
	}
	if r.Ontology.Name != "" {
		lines = append(lines, "kept as "+r.Ontology.Name)
	}
	if len(r.Bare) > 0 {
		lines = append(lines, fmt.Sprintf("%d images without any keyword, which nothing expands: %s", len(r.Bare), result.Some(r.Bare)))
	}
	return lines
}
