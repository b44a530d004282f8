package label

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
)

// draws are the random numbers of a seed that belong to a text, such as the id of an annotator.
func draws(seed uint64, text string) *rand.Rand {
	stream := fnv.New64a()
	stream.Write([]byte(text)) // a hash in memory takes every write
	return rand.New(rand.NewPCG(seed, stream.Sum64()))
}

// mostSharing is among how many annotators models can be shared: the assignment counts for each two
// of them what they share.
const mostSharing = 200

// Assignment says which models each annotator labels, in the order of r.Models. With r.Overlap =
// k each model goes to k annotators, models with a known answer to all. Each goes to those with
// the fewest models so far, so that numbers of models differ by 1 at most; among equals to those
// who share the fewest models with whom it has gone to, and then by draws from the round's id. So
// appended models change nothing for those before them.
func (r Round) Assignment() map[string][]string {
	n := len(r.Annotators)
	everybody := make([]int, n)
	load, shared := make([]int, n), make([][]int, n)
	for a := range n {
		everybody[a], shared[a] = a, make([]int, n)
	}
	list := make(map[string][]string, n)
	for _, model := range r.Models {
		chosen := everybody
		if _, known := r.Known[model]; !known && r.shares() {
			chosen = r.assign(model, load, shared)
		}
		for _, a := range chosen {
			list[r.Annotators[a]] = append(list[r.Annotators[a]], model)
		}
	}
	return list
}

// shares tells whether annotators share the models among them, in place of labelling all of them
// each.
func (r Round) shares() bool { return r.Overlap > 0 && r.Overlap < len(r.Annotators) }

// assign chooses r.Overlap annotators for a model and counts it: load is the number of each one's
// models, shared that of models that two of them share.
func (r Round) assign(model string, load []int, shared [][]int) (chosen []int) {
	waiting := draws(r.OrderSeed, r.ID+"\x00assign\x00"+model).Perm(len(load))
	for range r.Overlap {
		together := func(a int) (sum int) {
			for _, b := range chosen {
				sum += shared[a][b]
			}
			return sum
		}
		next := slices.MinFunc(waiting, func(a, b int) int {
			return cmp.Or(cmp.Compare(load[a], load[b]), cmp.Compare(together(a), together(b)))
		})
		waiting = slices.DeleteFunc(waiting, func(a int) bool { return a == next })
		for _, b := range chosen {
			shared[next][b]++
			shared[b][next]++
		}
		chosen = append(chosen, next)
	}
	for _, a := range chosen {
		load[a]++
	}
	return chosen
}

// Assigned tells whether an annotator of the round is asked for a model of it.
func (r Round) Assigned(annotator, model string) bool {
	return slices.Contains(r.Models, model) && r.Asked()(annotator, model)
}

// Asked is Assigned for many questions about models of the round.
func (r Round) Asked() func(annotator, model string) bool {
	if !r.shares() {
		return func(annotator, _ string) bool { return slices.Contains(r.Annotators, annotator) }
	}
	asked := map[Key]bool{}
	for annotator, models := range r.Assignment() {
		for _, model := range models {
			asked[Key{model, annotator}] = true
		}
	}
	return func(annotator, model string) bool { return asked[Key{model, annotator}] }
}

// Sealed is the round as its annotators may have it: where they must not see known answers before
// it is closed, it says which models have one, on which Assignment and order rest, and not which.
func (r Round) Sealed() Round {
	if r.Secret() && r.Reveal == RevealClosed {
		r.Known = maps.Clone(r.Known)
		for model := range r.Known {
			r.Known[model] = ""
		}
	}
	return r
}

// HasAnswers tells whether the known answers are here, and not only at the desk that has sealed
// them.
func (r Round) HasAnswers() bool {
	return !slices.Contains(slices.Collect(maps.Values(r.Known)), "")
}

// checkKnown returns what is wrong with the overlap and the known answers, "" when nothing is.
func (r Round) checkKnown() string {
	if r.Overlap < 0 || r.Overlap > len(r.Annotators) {
		return fmt.Sprintf("each model is to be labelled by %d annotators; the round has %d", r.Overlap,
			len(r.Annotators))
	}
	if r.Overlap > 0 && len(r.Annotators) > mostSharing {
		return fmt.Sprintf("models are shared among %d annotators, %d at most", len(r.Annotators), mostSharing)
	}
	for _, model := range slices.Sorted(maps.Keys(r.Known)) {
		if _, ok := r.Known[model].Index(r.Classes); !ok && r.Known[model] != "" {
			return fmt.Sprintf("the known answer %q of model %s is no label of a round with %d classes", r.Known[model],
				model, r.Classes)
		}
		if !slices.Contains(r.Models, model) {
			return fmt.Sprintf("model %s has a known answer and is not in the round", model)
		}
	}
	return ""
}
