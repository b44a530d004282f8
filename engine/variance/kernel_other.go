//go:build !amd64

package variance

// wideLanes is false where there is no kernel for the processor; squareLanes is then never called.
const wideLanes = false

func squareLanes(*[4 * lanes]float64, *float64, *float64, int, int) {
	panic("variance: no kernel for this processor")
}
