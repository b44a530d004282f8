package scatter

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// points are the points of a cloud in pixel units of a raster (spec section 10).
type points struct {
	m, raster int
	at        []float64 // T x m: where an image's distance lies, on both axes
	value     func(t, i, j int) float64
}

// place puts a cloud of T x m distances on a raster.
func place(distances [][]float64, value func(t, i, j int) float64, d float64, raster int) points {
	p := points{m: len(distances[0]), raster: raster, value: value}
	p.at = make([]float64, 0, len(distances)*p.m)
	for _, row := range distances {
		for _, x := range row {
			p.at = append(p.at, onRaster(x, d, raster)-0.5)
		}
	}
	return p
}

// onRaster is where a distance lies on an axis of a raster that ends at end, from its edge; the
// middle of element 0 is at 0.5.
func onRaster(d, end float64, raster int) float64 { return float64(d*float64(raster)) / end }

func (p points) targets() int { return len(p.at) / p.m }

// count is the number of points.
func (p points) count() int { return len(p.at) * p.m }

// interpolate computes the matrices: the sums over the circles, then the made-up points, then the
// quotients.
func (p points) interpolate(ctx context.Context, list []Interpolant, workers int) ([]Matrix, error) {
	sums, err := p.sums(ctx, list, workers)
	if err != nil {
		return nil, err
	}
	neighbours := make([]int, len(list))
	for k, interpolant := range list {
		neighbours[k] = interpolant.K
	}
	means, err := p.nearest(ctx, neighbours, workers)
	if err != nil {
		return nil, err
	}
	matrices := make([]Matrix, len(list))
	for k := range list {
		matrices[k] = sums[k].matrix(p.raster, means[k])
	}
	return matrices, nil
}

// sum is the numerator and the denominator of the elements on and above the diagonal, column by
// column: element (a, b), b >= a, at a*raster + b.
type sum struct{ values, weights []float64 }

func newSums(n, raster int) []sum {
	list := make([]sum, n)
	for k := range list {
		list[k] = sum{make([]float64, raster*raster), make([]float64, raster*raster)}
	}
	return list
}

// leastWeight is the smallest number with all its digits. Below it lie the weights of points that
// are far off for a narrow kernel: their quotient would be rounding noise, so the circle counts as
// empty.
const leastWeight = 0x1p-1022

// matrix closes the sums, which are the same for an element and its mirror image, because every
// point has its mirror image too: the formula with the made-up point u, or without one where u is
// nil.
func (s sum) matrix(raster int, u []float64) Matrix {
	m := Matrix{R: raster, Values: make([]float64, raster*raster)}
	for b := range raster {
		for a := range raster {
			at := min(a, b)*raster + max(a, b)
			values, weights := s.values[at], s.weights[at]
			switch {
			case u != nil:
				values, weights = u[b*raster+a]+values, 1+weights
			case weights < leastWeight:
				values = math.NaN()
			}
			m.Values[b*raster+a] = values / weights
		}
	}
	return m
}

// chunk is how many targets are summed up on their own before they are added to the rest: a fixed
// number, so that neither the number of goroutines nor their order changes a bit.
const chunk = 32

// sums adds up all targets, per interpolant.
func (p points) sums(ctx context.Context, list []Interpolant, workers int) ([]sum, error) {
	chunks := (p.targets() + chunk - 1) / chunk
	turn := make([]chan struct{}, chunks+1) // closed when all chunks before have been added
	for k := range turn {
		turn[k] = make(chan struct{})
	}
	close(turn[0])
	total := newSums(len(list), p.raster)
	share(min(workers, chunks), chunks, func(next func() (int, bool)) {
		kernels := make([]*kernel, len(list))
		for k, i := range list {
			kernels[k] = newKernel(i, p.m, p.raster)
		}
		part := newSums(len(list), p.raster)
		for c, ok := next(); ok; c, ok = next() {
			p.addChunk(ctx, c, kernels, part)
			<-turn[c]
			for k := range part {
				drain(total[k].values, part[k].values)
				drain(total[k].weights, part[k].weights)
			}
			close(turn[c+1])
		}
	})
	return total, ctx.Err()
}

// addChunk adds the targets of chunk c to part; a cancelled context leaves some out.
func (p points) addChunk(ctx context.Context, c int, kernels []*kernel, part []sum) {
	values := make([]float64, p.m*p.m)
	for t := c * chunk; t < min((c+1)*chunk, p.targets()); t++ {
		if ctx.Err() != nil {
			return
		}
		for j := range p.m {
			for i := range p.m {
				values[j*p.m+i] = p.value(t, i, j)
			}
		}
		for n, k := range kernels {
			k.add(part[n], cells{at: p.at[t*p.m : (t+1)*p.m], values: values})
		}
	}
}

// drain adds from to total and empties it.
func drain(total, from []float64) {
	for e, v := range from {
		total[e] += v
		from[e] = 0
	}
}

// share runs work in several goroutines; next hands out 0, 1, ... n-1 in this order.
func share(workers, n int, work func(next func() (int, bool))) {
	var handed atomic.Int64
	next := func() (int, bool) {
		k := int(handed.Add(1)) - 1
		return k, k < n
	}
	var all sync.WaitGroup
	for range max(workers, 1) {
		all.Go(func() { work(next) })
	}
	all.Wait()
}
