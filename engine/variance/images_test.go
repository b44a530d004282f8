package variance

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestChoose(t *testing.T) {
	labels := []int{0, 1, 2, 0, 1, -1}
	predicted := []int32{0, 1, 1, 2, 0, 0}
	with := func(change func(f *Images)) Images {
		f := AllImages()
		change(&f)
		return f
	}
	for name, tt := range map[string]struct {
		f       Images
		classes []int
		want    []int
	}{
		"all":                {AllImages(), nil, []int{0, 1, 2, 3, 4, 5}},
		"correct":            {with(func(f *Images) { f.Which = Correct }), nil, []int{0, 1}},
		"wrong":              {with(func(f *Images) { f.Which = Wrong }), nil, []int{2, 3, 4}},
		"class":              {with(func(f *Images) { f.Class = 1 }), nil, []int{1, 4}},
		"correct of class":   {with(func(f *Images) { f.Which, f.Class = Correct, 1 }), nil, []int{1}},
		"excluded":           {with(func(f *Images) { f.Excluded = []int{5, 0, 0, 77} }), nil, []int{1, 2, 3, 4}},
		"mapped":             {with(func(f *Images) { f.Which = Correct }), []int{2, 0, 1}, []int{2, 3, 4}},
		"unknown to model":   {with(func(f *Images) { f.Which = Wrong }), []int{-1, 1, 2}, []int{0, 2, 3, 4}},
		"wrong and excluded": {with(func(f *Images) { f.Which, f.Excluded = Wrong, []int{3} }), nil, []int{2, 4}},
	} {
		testdata.Equal(t, name, testdata.Must(tt.f.Choose(labels, predicted, tt.classes))(t), tt.want)
	}
}

func TestChooseErrors(t *testing.T) {
	labels, predicted := []int{0, 1}, []int32{0, 1}
	for name, tt := range map[string]struct {
		f         Images
		labels    []int
		predicted []int32
		want      error
	}{
		"no images":         {Images{Which: Wrong, Class: AnyClass, Share: 1}, labels, predicted, ErrNoImages},
		"class without any": {Images{Class: 7, Share: 1}, labels, predicted, ErrNoImages},
		"share of nothing":  {Images{Class: AnyClass, Share: .4}, labels, predicted, ErrNoImages},
		"all excluded":      {Images{Class: AnyClass, Share: 1, Excluded: []int{0, 1}}, labels, predicted, ErrNoImages},
		"empty suite":       {AllImages(), nil, nil, ErrNoImages},
		"correct, no labels": {
			Images{Which: Correct, Class: AnyClass, Share: 1}, []int{-1, -1}, predicted, ErrNoLabels,
		},
		"class, no labels":  {Images{Class: 0, Share: 1}, nil, predicted, ErrNoLabels},
		"zero value":        {Images{}, labels, predicted, nil},
		"share above 1":     {Images{Class: AnyClass, Share: 1.5}, labels, predicted, nil},
		"predictions short": {Images{Which: Correct, Class: AnyClass, Share: 1}, labels, predicted[:1], nil},
	} {
		_, err := tt.f.Choose(tt.labels, tt.predicted, nil)
		if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	testdata.Is(t, "all images of a suite without labels",
		len(testdata.Must(AllImages().Choose(nil, predicted, nil))(t)), 2)
}

func TestShareIsDrawnBeforeTheFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 300).Draw(t, "images")
		share := float64(rapid.IntRange(1, 100).Draw(t, "percent")) / 100
		seed := rapid.Uint64().Draw(t, "seed")
		labels := rapid.SliceOfN(rapid.IntRange(0, 2), m, m).Draw(t, "labels")
		predicted := make([]int32, m)
		f := Images{Class: AnyClass, Share: share, Seed: seed}
		drawn, err := f.Choose(labels, predicted, nil)
		if (len(drawn) == 0) != (err != nil) || len(drawn) != ShareCount(share, m) {
			t.Fatalf("%d of %d images for share %v, %v", len(drawn), m, share, err)
		}
		again, _ := f.Choose(labels, nil, nil)
		if !slices.Equal(drawn, again) || !slices.IsSorted(drawn) ||
			len(slices.Compact(slices.Clone(drawn))) != len(drawn) {
			t.Fatalf("drawn %v, again %v", drawn, again)
		}
		f.Which = Correct
		correct, err := f.Choose(labels, predicted, nil)
		if err != nil && !errors.Is(err, ErrNoImages) {
			t.Fatal(err)
		}
		var want []int
		for _, k := range drawn {
			if labels[k] == 0 {
				want = append(want, k)
			}
		}
		testdata.Equal(t, "correct", correct, want)
	})
}

// TestShareKnown pins the drawing: other numbers would make stored captions tell of other images.
func TestShareKnown(t *testing.T) {
	got, err := Images{Class: AnyClass, Share: .3, Seed: 1}.Choose(make([]int, 20), nil, nil)
	if want := []int{2, 3, 11, 13, 14, 16}; err != nil || !slices.Equal(got, want) {
		t.Errorf("drawn %v, %v, want %v", got, err, want)
	}
}

func TestShareCount(t *testing.T) {
	for _, tt := range []struct {
		share       float64
		total, want int
	}{{.29, 100, 29}, {.57, 100, 57}, {.3, 10000, 3000}, {1, 7, 7}, {.1, 9, 0}, {.999, 1000, 999}, {1e-9, 100, 0}} {
		testdata.Is(t, fmt.Sprintf("%v of %d", tt.share, tt.total), ShareCount(tt.share, tt.total), tt.want)
	}
}

func TestImagesText(t *testing.T) {
	for text, want := range map[string]Images{
		"all":                  AllImages(),
		"correct":              {Which: Correct, Class: AnyClass, Share: 1, Seed: 1},
		"wrong;class=0":        {Which: Wrong, Class: 0, Share: 1, Seed: 1},
		"all;share=0.5;seed=9": {Class: AnyClass, Share: .5, Seed: 9},
		"all;excluded=4,17":    {Class: AnyClass, Share: 1, Seed: 1, Excluded: []int{4, 17}},
		"correct;class=3;share=0.5;seed=1;excluded=4,17": {Correct, 3, .5, 1, []int{4, 17}},
	} {
		testdata.Is(t, fmt.Sprintf("%+v", want), want.String(), text)
		got, err := ParseImages(text)
		if err != nil || got.String() != text || got.Which != want.Which || got.Class != want.Class ||
			got.Share != want.Share || got.Seed != want.Seed {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	twice := Images{Class: AnyClass, Share: 1, Seed: 5, Excluded: []int{9, 2, 9}}
	testdata.Is(t, "an equal choice", twice.String(), "all;excluded=2,9")
	for _, text := range []string{
		"", "some", "all;", "all;class", "all;class=-1", "all;class=x", "all;share=0", "all;share=2", "all;share=NaN",
		"all;seed=-1", "all;excluded=", "all;excluded=1,,2", "all;colour=red", "all;class=1;class=2", "all class=1",
	} {
		if f, err := ParseImages(text); err == nil {
			t.Errorf("%q was read as %+v", text, f)
		}
	}
	testdata.Is(t, "unknown choice", Which(7).String(), "which 7")
}

func FuzzParseImages(f *testing.F) {
	for _, seed := range []string{
		"all", "correct;class=3;share=0.5;seed=1;excluded=4,17", "wrong;seed=2",
		"all;share=1e-3;seed=0", "all;excluded=3,1,3",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		images, err := ParseImages(text)
		if err != nil {
			return
		}
		testdata.Is(t, fmt.Sprintf("%q is %+v, its text", text, images),
			testdata.Must(ParseImages(images.String()))(t).String(), images.String())
	})
}
