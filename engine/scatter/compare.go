package scatter

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/stats"
)

// Scale is the per-model constant that signals of HEAD are divided by (spec section 8): for reducer
// max the mean over targets of |s(image 0)|, for mean that of the mean of absolute values, both
// given as the numbers themselves. One below 1e-12, or of no numbers at all, is replaced by 1 and
// flagged.
func Scale(own []float64) (constant float64, flagged bool) {
	sum := 0.0
	for _, v := range own {
		sum += math.Abs(v)
	}
	constant = sum / float64(len(own))
	if !(constant >= 1e-12) {
		return 1, true
	}
	return constant, false
}

// Difference is the root mean square of the elements' differences of two matrices of one size;
// elements that are NaN in either are left out. It is NaN where nothing is left, and for matrices
// of different sizes.
func Difference(a, b Matrix) float64 {
	if a.R != b.R || len(a.Values) != len(b.Values) {
		return math.NaN()
	}
	sum, n := 0.0, 0
	for e, v := range a.Values {
		if d := v - b.Values[e]; !math.IsNaN(d) {
			sum += float64(d * d)
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}

// Shares are the shares of targets of spec section 12 (B3).
func Shares() []float64 { return []float64{1, 0.75, 0.5, 0.25, 0.1, 0.05} }

// DefaultDraws are the samples per share (B3).
const DefaultDraws = 10

// Draw are the targets of a seeded sample of a share of n targets, ascending: floor(share * n), at
// least 1. draw tells several samples of one seed apart.
func Draw(n int, share float64, seed uint64, draw int) []int {
	size := min(max(int(math.Floor(share*float64(n)+1e-9)), 1), n) // 0.29 * 100 is 28.999999999999996
	targets := rand.New(rand.NewPCG(seed, uint64(draw))).Perm(n)[:size]
	slices.Sort(targets)
	return targets
}

// ShareEffect is what a smaller share of targets does to a matrix (B3).
type ShareEffect struct {
	Share float64
	// Example is the matrix of draw 0.
	Example Matrix
	// Differences from the matrix of all targets, one per draw; Mean and Std (population) of them.
	Differences []float64
	Mean, Std   float64
}

// Sampling is how samples of targets are drawn.
type Sampling struct {
	Shares []float64 // nil is Shares()
	Draws  int       // 0 is DefaultDraws
	Seed   uint64
	// Whole are the matrices of all targets, one per interpolant, where they are known already;
	// else nil.
	Whole []Matrix
}

// ByShare says, for every interpolant and share of targets, how far the matrices of samples lie
// from that of all targets (spec section 12, B3): effects[interpolant][share]. A share that takes
// all targets is not computed again: its differences are 0. It fails where Interpolate does and for
// a share that is not above 0 and at most 1; p may be nil.
func ByShare(
	ctx context.Context, c Cloud, raster int, list []Interpolant, s Sampling, p progress.Progress,
) ([][]ShareEffect, error) {
	if s.Shares == nil {
		s.Shares = Shares()
	}
	s.Draws = cmp.Or(s.Draws, DefaultDraws)
	for _, share := range s.Shares {
		if !(share > 0 && share <= 1) {
			return nil, fmt.Errorf("a share of targets of %v; take one above 0 and at most 1", share)
		}
	}
	p = progress.Or(p)
	p.SetTotal(int64(1 + len(s.Shares)*s.Draws))
	whole, err := s.Whole, error(nil)
	if whole == nil || len(whole) != len(list) {
		if whole, err = Interpolate(ctx, c, raster, list); err != nil {
			return nil, err
		}
	}
	p.Add(1)
	effects := make([][]ShareEffect, len(list))
	for k := range effects {
		effects[k] = make([]ShareEffect, len(s.Shares))
	}
	for n, share := range s.Shares {
		for draw := range s.Draws {
			targets, matrices := Draw(len(c.Distances), share, s.Seed, draw), whole
			if len(targets) < len(c.Distances) {
				if matrices, err = Interpolate(ctx, c.Of(targets), raster, list); err != nil {
					return nil, err
				}
			}
			for k, m := range matrices {
				e := &effects[k][n]
				if e.Share = share; draw == 0 {
					e.Example = m
				}
				e.Differences = append(e.Differences, Difference(m, whole[k]))
			}
			p.Add(1)
		}
	}
	for _, row := range effects {
		for n := range row {
			row[n].Mean, row[n].Std = stats.Moments(row[n].Differences)
		}
	}
	return effects, nil
}

// Pairwise is how much the matrices of several runs differ (spec section 12, B4): the mean of
// Difference over all pairs, and the pairs' own, in the order (0,1), (0,2), ... (1,2), ... It is
// NaN for fewer than two matrices.
func Pairwise(runs []Matrix) (mean float64, pairs []float64) {
	for i := range runs {
		for j := i + 1; j < len(runs); j++ {
			pairs = append(pairs, Difference(runs[i], runs[j]))
		}
	}
	if len(pairs) == 0 {
		return math.NaN(), nil
	}
	mean, _ = stats.Moments(pairs)
	return mean, pairs
}
