package rank

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
)

// eachModel calls do for every model in up to workers goroutines. All are done whatever fails, so
// that the error is that of the first model that failed, not of the first that was seen to fail.
func eachModel(ctx context.Context, models, workers int, do func(model int) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	failed := make([]error, models)
	var group errgroup.Group
	group.SetLimit(workers)
	for j := range models {
		group.Go(func() error {
			if failed[j] = ctx.Err(); failed[j] == nil {
				failed[j] = do(j)
			}
			return nil
		})
	}
	_ = group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// sampling tries sampled rankers on data whose every sample has a true label.
type sampling struct {
	Data
	truth       []float64 // true accuracies; nil compares nothing
	budgets     []int     // ascending, at least one
	topK        []int
	seed        uint64
	repetitions int
	workers     int
	keepHits    bool
	pool        []int32 // what SDS draws from; nil until findPool
	progress    progress.Progress
}

// sampling with the options' budget.
func (d Data) sampling(o Options, truth []float64, p progress.Progress) sampling {
	return sampling{
		Data: d, truth: truth, budgets: []int{o.Budget}, topK: o.Top, seed: o.Seed, repetitions: o.Repetitions,
		workers: o.Workers, keepHits: true, progress: p,
	}
}

// outcome is how one ranking from a sample compares with the truth; NaN where that is undefined.
type outcome struct {
	spearman, kendall float64
	significant       bool
	jaccard           []float64
}

// trials are the outcomes of a sampled ranker. A selector is a model whose probabilities choose
// samples (CES); Random and SDS have one.
type trials struct {
	selectors, repetitions int
	sizes                  []int       // samples per selection, one for each budget
	outcomes               [][]outcome // per budget: selector x repetition
	// per budget: selector x repetition x model, rightly predicted samples of the selection
	hits [][]int32
}

// drawer returns the samples of a repetition, as many as the largest budget allows, those of a
// smaller one first.
type drawer func(repetition int) ([]int32, error)

// method tries one sampled ranker; CESOracle has the same trials as CES. The error is the end of
// ctx, or why the ranker cannot answer.
func (s *sampling) method(ctx context.Context, m Method) (trials, error) {
	selectors, prepare, err := s.plan(ctx, m)
	if err != nil {
		return trials{}, err
	}
	t := s.trials(m, selectors)
	err = eachModel(ctx, selectors, s.workers, func(selector int) error {
		draw, err := prepare(selector)
		if err != nil {
			return err
		}
		for r := range s.repetitions {
			if err := ctx.Err(); err != nil {
				return err
			}
			samples, err := draw(r)
			if err != nil {
				return err
			}
			s.judge(samples, t, selector*s.repetitions+r)
			s.progress.Add(1)
		}
		return nil
	})
	return t, err
}

// trials has room for the outcomes of so many selectors.
func (s *sampling) trials(m Method, selectors int) trials {
	t := trials{selectors: selectors, repetitions: s.repetitions, sizes: slices.Clone(s.budgets)}
	for k, b := range t.sizes {
		if m.entropy() {
			t.sizes[k] = cesSize(b)
		}
		t.outcomes = append(t.outcomes, make([]outcome, selectors*s.repetitions))
		if s.keepHits {
			t.hits = append(t.hits, make([]int32, selectors*s.repetitions*len(s.Models)))
		}
	}
	return t
}

// entropy tells whether the ranker selects by cross entropy.
func (m Method) entropy() bool { return m == CES || m == CESReference || m == CESOracle }

// plan says how many selectors a method has and how each draws, or why it cannot.
func (s *sampling) plan(
	ctx context.Context, m Method,
) (selectors int, prepare func(selector int) (drawer, error), err error) {
	largest := s.budgets[len(s.budgets)-1]
	if largest > s.Samples {
		return 0, nil, refuse(BadBudget, "a budget of %s is more than the %s",
			result.Counted(largest, "label"), result.Counted(s.Samples, "image"))
	}
	switch {
	case m == Random:
		return 1, func(int) (drawer, error) { return s.drawRandom(largest), nil }, nil
	case m == SDS:
		if err := s.findPool(ctx); err != nil {
			return 0, nil, err
		}
		if largest > len(s.pool) {
			return 0, nil, refuse(BadBudget, "a budget of %s is more than the %s (25 %%) that SDS draws from",
				result.Counted(largest, "label"), result.Counted(len(s.pool), "image"))
		}
		return 1, func(int) (drawer, error) { return s.drawSDS(largest), nil }, nil
	case s.Softmax == nil:
		return 0, nil, refusal{noProbabilities}
	case s.budgets[0] < cesStart:
		return 0, nil, refuse(BadBudget, "a budget of %s is less than the %d with which CES starts",
			result.Counted(s.budgets[0], "label"), cesStart)
	}
	return len(s.Models), func(model int) (drawer, error) { return s.drawCES(ctx, m, model, largest) }, nil
}

func (s *sampling) drawRandom(count int) drawer {
	return func(repetition int) ([]int32, error) {
		return drawFirst(source(s.seed, randomStream, repetition, 0), upTo(s.Samples), count), nil
	}
}

// findPool finds out what SDS draws from, once.
func (s *sampling) findPool(ctx context.Context) error {
	if s.pool != nil {
		return nil
	}
	found, err := discriminate(ctx, s.Data)
	s.pool = found.pool
	return err
}

func (s *sampling) drawSDS(count int) drawer {
	return func(repetition int) ([]int32, error) {
		return drawFirst(source(s.seed, sdsStream, repetition, 0), slices.Clone(s.pool), count), nil
	}
}

func (s *sampling) drawCES(ctx context.Context, m Method, model, budget int) (drawer, error) {
	table, err := s.probabilities(ctx, model)
	if err != nil {
		return nil, err
	}
	stream, pick := cesStream, picker(nil)
	if m == CESReference {
		stream, pick = cesReferenceStream, newReference(table, s.Classes)
	} else {
		pick = newWhole(table, s.Classes, budget)
	}
	return func(repetition int) ([]int32, error) {
		return cesOrder(ctx, source(s.seed, stream, repetition, model), s.Samples, budget, pick)
	}, nil
}

// judge ranks by the accuracy on the first samples of a selection, for each budget.
func (s *sampling) judge(samples []int32, t trials, at int) {
	n := len(s.Models)
	hits, scores := make([]int32, n), make([]float64, n)
	done := 0
	for b, size := range t.sizes {
		for _, i := range samples[done:size] {
			truth := s.Truth[i]
			for j, label := range s.row(int(i)) {
				if label == truth {
					hits[j]++
				}
			}
		}
		done = size
		if s.keepHits {
			copy(t.hits[b][at*n:], hits)
		}
		for j, count := range hits {
			scores[j] = float64(count) / float64(size)
		}
		t.outcomes[b][at] = s.compare(scores)
	}
}

func (s *sampling) compare(scores []float64) outcome {
	if s.truth == nil {
		return outcome{spearman: undefined, kendall: undefined}
	}
	c := compareOrders(s.truth, scores, s.topK)
	return outcome{
		spearman: valueOf(c.Spearman), kendall: valueOf(c.Kendall), jaccard: c.Jaccard,
		significant: c.Spearman.Defined() && c.Spearman.P < significance,
	}
}
