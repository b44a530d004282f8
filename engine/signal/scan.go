package signal

import "math"

// channelTotals are sums over the channels of a tensor: of each one's sum of deviations, and of its
// maximum, in this order. sums and squares are of what they deviate from the first channel's.
type channelTotals struct {
	first, sums, squares, highest [2]float64
}

// add goes on with the next channel; begin is true for the first one.
func (t *channelTotals) add(sum, top float64, begin bool) {
	one := [2]float64{sum, top}
	if begin {
		*t = channelTotals{first: one, highest: [2]float64{math.Inf(-1), math.Inf(-1)}}
	}
	for k, v := range one {
		d := v - t.first[k]
		t.sums[k], t.squares[k] = t.sums[k]+d, t.squares[k]+float64(d*d)
		if v > t.highest[k] { // the built-in max is slower: it has NaN and signed zeros in mind
			t.highest[k] = v
		}
	}
}

// lanesState is what runs on from channel to channel: totals in the form that scanLanes takes.
type lanesState struct {
	shift float64
	q     [4]float64
	a     [4]float64
	low   [4]int32 // ordered
	over  channelTotals
}

// scanChannels scans the channels of a tensor in order, each as scan or, with last, as strided
// does. Where the processor can, it has four numbers scanned at a time.
func scanChannels[T float32 | float64](x []T, channels int, last bool, t *totals) (over channelTotals) {
	size := len(x) / channels
	if narrow, ok := any(x).([]float32); ok && wideLanes && !last {
		low := ordered(float32(t.lowest))
		state := lanesState{
			shift: t.shift, q: [4]float64{t.q0, t.q1, t.q2, t.q3}, a: [4]float64{t.a0, t.a1, t.a2, t.a3},
			low: [4]int32{low, low, low, low},
		}
		scanLanes(&narrow[0], channels, size, &state)
		t.q0, t.q1, t.q2, t.q3 = state.q[0], state.q[1], state.q[2], state.q[3]
		t.a0, t.a1, t.a2, t.a3 = state.a[0], state.a[1], state.a[2], state.a[3]
		t.lowest = float64(fromOrdered(min(state.low[0], state.low[1], state.low[2], state.low[3])))
		return state.over
	}
	for c := range channels {
		var sum, top float64
		if last {
			sum, top = strided(x[c:], channels, t)
		} else {
			sum, top = scan(x[c*size:(c+1)*size], t)
		}
		over.add(sum, top, c == 0)
	}
	return over
}
