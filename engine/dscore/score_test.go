package dscore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
)

func TestOneRegion(t *testing.T) {
	s := testdata.Must(Compute(Accuracies{
		Original: 0.75, Variants: []float64{0.5}, Shifted: []float64{0.625}, Classes: 10,
	}))(t)
	testdata.NoDiff(t, "score", cmp.Diff(Score{
		Grid: 1, Features: []float64{1}, Attention: []float64{1}, RobustTerms: [3]float64{0, 0, 0.125}, Robust: 0.125,
		Fitness: 0.75, DScore: 0.625, Bound: 0.9, P: 0.125 / 0.9,
	}, s))
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
		s := testdata.Must(Compute(Accuracies{
			Original: test.original, Variants: test.variants, Shifted: test.shifted, Classes: 10,
		}))(t)
		testdata.Equal(t, test.name, s.Flags, test.want)
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
	even, ends := []float64{.25, .25, .25, .25}, []float64{.5, 0, 0, .5}
	for _, test := range []struct {
		name                string
		original            float64
		variants, shifted   []float64
		features, attention []float64
	}{
		{"half", 0.9, []float64{0.5, 0.9, 0.95, 0.5}, []float64{0.5, 0, 0, 0.5}, ends, ends},
		{"nothing lost", 0.5, []float64{0.5, 0.6, 0.7, 0.8}, []float64{.5, 0, 0, .5}, even, ends},
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
