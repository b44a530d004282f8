package rank

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// The codes of why there is no ranking, why a ranking has no quality, and why something takes no
// part. Models without predictions have codes of engine/signal.
const (
	AllAlike        = "all_alike"        // the models cannot be told apart
	Unanimous       = "unanimous"        // the models agree on every image
	NoTruth         = "no_true_classes"  // no image has one, or too few have
	Unlabelled      = "unlabelled"       // images that a ranker may draw have no true class
	NoProbabilities = "no_probabilities" // only classes are known
	BadBudget       = "budget"           // too many labels, or too few
	NotMeasured     = "not_measured"     // a ranker that rests on signals
	FewModels       = "few_models"       // for a comparison or a ranking
	AccuracyFixed   = "accuracy_fixed"   // all models have the same true accuracy
	ScoreFixed      = "score_fixed"      // all models have the same score
	Repeated        = "repeated"         // means over repetitions have no p-value
	OtherClasses    = "other_classes"    // a model's classes are not those of the others
	NoModel         = "no_model"         // a column or array of predictions that is something else
	Unreadable      = "unreadable"       // what a ranker needs cannot be read or makes no sense
	Undefined       = "undefined"        // for another reason, which the sentence says
	beingAskedCode  = "being_asked"      // a ranker has not answered yet
)

// The reasons that have no numbers in them.
var (
	identical = result.Because(AllAlike,
		"all models predict the same for every image, so nothing tells them apart")
	everyUnanimous  = result.Because(Unanimous, "all models agree on every image")
	noTruth         = result.Because(NoTruth, "no image has a true class")
	littleTruth     = result.Because(NoTruth, "no more than half of the images have a true class")
	noProbabilities = result.Because(NoProbabilities,
		"it needs the models' probabilities, and only their classes are known")
	unmeasured    = result.Because(NotMeasured, "it was not measured for these models")
	unmeasuredOne = result.Because(NotMeasured, "it was not measured for this model")
	// noDScore: what D-Score rests on is not what everybody runs.
	noDScore = result.Because(NotMeasured,
		"it was not measured for these models; it needs the suite's labels and signals under two sets "+
			"with one number N of regions, the masks mask:N and the padded translations shift:N:T: run both, or open "+
			"D-Score")
	neverDefined = result.Because(Undefined, "in every repetition the scores or the true accuracies are all equal")
	fewModels    = result.Because(FewModels, "fewer than 2 models")
	noScores     = result.Because(Undefined, "no model has both numbers")
	repeated     = result.Because(Repeated, "means over repetitions have no p-value")
	// BeingAsked is the reason of a ranker that has not answered yet, for who shows a leaderboard
	// before it is complete.
	BeingAsked = result.Because(beingAskedCode, "it is being asked…")
)

// refusal is an error that concerns one ranker.
type refusal struct{ why result.Reason }

func (r refusal) Error() string { return r.why.Text }

// refuse is the reason as an error; format and values are those of fmt.Sprintf.
func refuse(code, format string, values ...any) error {
	return refusal{result.Because(code, format, values...)}
}

// Why is the reason why a ranker could not answer or data cannot be ranked, from an error of this
// package; the code of any other error is Unreadable.
func Why(err error) result.Reason {
	var r refusal
	if errors.As(err, &r) {
		return result.Reason{Code: r.why.Code, Text: err.Error()}
	}
	return result.Reason{Code: Unreadable, Text: err.Error()}
}

// because says why true accuracies, which are the first variable, and scores have no correlation.
func because(c stats.Correlation) result.Reason {
	switch c.Reason {
	case "":
		return result.Reason{}
	case stats.FirstFixed:
		return result.Because(AccuracyFixed, "all models have the same true accuracy")
	case stats.SecondFixed:
		return result.Because(ScoreFixed, "all models have the same score")
	case fewModels.Text:
		return fewModels
	case repeated.Text:
		return repeated
	}
	return result.Reason{Code: Undefined, Text: c.Reason}
}

// LeftOut is a model, or a whole suite, that takes no part: a row of LeftOuts.
type LeftOut struct {
	ID, Hash         string // of the model; both "" for the suite
	Suite, SuiteHash string
	Reason           result.Reason
}

// String is the line about it: "s23: it has no predictions on this suite yet: run it first".
func (l LeftOut) String() string {
	if l.ID == "" {
		return fmt.Sprintf("%s: %s", l.Suite, l.Reason)
	}
	return fmt.Sprintf("%s: %s", l.ID, l.Reason)
}
