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
	for want, m := range map[string]variance.Matrix{
		"of 0 transformations has no features: at least two": {},
		"at least two":                         {N: -2, Data: make([]float64, 4)},
		"of 1 transformations has no features": {N: 1, Data: []float64{0}},
		"needs 3 x 3 elements, not 6":          {N: 3, Data: make([]float64, 6)},
		"row 1, column 2 of the variance matrix: NaN is not a finite number": with(5, math.NaN()),
		"row 0, column 1 of the variance matrix: +Inf is not":                with(1, math.Inf(1)),
		"row 1, column 0 of the variance matrix: -0.1 is negative":           with(3, -0.1),
		"too large to be squared":                                            with(1, 1e300),
		"not symmetric: 0.2 at row 2, column 0 but 0.25 at row 0, column 2":  with(2, 0.25),
		"element 1 of the variance matrix's diagonal is 0.25, not 0":         with(4, 0.25),
	} {
		testdata.Refused(t, want, testdata.Err(Measure(m, nil, Options{})), want)
	}
	for want, reduced := range map[string]variance.Matrix{
		"sub-sample has 2 transformations, the whole one 3": {N: 2, Data: make([]float64, 4)},
		"the sub-sample: row 0, column 0":                   with(0, math.NaN()),
	} {
		testdata.Refused(t, want, testdata.Err(Measure(good, &reduced, Options{})), want)
	}
	for want, opts := range map[string]Options{
		`no profile "print"; there are paper and refcode`:         {Profile: "print"},
		"threshold -1 of asv":                                     {Tau: -1},
		"threshold NaN of asv":                                    {Tau: math.NaN()},
		"threshold +Inf of asv":                                   {Tau: math.Inf(1)},
		"odd number of transformations from 7; this matrix has 3": {Profile: Refcode},
	} {
		testdata.Refused(t, want, testdata.Err(Measure(good, nil, opts)), want)
	}
	even := randomMatrix(8, "any", rand.New(rand.NewPCG(1, 1)))
	testdata.Refused(t, "even", testdata.Err(Measure(even, nil, Options{Profile: Refcode})), "this matrix has 8")
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
