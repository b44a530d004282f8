package render

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// trended is a scatter over a logit axis with a line and its band.
func trended() Scatter {
	s := scatterFigure()
	s.Logit = true
	s.Y.Name = "accuracy"
	s.Dots = []Dot{{X: 0.2, Y: logit(0.5)}, {X: 0.9, Y: logit(0.99), Group: 1, Low: logit(0.95), High: logit(0.995)}}
	s.Trends = []Trend{{X: []float64{0.2, 0.5, 0.9}, Y: []float64{0, 2, 4}, Low: []float64{-1, 1.5, 3}, High: []float64{1, 2.5, 5}}}
	return s
}

func TestTrendsAreInEveryFormat(t *testing.T) {
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		with := drawn(t, format, func(b *bytes.Buffer, f string) error { return trended().Write(b, f) })
		bare := trended()
		bare.Trends = nil
		without := drawn(t, format, func(b *bytes.Buffer, f string) error { return bare.Write(b, f) })
		if !strings.HasPrefix(string(with), begins) || bytes.Equal(with, without) {
			t.Errorf("%s begins %q; equal without the trend: %v", format, with[:8], bytes.Equal(with, without))
		}
	}
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, f string) error { return trended().Write(b, f) }))
	for _, text := range []string{">0.5<", ">0.9<", ">0.99<", "accuracy"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

func TestRaggedTrendsAreRefused(t *testing.T) {
	short, half, odd := trended(), trended(), trended()
	short.Trends = []Trend{{X: []float64{1, 2}, Y: []float64{1}}}
	half.Trends = []Trend{{X: []float64{1}, Y: []float64{1}, Low: []float64{1}}}
	odd.Trends = []Trend{{X: []float64{1}, Y: []float64{1}, Low: []float64{1, 2}, High: []float64{1, 2}}}
	for want, s := range map[string]Scatter{"1 values at 2 places": short, "1 and 0 ends": half, "2 and 2 ends": odd} {
		if err := s.Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestBandLeavesGapsOut(t *testing.T) {
	trend := Trend{X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}, Low: []float64{-1, math.NaN(), -2}, High: []float64{1, 3, 2}}
	if got, want := trend.Band(), []Point{{0, 1}, {2, 2}, {2, -2}, {0, -1}}; !slices.Equal(got, want) {
		t.Errorf("the band is %v, want %v", got, want)
	}
	if (Trend{X: []float64{1}, Y: []float64{1}}).Band() != nil {
		t.Error("a line without a band has one")
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
			if math.Abs(Share(ticks[k])-parsed(t, texts[k])) > 1e-9 {
				t.Errorf("the tick at %v says %s", Share(ticks[k]), texts[k])
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

// TestLogitTicksStandApart: ascending, inside of the axis, no more than asked for, and none on another.
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

func TestShareText(t *testing.T) {
	for y, want := range map[float64]string{0: "0.5", logit(0.9): "0.9", logit(0.12345): "0.1235", 40: "1"} {
		if got := ShareText(y); got != want {
			t.Errorf("%v is %s, want %s", y, got, want)
		}
	}
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
