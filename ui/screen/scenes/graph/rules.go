package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// The columns of the table of rules.
const (
	ruleIf = iota
	ruleThen
	ruleSupport
	ruleConfidence
	ruleLift
	ruleLength
)

// ruleTitles are the names of the columns, ruleHints what they tell.
func ruleTitles() []string {
	return []string{
		"if there is", "then there is", "support", "confidence", "lift", "length",
	}
}

func ruleHints() []string {
	return []string{
		"keywords that an image has", "keywords that it then often has, too",
		"share of all images that have all of them", "share of the images with the first that have the second, too",
		"how many times as often as on average the second are there", "number of keywords on both sides",
	}
}

// query says which rules are shown, and in which order.
type query struct {
	filter     string
	item       int // only rules with it; -1 for all
	column     int
	descending bool
}

// ruleNumber is the number in a column of a rule, NaN for a column of keywords.
func ruleNumber(r itemset.Rule, column int) float64 {
	switch column {
	case ruleSupport:
		return r.Support()
	case ruleConfidence:
		return r.Confidence()
	case ruleLift:
		return r.Lift()
	case ruleLength:
		return float64(len(r.Antecedent) + len(r.Consequent))
	}
	return math.NaN()
}

// arrange finds the rules that are shown, as indices in their order. Equal ones stay in the order
// of the rules. It is quick enough for a table of some thousands, and meant for the background.
func arrange(rules []itemset.Rule, names []string, q query) []int32 {
	low := make([]string, len(names))
	for k, name := range names {
		low[k] = strings.ToLower(name)
	}
	titles := ruleTitles()
	filter := present.ParseFilter(q.filter)
	var list []int32
	for k, r := range rules {
		if q.item >= 0 && !holds(r, func(item int) bool { return item == q.item }) {
			continue
		}
		if len(filter) == 0 || filter.Meets(func(word string) bool {
			return holds(r, func(item int) bool { return strings.Contains(low[item], word) })
		}, func(name string) (float64, bool) {
			at := slices.IndexFunc(titles, func(title string) bool { return strings.ToLower(title) == name })
			return ruleNumber(r, at), at >= ruleSupport
		}) {
			list = append(list, int32(k))
		}
	}
	order(list, rules, ranks(low), q)
	return list
}

func holds(r itemset.Rule, is func(item int) bool) bool {
	return slices.ContainsFunc(r.Antecedent, is) || slices.ContainsFunc(r.Consequent, is)
}

// ranks are the places of names in the order of people.
func ranks(names []string) []int {
	sorted := make([]int, len(names))
	for k := range sorted {
		sorted[k] = k
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return result.Natural(names[a], names[b]) })
	rank := make([]int, len(names))
	for place, item := range sorted {
		rank[item] = place
	}
	return rank
}

// order sorts rules by a column.
func order(list []int32, rules []itemset.Rule, rank []int, q query) {
	turn := 1
	if q.descending {
		turn = -1
	}
	if q.column >= ruleSupport {
		key := make([]float64, len(rules))
		for _, k := range list {
			key[k] = ruleNumber(rules[k], q.column)
		}
		slices.SortStableFunc(list, func(a, b int32) int { return turn * cmp.Compare(key[a], key[b]) })
		return
	}
	side := func(r itemset.Rule) []int { return r.Antecedent }
	if q.column == ruleThen {
		side = func(r itemset.Rule) []int { return r.Consequent }
	}
	slices.SortStableFunc(list, func(a, b int32) int {
		return turn * slices.CompareFunc(side(rules[a]), side(rules[b]), func(x, y int) int { return cmp.Compare(rank[x], rank[y]) })
	})
}

// joined are the names of items with a plus between them.
func joined(names []string, items []int) string {
	list := make([]string, len(items))
	for k, item := range items {
		list[k] = names[item]
	}
	return strings.Join(list, " + ")
}

// RuleCell is a cell of the table of rules.
func (v *View) RuleCell(row, col int) string {
	r, ok := v.rule(row)
	if !ok {
		return ""
	}
	switch col {
	case ruleIf:
		return joined(v.Shown.Names, r.Antecedent)
	case ruleThen:
		return joined(v.Shown.Names, r.Consequent)
	case ruleLength:
		return present.Count(int64(ruleNumber(r, col)))
	case ruleSupport, ruleConfidence:
		return present.Kappa(ruleNumber(r, col))
	}
	return present.Number(ruleNumber(r, col))
}

// rule is a row of the table of rules; ok is false outside.
func (v *View) rule(row int) (r itemset.Rule, ok bool) {
	if row < 0 || row >= len(v.rows) {
		return r, false
	}
	return v.Mined.Rules[v.rows[row]], true
}

// RuleText says what a rule means: "Of 120 images with sea + sand 110 (91.7 %) have beach, 4.1
// times as many as on average".
func (v *View) RuleText(row int) string {
	r, ok := v.rule(row)
	if !ok {
		return ""
	}
	return fmt.Sprintf("of %s with %s %s (%s) have %s, too: %s times as many as on average", present.Counted(int64(r.AntecedentCount), "image"),
		joined(v.Shown.Names, r.Antecedent), present.Count(int64(r.Count)), present.Percent(r.Confidence()), joined(v.Shown.Names, r.Consequent),
		present.Number(r.Lift()))
}

// RulesCaption says how many rules there are, or why there are none.
func (v *View) RulesCaption() string {
	m := v.Mined
	switch {
	case v.mining:
		return "Finding rules…"
	case present.Cancelled(m.Err):
		return "Finding rules was cancelled."
	case m.Err != nil:
		return present.Sentence(m.Err)
	case len(v.rows) < len(m.Rules):
		return fmt.Sprintf("%s of %s; %s", present.Count(int64(len(v.rows))), present.Counted(int64(len(m.Rules)), "rule"), present.Counted(int64(len(m.Sets)), "itemset"))
	}
	return fmt.Sprintf("%s; %s", present.Counted(int64(len(m.Rules)), "rule"), present.Counted(int64(len(m.Sets)), "itemset"))
}

// ruleColumns are the columns with their widths in proportion.
func ruleColumns() []widget.Column {
	list := make([]widget.Column, 0, ruleLength+1)
	for k, title := range ruleTitles() {
		width := headingWidth(title)
		if k <= ruleThen {
			width = keywordsWidth
		}
		list = append(list, widget.Column{Title: title, Width: width, Right: k > ruleThen, Hint: ruleHints()[k]})
	}
	return list
}

// keywordsWidth is the width of a column with several keywords, keywordWidth of one with a single
// one.
const keywordsWidth, keywordWidth = 190, 100

// rulesTable are all rules for a file, with names as in the table of keywords: what the command
// writes with --rules.
func rulesTable(names []string, rules []itemset.Rule) (head []string, rows [][]string) {
	for _, r := range rules {
		rows = append(rows, []string{
			items(names, r.Antecedent), items(names, r.Consequent), strconv.Itoa(r.Count), digits(r.Support()), digits(r.Confidence()), digits(r.Lift()),
		})
	}
	return []string{"antecedent", "consequent", "count", "support", "confidence", "lift"}, rows
}

// itemsetsTable are all frequent itemsets for a file: what the command writes with --itemsets.
func itemsetsTable(names []string, sets []itemset.Itemset, images int) (head []string, rows [][]string) {
	for _, s := range sets {
		rows = append(rows, []string{strconv.Itoa(len(s.Items)), items(names, s.Items), strconv.Itoa(s.Count), digits(float64(s.Count) / float64(images))})
	}
	return []string{"size", "items", "count", "support"}, rows
}

// items are the names of items as files join them.
func items(names []string, list []int) string {
	return strings.ReplaceAll(joined(names, list), " + ", "+")
}

func digits(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
