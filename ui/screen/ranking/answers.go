package ranking

import (
	"context"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "Which model is the best one on images that nobody has labelled?",
	Reading: []string{
		"Every ranker is a column that orders the models, most of them by predictions alone; those that sample " +
			"ask for a few labels. LaF takes the images on which models disagree and finds out which models side " +
			"with what the others say rightly: that is a model's specialty.",
		"How good a ranking is can only be said where true classes are known: rank correlations are 1 for the " +
			"order of the true accuracies, 0 for chance, -1 for the reverse. With few models a correlation says " +
			"little.",
	},
	Worked: worked,
}

// worked are the specialties of four models of which one agrees least with the others.
func worked() ([]result.Figure, error) {
	a := Answer{Data: rank.Data{
		Models:  []rank.Model{{ID: "agrees most"}, {ID: "agrees"}, {ID: "agrees less"}, {ID: "agrees least"}},
		Samples: 8, Classes: 3,
		Labels: []int32{ // a line per image
			0, 0, 0, 1,
			1, 1, 1, 1,
			2, 2, 2, 0,
			0, 0, 1, 2,
			1, 1, 1, 2,
			2, 2, 0, 2,
			0, 0, 0, 0,
			1, 2, 1, 0,
		},
	}}
	laf, err := rank.LaF(context.Background(), a.Data, rank.LaFOptions{})
	if err != nil {
		return nil, err
	}
	a.Board = rank.Leaderboard{Models: a.Data.Models, Samples: a.Data.Samples, LaF: &laf}
	f := a.Specialty()
	f.Title, f.Note = "Specialty of four models",
		"predictions of four models for eight images in three classes, without labels"
	return []result.Figure{f}, nil
}
