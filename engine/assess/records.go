package assess

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

var nan = math.NaN()

// Title is what people call the algorithm. The baseline is called after its score: robust accuracy,
// with testing scenes worst-case accuracy (which is the same, over composites).
func (a Algorithm) Title(scenes bool) string {
	switch a {
	case DecisionTree:
		return "decision tree"
	case RandomForest:
		return "random forest"
	case AdaBoost:
		return "AdaBoost"
	case Regression:
		return "linear regression"
	case Baseline:
		if scenes {
			return "worst-case accuracy"
		}
		return "robust accuracy"
	}
	return string(a)
}

// Title is what people call the score; "" stands for the first one that the data have.
func (s Score) Title(scenes bool) string {
	names := map[Score][2]string{
		CorrectProduct:     {"robust accuracy (correct, product)", "worst-case accuracy (all images right)"},
		CorrectMean:        {"correct, mean", "mean accuracy of targets and composites"},
		ConsistencyProduct: {"consistent, product (Eq. 1)", "no prediction changes"},
		ConsistencyMean:    {"consistent, mean", "predictions that do not change"},
		"":                 {"as the data allow", "as the data allow"},
	}
	if scenes {
		return names[s][1]
	}
	return names[s][0]
}

// Title is what people call the scheme.
func (k SchemeKind) Title() string {
	switch k {
	case KFold:
		return "stratified k-fold"
	case LeaveGroupOut:
		return "leave one group out"
	}
	return "hold-out and two halves [1]"
}

// Compared is an algorithm in a comparison: a row of Comparison.
type Compared struct {
	Settings   Settings
	Evaluation Evaluation
	Problem    error       // why there is no evaluation
	Data       *Data       // that was evaluated
	Whole      *Evaluation // where Evaluation is over parts of the images: that over all of them; nil otherwise
	Assessor   *Assessor   // that learned from all labelled models, nil where none was trained
}

// Title is what people call the algorithm.
func (c Compared) Title() string {
	return c.Settings.Algorithm.Title(c.Data != nil && c.Data.Layout.OfBackground())
}

// why says why there is no evaluation.
func (c Compared) why() result.Reason {
	if c.Problem == nil {
		return result.Reason{}
	}
	return result.Because(NotTrained, "%s", c.Problem)
}

// Repetition is one repetition of an evaluation: a row of Repetitions.
type Repetition struct {
	Of *Compared
	R  int // from 0
}

// FoldOf is one fold of a repetition: a row of Folds.
type FoldOf struct {
	Repetition
	FoldResult
}

// PredictionOf is a verdict on a model that the assessor had not seen: a row of Predictions.
type PredictionOf struct {
	Of *Compared
	K  int // among the evaluation's predictions
	Prediction
}

// CurvePoint is a point of a curve of an evaluation: a row of Curves.
type CurvePoint struct {
	Of        *Compared
	Curve     string // "roc", "pr" or "calibration"
	K         int
	X, Y      float64
	Threshold float64 // NaN in a calibration
	N         int     // verdicts in the bin of a calibration, -1 elsewhere
}

// ConfusionCell counts the verdicts on models of a label: a row of Confusions.
type ConfusionCell struct {
	Of             *Compared
	Label, Verdict label.Value
	N              int
}

// RatersKappa is Cohen's kappa of two raters: a row of Kappas.
type RatersKappa struct {
	Of   *Compared // whose verdicts are A's; nil for two annotators
	A, B string
	agreement.Estimate
}

// Doubted is a model in one of the lists of doubts: a row of DoubtedLabels or LeastSureModels.
type Doubted struct {
	Of       *Compared // nil outside of a comparison
	ID, Hash string
	// Label is "" where there is none.
	Label, Verdict label.Value
	// Own is the probability of the own label, Margin that between the two likeliest classes; NaN
	// in the list that does not go by it.
	Own, Margin float64
}

// String says why the model is in the list.
func (d Doubted) String() string {
	if math.IsNaN(d.Own) {
		return fmt.Sprintf("%s is judged %s; %s is between this and the next class", d.ID, d.Verdict,
			result.Number.Say(d.Margin, 0))
	}
	return fmt.Sprintf("%s is labelled %s; unseen, the assessor says %s and gives the label %s", d.ID, d.Label,
		d.Verdict, result.Share.Say(d.Own, 0))
}

// made are those that could be evaluated, in order.
func made(list []Compared) []*Compared {
	var found []*Compared
	for k := range list {
		if list[k].Problem == nil {
			found = append(found, &list[k])
		}
	}
	return found
}

// RepetitionsOf are the repetitions of all evaluations.
func RepetitionsOf(list []Compared) (all []Repetition) {
	for _, c := range made(list) {
		for r := range c.Evaluation.Repetitions {
			all = append(all, Repetition{c, r})
		}
	}
	return all
}

// FoldsOf are the folds of all evaluations.
func FoldsOf(list []Compared) (all []FoldOf) {
	for _, r := range RepetitionsOf(list) {
		for _, f := range r.Of.Evaluation.Folds[r.R] {
			all = append(all, FoldOf{r, f})
		}
	}
	return all
}

// PredictionsOf are the verdicts of all evaluations.
func PredictionsOf(list []Compared) (all []PredictionOf) {
	for _, c := range made(list) {
		for k, p := range c.Evaluation.Predictions {
			all = append(all, PredictionOf{c, k, p})
		}
	}
	return all
}

// CurvesOf are the ROC and precision-recall curves and the calibrations of all evaluations.
func CurvesOf(list []Compared) (all []CurvePoint) {
	for _, c := range made(list) {
		m := c.Evaluation.Metrics
		add := func(curve string, points []Point) {
			for k, p := range points {
				all = append(all, CurvePoint{c, curve, k, p.X, p.Y, p.Threshold, -1})
			}
		}
		add("roc", m.ROC)
		add("pr", m.PR)
		for k, b := range m.Calibration {
			all = append(all, CurvePoint{c, "calibration", k, b.Predicted, b.Observed, nan, b.N})
		}
	}
	return all
}

// ConfusionsOf are the confusion matrices of all evaluations.
func ConfusionsOf(list []Compared) (all []ConfusionCell) {
	for _, c := range made(list) {
		for truth, row := range c.Evaluation.Metrics.Confusion {
			for verdict, n := range row {
				all = append(all, ConfusionCell{c, c.Data.Classes[truth], c.Data.Classes[verdict], n})
			}
		}
	}
	return all
}

// DoubtsOf are the labels that the assessors doubt (Doubts), assessor by assessor.
func DoubtsOf(list []Compared) (all []Doubted) {
	for _, c := range made(list) {
		for _, d := range Doubts(*c.Data, c.Evaluation) {
			r := c.Data.Rows[d.Row]
			all = append(all, Doubted{c, r.ID, r.Hash, d.Label, d.Verdict, d.Own, nan})
		}
	}
	return all
}

// DoubtLines say, assessor by assessor, how many labels each doubts, and of which models.
func DoubtLines(list []Doubted) (lines []string) {
	var ids []string
	for k, d := range list {
		ids = append(ids, fmt.Sprintf("%s (%s)", d.ID, d.Label))
		if k+1 == len(list) || list[k+1].Of != d.Of {
			lines = append(lines,
				fmt.Sprintf("%s doubts %s: %s", d.Of.Title(), result.Counted(len(ids), "label"), result.Some(ids)))
			ids = nil
		}
	}
	return lines
}

// UnsureOf are the models of a list of LeastSure, in its order.
func UnsureOf(d Data, list []Unsure) []Doubted {
	all := make([]Doubted, len(list))
	for k, u := range list {
		r := d.Rows[u.Row]
		all[k] = Doubted{nil, r.ID, r.Hash, r.Label, u.Verdict.Label, nan, u.Margin}
	}
	return all
}

// KappasOf are the kappas of the annotators among themselves and with their majority, and then
// those of each assessor's most frequent verdicts with the majority and with each annotator.
// Without annotators the reference is the training label.
func KappasOf(list []Compared, o agreement.Options) (all []RatersKappa) {
	for k, c := range made(list) {
		t := Join(*c.Data, c.Evaluation.Votes(*c.Data), string(c.Settings.Algorithm), o)
		if k == 0 {
			for _, p := range t.Humans.Cohen {
				all = append(all, RatersKappa{nil, p.Raters[0], p.Raters[1], p.Kappa})
			}
			for _, m := range t.Humans.VsMajority {
				all = append(all, RatersKappa{nil, m.Rater, t.Reference, m.Kappa})
			}
		}
		own := t.Assessor()
		for _, m := range t.Report.VsMajority {
			if m.Index == own {
				all = append(all, RatersKappa{c, m.Rater, t.Reference, m.Kappa})
			}
		}
		for _, p := range t.Report.Cohen {
			if p.Raters[1] == t.Report.Raters[own] {
				all = append(all, RatersKappa{c, p.Raters[1], p.Raters[0], p.Kappa})
			}
		}
	}
	return all
}

// Judgement is what an assessor says of a model, beside what people say: a row of Verdicts.
type Judgement struct {
	Row      int // of the data
	ID, Hash string
	Classes  []label.Value
	Verdict  Verdict // of which Label is "" where there is none
	Why      result.Reason
	// the most frequent verdict of assessors that had not seen the model; "" where it was not
	// tested
	Unseen  label.Value
	Label   label.Value // "" without
	NoLabel result.Reason
	Raters  []string
	Ratings []label.Value // in the order of Raters, "" for none
	// Differs names who says otherwise than the assessor: "label", and annotators.
	Differs []string
	// Learned is the size of the training set where the model is in it, else 0.
	Learned  int
	Distance Distance // from the training set
	// Resampled is what the assessor says of resamples of the model's images.
	Resampled Resampled
}

// Judgements asks an assessor for its verdicts on rows of d, in their order. votes, which may be
// nil, are the verdicts of an evaluation by row of d (Evaluation.Votes): people are compared with
// these where there are some. from is what the assessor learned from.
func Judgements(a *Assessor, d Data, rows []int, votes []label.Value, from Training) []Judgement {
	list := make([]Judgement, len(rows))
	for k, i := range rows {
		r := d.Rows[i]
		j := Judgement{
			Row: i, ID: r.ID, Hash: r.Hash, Classes: a.Classes, Label: r.Label, NoLabel: r.NoLabel, Raters: d.Raters,
			Ratings: r.Ratings,
		}
		if from.Learned(i) {
			j.Learned = from.Models
		}
		if j.Distance = from.Seen.Distance(r); a.Threshold != nil {
			j.Distance = Distance{
				Why:   result.Because(NoFeatures, "the baseline looks at no features"),
				Value: nan, Limit: nan, Share: nan,
			}
		}
		var err error
		if j.Verdict, err = a.Judge(r); err != nil {
			j.Verdict, j.Why = Verdict{Score: nan}, result.Because(NotJudged, "%s", err)
		}
		if i < len(votes) {
			j.Unseen = votes[i]
		}
		j.Differs = j.differing(cmp.Or(j.Unseen, j.Verdict.Label))
		list[k] = j
	}
	return list
}

// AllJudged is an error that names the first model that the assessor cannot judge, nil without one.
func AllJudged(list []Judgement) error {
	for _, j := range list {
		if !j.Why.None() {
			return fmt.Errorf("model %s: %s", j.ID, j.Why)
		}
	}
	return nil
}

// differing names who says otherwise.
func (j Judgement) differing(says label.Value) (names []string) {
	if says == "" {
		return nil
	}
	if j.Label != "" && j.Label != says {
		names = append(names, "label")
	}
	for k, value := range j.Ratings {
		if value != "" && value != says && k < len(j.Raters) {
			names = append(names, j.Raters[k])
		}
	}
	return names
}

// String is all that is said of the model, in a line.
func (j Judgement) String() string {
	if !j.Why.None() {
		return j.ID + ": " + j.Why.Text
	}
	text := fmt.Sprintf("%s: judged %s", j.ID, j.Verdict.Label)
	if v := j.Verdict.Variant(); !math.IsNaN(v) {
		text += fmt.Sprintf(", %s variant", result.Share.Say(v, 0))
	}
	if again := j.Again(); again != "" {
		text += "; " + again
	}
	if j.Learned > 0 {
		text += fmt.Sprintf("; it is among the %d models that the assessor learned from", j.Learned)
	}
	if outside := j.Distance.String(); outside != "" {
		text += "; it lies " + outside
	}
	if j.Unseen != "" {
		text += fmt.Sprintf("; unseen: %s", j.Unseen)
	}
	if j.Label == "" && !j.NoLabel.None() {
		text += "; no label: " + j.NoLabel.Text
	}
	if len(j.Differs) > 0 {
		text += "; differs: " + strings.Join(j.Differs, ", ")
	}
	return text
}
