package invariance

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
)

var nan = math.NaN()

// Measured is one model on one suite under one family or set: a row of Results.
type Measured struct {
	Model              model.Model
	Suite, SuiteName   string // content hash and name
	Change             string // suite.Derived's, of a suite made from another one; "" for any other
	Family, FamilyName string // canonical text, and the text for people
	Key                string // of the set of signals
	Device             string // the kind that has computed them, empty for the processor
	Result
}

// ID names the row, also after another measuring.
func (m Measured) ID() string { return m.Model.Hash + "/" + m.Suite + "/" + m.Family }

// Step is one transformation of what was measured: a row of Transformations.
type Step struct {
	Of *Measured
	Row
}

// Steps are the transformations of all rows, in order. With mean the first of each row, with
// the number -1 and the name "all", has the means over its transformations.
func Steps(rows []Measured, mean bool) []Step {
	var list []Step
	for k := range rows {
		m := &rows[k]
		if mean {
			all := Row{-1, "all", nan, m.Mean, m.Accuracy - m.Drop, m.Drop}
			list = append(list, Step{m, all})
		}
		for _, row := range m.Rows {
			list = append(list, Step{m, row})
		}
	}
	return list
}

// ImageValue is one image under one transformation: a row of Images.
type ImageValue struct {
	Of                    *Measured
	Image, Transformation int
	Values
}

// LeftOut is a model on a suite under a family that was not measured: a row of LeftOuts.
type LeftOut struct {
	ID, Hash           string // of the model; the ID is "" where the workspace does not have it
	Suite, SuiteName   string // content hash and name
	Family, FamilyName string
	// Reason has the code of a reason of signals (signal.NoSignals, ...) or of this package.
	Reason result.Reason
}

// The codes of why there is no result or no value.
const (
	NotApplicable = "not_applicable" // the family does not suit the model or holds the images as they are
	NoLabels      = "no_labels"      // the suite has no labels
	NoSoftmax     = "no_softmax"     // whole softmax vectors are not kept
	FewPoints     = "few_points"     // of a study
	FewLabelled   = "few_labelled"   // suites of a prediction
	ScoreFixed    = "score_fixed"    // all points have the same score
	AccuracyFixed = "accuracy_fixed" // all points have the same accuracy
	Undefined     = "undefined"      // for another reason, which the sentence says
)

// OneChannel is why gray says nothing of a model of one channel.
var OneChannel = result.Because(NotApplicable, "one channel: grayscale changes nothing")

// Lack is what models have not been measured on for one reason: a row of Lacks.
type Lack struct {
	LeftOut     // of the first model
	IDs, Hashes []string
}

// Lacking joins the models that lack the same suite and family for the same reason, in the order
// in which they are met.
func Lacking(left []LeftOut) []Lack {
	var list []Lack
	at := map[[3]string]int{}
	for _, l := range left {
		key := [3]string{l.Suite, l.Family, l.Reason.Text}
		if _, found := at[key]; !found {
			at[key] = len(list)
			list = append(list, Lack{LeftOut: l})
		}
		lack := &list[at[key]]
		lack.IDs, lack.Hashes = append(lack.IDs, l.ID), append(lack.Hashes, l.Hash)
	}
	return list
}

// Runnable tells whether a run of the models on the suite under the family ends the lack.
func (l Lack) Runnable() bool { return l.Suite != "" && signal.EndsByRun(l.Reason.Code) }

// String is the lack in a line.
func (l Lack) String() string {
	return fmt.Sprintf("%s on %s, %s: %s", result.Some(l.IDs), l.SuiteName, l.FamilyName, l.Reason)
}

// because says why a study has no correlation or line: stats knows of two variables, which are the
// score and the accuracy of points here.
func because(reason string) result.Reason {
	switch reason {
	case "":
		return result.Reason{}
	case stats.FewPairs:
		return result.Because(FewPoints, "fewer than %d points", fewestPoints)
	case stats.FirstFixed, stats.XFixed:
		return result.Because(ScoreFixed, "the score is the same for all")
	case stats.SecondFixed:
		return result.Because(AccuracyFixed, "the accuracy is the same for all")
	}
	return result.Reason{Code: Undefined, Text: reason}
}

// Points of a study: one per row, with the score, the accuracy and, as group, the value of a
// column of the training records ("" for none). In a study over suites the suite is the point and
// its corruption the group, "" for a suite that is not corrupted.
func Points(rows []Measured, score Score, column string, overSuites bool) []Point {
	points := make([]Point, len(rows))
	for k, m := range rows {
		p := Point{Score: score.Of(m.Result), Accuracy: m.Accuracy, Chance: m.Chance.Level()}
		if overSuites {
			kind, _ := derive.Kind(m.Change)
			p.ID, p.Hash, p.Group = m.SuiteName, m.Suite, corrupt.Title(kind)
		} else {
			p.ID, p.Hash = m.Model.ID, m.Model.Hash
			if column != "" {
				p.Group = m.Model.Value(column)
			}
		}
		points[k] = p
	}
	return points
}

// FewestImages is the smallest number of labelled images of what was measured, which accuracies
// are clipped by (StudyOptions.Images); 0 where no suite has labels.
func FewestImages(rows []Measured) int {
	fewest := 0
	for _, m := range rows {
		if m.Labelled > 0 && (fewest == 0 || m.Labelled < fewest) {
			fewest = m.Labelled
		}
	}
	return fewest
}
