package variance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowScalar is the definition of delta_ij with exact sums.
func slowScalar(signals [][]float64, images []int) Matrix {
	n := len(signals)
	m := Matrix{N: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			sum := new(big.Rat)
			for _, k := range images {
				d := new(big.Rat).Sub(new(big.Rat).SetFloat64(signals[i][k]), new(big.Rat).SetFloat64(signals[j][k]))
				sum.Add(sum, d.Mul(d, d))
			}
			sum.Quo(sum, big.NewRat(int64(len(images)), 1))
			root := new(big.Float).SetPrec(300).SetRat(sum)
			m.Data[i*n+j], _ = root.Sqrt(root).Float64()
		}
	}
	return m
}

func drawSignals(t *rapid.T) (narrow [][]float32, wide [][]float64, images []int) {
	n := rapid.IntRange(1, 7).Draw(t, "transformations")
	m := rapid.IntRange(1, 40).Draw(t, "images")
	offset := rapid.SampledFrom([]float32{0, 1, 1e4}).Draw(t, "offset")
	for range n {
		row := rapid.SliceOfN(rapid.Float32Range(-3, 3), m, m).Draw(t, "row")
		var w []float64
		for k := range row {
			row[k] += offset
			w = append(w, float64(row[k]))
		}
		narrow, wide = append(narrow, row), append(wide, w)
	}
	for k := range m {
		if rapid.Bool().Draw(t, "chosen") {
			images = append(images, k)
		}
	}
	if images == nil {
		images = []int{m - 1}
	}
	return narrow, wide, images
}

func TestScalarAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow, wide, images := drawSignals(t)
		want := slowScalar(wide, images)
		got := testdata.Must(Scalar(narrow, images))(t)
		for c, v := range want.Data {
			if math.Abs(got.Data[c]-v) > 1e-14*v {
				t.Fatalf("element %d: %v, want %v", c, got.Data[c], v)
			}
		}
		testdata.Equal(t, "float64 gives other bits", testdata.Must(scalar(wide, images))(t).Data, got.Data)
	})
}

// randomSignals are n x m signals with a little dependence between rows.
func randomSignals(n, m int) [][]float32 {
	random := rand.New(rand.NewPCG(1, 2))
	signals := make([][]float32, n)
	for i := range signals {
		signals[i] = make([]float32, m)
		for k := range signals[i] {
			signals[i][k] = float32(0.9 + 0.1*math.Sin(float64(i*k)) + random.NormFloat64()*0.05)
		}
	}
	return signals
}

func TestScalarSameBitsForAnyProcessors(t *testing.T) {
	signals, images := randomSignals(61, 6001), testdata.UpTo(6001)
	if 61*60/2*len(images) < parallelFrom {
		t.Fatal("too small to be shared")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first Matrix
	for _, procs := range []int{1, 2, 3, 7, 70} {
		runtime.GOMAXPROCS(procs)
		m := testdata.Must(Scalar(signals, images))(t)
		if procs == 1 {
			first = m
		}
		testdata.Equal(t, fmt.Sprintf("%d processors give other bits than 1", procs), m.Data, first.Data)
	}
}

func TestScalarErrors(t *testing.T) {
	testdata.ErrorIs(t, "no images", testdata.Err(Scalar([][]float32{{1}, {2}}, nil)), ErrNoImages)
	testdata.Refused(t, "no signals", testdata.Err(Scalar(nil, []int{0})))
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		signals := randomSignals(5, 700)
		signals[3][611] = float32(bad)
		_, err := Scalar(signals, testdata.UpTo(700))
		var at *NotFiniteError
		if !errors.As(err, &at) || at.Transformation != 3 || at.Image != 611 {
			t.Errorf("%v: %v", bad, err)
		}
		if _, err := Scalar(signals, testdata.UpTo(600)); err != nil {
			t.Errorf("%v outside the chosen images: %v", bad, err)
		}
	}
	for name, call := range map[string]func(){
		"ragged rows":   func() { _, _ = Scalar([][]float32{{1, 2}, {1}}, []int{0}) },
		"image outside": func() { _, _ = Scalar([][]float32{{1}, {1}}, []int{1}) },
		"wrong pairs":   func() { _, _ = Vector([][]float32{{1}}, 3, []int{0}) },
	} {
		testdata.Panics(t, name, call)
	}
}

func BenchmarkScalar(b *testing.B) {
	signals, images := randomSignals(31, 10000), testdata.UpTo(10000)
	b.ReportAllocs()
	for b.Loop() {
		testdata.Must(Scalar(signals, images))(b)
	}
}
