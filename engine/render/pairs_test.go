package render

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func pairs() Pairs {
	return Pairs{
		Title: "what changes", Note: "made up", Before: "image", After: "turned", Classes: []string{"cat", "dog"},
		Pairs: []Pair{
			{Title: "sure", Before: []float64{0.9, 0.1}, After: []float64{0.8, 0.2}, Lines: []string{"EI 0.849"}},
			{Title: "flips", Before: []float64{0.75, 0.25}, After: []float64{0.25, 0.75}, Lines: []string{"EI 0", "JS 0.13"}},
			{Title: "third", Before: []float64{0.5, 0.5}, After: []float64{1, 0}},
		},
	}
}

func TestPairsInEveryFormat(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		data := drawn(t, format, func(b *bytes.Buffer, f string) error { return pairs().Write(b, f) })
		again := drawn(t, format, func(b *bytes.Buffer, f string) error { return pairs().Write(b, f) })
		if !strings.HasPrefix(string(data), begins) || !bytes.Equal(data, again) {
			t.Errorf("%s begins %q, equal again %v", format, data[:8], bytes.Equal(data, again))
		}
	}
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, f string) error { return pairs().Write(b, f) }))
	for _, text := range []string{"what changes", "made up", "image", "turned", "cat", "dog", "flips", "EI 0.849", "JS 0.13", ">0.75<"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

// TestPairsPointBothWays: the largest bar of the first vector lies left of the middle, that of the second right of it.
func TestPairsPointBothWays(t *testing.T) {
	f := pairs()
	f.Pairs = f.Pairs[:1]
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
	strong := extent(img, pairStrong)
	middle := int(float64(img.Bounds().Dx()) * float64((pairGap+pairWidth/2)/(2*pairWidth+3*pairGap)))
	if strong.Empty() || strong.Min.X > middle-100 || strong.Max.X < middle+100 {
		t.Errorf("the largest bars lie at %v, the middle at %d", strong, middle)
	}
	if left, right := middle-strong.Min.X, strong.Max.X-middle; left <= right {
		t.Errorf("0.9 to the left takes %d pixels, 0.8 to the right %d", left, right)
	}
}

func TestPairsRefuse(t *testing.T) {
	none, short, odd, hollow := pairs(), pairs(), pairs(), pairs()
	none.Pairs = nil
	short.Pairs[1].After = []float64{1}
	odd.Pairs[0].Before = []float64{1.5, -0.5}
	hollow.Pairs[2].After = []float64{math.NaN(), 1}
	for want, f := range map[string]Pairs{"nothing to draw": none, "1 entries for 2 classes": short, "holds 1.5": odd, "holds NaN": hollow} {
		if err := f.Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestTopTakesTheFirstOfEquals(t *testing.T) {
	for want, p := range [][]float64{{0.4, 0.4, 0.2}, {0.2, 0.6, 0.2}, {0, 0, 1}} {
		if got := Top(p); got != want {
			t.Errorf("the top of %v is %d, want %d", p, got, want)
		}
	}
}
