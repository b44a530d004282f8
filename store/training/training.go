// Package training gathers what assessors learn from: the features and scores of a workspace's
// models, or of exported files, with the labels of a round, a file or a column of the training
// records.
package training

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
)

// Ask says which models are measured, on what and how.
type Ask struct {
	Suite  string // content hash
	Family string // canonical text
	// Selection is the hash of a selection of testing scenes, for a layout of interpolated
	// matrices; suite and family are then the selection's own, and these fields are not read;
	// images are targets.
	Selection string
	Models    []string // hashes; nil for all of the workspace
	Layout    feature.Layout
	Images    variance.Images // variance.AllImages() for all
	// Workers is how many models are measured, and have their signals in memory, at a time; 0 for
	// one per processor. The results are the same for any number.
	Workers int
}

// Measured are the features and scores of one model.
type Measured struct {
	Model    model.Model
	Vector   feature.Vector
	Scores   assess.Scores
	Accuracy float64 // under the identity, NaN without labels
	Chance   chance.Level
	Device   string // the kind that has computed the signals, empty for the processor
	// Selection is the hash of the selection of testing scenes whose interpolated matrices were
	// measured; "" for variance matrices. Labels of a round about another one are refused.
	Selection string
}

// LeftOut is a model that takes no part, with the reason.
type LeftOut = assess.LeftOut

// Borderline says what becomes of borderline labels.
type Borderline string

// The choices: three classes; left out; counted as invariant; counted as variant.
const (
	Keep        Borderline = "keep"
	Leave       Borderline = "leave"
	AsInvariant Borderline = "invariant"
	AsVariant   Borderline = "variant"
)

// Labels say where labels come from: exactly one of Round (id), File (labels_long.csv or
// labels_wide.csv) and Column (of the training records, such as rule_label; its values are the
// three words, or 0 and 1) is given; none gives unlabelled rows.
type Labels struct {
	Round, File, Column string
	// Ties count as borderline (three classes); with interpolated matrices they always do
	// (spec/background.md section 12).
	Ties       bool
	Borderline Borderline // "" for Leave, with interpolated matrices for Keep
	// Researcher lets the labels of a round be read that is blind and still open. The window never
	// sets it: an assessor trained on such labels, or its doubts about them, would tell an
	// annotator what the others said.
	Researcher bool
	// Holdout marks the models whose record has this value in this column as held out:
	// fold=holdout. Empty for none.
	HoldoutColumn, HoldoutValue string
	Group                       string // column of leave-one-group-out
}
