package variance

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestVectorAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "transformations")
		m := rapid.IntRange(1, 30).Draw(t, "images")
		distances := make([][]float32, n*(n-1)/2)
		for p := range distances {
			distances[p] = rapid.SliceOfN(rapid.Float32Range(0, 9), m, m).Draw(t, "row")
		}
		images := testdata.UpTo(m)
		got := testdata.Must(Vector(distances, n, images))(t)
		for i := range n {
			for j := range i {
				sum := 0.0
				for _, k := range images {
					d := float64(distances[i*(i-1)/2+j][k])
					sum += d * d
				}
				want := math.Sqrt(sum / float64(m))
				if math.Abs(got.At(i, j)-want) > 1e-13*want || got.At(i, j) != got.At(j, i) || got.At(i, i) != 0 {
					t.Fatalf("delta %d %d is %v, want %v", i, j, got.At(i, j), want)
				}
			}
		}
	})
}

func TestVectorErrors(t *testing.T) {
	testdata.ErrorIs(t, "no images", testdata.Err(Vector([][]float32{{1}}, 2, nil)), ErrNoImages)
	_, err := Vector([][]float32{{1, float32(math.Inf(1))}}, 2, []int{0, 1})
	var at *NotFiniteError
	if !errors.As(err, &at) || at.Image != 1 || at.Transformation != -1 {
		t.Errorf("infinite distance: %v", err)
	}
}

func counting(n int) Matrix {
	m := Matrix{N: n}
	for c := range n * n {
		m.Data = append(m.Data, float64(c))
	}
	return m
}

func TestCentre(t *testing.T) {
	m := counting(5)
	for k, want := range map[int][]float64{
		-1: {12}, 0: {12}, 1: {6, 7, 8, 11, 12, 13, 16, 17, 18}, 2: m.Data, 9: m.Data,
	} {
		c := m.Centre(k)
		if !slices.Equal(c.Data, want) || c.N*c.N != len(want) {
			t.Errorf("centre %d is %v", k, c)
		}
	}
}

func TestMaxMean(t *testing.T) {
	m := counting(3)
	if m.Max() != 8 || m.Mean() != 4 {
		t.Errorf("max %v, mean %v", m.Max(), m.Mean())
	}
	if (Matrix{}).Max() != 0 || (Matrix{}).Mean() != 0 {
		t.Error("an empty matrix has maximum and mean")
	}
}

func TestAccuracy(t *testing.T) {
	prediction := [][]int32{{0, 1, 2, 0, 1}, {0, 1, 1, 1, 1}, {0, 2, 2, 1, 1}}
	labels := []int{0, 1, 2, 1, -1}
	for name, tt := range map[string]struct {
		classes, images []int
		want            []float64
		robust          float64
	}{
		"by index":      {nil, testdata.UpTo(5), []float64{.75, .75, .75}, .25},
		"chosen images": {nil, []int{0, 2}, []float64{1, .5, 1}, .5},
		"permuted":      {[]int{2, 1, 0}, testdata.UpTo(5), []float64{.25, .5, .25}, 0},
		"class missing": {[]int{-1, 1, 2}, testdata.UpTo(5), []float64{.5, .5, .5}, 0},
		"short mapping": {[]int{0}, testdata.UpTo(5), []float64{.25, .25, .25}, .25},
		"no label":      {nil, []int{4}, nil, 0},
		"no image":      {nil, nil, nil, 0},
	} {
		per, robust := Accuracy(prediction, labels, tt.classes, tt.images)
		if !slices.Equal(per, tt.want) || robust != tt.robust {
			t.Errorf("%s: %v, %v, want %v, %v", name, per, robust, tt.want, tt.robust)
		}
	}
}
