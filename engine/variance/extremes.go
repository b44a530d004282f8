package variance

import (
	"cmp"
	"slices"
)

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

// Rank orders images by their contributions, largest first, the lower index first among equals.
// contributions[x] belongs to images[x].
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

// The rule of spec/variance.md section 8: from flagImages images on, an image is flagged when its
// contribution is at least flagTimes its equal share.
const (
	flagImages = 40
	flagTimes  = 20
)

// Flagged returns the flagged images of a choice with their contributions to the whole matrix,
// largest first: those with E_k >= 20/|K|, where |K| >= 40.
func (d Differences) Flagged(images []int) []Share {
	if len(images) < flagImages {
		return nil
	}
	ranked := Rank(d.Whole(images), images)
	limit := flagTimes / float64(len(images))
	end := slices.IndexFunc(ranked, func(s Share) bool { return s.Share < limit })
	if end < 0 {
		end = len(ranked)
	}
	return slices.Clip(ranked[:end])
}

// Clean removes flagged images, measures the rest anew, and repeats until none is flagged or 1% of
// the images (at least one) are gone; within a round the largest contributions go first. It returns
// the images kept, in their order, and those removed with the contribution that they were removed
// for, in the order of removal.
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
