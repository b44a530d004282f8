package scatter

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// middled is the cloud of a target's images in the middle of their cells.
func middled(c Cloud, cells int) Cloud {
	moved := Cloud{D: c.D, Signals: c.Signals}
	for t := range c.Distances {
		row := make([]float64, len(c.Distances[t]))
		for i, x := range c.pixels(t, cells) {
			row[i] = (float64(x) + 0.5) * c.D / float64(cells)
		}
		moved.Distances = append(moved.Distances, row)
	}
	return moved
}

// A preview is the exact matrix of the points in the middles of their cells. Ties are the rule
// among these, so the made-up point is compared where K takes all points or none; TestCellSearch
// has the rest.
func TestPreviewEqualsTheDirectFormulaOfMiddles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, cells := cloudOf(t), rapid.SampledFrom([]int{1, 2, 7, 16, 40}).Draw(t, "cells")
		p := interpolantOf(t)
		p.Sigma += 0.01  // not a point exactly on
		p.Size += 0.0137 // the edge of a circle
		p.K = rapid.SampledFrom([]int{0, 100000}).Draw(t, "all")
		b := testdata.Must(Bin(context.Background(), c, cells))(t)
		testdata.OK(t, differ(b.Preview(12, p), slow(middled(c, cells), 12, p), 1e-9))
	})
}

// The nearest cells of an element, compared with all cells sorted by distance.
func TestCellSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, n := cloudOf(t), rapid.IntRange(1, 20).Draw(t, "cells")
		b := testdata.Must(Bin(context.Background(), c, n))(t)
		k := rapid.IntRange(1, 80).Draw(t, "K")
		at := make([]float64, n)
		for i := range at {
			at[i] = (float64(i)+0.5)*9/float64(n) - 0.5
		}
		u := b.neighbours(at, 9, k)
		for e, got := range u {
			low, high := slowNeighbours(b, at, float64(e%9), float64(e/9), k)
			if got < low-1e-9 || got > high+1e-9 {
				t.Errorf("element %d: %v, want %v to %v", e, got, low, high)
			}
		}
	})
}

// slowNeighbours are the least and the largest mean of the k nearest points: cells at the distance
// of the last one may be taken in any order.
func slowNeighbours(b Bins, at []float64, x, y float64, k int) (low, high float64) {
	type item struct{ distance, value, count float64 }
	var list []item
	total := 0.0
	for cell, n := range b.Counts {
		if n > 0 {
			dx, dy := at[cell%b.Cells]-x, at[cell/b.Cells]-y
			list = append(list, item{math.Round((dx*dx+dy*dy)*1e9) / 1e9, b.Sums[cell] / n, n})
			total += n
		}
	}
	mean := func(sign float64) float64 {
		slices.SortFunc(list, func(p, q item) int {
			if p.distance != q.distance {
				return int(math.Copysign(1, p.distance-q.distance))
			}
			return int(2 * sign * math.Copysign(1, p.value-q.value))
		})
		left, sum := math.Min(float64(k), total), 0.0
		all := left
		for _, c := range list {
			n := math.Min(left, c.count)
			sum, left = sum+n*c.value, left-n
		}
		return sum / all
	}
	return mean(1), mean(-1)
}

func TestBinCountsEveryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, n := cloudOf(t), rapid.IntRange(1, 30).Draw(t, "cells")
		b := testdata.Must(Bin(context.Background(), c, n))(t)
		want := Bins{Counts: make([]float64, n*n), Sums: make([]float64, n*n)}
		last, density := make([]float64, n*n), Density(c, n)
		for e := range last {
			last[e] = math.NaN()
		}
		for t := range c.Distances {
			for i, x := range c.Distances[t] {
				for j, y := range c.Distances[t] {
					cell := min(int(y/c.D*float64(n)), n-1)*n + min(int(x/c.D*float64(n)), n-1)
					want.Counts[cell]++
					want.Sums[cell] += math.Abs(c.Signals[t][i] - c.Signals[t][j])
					last[cell] = math.Abs(c.Signals[t][i] - c.Signals[t][j])
				}
			}
		}
		means, dots, logs := b.Means(), Dots(c, n), LogDensity(c, n)
		for e := range last {
			if b.Counts[e] != want.Counts[e] || density.Values[e] != want.Counts[e] ||
				math.Abs(b.Sums[e]-want.Sums[e]) > 1e-9 {
				t.Errorf("cell %d: %v points, density %v, sum %v, want %v and %v", e, b.Counts[e], density.Values[e],
					b.Sums[e], want.Counts[e], want.Sums[e])
			}
			if empty := want.Counts[e] == 0; math.IsNaN(means.Values[e]) != empty || !empty &&
				math.Abs(means.Values[e]-want.Sums[e]/want.Counts[e]) > 1e-9 {
				t.Errorf("cell %d: mean %v", e, means.Values[e])
			}
			if l := logs.Values[e]; math.IsNaN(l) != (want.Counts[e] == 0) ||
				math.Abs(math.Pow(10, l)-want.Counts[e]) > 1e-9 {
				t.Errorf("pixel %d: logarithm of the density %v of %v points", e, l, want.Counts[e])
			}
			if dots.Values[e] != last[e] && !(math.IsNaN(dots.Values[e]) && math.IsNaN(last[e])) {
				t.Errorf("pixel %d shows %v, want %v", e, dots.Values[e], last[e])
			}
		}
	})
}

func TestBinRefuses(t *testing.T) {
	c := published(2)
	for _, cells := range []int{0, -1, 2049} {
		testdata.Refused(t, fmt.Sprintf("%d cells", cells), testdata.Err(Bin(t.Context(), c, cells)), "cells a side")
	}
	if _, err := Bin(t.Context(), Cloud{}, 8); err == nil || !strings.Contains(err.Error(), "no targets") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "Bin", testdata.Err(Bin(ctx, c, 8)), context.Canceled)
	b := testdata.Must(Bin(t.Context(), c, 8))(t)
	for name, do := range map[string]func(){
		"raster": func() { b.Preview(2, Interpolants()[0]) }, "sigma": func() { b.Preview(8, Interpolant{1, 0, 1}) },
		"targets": func() { Dots(Cloud{}, 4) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, name) {
					t.Errorf("said %q, want %q", said, name)
				}
			}()
			do()
		}()
	}
}

// previewErrors are the mean and the largest difference of a preview from the exact matrix.
func previewErrors(t *testing.T, c Cloud, p Interpolant) (mean, most float64) {
	t.Helper()
	exact := testdata.Must(Interpolate(t.Context(), c, DefaultRaster, []Interpolant{p}))(t)
	b := testdata.Must(Bin(t.Context(), c, DefaultCells))(t)
	preview := b.Preview(DefaultRaster, p)
	for e, v := range exact[0].Values {
		d := math.Abs(v - preview.Values[e])
		mean, most = mean+d/float64(len(exact[0].Values)), math.Max(most, d)
	}
	return mean, most
}

// TestPreviewError measures what a preview is worth, on a cloud of the published form and on the
// scenes' reference clouds.
func TestPreviewError(t *testing.T) {
	for _, p := range Interpolants() {
		mean, most := previewErrors(t, published(200), p)
		t.Logf("200 targets, %s: %.2g in the mean, %.2g at most", p, mean, most)
		if mean > 1e-3 || most > 0.01 {
			t.Errorf("%s: a preview is off by %.2g in the mean, %.2g at most", p, mean, most)
		}
	}
	folder, s, ok := zooScenes(t)
	if !ok {
		return
	}
	for _, id := range s.having("signals_*.csv") {
		for _, p := range s.list() {
			mean, most := previewErrors(t, zooCloud(t, folder, id, "conf_max", s), p)
			t.Logf("model %s, %s: %.2g in the mean, %.2g at most", id, p, mean, most)
			if mean > 1e-3 || most > 0.01 {
				t.Errorf("model %s, %s: a preview is off by %.2g in the mean, %.2g at most", id, p, mean, most)
			}
		}
	}
}
