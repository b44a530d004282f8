package agreement

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

// tableOf measures ratings that have no round.
func tableOf(ratings [][]int, classes int) *Round {
	items := make([]string, len(ratings[0]))
	return OfTable("table", items, names(len(ratings)), classNames(nil, classes), ratings, true,
		Options{Intervals: true})
}

// slowWidths simulates one round as docs/guide/planning.md describes it, label by label, and
// measures it anew for every number of annotators and models: the half-widths of Report.lines.
func slowWidths(ratings [][]int, classes int, sizes []int, fewest, most int, random *rand.Rand) [][]float64 {
	var models [][]int // labels of each model
	for i := range ratings[0] {
		var model []int
		for _, row := range ratings {
			model = append(model, row[i])
		}
		models = append(models, model)
	}
	for len(models) < slices.Max(sizes) {
		models = append(models, slices.Clone(models[random.IntN(len(models))]))
	}
	order := random.Perm(len(ratings))
	raters, rated, kappa := len(ratings), make([]float64, classes), 1.0
	rows := make([][]int, raters)
	for _, model := range models {
		given := slices.DeleteFunc(slices.Clone(model), func(c int) bool { return c == Missing })
		for _, class := range given {
			rated[class] += 1 / float64(len(given)) / float64(len(models))
		}
		for r, class := range model {
			rows[r] = append(rows[r], class)
		}
	}
	if fleiss := Measure(rows, classes, names(raters), Options{}).Fleiss.Value; fleiss.Defined() {
		kappa = min(1, max(0, fleiss.Value))
	}
	for i, model := range models {
		var in []int
		for _, r := range order {
			in = append(in, model[r])
		}
		for len(in) < most {
			weights, total := make([]float64, classes), 0.0
			for k := range classes {
				weights[k] = (1 - kappa) * rated[k]
				for _, class := range in {
					if class == k {
						weights[k] += kappa
					}
				}
				total += weights[k]
			}
			place, class := random.Float64()*total, 0
			for place >= weights[class] && class < classes-1 {
				place -= weights[class]
				class++
			}
			in = append(in, class)
		}
		models[i] = in
	}
	var list [][]float64
	for annotators := fewest; annotators <= most; annotators++ {
		for _, n := range sizes {
			rows := make([][]int, annotators)
			for _, model := range models[:n] {
				for r := range rows {
					rows[r] = append(rows[r], model[r])
				}
			}
			r := Measure(rows, classes, names(annotators), Options{Intervals: true})
			var half []float64
			for _, l := range r.lines() {
				low, high := l.Ends()
				switch {
				case !math.IsNaN(low):
					half = append(half, (high-low)/2)
				case l.Share:
					half = append(half, 0.5)
				default:
					half = append(half, 1)
				}
			}
			list = append(list, half)
		}
	}
	return list
}

func TestPlanEqualsSlowVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		seed := rapid.Uint64().Draw(t, "seed")
		few := twice(ratings)
		if len(ratings) < 2 || len(few[0]) == 0 {
			plan, err := PlanOf(t.Context(), tableOf(ratings, classes), Planning{SimulatedRounds: 20}, nil)
			if err != nil || plan.Widths != nil || plan.Needs != nil {
				t.Fatal(plan, err)
			}
			return
		}
		s := simulation{
			ratings: few, classes: classes, ordered: true, sizes: sizes(len(few[0]), 30),
			fewest: 2, most: rapid.IntRange(2, 6).Draw(t, "most"),
		}
		slow := slices.Concat(slowWidths(few, classes, s.sizes, 2, s.most, rand.New(rand.NewPCG(seed, 1)))...)
		fast := s.run(t.Context(), rand.New(rand.NewPCG(seed, 1)), len(slow))
		testdata.NearAll(t, "half-width", fast, slow, 1e-9)
	})
}

// TestPlanIsSummarised: what a plan says are the quantiles over rounds of slowWidths, from those
// that there are now to the wanted width, and the same bits come from one processor.
func TestPlanIsSummarised(t *testing.T) {
	ratings := population{[]float64{0.5, 0.5}, 0.7}.draw(rand.New(rand.NewPCG(4, 4)), 24)
	ratings[2][3], ratings[0][5], ratings[1][5] = Missing, Missing, Missing // the second one is out
	r := tableOf(ratings, 2)
	o := Planning{HalfWidth: 0.2, MostModels: 300, SimulatedRounds: 60, Seed: 3}
	plan, err := PlanOf(t.Context(), r, o, nil)
	testdata.OK(t, err)
	testdata.Is(t, "widths", len(plan.Widths), 5*4*len(sizes(23, 300)))
	var rounds [][][]float64
	for b := range o.SimulatedRounds {
		rounds = append(rounds, slowWidths(twice(ratings), 2, sizes(23, 300), 2, 5,
			rand.New(rand.NewPCG(3, uint64(b)+1))))
	}
	for k, w := range plan.Widths {
		perMeasure := len(plan.Widths) / 5
		var half []float64
		for _, round := range rounds {
			half = append(half, round[k%perMeasure][k/perMeasure])
		}
		slices.Sort(half)
		testdata.NearAll(t, "width of "+w.Title, []float64{w.Low, w.HalfWidth.Number(), w.High}, []float64{
			stats.Quantile(half, 0.025), stats.Quantile(half, 0.5), stats.Quantile(half, 0.975),
		}, 1e-9)
		if low, high := w.Ends(); w.Annotators == 3 && w.Models == 23 && w.Measure == "percent" {
			// the item of one label counts there for shares alone
			testdata.Near(t, "now", w.HalfWidth.Value, (high-low)/2, 0.02)
		}
	}
	for _, n := range plan.Needs {
		enough := plan.Widths[len(plan.Widths)-1].Models
		for _, w := range plan.Widths {
			if w.Measure == n.Measure && w.Annotators == n.Annotators && w.HalfWidth.Number() <= 0.2 {
				enough = min(enough, w.Models)
			}
		}
		if n.Models.Defined() && (n.Models.Value > float64(enough) || n.More() != n.Models.Value-23 ||
			n.Low > n.Models.Value || n.High < n.Models.Value) {
			t.Errorf("%s, %d annotators: %v models (%v to %v), %d are enough", n.Title, n.Annotators, n.Models, n.Low,
				n.High, enough)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := PlanOf(t.Context(), r, o, nil)
	testdata.OK(t, err)
	testdata.Equal(t, "plan of one processor", planNumbers(again), planNumbers(plan))
}

// planNumbers are the bits of all numbers.
func planNumbers(p Plan) (list []uint64) {
	for _, w := range p.Widths {
		for _, v := range []float64{w.HalfWidth.Number(), w.Low, w.High, w.Given} {
			list = append(list, math.Float64bits(v))
		}
	}
	for _, n := range p.Needs {
		for _, v := range []float64{n.Models.Number(), n.Low, n.High} {
			list = append(list, math.Float64bits(v))
		}
	}
	return list
}

func TestPlanEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := tableOf([][]int{{0, 1, 0, 1}, {0, 1, 1, 1}}, 2)
	if _, err := PlanOf(ctx, r, Planning{SimulatedRounds: 20, MostModels: 100}, nil); err != context.Canceled {
		t.Error(err)
	}
	alike, err := PlanOf(t.Context(), tableOf([][]int{{1, 1, 1, 1}, {1, 1, 1, 1}}, 2),
		Planning{SimulatedRounds: 20, MostModels: 100, HalfWidth: 0.1}, nil)
	testdata.OK(t, err)
	for _, n := range alike.Needs {
		switch { // percent agreement is known without a model that differs, a kappa is not
		case n.Measure == "percent":
			testdata.Is(t, "models of "+n.Title, n.Models.Defined(), true)
		case n.Measure == "fleiss":
			testdata.Is(t, "why not", n.Models.Reason, NotReached)
		}
	}
	for _, d := range alike.Figures() { // a figure without a line says why
		f := d.Figure
		testdata.Is(t, "figure of "+d.Name, f.Drawable() && len(f.Trends) == 1 && f.Empty == "", d.Name == "percent")
		testdata.Is(t, "reason of "+d.Name, len(f.Lines)+len(f.Trends) == 0 &&
			strings.Contains(f.Empty, "more than the 4 models"), d.Name != "percent")
	}
	now, err := PlanOf(t.Context(), r,
		Planning{SimulatedRounds: 20, MostModels: 4, MostAnnotators: 2, HalfWidth: 0.1}, nil)
	testdata.OK(t, err)
	for _, d := range now.Figures() {
		testdata.Is(t, "figure of one number of models", d.Figure.Drawable(), false)
	}
}

// TestGoldenPlans: what scripts/golden/planning.py has computed.
func TestGoldenPlans(t *testing.T) {
	var tolerance struct{ Abs, Rel float64 }
	testdata.Cases(t, testdata.Further(t, "planning"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct {
			Classes, Models, Annotators, Rounds int
			Seed                                uint64
			Ratings                             [][]*int
		}
		var want map[string]struct{ Low, Median, High, Given float64 }
		c.Read(t, &in, &want)
		var ratings [][]int
		for _, row := range in.Ratings {
			ratings = append(ratings, column(row))
		}
		plan, err := PlanOf(t.Context(), tableOf(ratings, in.Classes),
			Planning{
				HalfWidth: 0.1, MostModels: in.Models, MostAnnotators: in.Annotators, SimulatedRounds: in.Rounds,
				Seed: in.Seed,
			}, nil)
		testdata.OK(t, err)
		found := 0
		for _, w := range plan.Widths {
			wanted, known := want[strings.TrimSuffix(w.Measure, "_generalised")]
			if !known || w.Models != in.Models || w.Annotators != in.Annotators {
				continue
			}
			found++
			testdata.Near(t, "rounds with an interval of "+w.Title, w.Given, wanted.Given, 1e-12)
			if wanted.Given <= 0.5 {
				testdata.Is(t, "why there is no "+w.Title, w.HalfWidth.Reason, FewIntervals)
				continue
			}
			testdata.NearAll(t, w.Title, []float64{w.Low, w.HalfWidth.Number(), w.High},
				[]float64{wanted.Low, wanted.Median, wanted.High}, tolerance.Abs)
		}
		testdata.Is(t, "measures", found, len(want))
	})
}
