package present

import (
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/words"
)

// Grid is one setting of a D-Score as people read it: "3 × 3 regions, t = 5", "2 × 2 regions, t = 4, layers 1,3, after batch-norm".
func Grid(masks transform.Masks, t int) string {
	parts := []string{words.F("%d × %d regions, t = %d", masks.N, masks.N, t)}
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
			parts = append(parts, words.T("layers with maps large enough"))
		}
	case 1:
		parts = append(parts, words.F("layer %s", numbers))
	default:
		parts = append(parts, words.F("layers %s", numbers))
	}
	if masks.AfterBatchNorm {
		parts = append(parts, words.T("after batch-norm"))
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

// diagnosisReason knows why there is no D-Score, "" for another text.
func diagnosisReason(text string) string {
	switch text {
	case diagnosis.NoLabels:
		return words.T("the suite has no labels, and a D-Score is made of accuracies")
	case diagnosis.OtherSettings:
		return words.T("its masks and its padded translations were run with other settings of the model: run both again")
	case diagnosis.OtherClasses:
		return words.T("its masks and its padded translations were run with other mappings of classes: run both again with the same one")
	case lookup.NotHere:
		return words.T("it is not in the workspace")
	}
	return setReasons(text)
}

// setReasons knows "mask:3: REASON; shift:3:5: REASON", what there is in place of signals for one or two sets.
func setReasons(text string) string {
	var parts []string
	for part := range strings.SplitSeq(text, "; ") {
		name, reason, _ := strings.Cut(part, ": ")
		f, err := transform.ParseAny(name)
		known := lackWord(reason)
		if err != nil || !f.IsSet() || known == "" {
			return ""
		}
		parts = append(parts, name+": "+known)
	}
	return strings.Join(parts, "; ")
}
