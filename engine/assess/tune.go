package assess

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// innerFolds is the stratified k-fold by which a training set chooses its settings.
const innerFolds = 3

// grid are the settings that tuning tries, the given ones first:
//   - tree: depth as given, 2, 3 or 5, smallest leaf as given, 3 or 5;
//   - forest: columns per node as given or a third of them, smallest leaf as given or 3;
//   - AdaBoost: rounds as given, 25 or 100, learning rate as given or 1/2;
//   - linear: rows of length 1 or z-scores;
//   - baseline: every score that all labelled models have.
func grid(s Settings, d Data) []Settings {
	list := []Settings{s}
	vary := func(values int, set func(s *Settings, k int)) {
		for _, s := range slices.Clone(list) {
			for k := range values {
				set(&s, k)
				if !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
		}
	}
	switch s.Algorithm {
	case DecisionTree:
		vary(3, func(s *Settings, k int) { s.MaxDepth = []int{2, 3, 5}[k] })
		vary(2, func(s *Settings, k int) { s.MinLeaf = []int{3, 5}[k] })
	case RandomForest:
		vary(1, func(s *Settings, _ int) { s.Columns = max(1, len(d.Names)/3) })
		vary(1, func(s *Settings, _ int) { s.MinLeaf = 3 })
	case AdaBoost:
		vary(2, func(s *Settings, k int) { s.Rounds = []int{25, 100}[k] })
		vary(1, func(s *Settings, _ int) { s.LearningRate = 0.5 })
	case Regression:
		vary(1, func(s *Settings, _ int) { s.ZScores = !s.ZScores })
	case Baseline:
		have := slices.DeleteFunc(scores(), func(s Score) bool {
			return slices.ContainsFunc(d.Labelled(), func(i int) bool { return math.IsNaN(s.Of(d.Rows[i].Scores)) })
		})
		vary(len(have), func(s *Settings, k int) { s.Score = have[k] })
	}
	return list
}

// choose returns the settings of the grid that judge the most rows of the training set rightly when
// they have not seen them; the first of several.
func (v evaluator) choose(ctx context.Context, fold Fold, r, f int) (Settings, error) {
	if len(fold.Train) < innerFolds {
		return Settings{}, fmt.Errorf("%d models are fewer than the %d inner folds; "+
			"label more models or train without tuning", len(fold.Train), innerFolds)
	}
	draw := rand.New(rand.NewPCG(derived(v.settings.Seed, r, f), innerFolds))
	inner := v.data.stratified(fold.Train, innerFolds, draw)
	if err := v.data.checkFolds(inner); err != nil {
		return Settings{}, err
	}
	best, most := v.settings, -1
	for _, candidate := range v.grid {
		right := 0
		for k, cut := range inner {
			verdicts, err := v.test(ctx, cut, candidate, derived(v.settings.Seed, r, f, k))
			if err != nil {
				return Settings{}, err
			}
			truths, err := v.data.truths(cut.Test)
			if err != nil {
				return Settings{}, err
			}
			right += rightOf(verdicts, truths)
		}
		if right > most {
			best, most = candidate, right
		}
	}
	return best, nil
}
