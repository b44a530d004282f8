package inspect

import (
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "What changes inside this model when its images are transformed, and which images make it?",
	Reading: []string{
		"An element of a matrix compares the signals of the same images under two transformations, V_i and V_j: " +
			"the brighter, the more they differ. The diagonal compares each with itself and is 0. CONF is of " +
			"the output, CONV-1 of the last convolution, CONV-2 of the one before.",
		"A bright cross at 0 alone says that the model knows untouched images from resampled ones: compare with " +
			"a family that resamples at 0, too. Brightness that grows with the distance from the diagonal is what " +
			"the transformation itself changes.",
		"Below each matrix stands its largest element δ with what other images of the same kind might make of it. " +
			"Click an element to learn which images make it, on the tab Element; Images, Extremes and Preview follow.",
		"A dark matrix means invariance only where the model knows something: compare with the accuracy.",
	},
	Worked: variance.ElementCases,
}
