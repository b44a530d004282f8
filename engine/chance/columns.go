package chance

import (
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Columns tell what is known of a model's accuracy beside chance. People see the word alone.
var Columns = []result.Column[Level]{
	{
		Key: "chance", Title: "chance", Help: "models whose accuracy is not above chance, or nearly all of whose predictions are one class",
		Text: func(l Level) string { return string(l.Code) }, Said: func(l Level) string { return l.Code.Word() },
	},
	{
		Key: "chance_p", Title: "chance p", Help: "probability of at least as many right predictions by chance", Format: result.P,
		Show: result.FileOnly, Value: func(l Level) float64 { return l.tested(l.P) },
	},
	{
		Key: "chance_accuracy", Title: "accuracy by chance", Help: "accuracy of who guesses best without looking", Format: result.Share,
		Show: result.FileOnly, Value: func(l Level) float64 { return l.tested(l.Guessing) },
	},
	counted("chance_correct", "right", "labelled images that are predicted rightly", func(c Counts) int { return c.Correct }),
	counted("chance_classes", "classes", "classes of the model", func(c Counts) int { return c.Classes }),
	counted("chance_largest", "largest class", "labelled images of the most frequent class", func(c Counts) int { return c.Largest }),
	counted("chance_top", "most predicted", "labelled images that are predicted as the most predicted class", func(c Counts) int { return c.Top }),
	counted("chance_top_labels", "labels of the most predicted", "images with this class as their label", func(c Counts) int { return c.TopLabels }),
}

func counted(key, title, help string, of func(Counts) int) result.Column[Level] {
	return result.Column[Level]{
		Key: key, Title: title, Help: help, Format: result.Count, Show: result.FileOnly,
		Value: func(l Level) float64 { return l.tested(float64(of(l.Counts))) },
	}
}

// tested is a number that stands for nothing without labelled images.
func (l Level) tested(v float64) float64 {
	if l.Labelled < 1 {
		return math.NaN()
	}
	return v
}
