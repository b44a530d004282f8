package agreement

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
	"gonum.org/v1/gonum/stat/distuv"
)

// population is one of which ratings are drawn: each of three raters gives an item's true class
// with probability sqrt(kappa), else a class by the shares. Every kappa of every pair, plain and
// weighted, Fleiss' and alpha then have the value kappa.
type population struct {
	shares []float64 // of the classes
	kappa  float64
}

func (p population) class(random *rand.Rand) int {
	u := random.Float64()
	for k, share := range p.shares {
		if u < share {
			return k
		}
		u -= share
	}
	return len(p.shares) - 1
}

func (p population) draw(random *rand.Rand, items int) [][]int { return p.drawn(random, items, 3) }

func (p population) drawn(random *rand.Rand, items, raters int) [][]int {
	ratings := make([][]int, raters)
	for r := range ratings {
		ratings[r] = make([]int, items)
	}
	for i := range items {
		truth := p.class(random)
		for r := range ratings {
			if ratings[r][i] = truth; random.Float64() >= math.Sqrt(p.kappa) {
				ratings[r][i] = p.class(random)
			}
		}
	}
	return ratings
}

// percent is the expected agreement under weights.
func (p population) percent(kind int) float64 {
	chance := 0.0
	for k, a := range p.shares {
		for l, b := range p.shares {
			chance += weight(kind, k, l, len(p.shares)) * a * b
		}
	}
	return p.kappa + (1-p.kappa)*chance
}

func (p population) gwet(kind int) float64 {
	classes, spread, total := len(p.shares), 0.0, 0.0
	for k, a := range p.shares {
		spread += a * (1 - a)
		for l := range p.shares {
			total += weight(kind, k, l, classes)
		}
	}
	chance := total * spread / float64(classes*(classes-1))
	return (p.percent(kind) - chance) / (1 - chance)
}

// judged is an estimate with the value of its population.
type judged struct {
	Estimate
	truth float64
}

// judge names the measures of a sample.
func (p population) judge(ratings [][]int, opts Options) map[string]judged {
	classes := len(p.shares)
	r := Measure(ratings, classes, names(3), opts)
	last := PerClass(ratings, classes, opts)[classes-1]
	pair := r.Cohen[0]
	list := map[string]judged{
		"percent": {r.Percent, p.percent(nominal)}, "Fleiss": {r.Fleiss, p.kappa}, "AC1": {r.GwetAC1, p.gwet(nominal)},
		"alpha": {r.KrippendorffNominal, p.kappa}, "Cohen, mean": {r.CohenMean, p.kappa},
		"percent of a pair": {pair.Percent, p.percent(nominal)}, "Cohen": {pair.Kappa, p.kappa},
		"percent of a class": {last.Percent, p.kappa + (1-p.kappa)*p.shares[classes-1]},
		"kappa of a class":   {last.Kappa, p.kappa},
	}
	if classes > 2 {
		maps.Copy(list, map[string]judged{
			"AC2, linear":    {*r.GwetAC2Linear, p.gwet(linear)},
			"AC2, quadratic": {*r.GwetAC2Quadratic, p.gwet(quadratic)},
			"alpha, ordinal": {*r.KrippendorffOrdinal, p.kappa}, "alpha, interval": {*r.KrippendorffInterval, p.kappa},
			"Cohen, mean, linear":    {*r.CohenMeanLinear, p.kappa},
			"Cohen, mean, quadratic": {*r.CohenMeanQuadratic, p.kappa}, "Cohen, linear": {*pair.Linear, p.kappa},
			"Cohen, quadratic": {*pair.Quadratic, p.kappa},
		})
	}
	return list
}

// covered counts samples, intervals among them, and intervals that hold the true value.
type covered struct{ samples, given, held int }

func (c *covered) add(j judged) {
	c.samples++
	if iv := j.Interval; iv != nil && iv.Reason == "" {
		c.given++
		if iv.Low <= j.truth && j.truth <= iv.High {
			c.held++
		}
	}
}

func (c *covered) coverage() float64 { return float64(c.held) / float64(c.given) }

// bca are the bias-corrected and accelerated bootstrap intervals of all values of a table (Efron
// and Tibshirani 1993, section 14.3), the first candidate of spec/agreement.md. They are given
// where the jackknife of the acceleration is defined and varies.
func bca(ratings [][]int, classes int, seed uint64) []stats.Interval {
	t := newTable(ratings, classes, false)
	from := t.slots(Options{Intervals: true}, t.whole(), t.values)
	replicates, s, times := make([][]float64, len(from.values)), t.newTally(), make([]int, len(t.patterns))
	stats.Plan{Items: t.items, Resamples: 1000, Seed: seed}.Each(func(items []int) {
		clear(times)
		for _, i := range items {
			times[t.of[i]]++
		}
		t.count(s, times)
		for k, v := range t.values(s, nil) {
			if v.Defined() {
				replicates[k] = append(replicates[k], v.Value)
			}
		}
	})
	list := make([]stats.Interval, len(from.values))
	for k, v := range from.values {
		list[k] = stats.Interval{Reason: NoVariance}
		squares, cubes, below := 0.0, 0.0, 0.0
		for q, without := range from.without {
			d := v.Value - without[k].Value
			squares, cubes = squares+float64(from.times[q])*d*d, cubes+float64(from.times[q])*d*d*d
		}
		for _, r := range replicates[k] {
			switch {
			case math.Abs(r-v.Value) < 1e-9:
				below += 0.5
			case r < v.Value:
				below++
			}
		}
		shift := distuv.UnitNormal.Quantile(below / float64(len(replicates[k])))
		if !v.Defined() || squares < 1e-12 || math.IsInf(shift, 0) {
			continue
		}
		slices.Sort(replicates[k])
		bound := func(z float64) float64 {
			z += shift
			return stats.Quantile(replicates[k], distuv.UnitNormal.CDF(shift+z/(1-cubes/(6*math.Pow(squares, 1.5))*z)))
		}
		list[k] = stats.Interval{Low: bound(-1.96), High: bound(1.96)}
	}
	return list
}

// inOrder are the measures of judge that table.values begins with.
func inOrder(classes int) []string {
	if classes == 2 {
		return []string{"percent", "Fleiss", "AC1", "alpha", "Cohen, mean", "percent of a pair", "Cohen"}
	}
	return []string{
		"percent", "Fleiss", "AC1", "alpha", "AC2, linear", "AC2, quadratic", "alpha, ordinal", "alpha, interval",
		"Cohen, mean", "Cohen, mean, linear", "Cohen, mean, quadratic", "percent of a pair", "Cohen", "Cohen, linear",
		"Cohen, quadratic",
	}
}

// populations are those of spec/agreement.md, "Intervals": two and three classes, prevalence of
// the last one, kappa.
func populations(prevalences, kappas []float64) []population {
	var list []population
	for _, v := range prevalences {
		for _, kappa := range kappas {
			list = append(list, population{[]float64{1 - v, v}, kappa},
				population{[]float64{(1 - v) * 2 / 3, (1 - v) / 3, v}, kappa})
		}
	}
	return list
}

// enough is the share of the samples in which an interval must be given for its coverage to be
// asserted.
const enough = 0.1

// least is the least coverage over the populations in which it is asserted, with all that was
// counted.
type least struct {
	coverage float64
	covered
}

func (l *least) add(c *covered) {
	l.samples, l.given, l.held = l.samples+c.samples, l.given+c.given, l.held+c.held
	if float64(c.given) >= enough*float64(c.samples) {
		l.coverage = min(l.coverage, c.coverage())
	}
}

func (l *least) String() string {
	return fmt.Sprintf("%.1f (%.0f)", 100*l.coverage, 100*(1-float64(l.given)/float64(l.samples)))
}

// TestCoverage draws samples of known populations: at least 90 % of the intervals of 95 % that
// are given hold the true value, for every measure in every population. VARISCOPE_COVERAGE=SEED
// (make coverage) takes the whole grid of the spec, and prints the table of docs/results.md with
// the bootstrap's coverage beside.
func TestCoverage(t *testing.T) {
	samples, items := 1500, []int{8, 24}
	grid := populations([]float64{0.1, 0.5}, []float64{0, 0.8})
	seed, all := testdata.Coverage()
	if all {
		samples, items = 1500, []int{8, 12, 24, 50, 100}
		grid = populations([]float64{0.1, 0.3, 0.5}, []float64{0, 0.3, 0.6, 0.8, 0.9})
	}
	rows := map[string]*least{}
	row := func(name string) *least {
		if rows[name] == nil {
			rows[name] = &least{coverage: 1}
		}
		return rows[name]
	}
	for _, n := range items {
		for _, p := range grid {
			classes, ours, theirs := len(p.shares), map[string]*covered{}, map[string]*covered{}
			for sample := range samples {
				ratings := p.draw(rand.New(rand.NewPCG(seed, uint64(sample))), n)
				judged := p.judge(ratings, Options{Intervals: true})
				for name, j := range judged {
					count(ours, name, j)
				}
				if !all || sample >= samples/10 {
					continue
				}
				intervals := bca(ratings, classes, uint64(sample)+1)
				for k, name := range inOrder(classes) {
					j := judged[name]
					j.Interval = &intervals[k]
					count(theirs, name, j)
				}
			}
			for name, c := range ours {
				row(fmt.Sprintf("%d | %s | %d", classes, name, n)).add(c)
				if float64(c.given) >= enough*float64(c.samples) && c.coverage() < 0.9 {
					t.Errorf("%s of %d items, %v: %.1f %% of %d intervals hold the true value", name, n, p,
						100*c.coverage(), c.given)
				}
			}
			for name, c := range theirs {
				row(fmt.Sprintf("%d | %s | BCa", classes, name)).add(c)
			}
		}
	}
	if !all {
		return
	}
	fmt.Println("| classes | measure | n = 8 | 12 | 24 | 50 | 100 | BCa |\n| ---: | --- | --- | --- | --- | --- | " +
		"--- | --- |")
	for _, classes := range []int{2, 3} {
		for _, name := range append(inOrder(classes), "percent of a class", "kappa of a class") {
			line := fmt.Sprintf("%d | %s |", classes, name)
			for _, n := range []string{"8", "12", "24", "50", "100", "BCa"} {
				text := "-"
				if l := rows[fmt.Sprintf("%d | %s | %s", classes, name, n)]; l != nil {
					text = l.String()
				}
				line += " " + text + " |"
			}
			fmt.Println("| " + line)
		}
	}
}

func count(in map[string]*covered, name string, j judged) {
	if in[name] == nil {
		in[name] = &covered{}
	}
	in[name].add(j)
}

// TestPlanHoldsWhatComes draws rounds of known populations of which three raters have labelled the
// first models, plans 100 models and two to four raters, and draws these: in at least three
// quarters of the rounds with a plan the half-width of Fleiss' kappa lies in the range of the plan.
// VARISCOPE_COVERAGE=SEED (make coverage) takes more populations and prints the table of
// docs/results.md.
func TestPlanHoldsWhatComes(t *testing.T) {
	samples, present := 12, []int{20}
	grid := []population{{[]float64{0.5, 0.5}, 0.6}}
	seed, all := testdata.Coverage()
	if all {
		samples, present = 200, []int{10, 20}
		grid = append(grid, population{[]float64{0.9, 0.1}, 0.6}, population{[]float64{0.7, 0.3}, 0.9},
			population{[]float64{0.5, 0.3, 0.2}, 0.3})
		fmt.Println("| models now | shares of the classes | kappa | annotators | planned | held | narrower | wider | " +
			"planned / real |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	}
	for _, now := range present {
		for _, p := range grid {
			type outcome struct{ planned, held, narrower, wider, both int }
			var found [5]outcome
			var ratio [5]float64
			for sample := range samples {
				rounds := p.drawn(rand.New(rand.NewPCG(seed, uint64(sample))), 100, 4)
				first := [][]int{rounds[0][:now], rounds[1][:now], rounds[2][:now]}
				o := Planning{HalfWidth: 0.1, MostModels: 100, MostAnnotators: 4, SimulatedRounds: 100, Seed: 1}
				plan, err := PlanOf(t.Context(), tableOf(first, len(p.shares)), o, nil)
				testdata.OK(t, err)
				for _, w := range plan.Widths {
					if w.Measure != "fleiss" || w.Models != 100 || !w.HalfWidth.Defined() {
						continue
					}
					real := Measure(rounds[:w.Annotators], len(p.shares), names(w.Annotators),
						Options{Intervals: true}).Fleiss
					low, high := real.Ends()
					half, f := (high-low)/2, &found[w.Annotators]
					switch f.planned++; {
					case half < w.Low-1e-9:
						f.narrower++
					case half <= w.High+1e-9:
						f.held++
					default:
						f.wider++
					}
					if !math.IsNaN(half) {
						f.both, ratio[w.Annotators] = f.both+1, ratio[w.Annotators]+math.Log(w.HalfWidth.Value/half)
					}
				}
			}
			for annotators, f := range found {
				share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
				if f.planned < samples/10 {
					continue
				}
				if share(f.held, f.planned) < 75 {
					t.Errorf("%d models now, %v, %d annotators: %.1f %% of %d plans held", now, p, annotators,
						share(f.held, f.planned), f.planned)
				}
				if all {
					fmt.Printf("| %d | %v | %v | %d | %.0f %% | %.1f %% | %.1f %% | %.1f %% | %.2f |\n", now, p.shares,
						p.kappa, annotators,
						share(f.planned, samples), share(f.held, f.planned), share(f.narrower, f.planned),
						share(f.wider, f.planned), math.Exp(ratio[annotators]/float64(f.both)))
				}
			}
		}
	}
}
