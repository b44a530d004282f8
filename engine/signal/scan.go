package signal

// blockChannels is the number of channels that are scanned in one call.
const blockChannels = 64

// channelBlock holds what a scan finds of n neighbouring channels: the sum of each one's deviations and its maximum.
type channelBlock struct {
	n          int
	sums, tops [blockChannels]float64
}

// lanesState is what runs on from channel to channel: totals in the form that scanLanes takes.
type lanesState struct {
	shift float64
	q     [4]float64
	a     [4]float64
	low   [4]int32 // ordered
}

// fill scans the channels of x, which lie one behind the other, in order and each as scan does. Where the processor can, it has four
// numbers scanned at a time.
func fill[T float32 | float64](b *channelBlock, x []T, t *totals) {
	if narrow, ok := any(x).([]float32); ok && wideLanes {
		fillWide(b, narrow, t)
		return
	}
	size := len(x) / b.n
	for k := range b.n {
		b.sums[k], b.tops[k] = scan(x[k*size:(k+1)*size], t)
	}
}

func fillWide(b *channelBlock, x []float32, t *totals) {
	low := ordered(float32(t.lowest))
	state := lanesState{t.shift, [4]float64{t.q0, t.q1, t.q2, t.q3}, [4]float64{t.a0, t.a1, t.a2, t.a3}, [4]int32{low, low, low, low}}
	scanLanes(&b.sums[0], &b.tops[0], &x[0], b.n, len(x)/b.n, &state)
	t.q0, t.q1, t.q2, t.q3 = state.q[0], state.q[1], state.q[2], state.q[3]
	t.a0, t.a1, t.a2, t.a3 = state.a[0], state.a[1], state.a[2], state.a[3]
	t.lowest = float64(fromOrdered(min(state.low[0], state.low[1], state.low[2], state.low[3])))
}

// fillStrided scans channels whose entries are step apart, as they lie in H x W x C; x begins with the first one's first entry.
func fillStrided[T float32 | float64](b *channelBlock, x []T, step int, t *totals) {
	for k := range b.n {
		b.sums[k], b.tops[k] = strided(x[k:], step, t)
	}
}
