package variance

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// both are the differences of signals as a scalar modality, and the same as distances.
func both(signals [][]float32) map[string]Differences {
	n := len(signals)
	var rows [][]float32
	for i := range n {
		for j := range i {
			row := make([]float32, len(signals[0]))
			for k := range row {
				row[k] = float32(math.Abs(float64(signals[i][k]) - float64(signals[j][k])))
			}
			rows = append(rows, row)
		}
	}
	return map[string]Differences{"scalar": ScalarDifferences(signals), "vector": VectorDifferences(rows, n)}
}

// slowShares are the images' shares of the squared differences of one cell, or of all of them for
// a negative row.
func slowShares(signals [][]float32, images []int, row, column int) []float64 {
	shares, total := make([]float64, len(images)), 0.0
	for x, k := range images {
		for i := range signals {
			for j := range signals {
				if row < 0 && j < i || i == row && j == column {
					d := float64(signals[i][k]) - float64(signals[j][k])
					shares[x] += d * d
				}
			}
		}
		total += shares[x]
	}
	for x := range shares {
		shares[x] /= max(total, math.SmallestNonzeroFloat64)
	}
	return shares
}

func TestDifferencesAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow, _, images := drawSignals(t)
		n := len(narrow)
		first := rapid.IntRange(0, n-1).Draw(t, "first")
		last := rapid.IntRange(first, n-1).Draw(t, "last")
		part := narrow[first : last+1]
		for name, all := range both(narrow) {
			tolerance := 1e-12
			if name == "vector" {
				tolerance = 1e-6 // distances were rounded to float32, signals near 1e4
			}
			d := all.Cut(first, last)
			if d.N() != len(part) {
				t.Fatalf("%s: %d transformations", name, d.N())
			}
			testdata.NearAll(t, name+" whole", d.Whole(images), slowShares(part, images, -1, -1), tolerance)
			for i := range part {
				for j := range part {
					testdata.NearAll(t, name+" cell", d.Cell(images, i, j), slowShares(part, images, i, j), tolerance)
					for _, k := range images {
						want := float64(part[i][k]) - float64(part[j][k])
						if got := d.At(i, j, k); math.Abs(math.Abs(got)-math.Abs(want)) > 1e-3 || name == "scalar" &&
							got != want {
							t.Fatalf("%s d_%d%d(%d) is %v, want %v", name, i, j, k, got, want)
						}
					}
				}
			}
			for x, k := range images {
				checkWidest(t, d, k)
				checkTypical(t, d, d.Typical(images)[x], k)
			}
		}
	})
}

func checkWidest(t *rapid.T, d Differences, k int) {
	i, j := d.Widest(k)
	for a := range d.N() {
		for b := range a {
			if math.Abs(d.At(a, b, k)) > math.Abs(d.At(i, j, k)) {
				t.Fatalf("pair %d, %d of image %d is wider than %d, %d", a, b, k, i, j)
			}
		}
	}
}

func checkTypical(t *rapid.T, d Differences, got float64, k int) {
	sum, pairs := 0.0, 0.0
	for a := range d.N() {
		for b := range a {
			sum += d.At(a, b, k) * d.At(a, b, k)
			pairs++
		}
	}
	want := math.Sqrt(sum / max(pairs, 1))
	testdata.Near(t, fmt.Sprintf("typical dif of image %d", k), got, want, 1e-9*max(1, want))
}

func TestDifferencesMatrix(t *testing.T) {
	signals := randomSignals(9, 300)
	want := testdata.Must(Scalar(signals[2:7], testdata.UpTo(300)))(t)
	for name, d := range both(signals) {
		got := testdata.Must(d.Cut(2, 6).Matrix(testdata.UpTo(300)))(t)
		for x := range want.Data {
			if math.Abs(got.Data[x]-want.Data[x]) > 1e-7 {
				t.Errorf("%s: element %d is %v, want %v", name, x, got.Data[x], want.Data[x])
			}
		}
		testdata.Refused(t, fmt.Sprintf("%s: a matrix of no images", name), testdata.Err(d.Matrix(nil)))
	}
}

func TestDifferencesWithoutRows(t *testing.T) {
	for name, d := range map[string]Differences{
		"none": {}, "one": ScalarDifferences([][]float32{{1, 2}}),
		"one vector": VectorDifferences(nil, 1),
	} {
		if i, j := d.Widest(0); i != 0 || j != 0 {
			t.Errorf("%s: widest pair %d, %d", name, i, j)
		}
		for _, v := range slices.Concat(d.Whole([]int{0, 1}), d.Typical([]int{0, 1})) {
			testdata.Is(t, fmt.Sprintf("%s: contribution", name), v, 0)
		}
	}
}

func TestFlagLimit(t *testing.T) {
	for images, want := range map[int]float64{39: 0, 40: 0.5, 10000: 0.002} {
		testdata.Is(t, fmt.Sprintf("limit of %d images", images), FlagLimit(images), want)
	}
}

func BenchmarkDifferencesRank(b *testing.B) {
	d, images := ScalarDifferences(randomSignals(31, 10000)), testdata.UpTo(10000)
	b.Run("cell", func(b *testing.B) {
		for b.Loop() {
			Rank(d.Cell(images, 25, 3), images)
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			Rank(d.Whole(images), images)
		}
	})
	b.Run("clean", func(b *testing.B) {
		for b.Loop() {
			d.Clean(images)
		}
	})
}
