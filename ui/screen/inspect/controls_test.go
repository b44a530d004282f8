package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

func TestControlsChooseImages(t *testing.T) {
	two := []string{"a", "b"}
	for _, c := range []struct {
		controls Controls
		classes  []string
		excluded []int
		want     string
	}{
		{everything(), nil, nil, "all"},
		{Controls{}, two, nil, "all"},
		{Controls{Which: variance.Correct, Class: 2, Share: 100}, nil, nil, "all"}, // no labels
		{Controls{Which: variance.Correct, Class: 2, Share: 50}, two, nil, "correct;class=1;share=0.5;seed=1"},
		{Controls{Which: variance.Wrong, Class: 3, Share: 1}, two, []int{9, 4}, "wrong;share=0.01;seed=1;excluded=4,9"},
	} {
		if got := c.controls.images(c.classes, c.excluded).String(); got != c.want {
			t.Errorf("%+v gives %q, want %q", c.controls, got, c.want)
		}
	}
}

func TestControlsInWords(t *testing.T) {
	values := []float64{-15, -10, -5, 0, 5, 10, 15}
	for _, c := range []struct {
		controls Controls
		want     string
	}{
		{everything(), ""},
		{
			Controls{Which: variance.Correct, Class: 2, Share: 30, Reach: 2},
			"correct only, class b, 30 % of the suite, seed 1, V -10°..10°",
		},
		{Controls{Share: 100, Reach: 3}, ""},
		{Controls{Share: 100, Reach: 9}, ""},
		{Controls{Share: 100, Class: 7, Reach: 1}, "V -5°..5°"},
	} {
		if got := c.controls.words([]string{"a", "b"}, values, "°"); got != c.want {
			t.Errorf("%+v reads %q, want %q", c.controls, got, c.want)
		}
	}
	if intervalText(nil, 0, 0, "") != "-" {
		t.Error("an interval of nothing")
	}
}

func TestControlsInterval(t *testing.T) {
	for _, c := range []struct{ reach, n, first, last int }{
		{0, 31, 0, 30},
		{1, 31, 14, 16},
		{15, 31, 0, 30},
		{99, 5, 0, 4},
		{-1, 3, 0, 2},
	} {
		if first, last := (Controls{Reach: c.reach}).interval(c.n); first != c.first || last != c.last {
			t.Errorf("%+v: %d..%d", c, first, last)
		}
	}
}

func TestListsOfImages(t *testing.T) {
	if got := with([]int{3, 7}, []int{5, 3, 1}); !slices.Equal(got, []int{1, 3, 5, 7}) {
		t.Errorf("with %v", got)
	}
	before := []int{1, 3, 5}
	if got := without(before, []int{3, 9}); !slices.Equal(got, []int{1, 5}) || !slices.Equal(before, []int{1, 3, 5}) {
		t.Errorf("without %v, before %v", got, before)
	}
	if exclusionTitle([]int{1}, []int{1, 2, 3}, "m1") != "exclusion of 2 images from m1" ||
		exclusionTitle([]int{1}, nil, "m1") != "inclusion of 1 image in m1" {
		t.Error("titles", exclusionTitle([]int{1}, nil, "m1"))
	}
}

func TestClassNames(t *testing.T) {
	if got := classNames([]string{"a", "a", anyClass}); !slices.Equal(got,
		[]string{anyClass, "a", "a (1)", anyClass + " (2)"}) {
		t.Errorf("names %v", got)
	}
	if neighbour(0, 1, 0) != -1 || neighbour(2, 5, 4) != 3 || neighbour(1, -9, 4) != 0 {
		t.Error("neighbour")
	}
	if strings.Contains(strings.Join(matrixMaps(), " "), "diverging") {
		t.Error("the diverging map is for differences")
	}
}
