package rank

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
)

// Ranking is the answer of one ranker.
type Ranking struct {
	Method Method
	// Note is what it rests on, for people, with the number of models that have a score where some
	// have none; Family is that of Given.
	Note, Family string
	Scores       []float64 // per model; means over repetitions for sampled rankers; NaN where there is none
	// per model over repetitions (divisor one less than their number, 0 for one); nil for the
	// others
	SD     []float64
	Rank   []int // competition ranks of Scores
	Budget int   // labels used per repetition; for CES per model's selection
	// Quality compares with true accuracy: over repetitions for sampled rankers. Zero N without
	// truth.
	Quality Quality
	Reason  result.Reason // why there is no ranking; Scores are nil then
}

// Scored is the number of models that have a score: a ranker that was measured elsewhere may have
// fewer than all.
func (r Ranking) Scored() int {
	n := 0
	for _, v := range r.Scores {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Leaderboard is the table of all rankers. Rankings of rankers that could not answer stand in it
// with their Reason.
type Leaderboard struct {
	Models   []Model
	Samples  int
	Truth    []float64      // true accuracies; nil when no more than half of the images have a true class
	NoTruth  result.Reason  // why there are none
	Chance   []chance.Level // of each model on the samples with a true label; nil where Truth is
	TopK     []int
	Rankings []Ranking
	LaF      *LaFResult // of LaFMethod, nil when it was not asked or all models predict the same
	// Spearman and Kendall hold the rank correlations of all pairs of rankings that have scores
	// (with the truth as the first, when there is one), Jaccard per TopK the similarity of their
	// best models; NaN where undefined. Compared names rows and columns, "truth" first, then in the
	// order of Rankings.
	Compared          []Method
	Spearman, Kendall [][]float64
	Jaccard           [][][]float64 // TopK x row x column
	Seed              uint64
	Repetitions       int
}

// ChanceOf is the chance level of model j, an empty one where the truth is not known.
func (b Leaderboard) ChanceOf(j int) chance.Level {
	if j >= len(b.Chance) {
		return chance.Level{}
	}
	return b.Chance[j]
}

// MakeLeaderboard asks the rankers. Sampled rankers need the truth of every sample they may draw
// (SDS: of its pool), so they are given a Reason where Data.Truth has gaps; Selection tells which
// samples to label then. A ranker whose input cannot be read has a Reason too. A ranker that was
// measured elsewhere more than once has as many rankings.
//
// Progress counts repetitions, those of CES once per model; a ranker without repetitions counts as
// if it had them. Errors are those of Data.Check and the end of ctx.
func MakeLeaderboard(ctx context.Context, d Data, o Options, p progress.Progress) (Leaderboard, error) {
	if err := d.Check(); err != nil {
		return Leaderboard{}, err
	}
	o = o.filled(d)
	a := newAsking(d, o, p)
	b := Leaderboard{
		Models: d.Models, Samples: d.Samples, Truth: a.truth, NoTruth: a.noTruth, TopK: o.Top, Seed: o.Seed,
		Repetitions: o.Repetitions,
	}
	if a.truth != nil {
		b.Chance = d.Chance()
	}
	a.progress.SetTotal(a.steps(o.Methods...))
	for k, m := range o.Methods {
		rankings, err := a.rankings(ctx, m)
		if err != nil {
			return Leaderboard{}, err
		}
		b.Rankings = append(b.Rankings, rankings...)
		a.progress.reach(a.steps(o.Methods[:k+1]...))
	}
	b.LaF = a.laf
	b.Correlate()
	return b, nil
}

// asking is the making of a leaderboard.
type asking struct {
	data     Data
	options  Options
	truth    []float64 // nil with the reason noTruth
	noTruth  result.Reason
	same     bool // all models predict the same
	progress *counter
	laf      *LaFResult
	tried    map[Method]trials // CES and its oracle rest on the same
}

func newAsking(d Data, o Options, p progress.Progress) *asking {
	a := &asking{
		data: d, options: o, same: d.Identical(), progress: &counter{Progress: progress.Or(p)},
		tried: map[Method]trials{},
	}
	a.truth, a.noTruth = d.accuracies()
	return a
}

// steps is what the progress counts up to for these rankers.
func (a *asking) steps(methods ...Method) int64 {
	total := 0
	for _, m := range methods {
		if m.entropy() {
			total += len(a.data.Models)
		} else {
			total++
		}
	}
	return int64(total * a.options.Repetitions)
}

// rankings are one, or as many as were measured elsewhere. The error is the end of ctx.
func (a *asking) rankings(ctx context.Context, m Method) ([]Ranking, error) {
	if a.same {
		return []Ranking{a.without(m, identical)}, nil
	}
	if given := a.given(m); given != nil {
		return given, nil
	}
	r, err := a.ask(ctx, m)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return []Ranking{a.without(m, Why(err))}, nil
	}
	return []Ranking{r}, nil
}

// without is a ranking that there is not.
func (a *asking) without(m Method, reason result.Reason) Ranking {
	return Ranking{Method: m, Reason: reason, Quality: noQuality(reason, 0, a.options.Top)}
}

func (a *asking) given(m Method) []Ranking {
	var list []Ranking
	for _, g := range a.data.Given {
		if g.Method == m {
			list = append(list, a.settled(Ranking{Method: m, Note: g.Note, Family: g.Family, Scores: g.Scores}))
		}
	}
	return list
}

// settled fills in ranks and quality of a ranking that is not sampled.
func (a *asking) settled(r Ranking) Ranking {
	if r.Scored() == 0 {
		none := a.without(r.Method, unmeasured)
		none.Note, none.Family = r.Note, r.Family
		return none
	}
	if n, all := r.Scored(), len(r.Scores); n < all {
		r.Note = strings.TrimPrefix(fmt.Sprintf("%s, %s of %s", r.Note, result.Whole(n), result.Counted(all, "model")),
			", ")
	}
	r.Rank = Competition(r.Scores)
	r.Quality = noQuality(a.noTruth, 0, a.options.Top)
	if a.truth != nil {
		r.Quality = qualityOf(a.truth, r.Scores, a.options)
	}
	return r
}

func (a *asking) ask(ctx context.Context, m Method) (Ranking, error) {
	if m.Sampled() {
		return a.sampled(ctx, m)
	}
	r := Ranking{Method: m}
	var err error
	switch {
	case m.laf():
		r, err = a.askLaF(ctx, m)
	case m == CRC && a.data.Confidence == nil && a.data.Softmax == nil:
		err = refusal{noProbabilities}
	case m == CRC:
		r.Scores, err = a.data.confidences(ctx, a.options.Workers)
	case m == DScore:
		err = refusal{noDScore}
	default:
		err = refusal{unmeasured}
	}
	if err != nil {
		return Ranking{}, err
	}
	return a.settled(r), nil
}

func (a *asking) askLaF(ctx context.Context, m Method) (Ranking, error) {
	scores, answer, err := lafScores(ctx, a.data, m, a.options.Workers)
	if err != nil {
		return Ranking{}, err
	}
	if m == LaFMethod {
		a.laf = &answer
	}
	if !answer.Reason.None() {
		return Ranking{}, refusal{answer.Reason}
	}
	note := fmt.Sprintf("%s of %s", result.Whole(len(answer.Kept)), result.Counted(a.data.Samples, "image"))
	if !answer.Settled {
		note += fmt.Sprintf(", not settled after %s", result.Counted(answer.Rounds, "round"))
	}
	return Ranking{Method: m, Note: note, Scores: scores}, nil
}

// sampled tries a sampled ranker at the budget.
func (a *asking) sampled(ctx context.Context, m Method) (Ranking, error) {
	s := a.data.sampling(a.options, a.truth, a.progress)
	if err := s.gaps(ctx, m); err != nil {
		return Ranking{}, err
	}
	if m == CESOracle && a.truth == nil {
		return Ranking{}, refusal{a.noTruth}
	}
	t, err := a.try(ctx, &s, m)
	if err != nil {
		return Ranking{}, err
	}
	return a.ranked(m, t), nil
}

// try tries a sampled ranker once. The oracle chooses among the trials of CES.
func (a *asking) try(ctx context.Context, s *sampling, m Method) (trials, error) {
	if m == CESOracle {
		m = CES
	}
	if t, done := a.tried[m]; done {
		return t, nil
	}
	t, err := s.method(ctx, m)
	if err == nil {
		a.tried[m] = t
	}
	return t, err
}

// gaps says that images which a sampled ranker may draw have no true label.
func (s *sampling) gaps(ctx context.Context, m Method) error {
	drawn, all := []int32(nil), s.Samples
	if m == SDS {
		if err := s.findPool(ctx); err != nil {
			return err
		}
		drawn, all = s.pool, len(s.pool)
	}
	if missing := s.unlabelled(drawn); missing > 0 {
		return refuse(Unlabelled,
			"it needs true classes, and %s of the %s that it may draw have none",
			result.Whole(missing), result.Counted(all, "image"))
	}
	return nil
}

// ranked sums up trials with one budget. The oracle takes those of the best selector.
func (a *asking) ranked(m Method, t trials) Ranking {
	r := Ranking{Method: m, Budget: t.sizes[0], Note: result.Counted(t.sizes[0], "label")}
	switch {
	case m == CESOracle:
		best := t.best(0)
		r.Note = fmt.Sprintf("selections of %s, the best of %s; %s to find it", a.data.Models[best].ID,
			result.Counted(t.selectors, "model"), result.Counted(t.selectors*t.sizes[0], "label"))
		t = t.only(best)
	case m.entropy():
		r.Note = fmt.Sprintf("mean of %s, %s each", result.Counted(t.selectors, "ranking"),
			result.Counted(t.sizes[0], "label"))
	}
	r.Scores, r.SD = t.scores(0)
	r.Rank = Competition(r.Scores)
	r.Quality = noQuality(a.noTruth, t.repetitions, a.options.Top)
	if a.truth != nil {
		r.Quality = t.quality(a.options.Top, 0)
	}
	return r
}

// Correlate compares all rankings that have scores with each other and the truth, and fills in
// Compared, Spearman, Kendall and Jaccard; MakeLeaderboard has done so. It is for who puts another
// ranking into a leaderboard, such as one from FromSelection.
func (b *Leaderboard) Correlate() {
	b.Compared, b.Jaccard = nil, nil
	var columns [][]float64
	if b.Truth != nil {
		b.Compared, columns = append(b.Compared, TruthMethod), append(columns, b.Truth)
	}
	for _, r := range b.Rankings {
		if r.Reason.None() {
			b.Compared, columns = append(b.Compared, r.Method), append(columns, r.Scores)
		}
	}
	n := len(columns)
	b.Spearman, b.Kendall = square(n), square(n)
	for range b.TopK {
		b.Jaccard = append(b.Jaccard, square(n))
	}
	for row := range n {
		for column := row; column < n; column++ {
			c := Compare(columns[row], columns[column], b.TopK)
			put(b.Spearman, row, column, valueOf(c.Spearman))
			put(b.Kendall, row, column, valueOf(c.Kendall))
			for k, v := range c.Jaccard {
				put(b.Jaccard[k], row, column, v)
			}
		}
	}
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for k := range rows {
		rows[k] = make([]float64, n)
	}
	return rows
}

// put writes both halves of a symmetric matrix.
func put(matrix [][]float64, row, column int, v float64) {
	matrix[row][column], matrix[column][row] = v, v
}
