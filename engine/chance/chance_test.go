package chance

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// slowTail adds up the binomial probabilities in exact fractions.
func slowTail(k, n int, numerator, denominator int64) float64 {
	share := big.NewRat(numerator, denominator)
	rest := new(big.Rat).Sub(big.NewRat(1, 1), share)
	power := func(base *big.Rat, exponent int) *big.Rat {
		product := big.NewRat(1, 1)
		for range exponent {
			product.Mul(product, base)
		}
		return product
	}
	sum := new(big.Rat)
	for i := max(k, 0); i <= n; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(i)))
		sum.Add(sum, term.Mul(term, power(share, i)).Mul(term, power(rest, n-i)))
	}
	tail, _ := sum.Float64()
	return tail
}

func TestUpperTailEqualsExactFractions(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		for k := -1; k <= n+1; k++ {
			for _, p := range [][2]int64{{0, 1}, {1, 10}, {35, 100}, {1, 2}, {1, 1}} {
				want := slowTail(k, n, p[0], p[1])
				if got := upperTail(k, n, float64(p[0])/float64(p[1])); math.Abs(got-want) > 1e-12 {
					t.Errorf("at least %d of %d at %v: %v, want %v", k, n, p, got, want)
				}
			}
		}
	}
	// Far from the middle and of many images the tail stays a number between 0 and 1 that falls
	// with k.
	last := 1.0
	for k := 0; k <= 50000; k += 500 {
		got := upperTail(k, 50000, 0.1)
		if !(got >= 0 && got <= last) {
			t.Fatalf("at least %d of 50000: %v after %v", k, got, last)
		}
		last = got
	}
}

func TestLevel(t *testing.T) {
	const dark = ": dark matrices do not mean invariance"
	for name, c := range map[string]struct {
		counts Counts
		code   Code
		text   string
	}{
		"not above one in ten": {
			Counts{Labelled: 400, Correct: 45, Classes: 10, Largest: 40, Top: 100, TopLabels: 40},
			NotAbove, "accuracy 11.3 % of 400 images is not above chance (10 %)" + dark,
		},
		"above": {Counts{Labelled: 400, Correct: 60, Classes: 10, Largest: 40, Top: 100, TopLabels: 40}, Fine, ""},
		"above one in ten, not above the largest class": {
			Counts{Labelled: 400, Correct: 140, Classes: 10, Largest: 140, Top: 400, TopLabels: 140},
			NotAbove, "accuracy 35 % of 400 images is not above chance (35 %)" + dark,
		},
		"above, but one class": {
			Counts{Labelled: 400, Correct: 230, Classes: 3, Largest: 200, Top: 370, TopLabels: 200},
			OneClass, "92.5 % of 400 predictions are one class, as are 50 % of the labels" + dark,
		},
		"one class that the labels explain": {
			Counts{Labelled: 400, Correct: 390, Classes: 3, Largest: 365, Top: 380, TopLabels: 365}, Fine, "",
		},
		"exactly 90 % are not nearly all": {
			Counts{Labelled: 400, Correct: 230, Classes: 3, Largest: 200, Top: 360, TopLabels: 200}, Fine, "",
		},
		"one class in all": {
			Counts{Labelled: 5, Correct: 5, Classes: 1, Largest: 5, Top: 5, TopLabels: 5},
			NotAbove, "accuracy 100 % of 5 images is not above chance (100 %)" + dark,
		},
		"no right one": {
			Counts{Labelled: 3, Classes: 2, Largest: 2, Top: 3, TopLabels: 1},
			NotAbove, "accuracy 0 % of 3 images is not above chance (66.7 %)" + dark,
		},
		"no labels": {Counts{Classes: 10}, Fine, ""},
	} {
		l := c.counts.Level()
		if l.Code != c.code || l.Sentence() != c.text || l.Flagged() != (c.code != Fine) ||
			(c.counts.Labelled == 0) != (l.P == 0) {
			t.Errorf("%s: %+v %q", name, l, l.Sentence())
		}
	}
}

func TestLevelJSON(t *testing.T) {
	for want, c := range map[string]Counts{
		`{"code":"","p":null,"guessing":0,"labelled":0,"correct":0,"classes":3,"largest":0,"top":0,"top_labels":0}`: {Classes: 3},
		`{"code":"not_above_chance","note":"accuracy 0 % of 1 images is not above chance (100 %): dark matrices do not mean invariance",` +
			`"p":1,"guessing":1,"labelled":1,"correct":0,"classes":2,"largest":1,"top":1,"top_labels":0}`: {
			Labelled: 1,
			Classes:  2, Largest: 1, Top: 1,
		},
	} {
		testdata.Is(t, "got", string(testdata.Must(json.Marshal(c.Level()))(t)), want)
	}
}

func TestCount(t *testing.T) {
	// Suite labels 0, 1, 2 are the model's classes 2, 0 and none; image 5 has no label and image 6
	// is not chosen.
	prediction, labels, classes := []int32{2, 2, 2, 0, 2, 2, 1}, []int{0, 0, 1, 1, 2, -1, 0}, []int{2, 0, -1}
	images := []int{0, 1, 2, 3, 4, 5}
	want := Counts{Labelled: 5, Correct: 3, Classes: 4, Largest: 2, Top: 4, TopLabels: 2}
	testdata.Is(t, "Count", Count(prediction, labels, classes, images, 4), want)
	var t2 Tally
	for _, k := range images {
		t2.Add(prediction, labels, classes, []int{k})
	}
	testdata.Is(t, "piece by piece", t2.Counts(4), want)
	testdata.Is(t, "without labels", Count(prediction, nil, classes, images, 4), (Counts{Classes: 4}))
	testdata.Is(t, "of no image", Count(prediction, labels, classes, nil, 4), (Counts{Classes: 4}))
}
