package rank

import (
	"math/rand/v2"
	"slices"
)

// Each repetition of a sampled ranker draws from a stream of its own, so that the order in which
// workers take them cannot change a result. A stream's number is ranker x 2^56 + repetition x 2^28
// + model; the ranker's own number never changes.
const (
	randomStream uint64 = iota + 1
	sdsStream
	cesStream
	cesReferenceStream
	shareStream // of models or samples of an impact study
)

func source(seed, ranker uint64, repetition, model int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, ranker<<56|uint64(repetition)<<28|uint64(model)))
}

// drawFirst draws count of items without replacement and returns them in the order in which they
// were drawn, so that a smaller draw from the same stream is the start of a larger one. It puts
// items into another order.
func drawFirst(random *rand.Rand, items []int32, count int) []int32 {
	for k := range count {
		other := k + random.IntN(len(items)-k)
		items[k], items[other] = items[other], items[k]
	}
	return items[:count]
}

// upTo are the numbers 0..n-1.
func upTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// wide are the same numbers as ints.
func wide(list []int32) []int {
	long := make([]int, len(list))
	for k, i := range list {
		long[k] = int(i)
	}
	return long
}

// rest are the samples that a selection has not taken yet, in no particular order.
type rest []int32

// places draws len(into) different places of the rest, at most len(r).
func (r rest) places(random *rand.Rand, into []int) {
	for k := range into {
		for {
			into[k] = random.IntN(len(r))
			if !slices.Contains(into[:k], into[k]) {
				break
			}
		}
	}
}

// without takes the samples at these places out.
func (r rest) without(places []int) rest {
	for k, p := range places {
		last := len(r) - 1
		r[p] = r[last]
		r = r[:last]
		for later := k + 1; later < len(places); later++ {
			if places[later] == last { // it was moved to where p was
				places[later] = p
			}
		}
	}
	return r
}

// pick copies the samples at these places.
func (r rest) pick(places []int, into []int32) {
	for k, p := range places {
		into[k] = r[p]
	}
}
