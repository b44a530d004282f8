package dscore

import (
	"fmt"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "Where do a suite's features lie, where does each model look, and how robust does that make it?",
	Reading: []string{
		"The image is cut into regions. Deleting a region from a model's feature maps costs accuracy where " +
			"features are: that gives the map of features. Shifting all images to a region keeps accuracy where " +
			"the model looks: that gives the map of attention. Shares of a map add up to 100 %.",
		"Unevenness (v_robust, the smaller the better) is how unevenly both lie over the regions, and what " +
			"shifting costs. Fitness (v_fitness, the larger the better) is accuracy less the distance between " +
			"both maps. The D-Score is fitness minus unevenness; p is how often images should be padded in " +
			"training.",
		"A score rests on differences of accuracies: on few images these are chance. Intervals say how much, from " +
			"500 images on.",
	},
	Worked: worked,
}

// worked is the model MMA of the D-Score paper with n = 2: accuracies of its Tables III and IV.
func worked() ([]result.Figure, error) {
	const n, t = 2, 5
	s, err := score.Compute(score.Accuracies{
		Original: 0.9856, Variants: []float64{0.9316, 0.7755, 0.7509, 0.9165},
		Shifted: []float64{0.5898, 0.7301, 0.7024, 0.5420}, Classes: 10,
	})
	if err != nil {
		return nil, err
	}
	maps := []score.Distributions{score.NewDistributions("MMA", "MNIST", score.Grid{N: n, T: t}, s.Features,
		s.Attention)}
	score.ScaleTogether(maps, &render.Viridis)
	list := maps[0].Figures(suite.Image{})
	say := func(v float64) string { return result.Number.Say(v, 4) }
	list[0].Note = "model MMA of the D-Score paper: deleting region 3 costs 23.5 points, more than any other"
	list[1].Note = "shifted to region 2 it keeps most of its accuracy, 73.0 %"
	list[2].Note = fmt.Sprintf("fitness %s − unevenness %s = D-Score %s", say(s.Fitness), say(s.Robust), say(s.DScore))
	return list, nil
}
