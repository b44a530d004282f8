package dscore

import (
	"strconv"
	"strings"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store/diagnosis"
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
func ofAllLayers(g diagnosis.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0
}

// takesSmall tells whether a grid's masks delete regions of all convolutions, those with maps smaller than n x n too.
func takesSmall(g diagnosis.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0 && !masks.Auto
}

// behindNorm tells whether a grid's masks lie behind batch-norm.
func behindNorm(g diagnosis.Grid) bool {
	masks, err := g.Masks()
	return err == nil && masks.AfterBatchNorm
}

// flagWord is a flag of a score as people read it.
func flagWord(f score.Flag) string {
	switch f {
	case score.NoRegionMatters:
		return "no region matters"
	case score.NoAttention:
		return "no attention"
	case score.AboveBound:
		return "above the bound g(n)"
	}
	return string(f)
}

// flagHint says what a flag means.
func flagHint(f score.Flag) string {
	switch f {
	case score.NoRegionMatters:
		return "deleting a region never makes the model worse: the feature distribution is taken as even"
	case score.NoAttention:
		return "no shifted image is classified rightly: the attention distribution is taken as even"
	case score.AboveBound:
		return "v_robust is larger than its bound g(n), which only a model worse than chance can be"
	}
	return ""
}

// flagWords are all flags of a score with commas between them.
func flagWords(flags []score.Flag) string {
	texts := make([]string, len(flags))
	for k, f := range flags {
		texts[k] = flagWord(f)
	}
	return strings.Join(texts, ", ")
}
