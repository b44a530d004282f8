package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Components are the parts of the variance of values that come in groups, by the random effects
// model of one way: a value is the mean, plus what its group adds, plus what it adds by itself.
type Components struct {
	N, Groups, Singles int // values, groups that have some, and those that have one
	Mean               float64
	// MeanBetween and MeanWithin are the mean squares, with Groups-1 and N-Groups degrees of
	// freedom.
	MeanBetween, MeanWithin float64
	// Between and Within are standard deviations: of what a group adds (0 where the estimate of its
	// variance is negative), and of values around their group.
	Between, Within float64
	// ICC is the share of the variance that lies between groups, with its 95 % interval, which is
	// that of Searle (1971): exact for normal values in groups of one size, else an approximation.
	// It may be below 0, where values of a group differ more than the groups do.
	ICC, Low, High float64
	F, P           float64 // of the test that groups add nothing
}

// constant is how far values that are equal may seem to lie apart, as a share of them.
const constant = 1e-12

// OneWay parts the variance of values by their groups (numbers from 0 on). A value of NaN is left
// out with its place in the group. With k groups of n_i values, N in all, and
// n0 = (N - sum n_i^2 / N) / (k-1):
//
//	MSB = sum n_i (mean_i - mean)^2 / (k-1),   MSW = sum (v - mean_i)^2 / (N-k)
//	Between^2 = (MSB - MSW) / n0,   Within^2 = MSW,   F = MSB / MSW
//	ICC = (F-1) / (F + n0 - 1),   Low and High the same of F / F_p(k-1, N-k), p = 0.975 and 0.025
//
// What needs more than one group, or a group of more than one value, is NaN without these, and so
// are ICC, F and P where no value differs from another in its group.
func OneWay(values []float64, groups []int) Components {
	nan := math.NaN()
	c := Components{
		MeanBetween: nan, MeanWithin: nan, Between: nan, Within: nan, ICC: nan, Low: nan, High: nan, F: nan, P: nan,
	}
	var sums []float64
	var counts []int
	total := 0.0
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		for len(counts) <= groups[i] {
			sums, counts = append(sums, 0), append(counts, 0)
		}
		sums[groups[i]] += v
		counts[groups[i]]++
		total += v
		c.N++
	}
	c.Mean = total / float64(c.N)
	between, within, squares := 0.0, 0.0, 0.0
	for g, n := range counts {
		switch n {
		case 0:
			continue
		case 1:
			c.Singles++
		}
		c.Groups++
		sums[g] /= float64(n) // a mean from here on
		between += float64(n) * float64((sums[g]-c.Mean)*(sums[g]-c.Mean))
		squares += float64(n * n)
	}
	for i, v := range values {
		if !math.IsNaN(v) {
			d := v - sums[groups[i]]
			within += float64(d * d)
		}
	}
	above, below := float64(c.Groups-1), float64(c.N-c.Groups)
	if above > 0 {
		c.MeanBetween = between / above
	}
	if below > 0 {
		c.MeanWithin = within / below
		c.Within = math.Sqrt(c.MeanWithin)
	}
	if above <= 0 || below <= 0 {
		return c
	}
	size := (float64(c.N) - squares/float64(c.N)) / above
	c.Between = math.Sqrt(max(0, (c.MeanBetween-c.MeanWithin)/size))
	if math.Sqrt(within) <= constant*(math.Abs(c.Mean)*math.Sqrt(float64(c.N))+math.Sqrt(between)) {
		return c
	}
	icc := func(f float64) float64 { return (f - 1) / (f + size - 1) }
	f := distuv.F{D1: above, D2: below}
	c.F = c.MeanBetween / c.MeanWithin
	c.ICC, c.Low, c.High = icc(c.F), icc(c.F/f.Quantile(0.975)), icc(c.F/f.Quantile(0.025))
	c.P = f.Survival(c.F)
	return c
}
