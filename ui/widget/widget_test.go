package widget

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// TestLongestCut: the beginning is the longest that fits, and a text of thousands of letters is cut
// with few looks.
func TestLongestCut(t *testing.T) {
	fits := func(width int, looks *int) func(string) bool {
		return func(cut string) bool {
			*looks++
			return len([]rune(cut)) <= width
		}
	}
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 3, ""},
		{"a", 1, ""},
		{"abc", 0, ""},
		{"abc", 1, ""},
		{"abcdef", 2, "a…"},
		{"abcdef", 5, "abcd…"},
		{"abcdef", 9, "abcde…"},
		{"ab, cdef", 5, "ab…"},
		{"äöüß", 3, "äö…"},
	} {
		looks := 0
		if got := longestCut(c.text, fits(c.width, &looks)); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.text, c.width, got, c.want)
		}
	}
	looks := 0
	if got := longestCut(strings.Repeat("x", 10_000), fits(11, &looks)); got != "xxxxxxxxxx…" || looks > 20 {
		t.Errorf("%q after %d looks", got, looks)
	}
}

// TestShortenTakesTheMost: no longer beginning fits.
func TestShortenTakesTheMost(t *testing.T) {
	test.NewTempApp(t)
	text := "rotation by -15 to 15 degrees, bilinear; with a border of zeros"
	letters := []rune(text)
	for width := float32(0); width < 420; width += 7 {
		want := ""
		for n := len(letters) - 1; n > 0; n-- {
			if cut := strings.TrimRight(string(letters[:n]), " ,;") + "…"; measure(cut, 14, false).Width <= width {
				want = cut
				break
			}
		}
		if measure(text, 14, false).Width <= width {
			want = text
		}
		if got := shorten(text, 14, width, false); got != want {
			t.Errorf("width %v: %q, want %q", width, got, want)
		}
	}
}

// TestPerCentAreTheSameEverywhere: a list and a bar of the same run say the same, and neither says
// that all is done before it is.
func TestPerCentAreTheSameEverywhere(t *testing.T) {
	for share, want := range map[float64]int{
		0: 0, 0.29: 29, 0.1999: 19, 0.58: 58, 0.999: 99, 0.9999: 99, 1: 100,
		0.57: 57, 1. / 3: 33,
	} {
		if got := WholePercent(share); got != fmt.Sprint(want, " %") {
			t.Errorf("%v is %s", share, got)
		}
	}
	for k := range 101 {
		if got := WholePercent(float64(k) / 100); got != fmt.Sprint(k, " %") {
			t.Errorf("%d of 100 is %s", k, got)
		}
	}
	test.NewTempApp(t)
	bar := NewShare()
	bar.SetValue(0.1979)
	test.WidgetRenderer(bar).Refresh()
	if text := test.WidgetRenderer(bar).Objects()[1].(*canvas.Text).Text; text != "19 %" {
		t.Errorf("%q", text)
	}
}
