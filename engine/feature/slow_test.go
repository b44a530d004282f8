package feature

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/variance"
	"pgregory.net/rapid"
)

// The features again, read off the table of spec/features.md one formula at a time, with no regard to speed.

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

func slowFilled(d variance.Matrix) func(i, j int) float64 {
	n := d.N - 1
	return func(i, j int) float64 {
		switch {
		case i != j:
			return d.At(i, j)
		case i == 0:
			return d.At(1, 0)
		case i == n:
			return d.At(n, n-1)
		}
		return (d.At(i, i-1) + d.At(i+1, i)) / 2
	}
}

func slowPaper(d, reduced variance.Matrix, tau float64) (v [Count]float64) {
	n := d.N - 1
	slowWhole(&v, d, reduced, tau)
	slowGradients(&v, d, n)
	if v[Mean] == 0 {
		return v
	}
	for r := 1; r <= n-1; r++ {
		_, std := numbers(func(add func(float64)) {
			for j := 0; j <= n-r; j++ {
				add(d.At(j+r, j))
			}
		})
		v[Dctny] += std * std * float64(n-r+1) / v[Mean]
	}
	for i := 0; i <= n; i++ {
		for j := 0; j < i; j++ {
			v[Asymm] += math.Abs(d.At(i, j)-d.At(n-j, n-i)) / v[Mean]
		}
	}
	return v
}

func slowGradients(v *[Count]float64, d variance.Matrix, n int) {
	f := slowFilled(d)
	// Each gradient with the bounds of its two indices, the outer one being that of the lines.
	row := func(i int) func(func(float64)) {
		return func(add func(float64)) {
			for j := 1; j <= i; j++ {
				add(f(i, j-1) - f(i, j))
			}
		}
	}
	column := func(j int) func(func(float64)) {
		return func(add func(float64)) {
			for i := j; i <= n-1; i++ {
				add(f(i+1, j) - f(i, j))
			}
		}
	}
	v[HGMean], v[HGStd] = numbers(func(add func(float64)) {
		for i := 1; i <= n; i++ {
			row(i)(add)
		}
	})
	v[VGMean], v[VGStd] = numbers(func(add func(float64)) {
		for j := 0; j <= n-1; j++ {
			column(j)(add)
		}
	})
	for line := 1; line <= n; line++ {
		_, ofRow := numbers(row(line))
		_, ofColumn := numbers(column(line - 1))
		v[HGRStd] += ofRow / float64(n)
		v[VGCStd] += ofColumn / float64(n)
	}
	v[DGMean], v[DGStd] = numbers(func(add func(float64)) {
		for i := 1; i <= n-1; i++ {
			for j := 1; j <= i; j++ {
				add(f(i+1, j-1) - f(i, j))
			}
		}
	})
	scale := 0.0
	for i := 0; i <= n; i++ {
		for j := 0; j <= n; j++ {
			scale = max(scale, math.Abs(f(i, j)))
		}
	}
	for _, pair := range [][2]Feature{{HGMean, HGStd}, {VGMean, VGStd}, {DGMean, DGStd}} {
		if v[pair[1]] > 1e-12*scale {
			v[GOverall] += v[pair[0]] / v[pair[1]] / 3
		}
	}
}

func slowWhole(v *[Count]float64, d, reduced variance.Matrix, tau float64) {
	n := d.N - 1
	lower := float64(n*(n+1)) / 2
	for i := 0; i <= n; i++ {
		for j := 0; j <= n; j++ {
			v[SVM] += d.At(i, j) * d.At(i, j) / 2 / float64(d.N) / float64(d.N)
			if i <= j {
				continue
			}
			if d.At(i, j) > tau {
				v[ASV] += 1 / lower
			}
			v[SSTY] += (d.At(i, j) - reduced.At(i, j)) * (d.At(i, j) - reduced.At(i, j)) / lower
		}
	}
	v[Mean], v[Std] = numbers(func(add func(float64)) {
		for i := 0; i <= n; i++ {
			for j := 0; j < i; j++ {
				add(d.At(i, j))
			}
		}
	})
}

// slowRefcode repeats the code the way the spec tells it: fill in place from the last row up, then two arrays of gradients
// of which rows and columns are deleted.
func slowRefcode(d, reduced variance.Matrix, tau float64) (v [Count]float64) {
	n, k := d.N-1, d.N/2
	g := make([][]float64, d.N)
	for a := range g {
		g[a] = slices.Clone(d.Data[a*d.N:][:d.N])
	}
	for a := n; a >= 0; a-- {
		switch {
		case a == n:
			g[n][n] = g[n][n-1]
		case a == 0:
			g[0][0] = g[0][1]
		case a >= k-1 && a <= k+1:
			for b := k - 1; b <= k+1; b++ {
				g[a][b] = (d.At(k+1, k+2) + d.At(k-2, k+1)) / 2
			}
		default:
			g[a][a] = (d.At(a, a+1) + d.At(a-1, a)) / 2
		}
	}
	all := func(add func(float64)) {
		for a := 0; a <= n; a++ {
			for b := 0; b <= n; b++ {
				add(g[a][b])
			}
		}
	}
	v[Mean], v[Std] = numbers(all)
	all(func(x float64) {
		v[SVM] += x * x / float64(d.N*d.N)
		if x > tau {
			v[ASV] += 1 / float64(d.N*d.N)
		}
	})
	for i := range d.Data {
		v[SSTY] += math.Abs(d.Data[i] - reduced.Data[i])
	}
	slowRefcodeGradients(&v, g, n, k)
	slowRefcodeShape(&v, g, n)
	return v
}

func slowRefcodeGradients(v *[Count]float64, g [][]float64, n, k int) {
	var columns, rows []float64
	v[HGMean], v[HGStd] = numbers(func(all func(float64)) {
		for j := 1; j <= n; j++ {
			if j == k || j == k+1 {
				continue
			}
			_, std := numbers(func(add func(float64)) {
				for a := j; a <= n; a++ {
					add(g[a][j-1] - g[a][j])
					all(g[a][j-1] - g[a][j])
				}
			})
			columns = append(columns, std)
		}
	})
	v[VGMean], v[VGStd] = numbers(func(all func(float64)) {
		for a := n - 1; a >= 0; a-- {
			if a == k || a == k-1 {
				continue
			}
			_, std := numbers(func(add func(float64)) {
				for c := 0; c <= a; c++ {
					add(g[a+1][c] - g[a][c])
					all(g[a+1][c] - g[a][c])
				}
			})
			rows = append(rows, std)
		}
	})
	v[DGMean], v[DGStd] = numbers(func(add func(float64)) {
		for a := n - 1; a >= 1; a-- {
			for c := 1; c <= a && a != k; c++ {
				add(g[a+1][c] - g[a][c])
			}
		}
	})
	meanOf := func(stds []float64) float64 {
		m, _ := numbers(func(add func(float64)) {
			for _, s := range stds[:len(stds)-1] {
				add(s)
			}
		})
		return m
	}
	v[HGRStd], v[VGCStd] = meanOf(columns), meanOf(rows)
	v[GOverall] = (v[HGMean]/v[HGRStd] + v[VGMean]/v[VGCStd] + v[DGMean]/v[DGStd]) / 3
}

func slowRefcodeShape(v *[Count]float64, g [][]float64, n int) {
	total := 0.0
	for _, row := range g {
		for _, x := range row {
			total += x
		}
	}
	m := total / float64((n+1)*(n+1)-(n+1))
	for r := 0; r <= n-1; r++ {
		_, std := numbers(func(add func(float64)) {
			for j := 0; j <= n-r; j++ {
				add(g[j+r][j])
			}
		})
		v[Dctny] += float64(n+1-r) / float64(n+1) * std / m
	}
	v[Asymm], _ = numbers(func(add func(float64)) {
		for a := 0; a <= n; a++ {
			for b := 0; a+b < n; b++ {
				add(math.Abs(g[a][b]-g[n-b][n-a]) / m)
			}
		}
	})
}

// drawMatrix draws a variance matrix of a kind: anything, smooth, constant, mostly zeros.
func drawMatrix(t *rapid.T, least, most int) variance.Matrix {
	n := rapid.IntRange(least, most).Draw(t, "n")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	kind := rapid.SampledFrom([]string{"any", "smooth", "constant", "sparse"}).Draw(t, "kind")
	return randomMatrix(n, kind, random)
}

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

func TestMeasureEqualsTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatrix(t, 2, 14)
		tau := rapid.SampledFrom([]float64{0.15, 0.5, 1e-9}).Draw(t, "tau")
		reduced := nudged(m, rand.New(rand.NewPCG(1, 2)))
		got, err := Measure(m, &reduced, Options{Tau: tau})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, slowPaper(m, reduced, tau))
		if m.N < 7 || m.N%2 == 0 {
			return
		}
		if got, err = Measure(m, &reduced, Options{Tau: tau, Profile: Refcode}); err != nil {
			t.Fatal(err)
		}
		compare(t, got, slowRefcode(m, reduced, tau))
	})
}

// compare allows for the order of additions. Ratios of a deviation that is nothing but rounding are left out, since the
// slow version does not see that equal numbers deviate by exactly 0.
func compare(t *rapid.T, got Measurement, want [Count]float64) {
	for f := range Feature(Count) {
		if slices.Contains(got.Undefined, f) {
			if rounding := min(want[HGRStd], want[VGCStd], want[DGStd], want[Mean]); rounding > 1e-12 {
				t.Fatalf("%s is undefined, want %v", f, want[f])
			}
			continue
		}
		if f == GOverall && min(want[HGRStd], want[VGCStd], want[DGStd]) < 1e-9 {
			continue
		}
		if !(math.Abs(got.Values[f]-want[f]) <= 1e-10+1e-9*math.Abs(want[f])) {
			t.Fatalf("%s = %v, want %v", f, got.Values[f], want[f])
		}
	}
}

func ExampleMeasure() {
	m := variance.Matrix{N: 3, Data: []float64{
		0, 0.1, 0.3,
		0.1, 0, 0.15,
		0.3, 0.15, 0,
	}}
	measured, _ := Measure(m, nil, Options{})
	fmt.Printf("mean %.3f, share above 0.15 %.3f, flags %v\n", measured.Values[Mean], measured.Values[ASV], measured.Flags)
	// Output: mean 0.183, share above 0.15 0.333, flags [no_reduced_matrix dg_ratio_undefined]
}
