package background_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
)

// TestSharesAgainstPixels compares with a search pixel by pixel on random logits with many ties.
func TestSharesAgainstPixels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		elements, height, width := 1+random.IntN(6), 1+random.IntN(9), 1+random.IntN(9)
		logits := make([]float32, elements*height*width)
		for i := range logits {
			logits[i] = float32(random.IntN(3))
			switch random.IntN(20) {
			case 0:
				logits[i] = float32(math.Inf(-1))
			case 1:
				logits[i] = float32(math.NaN())
			}
		}
		mask := background.Mask{Height: height, Width: width, Set: make([]bool, height*width)}
		for i := range mask.Set {
			mask.Set[i] = random.IntN(3) == 0
		}
		want, visible := make([]float64, elements), 0
		for p := range height * width {
			if mask.Set[p] {
				continue
			}
			best := 0
			for k := range elements {
				v, sofar := logits[k*height*width+p], logits[best*height*width+p]
				if v > sofar || math.IsNaN(float64(sofar)) && v > float32(math.Inf(-1)) {
					best = k
				}
			}
			if math.IsNaN(float64(logits[best*height*width+p])) {
				best = 0
			}
			want[best]++
			visible++
		}
		for k := range want {
			if visible > 0 {
				want[k] /= float64(visible)
			}
		}
		got, seen := background.SharesOf(background.Counts(logits, elements, height, width, &mask))
		if seen != visible || !slices.Equal(got, want) {
			t.Fatalf("%d elements, %d x %d: %v of %d, want %v of %d", elements, height, width, got, seen, want, visible)
		}
	}
}

func TestSharesOfAnotherSizePanics(t *testing.T) {
	for name, call := range map[string]func(){
		"logits": func() { background.Counts(make([]float32, 5), 1, 2, 2, nil) },
		"mask": func() {
			background.Counts(make([]float32, 4), 1, 2, 2, &background.Mask{Height: 1, Width: 4, Set: make([]bool, 4)})
		},
		"pixels": func() { background.Counts(make([]float32, 4), 1, 2, 2, &background.Mask{Height: 2, Width: 2}) },
	} {
		testdata.Panics(t, name+" of another size", call)
	}
}

func TestScores(t *testing.T) {
	for _, c := range []struct {
		logits []float32
		want   []float64
	}{
		{[]float32{}, []float64{}},
		{[]float32{7}, []float64{1}},
		{[]float32{0, 0}, []float64{0.5, 0.5}},
		{[]float32{1000, 1000, float32(math.Inf(-1))}, []float64{0.5, 0.5, 0}},
		{[]float32{float32(math.Log(3)), 0}, []float64{0.75, 0.25}},
	} {
		got := background.Scores(c.logits)
		for k := range c.want {
			if len(got) != len(c.want) || math.Abs(got[k]-c.want[k]) > 1e-7 {
				t.Errorf("%v: %v, want %v", c.logits, got, c.want)
				break
			}
		}
	}
}
