package variance

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
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

func near(t *rapid.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers in place of %d", what, len(got), len(want))
	}
	for x := range want {
		if math.Abs(got[x]-want[x]) > tolerance {
			t.Fatalf("%s %d is %v, want %v", what, x, got[x], want[x])
		}
	}
}

func TestDifferencesAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow, _, images := drawSignals(t)
		n := len(narrow)
		first := rapid.IntRange(0, n-1).Draw(t, "first")
		last := rapid.IntRange(first, n-1).Draw(t, "last")
		part := narrow[first : last+1]
		tolerance := 1e-6 // distances were rounded to float32, signals near 1e4
		for name, all := range both(narrow) {
			d := all.Cut(first, last)
			if d.N() != len(part) || name == "scalar" && d.Images() != len(narrow[0]) {
				t.Fatalf("%s: %d transformations, %d images", name, d.N(), d.Images())
			}
			near(t, name+" whole", d.Whole(images), Contributions(part, images), tolerance)
			for i := range part {
				for j := range part {
					near(t, name+" cell", d.Cell(images, i, j), CellContributions(part, images, i, j), tolerance)
					for _, k := range images {
						want := float64(part[i][k]) - float64(part[j][k])
						if got := d.At(i, j, k); math.Abs(math.Abs(got)-math.Abs(want)) > 1e-3 || name == "scalar" && got != want {
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
	if math.Abs(got-want) > 1e-9*max(1, want) {
		t.Fatalf("typical dif of image %d is %v, want %v", k, got, want)
	}
}

func TestDifferencesMatrix(t *testing.T) {
	signals := randomSignals(9, 300)
	want, err := Scalar(signals[2:7], upTo(300))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range both(signals) {
		got, err := d.Cut(2, 6).Matrix(upTo(300))
		if err != nil {
			t.Fatal(err)
		}
		for x := range want.Data {
			if math.Abs(got.Data[x]-want.Data[x]) > 1e-7 {
				t.Errorf("%s: element %d is %v, want %v", name, x, got.Data[x], want.Data[x])
			}
		}
		if _, err := d.Matrix(nil); err == nil {
			t.Errorf("%s: a matrix of no images", name)
		}
	}
	if line := ScalarDifferences(signals).Signals(3); len(line) != 9 || line[4] != float64(signals[4][3]) {
		t.Errorf("signals of an image %v", line)
	}
	if line := both(signals)["vector"].Signals(3); line != nil {
		t.Errorf("a vector modality has no signals, got %v", line)
	}
}

func TestDifferencesClean(t *testing.T) {
	signals := withExtremes(300, map[int]float32{5: 1e4, 8: 20})
	for name, d := range both(signals) {
		kept, removed := d.Clean(upTo(300))
		if len(kept) != 298 || len(removed) != 2 || removed[0].Image != 5 || removed[1].Image != 8 {
			t.Errorf("%s: %d kept, removed %v; images 5 and 8 are to go", name, len(kept), removed)
		}
		if flagged := d.Flagged(upTo(300)); len(flagged) != 1 || flagged[0].Image != 5 {
			t.Errorf("%s: flagged %v", name, flagged)
		}
	}
}

func TestDifferencesWithoutRows(t *testing.T) {
	for name, d := range map[string]Differences{"none": {}, "one": ScalarDifferences([][]float32{{1, 2}}), "one vector": VectorDifferences(nil, 1)} {
		if i, j := d.Widest(0); i != 0 || j != 0 {
			t.Errorf("%s: widest pair %d, %d", name, i, j)
		}
		for _, v := range slices.Concat(d.Whole([]int{0, 1}), d.Typical([]int{0, 1})) {
			if v != 0 {
				t.Errorf("%s: contribution %v", name, v)
			}
		}
	}
}

func TestFlagLimit(t *testing.T) {
	for images, want := range map[int]float64{39: 0, 40: 0.5, 10000: 0.002} {
		if got := FlagLimit(images); got != want {
			t.Errorf("limit of %d images is %v, want %v", images, got, want)
		}
	}
}

func BenchmarkDifferencesRank(b *testing.B) {
	d, images := ScalarDifferences(randomSignals(31, 10000)), upTo(10000)
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
