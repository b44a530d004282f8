package present

import (
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/words"
)

// Word is a word or a reason of the engine or the store as people read it; files keep the engine's own. What is not known
// here, such as an error, is shown as it is.
func Word[W ~string](word W) string {
	for _, look := range []func(string) string{labelWord, kappaWord, kappaNote, undefinedReason, authority, absentReason, exportPart} {
		if text := look(string(word)); text != "" {
			return text
		}
	}
	return string(word)
}

// labelWord knows the labels, and the filters of images that a round has.
func labelWord(word string) string {
	switch word {
	case "invariant":
		return words.T("invariant")
	case "borderline":
		return words.T("borderline")
	case "variant":
		return words.T("variant")
	case "all":
		return words.T("all")
	case "correct":
		return words.T("correct")
	case "wrong":
		return words.T("wrong")
	}
	return ""
}

// kappaWord knows the interpretations of a coefficient.
func kappaWord(word string) string {
	switch word {
	case "poor":
		return words.T("poor")
	case "slight":
		return words.T("slight")
	case "fair":
		return words.T("fair")
	case "moderate":
		return words.T("moderate")
	case "substantial":
		return words.T("substantial")
	case "almost perfect":
		return words.T("almost perfect")
	}
	return ""
}

// kappaNote knows the notes beside the comparison with the majority.
func kappaNote(word string) string {
	switch word {
	case "the rater's own vote is part of the majority, so these values are biased upward":
		return words.T("the rater's own vote is part of the majority, so these values are biased upward")
	case "against the majority of the other raters":
		return words.T("against the majority of the other raters")
	}
	return ""
}

// authority knows where a setting of a model can come from; models.csv is its own word.
func authority(word string) string {
	switch model.Authority(word) {
	case model.ByUser:
		return words.T("correction")
	case model.ByMetadata:
		return words.T("onnx metadata")
	case model.ByGraph:
		return words.T("graph")
	case model.ByProbe:
		return words.T("probe")
	case model.ByDefault:
		return words.T("default")
	}
	return ""
}

// undefinedReason knows why a measure or its interval is undefined.
func undefinedReason(word string) string {
	switch word {
	case agreement.NoCommonItems:
		return words.T("no common items")
	case agreement.NoItemTwice:
		return words.T("no item has two ratings")
	case agreement.ExpectedAgreement:
		return words.T("expected agreement is 1")
	case agreement.ExpectedNoConflict:
		return words.T("expected disagreement is 0")
	case agreement.TooFewClasses:
		return words.T("fewer than two classes")
	case agreement.ClassUnused:
		return words.T("nobody used this class")
	case agreement.WindowNotFull:
		return words.T("fewer items than the window takes")
	case agreement.TooFewItems:
		return words.F("fewer than %d items", agreement.MinItems)
	case agreement.TooFewSecond:
		return words.F("fewer than %d items with agreement on a class other than the commonest", agreement.MinSecond)
	case agreement.TooFewAgreeing:
		return words.F("fewer than %d items with more agreement than the least possible", agreement.MinAgreeing)
	case agreement.NoVariance:
		return words.T("the variance is 0")
	case agreement.OneItemNeeded:
		return words.T("undefined without one of the items")
	}
	return ""
}

// absentReason knows why a model has no tensor at a position, and why a set has no signals of it.
func absentReason(word string) string {
	switch word {
	case "no convolution":
		return words.T("no convolution")
	case "no second convolution":
		return words.T("no second convolution")
	case "no linear layer at the end":
		return words.T("no linear layer at the end")
	case store.NotAmongPositions:
		return words.T("not among the run's positions")
	case store.NotAmongModalities:
		return words.T("not among the run's modalities")
	}
	if name, ok := strings.CutPrefix(word, "no tensor "); ok {
		return words.F("no tensor %s", name)
	}
	return ""
}

// exportPart knows the parts of an export.
func exportPart(word string) string {
	switch word {
	case "label tables (CSV)":
		return words.T("label tables (CSV)")
	case "agreement (CSV, JSON)":
		return words.T("agreement (CSV, JSON)")
	case "model table (CSV)":
		return words.T("model table (CSV)")
	case "matrices (NPZ)":
		return words.T("matrices (NPZ)")
	case "matrix pictures (PNG)":
		return words.T("matrix pictures (PNG)")
	case "labels (Parquet)":
		return words.T("labels (Parquet)")
	case "labels (Label Studio)":
		return words.T("labels (Label Studio)")
	case "features (CSV, Parquet)":
		return words.T("features (CSV, Parquet)")
	}
	return ""
}

// Words are several words.
func Words(list []string) []string {
	out := make([]string, len(list))
	for k, word := range list {
		out[k] = Word(word)
	}
	return out
}
