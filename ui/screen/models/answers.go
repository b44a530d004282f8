package models

import (
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "Which models are there, what is known of each, and which deserve a closer look?",
	Reading: []string{
		"A row is a model; its pictures are its variance matrices under the family that is chosen in the bar " +
			"above, one per position and modality. A cell compares what the model says of the same images under " +
			"two transformations: the brighter, the more it differs. All models have the same colours, which the " +
			"colour bar tells.",
		"A dark matrix means invariance only where the model knows something: one that guesses, or says one class " +
			"of everything, has dark matrices too. The column chance says so.",
	},
	Worked: evidence.Cases,
}
