package scenes

import (
	"fmt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "Do predictions stay when the background changes, and from which scenes on do they not?",
	Reading: []string{
		"Keywords of the images make an ontology; it tells how far, in meaning, a scene lies from a target. " +
			"Scenes of all distances are chosen for each target, and its foreground is put on them. The pages " +
			"stand in the order of the work.",
		"A matrix compares composites whose scenes lie so far from the target: its lower left corner is near, its " +
			"upper right far away. Its colours run up to the largest change that is possible for shares, so that " +
			"matrices of different models can be compared; the worst case stands below it.",
		"Accuracy over distance says at which distance a model begins to fail. Its intervals count composites of " +
			"one target as alike.",
	},
	Worked: worked,
}

// worked is a model whose accuracy falls with the distance of scenes: 40 targets, each on ten
// scenes.
func worked() ([]result.Figure, error) {
	const targets, scenes = 40, 10
	labels, predictions, distances := make([]int, targets), make([][]int32, scenes+1), make([][]float64, targets)
	for j := range predictions {
		predictions[j] = make([]int32, targets)
		for t := range targets {
			distances[t] = append(distances[t], (float64(j)-0.5)/scenes)
			if j > 0 && (t*7)%targets < (j-2)*4 { // more of the targets are taken for something else
				predictions[j][t] = 1
			}
		}
	}
	rows := make([]background.ModelDistance, 0, scenes)
	for _, bin := range background.OverDistance(predictions, labels, distances, 1, scenes) {
		rows = append(rows, background.ModelDistance{
			Model: model.Model{ID: "example", Hash: "example"}, DistanceBin: bin,
		})
	}
	first, last := rows[0], rows[len(rows)-1]
	say := func(r background.ModelDistance) string { return result.Share.Say(r.Accuracy(), 0) }
	note := fmt.Sprintf("right on %s of the nearest scenes and on %s of the farthest", say(first), say(last))
	return []result.Figure{background.AccuracyFigure("Accuracy over distance", note, rows, "")}, nil
}
