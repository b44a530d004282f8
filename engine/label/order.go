package label

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Order is the order in which an annotator sees the round's items: a shuffle of r.Models from r.OrderSeed with a stream
// derived from the annotator's id. It is the inside-out shuffle, which draws once per item in list order: a model
// appended to the round takes some place and sends at most one other item to the end. An ordered round is seen as it is
// listed.
func Order(r Round, annotator string) []string {
	if r.Ordered {
		return slices.Clone(r.Models)
	}
	stream := fnv.New64a()
	stream.Write([]byte(annotator)) // a hash in memory takes every write
	rng := rand.New(rand.NewPCG(r.OrderSeed, stream.Sum64()))
	order := make([]string, 0, len(r.Models))
	for _, model := range r.Models {
		order = append(order, model)
		k := rng.IntN(len(order))
		order[len(order)-1], order[k] = order[k], model
	}
	return order
}

// standing is where an annotator is in a round: what is labelled, and when items without label were skipped last.
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

// Progress counts the items of the round that the annotator has labelled, those skipped and not labelled, and all.
func Progress(r Round, annotator string, events []Event) (done, skipped, total int) {
	labelled, later := standing(r, annotator, events)
	for _, model := range r.Models {
		if labelled[model] {
			done++
		}
		if _, ok := later[model]; ok {
			skipped++
		}
	}
	return done, skipped, len(r.Models)
}
