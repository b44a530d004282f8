// Package diagnosis gathers D-Scores of a workspace's models: it finds the sets of signals of masks and of padded translations,
// and computes scores, intervals, single images and layers from them (spec/dscore.md). What is computed once is kept.
package diagnosis

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Grid is one setting of a D-Score.
type Grid struct {
	N, T int
	// Mask is the canonical text of the masks, transform.Mask: which layers, and whether behind batch-norm.
	Mask string
	// Shift is the canonical text of the padded translation, transform.Shift.
	Shift string
}

// Ask says what is wanted: models x suites x grids.
type Ask struct {
	Models    []string // hashes; nil for all
	Suites    []string // content hashes; nil for all
	Grids     []Grid   // nil for all for which some model has both sets
	Bootstrap dscore.BootstrapOptions
	Workers   int // 0 for one per processor; the results are the same for any number
}

// Diagnosis is one model on one suite with one grid.
type Diagnosis struct {
	Model     model.Model
	Suite     string // content hash
	SuiteName string
	Grid
	Images     int // with a label
	Accuracies dscore.Accuracies
	Score      dscore.Score
	Intervals  dscore.Intervals
	// MaskKey and ShiftKey name the sets of signals.
	MaskKey, ShiftKey string
}

// LeftOut is a combination without a score, with the reason in words.
type LeftOut struct {
	ID, Hash, Suite string
	Grid            Grid
	Reason          string
}

// Diagnose computes, or reads what is kept, in the order models, suites, grids. progress (may be nil) counts combinations.
// Combinations without signals, without labels, or with damaged signals are left out with the reason. Errors are what concerns
// all.
func Diagnose(ctx context.Context, ws *store.Workspace, ask Ask, progress engine.Progress) ([]Diagnosis, []LeftOut, error) {
	panic("not built yet")
}

// Available are the grids for which some model has both sets on the suite (content hash; "" for any), by n, then t, then masks
// of all layers first.
func Available(ws *store.Workspace, suite string) ([]Grid, error) { panic("not built yet") }

// Layers are, for one model, suite and n, the accuracies with the regions of one layer alone deleted: one entry per layer (its
// number counts Conv nodes from 1) that has a set of signals for masks of it alone.
func Layers(ctx context.Context, ws *store.Workspace, m model.Model, suite string, n int) ([]Layer, error) {
	panic("not built yet")
}

// Layer is what deleting regions of one layer alone costs.
type Layer struct {
	Number   int // of the Conv node, from 1
	Tensor   string
	Original float64
	Variants []float64 // accuracy per region
	// Loss is the interval of original - variant per region; a region whose interval lies below the tolerance is one that
	// nothing is lost with.
	Loss []dscore.Interval
}

// Image is what a diagnosis says of one image: the scores of its true class (of the model's prediction without a label)
// untouched, per masked region and per shift, the predictions, and the distributions made of the scores (dscore.Single).
type Image struct {
	Index               int
	Class               int // whose scores these are, in the model's numbering
	Original            float64
	Variants, Shifted   []float64
	Predicted           int
	PredictedVariants   []int
	PredictedShifted    []int
	Features, Attention []float64
}

// OneImage reads what is needed for one image of a diagnosis.
func OneImage(ctx context.Context, ws *store.Workspace, d Diagnosis, index int) (Image, error) {
	panic("not built yet")
}

// Average is the mean of a suite's images, streamed, each fitted to the size of the first (suite.Fit). At most limit images,
// evenly spread, are read; 0 for all. It is kept.
func Average(ctx context.Context, ws *store.Workspace, suiteHash string, limit int, progress engine.Progress) (suite.Image, error) {
	panic("not built yet")
}
