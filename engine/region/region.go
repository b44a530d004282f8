// Package region is the geometry of a D-Score: regions of feature maps and images, and padded translation (spec/dscore.md sections
// 1 and 2). It is pure.
//
// Regions are numbered 1..n*n row-major from the upper left, as in the paper.
package region

// MaxGrid is the largest n that is taken: 256 variants and as many shifted suites.
const MaxGrid = 16

// Edges are the n+1 edges of the rows (or columns) of regions of a side of size entries: region row r covers entries
// Edges[r]..Edges[r+1]-1. Sizes differ by at most 1; with size < n some are 0 (section 1).
func Edges(size, n int) []int { panic("not built yet") }

// Empty are the numbers of the regions of a height x width map that hold no entry: deleting them does nothing.
func Empty(height, width, n int) []int { panic("not built yet") }

// Padding is what is put around an image, in pixels.
type Padding struct{ Top, Bottom, Left, Right int }

// Pad is the padding of region 1..n*n for height x width images with hyper-parameter t (section 2). It is zero for n = 1 and
// for t above the side.
func Pad(height, width, n, t, region int) Padding { panic("not built yet") }

// PaddedSize is the size of the padded image before it is resized back: height + (n-1) floor(height/t), width alike.
func PaddedSize(height, width, n, t int) (paddedHeight, paddedWidth int) { panic("not built yet") }

// Shifter applies padded translation to images of one size: all n*n regions. It never changes and is shared by goroutines.
type Shifter struct{ _ int }

// NewShifter makes the tables. It fails for n outside 1..MaxGrid, t < 1 and sides below 1.
func NewShifter(height, width, n, t int) (*Shifter, error) { panic("not built yet") }

// Apply writes src, channels x height x width, shifted for a region, to dst: zero fill, then the triangle filter in float64,
// rounded once. Nothing is allocated. dst and src must not overlap; slices that are too short panic.
func (s *Shifter) Apply(dst, src []float32, channels, region int) { panic("not built yet") }

// Place pads an image of height x width by any padding and resizes it back, as Apply does: for augmented images.
func Place(dst, src []float32, channels, height, width int, p Padding) { panic("not built yet") }
