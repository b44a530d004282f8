package rank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// Selection is the samples whose labels a sampled ranker needs for one ranking, ascending (CES:
// the union over all models); stream is the number of the repetition, 0 for the only one when
// labels are given by hand. It is an error for rankers that are not sampled, for CESOracle, which
// needs all labels, and where the ranker cannot answer.
func Selection(ctx context.Context, d Data, m Method, o Options, stream int) ([]int, error) {
	if stream < 0 {
		return nil, fmt.Errorf("there is no repetition %d; the first is 0", stream)
	}
	s, err := d.byHand(m, o)
	if err != nil {
		return nil, err
	}
	chosen, err := s.selections(ctx, m, stream)
	if err != nil {
		return nil, wrapped(m, err)
	}
	return wide(union(chosen)), nil
}

// FromSelection ranks by a sampled method with labels of exactly the samples that Selection named;
// an unlabelled one among them is an error that says how many are missing. Budget and quality are
// filled in as in MakeLeaderboard with one repetition; there is no quality unless more than half of
// all samples have a label.
func FromSelection(ctx context.Context, d Data, m Method, o Options) (Ranking, error) {
	s, err := d.byHand(m, o)
	if err != nil {
		return Ranking{}, err
	}
	chosen, err := s.selections(ctx, m, 0)
	if err != nil {
		return Ranking{}, wrapped(m, err)
	}
	needed := union(chosen)
	if missing := d.unlabelled(needed); missing > 0 {
		return Ranking{}, refuse(Unlabelled,
			"it waits for the labels of %s of %s", result.Whole(missing), result.Counted(len(needed), "image"))
	}
	o = o.filled(d)
	o.Repetitions = 1
	a := newAsking(d, o, nil)
	s.truth = a.truth
	t := s.trials(m, len(chosen))
	for selector, samples := range chosen {
		s.judge(samples, t, selector)
	}
	return a.ranked(m, t), nil
}

// ByHand asks the sampled rankers of a leaderboard that lack true classes once more, for one draw,
// whose images people label. Where all of these have a true class the leaderboard gets the ranking,
// whose quality is that of a ranker which is not sampled; else its reason says how many labels are
// missing, and wanted has those images, ascending, by method. d and o are those of MakeLeaderboard.
func (b *Leaderboard) ByHand(ctx context.Context, d Data, o Options) (wanted map[Method][]int, err error) {
	wanted = map[Method][]int{}
	if d.unlabelled(nil) == 0 || d.Identical() {
		return wanted, nil
	}
	found := false
	for k, r := range b.Rankings {
		if r.Reason.None() || !r.Method.Sampled() || r.Method == CESOracle {
			continue
		}
		images, err := Selection(ctx, d, r.Method, o, 0)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			b.Rankings[k].Reason = Why(cmp.Or(errors.Unwrap(err), err))
			continue
		}
		one, err := FromSelection(ctx, d, r.Method, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			wanted[r.Method] = slices.DeleteFunc(images, func(i int) bool { return d.Truth != nil && d.Truth[i] >= 0 })
			b.Rankings[k].Reason = Why(err)
			continue
		}
		one.SD = nil // it is one draw
		one.Note = fmt.Sprintf("labels of %s given by hand", result.Counted(len(images), "image"))
		if b.Truth != nil {
			one.Quality = qualityOf(b.Truth, one.Scores, o.filled(d))
		}
		b.Rankings[k], found = one, true
	}
	if found {
		b.Correlate()
	}
	return wanted, nil
}

// byHand is the sampling of one repetition, checked.
func (d Data) byHand(m Method, o Options) (sampling, error) {
	if err := d.Check(); err != nil {
		return sampling{}, err
	}
	switch {
	case !m.Sampled():
		return sampling{}, fmt.Errorf("%s asks for no labels", m.Title())
	case m == CESOracle:
		return sampling{}, fmt.Errorf("%s needs the true ranking, so labels of a selection are not enough", m.Title())
	case d.Identical():
		return sampling{}, refusal{identical}
	}
	o = o.filled(d)
	o.Repetitions = 1
	return d.sampling(o, nil, nil), nil
}

// wrapped names the ranker.
func wrapped(m Method, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s cannot select images: %w", m.Title(), err)
}

// selections are those of each selector for one repetition, as many samples as the budget takes.
func (s *sampling) selections(ctx context.Context, m Method, repetition int) ([][]int32, error) {
	selectors, prepare, err := s.plan(ctx, m)
	if err != nil {
		return nil, err
	}
	chosen := make([][]int32, selectors)
	err = eachModel(ctx, selectors, s.workers, func(selector int) error {
		draw, err := prepare(selector)
		if err != nil {
			return err
		}
		chosen[selector], err = draw(repetition)
		return err
	})
	return chosen, err
}

// union is ascending.
func union(lists [][]int32) []int32 {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
