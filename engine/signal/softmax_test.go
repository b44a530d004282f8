package signal

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func TestSoftmax(t *testing.T) {
	e := math.E
	third := float32(1.0 / 3)
	tests := map[string]struct {
		kind model.OutputKind
		in   []float32
		want []float32
	}{
		"logits":                {model.Logits, []float32{0, 1}, []float32{float32(1 / (1 + e)), float32(e / (1 + e))}},
		"large logits":          {model.Logits, []float32{1000, 1000}, []float32{.5, .5}},
		"small logits":          {model.Logits, []float32{-1e30, -1e30, -1e30}, []float32{third, third, third}},
		"one class":             {model.Logits, []float32{-7}, []float32{1}},
		"probabilities stay":    {model.Probabilities, []float32{.25, .75}, []float32{.25, .75}},
		"probabilities are cut": {model.Probabilities, []float32{1, 1, 2}, []float32{.25, .25, .5}},
		"log-probabilities": {
			model.LogProbabilities, []float32{float32(math.Log(.25)), float32(math.Log(.75))}, []float32{.25, .75},
		},
		"log-probability zero":   {model.LogProbabilities, []float32{float32(math.Inf(-1)), 0}, []float32{0, 1}},
		"log-probabilities far":  {model.LogProbabilities, []float32{-1000, -1000}, []float32{.5, .5}},
		"unknown kind is logits": {"", []float32{3, 3}, []float32{.5, .5}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := make([]float32, len(tt.in))
			Softmax(got, tt.in, tt.kind)
			for i := range got {
				if math.Abs(float64(got[i]-tt.want[i])) > 6e-8 {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
			Softmax(tt.in, tt.in, tt.kind) // in place
			for i := range got {
				if tt.in[i] != got[i] {
					t.Errorf("in place: %v, want %v", tt.in, got)
				}
			}
		})
	}
}

func TestSoftmaxWithoutSum(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, in := range map[string]struct {
		kind model.OutputKind
		row  []float32
	}{
		"zeros":  {model.Probabilities, []float32{0, 0}},
		"nan":    {model.Logits, []float32{1, nan}},
		"inf":    {model.Logits, []float32{1, inf}},
		"no log": {model.LogProbabilities, []float32{-inf, -inf}},
	} {
		out := make([]float32, 2)
		Softmax(out, in.row, in.kind)
		if finite := out[0]-out[0] == 0 && out[1]-out[1] == 0; finite {
			t.Errorf("%s: %v", name, out)
		}
	}
}

func TestSoftmaxPanicsOnLengths(t *testing.T) {
	testdata.Panics(t, "different lengths", func() { Softmax(make([]float32, 2), make([]float32, 3), model.Logits) })
}

func TestArgmax(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		row  []float32
		want int
	}{
		{nil, -1},
		{[]float32{5}, 0},
		{[]float32{1, 3, 3, 2}, 1},
		{[]float32{-3, -1}, 1},
		{[]float32{nan, 1, 2}, 2},
		{[]float32{1, nan}, 0},
		{[]float32{nan, nan}, 0},
	} {
		testdata.Is(t, fmt.Sprintf("%v", tt.row), Argmax(tt.row), tt.want)
	}
}

func TestDistance(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		a, b []float64
		p    float64
		want float64
	}{
		{[]float64{0, 0}, []float64{3, -4}, 1, 7},
		{[]float64{0, 0}, []float64{3, -4}, 2, 5},
		{[]float64{0, 0}, []float64{3, -4}, 3, math.Cbrt(91)},
		{[]float64{0, 0}, []float64{3, -4}, inf, 4},
		{[]float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5}, 7, 0},
		{[]float64{1e200, 0}, []float64{0, 1e200}, 4, 1e200 * math.Pow(2, .25)},
		{[]float64{1e-200, 0}, []float64{0, 1e-200}, 4, 1e-200 * math.Pow(2, .25)},
		{[]float64{1}, []float64{0}, 1, 1},
	} {
		if got := Distance(tt.a, tt.b, tt.p); math.Abs(got-tt.want) > 1e-14*tt.want {
			t.Errorf("L%v of %v and %v: %v, want %v", tt.p, tt.a, tt.b, got, tt.want)
		}
	}
	for _, p := range []float64{1, 2, 3, inf} {
		if d := Distance([]float64{0, math.NaN(), 0}, []float64{1, 1, 1}, p); !math.IsNaN(d) {
			t.Errorf("L%v of NaN is %v", p, d)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{1, 2, 3, 5, math.Inf(1)}).Draw(t, "p")
		n := rapid.IntRange(1, 13).Draw(t, "n")
		draw := func(name string) []float32 {
			return rapid.SliceOfN(rapid.Float32Range(-10, 10), n, n).Draw(t, name)
		}
		a, b, c := draw("a"), draw("b"), draw("c")
		ab, ba, bc, ac := Distance(a, b, p), Distance(b, a, p), Distance(b, c, p), Distance(a, c, p)
		if ab != ba || ab < 0 || Distance(a, a, p) != 0 || ac > ab+bc+1e-12 {
			t.Fatalf("ab %v ba %v bc %v ac %v", ab, ba, bc, ac)
		}
		slow := 0.0
		for i := range a {
			d := math.Abs(float64(a[i]) - float64(b[i]))
			if math.IsInf(p, 1) {
				slow = math.Max(slow, d)
			} else {
				slow += math.Pow(d, p)
			}
		}
		if !math.IsInf(p, 1) {
			slow = math.Pow(slow, 1/p)
		}
		testdata.Near(t, fmt.Sprintf("L%v", p), slow, ab, 1e-12*(1+slow))
	})
}

func BenchmarkSoftmax(b *testing.B) {
	row := []float32{1, 2, 3, 4, 5, 4, 3, 2, 1, 0}
	out := make([]float32, len(row))
	b.ReportAllocs()
	for b.Loop() {
		Softmax(out, row, model.Logits)
	}
}

// Independent probabilities stay as they are; one number per image is about the second of two
// classes, whether it is a probability or a logit.
func TestSoftmaxOfOtherKinds(t *testing.T) {
	for kind, test := range map[model.OutputKind]struct{ output, want []float32 }{
		model.Sigmoid:           {[]float32{0.9, 0.8, 0.1}, []float32{0.9, 0.8, 0.1}},
		model.BinaryProbability: {[]float32{0.25}, []float32{0.75, 0.25}},
		model.BinaryLogit:       {[]float32{0}, []float32{0.5, 0.5}},
	} {
		got := make([]float32, len(test.output)*Shares(kind))
		if Softmax(got, test.output, kind); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v in place of %v", kind, got, test.want)
		}
	}
	for _, z := range []float32{-1000, -3, 2.5, 1000} { // as the softmax of (0, z)
		got, want := make([]float32, 2), make([]float32, 2)
		Softmax(got, []float32{z}, model.BinaryLogit)
		Softmax(want, []float32{0, z}, model.Logits)
		if math.Abs(float64(got[0]-want[0])) > 1e-7 || math.Abs(float64(got[1]-want[1])) > 1e-7 {
			t.Errorf("logit %v: %v in place of %v", z, got, want)
		}
	}
}
