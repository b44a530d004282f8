package ranking

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/present"
)

// Answer is a board with what it was made from. It is immutable.
type Answer struct {
	Material Material
	Settings Settings
	Data     rank.Data // of the models that take part
	Board    rank.Board
	// Wanted are the images whose labels a sampled ranker waits for, by method; only where true classes are missing.
	Wanted map[rank.Method][]int
}

// rankAll asks the rankers of the settings: first those that answer soon, whose answer part gets, then those that weigh every
// image for every model. Sampled ones that lack true classes rank by the labels of the images that they draw, where these have
// been given; else the answer says which are wanted.
func rankAll(ctx context.Context, m Material, s Settings, p engine.Progress, part func(Answer)) (Answer, error) {
	a := Answer{Material: m, Settings: s, Data: m.chosen(s.Without), Wanted: map[rank.Method][]int{}}
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
	return a, a.byHand(ctx)
}

// slow tells whether a ranker takes much longer than the others.
func slow(m rank.Method) bool {
	return m == rank.CES || m == rank.CESReference || m == rank.CESOracle
}

// beingAsked is the reason of a ranker that has not answered yet.
const beingAsked = "it is being asked…"

// waits tells whether a ranker has not answered yet.
func waits(r rank.Ranking) bool { return r.Reason == beingAsked }

// waiting is the answer as far as it is known: rankers that are still asked have a reason that says so.
func (a Answer) waiting(late []rank.Method) Answer {
	rankings := slices.Clone(a.Board.Rankings)
	for _, m := range late {
		rankings = append(rankings, rank.Ranking{Method: m, Reason: beingAsked})
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

// byHand asks the sampled rankers that had too few true classes once more, for one repetition.
func (a *Answer) byHand(ctx context.Context) error {
	if known(a.Data) == a.Data.Samples || a.Data.Identical() {
		return nil
	}
	o, found := a.Settings.options(), false
	for k, r := range a.Board.Rankings {
		if r.Reason == "" || !r.Method.Sampled() || r.Method == rank.CESOracle {
			continue
		}
		images, err := rank.Selection(ctx, a.Data, r.Method, o, 0)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // the board says why: no probabilities, a pool that is too small
		}
		if missing := a.unlabelled(images); len(missing) > 0 {
			a.Wanted[r.Method] = missing
			a.Board.Rankings[k].Reason = fmt.Sprintf("it waits for the labels of %s of %s", present.Count(int64(len(missing))), present.Counted(int64(len(images)), "image"))
			continue
		}
		ranking, err := rank.FromSelection(ctx, a.Data, r.Method, o)
		if err != nil {
			return err
		}
		ranking.SD = nil // it is one draw
		ranking.Note = fmt.Sprintf("labels of %s given by hand", present.Counted(int64(len(images)), "image"))
		a.Board.Rankings[k] = ranking
		found = true
	}
	if found {
		a.Board.Correlate()
	}
	return nil
}

// unlabelled are those of images whose class is not known.
func (a *Answer) unlabelled(images []int) []int {
	return slices.DeleteFunc(slices.Clone(images), func(i int) bool { return i < len(a.Data.Truth) && a.Data.Truth[i] >= 0 })
}
