package present

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/transform"
)

// Grid is one setting of a D-Score as people read it: "3 × 3 regions, t = 5", "2 × 2 regions, t = 4, layers 1,3, after batch-norm".
func Grid(masks transform.Masks, t int) string {
	parts := []string{fmt.Sprintf("%d × %d regions, t = %d", masks.N, masks.N, t)}
	if of := Masks(masks); of != "" {
		parts = append(parts, of)
	}
	return strings.Join(parts, ", ")
}

// Masks says what masks delete regions of, where that is not the outputs of all convolutions: "layers 1,3", "after batch-norm".
func Masks(masks transform.Masks) string {
	var parts []string
	switch numbers := layerNumbers(masks.Layers); len(masks.Layers) {
	case 0:
		if masks.Auto {
			parts = append(parts, "layers with maps large enough")
		}
	case 1:
		parts = append(parts, fmt.Sprintf("layer %s", numbers))
	default:
		parts = append(parts, fmt.Sprintf("layers %s", numbers))
	}
	if masks.AfterBatchNorm {
		parts = append(parts, "after batch-norm")
	}
	return strings.Join(parts, ", ")
}

func layerNumbers(layers []int) string {
	texts := make([]string, len(layers))
	for k, layer := range layers {
		texts[k] = strconv.Itoa(layer)
	}
	return strings.Join(texts, ",")
}

// gridNote is the grid of the canonical texts of masks and padded translations; ok is false for anything else.
func gridNote(mask, shift string) (text string, ok bool) {
	a, err := transform.ParseAny(mask)
	if err != nil {
		return "", false
	}
	b, err := transform.ParseAny(shift)
	if err != nil {
		return "", false
	}
	masks, isMask := a.Masked()
	n, t, isShift := b.Shifted()
	if !isMask || !isShift || masks.N != n {
		return "", false
	}
	return Grid(masks, t), true
}
