package agreement

import (
	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "How far do the annotators agree, on what do they not, and how many more labels would tell it better?",
	Reading: []string{
		"Percent agreement is how often two annotators gave the same label. Kappa is how much more often than " +
			"chance would: 1 for always, 0 for as often as chance, less for less. Cohen's kappa is of two " +
			"annotators, Fleiss' of all; AC1 and alpha expect chance in other ways. The words beside are those of " +
			"Landis and Koch, and only words.",
		"Where nearly all models are of one class, kappa is low though annotators agree: look at the table of both. " +
			"With few models every measure is rough: its interval says how rough.",
		"Choose a cell to see which models lie behind it. Models on which annotators differ get their final label " +
			"under Adjudicate.",
	},
	Worked: func() ([]result.Figure, error) { return measure.Cases(render.Pales) },
}
