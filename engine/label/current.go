package label

import (
	"cmp"
	"slices"
)

// Key is one cell of the table of labels: an item and an annotator.
type Key struct{ Model, Annotator string }

func (ev Event) key() Key { return Key{ev.Model, ev.Annotator} }

// before orders events by their ULIDs. A ULID holds the time in milliseconds and then a part that
// grows within a desk, so this is the order of saving, with one answer for events of the same
// moment.
func before(a, b Event) int { return cmp.Compare(a.ID, b.ID) }

// Sorted returns the events in ULID order, as a new slice.
func Sorted(events []Event) []Event {
	list := slices.Clone(events)
	sortEvents(list)
	return list
}

// Active returns the events that stand: all that are not undone, without the undo events, in ULID
// order.
//
// An undo event names its target in Supersedes and counts when target and undo have the same
// annotator and the undo is not undone itself; so undoing an undo brings the first event back, and
// a second undo of the same event changes nothing. Undo events that form a circle, which no desk
// writes, have no effect.
func Active(events []Event) []Event {
	undone := undoneEvents(events)
	list := make([]Event, 0, len(events))
	for _, ev := range events {
		if ev.Kind != Undo && !undone[ev.ID] {
			list = append(list, ev)
		}
	}
	sortEvents(list)
	return list
}

// sortEvents sorts in place. Stores return events in order, and looking is cheaper than sorting.
func sortEvents(list []Event) {
	if !slices.IsSortedFunc(list, before) {
		slices.SortStableFunc(list, before)
	}
}

// undoneEvents resolves undo events from the ends of their chains: one that nothing undoes counts,
// and settles its target.
func undoneEvents(events []Event) map[string]bool {
	isUndo := func(ev Event) bool { return ev.Kind == Undo }
	if !slices.ContainsFunc(events, isUndo) {
		return nil
	}
	owner := make(map[string]string, len(events)) // annotator by event
	target := map[string]string{}                 // undo event to what it undoes
	waiting := map[string]int{}                   // undo events aimed at an undo event and not settled yet
	for _, ev := range events {
		owner[ev.ID] = ev.Annotator
	}
	for _, ev := range events {
		by, known := owner[ev.Supersedes]
		if isUndo(ev) && known && by == ev.Annotator {
			target[ev.ID] = ev.Supersedes
		}
	}
	for _, t := range target {
		if _, chained := target[t]; chained {
			waiting[t]++
		}
	}
	var ready []string
	for id := range target {
		if waiting[id] == 0 {
			ready = append(ready, id)
		}
	}
	undone := map[string]bool{}
	for len(ready) > 0 {
		id := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		t := target[id]
		if !undone[id] {
			undone[t] = true
		}
		if waiting[t]--; waiting[t] == 0 {
			ready = append(ready, t)
		}
	}
	return undone
}

// Current returns the label in force of every item and annotator: the newest label event of pass 1
// that is not undone.
func Current(events []Event) map[Key]Event {
	latest := map[Key]Event{}
	for _, ev := range Active(events) { // in ULID order
		if ev.Kind == Label && ev.Pass == 1 {
			latest[ev.key()] = ev
		}
	}
	return latest
}

// UndoNewest returns the event to append that takes back what the annotator did last in the round
// and has not taken back yet: a label (of either pass) or a skip. The store adds ID, desk and
// times. ok is false when there is nothing.
func UndoNewest(r Round, annotator string, events []Event) (undo Event, ok bool) {
	for _, ev := range slices.Backward(Active(events)) {
		if ev.Round != r.ID || ev.Annotator != annotator || ev.Kind != Label && ev.Kind != Skip {
			continue
		}
		return Event{
			Round: r.ID, Model: ev.Model, Annotator: annotator, Kind: Undo, Pass: ev.Pass, Supersedes: ev.ID,
		}, true
	}
	return Event{}, false
}

// RedoNewest returns the event to append that brings back what the annotator took back last in the
// round: the undo of the newest undo that stands. There is none, and ok is false, once something
// was labelled or skipped after that undo. The store adds ID, desk and times.
func RedoNewest(r Round, annotator string, events []Event) (redo Event, ok bool) {
	undone := undoneEvents(events)
	byID := make(map[string]Event, len(events))
	for _, ev := range events {
		byID[ev.ID] = ev
	}
	for _, ev := range slices.Backward(Sorted(events)) {
		if ev.Round != r.ID || ev.Annotator != annotator {
			continue
		}
		switch target, known := byID[ev.Supersedes]; {
		case ev.Kind == Label || ev.Kind == Skip:
			return Event{}, false
		case ev.Kind != Undo || undone[ev.ID] || !known || target.Kind == Undo:
			continue // a note, or an undo without effect, or a redo
		}
		return Event{
			Round: r.ID, Model: ev.Model, Annotator: annotator, Kind: Undo, Pass: ev.Pass, Supersedes: ev.ID,
		}, true
	}
	return Event{}, false
}
