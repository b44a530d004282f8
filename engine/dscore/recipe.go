package dscore

import (
	"math/rand/v2"

	"github.com/variscope/variscope/engine/region"
)

// Recipe is the augmentation that a score recommends (section 4): every training image is, with probability P, padded to
// (1+P) times its size with its place drawn, and resized back.
type Recipe struct {
	Height, Width int     // of the images
	P             float64 // Eq. 7
	TotalHeight   int     // pixels of padding above and below together: floor(P height + 0.5)
	TotalWidth    int
}

// NewRecipe is the recipe for images of a size. It fails for P outside [0, 1] and sides below 1.
func NewRecipe(height, width int, p float64) (Recipe, error) { panic("not built yet") }

// Split places total pixels of padding for a draw u in [0, 1): left = min(total, floor(u (total+1))), right = total - left (Eq. 8).
func Split(total int, u float64) (left, right int) { panic("not built yet") }

// Draw decides on one image: whether it is padded, and how. It takes three draws of the source in any case: whether, left, up.
func (r Recipe) Draw(random *rand.Rand) (p region.Padding, padded bool) { panic("not built yet") }
