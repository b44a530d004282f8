package invariance

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// near compares up to a relative difference; NaN is near NaN.
func near(got, want, tolerance float64) bool {
	return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tolerance*(1+math.Abs(want))
}

func slowShares(p []float64) []float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	shares := make([]float64, len(p))
	for c, v := range p {
		shares[c] = v / sum
	}
	return shares
}

func slowTop(p []float64) int { return slices.Index(p, slices.Max(p)) }

// vectors draws a softmax vector with zeros, ties and very small entries among its entries.
func vectors(classes int) *rapid.Generator[[]float64] {
	entry := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Just(0.0), rapid.Just(0.5), rapid.Just(1e-14),
		rapid.Just(1e-200))
	return rapid.Map(rapid.SliceOfN(entry, classes, classes), func(v []float64) []float64 {
		if slices.Max(v) < 1e-6 {
			v[0] = 1
		}
		return slowShares(v)
	})
}

// EI is 0 or at least 1/K, JS lies in 0..ln 2, all but the two KL are symmetric, and these change
// places.
func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(1, 12).Draw(t, "classes")
		p, q := vectors(classes).Draw(t, "p"), vectors(classes).Draw(t, "q")
		v := testdata.Must(Compare(p, q))(t)
		if v[EI] != 0 && v[EI] < 1/float64(classes)-1e-15 || v[EI] > 1 {
			t.Errorf("EI = %v of %d classes", v[EI], classes)
		}
		if v[JS] < 0 || v[JS] > math.Ln2 || v[KL] < 0 || v[KLReverse] < 0 || v[L2] > math.Sqrt2*(1+1e-15) {
			t.Errorf("%v", v)
		}
		back := testdata.Must(Compare(q, p))(t)
		back[KL], back[KLReverse] = back[KLReverse], back[KL]
		for m := range Measures {
			if !near(back[m], v[m], 1e-14) {
				t.Errorf("%s = %v one way, %v the other", m, v[m], back[m])
			}
		}
		same := testdata.Must(Compare(p, p))(t)
		if same[JS] != 0 || same[L2] != 0 || same[KL] != 0 || same[KLReverse] != 0 || same[Consistent] != 1 {
			t.Errorf("a vector with itself: %v", same)
		}
		if want := slowShares(p)[slowTop(p)]; !near(same[EI], want, 1e-15) {
			t.Errorf("EI of a vector with itself %v, want %v", same[EI], want)
		}
	})
}

// The four cases of the paper's Fig. 1: equal predictions, sure and unsure; other predictions, sure
// and unsure.
func TestCompareKnownCases(t *testing.T) {
	const nearly = .9009 / 1.0009 * .8991 / .9991
	for _, c := range []struct {
		name                    string
		p, q                    []float64
		ei, product, consistent float64
	}{
		{"sure and equal", []float64{.9, .05, .03, .02}, []float64{.7, .1, .1, .1}, math.Sqrt(.63), .63, 1},
		{"unsure and equal", []float64{.35, .25, .2, .2}, []float64{.32, .28, .2, .2}, math.Sqrt(.112), .112, 1},
		{"sure and different", []float64{.8, .1, .05, .05}, []float64{.1, .75, .1, .05}, 0, 0, 0},
		{"unsure and different", []float64{.3, .28, .22, .2}, []float64{.28, .3, .22, .2}, 0, 0, 0},
		{"one class", []float64{1}, []float64{1}, 1, 1, 1},
		{"a tie goes to the first", []float64{.4, .4, .2}, []float64{.4, .3, .3}, .4, .16, 1},
		{"nearly summing to 1", []float64{.9009, .1}, []float64{.8991, .1}, math.Sqrt(nearly), nearly, 1},
	} {
		v, err := Compare(c.p, c.q)
		if err != nil || !near(v[EI], c.ei, 1e-12) || !near(v[Product], c.product, 1e-12) ||
			v[Consistent] != c.consistent {
			t.Errorf("%s: %v, %v", c.name, v, err)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	good := []float64{.5, .5}
	for _, c := range []struct {
		name string
		p, q []float64
		want string
	}{
		{"lengths", good, []float64{1}, "2 and 1 classes"},
		{"nothing", nil, nil, "without classes"},
		{"negative", []float64{1.2, -.2}, good, "entry 1 is -0.2"},
		{"negative after", good, []float64{-.1, 1.1}, "the transformed image: softmax entry 0"},
		{"not a number", []float64{math.NaN(), 1}, good, "entry 0 is NaN"},
		{"logits", []float64{3, 1}, good, "sums to 4"},
		{"too small", []float64{.5, .498}, good, "sums to 0.998"},
		{"infinite", []float64{math.Inf(1), 0}, good, "sums to +Inf"},
	} {
		v, err := Compare(c.p, c.q)
		if err == nil || !strings.Contains(err.Error(), c.want) || !math.IsNaN(v[EI]) {
			t.Errorf("%s: %v, %v; want %q", c.name, v, err, c.want)
		}
	}
}

func TestValuesAsJSON(t *testing.T) {
	values := Values{0.1, 1e-300, math.NaN(), 1.0 / 3, math.NaN(), 0, 1}
	text := testdata.Must(json.Marshal(values))(t)
	want := `{"ei":0.1,"ei_product":1e-300,"js":null,"l2":0.3333333333333333,"kl":null,"kl_reverse":0,"consistent":1}`
	testdata.Is(t, "text", string(text), want)
	var back Values
	testdata.OK(t, json.Unmarshal(text, &back))
	testdata.NearAll(t, "read back", back[:], values[:], 0)
	for _, bad := range []string{`{}`, `{"ei":1}`, `[1]`, `{"ei":"x"}`} {
		testdata.Refused(t, fmt.Sprintf("%s was read", bad), json.Unmarshal([]byte(bad), &back))
	}
	testdata.Refused(t, "an infinite value was written", testdata.Err(json.Marshal(Values{math.Inf(1)})))
}

func FuzzValues(f *testing.F) {
	f.Add([]byte(`{"ei":0.1,"ei_product":0.01,"js":null,"l2":0.3,"kl":null,"kl_reverse":0,"consistent":1}`))
	f.Add([]byte(`{"ei":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, again Values
		if json.Unmarshal(data, &v) != nil {
			return
		}
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		testdata.NearAll(t, "read again", again[:], v[:], 0)
	})
}

func BenchmarkCompare(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	draw := func() []float64 {
		v := make([]float64, 10)
		for c := range v {
			v[c] = random.ExpFloat64()
		}
		return slowShares(v)
	}
	p, q := newVector(10), newVector(10)
	first, second := draw(), draw()
	testdata.OK(b, set(p, first))
	var v Values
	for b.Loop() { // a pair of 10-class vectors as a meter compares it: the image's own logarithms are there
		testdata.OK(b, set(q, second))
		v.predicted(true, 0.5, 0.5)
		v.spread(p, q)
	}
}
