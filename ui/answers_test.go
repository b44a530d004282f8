package ui

import (
	"fmt"
	"testing"
)

// TestScreensSayWhatTheyAnswer opens what says how each screen is read, with its worked figures,
// also while there is nothing on it.
func TestScreensSayWhatTheyAnswer(t *testing.T) {
	for _, models := range []int{2, 0} {
		t.Run(fmt.Sprintf("%d models", models), func(t *testing.T) { sayWhatTheyAnswer(t, open(t, models, nil)) })
	}
}

func sayWhatTheyAnswer(t *testing.T, o *opened) {
	t.Helper()
	for place, says := range map[Place]string{
		Models: "Which models are there", Inspect: "What changes inside", Label: "Is each model invariant",
		Agreement: "How far do the annotators agree", Features: "What can be measured",
		Assessors: "Can a trained assessor", Invariance: "How consistently", Ranking: "Which model is the best one",
		DScore: "Where do a suite's features lie", Background: "Do predictions stay", Runs: "What is being computed",
	} {
		o.Go(place)
		o.settle()
		o.press(t, "How to read this")
		o.stage.Until("the dialog says "+says, o.dialogSays(says))
		o.press(t, "Close")
		if o.banner.object.Visible() {
			t.Errorf("%s: %s", says, o.banner.text.Text)
		}
	}
}
