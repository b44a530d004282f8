package dscore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/transform"
)

// Grid is one setting of a D-Score. NewGrid makes one; where Mask or Shift is empty it is that of
// N and T, of the layers whose maps are large enough.
type Grid struct {
	N, T int
	// Mask is the canonical text of the masks, transform.Mask: which layers, and whether behind
	// batch-norm.
	Mask string
	// Shift is the canonical text of the padded translation, transform.Shift.
	Shift string
}

// NewGrid is the grid of some masks and a t. The errors are those of transform.Mask and
// transform.Shift.
func NewGrid(masks transform.Masks, t int) (Grid, error) {
	mask, err := transform.Mask(masks)
	if err != nil {
		return Grid{}, err
	}
	shift, err := transform.Shift(masks.N, t)
	if err != nil {
		return Grid{}, err
	}
	return Grid{N: masks.N, T: t, Mask: mask.String(), Shift: shift.String()}, nil
}

// Masks says what the grid's masks delete regions of.
func (g Grid) Masks() (transform.Masks, error) {
	if g.Mask == "" {
		return transform.Masks{N: g.N, Auto: true}, nil
	}
	f, err := transform.ParseAny(g.Mask)
	if err != nil {
		return transform.Masks{}, err
	}
	masks, ok := f.Masked()
	if !ok {
		return transform.Masks{}, fmt.Errorf("%s is no set of masks; a grid needs one, such as mask:3", g.Mask)
	}
	return masks, nil
}

// String is the grid for people: "3 × 3 regions, t = 5", "2 × 2 regions, t = 4, layers 1,3, after
// batch-norm".
func (g Grid) String() string {
	masks, err := g.Masks()
	of := g.Mask
	if err == nil {
		of = MasksText(masks)
	}
	return strings.TrimSuffix(fmt.Sprintf("%d × %d regions, t = %d, %s", g.N, g.N, g.T, of), ", ")
}

// MasksText says what masks delete regions of, where that is not the outputs of all convolutions:
// "layers 1,3", "layer 2, after batch-norm", "layers with maps large enough".
func MasksText(masks transform.Masks) string {
	var parts []string
	switch numbers := joined(masks.Layers, ",", strconv.Itoa); {
	case masks.Auto:
		parts = append(parts, "layers with maps large enough")
	case len(masks.Layers) == 1:
		parts = append(parts, "layer "+numbers)
	case len(masks.Layers) > 1:
		parts = append(parts, "layers "+numbers)
	}
	if masks.AfterBatchNorm {
		parts = append(parts, "after batch-norm")
	}
	return strings.Join(parts, ", ")
}

// Whole is the grid with both canonical texts, which must be those of its n and t.
func (g Grid) Whole() (Grid, error) {
	masks, err := g.Masks()
	if err != nil {
		return g, err
	}
	full, err := NewGrid(masks, g.T)
	if err != nil {
		return g, err
	}
	if full.N != g.N {
		return g, fmt.Errorf("masks %s are not of %d x %d regions", g.Mask, g.N, g.N)
	}
	if g.Shift != "" {
		if f, err := transform.ParseAny(g.Shift); err != nil || f.String() != full.Shift {
			return g, fmt.Errorf("padded translation %s is not that of n = %d and t = %d, %s",
				g.Shift, g.N, g.T, full.Shift)
		}
	}
	return full, nil
}

// CompareGrids orders grids by n, t, then masks of all layers first, then by number of layers,
// text and whether behind batch-norm.
func CompareGrids(a, b Grid) int {
	x, errX := a.Masks()
	y, errY := b.Masks()
	if errX != nil || errY != nil {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.T, b.T), cmp.Compare(a.Mask, b.Mask))
	}
	return cmp.Or(
		cmp.Compare(a.N, b.N), cmp.Compare(a.T, b.T), cmp.Compare(len(x.Layers), len(y.Layers)),
		slices.Compare(x.Layers, y.Layers),
		cmp.Compare(a.Mask, b.Mask),
	)
}
