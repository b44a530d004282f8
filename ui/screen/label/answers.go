package label

import (
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// about says what the screen answers.
var about = kit.About{
	Question: "Is each model invariant, borderline or variant, as people judge it by the round's guideline?",
	Reading: []string{
		"A round is a list of models, a family of transformations and the people who label. Each of them judges " +
			"every model that is theirs by its matrices, and by the fields and curves that the guideline names; in a " +
			"blind round nobody sees labels of others before it is closed or, " +
			"where the round says so, before they have finished.",
		"A matrix is read as everywhere: the brighter an element, the more the model's signal differs between two " +
			"transformations. All models of a round have the same colours. What counts as invariant is up to the " +
			"guideline of the round, which is beside the matrices, and not up to this text.",
		"A key gives a label: the buttons name theirs. A label is on disk before the screen moves on, and can be " +
			"changed until the round is closed.",
	},
	Worked: evidence.Cases,
}
