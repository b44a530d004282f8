package chance

import (
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Columns tell what is known of a model's accuracy beside chance. People see the word alone.
var Columns = []result.Column[Level]{
	result.Texts("chance", "chance",
		"accuracy that is not above chance, or predictions nearly all of which are one class",
		func(l Level) string { return string(l.Code) }).Told(func(l Level) string { return l.Code.Word() }),
	tested("chance_p", "chance p", "probability of at least as many right predictions by chance", result.P,
		func(l Level) float64 { return l.P }),
	tested("chance_accuracy", "accuracy by chance", "accuracy of who guesses best without looking", result.Share,
		func(l Level) float64 { return l.Guessing }),
	counted("chance_correct", "right", "labelled images that are predicted rightly",
		func(l Level) int { return l.Correct }),
	counted("chance_classes", "classes", "classes of the model", func(l Level) int { return l.Classes }),
	counted("chance_largest", "largest class", "labelled images of the most frequent class",
		func(l Level) int { return l.Largest }),
	counted("chance_top", "most predicted", "labelled images that are predicted as the most predicted class",
		func(l Level) int { return l.Top }),
	counted("chance_top_labels", "labels of the most predicted", "images with this class as their label",
		func(l Level) int { return l.TopLabels }),
}

// tested is a column of what is missing without labelled images.
func tested(key, title, help string, format result.Format, value func(Level) float64) result.Column[Level] {
	return result.Numbers(key, title, help, format, func(l Level) float64 {
		if l.Labelled < 1 {
			return math.NaN()
		}
		return value(l)
	}).In(result.FileOnly)
}

func counted(key, title, help string, count func(Level) int) result.Column[Level] {
	return tested(key, title, help, result.Count, func(l Level) float64 { return float64(count(l)) })
}
