package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// Values of scipy.stats.pearsonr and spearmanr, and small ones that can be had by hand.
func TestCorrelationKnownValues(t *testing.T) {
	score := []float64{
		0.2151, 0.2341, 0.2355, 0.2355, 0.2933, 0.3247, 0.3441, 0.4024, 0.4116, 0.4157, 0.5472, 0.6085,
		0.6647, 0.7047, 0.8046, 0.8072,
	}
	accuracy := []float64{
		0.3115, 0.4452, 0.4613, 0.3368, 0.4616, 0.4223, 0.4793, 0.5434, 0.457, 0.5446, 0.6043, 0.6652,
		0.9828, 0.6948, 0.794, 0.8565,
	}
	logit := make([]float64, len(accuracy))
	for k, a := range accuracy {
		logit[k] = math.Log(a / (1 - a))
	}
	for _, c := range []struct {
		name     string
		measure  func(x, y []float64) Correlation
		x, y     []float64
		value, p float64
	}{
		{"scipy, Pearson", Pearson, score, logit, 0.7565634965383781, 0.000693589825723809},
		{"scipy, Spearman", Spearman, score, accuracy, 0.9183225444202059, 5.2285027198711e-07},
		{"a line", Pearson, []float64{1, 2, 4}, []float64{3, 5, 9}, 1, 1. / 3},
		{"a falling line", Pearson, []float64{1, 2, 4}, []float64{-3, -5, -9}, -1, 1. / 3},
		// Of the six orders of three values, three have r of at least 1/2.
		{"three pairs", Pearson, []float64{1, 2, 3}, []float64{1, 3, 2}, 0.5, 1},
		// Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 x 5), and 2 of 24 orders have that.
		{"ties", Spearman, []float64{1, 7, 7, 9}, []float64{0, 10, 20, 30}, math.Sqrt(0.9), 4. / 24},
		{"infinite", Spearman, []float64{1, 2, 3}, []float64{math.Inf(-1), 0, math.Inf(1)}, 1, 1. / 3},
		{"huge", Pearson, []float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{1, 2, 3}, 1, 1. / 3},
		{"tiny", Pearson, []float64{1e9, 1e9 + 1, 1e9 + 2}, []float64{1e-300, 3e-300, 2e-300}, 0.5, 1},
	} {
		got := c.measure(c.x, c.y)
		if !got.Defined() || got.N != len(c.x) || !near(got.Value, c.value, 1e-10) ||
			!near(got.P, c.p, 1e-10+1e-9*c.p) {
			t.Errorf("%s: %+v, want %v with p %v", c.name, got, c.value, c.p)
		}
	}
}

func TestCorrelationUndefined(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name             string
		x, y             []float64
		n                int
		pearson, ranking string
	}{
		{"nothing", nil, nil, 0, FewPairs, FewPairs},
		{"two pairs", []float64{1, 2}, []float64{3, 4}, 2, FewPairs, FewPairs},
		{"two pairs are left", []float64{1, 2, nan, 4}, []float64{3, 4, 5, nan}, 2, FewPairs, FewPairs},
		{"first constant", []float64{0.1, 0.1, 0.1}, []float64{3, 4, 5}, 3, FirstFixed, FirstFixed},
		{"both constant", []float64{0.1, 0.1, 0.1}, []float64{3, 3, 3}, 3, FirstFixed, FirstFixed},
		{"constant in what is left", []float64{1, 2, 3, 4}, []float64{nan, 0.1, 0.1, 0.1}, 3, SecondFixed, SecondFixed},
		{"infinite", []float64{1, 2, inf}, []float64{3, 4, 5}, 3, NotFinite, ""},
		{"infinite second", []float64{1, 2, 3}, []float64{3, -inf, 5}, 3, NotFinite, ""},
		{"infinite beside NaN is dropped", []float64{1, 2, 3, inf}, []float64{3, 4, 6, nan}, 3, "", ""},
	} {
		for _, m := range []struct {
			name   string
			got    Correlation
			reason string
		}{{"Pearson", Pearson(c.x, c.y), c.pearson}, {"Spearman", Spearman(c.x, c.y), c.ranking}} {
			if m.got.Reason != m.reason || m.got.N != c.n || m.got.Defined() != (m.reason == "") {
				t.Errorf("%s, %s: %+v, want %q of %d pairs", c.name, m.name, m.got, m.reason, c.n)
			}
		}
	}
}

// slowRanks counts for each value those below it and its equals.
func slowRanks(values []float64) []float64 {
	places := make([]float64, len(values))
	for k, v := range values {
		for _, other := range values {
			switch {
			case other < v:
				places[k]++
			case other == v:
				places[k] += 0.5
			}
		}
		places[k] += 0.5
	}
	return places
}

func TestCorrelationEqualsSlowVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "n")
		value := rapid.OneOf(rapid.Map(rapid.IntRange(-9999, 9999), func(v int) float64 { return float64(v) / 100 }),
			rapid.Map(rapid.IntRange(0, 4), func(v int) float64 { return float64(v) }))
		x, y := rapid.SliceOfN(value, n, n).Draw(t, "x"), rapid.SliceOfN(value, n, n).Draw(t, "y")
		if slices.Min(x) == slices.Max(x) || slices.Min(y) == slices.Max(y) {
			return
		}
		keptX, keptY := slices.Clone(x), slices.Clone(y)
		for _, c := range []struct {
			name string
			got  Correlation
			want float64
		}{
			{"Pearson", Pearson(x, y), stat.Correlation(x, y, nil)},
			{"Spearman", Spearman(x, y), slowSpearman(x, y)},
		} {
			if c.got.N != n || !near(c.got.Value, c.want, 1e-9) {
				t.Fatalf("%s: %+v, want %v", c.name, c.got, c.want)
			}
		}
		// Pairs with a NaN are no pairs.
		nan, one := []float64{math.NaN(), 1}, []float64{1, math.NaN()}
		if got := Pearson(slices.Concat(nan, x), slices.Concat(one, y)); got != Pearson(x, y) {
			t.Fatalf("with gaps: %+v", got)
		}
		if got := Spearman(slices.Concat(x, nan), slices.Concat(y, one)); got != Spearman(x, y) {
			t.Fatalf("with gaps: %+v", got)
		}
		if !slices.Equal(x, keptX) || !slices.Equal(y, keptY) {
			t.Fatal("the variables have changed")
		}
	})
}

func TestToUnitRange(t *testing.T) {
	for _, c := range []struct {
		values, want []float64
	}{
		{[]float64{3}, nil},
		{[]float64{7, 7, 7}, nil},
		{[]float64{0, 5e-324}, nil},
		{[]float64{2, 4, 3}, []float64{0, 1, 0.5}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64, 0}, []float64{0, 1, 0.5}},
		{[]float64{1e-300, 3e-300}, []float64{0, 1}},
	} {
		got := slices.Clone(c.values)
		testdata.Is(t, fmt.Sprintf("%v", c.values), ToUnitRange(got), (c.want != nil))
		if c.want == nil {
			c.want = c.values
		}
		testdata.Equal(t, fmt.Sprintf("%v became", c.values), got, c.want)
	}
}

func TestCorrelationJSON(t *testing.T) {
	for want, c := range map[string]Correlation{
		`{"value":0.5,"p":0.25,"p_by":"exact","low":0.1,"high":0.75,"interval_by":"bootstrap","n":12}`: {
			Value: 0.5, P: 0.25, PBy: Exact, Low: 0.1, High: 0.75, IntervalBy: Bootstrap, N: 12,
		},
		`{"value":1,"p":0.25,"low":null,"high":null,"n":3,"no_interval":"fewer than 4 pairs"}`: {
			Value: 1, P: 0.25, N: 3, NoInterval: FewForZ,
		},
		`{"value":null,"p":null,"low":null,"high":null,"n":2,"reason":"fewer than 3 pairs"}`: {
			N: 2, Reason: FewPairs,
		},
	} {
		testdata.Is(t, "got", string(testdata.Must(json.Marshal(c))(t)), want)
	}
}
