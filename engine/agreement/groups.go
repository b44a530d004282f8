package agreement

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Group is a kind of items: those that share a value of some column of their metadata.
type Group struct {
	Name  string
	Items []int
}

// NoValue names the group of items without a value.
const NoValue = "no value"

// distinct is the number of values up to which a column of numbers is taken value by value.
const distinct = 6

// GroupBy sorts items into kinds by their values, one per item, "" for none. A column of numbers
// with more than six different ones is cut at its quartiles, each group holding its lower bound;
// every other column has a group per value, in the order in which values appear.
func GroupBy(values []string) []Group {
	numbers, numeric := parse(values)
	key := func(i int) string { return values[i] }
	var names []string
	if numeric {
		names, key = quartiles(numbers, values)
	}
	groups := map[string]*Group{}
	for i := range values {
		name := NoValue
		if values[i] != "" {
			name = key(i)
		}
		if groups[name] == nil {
			groups[name] = &Group{Name: name}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		groups[name].Items = append(groups[name].Items, i)
	}
	var list []Group
	for _, name := range names {
		if g := groups[name]; g != nil {
			list = append(list, *g)
		}
	}
	return list
}

// parse tells whether a column holds numbers only, more than a few different ones.
func parse(values []string) (numbers []float64, numeric bool) {
	seen := map[float64]bool{}
	numbers = make([]float64, len(values))
	for i, text := range values {
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		numbers[i], seen[v] = v, true
	}
	return numbers, len(seen) > distinct
}

// quartiles names the four ranges of a column of numbers, and says which one an item falls into.
func quartiles(numbers []float64, values []string) (names []string, key func(i int) string) {
	var sorted []float64
	for i, v := range numbers {
		if values[i] != "" {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	bounds := make([]float64, 5)
	for q := range bounds {
		bounds[q] = stats.Quantile(sorted, float64(q)/4)
	}
	text := func(v float64) string { return result.Digits(v, 4) }
	for q := range 4 {
		names = append(names, text(bounds[q])+" .. "+text(bounds[q+1]))
	}
	names = slices.Compact(names)
	return names, func(i int) string {
		q := 3
		for q > 0 && numbers[i] < bounds[q] {
			q--
		}
		return text(bounds[q]) + " .. " + text(bounds[q+1])
	}
}

// GroupAgreement is the agreement on one kind of items.
type GroupAgreement struct {
	Group
	Percent, Fleiss Estimate
	// Votes are the items of each class, by its word, by majority vote; "" counts those without a
	// majority: nobody has labelled them, or several classes have most.
	Votes map[string]int
}

// MeasureGroups measures every group by itself, the least percent agreement first; groups without
// any stand at the end. ratings and classes are those of Measure.
func MeasureGroups(ratings [][]int, classes int, groups []Group, opts Options) []GroupAgreement {
	check(ratings, classes, make([]string, len(ratings)))
	list := make([]GroupAgreement, len(groups))
	for g, group := range groups {
		rows := make([][]int, len(ratings))
		for r, row := range ratings {
			for _, i := range group.Items {
				rows[r] = append(rows[r], row[i])
			}
		}
		t := newTable(rows, classes, false)
		s := t.whole()
		measure := func(s *tally, list []Value) []Value { return append(list, t.percent(s), t.fleiss(s)) }
		from := t.slots(opts, s, measure)
		list[g] = GroupAgreement{
			Group: group, Percent: from.share(s.two), Fleiss: from.kappa(s.two, t.support()), Votes: map[string]int{},
		}
		words := classNames(opts.Classes, classes)
		for _, word := range words {
			list[g].Votes[word] = 0
		}
		for _, class := range majorities(rows, classes, len(group.Items)).Unresolved {
			if class == Missing {
				list[g].Votes[""]++
			} else {
				list[g].Votes[words[class]]++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b GroupAgreement) int {
		switch {
		case a.Percent.Value.Defined() && b.Percent.Value.Defined():
			return cmp.Compare(a.Percent.Value.Value, b.Percent.Value.Value)
		case a.Percent.Value.Defined():
			return -1
		case b.Percent.Value.Defined():
			return 1
		}
		return 0
	})
	return list
}

// SelfAgreement is how well a rater agrees with themselves on the items that came back unannounced.
type SelfAgreement struct {
	Annotator string // id of the rater in a round
	Rater     string
	Cohen
}

// Self compares a rater's first pass with the second one, both in the order of the items and
// Missing where there is none.
func Self(rater string, first, second []int, classes int, opts Options) SelfAgreement {
	r := Measure([][]int{first, second}, classes, []string{rater, rater}, opts)
	return SelfAgreement{Rater: rater, Cohen: r.Cohen[0].Cohen}
}
