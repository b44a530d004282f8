package feature

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func measured(t testdata.TB, m variance.Matrix, opts Options) Measurement {
	return testdata.Must(Measure(m, nil, opts))(t)
}

// mapped is a matrix with its elements and indices changed.
func mapped(m variance.Matrix, element func(float64) float64, index func(int) int) variance.Matrix {
	out := variance.Matrix{N: m.N, Data: make([]float64, len(m.Data))}
	for i := range m.N {
		for j := range m.N {
			out.Data[i*m.N+j] = element(m.At(index(i), index(j)))
		}
	}
	return out
}

func same[T any](v T) T { return v }

// Scaling delta scales each feature by a known power; by a power of two it does so to the last bit.
func TestScaling(t *testing.T) {
	powers := [Count]int{
		SVM: 2, Mean: 1, Std: 1, SSTY: 2, HGMean: 1, HGStd: 1, HGRStd: 1, VGMean: 1, VGStd: 1,
		VGCStd: 1, DGMean: 1, DGStd: 1, Dctny: 1,
	}
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatrix(t, 2, 12)
		scale := math.Ldexp(1, rapid.IntRange(-60, 60).Draw(t, "exponent"))
		near := nudged(m, rand.New(rand.NewPCG(3, 4)))
		nearScaled := mapped(near, func(v float64) float64 { return v * scale }, same[int])
		plain := testdata.Must(Measure(m, &near, Options{}))(t)
		scaled, err := Measure(mapped(m, func(v float64) float64 { return v * scale }, same[int]), &nearScaled,
			Options{Tau: DefaultTau * scale})
		if err != nil {
			t.Fatal(err)
		}
		for f, v := range plain.Values {
			if want := v * math.Pow(scale, float64(powers[f])); scaled.Values[f] != want {
				t.Fatalf("%s of %g times the matrix = %v, want %v", Feature(f), scale, scaled.Values[f], want)
			}
		}
		dctny, asymm := ScaleFree(m)
		again, same := ScaleFree(mapped(m, func(v float64) float64 { return v * scale }, same[int]))
		if again != dctny || same != asymm || !slices.Equal(scaled.Flags, plain.Flags) {
			t.Fatalf("%+v, %v, %v became %+v, %v, %v", plain, dctny, asymm, scaled, again, same)
		}
	})
}

// The sampling variable read backwards swaps horizontal and vertical gradients and changes nothing
// else.
func TestReversal(t *testing.T) {
	partner := map[Feature]Feature{
		HGMean: VGMean, HGStd: VGStd, HGRStd: VGCStd, VGMean: HGMean, VGStd: HGStd,
		VGCStd: HGRStd,
	}
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatrix(t, 2, 12)
		plain := measured(t, m, Options{})
		back := measured(t, mapped(m, same[float64], func(i int) int { return m.N - 1 - i }), Options{})
		for f := range Feature(Count) {
			from, ok := partner[f]
			if !ok {
				from = f
			}
			if !(math.Abs(back.Values[f]-plain.Values[from]) <= 1e-11*(1+math.Abs(plain.Values[from]))) {
				t.Fatalf("%s backwards = %v, want %v", f, back.Values[f], plain.Values[from])
			}
		}
	})
}

// A matrix that equals its reflection has no asymmetry; one whose elements depend on the distance
// alone no discontinuity.
func TestStripes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 15).Draw(t, "n")
		stripe := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "stripe")
		m := variance.Matrix{N: n, Data: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				if i != j {
					m.Data[i*n+j] = stripe[max(i-j, j-i)]
				}
			}
		}
		got := measured(t, m, Options{})
		if dctny, asymm := ScaleFree(m); got.Values[Dctny] != 0 || got.Values[Asymm] != 0 || dctny != 0 || asymm != 0 {
			t.Fatalf("%v, %v, %v", got, dctny, asymm)
		}
	})
}

func TestFlags(t *testing.T) {
	constant := func(n int, v float64) variance.Matrix {
		m := variance.Matrix{N: n, Data: slices.Repeat([]float64{v}, n*n)}
		for i := range n {
			m.Data[i*n+i] = 0
		}
		return m
	}
	ratios := []Flag{HGRatioUndefined, VGRatioUndefined, DGRatioUndefined}
	for _, c := range []struct {
		name      string
		matrix    variance.Matrix
		profile   Profile
		flags     []Flag
		undefined []Feature
	}{
		{"two transformations", constant(2, 0.4), Paper, append([]Flag{NoDiagonalGradient}, ratios...), nil},
		{
			"two transformations, zeros", constant(2, 0), Paper,
			append(append([]Flag{NoDiagonalGradient}, ratios...), MeanZero), nil,
		},
		{"constant that no float64 holds", constant(31, 0.1), Paper, ratios, nil},
		{"zeros", constant(5, 0), Paper, append(slices.Clone(ratios), MeanZero), nil},
		{"smallest number there is", constant(9, 5e-324), Paper, ratios, nil},
		{"refcode, constant", constant(7, 0.1), Refcode, []Flag{RefcodeUndefined}, []Feature{GOverall}},
		{"refcode, zeros", constant(9, 0), Refcode, []Flag{RefcodeUndefined}, []Feature{GOverall, Dctny, Asymm}},
		{"random", randomMatrix(9, "any", rand.New(rand.NewPCG(1, 1))), Paper, nil, nil},
		{"refcode, random", randomMatrix(9, "any", rand.New(rand.NewPCG(1, 1))), Refcode, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Measure(c.matrix, &c.matrix, Options{Profile: c.profile})
			if err != nil || !slices.Equal(got.Flags, c.flags) || !slices.Equal(got.Undefined, c.undefined) {
				t.Errorf("flags %v, undefined %v, error %v; want %v and %v",
					got.Flags, got.Undefined, err, c.flags, c.undefined)
			}
			testdata.Is(t, "the same matrix twice: ssty", got.Values[SSTY], 0)
			alone := measured(t, c.matrix, Options{Profile: c.profile})
			if want := append([]Flag{NoReducedMatrix}, c.flags...); !slices.Equal(alone.Flags, want) ||
				alone.Values != got.Values {
				t.Errorf("without a reduced matrix: %v with flags %v, want %v with %v", alone.Values, alone.Flags,
					got.Values, want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	good := variance.Matrix{N: 3, Data: []float64{0, .1, .2, .1, 0, .3, .2, .3, 0}}
	with := func(at int, v float64) variance.Matrix {
		m := variance.Matrix{N: 3, Data: slices.Clone(good.Data)}
		m.Data[at] = v
		return m
	}
	huge := mapped(good, func(v float64) float64 { return v * 1e300 }, same[int])
	for name, c := range map[string]struct {
		matrix  variance.Matrix
		reduced *variance.Matrix
		opts    Options
		want    string
	}{
		"nothing":       {matrix: variance.Matrix{}, want: "of 0 transformations has no features: at least two"},
		"negative size": {matrix: variance.Matrix{N: -2, Data: make([]float64, 4)}, want: "at least two"},
		"one transformation": {
			matrix: variance.Matrix{N: 1, Data: []float64{0}}, want: "of 1 transformations has no features",
		},
		"not square": {matrix: variance.Matrix{N: 3, Data: make([]float64, 6)}, want: "needs 3 x 3 elements, not 6"},
		"NaN": {
			matrix: with(5, math.NaN()), want: "row 1, column 2 of the variance matrix: NaN is not a finite number",
		},
		"infinite": {matrix: with(1, math.Inf(1)), want: "row 0, column 1 of the variance matrix: +Inf is not"},
		"negative": {matrix: with(3, -0.1), want: "row 1, column 0 of the variance matrix: -0.1 is negative"},
		"huge":     {matrix: huge, want: "too large to be squared"},
		"not symmetric": {
			matrix: with(2, 0.25), want: "not symmetric: 0.2 at row 2, column 0 but 0.25 at row 0, column 2",
		},
		"diagonal": {matrix: with(4, 0.25), want: "element 1 of the variance matrix's diagonal is 0.25, not 0"},
		"other size": {
			matrix: good, reduced: &variance.Matrix{N: 2, Data: make([]float64, 4)},
			want: "sub-sample has 2 transformations, the whole one 3",
		},
		"bad sub-sample": {matrix: good, reduced: new(with(0, math.NaN())), want: "the sub-sample: row 0, column 0"},
		"profile": {
			matrix: good, opts: Options{Profile: "print"},
			want: `no profile "print"; there are paper and refcode`,
		},
		"negative threshold": {matrix: good, opts: Options{Tau: -1}, want: "threshold -1 of asv"},
		"NaN threshold":      {matrix: good, opts: Options{Tau: math.NaN()}, want: "threshold NaN of asv"},
		"infinite threshold": {matrix: good, opts: Options{Tau: math.Inf(1)}, want: "threshold +Inf of asv"},
		"refcode, small": {
			matrix: good, opts: Options{Profile: Refcode},
			want: "odd number of transformations from 7; this matrix has 3",
		},
		"refcode, even": {
			matrix: randomMatrix(8, "any", rand.New(rand.NewPCG(1, 1))),
			opts:   Options{Profile: Refcode}, want: "this matrix has 8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			testdata.Refused(t, "error", testdata.Err(Measure(c.matrix, c.reduced, c.opts)), c.want)
		})
	}
	almost := with(2, 0.2+1e-10) // within 1e-9 of the largest
	if _, err := Measure(almost, nil, Options{}); err != nil {
		t.Errorf("rounding is no asymmetry: %v", err)
	}
}

// Whatever the elements are, a measurement is finite or refused.
func TestAlwaysFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 9).Draw(t, "n")
		m := variance.Matrix{N: n, Data: make([]float64, n*n)}
		extreme := rapid.SampledFrom([]float64{
			0, 5e-324, 1e-160, 1e-20, 0.1, 0.3, 1, 1e20, 1e139, 1e140, 1e200, math.MaxFloat64, math.NaN(),
		})
		most := rapid.SampledFrom([]float64{1, 1e140, math.Inf(1)}).Draw(t, "most")
		for i := range n {
			for j := range i {
				v := min(extreme.Draw(t, "element"), most)
				m.Data[i*n+j], m.Data[j*n+i] = v, v
			}
		}
		for _, p := range []Profile{Paper, Refcode} {
			got, err := Measure(m, &m, Options{Profile: p})
			if err != nil {
				continue
			}
			dctny, asymm := ScaleFree(m)
			for f, v := range append(got.Values[:], dctny, asymm) {
				if v-v != 0 {
					t.Fatalf("number %d of %s is %v", f, p, v)
				}
			}
		}
	})
}

func TestParse(t *testing.T) {
	for f := range Feature(Count) {
		testdata.Is(t, "got", testdata.Must(Parse(f.String()))(t), f)
	}
	testdata.Refused(t, "error", testdata.Err(Parse("SVM")), `no feature "SVM"; there are [svm mean`)
}

func BenchmarkMeasure31(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	m := randomMatrix(31, "smooth", random)
	reduced := nudged(m, random)
	for _, p := range []Profile{Paper, Refcode} {
		b.Run(string(p), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testdata.Must(Measure(m, &reduced, Options{Profile: p}))(b)
			}
		})
	}
}
