package invariance

import (
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "How consistently and confidently do models predict under transformations, and how does " +
		"that go with accuracy?",
	Reading: []string{
		"Effective invariance compares what a model says of an image with what it says of the same image after a " +
			"change. Where both predictions are the same class, EI is the square root of the product of the two " +
			"confidences; where they are not, it is 0. So it asks for both at once: that the prediction stays, " +
			"and that the model is sure of it. No label is needed.",
		"A divergence of the softmax vectors, such as JS, only sees change: it prefers B and D, where the model " +
			"knows little, to A.",
		"A correlation of EI with accuracy over few models is rough: its interval says how rough. Predicted " +
			"accuracies hold for suites like those that the line was fitted on.",
	},
	Worked: measure.Cases,
}
