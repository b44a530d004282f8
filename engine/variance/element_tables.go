package variance

import (
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/result"
)

// elementNames are the columns that say which element a record is of.
func elementNames[R any](of func(R) Of, v func(R) [2]float64) []result.Column[R] {
	return append(
		result.Lift(names, of),
		result.Numbers("V_i", "V_i", "sampling value of the element's row", result.Number,
			func(r R) float64 { return v(r)[0] }),
		result.Numbers("V_j", "V_j", "sampling value of the element's column", result.Number,
			func(r R) float64 { return v(r)[1] }))
}

// inSignals is a column of numbers as large as the signals are.
func inSignals[R any](key, title, help string, of func(R) float64) result.Column[R] {
	return result.Numbers(key, title, help, result.Number, of).Significant(4)
}

// Pairs is the table of the images behind elements, largest share first.
var Pairs = result.Table[Pair]{
	Name: "element_images", Title: "Images behind an element", Noun: "image",
	ID: func(p Pair) string { return p.Model + "/" + p.Modality + "/" + strconv.Itoa(p.Image) },
	Columns: append(
		elementNames(func(p Pair) Of { return Of{Model: p.Model, Modality: p.Modality} },
			func(p Pair) [2]float64 { return p.V }),
		result.Counts("image", "image", "number in the suite, from 0 on", func(p Pair) int { return p.Image }),
		result.Texts("class", "class", "the image's", func(p Pair) string { return p.Class }),
		result.Numbers("share", "share", "of the sum of squared differences over the images", result.Share,
			func(p Pair) float64 { return p.Share }),
		inSignals("difference", "difference", "signal under V_i less signal under V_j, or the tensors' distance",
			func(p Pair) float64 { return p.Difference }),
		pairSignal("signal_i", "signal i", "signal under V_i", 0),
		pairSignal("signal_j", "signal j", "signal under V_j", 1),
		pairRight("right_i", "right i", "whether the prediction under V_i is the image's class", 0),
		pairRight("right_j", "right j", "whether the prediction under V_j is the image's class", 1),
		result.Numbers("sum", "sum", "of the shares down to this image, largest first", result.Share,
			func(p Pair) float64 { return p.Sum }),
		result.Texts("file", "file", "of the image", func(p Pair) string { return p.File })),
}

func pairSignal(key, title, help string, side int) result.Column[Pair] {
	return orElse(inSignals(key, title, help, func(p Pair) float64 { return p.Signals[side] }),
		result.Because("vector", "the modality compares whole tensors, which have no signal"))
}

func pairRight(key, title, help string, side int) result.Column[Pair] {
	return orElse(result.Numbers(key, title, help, result.Bool, func(p Pair) float64 { return p.Right[side] }),
		result.Because("no_label", "the image has no label"))
}

// orElse says why the column has no number where it has none.
func orElse[R any](c result.Column[R], reason result.Reason) result.Column[R] {
	return c.Because(func(r R) result.Reason {
		if math.IsNaN(c.Value(r)) {
			return reason
		}
		return result.Reason{}
	})
}

// Explained has a row per matrix whose element is explained.
var Explained = result.Table[Element]{
	Name: "element", Title: "What makes an element", Noun: "element",
	ID: func(e Element) string { return e.Model + "/" + e.Modality },
	Columns: append(
		elementNames(func(e Element) Of { return Of{Model: e.Model, Modality: e.Modality} },
			func(e Element) [2]float64 { return e.V }),
		inSignals("delta", "δ", "the element: root mean square of the differences",
			func(e Element) float64 { return e.Delta }).Between(
			func(e Element) float64 { return e.Low }, func(e Element) float64 { return e.High }),
		result.Counts("images", "images", "that count", func(e Element) int { return e.Images }),
		result.Counts("half", "make half",
			"least number of images that make half of the sum of squared differences; "+
				"half of all if they differed alike",
			func(e Element) int { return e.Half }),
		elementRight("accuracy_i", "accuracy i", "share of right predictions under V_i", 0),
		elementRight("accuracy_j", "accuracy j", "share of right predictions under V_j", 1),
		result.Counts("right_i_only", "right only i", "images that are right under V_i and wrong under V_j",
			func(e Element) int { return e.Alone[0] }),
		result.Counts("right_j_only", "right only j", "images that are right under V_j and wrong under V_i",
			func(e Element) int { return e.Alone[1] }),
		result.Texts("why", "why", "the same in a sentence, with the classes of the images that make half",
			Element.Sentence).In(result.FileOnly)),
}

func elementRight(key, title, help string, side int) result.Column[Element] {
	return orElse(result.Numbers(key, title, help, result.Share, func(e Element) float64 { return e.Accuracy[side] }),
		result.Because("no_label", "no image has a label"))
}
