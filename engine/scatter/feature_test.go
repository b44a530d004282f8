package scatter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowFeatures follow the spec's words one by one.
func slowFeatures(m Matrix, threshold float64) [Count]float64 {
	std := func(values []float64) float64 {
		n, sum, squares := float64(len(values)), 0.0, 0.0
		for _, v := range values {
			sum += v / n
			squares += v * v / n
		}
		return math.Sqrt(math.Max(squares-sum*sum, 0))
	}
	var f [Count]float64
	f[Max] = math.Inf(-1)
	n := float64(m.R * m.R)
	var top, bottom, weights float64
	q := max(m.R/4, 1)
	slope := func(k int, at func(int) float64) float64 {
		switch k {
		case 0:
			return at(1) - at(0)
		case m.R - 1:
			return at(k) - at(k-1)
		}
		return (at(k+1) - at(k-1)) / 2
	}
	for a := range m.R {
		for b := range m.R {
			v := m.At(a, b)
			f[Mean] += v / n
			f[Max] = max(f[Max], v)
			if v >= threshold {
				f[ErrorRate] += 1 / n
			}
			if a >= m.R-q && b >= m.R-q {
				top += v / float64(q*q)
			}
			if a < q && b < q {
				bottom += v / float64(q*q)
			}
			f[Grad] += math.Hypot(slope(a, func(k int) float64 { return m.At(k, b) }),
				slope(b, func(k int) float64 { return m.At(a, k) })) / n
		}
	}
	f[Std], f[Corner] = std(m.Values), top-bottom
	for r := 1; r < m.R; r++ {
		var diagonal []float64
		for b := r; b < m.R; b++ {
			diagonal = append(diagonal, m.Values[b*m.R+b-r]) // the one below: the same for a symmetric matrix
		}
		w := float64(m.R-r) / float64(m.R)
		f[Continuity] += w * std(diagonal)
		weights += w
	}
	f[Continuity] /= weights
	return f
}

func TestMeasureAgainstTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Matrix{R: rapid.IntRange(2, 20).Draw(t, "R")}
		m.Values = make([]float64, m.R*m.R)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for a := range m.R {
			for b := range a + 1 {
				v := random.Float64()
				m.Values[a*m.R+b], m.Values[b*m.R+a] = v, v
			}
		}
		got := testdata.Must(Measure(m, 0.5))(t)
		want := slowFeatures(m, 0.5)
		for f := range Feature(Count) {
			testdata.Near(t, fmt.Sprint(f), got[f], want[f], 1e-7)
		}
	})
}

func TestMeasureKnown(t *testing.T) {
	flat, slope := Matrix{R: 8, Values: make([]float64, 64)}, Matrix{R: 8, Values: make([]float64, 64)}
	for e := range 64 {
		flat.Values[e] = 0.15
		slope.Values[e] = 3*float64(e%8) + 4*float64(e/8)
	}
	for _, test := range []struct {
		m    Matrix
		want map[Feature]float64
	}{
		// the threshold itself is an error
		{flat, map[Feature]float64{Mean: 0.15, Std: 0, Max: 0.15, ErrorRate: 1, Corner: 0, Grad: 0, Continuity: 0}},
		{slope, map[Feature]float64{Mean: 24.5, Max: 49, Corner: 42, Grad: 5, ErrorRate: 63.0 / 64}},
	} {
		got := testdata.Must(Measure(test.m, DefaultThreshold))(t)
		for f, want := range test.want {
			if math.Abs(got[f]-want) > 1e-12 {
				t.Errorf("%s is %v, want %v", f, got[f], want)
			}
		}
	}
}

func TestMeasureRefuses(t *testing.T) {
	nan := math.NaN()
	for want, m := range map[string]Matrix{
		"2 of 4 elements have no value": {2, []float64{nan, 1, math.Inf(1), 2}},
		"3 values for 2 x 2":            {2, []float64{1, 2, 3}},
		"1 values for 1 x 1":            {1, []float64{1}},
		"0 values":                      {},
	} {
		testdata.Refused(t, want, testdata.Err(Measure(m, 0.15)), want)
	}
}

func TestFeatureWords(t *testing.T) {
	var words []string
	for f := range Feature(Count) {
		words = append(words, f.String())
	}
	testdata.Equal(t, "words", words, []string{"mean", "std", "max", "error_rate", "corner", "grad", "continuity"})
	if fmt.Sprint(Feature(Count)) != "Feature(7)" {
		t.Error(Feature(Count))
	}
}
