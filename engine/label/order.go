package label

import (
	"fmt"
	"slices"
)

// Order is the order in which an annotator sees the items that are assigned to them: a shuffle of
// r.Models from r.OrderSeed with a stream derived from the annotator's id. It is the inside-out
// shuffle, which draws once per item in list order: a model appended to the round takes some
// place and sends at most one other item to the end. An ordered round is seen as it is listed.
// Models with a known answer come first where the round says so.
func Order(r Round, annotator string) []string {
	order := slices.Clone(r.Models)
	if !r.Ordered {
		rng := draws(r.OrderSeed, annotator)
		for k := range order {
			at := rng.IntN(k + 1)
			order[k], order[at] = order[at], order[k]
		}
	}
	if r.shares() {
		asked := r.Asked()
		order = slices.DeleteFunc(order, func(model string) bool { return !asked(annotator, model) })
	}
	if r.KnownFirst {
		r.sortKnown(order)
	}
	return order
}

// sortKnown moves the models with a known answer to the front.
func (r Round) sortKnown(order []string) {
	place := func(model string) int {
		if _, known := r.Known[model]; known {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b string) int { return place(a) - place(b) })
}

// The bounds of planning. A plan is made when an annotator has PlanFrom labels of at least two
// classes, and again after every PlanEvery labels. It holds up to PlanLength models, since the
// next plan comes before they are all labelled.
const (
	PlanFrom   = 10
	PlanEvery  = 5
	PlanLength = 30
)

// Planned changes the annotator's Order as their newest plan does, in place: the models of its
// queue come first, in that order.
func Planned(r Round, annotator string, events []Event, order []string) []string {
	plan, ok := newestPlan(r, annotator, events)
	if !ok {
		return order
	}
	place := make(map[string]int, len(plan.Queue))
	for k, model := range plan.Queue {
		place[model] = k - len(plan.Queue) // before 0, the place of all others
	}
	slices.SortStableFunc(order, func(a, b string) int { return place[a] - place[b] })
	if r.KnownFirst {
		r.sortKnown(order)
	}
	return order
}

// newestPlan is the plan in force of an annotator.
func newestPlan(r Round, annotator string, events []Event) (plan Event, ok bool) {
	for _, ev := range events {
		if r.Order == OrderUseful && ev.Round == r.ID && ev.Kind == Plan && ev.Annotator == annotator &&
			ev.ID > plan.ID {
			plan, ok = ev, true
		}
	}
	return plan, ok
}

// PlanDue tells whether the order of what is left for an annotator is to be planned anew now.
func PlanDue(r Round, annotator string, events []Event) bool {
	if r.Order != OrderUseful || r.Closed || len(Remaining(r, annotator, events)) == 0 {
		return false
	}
	plan, planned := newestPlan(r, annotator, events)
	classes, labels, since := map[Value]bool{}, 0, 0
	for key, ev := range Current(ofRound(r, events)) {
		if key.Annotator != annotator {
			continue
		}
		classes[ev.Value] = true
		labels++
		if ev.ID > plan.ID {
			since++
		}
	}
	return labels >= PlanFrom && len(classes) > 1 && (!planned || since >= PlanEvery)
}

// Remaining are the models that an annotator has not labelled and is asked for, in their order
// without a plan.
func Remaining(r Round, annotator string, events []Event) []string {
	labelled, _ := standing(r, annotator, events)
	return slices.DeleteFunc(Order(r, annotator), func(model string) bool { return labelled[model] })
}

// PlanSeed is the seed of the assessor that an annotator's plans rest on: a number from the
// round's id and the annotator's.
func (r Round) PlanSeed(annotator string) uint64 {
	return draws(r.OrderSeed, r.ID+"\x00plan\x00"+annotator).Uint64()
}

// PlanOf is the event to append that puts what remains for an annotator into this order of
// models. In rounds whose annotators see each other's labels, models on which the others differ
// come before the rest. The store adds ID, desk and times.
func PlanOf(r Round, annotator string, events []Event, order []string) Event {
	if !r.Secret() {
		differ := map[string]bool{}
		for _, d := range Disagreements(r, events) {
			differ[d.Model] = true
		}
		order = slices.Clone(order)
		slices.SortStableFunc(order, func(a, b string) int {
			switch {
			case differ[a] == differ[b]:
				return 0
			case differ[a]:
				return -1
			}
			return 1
		})
	}
	queue := order[:min(len(order), PlanLength)]
	return Event{Round: r.ID, Model: queue[0], Annotator: annotator, Kind: Plan, Pass: 1, Queue: queue}
}

// checkOrder returns what is wrong with the order of models, "" when nothing is.
func (r Round) checkOrder() string {
	switch {
	case r.Order != "" && r.Order != OrderUseful:
		return fmt.Sprintf("order %q is neither empty (random, or as listed) nor %s", r.Order, OrderUseful)
	case r.Order == OrderUseful && r.Ordered:
		return "models come either as they are listed or the most useful first"
	}
	return ""
}

// standing is where an annotator is in a round: what is labelled, and when items without label were
// skipped last.
func standing(r Round, annotator string, events []Event) (labelled map[string]bool, skipped map[string]string) {
	labelled, skipped = map[string]bool{}, map[string]string{}
	for _, ev := range Active(events) {
		if ev.Round != r.ID || ev.Annotator != annotator || ev.Pass != 1 {
			continue
		}
		switch ev.Kind {
		case Label:
			labelled[ev.Model] = true
		case Skip:
			skipped[ev.Model] = ev.ID
		}
	}
	for model := range labelled {
		delete(skipped, model)
	}
	return labelled, skipped
}

// Progress counts the items that are assigned to the annotator: those labelled, those skipped and
// not labelled, and all.
func Progress(r Round, annotator string, events []Event) (done, skipped, total int) {
	labelled, later := standing(r, annotator, events)
	order := Order(r, annotator)
	for _, model := range order {
		if labelled[model] {
			done++
		}
		if _, ok := later[model]; ok {
			skipped++
		}
	}
	return done, skipped, len(order)
}
