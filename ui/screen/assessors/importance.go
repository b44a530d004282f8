package assessors

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/present"
)

// measureImportance is the permutation importance of a subject's features.
func measureImportance(ctx context.Context, s Subject) (assess.Importance, error) {
	learned, _ := s.learned()
	var options assess.ShuffleOptions
	option.SetDefaults(&options)
	return assess.MeasureImportance(ctx, s.Assessor, s.Data, func(row int) bool { return learned[row] }, options, engine.NoProgress{})
}

// importanceNote says how the importances are to be read.
func importanceNote(i assess.Importance) string {
	if i.Problem != nil {
		return present.Sentence(i.Problem)
	}
	return "How much accuracy shuffling a feature costs, " + i.String() + "."
}
