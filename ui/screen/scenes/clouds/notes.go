package clouds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
)

// notes are what has to be known about a model's signals in the scenes: accuracies, constants,
// what is not there and why, and what is unusual.
func notes(e *scenes.Evidence) []string {
	o := e.Outcome
	list := []string{
		fmt.Sprintf("%s in the scenes of %s", e.Model.ID, e.Selection.Name),
		fmt.Sprintf("%s, %s of them with a label; %d scenes each, chosen by %s", present.Counted(int64(o.Targets), "target"), present.Count(int64(o.Labelled)),
			e.Selection.N, methodName(e.Selection.Method)),
		fmt.Sprintf("accuracy: %s clean, %s in scenes, %s worst case", present.Percent(o.Accuracy), present.Percent(o.MeanComposite), present.Percent(o.WorstCase)),
		fmt.Sprintf("The prediction changes in %s of the composites.", present.Percent(o.ChangedShare)),
		fmt.Sprintf("largest distance: %s", present.Number(e.Selection.Selection.Far())),
	}
	for _, m := range scenes.Measures() {
		switch constant, scaled := e.Constants[m]; {
		case e.Absent[m] != "":
			list = append(list, fmt.Sprintf("%s is not there: %s", m, e.Absent[m]))
		case scaled && constant != 1:
			list = append(list, fmt.Sprintf("%s is divided by %s.", m, present.Number(constant)))
		}
	}
	for _, flag := range e.Flags {
		list = append(list, fmt.Sprintf("Note: %s", flag))
	}
	return list
}

// methodName is a way of choosing scenes in words.
func methodName(m background.Method) string { return string(m) }

// notesText are the notes on all models that are shown.
func notesText(list []*scenes.Evidence) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, strings.Join(notes(e), "\n"))
	}
	return strings.Join(slices.Compact(parts), "\n\n")
}
