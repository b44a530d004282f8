package assessors

import (
	"context"
	"fmt"

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
	switch {
	case i.Problem != nil:
		return present.Sentence(i.Problem)
	case i.Refitted:
		return fmt.Sprintf("How much accuracy shuffling a feature costs. The assessor has learned from every labelled model, so it is measured on assessors with the same settings that were trained on two thirds of them: on %d models, each judged by an assessor that had not seen it.", i.Models)
	}
	return fmt.Sprintf("How much accuracy shuffling a feature costs, on %d models that the assessor had not seen.", i.Models)
}
