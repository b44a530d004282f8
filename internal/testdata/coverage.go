package testdata

import (
	"math"
	"os"
	"strconv"
)

// Coverage is the seed of simulations that count how often an interval holds the true value, and
// whether they are long: make coverage sets VARISCOPE_COVERAGE to the seed.
func Coverage() (seed uint64, long bool) {
	seed, err := strconv.ParseUint(os.Getenv("VARISCOPE_COVERAGE"), 10, 64)
	if err != nil {
		return 1, false
	}
	return seed, true
}

// Holds fails the test unless held of n intervals, which hold the true value, are what intervals
// let expect of which a share from low to high does: within four standard errors of the binomial.
func Holds(t TB, what string, held, n int, low, high float64) {
	t.Helper()
	slack := func(p float64) float64 { return 4 * math.Sqrt(p*(1-p)/float64(n)) }
	if share := float64(held) / float64(n); !(share >= low-slack(low) && share <= high+slack(high)) {
		t.Errorf("%s: %d of %d intervals hold the true value, not %g to %g of them", what, held, n, low, high)
	}
}
