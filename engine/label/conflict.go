package label

import (
	"cmp"
	"maps"
	"slices"
)

// Conflict is an item to which one annotator gave different labels at different desks, neither of
// them made in knowledge of the other. Both stay; the newest counts as current until the item is
// adjudicated (DESIGN.md section 6).
type Conflict struct {
	Model     string
	Item      int // index in r.Models
	Annotator string
	Labels    []Event // one per desk, oldest first; the last one is current
}

// Conflicts lists the round's conflicts in the order of its items, then of its annotators.
//
// A label that names another one in Supersedes was made in its knowledge, so the other one is out
// of the question. Of what is left, the newest label of each desk counts, and there is a conflict
// when these differ.
func Conflicts(r Round, events []Event) []Conflict {
	item := make(map[string]int, len(r.Models))
	for i, model := range r.Models {
		item[model] = i
	}
	var list []Conflict
	for key, labels := range openLabels(ofRound(r, events)) {
		i, known := item[key.Model]
		differ := slices.ContainsFunc(labels, func(ev Event) bool { return ev.Value != labels[0].Value })
		if known && differ && slices.Contains(r.Annotators, key.Annotator) {
			list = append(list, Conflict{Model: key.Model, Item: i, Annotator: key.Annotator, Labels: labels})
		}
	}
	slices.SortFunc(list, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Item, b.Item),
			cmp.Compare(slices.Index(r.Annotators, a.Annotator), slices.Index(r.Annotators, b.Annotator)))
	})
	return list
}

// openLabels are, per item and annotator, the newest label of each desk among those that no other
// label replaced, in ULID order.
func openLabels(events []Event) map[Key][]Event {
	var labels []Event
	replaced := map[string]Key{}
	for _, ev := range Active(events) {
		if ev.Kind != Label || ev.Pass != 1 {
			continue
		}
		labels = append(labels, ev)
		if ev.Supersedes != "" {
			replaced[ev.Supersedes] = ev.key()
		}
	}
	newest := map[Key]map[string]Event{} // by desk
	for _, ev := range labels {
		if by, ok := replaced[ev.ID]; ok && by == ev.key() {
			continue
		}
		if newest[ev.key()] == nil {
			newest[ev.key()] = map[string]Event{}
		}
		newest[ev.key()][ev.Desk] = ev
	}
	open := make(map[Key][]Event, len(newest))
	for key, byDesk := range newest {
		open[key] = slices.SortedFunc(maps.Values(byDesk), before)
	}
	return open
}
