// Package exchange writes assessors as ONNX models, so that other programs can judge with them, and
// checks that such a model gives the same verdicts as the assessor.
//
// A model has one input, `features`, float64 [N, F] in the order of the metadata `features`. Its
// outputs are `label`, int64 [N], the position of the verdict in the metadata `classes`, and
// `scores`, float32: the classes' probabilities [N, K] of a tree, a forest or boosting, or the
// regression's value [N, 1]. Boosting has `decision` [N, K] beside them.
//
// Trees, forests and boosting are one ai.onnx.ml TreeEnsembleClassifier, version 3, whose
// thresholds and leaves are float64: it takes the same branches and adds the same numbers in the
// same order as engine/tree, so its verdicts are the same even at ties. The operator calls two
// classes by the sign of the second one's sum. A forest, which calls by the majority, therefore
// ends in one more tree of a single leaf, minus half the number of trees; the difference of two
// float64 has the right sign always, and the nodes behind the operator undo it in the scores. A
// regression is normalised in float64 and then a LinearRegressor, which knows float32 only, so a
// value very near to a threshold may fall on its other side.
package exchange

import (
	"encoding/json"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
)

// Names of the tensors of an exported model.
const (
	Input    = "features"
	Label    = "label"
	Scores   = "scores"
	Decision = "decision" // of boosting only
)

// Versions that the models ask for: IR 8, the standard operators of opset 17, ai.onnx.ml 3 (tensors
// of float64 as attributes).
const (
	irVersion     = 8
	opset         = 17
	learningOpset = 3
)

// Export writes a saved assessor as an ONNX model; equal files give equal bytes. Metadata: name,
// algorithm, family, features and classes (JSON lists), assessor_sha256 (File.Hash). The baseline
// has no features to read and cannot be exported.
func Export(f saved.File) ([]byte, error) {
	a := f.Assessor
	var g graph
	switch {
	case a == nil:
		return nil, fmt.Errorf("assessor %s is empty and cannot be exported", f.Name)
	case a.Tree != nil:
		g.shares(newEnsemble(len(a.Classes)).trees(a.Tree), 1)
	case a.Forest != nil:
		g.shares(newEnsemble(len(a.Classes)).trees(a.Forest.Trees...), len(a.Forest.Trees))
	case a.Boost != nil:
		g.boost(a.Boost, len(a.Classes))
	case a.Linear != nil:
		g.linear(a.Linear, len(a.Classes))
	default:
		return nil,
			fmt.Errorf("assessor %s is the %s, which judges by how many predictions are right and not by features; "+
				"it cannot be exported as ONNX, choose another algorithm", f.Name, a.Settings.Algorithm)
	}
	metadata, err := metadataOf(f)
	if err != nil {
		return nil, err
	}
	m := message{}.num(1, irVersion).text(2, "variscope").text(3, f.Versions["variscope"]).
		text(6,
			"Judges a model by the features of its variance matrices; labels are positions in the metadata `classes`.").
		sub(7, g.message(len(a.Names))).
		sub(8, message{}.text(1, standard).num(2, opset)).
		sub(8, message{}.text(1, learning).num(2, learningOpset))
	for _, entry := range metadata {
		m = m.sub(14, message{}.text(1, entry[0]).text(2, entry[1]))
	}
	return m, nil
}

// metadataOf are pairs of key and value in a fixed order.
func metadataOf(f saved.File) ([][2]string, error) {
	names, err := json.Marshal(f.Assessor.Names)
	if err != nil {
		return nil, fmt.Errorf("export assessor %s: %w", f.Name, err)
	}
	classes, err := json.Marshal(f.Assessor.Classes)
	if err != nil {
		return nil, fmt.Errorf("export assessor %s: %w", f.Name, err)
	}
	hash, err := f.Hash()
	if err != nil {
		return nil, err
	}
	return [][2]string{
		{"name", f.Name},
		{"algorithm", string(f.Assessor.Settings.Algorithm)},
		{"family", f.Family},
		{"images", f.Images},
		{"features", string(names)},
		{"classes", string(classes)},
		{"assessor_sha256", hash},
	}, nil
}

// scoresOf are what the output `scores` holds for a verdict.
func scoresOf(a *assess.Assessor, v assess.Verdict) []float64 {
	if a.Linear != nil {
		return []float64{v.Score}
	}
	return v.Probability
}
