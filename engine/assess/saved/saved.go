// Package saved keeps an assessor in one file: what it learned from, how well it did, and the
// assessor itself, with a hash over all of it. The form is JSON; the ending is .vassessor.
package saved

import (
	"math"
	"slices"
	"time"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
)

// Extension is the ending of assessor files.
const Extension = ".vassessor"

// Suite names the images that an assessor was trained on.
type Suite struct {
	Name   string `json:"name"`
	Hash   string `json:"hash"`
	Images int    `json:"images"`
}

// Labels say where the training labels come from.
type Labels struct {
	Source     string         `json:"source"` // "round NAME", "column rule_label", "file labels_wide.csv"
	Round      string         `json:"round,omitempty"`
	Borderline string         `json:"borderline,omitempty"` // what became of it for two classes
	Counts     map[string]int `json:"counts"`
}

// Example is a model that the assessor was trained on.
type Example struct {
	ID    string      `json:"id"`
	Hash  string      `json:"hash"`
	Label label.Value `json:"label"`
	// Features say how far other models lie from this one. Files of formats 1 and 2 have none.
	Features []float64 `json:"features,omitempty"`
}

// Result is how well the assessor's settings did in an evaluation.
type Result struct {
	Scheme           assess.Scheme `json:"scheme"`
	Tuned            bool          `json:"tuned"`
	Note             string        `json:"note,omitempty"`
	Models           int           `json:"models"`
	Accuracy         float64       `json:"accuracy"`
	LargestDeviation float64       `json:"largest_deviation"`
	SD               float64       `json:"sd"`
	Balanced         float64       `json:"balanced_accuracy"`
	F1               float64       `json:"f1"`
	AUC              *float64      `json:"auc"` // nil where undefined
	// Kappa is that of the verdicts of which Accuracy is, with the training labels: the mean over
	// the repetitions. Files of before have VoteKappa alone, of each model's most frequent verdict;
	// it is of other verdicts than Accuracy.
	Kappa     *float64 `json:"repeated_kappa,omitempty"`
	VoteKappa *float64 `json:"kappa"`
}

// NewResult is the result of an evaluation over a number of models.
func NewResult(e assess.Evaluation, models int) Result {
	return Result{
		Scheme: e.Scheme, Tuned: e.Tuned, Note: e.Note, Models: models, Accuracy: e.Accuracy,
		LargestDeviation: e.LargestDeviation, SD: orZero(known(e.SD)), Balanced: orZero(known(e.Metrics.Balanced)),
		F1: orZero(known(e.Metrics.F1)), AUC: known(e.Metrics.AUC), Kappa: known(e.Kappa.Mean),
	}
}

// known is a number, nil where it is undefined.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// File is a saved assessor.
type File struct {
	Name     string         `json:"name"`
	Created  time.Time      `json:"created"`
	Family   string         `json:"family"` // canonical text; scenes:HASH:N of interpolated matrices
	Images   string         `json:"images"` // choice of images, canonical text
	Suite    Suite          `json:"suite"`
	Layout   feature.Layout `json:"layout"`
	Labels   Labels         `json:"labels"`
	Training []Example      `json:"training"`
	// TrainingHash is SHA-256 over ids, features and labels of the training set; Encode fills in
	// none of it.
	TrainingHash string            `json:"training_hash"`
	Results      []Result          `json:"results"`
	Versions     map[string]string `json:"versions"` // variscope, go, onnxruntime
	Assessor     *assess.Assessor  `json:"assessor"`
}

// Learned tells whether the assessor learned from the model with these bytes: its verdict on such a
// model shows what it remembers, not how well it judges.
func (f File) Learned(hash string) bool {
	return hash != "" && slices.ContainsFunc(f.Training, func(e Example) bool { return e.Hash == hash })
}
