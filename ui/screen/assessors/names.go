package assessors

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store/training"
)

// algorithmName is what an algorithm is called on the screen.
func algorithmName(a assess.Algorithm) string {
	switch a {
	case assess.DecisionTree:
		return "decision tree"
	case assess.RandomForest:
		return "random forest"
	case assess.AdaBoost:
		return "AdaBoost"
	case assess.Regression:
		return "linear regression"
	case assess.Baseline:
		return "robust accuracy"
	}
	return string(a)
}

// schemeKinds are the schemes in the order of the menu.
func schemeKinds() []assess.SchemeKind {
	return []assess.SchemeKind{assess.PaperScheme, assess.KFold, assess.LeaveGroupOut}
}

func schemeName(k assess.SchemeKind) string {
	switch k {
	case assess.KFold:
		return "stratified k-fold"
	case assess.LeaveGroupOut:
		return "leave one group out"
	}
	return "hold-out and two halves [1]"
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

func scoreName(s assess.Score) string {
	switch s {
	case assess.CorrectProduct:
		return "robust accuracy (correct, product)"
	case assess.CorrectMean:
		return "correct, mean"
	case assess.ConsistencyProduct:
		return "consistent, product (Eq. 1)"
	case assess.ConsistencyMean:
		return "consistent, mean"
	}
	return "as the data allow"
}

// unitName is the unit of an explanation in words.
func unitName(unit string) string {
	switch unit {
	case assess.UnitShare:
		return "share of trees' leaves"
	case assess.UnitDecision:
		return "decision value"
	case assess.UnitRegression:
		return "regression value"
	}
	return unit
}
