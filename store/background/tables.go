package background

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

// Interpolated describes the matrix that an interpolant made of a cloud.
func (e Evidence) Interpolated(measure Measure, cloud scatter.Cloud, by scatter.Interpolant, m scatter.Matrix) background.Interpolated {
	return background.Interpolated{
		Model: e.Model.ID, Hash: e.Model.Hash, Selection: e.Selection.Name, Measure: string(measure), Name: by.Name(), By: by,
		Targets: len(cloud.Signals), Points: cloud.Points(), Constant: e.Constants[measure], Matrix: m, Far: cloud.D,
		Apart: math.NaN(), ApartSD: math.NaN(),
	}.Measured()
}

// InScenes is what the model did, for the table of outcomes.
func (e Evidence) InScenes() background.InScenes {
	return background.InScenes{
		Model: e.Model, Selection: e.Selection.Name, Key: e.Set.Key, Outcome: e.Outcome, Flags: e.Flags,
	}
}

// Signal is a measure's signal of image j of a target, divided by the constant; NaN where the
// measure is not there.
func (e Evidence) Signal(measure Measure, target, j int) float64 {
	if cloud, there := e.Clouds[measure]; there {
		return cloud.Signals[target][j]
	}
	return math.NaN()
}

// Notes are what has to be known about a model's signals in the scenes: accuracies, constants, what
// is not there and why, and what is unusual.
func (e Evidence) Notes() []string {
	o := e.Outcome
	share := func(v float64) string { return result.Share.Say(v, 0) }
	list := []string{
		fmt.Sprintf("%s in the scenes of %s", e.Model.ID, e.Selection.Name),
		fmt.Sprintf("%s, %s of them with a label; %d scenes each, chosen by %s", result.Counted(o.Targets, "target"),
			result.Whole(o.Labelled), e.Selection.N, e.Selection.Method),
		fmt.Sprintf("accuracy: %s clean, %s in scenes, %s worst case", share(o.Accuracy), share(o.MeanComposite), share(o.WorstCase)),
		fmt.Sprintf("The prediction changes in %s of the composites.", share(o.ChangedShare)),
		fmt.Sprintf("largest distance: %s", result.Number.Say(e.Selection.Selection.Far(), 0)),
	}
	for _, m := range Measures() {
		switch constant, scaled := e.Constants[m]; {
		case e.Absent[m] != "":
			list = append(list, fmt.Sprintf("%s is not there: %s", m, e.Absent[m]))
		case scaled && constant != 1:
			list = append(list, fmt.Sprintf("%s is divided by %s.", m, result.Number.Say(constant, 0)))
		}
	}
	for _, flag := range e.Flags {
		list = append(list, "Note: "+flag)
	}
	return list
}
