package dscore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
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

// draw draws images: what is right about one in all variants and suites is correlated by 0.64,
// since some images are hard for all.
func (a Accuracies) draw(random *rand.Rand, n, images int) Hits {
	h := Hits{Grid: n, Classes: a.Classes, Original: make([]bool, images)}
	rows, cuts := [][]bool{h.Original}, []float64{distuv.UnitNormal.Quantile(a.Original)}
	for i := range a.Variants {
		h.Variants, h.Shifted = append(h.Variants, make([]bool, images)), append(h.Shifted, make([]bool, images))
		rows = append(rows, h.Variants[i], h.Shifted[i])
		cuts = append(cuts, distuv.UnitNormal.Quantile(a.Variants[i]), distuv.UnitNormal.Quantile(a.Shifted[i]))
	}
	for k := range images {
		hard := 0.8 * random.NormFloat64()
		for r, row := range rows {
			row[k] = hard+0.6*random.NormFloat64() < cuts[r]
		}
	}
	return h
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

// TestCoverage draws samples of known populations: at least 90 % of the intervals of 95 % that
// are given hold the true value, for each score. VARISCOPE_COVERAGE=SEED (make coverage) takes
// more populations and sizes and prints the table of docs/results.md.
func TestCoverage(t *testing.T) {
	populations := []population{
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
	grids, sizes, samples := []int{2, 3}, []int{500}, 100
	seed, err := strconv.ParseUint(os.Getenv("VARISCOPE_COVERAGE"), 10, 64)
	all := err == nil
	if !all {
		seed = 1
	}
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
					h := accuracies.draw(rand.New(rand.NewPCG(seed, stream+uint64(sample))), n, images)
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
						t.Errorf("%s, n = %d, %d images: %.0f %% of %d intervals of %s hold the true value", p.name, n, images, c.coverage(), c.given, name)
					}
				}
				if all {
					fmt.Printf("| %s | %d | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", p.name, n, images, 100-100*float64(ours[0].given)/float64(repeats),
						ours[0].coverage(), ours[1].coverage(), ours[2].coverage(), features.coverage(), attention.coverage())
				}
			}
		}
	}
}
