package label

import (
	"cmp"
	"slices"
)

// Case is an item for the adjudication queue: one on which the annotators disagree, or which has a
// conflict.
type Case struct {
	Disagreement
	Conflicts []Conflict // of this item
	Final     *Event     // the adjudication in force, nil when there is none yet
}

// Queue lists what is to be adjudicated: items with conflicts in the round's order, then the
// disagreements in their order (the widest spread first, then ties). A case stays in its place when
// it gets a final label.
func Queue(r Round, events []Event) []Case {
	conflicts := map[string][]Conflict{}
	for _, c := range Conflicts(r, events) {
		conflicts[c.Model] = append(conflicts[c.Model], c)
	}
	finals := Finals(r, events)
	var first, rest []Case
	put := func(d Disagreement) {
		c := Case{Disagreement: d, Conflicts: conflicts[d.Model]}
		if ev, ok := finals[d.Model]; ok {
			c.Final = &ev
		}
		if len(c.Conflicts) > 0 {
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	differing := Disagreements(r, events)
	for _, d := range differing {
		put(d)
	}
	current := Current(ofRound(r, events))
	for i, model := range r.Models {
		listed := slices.ContainsFunc(differing, func(d Disagreement) bool { return d.Model == model })
		if len(conflicts[model]) == 0 || listed {
			continue
		}
		d := Disagreement{Model: model, Item: i, Values: make([]Value, len(r.Annotators))}
		for a, annotator := range r.Annotators {
			d.Values[a] = current[Key{model, annotator}].Value
		}
		put(d)
	}
	slices.SortStableFunc(first, func(a, b Case) int { return cmp.Compare(a.Item, b.Item) })
	return append(first, rest...)
}

// Finals are the adjudications in force by model: the newest that is not undone.
func Finals(r Round, events []Event) map[string]Event {
	finals := map[string]Event{}
	for _, ev := range Active(ofRound(r, events)) {
		if _, ok := ev.Value.Index(r.Classes); ev.Kind == Adjudicate && ok {
			finals[ev.Model] = ev
		}
	}
	return finals
}

// Masked is an order of the round's annotators for one item, to show their labels without names:
// rater 1, rater 2, ... are other people from item to item. It depends on the round and the model
// only.
func Masked(r Round, model string) []int {
	return draws(r.OrderSeed, r.ID+model).Perm(len(r.Annotators))
}

// Passes are an annotator's labels of both passes as class numbers, in the order of r.Models,
// Missing where there is none: the current labels, and the newest of the unannounced repeats that
// is not undone.
func Passes(r Round, annotator string, events []Event) (first, second []int) {
	newest := [2]map[string]Value{{}, {}}
	for _, ev := range Active(ofRound(r, events)) {
		if ev.Annotator == annotator && ev.Kind == Label && (ev.Pass == 1 || ev.Pass == 2) {
			newest[ev.Pass-1][ev.Model] = ev.Value
		}
	}
	column := func(labels map[string]Value) []int {
		list := make([]int, len(r.Models))
		for i, model := range r.Models {
			list[i] = Missing
			if class, ok := labels[model].Index(r.Classes); ok {
				list[i] = class
			}
		}
		return list
	}
	return column(newest[0]), column(newest[1])
}

// Completed are the items (indices of r.Models) that two or more annotators have labelled, in the
// order in which the last of their current labels came.
func Completed(r Round, events []Event) []int {
	last, labels := make([]string, len(r.Models)), make([]int, len(r.Models))
	item, asked := make(map[string]int, len(r.Models)), r.Asked()
	for i, model := range r.Models {
		item[model] = i
	}
	for key, ev := range Current(ofRound(r, events)) {
		i, known := item[key.Model]
		if _, ok := ev.Value.Index(r.Classes); !known || !ok || !asked(key.Annotator, key.Model) {
			continue
		}
		labels[i]++
		last[i] = max(last[i], ev.ID)
	}
	var order []int
	for i, n := range labels {
		if n >= 2 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(last[a], last[b]) })
	return order
}
