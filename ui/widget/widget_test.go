package widget

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

// TestLongestCut: the beginning is the longest that fits, and a text of thousands of letters is cut with few looks.
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
