package inspect

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

// TestControlsInWords: what is chosen, as the engine's text and in words.
func TestControlsInWords(t *testing.T) {
	two, values := []string{"a", "b"}, []float64{-15, -10, -5, 0, 5, 10, 15}
	for _, c := range []struct {
		controls     Controls
		classes      []string
		excluded     []int
		images, says string
	}{
		{everything(), nil, nil, "all", ""},
		{Controls{}, two, nil, "all", ""},
		{Controls{Which: variance.Correct, Class: 2, Share: 100}, nil, nil, "all", ""}, // no labels
		{
			Controls{Which: variance.Correct, Class: 2, Share: 30, Reach: 2},
			two, nil, "correct;class=1;share=0.3;seed=1",
			"correct only, class b, 30 % of the suite, seed 1, V -10°..10°",
		},
		{
			Controls{Which: variance.Wrong, Class: 3, Share: 1, Reach: 1},
			two,
			[]int{9, 4},
			"wrong;share=0.01;seed=1;excluded=4,9", "wrong only, 1 % of the suite, seed 1, V -5°..5°",
		},
		{Controls{Share: 100, Reach: 3}, two, nil, "all", ""},
		{Controls{Share: 100, Reach: 9}, two, nil, "all", ""},
	} {
		if got := c.controls.images(c.classes, c.excluded).String(); got != c.images {
			t.Errorf("%+v gives %q, want %q", c.controls, got, c.images)
		}
		if got := c.controls.words(c.classes, values, "°"); got != c.says {
			t.Errorf("%+v reads %q, want %q", c.controls, got, c.says)
		}
	}
}

func TestClassNames(t *testing.T) {
	if got := classNames([]string{"a", "a", anyClass}); !slices.Equal(got,
		[]string{anyClass, "a", "a (1)", anyClass + " (2)"}) {
		t.Errorf("names %v", got)
	}
}
