package features

import (
	"fmt"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "What can be measured of variance matrices, and which measurements tell labels apart?",
	Reading: []string{
		"A variance matrix becomes 16 numbers: how bright it is, how its brightness grows along rows, columns and " +
			"diagonals, whether it lies evenly around the identity. Point at a heading to read what a column " +
			"measures. Assessors learn from these numbers.",
		"A feature is useful where its histogram lies elsewhere for invariant than for variant models. A " +
			"correlation of few models is chance easily: q says how many of such findings are expected to be " +
			"false.",
	},
	Worked: func() (list []result.Figure, err error) {
		cases, err := variance.Cases()
		for _, c := range cases {
			m, err := feature.Measure(c.Matrix, nil, feature.Options{})
			if err != nil {
				return nil, err
			}
			f := c.Figure(render.Scale{High: evidence.DefaultRange("max@CONF", nil).High})
			f.Note = ""
			for _, which := range []feature.Feature{feature.Mean, feature.Std, feature.ASV, feature.HGMean} {
				f.Note += fmt.Sprintf("%s %s  ", which, result.Coefficient.Say(m.Values[which], 0))
			}
			list = append(list, f)
		}
		return list, err
	},
}
