package variance

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

// The kernel for the processor at hand gives the bits of the plain loop, for every length and
// number of rows.
func TestKernelSameBitsAsPlainLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for size := range 23 {
		for rows := range 10 {
			stride := size + rows%3
			a := make([]float64, size)
			block := make([]float64, (rows+spareRows+1)*(stride+1))
			for k := range a {
				a[k] = random.NormFloat64()
			}
			for k := range block {
				block[k] = random.NormFloat64() * math.Pow(10, float64(k%9))
			}
			got, want := make([]float64, rows), make([]float64, rows)
			for j := range want {
				got[j] = float64(j)
				want[j] = float64(j) + stats.SquaredDistance(a, block[j*stride:][:size])
			}
			addRow(got, a, block, stride)
			plain := make([]float64, rows)
			for j := range plain {
				plain[j] = float64(j)
			}
			addRowPlain(plain, a, block, stride)
			if !slices.Equal(got, want) || !slices.Equal(plain, want) {
				t.Fatalf("%d images, %d rows: %v and %v, want %v", size, rows, got, plain, want)
			}
		}
	}
}

func TestPreparedSameBitsAsScalar(t *testing.T) {
	scratch := &Scratch{}
	rapid.Check(t, func(t *rapid.T) {
		signals, _, images := drawSignals(t)
		samePrepared(t, signals, images, scratch)
	})
	signals := randomSignals(31, 3000)
	for _, share := range []float64{0.01, 0.3, 0.77, 1} {
		images := Images{Class: AnyClass, Share: share, Seed: 3}.draw(3000)
		samePrepared(t, signals, images, scratch)
		samePrepared(t, signals, images, nil)
	}
	samePrepared(t, signals, testdata.UpTo(3000)[513:2222], scratch) // neighbours, not from the first one on
	samePrepared(t, signals, []int{0, 0, 2}, scratch)                // as many as neighbours would be
	samePrepared(t, signals, Bootstrap{Seed: 1}.draw(testdata.UpTo(3000), 0), scratch)
}

func samePrepared(t testdata.TB, signals [][]float32, images []int, scratch *Scratch) {
	want := testdata.Must(Scalar(signals, images))(t)
	got, err := Prepare(signals).Matrix(images, scratch)
	if err != nil || got.N != want.N || !slices.Equal(got.Data, want.Data) {
		t.Fatalf("%d images: the prepared matrix has other bits: %v", len(images), err)
	}
}

func TestPreparedErrors(t *testing.T) {
	signals := randomSignals(5, 700)
	signals[3][611], signals[4][611], signals[1][650] = float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))
	p := Prepare(signals)
	if p.N() != 5 || p.Images() != 700 {
		t.Errorf("%d x %d", p.N(), p.Images())
	}
	testdata.ErrorIs(t, "no images", testdata.Err(p.Matrix(nil, nil)), ErrNoImages)
	var at *NotFiniteError
	if _, err := p.Matrix(testdata.UpTo(700), nil); !errors.As(err, &at) || at.Image != 611 || at.Transformation != 3 {
		t.Errorf("not finite: %v", err)
	}
	if _, err := p.Matrix(testdata.UpTo(611), nil); err != nil {
		t.Errorf("before the broken image: %v", err)
	}
	testdata.Refused(t, "no signals", testdata.Err(Prepare(nil).Matrix([]int{0}, nil)))
	for name, images := range map[string][]int{"descending": {3, 2}, "below": {-1}, "beyond": {700}} {
		testdata.Panics(t, name, func() { _, _ = p.Matrix(images, nil) })
	}
}

func TestSpread(t *testing.T) {
	signals := randomSignals(7, 50)
	spread := Prepare(signals).Spread(2, 5)
	distances := make([][]float32, 7*6/2)
	for i := range 7 {
		for j := range i {
			row := make([]float32, 50)
			for k := range row {
				row[k] = float32(math.Abs(float64(signals[i][k]) - float64(signals[j][k])))
			}
			distances[i*(i-1)/2+j] = row
		}
	}
	largest := LargestDistance(distances, 2, 5)
	for k := range 50 {
		want := 0.0
		for i := 2; i <= 5; i++ {
			for j := 2; j <= 5; j++ {
				want = max(want, math.Abs(float64(signals[i][k])-float64(signals[j][k])))
			}
		}
		if spread[k] != want || largest[k] != float64(float32(want)) {
			t.Errorf("image %d: %v and %v, want %v", k, spread[k], largest[k], want)
		}
	}
	if LargestDistance(nil, 0, 0) != nil {
		t.Error("distances of nothing")
	}
}

func TestCertainOfZero(t *testing.T) {
	if c := Certain(100, 0, 1, 0.95, 0.1); c.Needed != 0 || c.HalfWidth != math.Sqrt(c.EpsSquares) {
		t.Errorf("a zero element: %+v", c)
	}
}

// five are the signals of five modalities, 10,000 images under 31 transformations, and choices of
// images as a slider makes them.
func five() (rows [][][]float32, choices [][]int) {
	for range 5 {
		rows = append(rows, randomSignals(31, 10000))
	}
	choices = append(choices, testdata.UpTo(10000))
	for _, share := range []float64{0.97, 0.5, 0.1} {
		choices = append(choices, Images{Class: AnyClass, Share: share, Seed: 1}.draw(10000))
	}
	return rows, choices
}

// BenchmarkFiveMatrices is a changed choice of images: all five matrices on one core, by the
// prepared rows, by the plain triple loop in float64 that numpy's broadcasting amounts to, and by
// Scalar.
func BenchmarkFiveMatrices(b *testing.B) {
	rows, choices := five()
	var prepared []*Prepared
	for _, r := range rows {
		prepared = append(prepared, Prepare(r))
	}
	for _, images := range choices {
		name := fmt.Sprintf("images=%d", len(images))
		b.Run("prepared/"+name, func(b *testing.B) {
			scratch := &Scratch{}
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range prepared {
					testdata.Must(p.Matrix(images, scratch))(b)
				}
			}
		})
		b.Run("scalar/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, r := range rows {
					testdata.Must(Scalar(r, images))(b)
				}
			}
		})
		b.Run("loops/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, r := range rows {
					loops(r, images)
				}
			}
		})
	}
}

// loops is the definition, written down as one would.
func loops(rows [][]float32, images []int) Matrix {
	n := len(rows)
	m := Matrix{N: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := range i {
			sum := 0.0
			for _, k := range images {
				d := float64(rows[i][k]) - float64(rows[j][k])
				sum += d * d
			}
			m.Data[i*n+j] = math.Sqrt(sum / float64(len(images)))
			m.Data[j*n+i] = m.Data[i*n+j]
		}
	}
	return m
}
