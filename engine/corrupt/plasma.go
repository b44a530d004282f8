package corrupt

// The wobble that a plasma starts with.
const firstWobble = 100

// fractal is a plasma under way: a square map of a power of two that wraps round.
type fractal struct {
	c      *call
	side   int
	at     []float64
	wobble float64
}

// plasma draws a fractal map of side x side values from 0 to 1; side is a power of two from 2 on.
func plasma(c *call, side int, decay float64) []float64 {
	f := fractal{c: c, side: side, at: c.take(side * side), wobble: firstWobble}
	f.at[0] = 0
	for step := side; step >= 2; step /= 2 {
		f.squares(step)
		f.edges(step)
		f.wobble /= decay
	}
	low, high := f.at[0], f.at[0]
	for _, v := range f.at {
		low, high = min(low, v), max(high, v)
	}
	for i, v := range f.at {
		f.at[i] = (v - low) / (high - low)
	}
	return f.at
}

// noise is what is added to a mean. The wobble enters squared, as in the public code.
func (f *fractal) noise() float64 { return f.wobble * f.c.uniform(f.wobble) }

// value reads with the map wrapped round.
func (f *fractal) value(y, x int) float64 {
	mask := f.side - 1
	return f.at[(y&mask)*f.side+x&mask]
}

// squares sets the centres of squares of side step from their corners.
func (f *fractal) squares(step int) {
	half := step / 2
	for y := 0; y < f.side; y += step {
		for x := 0; x < f.side; x += step {
			sum := f.value(y, x) + f.value(y+step, x) + f.value(y, x+step) + f.value(y+step, x+step)
			f.at[(y+half)*f.side+x+half] = sum/4 + f.noise()
		}
	}
}

// edges sets the middles of the squares' edges from the ends of the edge and the centres on both
// sides.
func (f *fractal) edges(step int) {
	half := step / 2
	for y := 0; y < f.side; y += half {
		// Rows of corners have the middles of horizontal edges, rows of centres those of vertical
		// ones.
		x := half
		if y%step != 0 {
			x = 0
		}
		for ; x < f.side; x += step {
			sum := f.value(y-half, x) + f.value(y+half, x) + f.value(y, x-half) + f.value(y, x+half)
			f.at[y*f.side+x] = sum/4 + f.noise()
		}
	}
}

// largestPlasma bounds the side of a map, which is square even for an image of one row; larger
// images repeat it.
const largestPlasma = 2048

// covering is the smallest power of two from least on that covers an image, at most largestPlasma.
func covering(least, height, width int) int {
	for least < min(largestPlasma, max(height, width)) {
		least *= 2
	}
	return least
}
