package feature

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/variance"
)

// numbers collects the values of a formula's index set.
func numbers(visit func(add func(float64))) (mean, std float64) {
	var list []float64
	visit(func(v float64) { list = append(list, v) })
	if len(list) == 0 {
		return 0, 0
	}
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		std += (v - mean) * (v - mean) / float64(len(list))
	}
	return mean, math.Sqrt(std)
}

// randomMatrix is a variance matrix of a kind: anything, smooth, constant, mostly zeros.
func randomMatrix(n int, kind string, random *rand.Rand) variance.Matrix {
	m := variance.Matrix{N: n, Data: make([]float64, n*n)}
	constant := random.Float64()
	for i := range n {
		for j := range i {
			v := random.Float64()
			switch {
			case kind == "smooth":
				v = 0.3*(1-math.Exp(-float64(i-j)/9)) + 0.001*v
			case kind == "constant":
				v = constant
			case kind == "sparse" && v < 0.8:
				v = 0
			}
			m.Data[i*n+j], m.Data[j*n+i] = v, v
		}
	}
	return m
}

// nudged is a matrix close to another, as a sub-sample's is.
func nudged(m variance.Matrix, random *rand.Rand) variance.Matrix {
	near := variance.Matrix{N: m.N, Data: slices.Clone(m.Data)}
	for i := range m.N {
		for j := range i {
			v := m.At(i, j) * (1 + 0.01*random.Float64())
			near.Data[i*m.N+j], near.Data[j*m.N+i] = v, v
		}
	}
	return near
}

func ExampleMeasure() {
	m := variance.Matrix{N: 3, Data: []float64{0, 0.1, 0.3, 0.1, 0, 0.15, 0.3, 0.15, 0}}
	measured, _ := Measure(m, nil, Options{})
	fmt.Printf("mean %.3f, share above 0.15 %.3f, flags %v\n",
		measured.Values[Mean], measured.Values[ASV], measured.Flags)
	// Output: mean 0.183, share above 0.15 0.333, flags [no_reduced_matrix dg_ratio_undefined]
}
