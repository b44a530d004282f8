package dscore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/internal/testdata"
)

// population has the probabilities of right answers for each region of n x n.
type population struct {
	name              string
	original          float64
	variants, shifted func(at float64, first bool) float64 // at runs over the regions from 0 to 1
}

func same(p float64) func(float64, bool) float64 { return func(float64, bool) float64 { return p } }
func rising(from, to float64) func(float64, bool) float64 {
	return func(at float64, _ bool) float64 { return from + (to-from)*at }
}

func single(one, others float64) func(float64, bool) float64 {
	return func(_ float64, first bool) float64 {
		if first {
			return one
		}
		return others
	}
}

func (p population) accuracies(n int) Accuracies {
	a := Accuracies{Original: p.original, Classes: 10}
	for i := range n * n {
		at := float64(i) / float64(n*n-1)
		a.Variants, a.Shifted = append(a.Variants, p.variants(at, i == 0)), append(a.Shifted, p.shifted(at, i == 0))
	}
	return a
}

// drawHits draws images for models: what is right about one in all variants and suites, and in
// all models, is correlated by 0.64, since some images are hard for all.
func drawHits(random *rand.Rand, n, images int, models ...Accuracies) []Hits {
	var list []Hits
	var rows [][]bool
	var cuts []float64
	row := func(share float64) []bool {
		rows, cuts = append(rows, make([]bool, images)), append(cuts, distuv.UnitNormal.Quantile(share))
		return rows[len(rows)-1]
	}
	for _, a := range models {
		h := Hits{Grid: n, Classes: a.Classes, Original: row(a.Original)}
		for i := range a.Variants {
			h.Variants, h.Shifted = append(h.Variants, row(a.Variants[i])), append(h.Shifted, row(a.Shifted[i]))
		}
		list = append(list, h)
	}
	for k := range images {
		hard := 0.8 * random.NormFloat64()
		for r, row := range rows {
			row[k] = hard+0.6*random.NormFloat64() < cuts[r]
		}
	}
	return list
}

// covered counts intervals, and those that hold the true value.
type covered struct{ given, held int }

func (c *covered) add(iv Interval, truth float64) {
	if iv.Reason != "" {
		return
	}
	c.given++
	if iv.Low <= truth+1e-12 && truth <= iv.High+1e-12 {
		c.held++
	}
}

func (c *covered) coverage() float64 { return 100 * float64(c.held) / float64(c.given) }

var populations = []population{
	{"flat", 0.95, same(0.85), same(0.9)},
	{"one strong region", 0.95, single(0.6, 0.9), single(0.93, 0.8)},
	{"one region alone", 0.95, single(0.6, 0.95), same(0.9)},
	{"no region matters", 0.95, same(0.95), same(0.9)},
	{"small losses", 0.95, same(0.94), same(0.95)},
	{"gradients", 0.95, rising(0.93, 0.6), rising(0.9, 0.5)},
	{"gradient of features", 0.95, rising(0.93, 0.6), same(0.9)},
	{"gradient of attention", 0.95, same(0.9), rising(0.94, 0.7)},
	{"weak gradients", 0.8, rising(0.75, 0.7), rising(0.75, 0.7)},
}

// TestCoverage draws samples of known populations: at least 90 % of the intervals of 95 % that
// are given hold the true value, for each score. VARISCOPE_COVERAGE=SEED (make coverage) takes
// more populations and sizes and prints the table of docs/results.md.
func TestCoverage(t *testing.T) {
	populations := populations
	grids, sizes, samples := []int{2, 3}, []int{500}, 100
	seed, all := testdata.Coverage()
	if all {
		grids, sizes, samples = []int{2, 3, 4}, []int{100, 500, 1000, 3000, 10_000}, 160
		fmt.Println("| population | n | images | without | v_robust | v_fitness | D-Score | f~ | a~ |\n" +
			"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	} else {
		populations = populations[:3]
	}
	for _, p := range populations {
		for _, n := range grids {
			accuracies := p.accuracies(n)
			truth := compute(n, accuracies)
			scores := [3]float64{truth.Robust, truth.Fitness, truth.DScore}
			for _, images := range sizes {
				repeats, stream := samples, uint64(n*images)<<32
				var ours [3]covered
				var features, attention covered
				for sample := range repeats {
					h := drawHits(rand.New(rand.NewPCG(seed, stream+uint64(sample))), n, images, accuracies)[0]
					o := BootstrapOptions{Samples: 300, Seed: uint64(sample) + 1, Workers: 1}
					iv := testdata.Must(Bootstrap(t.Context(), h, o, nil))(t)
					for k, of := range []Interval{iv.Robust, iv.Fitness, iv.DScore} {
						ours[k].add(of, scores[k])
					}
					for i := range n * n {
						features.add(iv.Features[i], truth.Features[i])
						attention.add(iv.Attention[i], truth.Attention[i])
					}
				}
				for k, name := range []string{"v_robust", "v_fitness", "D-Score"} {
					if c := &ours[k]; c.given > 0 && c.coverage() < 90 {
						t.Errorf("%s, n = %d, %d images: %.0f %% of %d intervals of %s hold the true value", p.name, n,
							images, c.coverage(), c.given, name)
					}
				}
				if all {
					fmt.Printf("| %s | %d | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", p.name, n, images,
						100-100*float64(ours[0].given)/float64(repeats),
						ours[0].coverage(), ours[1].coverage(), ours[2].coverage(), features.coverage(),
						attention.coverage())
				}
			}
		}
	}
}

// TestCoverageOfDifferences draws the same images for two models of known populations: at least
// 85 % of the intervals of 95 % of their differences hold the true one. VARISCOPE_COVERAGE=SEED
// takes more of them and prints the table of docs/results.md.
func TestCoverageOfDifferences(t *testing.T) {
	few, samples, sizes := []population{populations[1], populations[4]}, 20, []int{500}
	seed, all := testdata.Coverage()
	if all {
		few = []population{populations[0], populations[1], populations[4], populations[5], populations[8]}
		samples, sizes = 160, []int{500, 2000}
		fmt.Println("| first | second | n | v_robust | v_fitness | D-Score |")
		fmt.Println("| --- | --- | ---: | ---: | ---: | ---: |")
	}
	for k, p := range few {
		for _, q := range few[k:] {
			for _, n := range []int{2, 3} {
				least := [3]float64{100, 100, 100}
				a, b := p.accuracies(n), q.accuracies(n)
				x, y := compute(n, a), compute(n, b)
				truth := [3]float64{y.Robust - x.Robust, y.Fitness - x.Fitness, y.DScore - x.DScore}
				for _, images := range sizes {
					var held [3]covered
					for sample := range samples {
						h := drawHits(rand.New(rand.NewPCG(seed, uint64(n*images)<<32+uint64(sample))), n, images, a, b)
						o := BootstrapOptions{Samples: 200, Seed: uint64(sample) + 1}
						d := testdata.Must(Differ(t.Context(), h[0], h[1], o, nil))(t)
						for i, iv := range []Interval{d.Robust, d.Fitness, d.DScore} {
							held[i].add(iv, truth[i])
						}
					}
					for i := range held {
						least[i] = min(least[i], held[i].coverage())
					}
				}
				if slices.Min(least[:]) < 85 {
					t.Errorf("%s and %s, n = %d: %.0f %% hold the true difference", p.name, q.name, n, least)
				}
				if all {
					fmt.Printf("| %s | %s | %d | %.0f | %.0f | %.0f |\n",
						p.name, q.name, n, least[0], least[1], least[2])
				}
			}
		}
	}
}
