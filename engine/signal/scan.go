package signal

// blockChannels is the number of channels that are scanned in one call of scanLanes.
const blockChannels = 64

// lanesState is what runs on from channel to channel: totals in the form that scanLanes takes.
type lanesState struct {
	shift float64
	q     [4]float64
	low   [4]int32 // ordered
}

// scanner gives the channels of a tensor one by one, in order, as scan does. Where the processor can, it has a block of them scanned at
// once.
type scanner struct {
	sums [blockChannels]float64
	tops [blockChannels]int32
}

// channel is scan for channel c of the float32 tensor that begins at x.
func (s *scanner) channel(x []float32, c, channels, size int, t *totals) (sum, highest float64) {
	if !wideLanes {
		return scan32(x[c*size:(c+1)*size], t)
	}
	k := c % blockChannels
	if k == 0 {
		s.block(x[c*size:], min(blockChannels, channels-c), size, t)
	}
	return s.sums[k], float64(fromOrdered(s.tops[k]))
}

// block scans the next channels.
func (s *scanner) block(x []float32, channels, size int, t *totals) {
	x = x[:channels*size]
	low := ordered(float32(t.lowest))
	state := lanesState{t.shift, [4]float64{t.q0, t.q1, t.q2, t.q3}, [4]int32{low, low, low, low}}
	scanLanes(&s.sums[0], &s.tops[0], &x[0], channels, size, &state)
	t.q0, t.q1, t.q2, t.q3 = state.q[0], state.q[1], state.q[2], state.q[3]
	t.lowest = float64(fromOrdered(min(state.low[0], state.low[1], state.low[2], state.low[3])))
}
