package rank

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Selection is the samples whose labels a sampled ranker needs for one ranking, ascending (CES: the union over all models);
// stream is the number of the repetition, 0 for the only one when labels are given by hand. It is an error for rankers that are not
// sampled, for CESOracle, which needs all labels, and where the ranker cannot answer.
func Selection(ctx context.Context, d Data, m Method, o BoardOptions, stream int) ([]int, error) {
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
	return union(chosen), nil
}

// FromSelection ranks by a sampled method with labels of exactly the samples that Selection named; an unlabelled one among
// them is an error that says how many are missing. Budget and quality are filled in as in MakeBoard with one repetition; there is
// no quality unless more than half of all samples have a label.
func FromSelection(ctx context.Context, d Data, m Method, o BoardOptions) (Ranking, error) {
	s, err := d.byHand(m, o)
	if err != nil {
		return Ranking{}, err
	}
	chosen, err := s.selections(ctx, m, 0)
	if err != nil {
		return Ranking{}, wrapped(m, err)
	}
	needed := union(chosen)
	if missing := d.unlabelled(narrow(needed)); missing > 0 {
		return Ranking{}, fmt.Errorf("%d of the %d samples that %s selected have no label yet; label them first", missing, len(needed), m.Title())
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

// byHand is the sampling of one repetition, checked.
func (d Data) byHand(m Method, o BoardOptions) (sampling, error) {
	if err := d.Check(); err != nil {
		return sampling{}, err
	}
	switch {
	case !m.Sampled():
		return sampling{}, fmt.Errorf("%s asks for no labels", m.Title())
	case m == CESOracle:
		return sampling{}, fmt.Errorf("%s needs the true ranking, so labels of a selection are not enough", m.Title())
	case d.Identical():
		return sampling{}, errors.New(identical)
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
	return fmt.Errorf("%s cannot select samples: %w", m.Title(), err)
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
func union(lists [][]int32) []int {
	var all []int
	for _, list := range lists {
		for _, i := range list {
			all = append(all, int(i))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func narrow(list []int) []int32 {
	short := make([]int32, len(list))
	for k, i := range list {
		short[k] = int32(i)
	}
	return short
}
