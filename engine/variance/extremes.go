package variance

import (
	"cmp"
	"slices"
)

// Contributions returns, for each of the chosen images in their order, its share in the whole matrix (spec/variance.md
// section 8):
//
//	E_k = sum over i>j of d_ij(k)^2 / sum over k' and i>j of d_ij(k')^2
//
// They sum to 1, or are all 0 for a zero matrix. signals is T rows as in Scalar; they are expected to be finite.
func Contributions(signals [][]float32, images []int) []float64 {
	return contributions(signals, images)
}

// ContributionsFloat64 is Contributions for signals that were never rounded to float32.
func ContributionsFloat64(signals [][]float64, images []int) []float64 {
	return contributions(signals, images)
}

func contributions[T float32 | float64](signals [][]T, images []int) []float64 {
	parts := make([]float64, len(images))
	n := float64(len(signals))
	for x, k := range images {
		parts[x] = squareSum(signals, n, k)
	}
	return shares(parts)
}

// CellContributions returns, for each of the chosen images in their order, its share d_ij(k)^2 / sum of d_ij(k')^2 in
// one cell; all 0 where the cell is 0.
func CellContributions(signals [][]float32, images []int, i, j int) []float64 {
	return cellContributions(signals, images, i, j)
}

// CellContributionsFloat64 is CellContributions for signals that were never rounded to float32.
func CellContributionsFloat64(signals [][]float64, images []int, i, j int) []float64 {
	return cellContributions(signals, images, i, j)
}

func cellContributions[T float32 | float64](signals [][]T, images []int, i, j int) []float64 {
	parts := make([]float64, len(images))
	for x, k := range images {
		d := float64(signals[i][k]) - float64(signals[j][k])
		parts[x] = d * d
	}
	return shares(parts)
}

// shares divides by the sum, in place.
func shares(parts []float64) []float64 {
	total := 0.0
	for _, p := range parts {
		total += p
	}
	for x := range parts {
		if total > 0 {
			parts[x] /= total
		} else {
			parts[x] = 0
		}
	}
	return parts
}

// Share is one image's share in a matrix or cell.
type Share struct {
	Image int
	Share float64
}

// Rank orders images by their contributions, largest first, the lower index first among equals. contributions[x]
// belongs to images[x].
func Rank(contributions []float64, images []int) []Share {
	ranked := make([]Share, len(images))
	for x, k := range images {
		ranked[x] = Share{Image: k, Share: contributions[x]}
	}
	slices.SortFunc(ranked, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Image, b.Image))
	})
	return ranked
}

// The rule of spec/variance.md section 8: from flagImages images on, an image is flagged when its contribution is at
// least flagTimes its equal share.
const (
	flagImages = 40
	flagTimes  = 20
)

// FlagExtremes returns the flagged images of a choice with their contributions, largest first: those with
// E_k >= 20/|K|, where |K| >= 40.
func FlagExtremes(signals [][]float32, images []int) []Share {
	return flagged(Contributions(signals, images), images)
}

func flagged(contributions []float64, images []int) []Share {
	if len(images) < flagImages {
		return nil
	}
	ranked := Rank(contributions, images)
	limit := flagTimes / float64(len(images))
	end := slices.IndexFunc(ranked, func(s Share) bool { return s.Share < limit })
	if end < 0 {
		end = len(ranked)
	}
	return slices.Clip(ranked[:end])
}

// Clean removes flagged images, measures the rest anew, and repeats until none is flagged or 1% of the images (at least
// one) are gone; within a round the largest contributions go first. It returns the images kept, in their order, and
// those removed with the contribution that they were removed for, in the order of removal.
func (d Differences) Clean(images []int) (kept []int, removed []Share) {
	kept = slices.Clone(images)
	budget := max(1, len(images)/100)
	for len(removed) < budget {
		extremes := d.Flagged(kept)
		if len(extremes) == 0 {
			break
		}
		extremes = extremes[:min(len(extremes), budget-len(removed))]
		removed = append(removed, extremes...)
		gone := make(map[int]bool, len(extremes))
		for _, e := range extremes {
			gone[e.Image] = true
		}
		kept = slices.DeleteFunc(kept, func(k int) bool { return gone[k] })
	}
	return kept, removed
}
