package variance

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
)

// ErrNoImages says that no image is left after filters, share and exclusions.
var ErrNoImages = errors.New("no images left")

var errNoSignals = errors.New("no signals: a variance matrix needs at least one transformation")

// NotFiniteError is a NaN or infinite signal. Whoever knows them adds the model's and the image's
// name.
type NotFiniteError struct {
	Transformation int // -1 for a distance
	Image          int
	Value          float64
}

func (e *NotFiniteError) Error() string {
	if e.Transformation < 0 {
		return fmt.Sprintf("a distance of image %d is %v", e.Image, e.Value)
	}
	return fmt.Sprintf("the signal of image %d under transformation %d is %v", e.Image, e.Transformation, e.Value)
}

// blockImages is the number of images that are summed before the sum is added to a cell's total:
// small enough for the block of all rows to stay in the processor's cache, and it keeps rounding
// errors near 1e-15.
const blockImages = 256

// parallelFrom is the number of squared differences from which goroutines pay.
const parallelFrom = 1 << 23

// Scalar computes the variance matrix of a scalar modality from T rows of signals, signals[i][k]
// under transformation i of image k, over the chosen images (spec/variance.md sections 4 and 6,
// direct form):
//
//	delta_ij = sqrt( (1/|K|) sum over k in K of (s_ik - s_jk)^2 )
//
// Arithmetic is float64. The order of additions is fixed, so that the result has the same bits for
// any number of processors. Errors: ErrNoImages for no images, *NotFiniteError for a NaN or
// infinite signal.
func Scalar(signals [][]float32, images []int) (Matrix, error) { return scalar(signals, images) }

func scalar[T float32 | float64](signals [][]T, images []int) (Matrix, error) {
	if err := check(signals, images); err != nil {
		return Matrix{}, err
	}
	n := len(signals)
	sums := make([]float64, n*(n-1)/2)
	if err := pairSums(sums, signals, images); err != nil {
		return Matrix{}, err
	}
	return fromSums(sums, n, len(images)), nil
}

// check refuses what has no matrix and panics where the caller broke the contract.
func check[T float32 | float64](signals [][]T, images []int) error {
	if len(signals) < 1 {
		return errNoSignals
	}
	for i, row := range signals {
		if len(row) != len(signals[0]) {
			panic(fmt.Sprintf("variance: row %d has %d images, row 0 has %d", i, len(row), len(signals[0])))
		}
	}
	if len(images) == 0 {
		return ErrNoImages
	}
	for _, k := range images {
		if k < 0 || k >= len(signals[0]) {
			panic(fmt.Sprintf("variance: image %d of %d", k, len(signals[0])))
		}
	}
	return nil
}

// pairSums adds sum_k (s_ik - s_jk)^2 to sums[i(i-1)/2+j] for i > j. Work is shared by cells, never
// by images: each cell is summed by one goroutine in the order of the images.
func pairSums[T float32 | float64](sums []float64, signals [][]T, images []int) error {
	n := len(signals)
	workers := 1
	if len(sums)*len(images) >= parallelFrom {
		workers = min(runtime.GOMAXPROCS(0), n)
	}
	if workers == 1 {
		return sumRows(sums, signals, images, span{0, n})
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w, s := range spans(n, workers) {
		wg.Go(func() { errs[w] = sumRows(sums, signals, images, s) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// span are the rows from..to-1.
type span struct{ from, to int }

// spans cuts n rows into parts with about equally many cells below the diagonal.
func spans(n, parts int) []span {
	out := make([]span, parts)
	from := 0
	for p := range out {
		to := int(math.Round(float64(n) * math.Sqrt(float64(p+1)/float64(parts))))
		out[p] = span{from, max(from, min(n, to))}
		from = out[p].to
	}
	out[parts-1].to = n
	return out
}

// sumRows handles the cells (i, j), i in rows, j < i, block by block. Every block of rows 0..to-1
// is copied to float64 once, which also finds signals that are not finite.
func sumRows[T float32 | float64](sums []float64, signals [][]T, images []int, rows span) error {
	block := make([]float64, (rows.to+spareRows)*blockImages)
	for from := 0; from < len(images); from += blockImages {
		chosen := images[from:min(from+blockImages, len(images))]
		size := len(chosen)
		for i := range rows.to {
			if err := gather(block[i*size:(i+1)*size], signals[i], chosen, i); err != nil {
				return err
			}
		}
		for i := max(1, rows.from); i < rows.to; i++ {
			addRow(sums[i*(i-1)/2:][:i], block[i*size:(i+1)*size], block, size)
		}
	}
	return nil
}

func gather[T float32 | float64](dst []float64, row []T, chosen []int, transformation int) error {
	bad := false
	for x, k := range chosen {
		v := float64(row[k])
		dst[x] = v
		if v-v != 0 {
			bad = true
		}
	}
	if !bad {
		return nil
	}
	for x, v := range dst {
		if v-v != 0 {
			return &NotFiniteError{Transformation: transformation, Image: chosen[x], Value: v}
		}
	}
	return nil
}

// fromSums makes the matrix of sums over the pairs i > j: the mirror image above the diagonal,
// zeros on it.
func fromSums(sums []float64, n, images int) Matrix {
	m := Matrix{N: n, Data: make([]float64, n*n)}
	for i := 1; i < n; i++ {
		for j := range i {
			delta := math.Sqrt(sums[i*(i-1)/2+j] / float64(images))
			m.Data[i*n+j], m.Data[j*n+i] = delta, delta
		}
	}
	return m
}
