package agreement

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine/stats"

	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

// The slow versions walk over items and pairs of ratings as the definitions say, without tables or patterns.

type slow struct {
	ratings [][]int
	classes int
}

func (s slow) items() int { return len(s.ratings[0]) }

// of lists the ratings of item i that are there.
func (s slow) of(i int) (list []int) {
	for _, row := range s.ratings {
		if row[i] != Missing {
			list = append(list, row[i])
		}
	}
	return list
}

func (s slow) w(kind, k, l int) float64 {
	d := math.Abs(float64(k-l)) / float64(s.classes-1)
	switch {
	case k == l:
		return 1
	case kind == nominal:
		return 0
	case kind == linear:
		return 1 - d
	}
	return 1 - d*d
}

func (s slow) cohen(a, b []int, kind int) (float64, bool) {
	n, observed, expected := 0.0, 0.0, 0.0
	for i := range a {
		if a[i] == Missing || b[i] == Missing {
			continue
		}
		n++
		observed += s.w(kind, a[i], b[i])
		for j := range b {
			if a[j] != Missing && b[j] != Missing {
				expected += s.w(kind, a[i], b[j])
			}
		}
	}
	observed, expected = observed/n, expected/(n*n)
	return (observed - expected) / (1 - expected), n > 0 && 1-expected > 1e-9
}

// observed is the mean over items with two ratings of the mean weight over ordered pairs of different raters.
func (s slow) observed(kind int) (float64, bool) {
	sum, items := 0.0, 0.0
	for i := range s.items() {
		list, pairs, weight := s.of(i), 0.0, 0.0
		for x := range list {
			for y := range list {
				if x != y {
					pairs++
					weight += s.w(kind, list[x], list[y])
				}
			}
		}
		if pairs > 0 {
			items++
			sum += weight / pairs
		}
	}
	return sum / items, items > 0
}

func (s slow) pi(k int) float64 {
	sum, items := 0.0, 0.0
	for i := range s.items() {
		list, n := s.of(i), 0.0
		for _, class := range list {
			if class == k {
				n++
			}
		}
		if len(list) > 0 {
			items++
			sum += n / float64(len(list))
		}
	}
	return sum / items
}

func (s slow) fleiss() (float64, bool) {
	observed, ok := s.observed(nominal)
	expected := 0.0
	for k := range s.classes {
		expected += s.pi(k) * s.pi(k)
	}
	return (observed - expected) / (1 - expected), ok && 1-expected > 1e-9
}

func (s slow) gwet(kind int) (float64, bool) {
	observed, ok := s.observed(kind)
	spread, total := 0.0, 0.0
	for k := range s.classes {
		spread += s.pi(k) * (1 - s.pi(k))
		for l := range s.classes {
			total += s.w(kind, k, l)
		}
	}
	expected := total * spread / float64(s.classes*(s.classes-1))
	return (observed - expected) / (1 - expected), ok
}

// alpha takes every ordered pair of ratings of the whole data for the expected disagreement.
func (s slow) alpha(kind int) (float64, bool) {
	var all []int
	for i := range s.items() {
		if list := s.of(i); len(list) > 1 {
			all = append(all, list...)
		}
	}
	delta := func(c, k int) float64 {
		switch {
		case c == k:
			return 0
		case kind == alphaNominal:
			return 1
		case kind == alphaInterval:
			return float64(c-k) * float64(c-k)
		}
		between := 0.0
		for _, g := range all {
			switch {
			case g == c || g == k:
				between += 0.5
			case g > min(c, k) && g < max(c, k):
				between++
			}
		}
		return between * between
	}
	n, observed, expected := float64(len(all)), 0.0, 0.0
	for i := range s.items() {
		list := s.of(i)
		for x := range list {
			for y := range list {
				if x != y {
					observed += delta(list[x], list[y]) / float64(len(list)-1)
				}
			}
		}
	}
	for x := range all {
		for y := range all {
			if x != y {
				expected += delta(all[x], all[y])
			}
		}
	}
	return 1 - (observed/n)/(expected/(n*(n-1))), expected > 0
}

func drawRatings(t *rapid.T) (ratings [][]int, classes int) {
	classes = rapid.IntRange(2, 5).Draw(t, "classes")
	raters := rapid.IntRange(1, 5).Draw(t, "raters")
	items := rapid.IntRange(0, 12).Draw(t, "items")
	rating := rapid.IntRange(Missing, classes-1)
	for range raters {
		ratings = append(ratings, rapid.SliceOfN(rating, items, items).Draw(t, "row"))
	}
	return ratings, classes
}

func names(n int) []string {
	list := make([]string, n)
	for k := range list {
		list[k] = "r" + strconv.Itoa(k)
	}
	return list
}

func TestAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		s := slow{ratings, classes}
		r := Measure(ratings, classes, names(len(ratings)), Options{})
		same := func(name string, e *Estimate, want float64, ok bool) {
			if e == nil {
				if classes > 2 {
					t.Fatalf("%s is missing", name)
				}
				return
			}
			if e.Value.Defined() != ok || ok && math.Abs(e.Value.Value-want) > 1e-9 {
				t.Fatalf("%s = %+v, want %v, defined %v", name, e.Value, want, ok)
			}
		}
		check := func(name string, e *Estimate, f func() (float64, bool)) {
			want, ok := f()
			same(name, e, want, ok)
		}
		check("percent", &r.Percent, func() (float64, bool) { return s.observed(nominal) })
		check("fleiss", &r.Fleiss, s.fleiss)
		check("ac1", &r.GwetAC1, func() (float64, bool) { return s.gwet(nominal) })
		check("ac2 linear", r.GwetAC2Linear, func() (float64, bool) { return s.gwet(linear) })
		check("ac2 quadratic", r.GwetAC2Quadratic, func() (float64, bool) { return s.gwet(quadratic) })
		check("alpha nominal", &r.KrippendorffNominal, func() (float64, bool) { return s.alpha(alphaNominal) })
		check("alpha ordinal", r.KrippendorffOrdinal, func() (float64, bool) { return s.alpha(alphaOrdinal) })
		check("alpha interval", r.KrippendorffInterval, func() (float64, bool) { return s.alpha(alphaInterval) })
		for _, p := range r.Cohen {
			a, b := ratings[p.A], ratings[p.B]
			check("cohen", &p.Kappa, func() (float64, bool) { return s.cohen(a, b, nominal) })
			check("cohen linear", p.Linear, func() (float64, bool) { return s.cohen(a, b, linear) })
			check("cohen quadratic", p.Quadratic, func() (float64, bool) { return s.cohen(a, b, quadratic) })
		}
		for _, m := range r.VsMajority {
			check("majority", &m.Kappa, func() (float64, bool) {
				return s.cohen(ratings[m.Index], r.Majority.Unresolved, nominal)
			})
		}
	})
}

func TestMajorityAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		m := majorities(ratings, classes, len(ratings[0]))
		for i := range ratings[0] {
			list := slow{ratings, classes}.of(i)
			count := func(class int) (n int) {
				for _, c := range list {
					if c == class {
						n++
					}
				}
				return n
			}
			var top []int
			for k := range classes {
				switch {
				case count(k) == 0, len(top) > 0 && count(k) < count(top[0]):
				case len(top) > 0 && count(k) == count(top[0]):
					top = append(top, k)
				default:
					top = []int{k}
				}
			}
			want := [3]int{Missing, Missing, Missing}
			if len(top) > 0 {
				want[1], want[2] = top[0], top[len(top)-1]
			}
			if len(top) == 1 {
				want[0] = top[0]
			}
			if got := [3]int{m.Unresolved[i], m.Lowest[i], m.Highest[i]}; got != want {
				t.Fatalf("majority of %v is %v, want %v", list, got, want)
			}
		}
	})
}

// Leaving one out compares a rater with the majority of the ratings without that row.
func TestLeaveOneOutAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		r := Measure(ratings, classes, names(len(ratings)), Options{LeaveOneOut: true})
		for k, m := range r.VsMajority {
			others := slices.Delete(slices.Clone(ratings), k, k+1)
			column := majorities(others, classes, len(ratings[0])).Unresolved
			want, ok := slow{ratings, classes}.cohen(ratings[k], column, nominal)
			if m.Kappa.Value.Defined() != ok || ok && math.Abs(m.Kappa.Value.Value-want) > 1e-9 {
				t.Fatalf("rater %d: %+v, want %v, defined %v", k, m.Kappa.Value, want, ok)
			}
		}
	})
}

// The interval is that of the values which Measure gives for a round without one of its items, each in turn.
func TestIntervalsAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		whole := Measure(ratings, classes, names(len(ratings)), Options{Intervals: true}).Fleiss
		if whole.Interval.Reason != "" {
			return
		}
		var without []float64
		var times []int
		for i := range ratings[0] {
			less := make([][]int, len(ratings))
			for r, row := range ratings {
				less[r] = slices.Delete(slices.Clone(row), i, i+1)
			}
			without, times = append(without, Measure(less, classes, names(len(ratings)), Options{}).Fleiss.Value.Value), append(times, 1)
		}
		most := float64(whole.N - 2 - classes)
		low, high, ok := stats.Jackknife(whole.Value.Value, without, times, whole.N, most, Confidence, stats.FisherScale)
		if iv := whole.Interval; !ok || math.Abs(iv.Low-low) > 1e-9 || math.Abs(iv.High-high) > 1e-9 || !(iv.Low < whole.Value.Value && whole.Value.Value < iv.High) {
			t.Fatalf("%+v, want %v .. %v (%v)", iv, low, high, ok)
		}
	})
}

// The group measures do not care about the order of raters and items, and full agreement on two classes is 1.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings, classes := drawRatings(t)
		shuffled := rapid.Permutation(ratings).Draw(t, "raters")
		order := testdata.UpTo(len(ratings[0]))
		order = rapid.Permutation(order).Draw(t, "items")
		other := make([][]int, len(shuffled))
		for r, row := range shuffled {
			for _, i := range order {
				other[r] = append(other[r], row[i])
			}
		}
		a, b := Measure(ratings, classes, names(len(ratings)), Options{}), Measure(other, classes, names(len(other)), Options{})
		for k, pair := range [][2]Estimate{{a.Fleiss, b.Fleiss}, {a.GwetAC1, b.GwetAC1}, {a.KrippendorffNominal, b.KrippendorffNominal}, {a.Percent, b.Percent}} {
			x, y := pair[0], pair[1]
			if x.Value.Reason != y.Value.Reason || x.N != y.N || math.Abs(x.Value.Value-y.Value.Value) > 1e-9 {
				t.Fatalf("measure %d: %+v and %+v", k, x, y)
			}
		}
	})
}

func TestFullAgreementIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 5).Draw(t, "classes")
		row := append([]int{0, classes - 1}, rapid.SliceOfN(rapid.IntRange(0, classes-1), 0, 10).Draw(t, "row")...)
		r := Measure([][]int{row, row, row}, classes, names(3), Options{})
		for k, e := range []Estimate{r.Percent, r.Fleiss, r.CohenMean, r.GwetAC1, r.KrippendorffNominal, r.VsMajority[0].Kappa} {
			if !e.Value.Defined() || math.Abs(e.Value.Value-1) > 1e-12 {
				t.Fatalf("measure %d of full agreement is %+v", k, e)
			}
		}
	})
}
