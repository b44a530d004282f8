package assessors

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "Can a trained assessor label models as people do, and how far can its verdicts be trusted?",
	Reading: []string{
		"An assessor learns from the features of labelled models which matrices people call invariant or variant. " +
			"Its accuracy is measured on models that it has not learned from, and stands beside that of the " +
			"baseline, which always says the most frequent label: what is no better than the baseline has learned " +
			"nothing.",
		"The ROC curve tells how well the score orders models: the further it bends away from the diagonal of " +
			"chance, the better; the area below it is 0.5 for an assessor that guesses. The calibration tells " +
			"whether a probability means what it says: on the diagonal, of the models that are called variant " +
			"with 80 %, 80 % are.",
		"With few labelled models every number here is rough. The interval beside it says how rough.",
	},
	Worked: func() ([]result.Figure, error) {
		var predictions []assess.Prediction
		for k, truth := range []int{0, 0, 0, 1, 0, 1, 0, 1, 1, 1} { // by the probability of variant
			p := (float64(k) + 0.5) / 10
			class := 0
			if p > 0.5 {
				class = 1
			}
			predictions = append(predictions, assess.Prediction{
				Row: k, Truth: truth, Verdict: assess.Verdict{Class: class, Probability: []float64{1 - p, p}, Score: p},
			})
		}
		e := assess.Evaluation{Metrics: assess.Measure(predictions, 2)}
		const name = "an assessor on ten models"
		return []result.Figure{e.ROCFigure(name), e.CalibrationFigure(name)}, nil
	},
}
