package agreement

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// PlanOptions say whether further labels are planned, and how.
type PlanOptions struct {
	Plan     bool `help:"Also tell how wide intervals become with more models and annotators, and how many of them the wanted half-width takes."`
	Planning `when:"plan"`
}

// Planning says what a plan of further labels is asked.
type Planning struct {
	HalfWidth       float64 `help:"Half of the width that intervals of 95 % are to have: 0.1 for a value ± 0.1." default:"0.1" min:"0.005" max:"0.49" label:"Wanted half-width"`
	MostModels      int     `help:"Models up to which the plan looks." default:"1000" min:"10" max:"5000"`
	MostAnnotators  int     `help:"Annotators up to which the plan looks, from two fewer than there are (default: two more)." zero:"two more than now" min:"0" max:"12"`
	SimulatedRounds int     `help:"Simulated rounds behind each number of a plan." default:"200" min:"20" max:"2000"`
	Seed            uint64  `help:"Seed of the simulated rounds of a plan." default:"1"`
}

// The reasons why a plan has no number.
var (
	FewIntervals = result.Because("few_intervals", "half of the simulated rounds or more have no interval")
	NotReached   = result.Because("not_reached", "not reached with the models up to which the plan looks")
)

// Plan tells what further labels of a round would bring.
type Plan struct {
	Wanted float64 // half-width
	Widths []Width // by measure, then annotators, then models
	Needs  []Need  // by measure, then annotators
}

// Target is what a row of a plan is about: a measure in a round with so many annotators.
type Target struct {
	Line       // what the measure is now, of the annotators that there are
	Annotators int
	Now        int // models with two or more labels
}

// Width is how wide the interval of a measure is with so many models and annotators.
type Width struct {
	Target
	Models int // with two or more labels
	// HalfWidth is the median over the simulated rounds; 95 % of them lie between Low and High,
	// which are NaN where the median is undefined. A round without an interval counts as the
	// widest one.
	HalfWidth Value
	Low, High float64
	Given     float64 // share of the simulated rounds that have an interval
}

// Need is how many models a wanted half-width takes.
type Need struct {
	Target
	Wanted float64 // half-width
	// Models are those with two or more labels with which half of the simulated rounds have an
	// interval that is as narrow as wanted; Low and High are those for 2.5 and 97.5 % of the
	// rounds, NaN where they are not reached.
	Models    Value
	Low, High float64
}

// More are the models that are missing, NaN where Models is undefined.
func (n Need) More() float64 { return n.Models.Number() - float64(n.Now) }

// Labels are those of all annotators together for the models, NaN where Models is undefined.
func (n Need) Labels() float64 {
	each := n.Annotators
	if n.Of != nil && n.Of.shared() > 0 {
		each = n.Of.shared()
	}
	return n.Models.Number() * float64(each)
}

// shared is the number of annotators that each model of a round goes to, 0 where it is all of them.
func (r *Round) shared() int {
	if k := r.Of.Overlap; k < len(r.Of.Annotators) {
		return k
	}
	return 0
}

// told are the quantiles of the simulated rounds that a plan tells: the median, and the ends of
// 95 % of them.
var told = [3]float64{(1 - Confidence) / 2, 0.5, (1 + Confidence) / 2}

// PlanOf plans further labels by simulation from the present ones (docs/guide/planning.md): models
// by Lo's finite population Bayesian bootstrap, further annotators by a Dirichlet-multinomial
// distribution around the labels of each model. It is slow: tell how far it is by p, which may be
// nil, and end it by ctx. The same options give the same bits on every number of processors.
func PlanOf(ctx context.Context, r *Round, o Planning, p progress.Progress) (plan Plan, err error) {
	plan.Wanted = o.HalfWidth
	classes, ratings := len(r.Report.Classes), twice(r.Ratings)
	if classes < 2 || len(ratings) < 2 || len(ratings[0]) == 0 {
		return plan, nil
	}
	most := max(2, cmp.Or(o.MostAnnotators, len(ratings)+2))
	s := simulation{
		ratings: ratings, classes: classes, ordered: classes == 2 || r.Report.GwetAC2Linear != nil,
		sizes: sizes(len(ratings[0]), o.MostModels), fewest: max(2, min(len(ratings)-2, most)), most: most,
	}
	if r.shared() > 0 { // each model goes to some of the annotators, whoever else labels
		s.fewest, s.most = len(ratings), len(ratings)
	}
	lines := r.Report.lines()
	rounds := make([][]float64, o.SimulatedRounds)
	p = progress.Or(p)
	p.SetTotal(int64(len(rounds)))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := range rounds {
		group.Go(func() error {
			rounds[k] = s.run(ctx, rand.New(rand.NewPCG(o.Seed, uint64(k)+1)), len(lines))
			p.Add(1)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return plan, err
	}
	at := func(annotators, size, line int) int {
		return ((annotators-s.fewest)*len(s.sizes)+size)*len(lines) + line
	}
	for k, l := range lines {
		l.Of, l.Section = r, OfAllRaters
		for annotators := s.fewest; annotators <= s.most; annotators++ {
			target := Target{Line: l, Annotators: annotators, Now: s.sizes[0]}
			var widths []Width
			var quantiles [len(told)][]float64
			for n, models := range s.sizes {
				w := Width{Target: target, Models: models}
				half := make([]float64, len(rounds))
				for b, round := range rounds {
					half[b] = round[at(annotators, n, k)]
				}
				w.summarise(half)
				for q, share := range told {
					quantiles[q] = append(quantiles[q], stats.Quantile(half, share))
				}
				widths = append(widths, w)
			}
			plan.Widths = append(plan.Widths, widths...)
			plan.Needs = append(plan.Needs, need(target, o.HalfWidth, s.sizes, quantiles))
		}
	}
	return plan, nil
}

// twice are the items with two or more ratings, annotators x items.
func twice(ratings [][]int) [][]int {
	list := make([][]int, len(ratings))
	for i := range len(slices.Concat(ratings[:min(1, len(ratings))]...)) {
		rated := 0
		for _, row := range ratings {
			if row[i] != Missing {
				rated++
			}
		}
		if rated < 2 {
			continue
		}
		for r, row := range ratings {
			list[r] = append(list[r], row[i])
		}
	}
	return list
}

// sizes are the numbers of models for which a plan is made: those that there are now, then 10, 20,
// 30, 50, 100, 200, ... up to most, and most itself.
func sizes(now, most int) []int {
	list := []int{now}
	for decade := 10; decade < most; decade *= 10 {
		for _, times := range []int{1, 2, 3, 5} {
			if n := times * decade; n > now && n < most {
				list = append(list, n)
			}
		}
	}
	if most > now {
		list = append(list, most)
	}
	return list
}

// simulation is what rounds are simulated from: labels by annotators and models, each model with
// two or more, numbers of models, and the fewest and most annotators.
type simulation struct {
	ratings      [][]int
	classes      int
	ordered      bool // the order of the classes means something
	sizes        []int
	fewest, most int
}

// run simulates one round, and returns the half-width of each measure by annotators, then models,
// then measures. A measure without an interval has that of the widest one.
func (s simulation) run(ctx context.Context, random *rand.Rand, measures int) []float64 {
	ratings := s.grow(random)
	list := make([]float64, 0, (s.most-s.fewest+1)*len(s.sizes)*measures)
	for annotators := s.fewest; annotators <= s.most; annotators++ {
		t := emptyTable(annotators, s.classes, false)
		for _, models := range s.sizes {
			if ctx.Err() != nil {
				return list
			}
			t.include(ratings[:annotators], models)
			list = append(list, t.halfWidths(s.ordered)...)
		}
	}
	return list
}

// grow makes the labels of all models and annotators of a simulated round. Each further model has
// the labels of one that is drawn from all before it. Annotators come in random order, then the
// further ones: they give a class with a probability in proportion to its share times
// (1-kappa)/kappa, plus how often the model has it already, with Fleiss' kappa of the models so
// made, between 0 and 1.
func (s simulation) grow(random *rand.Rand) [][]int {
	now, all := s.sizes[0], s.sizes[len(s.sizes)-1]
	there := make([][]int, len(s.ratings))
	for r, row := range s.ratings {
		there[r] = append(make([]int, 0, all), row...)
	}
	for i := now; i < all; i++ {
		like := random.IntN(i)
		for r := range there {
			there[r] = append(there[r], there[r][like])
		}
	}
	ratings := make([][]int, 0, max(s.most, len(there)))
	for _, r := range random.Perm(len(there)) {
		ratings = append(ratings, there[r])
	}
	if s.most <= len(there) {
		return ratings
	}
	t := newTable(there, s.classes, false)
	sums := t.whole()
	kappa := 1.0 // of one class only
	if fleiss := t.fleiss(sums); fleiss.Defined() {
		kappa = min(1, max(0, fleiss.Value))
	}
	for range s.most - len(there) {
		ratings = append(ratings, make([]int, all))
	}
	votes, weights := make([]int, s.classes), make([]float64, s.classes)
	for i := range all {
		copy(votes, t.patterns[t.of[i]].votes)
		for r := len(there); r < s.most; r++ {
			total := 0.0
			for k, n := range votes {
				weights[k] = float64((1-kappa)*sums.share[k]/float64(sums.rated)) + float64(kappa*float64(n))
				total += weights[k]
			}
			class, left := 0, random.Float64()*total
			for left >= weights[class] && class < s.classes-1 {
				left -= weights[class]
				class++
			}
			ratings[r][i] = class
			votes[class]++
		}
	}
	return ratings
}

// halfWidths are those of the intervals of all measures of all raters, in the order of
// Report.lines; ordered tells whether the order of the classes means anything.
func (t *table) halfWidths(ordered bool) []float64 {
	s := t.whole()
	var r Report
	t.fillTogether(&r, s, t.slots(Options{Intervals: true}, s, func(s *tally, list []Value) []Value {
		list, _ = t.together(s, list)
		return list
	}))
	if !ordered {
		r = r.nominal()
	}
	var list []float64
	for _, l := range r.lines() {
		low, high := l.Ends()
		if math.IsNaN(low) {
			if low, high = -1, 1; l.Share {
				low = 0
			}
		}
		list = append(list, (high-low)/2)
	}
	return list
}

// summarise sorts the half-widths of the simulated rounds and sums them up.
func (w *Width) summarise(half []float64) {
	slices.Sort(half)
	widest := 1.0
	if w.Share {
		widest = 0.5
	}
	given, _ := slices.BinarySearch(half, widest)
	w.Given = float64(given) / float64(len(half))
	w.Low, w.High = math.NaN(), math.NaN()
	if w.HalfWidth = undefined(FewIntervals); 2*given > len(half) {
		w.HalfWidth = defined(stats.Quantile(half, told[1]))
		w.Low, w.High = stats.Quantile(half, told[0]), stats.Quantile(half, told[2])
	}
}

// need says with how many models the quantiles of the half-widths come down to the wanted one.
func need(target Target, wanted float64, sizes []int, quantiles [len(told)][]float64) Need {
	n := Need{Target: target, Wanted: wanted, Models: undefined(NotReached)}
	n.Low, n.High = reached(wanted, sizes, quantiles[0]), reached(wanted, sizes, quantiles[2])
	if models := reached(wanted, sizes, quantiles[1]); !math.IsNaN(models) {
		n.Models = defined(models)
	}
	return n
}

// reached is the number of models from which on half-widths are at most the wanted one, NaN for
// none. Between two numbers, 1/h² grows with the models as it does for means: in a line.
func reached(wanted float64, sizes []int, half []float64) float64 {
	k := len(half)
	for k > 0 && half[k-1] <= wanted {
		k--
	}
	switch {
	case k == len(half):
		return math.NaN()
	case k == 0:
		return float64(sizes[0])
	}
	before, after, at := 1/(half[k-1]*half[k-1]), 1/(half[k]*half[k]), 1/(wanted*wanted)
	share := (at - before) / (after - before)
	return math.Ceil(float64(sizes[k-1]) + float64(share*float64(sizes[k]-sizes[k-1])))
}
