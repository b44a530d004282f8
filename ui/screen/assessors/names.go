package assessors

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store/training"
)

// schemeKinds are the schemes in the order of the menu.
func schemeKinds() []assess.SchemeKind {
	return []assess.SchemeKind{assess.PaperScheme, assess.KFold, assess.LeaveGroupOut}
}

// borderlines are the choices in the order of the menu.
func borderlines() []training.Borderline {
	return []training.Borderline{training.Leave, training.Keep, training.AsInvariant, training.AsVariant}
}

func borderlineName(b training.Borderline) string {
	switch b {
	case training.Keep:
		return "a class of its own"
	case training.AsInvariant:
		return "counts as invariant"
	case training.AsVariant:
		return "counts as variant"
	}
	return "left out"
}

// scores are the readings of Eq. 1 in the order of the menu; the first is the default.
func scores() []assess.Score {
	return []assess.Score{"", assess.CorrectProduct, assess.CorrectMean, assess.ConsistencyProduct, assess.ConsistencyMean}
}

// namer names algorithms for models that are measured in scenes, or not; scoreNamer the scores of
// the baseline.
func namer(scenes bool) func(assess.Algorithm) string {
	return func(a assess.Algorithm) string { return a.Title(scenes) }
}

func scoreNamer(scenes bool) func(assess.Score) string {
	return func(s assess.Score) string { return s.Title(scenes) }
}
