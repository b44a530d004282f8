package dscore

import (
	"strconv"
	"strings"

	score "github.com/variscope/variscope/engine/dscore"
)

// numbers are whole numbers with commas between them.
func numbers(list []int) string {
	texts := make([]string, len(list))
	for k, n := range list {
		texts[k] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// ofAllLayers tells whether a grid's masks delete regions of the convolutions together.
func ofAllLayers(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0
}

// takesSmall tells whether a grid's masks delete regions of all convolutions, those with maps
// smaller than n x n too.
func takesSmall(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0 && !masks.Auto
}

// behindNorm tells whether a grid's masks lie behind batch-norm.
func behindNorm(g score.Grid) bool {
	masks, err := g.Masks()
	return err == nil && masks.AfterBatchNorm
}

// flagWords are all flags of a score with commas between them.
func flagWords(r Row) string {
	var texts []string
	for _, f := range r.Flags() {
		texts = append(texts, f.Word())
	}
	return strings.Join(texts, ", ")
}
