package assess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/tree"
)

// Train trains on the given rows of d, all of which have a label. Errors: fewer than two classes
// among them ("all labels are invariant"), what Data.Validate finds in these rows, and the
// algorithm's own. An assessor by AdaBoost takes MaxDepth as the depth of its trees.
func Train(ctx context.Context, d Data, rows []int, s Settings) (*Assessor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	y, err := d.trainable(rows)
	if err != nil {
		return nil, err
	}
	if s.Algorithm != Baseline && len(d.Names) == 0 {
		return nil, fmt.Errorf("the models have no features to train %s on; choose at least one matrix", s.Algorithm)
	}
	if s.Columns > len(d.Names) {
		return nil, fmt.Errorf("%d columns per node are more than the %d features there are", s.Columns, len(d.Names))
	}
	a := &Assessor{Settings: s, Names: slices.Clone(d.Names), Classes: slices.Clone(d.Classes)}
	a.Settings.Workers = 0 // no part of what was learned
	if err := a.learn(ctx, d, rows, y, s); err != nil {
		return nil, fmt.Errorf("train %s: %w", s.Algorithm, err)
	}
	return a, nil
}

// trainable checks the rows of a training set and returns their classes.
func (d Data) trainable(rows []int) ([]int, error) {
	if err := d.checkHead(); err != nil {
		return nil, err
	}
	y, err := d.truths(rows)
	if err != nil {
		return nil, err
	}
	for _, i := range rows {
		if err := d.checkRow(i); err != nil {
			return nil, err
		}
	}
	return y, d.checkSeveral(y)
}

// ErrUnlabelled is wrapped by errors about training data without any label.
var ErrUnlabelled = errors.New("there are no labelled models to train on")

// checkSeveral refuses training labels of one class only.
func (d Data) checkSeveral(y []int) error {
	if len(y) == 0 {
		return fmt.Errorf("%w; label some as %s and some as %s", ErrUnlabelled, d.Classes[0],
			d.Classes[len(d.Classes)-1])
	}
	if slices.Min(y) == slices.Max(y) {
		return fmt.Errorf("all labels are %s; training needs models of two classes at least", d.Classes[y[0]])
	}
	return nil
}

func (a *Assessor) learn(ctx context.Context, d Data, rows, y []int, s Settings) (err error) {
	sample := tree.Sample{X: make([][]float64, len(rows)), Y: y, Classes: len(d.Classes)}
	for k, i := range rows {
		sample.X[k] = d.Rows[i].X
	}
	bounds := tree.Options{MaxDepth: s.MaxDepth, MinLeaf: s.MinLeaf}
	switch s.Algorithm {
	case DecisionTree:
		a.Tree, err = tree.Grow(sample, nil, bounds)
	case RandomForest:
		a.Forest, err = tree.GrowForest(ctx, sample, tree.ForestOptions{
			Options: bounds, Trees: s.Trees, Columns: s.Columns, Seed: s.Seed, Workers: s.Workers,
		})
	case AdaBoost:
		a.Boost, err = tree.GrowBoost(sample, tree.BoostOptions{
			Algorithm: s.Boosting, Rounds: s.Rounds, LearningRate: s.LearningRate, Depth: s.MaxDepth,
		})
	case Regression:
		a.Linear, err = fitLinear(sample.X, positions(y, len(d.Classes)), s.ZScores)
	case Baseline:
		a.Threshold, err = d.fitBaseline(rows, y, s.Score)
	}
	return err
}

// positions are the classes as numbers 0..1.
func positions(y []int, classes int) []float64 {
	list := make([]float64, len(y))
	for k, class := range y {
		list[k] = float64(class) / float64(classes-1)
	}
	return list
}

func (d Data) fitBaseline(rows, y []int, score Score) (*Threshold, error) {
	score = d.score(rows, score)
	values := make([]float64, len(rows))
	for k, i := range rows {
		v, err := d.Rows[i].score(score)
		if err != nil {
			return nil, err
		}
		values[k] = v
	}
	return &Threshold{Score: score, Thresholds: fitThreshold(values, y, len(d.Classes))}, nil
}

// score is the one that the baseline reads: the given one, else correct_product, or
// consistency_product where one of the rows has no correct_product.
func (d Data) score(rows []int, given Score) Score {
	if given != "" {
		return given
	}
	for _, i := range rows {
		if math.IsNaN(d.Rows[i].Scores.CorrectProduct) {
			return ConsistencyProduct
		}
	}
	return CorrectProduct
}

// score reads one of the row's scores.
func (r Row) score(s Score) (float64, error) {
	v := s.Of(r.Scores)
	if math.IsNaN(v) {
		return 0, fmt.Errorf("model %s has no %s; run its test, with labels of the images for a correct score", r.ID, s)
	}
	return v, nil
}
