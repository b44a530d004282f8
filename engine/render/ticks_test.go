package render

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      []float64
		texts     []string
	}{
		{0, 0.3, 4, []float64{0, 0.1, 0.2, 0.3}, []string{"0.0", "0.1", "0.2", "0.3"}},
		{
			0, 0.3, 7,
			[]float64{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3},
			[]string{"0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"},
		},
		{0, 5, 6, []float64{0, 1, 2, 3, 4, 5}, []string{"0", "1", "2", "3", "4", "5"}},
		{-1, 1, 3, []float64{-1, 0, 1}, []string{"-1", "0", "1"}},
		{0.754, 0.98, 3, []float64{0.8, 0.9}, []string{"0.8", "0.9"}},
		{0, 2e-5, 3, []float64{0, 1e-5, 2e-5}, []string{"0", "1e-05", "2e-05"}},
		{0, 5e6, 2, []float64{0, 5e6}, []string{"0", "5e+06"}},
		{1, 200, 5, []float64{50, 100, 150, 200}, []string{"50", "100", "150", "200"}},
		{1, 1, 5, nil, []string{}},
		{2, 1, 5, nil, []string{}},
		{0, math.Inf(1), 5, nil, []string{}},
		{math.NaN(), 1, 5, nil, []string{}},
		{0, 1, 0, nil, []string{}},
	} {
		got := Ticks(c.low, c.high, c.most)
		if !slices.Equal(got, c.want) || !slices.Equal(TickTexts(got), c.texts) {
			t.Errorf("%v..%v, %d: got %v %q, want %v %q", c.low, c.high, c.most, got, TickTexts(got), c.want, c.texts)
		}
	}
}

// Values that are equal but for their last bits have an axis, too: where two multiples are one
// number, there is one tick or none.
func TestTicksOfTheNarrowestRanges(t *testing.T) {
	for _, low := range []float64{5e-324, 1e-300, 0.1, 0.3, -0.7, 1.23456789012345, 1e9, 1e17, -1e17, 1e300} {
		for _, wide := range []int{1, 2, 3, 10, 1000} {
			high := low
			for range wide {
				high = math.Nextafter(high, math.Inf(1))
			}
			for most := 1; most <= 12; most++ {
				ticks := Ticks(low, high, most)
				if len(ticks) > most || len(TickTexts(ticks)) != len(ticks) {
					t.Fatalf("%v..%v: %d ticks, at most %d were asked for", low, high, len(ticks), most)
				}
				for k, v := range ticks {
					if !(v >= low-(high-low) && v <= high+(high-low)) || k > 0 && v <= ticks[k-1] {
						t.Fatalf("%v..%v: ticks %v", low, high, ticks)
					}
				}
			}
		}
	}
	if got := Ticks(1e17, 1e17+16, 7); !slices.Equal(got, []float64{1e17}) {
		t.Errorf("ticks %v", got)
	}
}

func TestTicksProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1000, 1000).Draw(t, "low")
		high := low + rapid.Float64Range(1e-3, 1e4).Draw(t, "width")
		most := rapid.IntRange(2, 12).Draw(t, "most")
		ticks := Ticks(low, high, most)
		if len(ticks) > most {
			t.Fatalf("%d ticks, at most %d were asked for", len(ticks), most)
		}
		for k, v := range ticks {
			if v < low-1e-6*(high-low) || v > high+1e-6*(high-low) {
				t.Errorf("tick %v outside %v..%v", v, low, high)
			}
			if k > 0 && v <= ticks[k-1] {
				t.Errorf("ticks %v do not ascend", ticks)
			}
		}
		texts := TickTexts(ticks)
		for k := 1; k < len(texts); k++ {
			if texts[k] == texts[k-1] {
				t.Errorf("ticks %v and %v have the same text %q", ticks[k-1], ticks[k], texts[k])
			}
		}
	})
}

func interval(k int, step, middle float64) []float64 {
	values := make([]float64, 2*k+1)
	for i := range values {
		values[i] = middle + float64(i-k)*step
	}
	return values
}

func TestValueTicks(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		most   int
		want   []string
	}{
		{"rotation, nine", interval(15, 1, 0), 9, []string{"-15", "-10", "-5", "0", "5", "10", "15"}},
		{"rotation, round steps first", interval(15, 1, 0), 11, []string{"-15", "-10", "-5", "0", "5", "10", "15"}},
		{"rotation, three", interval(15, 1, 0), 3, []string{"-15", "0", "15"}},
		{"rotation, two", interval(15, 1, 0), 2, []string{"-15", "15"}},
		{"rotation, one", interval(15, 1, 0), 1, []string{"-15"}},
		{"brightness", interval(15, 0.02, 0), 7, []string{"-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"}},
		{"scaling", interval(15, 0.02, 1), 7, []string{"0.7", "0.8", "0.9", "1.0", "1.1", "1.2", "1.3"}},
		{"prime half", interval(13, 1, 0), 9, []string{"-13", "0", "13"}},
		{"three values", interval(1, 30, 0), 9, []string{"-30", "0", "30"}},
		{"even number", []float64{0, 1, 2, 3}, 9, []string{"0", "1", "2", "3"}},
		{"one value", []float64{7}, 5, []string{"7"}},
		{"none", nil, 5, nil},
		{"none asked", interval(2, 1, 0), 0, nil},
	} {
		var texts []string
		for _, tick := range ValueTicks(c.values, c.most) {
			texts = append(texts, tick.Text)
			if c.values[tick.Index] != tick.Value {
				t.Errorf("%s: tick at %d has value %v, want %v", c.name, tick.Index, tick.Value, c.values[tick.Index])
			}
		}
		if !slices.Equal(texts, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, texts, c.want)
		}
	}
}

func TestValueTicksProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 60).Draw(t, "k")
		most := rapid.IntRange(3, 15).Draw(t, "most")
		ticks := ValueTicks(interval(k, rapid.Float64Range(0.001, 10).Draw(t, "step"), 0), most)
		if len(ticks) < 3 || len(ticks) > most {
			t.Fatalf("%d ticks, want 3..%d", len(ticks), most)
		}
		if ticks[0].Index != 0 || ticks[len(ticks)-1].Index != 2*k {
			t.Error("an end has no tick")
		}
		if !slices.ContainsFunc(ticks, func(tick Tick) bool { return tick.Index == k }) {
			t.Error("the identity has no tick")
		}
	})
}

func TestRoundUp(t *testing.T) {
	for _, c := range []struct{ v, want float64 }{
		{0.13, 0.2},
		{0.2, 0.2},
		{0.2000000000001, 0.2},
		{0.21, 0.5},
		{0.51, 1},
		{1, 1},
		{7, 10},
		{1e-7, 1e-7},
		{0, 0},
		{-1, 0},
		{math.NaN(), 0},
		{math.Inf(1), 0},
		{3e-300, 5e-300},
	} {
		if got := RoundUp(c.v); got != c.want {
			t.Errorf("RoundUp(%v) = %v, want %v", c.v, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "exponent"))
		got := RoundUp(v)
		if got < v*(1-1e-8) || got > v*2.5*(1+1e-9) {
			t.Errorf("RoundUp(%v) = %v", v, got)
		}
	})
}

func TestP99Range(t *testing.T) {
	hundred := make([]float64, 101)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	for _, c := range []struct {
		name   string
		values []float64
		high   float64
	}{
		{"position 99 of 0..100", hundred, 100},
		{"one outlier of 1000 is ignored", append(slices.Repeat([]float64{0.04}, 999), 50), 0.05},
		{"one value", []float64{0.3}, 0.5},
		{"interpolated", []float64{0, 1}, 1},
		{"nan and infinity are no values", []float64{math.NaN(), math.Inf(1), 0.1}, 0.1},
		{"all zero", []float64{0, 0}, 1},
		{"all negative", []float64{-3, -1}, 1},
		{"none", nil, 1},
	} {
		if low, high := P99Range(c.values); low != 0 || high != c.high {
			t.Errorf("%s: got %v..%v, want 0..%v", c.name, low, high, c.high)
		}
	}
	testdata.Is(t, "the first of the values, which stay", hundred[0], 100)
}

func TestDefaultRange(t *testing.T) {
	values := []float64{0, 3}
	for modality, want := range map[string]float64{
		"max@CONF": 0.3, "mean@CONF": 0.3, "max@CONV-1": 5, "L2@CONF": 5,
		"Linf@CONF": 5, "std@HEAD": 5,
	} {
		if low, high := DefaultRange(modality, values); low != 0 || high != want {
			t.Errorf("%s: got %v..%v, want 0..%v", modality, low, high, want)
		}
	}
}

func TestLogitTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64 // shares
		most      int
		want      []string
	}{
		{0.05, 0.95, 3, []string{"0.1", "0.5", "0.9"}},
		{0.45, 0.995, 5, []string{"0.5", "0.9", "0.99"}},
		{0.001, 0.999, 7, []string{"0.001", "0.01", "0.1", "0.5", "0.9", "0.99", "0.999"}},
		{0.912, 0.938, 4, []string{"0.92", "0.93"}},
	} {
		ticks, texts := LogitTicks(logit(c.low), logit(c.high), c.most)
		if len(ticks) != len(texts) || len(texts) > c.most {
			t.Errorf("%v..%v: %d ticks, %d texts of %d", c.low, c.high, len(ticks), len(texts), c.most)
		}
		for k := range ticks {
			if math.Abs(ticks[k]-logit(parsed(t, texts[k]))) > 1e-9 {
				t.Errorf("the tick at %v says %s", ticks[k], texts[k])
			}
		}
		if !slices.Equal(texts, c.want) {
			t.Errorf("%v..%v: %q, want %q", c.low, c.high, texts, c.want)
		}
	}
	for _, bad := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {math.Inf(-1), 1}} {
		if ticks, texts := LogitTicks(bad[0], bad[1], 5); ticks != nil || texts != nil {
			t.Errorf("%v has ticks %v", bad, ticks)
		}
	}
}

// TestLogitTicksStandApart: ascending, inside of the axis, no more than asked for, and none on
// another.
func TestLogitTicksStandApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-9, 9).Draw(t, "low")
		high := low + rapid.Float64Range(1e-3, 15).Draw(t, "width")
		most := rapid.IntRange(1, 14).Draw(t, "most")
		ticks, texts := LogitTicks(low, high, most)
		if len(ticks) > most || len(ticks) != len(texts) || !slices.IsSorted(ticks) {
			t.Fatalf("%d ticks, %d texts of %d: %v", len(ticks), len(texts), most, texts)
		}
		for k, at := range ticks {
			if at < low-1e-6*(1+math.Abs(low)) || at > high+1e-6*(1+math.Abs(high)) || k > 0 && texts[k] == texts[k-1] {
				t.Fatalf("tick %d of %q lies at %v of %v..%v", k, texts, at, low, high)
			}
		}
	})
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	v := testdata.Must(strconv.ParseFloat(text, 64))(t)
	return v
}

func TestWiden(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ low, high, from, to float64 }{
		{1, 3, 0.9, 3.1}, {2, 2, 1.9, 2.1}, {0, 0, -1e-3, 1e-3}, {inf, -inf, 0, 1}, {math.NaN(), 1, 0, 1},
	} {
		if from, to := Widen(c.low, c.high); math.Abs(from-c.from) > 1e-12 || math.Abs(to-c.to) > 1e-12 {
			t.Errorf("%v..%v becomes %v..%v, want %v..%v", c.low, c.high, from, to, c.from, c.to)
		}
	}
}
