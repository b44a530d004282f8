package variance

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
)

// TestExplainEqualsSlowVersion: half is the smallest set of images that makes half, found by
// leaving the largest out one by one; accuracies, and the images that are right under one
// transformation only, are counted image by image.
func TestExplainEqualsSlowVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow, _, images := drawSignals(t)
		n, m := len(narrow), len(narrow[0])
		i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
		known := Known{
			Labels: rapid.SliceOfN(rapid.IntRange(-1, 2), m, m).Draw(t, "labels"), Names: []string{"cat", "dog"},
			Classes: []int{1, 0, -1}, Predictions: make([][]int32, n),
		}
		for k := range known.Predictions {
			known.Predictions[k] = rapid.SliceOfN(rapid.Int32Range(0, 2), m, m).Draw(t, "predictions")
		}
		d := ScalarDifferences(narrow)
		e := testdata.Must(d.Explain(images, i, j, known))(t)
		testdata.Near(t, "δ", e.Delta, testdata.Must(d.Matrix(images))(t).At(i, j), 1e-12)

		square := func(k int) float64 { return math.Pow(d.At(i, j, k), 2) }
		total, left := 0.0, slices.Clone(images)
		for _, k := range images {
			total += square(k)
		}
		slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(square(b), square(a)) })
		half, sum := 0, 0.0
		for ; total > 0 && sum < total/2*(1-1e-9); half++ {
			sum += square(left[half])
		}
		testdata.Is(t, "images of half", e.Half, half)
		var right [2][]int
		labelled := 0.0
		for _, k := range images {
			if known.Labels[k] < 0 {
				continue
			}
			labelled++
			for side, at := range []int{i, j} {
				if want := known.Classes[known.Labels[k]]; want >= 0 && int(known.Predictions[at][k]) == want {
					right[side] = append(right[side], k)
				}
			}
		}
		for side := range 2 {
			only := slices.DeleteFunc(slices.Clone(right[side]),
				func(k int) bool { return slices.Contains(right[1-side], k) })
			testdata.Is(t, "right under one only", e.Alone[side], len(only))
			of := slices.DeleteFunc(only, func(k int) bool { return !slices.Contains(left[:half], k) })
			testdata.Is(t, "of those that make half", e.HalfAlone[side], len(of))
			if labelled > 0 {
				testdata.Near(t, "accuracy", e.Accuracy[side], float64(len(right[side]))/labelled, 1e-12)
			}
		}
		for _, g := range e.Groups {
			label := slices.Index([]string{"cat", "dog", "2"}, g.Class)
			count := func(list []int) (n int) {
				for _, k := range list {
					if known.Labels[k] == label {
						n++
					}
				}
				return n
			}
			if g.Images != count(images) || g.Half != count(left[:half]) {
				t.Fatalf("class %s: %+v", g.Class, g)
			}
		}
		if len(e.Pairs) != len(images) || half > 0 && math.Abs(e.Pairs[len(images)-1].Sum-1) > 1e-9 {
			t.Fatalf("%d pairs of %d images", len(e.Pairs), len(images))
		}
		for _, p := range e.Pairs {
			if p.Difference != p.Signals[0]-p.Signals[1] || half > 0 &&
				math.Abs(p.Share-square(p.Image)/total) > 1e-12 {
				t.Fatalf("pair %+v", p)
			}
		}
		testdata.OK(t, e.Histogram().Check())
		testdata.OK(t, e.Scatter().Check())
	})
}

func TestWhatMakesAnElementInWords(t *testing.T) {
	known := Known{
		Labels: []int{0, 0, 0, 0, 1, 1, 1, 1}, Names: []string{"cat", "dog"},
		Predictions: [][]int32{{0, 0, 0, 0, 1, 1, 1, 1}, {1, 1, 0, 0, 1, 1, 1, 1}},
	}
	signals := [][]float32{{9, 9, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}}
	all, same := testdata.UpTo(8), [][]float32{signals[1], signals[1]}
	for _, c := range []struct {
		signals [][]float32
		images  []int
		j       int
		known   Known
		want    string
	}{
		{
			signals, all, 1, known,
			"Half of δ² comes from 2 of 8 images (25.0 %; half of the images if all differed alike): 2 of the 4 " +
				"of cat. Accuracy is 100.0 % at 2° and 75.0 % at 4°: 2 images right only at 2° and 0 only at 4°; of " +
				"those that make half, 2 and 0.",
		},
		{signals, all, 0, known, "The element compares 2° with itself: it is 0 for every model."},
		{
			signals, all, 1,
			Known{},
			"Half of δ² comes from 2 of 8 images (25.0 %; half of the images if all differed alike).",
		},
		{
			signals,
			[]int{4},
			1, known,
			"Half of δ² comes from 1 of 1 image (100.0 %; half of the images if all differed alike), too few to " +
				"tell. Accuracy is 100.0 % at 2° and 100.0 % at 4°, with the same images right.",
		},
		{same, all, 1, Known{}, "All 8 images have the same signal at 2° and at 4°."},
		{same, []int{3}, 1, Known{}, "The one image has the same signal at 2° and at 4°."},
	} {
		e := testdata.Must(ScalarDifferences(c.signals).Explain(c.images, 0, c.j, c.known))(t)
		e.Name("m", "max@CONF", [2]float64{2, 2 + 2*float64(c.j)}, "°")
		testdata.Is(t, "sentence", e.Sentence(), c.want)
	}
	constant := [][]float32{{5, 5, 5, 5}, {2, 2, 2, 2}} // all differ alike
	e := testdata.Must(ScalarDifferences(constant).Explain(testdata.UpTo(4), 0, 1, Known{}))(t)
	testdata.Is(t, "half of equals", e.Half, 2)
	e, at, err := ScalarDifferences(append([][]float32{{0, 0, 0, 0, 0, 0, 0, 0}}, signals...)).ExplainWhole(all, Known{
		Labels: known.Labels, Names: known.Names, Predictions: append([][]int32{known.Predictions[1]},
			known.Predictions...),
	})
	testdata.OK(t, err)
	e.Name("m", "max@CONF", [2]float64{0, float64(at[1]) - 1}, "°")
	if got := e.Sentence(); at != [2]int{1, 0} || !strings.HasPrefix(got,
		"Half of the squared matrix comes from 2 of 8 images") ||
		!strings.Contains(got, "75.0 % at -1°, where it is least: 2 images right only at 0°") {
		t.Errorf("%v: %s", at, got)
	}
}

// TestElementOfASet: its interval is that of the band of the matrix, few images have none, and an
// element has two values of V that are there.
func TestElementOfASet(t *testing.T) {
	const n, images = 3, 30
	set := &signal.Set{
		Spec: signal.Spec{Positions: []signal.Position{{Name: "CONV-1", Tensor: "c"}}}, Transformations: n,
		Images: images, Reduced: make([][signal.Reducers][]float32, 1),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range n * images {
		set.Reduced[0][signal.Max] = append(set.Reduced[0][signal.Max], random.Float32())
	}
	m := testdata.Must(signal.ParseModality("max@CONV-1"))(t)
	b := Bootstrap{Resamples: 100, Seed: 3}
	all := testdata.UpTo(images)
	e := testdata.Must(ElementOf(t.Context(), set, m, all, [2]int{0, 2}, Known{}, b))(t)
	band := testdata.Must(testdata.Must(DifferencesOf(set, m))(t).Band(t.Context(), all, b, nil))(t)
	if e.Low != band.Low.At(2, 0) || e.High != band.High.At(2, 0) || !(e.Low < e.Delta && e.Delta < e.High) {
		t.Errorf("%v..%v around %v", e.Low, e.High, e.Delta)
	}
	e.Name("m", "max@CONV-1", [2]float64{-5, 5}, "°")
	if got := e.Title(); !strings.HasPrefix(got, "max@CONV-1 between -5° and 5°: δ = ") ||
		!strings.Contains(got, " from 30 images, 95 % of 100 resamples between ") {
		t.Errorf("title %q", got)
	}
	few := testdata.Must(ElementOf(t.Context(), set, m, all[:7], [2]int{0, 2}, Known{}, b))(t)
	if !math.IsNaN(few.Low) || !strings.Contains(few.Sentence(), "too few to tell") {
		t.Errorf("of 7 images %v, %s", few.Low, few.Sentence())
	}
	o := Options{Choice: ChoiceOf(AllImages()), Element: Between(5, -5)}
	testdata.OK(t, option.Check(&o))
	if at := testdata.Must(o.At([]float64{-5, 0, 5}))(t); at != [2]int{2, 0} {
		t.Errorf("at %v", at)
	}
	_, err := o.At([]float64{0, 5})
	testdata.Refused(t, "no such V", err, "V = -5", "choose two of 0, 5")
	for _, text := range []string{"1", "1,", "1,2,3", "a,b"} {
		testdata.Refused(t, text, option.Check(&Options{Choice: ChoiceOf(AllImages()), Element: text}),
			"two values of V", text)
	}
}

// TestWhatIsNotFiniteIsNotExplained: the sentence would be about numbers that are none.
func TestWhatIsNotFiniteIsNotExplained(t *testing.T) {
	nan := float32(math.NaN())
	for name, d := range map[string]Differences{
		"scalar": ScalarDifferences([][]float32{{1, 2}, {3, nan}}),
		"vector": VectorDifferences([][]float32{{1, nan}}, 2),
	} {
		for what, explain := range map[string]func([]int) error{
			"element": func(images []int) error { _, err := d.Explain(images, 1, 0, Known{}); return err },
			"whole":   func(images []int) error { _, _, err := d.ExplainWhole(images, Known{}); return err },
		} {
			var broken *NotFiniteError
			if err := explain([]int{0, 1}); !errors.As(err, &broken) || broken.Image != 1 {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if err := explain(nil); !errors.Is(err, ErrNoImages) {
				t.Errorf("%s, %s without images: %v", name, what, err)
			}
			testdata.OK(t, explain([]int{0}))
		}
	}
	e := testdata.Must(VectorDifferences([][]float32{{1, 2}}, 2).Explain([]int{0, 1}, 1, 0, Known{}))(t)
	if f := e.Scatter(); f.Drawable() && len(f.Points) > 0 || !math.IsNaN(e.Pairs[0].Signals[0]) {
		t.Error("a distance has signals")
	}
	testdata.OK(t, Pairs.Check())
	testdata.OK(t, Explained.Check())
}
