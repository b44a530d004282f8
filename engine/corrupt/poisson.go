package corrupt

import (
	"math"
	"math/rand/v2"
)

// fewPhotons is the mean up to which counting is faster than rejection.
const fewPhotons = 10

// poisson draws a count with the given mean. A mean of 0 or below gives 0.
func poisson(random *rand.Rand, mean float64) float64 {
	switch {
	case mean <= 0:
		return 0
	case mean < fewPhotons:
		return inverted(random, mean)
	}
	return rejected(random, mean)
}

// inverted walks the distribution function up to a uniform draw.
func inverted(random *rand.Rand, mean float64) float64 {
	u, p, count := random.Float64(), math.Exp(-mean), 0.0
	// p falls below the rounding of the sum long before; the bound only keeps a draw of almost 1
	// from walking on for ever.
	const furthest = 200
	for u > p && count < furthest {
		u -= p
		count++
		p *= mean / count
	}
	return count
}

// rejected is the transformed rejection PTRS of Hörmann, "The transformed rejection method for
// generating Poisson random variables", 1993, for means from 10 on.
func rejected(random *rand.Rand, mean float64) float64 {
	b := 0.931 + 2.53*math.Sqrt(mean)
	a := -0.059 + 0.02483*b
	inverse := 1.1239 + 1.1328/(b-3.4)
	quick := 0.9277 - 3.6224/(b-2)
	logMean := math.Log(mean)
	for {
		u, v := random.Float64()-0.5, 1-random.Float64()
		reach := 0.5 - math.Abs(u)
		count := math.Floor((2*a/reach+b)*u + mean + 0.43)
		if reach >= 0.07 && v <= quick {
			return count
		}
		if count < 0 || reach < 0.013 && v > reach {
			continue
		}
		gamma, _ := math.Lgamma(count + 1)
		if math.Log(v*inverse/(a/(reach*reach)+b)) <= count*logMean-mean-gamma {
			return count
		}
	}
}
