package variance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/stats"
)

// Resampling is the option of what tells how much its numbers depend on the images.
type Resampling struct {
	Resamples int `help:"Resamples of the images for intervals of 95 %: 0 for none, else at least 100; 1000 are usual." default:"0" min:"0" max:"100000"`
}

// leastResamples is the smallest number of resamples whose 2.5 % in each tail are not one or two.
const leastResamples = 100

// Check refuses resamples that are too few for an interval.
func (o *Resampling) Check() error {
	if o.Resamples > 0 && o.Resamples < leastResamples {
		return option.Errorf("{resamples} are 0 or at least %d", leastResamples)
	}
	return nil
}

// Bootstrap draws images anew, with replacement, as often as Resamples says. Classes are no strata,
// since a variance matrix is a mean over images whatever their classes are. Resample r depends on
// Seed, r and the number of images alone, so that all matrices of a model, and all models with as
// many images, are measured on the same resamples.
type Bootstrap struct {
	Resamples int
	Seed      uint64
}

// LeastImages is the smallest number of images that are resampled. Among fewer, most resamples
// repeat so many images that an interval would miss too often.
const LeastImages = 8

// ErrFewImages says that there are too few images for an interval.
var ErrFewImages = fmt.Errorf("fewer than %d images: resamples of them tell nothing", LeastImages)

// Each visits all resamples of the images (ascending), several at a time: r counts from 0, and
// drawn are as many images as were given, ascending, of which some are repeated. It adds each
// resample to p, whose total is the caller's. The errors are ErrFewImages, the first one of visit,
// and the end of ctx.
func (b Bootstrap) Each(
	ctx context.Context, images []int, p progress.Progress, visit func(r int, drawn []int) error,
) error {
	if len(images) < LeastImages {
		return ErrFewImages
	}
	p = progress.Or(p)
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for r := range b.Resamples {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			defer p.Add(1)
			return visit(r, b.draw(images, r))
		})
	}
	return work.Wait()
}

// draw is resample r. Stream 0 of the seed draws shares of a suite (Images.Choose).
func (b Bootstrap) draw(images []int, r int) []int {
	random := rand.New(rand.NewPCG(b.Seed, uint64(r)+1))
	times := make([]int, len(images))
	for range images {
		times[random.IntN(len(images))]++
	}
	drawn := make([]int, 0, len(images))
	for k, n := range times {
		for range n {
			drawn = append(drawn, images[k])
		}
	}
	return drawn
}

// Band are the 95 % intervals of the elements of a matrix.
type Band struct{ Low, High Matrix }

// Band resamples the images of a matrix and takes the percentiles of each of its elements:
//
//	delta*_ij = sqrt( (1/|K|) sum over k in K of w_k d_ij(k)^2 ),  low = q(0.025), high = q(0.975)
//
// where w_k is how often a resample has image k, and q are quantiles over the resamples (Efron's
// percentile interval; stats.Quantile). An element is a root of a mean, of which this is a valid
// interval for many images; it is too short for few images and where few of them make most of the
// mean (Extremes). It speaks of each element alone, not of all at once. The largest element of a
// matrix is a maximum: resamples of it lie above it, and no interval is made of them.
//
// Memory is resamples x pairs of transformations, however many images there are. The result has the
// same bits for any number of goroutines. Errors are those of Bootstrap.Each and Matrix.
func (d Differences) Band(ctx context.Context, images []int, b Bootstrap, p progress.Progress) (band Band, err error) {
	values := make([]float64, d.n*(d.n-1)/2*b.Resamples) // pair by pair
	err = b.Each(ctx, images, p, func(r int, drawn []int) error {
		m, err := d.Matrix(drawn)
		at := r
		for i := 1; i < m.N; i++ {
			for _, v := range m.Data[i*m.N:][:i] {
				values[at] = v
				at += b.Resamples
			}
		}
		return err
	})
	if err != nil {
		return band, err
	}
	band.Low, band.High = Matrix{d.n, make([]float64, d.n*d.n)}, Matrix{d.n, make([]float64, d.n*d.n)}
	for i := range d.n {
		for j := range i {
			of := values[(i*(i-1)/2+j)*b.Resamples:][:b.Resamples]
			low, high := Percentiles(of)
			band.Low.Data[i*d.n+j], band.Low.Data[j*d.n+i] = low, low
			band.High.Data[i*d.n+j], band.High.Data[j*d.n+i] = high, high
		}
	}
	return band, nil
}

// Pair are the differences between transformations i and j alone, i > j: the element between the
// two of their matrix, and its band, have the bits that they have in those of all.
func (d Differences) Pair(i, j int) Differences {
	if d.signals != nil {
		return Differences{n: 2, signals: [][]float32{d.signals[j], d.signals[i]}}
	}
	return Differences{n: 2, distances: d.distances[i*(i-1)/2+j:][:1]}
}

// Percentiles are the ends of the middle 95 % of some numbers, which it sorts.
func Percentiles(values []float64) (low, high float64) {
	slices.Sort(values)
	const tail = 0.025
	return stats.Quantile(values, tail), stats.Quantile(values, 1-tail)
}

// Centre is the band of Matrix.Centre.
func (b Band) Centre(k int) Band { return Band{b.Low.Centre(k), b.High.Centre(k)} }

// Width is the matrix of the widths of the intervals.
func (b Band) Width() Matrix {
	w := Matrix{b.Low.N, make([]float64, len(b.Low.Data))}
	for k, low := range b.Low.Data {
		w.Data[k] = b.High.Data[k] - low
	}
	return w
}
