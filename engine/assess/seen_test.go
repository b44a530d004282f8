package assess

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A model like those that were learned from is called outside about as rarely as Distance says,
// and one that is far from all of them always is.
func TestModelsLikeTheTrainingOnesAreRarelyOutside(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	draw := func(n int) (x [][]float64) {
		for range n {
			x = append(x, []float64{random.NormFloat64(), 1000 * random.NormFloat64(), random.Float64()})
		}
		return x
	}
	// The share is at most j/(n+1) for the j-th largest distance; the bounds have three standard
	// errors.
	for _, c := range []struct {
		n    int
		most float64
	}{{10, 1. / 11}, {21, 1. / 22}, {41, 2. / 42}} {
		n, most, outside, tests := c.n, c.most, 0, 1000
		for range tests {
			d := goldenData(draw(n), nil)
			seen := SeenOf(d, d.Places())
			if seen.Distance(Row{X: draw(1)[0]}).Outside {
				outside++
			}
			if far := seen.Distance(Row{X: []float64{0, 0, 50}}); !far.Outside || far.Share != 0 ||
				far.Beyond[0].Feature != "f2" || !strings.Contains(far.String(), "f2 (") {
				t.Fatalf("%+v", far)
			}
		}
		error := math.Sqrt(most * (1 - most) / float64(tests))
		if share := float64(outside) / float64(tests); share < most/3 || share > most+3*error {
			t.Errorf("%.3f of the models are outside of %d", share, n)
		}
	}
}

// What is not known has a reason, and numbers that overflow are large ones.
func TestDistancesThatAreNotKnown(t *testing.T) {
	alike := goldenData([][]float64{{1, 2}, {1, 2}, {1, 2}}, nil)
	two := goldenData([][]float64{{1, 2}, {1, 4}}, nil)
	three := goldenData([][]float64{{1, 2}, {1, 4}, {1 + 1e-15, 3}}, nil)
	huge := goldenData([][]float64{{-math.MaxFloat64, 0}, {math.MaxFloat64, 5e-324}, {0, 0}}, nil)
	for why, d := range map[string]Distance{
		FeaturesNotKept: (*Seen)(nil).Distance(Row{X: []float64{1, 2}}),
		NoSpread:        SeenOf(alike, alike.Places()).Distance(Row{X: []float64{1, 3}}),
		NotJudged:       SeenOf(two, two.Places()).Distance(Row{X: []float64{1, math.NaN()}}),
	} {
		if d.Why.Code != why || !math.IsNaN(d.Value) || d.Outside || d.String() != "" {
			t.Errorf("%s: %+v", why, d)
		}
	}
	if d := SeenOf(two, two.Places()).Distance(Row{X: []float64{1, 3}}); d.Why.Code != NoSpread {
		t.Errorf("%+v", d)
	}
	d := SeenOf(three, three.Places()).Distance(Row{X: []float64{7, 9}})
	if !d.Outside || d.Nearest != "1" || d.Beyond[0].Feature != "f1" || !math.IsNaN(d.Beyond[1].SDs) ||
		!strings.HasSuffix(d.String(), "f0 (constant there)") {
		t.Errorf("%+v, %s", d, d)
	}
	d = SeenOf(huge, huge.Places()).Distance(Row{X: []float64{math.MaxFloat64, 1e300}})
	if !(d.Value <= math.MaxFloat64) {
		t.Errorf("%+v", d)
	}
}
