package ranking

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
)

// Answer is a board with what it was made from. It is immutable.
type Answer struct {
	Material Material
	Settings Settings
	Data     rank.Data // of the models that take part
	Board    rank.Board
	// Wanted are the images whose labels a sampled ranker waits for, by method; only where true
	// classes are missing.
	Wanted map[rank.Method][]int
}

// rankAll asks the rankers of the settings: first those that answer soon, whose answer part gets,
// then those that weigh every image for every model. Sampled ones that lack true classes rank by
// the labels of the images that they draw, where these have been given; else the answer says which
// are wanted.
func rankAll(ctx context.Context, m Material, s Settings, p engine.Progress, part func(Answer)) (Answer, error) {
	a := Answer{Material: m, Settings: s, Data: m.chosen(s.Without)}
	if err := a.Data.Check(); err != nil {
		return a, err
	}
	soon, late := s.options(), s.options()
	soon.Methods = slices.DeleteFunc(slices.Clone(soon.Methods), slow)
	late.Methods = slices.DeleteFunc(slices.Clone(late.Methods), func(m rank.Method) bool { return !slow(m) })
	var err error
	if len(soon.Methods) > 0 {
		if a.Board, err = rank.MakeBoard(ctx, a.Data, soon, p); err != nil {
			return a, err
		}
	}
	if len(late.Methods) > 0 {
		if len(soon.Methods) > 0 {
			part(a.waiting(late.Methods))
		}
		board, err := rank.MakeBoard(ctx, a.Data, late, p)
		if err != nil {
			return a, err
		}
		a.add(board)
	}
	a.Wanted, err = a.Board.ByHand(ctx, a.Data, s.options())
	return a, err
}

// slow tells whether a ranker takes much longer than the others.
func slow(m rank.Method) bool {
	return m == rank.CES || m == rank.CESReference || m == rank.CESOracle
}

// waits tells whether a ranker has not answered yet.
func waits(r rank.Ranking) bool { return r.Reason == rank.BeingAsked }

// waiting is the answer as far as it is known: rankers that are still asked have a reason that
// says so.
func (a Answer) waiting(late []rank.Method) Answer {
	rankings := slices.Clone(a.Board.Rankings)
	for _, m := range late {
		rankings = append(rankings, rank.Ranking{Method: m, Reason: rank.BeingAsked})
	}
	a.Board.Rankings = inOrder(rankings)
	a.Wanted = nil
	return a
}

// add puts the rankings of another board of the same data among those that are there.
func (a *Answer) add(b rank.Board) {
	if len(a.Board.Rankings) == 0 {
		a.Board = b
		return
	}
	a.Board.Rankings = inOrder(slices.Concat(a.Board.Rankings, b.Rankings))
	a.Board.Correlate()
}

// inOrder puts rankings into the order of tables.
func inOrder(list []rank.Ranking) []rank.Ranking {
	order := rank.Methods()
	slices.SortStableFunc(list, func(a, b rank.Ranking) int { return slices.Index(order, a.Method) - slices.Index(order, b.Method) })
	return list
}
