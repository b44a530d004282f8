package region

import (
	"fmt"
	"sync"
)

// Shifter applies padded translation to images of one size: all n*n regions. It never changes and
// is shared by goroutines.
type Shifter struct {
	n             int
	height, width int
	rows, columns []side    // one per row and per column of regions
	scratch       sync.Pool // of *[]float64 with room for height x width entries
}

// NewShifter makes the tables. It fails for n outside 1..MaxGrid, t < 1 and sides below 1.
func NewShifter(height, width, n, t int) (*Shifter, error) {
	switch {
	case n < 1 || n > MaxGrid:
		return nil, fmt.Errorf("padded translation to %d x %d regions is not possible: n goes from 1 to %d",
			n, n, MaxGrid)
	case t < 1:
		return nil, fmt.Errorf("padded translation with t = %d is not possible: t starts at 1", t)
	case height < 1 || width < 1:
		return nil, fmt.Errorf("an image of %d x %d pixels cannot be shifted", height, width)
	}
	s := &Shifter{n: n, height: height, width: width}
	for k := range n { // the regions on the diagonal have every row and every column once
		p := Pad(height, width, n, t, k*n+k+1)
		s.rows = append(s.rows, newSide(height, p.Top, p.Bottom))
		s.columns = append(s.columns, newSide(width, p.Left, p.Right))
	}
	s.scratch.New = func() any {
		room := make([]float64, height*width)
		return &room
	}
	return s, nil
}

// Apply writes src, channels x height x width, shifted for a region, to dst: zero fill, then the
// triangle filter in float64, rounded once. Nothing is allocated. dst and src must not overlap;
// slices that are too short panic.
//
// The sums are those of a padded image that is resized as a whole, in the same order: columns
// first, then rows. What is zero fill is left out of them, which changes no bit.
func (s *Shifter) Apply(dst, src []float32, channels, region int) {
	row, column := cell(s.n, region)
	scratch := s.scratch.Get().(*[]float64)
	resize(dst, src, *scratch, channels, s.rows[row], s.columns[column])
	s.scratch.Put(scratch)
}

// Pixel is the form of an image's values: float32 everywhere but where a test wants to see what is
// rounded.
type Pixel interface{ float32 | float64 }

// Place pads an image of channels x height x width by any padding and resizes it back, with the
// same bits as Apply: for augmented images. dst and src must not overlap. A padding below zero,
// sides below 1 and slices that are too short panic.
func Place[P Pixel](dst, src []P, channels, height, width int, p Padding) {
	if min(p.Top, p.Bottom, p.Left, p.Right) < 0 || height < 1 || width < 1 {
		panic(fmt.Sprintf("region: padding %+v of an image of %d x %d pixels", p, height, width))
	}
	rows, columns := newSide(height, p.Top, p.Bottom), newSide(width, p.Left, p.Right)
	resize(dst, src, make([]float64, height*columns.count), channels, rows, columns)
}
