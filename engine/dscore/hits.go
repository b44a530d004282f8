package dscore

import (
	"fmt"

	"github.com/variscope/variscope/engine/region"
)

// Hits tell for every image with a label whether its prediction was right.
type Hits struct {
	Grid     int
	Classes  int
	Original []bool   // image
	Variants [][]bool // region, image
	Shifted  [][]bool // region, image
}

// Accuracies are the shares of right predictions. No image is an error, and so is a region that has
// not one answer per image.
func (h Hits) Accuracies() (Accuracies, error) {
	if err := h.check(); err != nil {
		return Accuracies{}, err
	}
	a := Accuracies{Original: share(h.Original), Classes: h.Classes}
	for i := range h.Variants {
		a.Variants = append(a.Variants, share(h.Variants[i]))
		a.Shifted = append(a.Shifted, share(h.Shifted[i]))
	}
	return a, nil
}

func (h Hits) check() error {
	regions := h.Grid * h.Grid
	switch {
	case h.Grid < 1 || h.Grid > region.MaxGrid:
		return fmt.Errorf("a D-Score needs n x n regions with n from 1 to %d, not n = %d", region.MaxGrid, h.Grid)
	case len(h.Variants) != regions || len(h.Shifted) != regions:
		return fmt.Errorf("a D-Score of %d x %d regions needs %d variants and shifted suites, not %d and %d",
			h.Grid, h.Grid, regions, len(h.Variants), len(h.Shifted))
	case h.Classes < 1:
		return fmt.Errorf("a D-Score needs at least one class, not %d", h.Classes)
	case len(h.Original) == 0:
		return fmt.Errorf("a D-Score needs images with a label, and there are none")
	}
	for i := range regions {
		if len(h.Variants[i]) != len(h.Original) || len(h.Shifted[i]) != len(h.Original) {
			return fmt.Errorf("region %d has %d answers without it and %d shifted to it for %d images",
				i+1, len(h.Variants[i]), len(h.Shifted[i]), len(h.Original))
		}
	}
	return nil
}

func share(hits []bool) float64 {
	right := 0
	for _, hit := range hits {
		if hit {
			right++
		}
	}
	return float64(right) / float64(len(hits))
}
