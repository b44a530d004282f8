package dscore

import (
	"strconv"
	"strings"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// gridName is a grid as people read it: "3 x 3, t = 5", "3 x 3, t = 5, convolution 2 alone".
func gridName(g diagnosis.Grid) string {
	text := words.F("%d x %d, t = %d", g.N, g.N, g.T)
	masks, err := g.Masks()
	if err != nil {
		return text + ", " + g.Mask
	}
	switch len(masks.Layers) {
	case 0:
	case 1:
		text = words.F("%s, convolution %d alone", text, masks.Layers[0])
	default:
		text = words.F("%s, convolutions %s", text, numbers(masks.Layers))
	}
	if masks.AfterBatchNorm {
		text = words.F("%s, behind batch-norm", text)
	}
	return text
}

// numbers are whole numbers with commas between them.
func numbers(list []int) string {
	texts := make([]string, len(list))
	for k, n := range list {
		texts[k] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// ofAllLayers tells whether a grid's masks delete regions of all convolutions.
func ofAllLayers(g diagnosis.Grid) bool {
	masks, err := g.Masks()
	return err == nil && len(masks.Layers) == 0
}

// behindNorm tells whether a grid's masks lie behind batch-norm.
func behindNorm(g diagnosis.Grid) bool {
	masks, err := g.Masks()
	return err == nil && masks.AfterBatchNorm
}

// setName is a set of masks or of padded translations as people read it.
func setName(text string) string {
	f, err := transform.ParseAny(text)
	if err != nil {
		return text
	}
	if n, t, ok := f.Shifted(); ok {
		return words.F("shifts %d x %d, t = %d", n, n, t)
	}
	m, ok := f.Masked()
	if !ok {
		return text
	}
	name := words.F("masks %d x %d", m.N, m.N)
	if len(m.Layers) == 1 {
		name = words.F("%s of convolution %d", name, m.Layers[0])
	} else if len(m.Layers) > 1 {
		name = words.F("%s of convolutions %s", name, numbers(m.Layers))
	}
	if m.AfterBatchNorm {
		name = words.F("%s, behind batch-norm", name)
	}
	return name
}

// flagWord is a flag of a score as people read it.
func flagWord(f score.Flag) string {
	switch f {
	case score.NoRegionMatters:
		return words.T("no region matters")
	case score.NoAttention:
		return words.T("no attention")
	case score.AboveBound:
		return words.T("above the bound g(n)")
	}
	return string(f)
}

// flagHint says what a flag means.
func flagHint(f score.Flag) string {
	switch f {
	case score.NoRegionMatters:
		return words.T("deleting a region never makes the model worse: the feature distribution is taken as even")
	case score.NoAttention:
		return words.T("no shifted image is classified rightly: the attention distribution is taken as even")
	case score.AboveBound:
		return words.T("v_robust is larger than its bound g(n), which only a model worse than chance can be")
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

// reasonText is why there is no score, in words of this screen. What is not known here is left to the reasons that all screens
// share. Each set of signals has a part of its own: "mask:3: no signals …; shift:3:5: no signals …".
func reasonText(reason string) string {
	var texts []string
	for part := range strings.SplitSeq(reason, "; ") {
		name, rest, ok := strings.Cut(part, ": ")
		if ok && transform.IsSet(name) {
			texts = append(texts, words.F("%s: %s", setName(name), oneReason(rest)))
		} else {
			texts = append(texts, oneReason(part))
		}
	}
	return strings.Join(texts, "; ")
}

func oneReason(reason string) string {
	switch reason {
	case "the suite has no labels, and a D-Score is made of accuracies":
		return words.T("the suite has no labels, and a D-Score is made of accuracies")
	case "its masks and its padded translations were run with other settings of the model: run both again":
		return words.T("its masks and its padded translations were run with other settings of the model: run both again")
	case "its masks and its padded translations were run with other mappings of classes: run both again with the same one":
		return words.T("its masks and its padded translations were run with other mappings of classes: run both again with the same one")
	case lookup.NotHere:
		return words.T("it is not in the workspace")
	}
	return present.Reason(reason)
}
