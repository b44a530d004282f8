package dscore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
)

func accuraciesOf(t *rapid.T, n int) Accuracies {
	share := rapid.Float64Range(0, 1)
	return Accuracies{
		Original: share.Draw(t, "original"), Classes: rapid.IntRange(1, 1000).Draw(t, "classes"),
		Variants: rapid.SliceOfN(share, n*n, n*n).Draw(t, "variants"),
		Shifted:  rapid.SliceOfN(share, n*n, n*n).Draw(t, "shifted"),
	}
}

func TestComputeAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		a := accuraciesOf(t, n)
		s := testdata.Must(Compute(a))(t)
		for _, c := range [][2]float64{
			{s.DScore, s.Fitness - s.Robust},
			{s.Robust, s.RobustTerms[0] + s.RobustTerms[1] + s.RobustTerms[2]},
			{floats.Sum(s.Features), 1},
			{floats.Sum(s.Attention), 1},
		} {
			testdata.Near(t, "got", c[0], c[1], 1e-12)
		}
		if s.Grid != n || slices.Contains(s.Flags, AboveBound) != (s.Robust > s.Bound) || s.P < 0 || s.P > 1 {
			t.Fatalf("%+v", s)
		}
	})
}

// The order of regions carries no weight: turned upside down they give the same score.
func TestComputeDoesNotKnowWhereRegionsAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := accuraciesOf(t, rapid.IntRange(1, 5).Draw(t, "n"))
		b := a
		b.Variants, b.Shifted = slices.Clone(a.Variants), slices.Clone(a.Shifted)
		slices.Reverse(b.Variants)
		slices.Reverse(b.Shifted)
		s, err := Compute(a)
		r, err2 := Compute(b)
		if err != nil || err2 != nil || math.Abs(s.DScore-r.DScore) > 1e-12 || math.Abs(s.P-r.P) > 1e-12 {
			t.Fatalf("%v, %v: %+v and %+v", err, err2, s, r)
		}
	})
}

func TestOneRegion(t *testing.T) {
	s, err := Compute(Accuracies{Original: 0.75, Variants: []float64{0.5}, Shifted: []float64{0.625}, Classes: 10})
	if err != nil {
		t.Fatal(err)
	}
	if s.Robust != 0.125 || s.RobustTerms != [3]float64{0, 0, 0.125} || s.Fitness != 0.75 || s.DScore != 0.625 {
		t.Errorf("%+v", s)
	}
	if s.Bound != 0.9 || s.P != 0.125/0.9 || s.Flags != nil || s.Features[0] != 1 || s.Attention[0] != 1 {
		t.Errorf("%+v", s)
	}
}

// One region and one class have g = 0.
func TestNoBound(t *testing.T) {
	for _, test := range []struct {
		shifted float64
		p       float64
		flags   []Flag
	}{
		{0.5, 0, []Flag{NoRegionMatters}},
		{0.25, 1, []Flag{NoRegionMatters, AboveBound}},
		{0, 1, []Flag{NoRegionMatters, NoAttention, AboveBound}},
	} {
		s, err := Compute(Accuracies{
			Original: 0.5, Variants: []float64{0.5}, Shifted: []float64{test.shifted}, Classes: 1,
		})
		if err != nil || s.Bound != 0 || s.P != test.p || !slices.Equal(s.Flags, test.flags) {
			t.Errorf("%+v: %+v, %v", test, s, err)
		}
	}
}

func TestOneClassHasNoSecondTerm(t *testing.T) {
	s, err := Compute(Accuracies{Original: 1, Variants: make([]float64, 4), Shifted: []float64{1, 1, 1, 1}, Classes: 1})
	if err != nil || math.Abs(s.Bound-2*math.Sqrt(3)/8) > 1e-15 || s.Robust != 0 || s.P != 0 || s.DScore != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestFlags(t *testing.T) {
	for _, test := range []struct {
		name              string
		original          float64
		variants, shifted []float64
		want              []Flag
	}{
		{"none", 0.9, []float64{0.8, 0.9, 0.9, 0.9}, []float64{0.8, 0.8, 0.8, 0.8}, nil},
		{"better without", 0.9, []float64{0.9, 0.95, 1, 0.9}, []float64{0.8, 0.8, 0.8, 0.8}, []Flag{NoRegionMatters}},
		{"nothing right when shifted", 0.9, []float64{0.8, 0.9, 0.9, 0.9}, make([]float64, 4), []Flag{NoAttention}},
		{"nothing at all", 0, make([]float64, 4), make([]float64, 4), []Flag{NoRegionMatters, NoAttention}},
		{"worse than chance", 1, []float64{0, 1, 1, 1}, []float64{0, 0, 0, 0.01}, []Flag{AboveBound}},
	} {
		s, err := Compute(Accuracies{
			Original: test.original, Variants: test.variants, Shifted: test.shifted, Classes: 10,
		})
		if err != nil || !slices.Equal(s.Flags, test.want) {
			t.Errorf("%s: %v, want %v (%v)", test.name, s.Flags, test.want, err)
		}
		if slices.Contains(test.want, AboveBound) && s.P != 1 {
			t.Errorf("%s: p = %v", test.name, s.P)
		}
		if slices.Contains(test.want, NoRegionMatters) && !slices.Equal(s.Features, []float64{.25, .25, .25, .25}) {
			t.Errorf("%s: features %v", test.name, s.Features)
		}
		if slices.Contains(test.want, NoAttention) && !slices.Equal(s.Attention, []float64{.25, .25, .25, .25}) {
			t.Errorf("%s: attention %v", test.name, s.Attention)
		}
	}
}

func TestComputeRefuses(t *testing.T) {
	four := []float64{0.5, 0.5, 0.5, 0.5}
	with := func(v float64) []float64 { return []float64{0.5, 0.5, v, 0.5} }
	many := make([]float64, (region.MaxGrid+1)*(region.MaxGrid+1))
	for _, test := range []struct {
		name string
		Accuracies
		want string
	}{
		{"no regions", Accuracies{0.5, nil, nil, 10}, "not 0"},
		{"three regions", Accuracies{0.5, four[:3], four[:3], 10}, "not 3"},
		{"too many", Accuracies{0.5, many, many, 10}, "from 1 to 16"},
		{"different lengths", Accuracies{0.5, four, four[:1], 10}, "not 4 and 1"},
		{"no class", Accuracies{0.5, four, four, 0}, "at least one class, not 0"},
		{"percent", Accuracies{98.56, four, four, 10}, "the accuracy of the model is 98.56; it must be a share"},
		{"original NaN", Accuracies{math.NaN(), four, four, 10}, "NaN"},
		{"variant NaN", Accuracies{0.5, with(math.NaN()), four, 10}, "without region 3 is NaN"},
		{"variant below", Accuracies{0.5, with(-0.1), four, 10}, "without region 3 is -0.1"},
		{"shifted above", Accuracies{0.5, four, with(1.5), 10}, "shifted to region 3 is 1.5"},
		{"shifted infinite", Accuracies{0.5, four, with(math.Inf(1)), 10}, "region 3 is +Inf"},
	} {
		if s, err := Compute(test.Accuracies); err == nil || !strings.Contains(err.Error(), test.want) || s.Grid != 0 {
			t.Errorf("%s: %+v, %v", test.name, s, err)
		}
	}
}

func TestSingle(t *testing.T) {
	even := []float64{.25, .25, .25, .25}
	for _, test := range []struct {
		name                string
		original            float64
		variants, shifted   []float64
		features, attention []float64
	}{
		{
			"half and half", 0.9,
			[]float64{0.5, 0.9, 0.95, 0.5},
			[]float64{0.5, 0, 0, 0.5},
			[]float64{.5, 0, 0, .5},
			[]float64{.5, 0, 0, .5},
		},
		{
			"nothing lost", 0.5,
			[]float64{0.5, 0.6, 0.7, 0.8},
			[]float64{0.25, 0.25, 0.5, 0},
			even,
			[]float64{.25, .25, .5, 0},
		},
		{"nothing seen", 0.5, []float64{0.25, 0.5, 0.5, 0.5}, make([]float64, 4), []float64{1, 0, 0, 0}, even},
		{"one region", 0.5, []float64{0.25}, []float64{0.125}, []float64{1}, []float64{1}},
		{"none", 0.5, nil, nil, nil, nil},
	} {
		features, attention := Single(test.original, test.variants, test.shifted)
		if !slices.Equal(features, test.features) || !slices.Equal(attention, test.attention) {
			t.Errorf("%s: %v and %v", test.name, features, attention)
		}
	}
	features, attention := Single(0.5, []float64{math.NaN(), 0.25}, []float64{0.5, 0.5})
	if !math.IsNaN(features[0]) || !math.IsNaN(features[1]) || attention[0] != 0.5 {
		t.Errorf("NaN: %v and %v", features, attention)
	}
}
