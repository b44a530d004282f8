package variance

import (
	"fmt"
	"slices"
)

// Prepared are the signals of a scalar modality laid out so that the matrix of any choice of images
// is computed while a person drags a slider. It is immutable; its methods are safe for many
// goroutines, each with a Scratch of its own.
type Prepared struct {
	n, images int
	rows      []float64         // n rows of images, and three rows of nothing that the kernel may read
	broken    []*NotFiniteError // the first signal of an image that is not finite, images ascending
}

// Scratch is the memory that computing a matrix needs besides the result. The zero value is ready;
// reusing it saves the allocation.
type Scratch struct {
	block, sums []float64
}

// spareRows are the rows that addRow may read beyond the last one.
const spareRows = 3

// Prepare copies T rows of signals as in Scalar and looks for what is not finite, once.
func Prepare(signals [][]float32) *Prepared { return prepare(signals) }

func prepare[T float32 | float64](signals [][]T) *Prepared {
	p := &Prepared{n: len(signals)}
	if p.n == 0 {
		return p
	}
	p.images = len(signals[0])
	p.rows = make([]float64, (p.n+spareRows)*p.images)
	bad := map[int]*NotFiniteError{}
	for i, row := range signals {
		if len(row) != p.images {
			panic(fmt.Sprintf("variance: row %d has %d images, row 0 has %d", i, len(row), p.images))
		}
		into := p.rows[i*p.images:][:p.images]
		for k, s := range row {
			v := float64(s)
			into[k] = v
			if v-v != 0 && bad[k] == nil {
				bad[k] = &NotFiniteError{Transformation: i, Image: k, Value: v}
			}
		}
	}
	for _, e := range bad {
		p.broken = append(p.broken, e)
	}
	slices.SortFunc(p.broken, func(a, b *NotFiniteError) int { return a.Image - b.Image })
	return p
}

// N is the number of transformations, Images that of the images.
func (p *Prepared) N() int { return p.n }

// Images is the number of images of the suite.
func (p *Prepared) Images() int { return p.images }

// Matrix is the variance matrix over the chosen images, ascending and some of them repeated: the
// same bits and the same errors as Scalar gives, on one goroutine. scratch may be nil.
func (p *Prepared) Matrix(images []int, scratch *Scratch) (Matrix, error) {
	if err := p.check(images); err != nil {
		return Matrix{}, err
	}
	if scratch == nil {
		scratch = &Scratch{}
	}
	scratch.fit(p.n)
	sums := scratch.sums
	clear(sums)
	for from := 0; from < len(images); from += blockImages {
		chosen := images[from:min(from+blockImages, len(images))]
		block, stride := p.block(chosen, scratch)
		for i := 1; i < p.n; i++ {
			addRow(sums[i*(i-1)/2:][:i], block[i*stride:][:len(chosen)], block, stride)
		}
	}
	return fromSums(sums, p.n, len(images)), nil
}

// block are the rows of some chosen images: in place where they are neighbours, else gathered.
func (p *Prepared) block(chosen []int, scratch *Scratch) (block []float64, stride int) {
	size, neighbours := len(chosen), true
	for x, k := range chosen { // the last may be as far on where some are repeated and others left out
		neighbours = neighbours && k == chosen[0]+x
	}
	if neighbours {
		return p.rows[chosen[0]:], p.images
	}
	for i := range p.n {
		row := p.rows[i*p.images:][:p.images]
		into := scratch.block[i*size:][:size]
		for x, k := range chosen {
			into[x] = row[k]
		}
	}
	return scratch.block, size
}

func (s *Scratch) fit(n int) {
	if need := (n + spareRows) * blockImages; len(s.block) < need {
		s.block = make([]float64, need)
	}
	if need := n * (n - 1) / 2; cap(s.sums) < need {
		s.sums = make([]float64, need)
	} else {
		s.sums = s.sums[:need]
	}
}

// Spread is, for every image, the largest |dif| among transformations first..last: the largest of
// its signals less the smallest. Over the chosen images its maximum is f+ as far as it was observed
// (spec/variance.md section 9).
func (p *Prepared) Spread(first, last int) []float64 {
	low := slices.Clone(p.rows[first*p.images:][:p.images])
	high := slices.Clone(low)
	for i := first + 1; i <= last; i++ {
		for k, v := range p.rows[i*p.images:][:p.images] {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	for k := range high {
		high[k] -= low[k]
	}
	return high
}

// LargestDistance is, for every image, the largest distance of a vector modality among
// transformations first..last, from distances as in Vector.
func LargestDistance(distances [][]float32, first, last int) []float64 {
	if len(distances) == 0 {
		return nil
	}
	largest := make([]float64, len(distances[0]))
	for i := first + 1; i <= last; i++ {
		for j := first; j < i; j++ {
			for k, v := range distances[i*(i-1)/2+j] {
				largest[k] = max(largest[k], float64(v))
			}
		}
	}
	return largest
}

// check refuses what has no matrix and panics where the caller broke the contract.
func (p *Prepared) check(images []int) error {
	switch {
	case p.n < 1:
		return errNoSignals
	case len(images) == 0:
		return ErrNoImages
	case !slices.IsSorted(images):
		panic("variance: the chosen images are not in ascending order")
	case images[0] < 0 || images[len(images)-1] >= p.images:
		panic(fmt.Sprintf("variance: images %d..%d of %d", images[0], images[len(images)-1], p.images))
	}
	for _, e := range p.broken {
		if _, chosen := slices.BinarySearch(images, e.Image); chosen {
			return e
		}
	}
	return nil
}
