package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/progress"
)

// Prediction is a verdict on a test model.
type Prediction struct {
	Repetition, Fold, Row int
	Truth                 int // class
	Verdict
}

// FoldResult is what came out of one fold.
type FoldResult struct {
	Name     string
	Tests    int
	Trained  int // models that were learned from
	Accuracy float64
	// Chosen are the settings that nested cross-validation chose, the given ones without tuning.
	Chosen Settings
}

// Evaluation is what a scheme gave for one algorithm.
type Evaluation struct {
	Settings Settings // as given; the baseline's score is filled in
	Scheme   Scheme   // with its defaults filled in
	Tuned    bool
	Note     string
	Folds    [][]FoldResult // by repetition
	// Repetitions are the plain means of the folds' accuracies; Accuracy is their mean,
	// LargestDeviation what Table IV prints behind the plus-minus sign (the largest deviation of a
	// repetition), SD their deviation with divisor n-1, 0 for one repetition.
	Repetitions                    []float64
	Accuracy, LargestDeviation, SD float64
	// Kappa is Cohen's, nominal, of the same verdicts with the labels: of a repetition it is that
	// of the verdicts of all its folds together, since a fold alone has few models.
	Kappa       Repeated
	Predictions []Prediction // by repetition, fold and row
	Metrics     Metrics      // of all predictions together
}

// Evaluate runs a scheme. With tune, every training set chooses its settings by an inner stratified
// 3-fold over a small grid around them (nested cross-validation). Seeds of learners derive from
// Settings.Seed, repetition and fold, so results are the same for any number of workers. Progress
// counts trained assessors. Errors: settings, data or a scheme that cannot be, those of Data.Folds,
// those of Train and Assessor.Judge with the fold's name and the repetition, and ctx's.
func Evaluate(
	ctx context.Context, d Data, s Settings, scheme Scheme, tune bool, p progress.Progress,
) (Evaluation, error) {
	if err := s.Validate(); err != nil {
		return Evaluation{}, err
	}
	if err := d.checkHead(); err != nil {
		return Evaluation{}, err
	}
	scheme, err := scheme.filled()
	if err != nil {
		return Evaluation{}, err
	}
	folds, note, err := d.Folds(scheme)
	if err != nil {
		return Evaluation{}, fmt.Errorf("evaluate %s: %w", s.Algorithm, err)
	}
	if s.Algorithm == Baseline {
		s.Score = d.score(d.Labelled(), s.Score)
	}
	v := evaluator{data: d, settings: s, folds: folds, progress: progress.Or(p)}
	if tune {
		v.grid = grid(s, d)
	}
	v.progress.SetTotal(v.total())
	e := Evaluation{Settings: s, Scheme: scheme, Tuned: tune, Note: note}
	if err := e.run(ctx, folds, v.fold); err != nil {
		return Evaluation{}, err
	}
	e.summarise(len(d.Classes))
	return e, nil
}

// evaluator trains and tests the folds of an evaluation. grid is nil without tuning.
type evaluator struct {
	data     Data
	settings Settings
	folds    [][]Fold
	grid     []Settings
	progress progress.Progress // counts trained assessors
}

// total is the number of assessors that will be trained.
func (v evaluator) total() int64 {
	n := 0
	for _, folds := range v.folds {
		n += len(folds)
	}
	return int64(n) * int64(1+len(v.grid)*innerFolds)
}

// foldTest trains and tests fold f of repetition r.
type foldTest func(ctx context.Context, r, f int) (FoldResult, []Prediction, error)

// run tests all folds in goroutines, as many at a time as the evaluation's settings say, and puts
// what came out into e in the order of the folds.
func (e *Evaluation) run(ctx context.Context, repetitions [][]Fold, test foldTest) error {
	workers := e.Settings.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	predictions := make([][][]Prediction, len(repetitions))
	e.Folds = make([][]FoldResult, len(repetitions))
	for r, folds := range repetitions {
		results, found := make([]FoldResult, len(folds)), make([][]Prediction, len(folds))
		e.Folds[r], predictions[r] = results, found
		for f := range folds {
			group.Go(func() (err error) {
				if results[f], found[f], err = test(ctx, r, f); err != nil {
					return fmt.Errorf("%s, repetition %d: %w", folds[f].Name, r+1, err)
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	e.Predictions = slices.Concat(slices.Concat(predictions...)...)
	return nil
}

// fold trains on one fold and judges its test rows.
func (v evaluator) fold(ctx context.Context, r, f int) (FoldResult, []Prediction, error) {
	fold := v.folds[r][f]
	chosen := v.settings
	if v.grid != nil {
		var err error
		if chosen, err = v.choose(ctx, fold, r, f); err != nil {
			return FoldResult{}, nil, fmt.Errorf("tune: %w", err)
		}
	}
	verdicts, err := v.test(ctx, fold, chosen, derived(v.settings.Seed, r, f))
	if err != nil {
		return FoldResult{}, nil, err
	}
	truths, err := v.data.truths(fold.Test)
	if err != nil {
		return FoldResult{}, nil, err
	}
	list := make([]Prediction, len(fold.Test))
	for k, i := range fold.Test {
		list[k] = Prediction{Repetition: r, Fold: f, Row: i, Truth: truths[k], Verdict: verdicts[k]}
	}
	right := rightOf(verdicts, truths)
	return FoldResult{
		Name: fold.Name, Tests: len(list), Trained: len(fold.Train), Accuracy: share(right, len(list)), Chosen: chosen,
	}, list, nil
}

// test trains with these settings and judges the fold's test rows. The folds share the processors,
// so a forest has one.
func (v evaluator) test(ctx context.Context, fold Fold, s Settings, seed uint64) ([]Verdict, error) {
	s.Seed, s.Workers = seed, 1
	a, err := Train(ctx, v.data, fold.Train, s)
	if err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, len(fold.Test))
	for k, i := range fold.Test {
		if verdicts[k], err = a.Judge(v.data.Rows[i]); err != nil {
			return nil, err
		}
	}
	v.progress.Add(1)
	return verdicts, nil
}

func rightOf(verdicts []Verdict, truths []int) int {
	right := 0
	for k, v := range verdicts {
		if v.Class == truths[k] {
			right++
		}
	}
	return right
}

// derived is a seed of its own for every path of numbers below a seed.
func derived(seed uint64, path ...int) uint64 {
	for _, step := range path {
		seed = rand.NewPCG(seed, uint64(step)).Uint64()
	}
	return seed
}

func accuracies(folds [][]FoldResult) [][]float64 {
	list := make([][]float64, len(folds))
	for r := range folds {
		for _, f := range folds[r] {
			list[r] = append(list[r], f.Accuracy)
		}
	}
	return list
}

// spread is the summary of spec/assessors.md ("Protocol") of accuracies by repetition and fold: the
// plain mean of each repetition, the mean of these, their largest deviation from it, and their
// standard deviation with divisor n-1.
func spread(accuracies [][]float64) (repetitions []float64, mean, largest, sd float64) {
	repetitions = make([]float64, len(accuracies))
	for r, folds := range accuracies {
		repetitions[r] = meanOf(folds)
	}
	mean, sd = meanAndSD(repetitions)
	return repetitions, mean, largestDeviation(repetitions, mean), sd
}

// largestDeviation is the largest distance of a number from the mean.
func largestDeviation(list []float64, mean float64) float64 {
	largest := 0.0
	for _, v := range list {
		largest = max(largest, math.Abs(v-mean))
	}
	return largest
}

// meanAndSD are the mean and the deviation with divisor n-1, 0 for one number.
func meanAndSD(list []float64) (mean, sd float64) {
	mean = meanOf(list)
	squares := 0.0
	for _, v := range list {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(max(1, len(list)-1)))
}

func meanOf(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}
