package rank

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// The budgets of the paper's Figs. 5 to 7 and Table A1.
const (
	lastStep   = 180
	budgetStep = 5
)

var largeBudgets = []int{500, 1500, 2500}

// Budgets are those of the paper's curves: from max(30, models) to 180 in steps of 5, and 500,
// 1500, 2500; those above the number of samples are left out.
func Budgets(models, samples int) []int {
	var list []int
	for b := max(minBudget, models); b <= min(lastStep, samples); b += budgetStep {
		list = append(list, b)
	}
	for _, b := range largeBudgets {
		if b >= models && b <= samples {
			list = append(list, b)
		}
	}
	return list
}

// Curve is the quality of one ranker over the labelling budget; rankers without a budget have one
// point per budget with the same quality. SDS stops at its pool's size, CES begins at 10 labels.
type Curve struct {
	Method  Method
	Note    string // of the ranking: what tells rankers apart that were measured more than once
	Budgets []int
	Quality []Quality
	Average Quality // of every repetition's mean over the budgets
}

// Curves measures sampled rankers (and those of o.Methods without a budget beside them) at every
// budget. The selection of a smaller budget is the start of that of a larger one, drawn as in
// MakeLeaderboard, so that a point is what MakeLeaderboard answers for that budget. The best model
// of CESOracle is sought at each budget anew. Rankers that cannot answer have no curve.
//
// It needs the true class of every sample; budgets must be above 0 and are put into order, those
// above the number of samples are left out. Progress counts repetitions as in MakeLeaderboard.
// Other errors are those of Data.Check, probabilities that cannot be used, and the end of ctx.
func Curves(ctx context.Context, d Data, o Options, budgets []int, p progress.Progress) ([]Curve, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	budgets, err := d.usable(budgets)
	if err != nil {
		return nil, err
	}
	o = o.filled(d)
	a := newAsking(d, o, p)
	a.progress.SetTotal(a.steps(o.Methods...))
	var curves []Curve
	for k, m := range o.Methods {
		list, err := a.curves(ctx, m, budgets)
		if err != nil {
			return nil, err
		}
		curves = append(curves, list...)
		a.progress.reach(a.steps(o.Methods[:k+1]...))
	}
	return curves, nil
}

// usable budgets, in order, each once.
func (d Data) usable(budgets []int) ([]int, error) {
	if missing := d.unlabelled(nil); missing > 0 {
		return nil, refuse(Unlabelled,
			"comparing with the truth needs the true class of every image, and %s of %s have none",
			result.Whole(missing), result.Whole(d.Samples))
	}
	if d.Identical() {
		return nil, refusal{identical}
	}
	list := slices.Clone(budgets)
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(b int) bool { return b > d.Samples })
	switch {
	case len(list) == 0:
		return nil, refuse(BadBudget,
			"there is no budget of at most %s, which is all images", result.Counted(d.Samples, "label"))
	case list[0] < 1:
		return nil, refuse(BadBudget, "a budget of %d labels is none", list[0])
	}
	return list, nil
}

func (a *asking) curves(ctx context.Context, m Method, budgets []int) ([]Curve, error) {
	if !a.data.Allows(m) {
		return nil, nil
	}
	if m.Sampled() {
		return a.sampledCurve(ctx, m, budgets)
	}
	rankings, err := a.rankings(ctx, m)
	if err != nil {
		return nil, err
	}
	var list []Curve
	for _, r := range rankings {
		if r.Reason.None() {
			list = append(list, Curve{
				Method: m, Note: r.Note, Budgets: budgets, Quality: slices.Repeat([]Quality{r.Quality}, len(budgets)),
				Average: r.Quality,
			})
		}
	}
	return list, nil
}

func (a *asking) sampledCurve(ctx context.Context, m Method, budgets []int) ([]Curve, error) {
	s := a.data.sampling(a.options, a.truth, a.progress)
	s.budgets, s.keepHits = a.data.within(m, budgets), false
	if len(s.budgets) == 0 {
		return nil, nil
	}
	t, err := a.try(ctx, &s, m)
	if err != nil {
		return nil, wrapped(m, err)
	}
	if m == CESOracle {
		oracle := trials{selectors: 1, repetitions: t.repetitions}
		for b := range s.budgets {
			oracle.outcomes = append(oracle.outcomes, t.only(t.best(b)).outcomes[b])
		}
		t = oracle
	}
	c := Curve{Method: m, Budgets: s.budgets, Average: t.quality(a.options.Top, stats.UpTo(len(s.budgets))...)}
	for b := range s.budgets {
		q := t.quality(a.options.Top, b)
		q.Draws = nil // a number for every repetition at each of many budgets is much memory
		c.Quality = append(c.Quality, q)
	}
	return []Curve{c}, nil
}

// within are the budgets that a sampled ranker can take.
func (d Data) within(m Method, budgets []int) []int {
	least, most := 1, d.Samples
	switch {
	case m == SDS:
		most = poolSize(d.Samples)
	case m.entropy():
		least = cesStart
	}
	return slices.DeleteFunc(slices.Clone(budgets), func(b int) bool { return b < least || b > most })
}
