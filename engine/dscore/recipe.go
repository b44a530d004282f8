package dscore

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/variscope/variscope/engine/region"
)

// Recipe is the augmentation that a score recommends (section 4): every training image is, with
// probability P, padded to (1+P) times its size with its place drawn, and resized back.
type Recipe struct {
	Height, Width int     // of the images
	P             float64 // Eq. 7
	TotalHeight   int     // pixels of padding above and below together: floor(P height + 0.5)
	TotalWidth    int
}

// NewRecipe is the recipe for images of a size. It fails for P outside [0, 1] and sides below 1.
func NewRecipe(height, width int, p float64) (Recipe, error) {
	if !isShare(p) {
		return Recipe{}, fmt.Errorf("the probability of augmentation is %v; it must lie between 0 and 1", p)
	}
	if height < 1 || width < 1 {
		return Recipe{}, fmt.Errorf("images of %d x %d pixels cannot be augmented", height, width)
	}
	return Recipe{Height: height, Width: width, P: p, TotalHeight: total(p, height), TotalWidth: total(p, width)}, nil
}

// total is the padding of a side, both ends together, in whole pixels.
func total(p float64, side int) int { return int(math.Floor(float64(p*float64(side)) + 0.5)) }

// Split places total pixels of padding for a draw u in [0, 1): left = min(total, floor(u
// (total+1))), right = total - left (Eq. 8).
func Split(total int, u float64) (left, right int) {
	left = min(total, int(math.Floor(u*float64(total+1))))
	return left, total - left
}

// Draw decides on one image: whether it is padded, and how. It takes three draws of the source in
// any case: whether, left, up. An image that is not padded has no padding; one that is may have
// none either, where P is small and the image too.
func (r Recipe) Draw(random *rand.Rand) (p region.Padding, padded bool) {
	whether, left, up := random.Float64(), random.Float64(), random.Float64()
	if whether >= r.P {
		return region.Padding{}, false
	}
	p.Left, p.Right = Split(r.TotalWidth, left)
	p.Top, p.Bottom = Split(r.TotalHeight, up)
	return p, true
}
