package feature

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// randomSet is the signals of a model with three positions and one vector modality, L2@CONV-1.
func randomSet(transformations, images int) *signal.Set {
	random := rand.New(rand.NewPCG(7, uint64(images)))
	s := &signal.Set{
		Transformations: transformations, Images: images,
		Spec: signal.Spec{
			Positions: []signal.Position{{Name: model.CONF}, {Name: model.Conv1}, {Name: model.Conv2}},
			Vectors:   []string{"L2@CONV-1"},
		},
		Reduced: make([][signal.Reducers][]float32, 3),
	}
	fill := func(rows int) []float32 {
		values := make([]float32, rows*images)
		for k := range values {
			values[k] = random.Float32()
		}
		return values
	}
	for p := range s.Reduced {
		s.Reduced[p][signal.Max], s.Reduced[p][signal.Mean] = fill(transformations), fill(transformations)
	}
	s.PairDistances = [][]float32{fill(signal.Pairs(transformations))}
	return s
}

// A vector is, matrix by matrix, what Measure gives for the matrices of variance.Scalar and
// variance.Vector.
func TestVector(t *testing.T) {
	set := randomSet(9, 300)
	l := DefaultLayout()
	l.Modalities = append(l.Modalities, "L2@CONV-1")
	whole := variance.AllImages()
	whole.Share, whole.Seed = l.Share, l.Seed
	fewer, err := whole.Choose(make([]int, 300), nil, nil)
	if err != nil || len(fewer) != 270 {
		t.Fatal(len(fewer), err)
	}
	got, err := l.Vector(set, testdata.UpTo(300))
	if err != nil || len(got.Values) != l.Width() || len(got.Matrices) != 6 || len(got.Flags) != 0 {
		t.Fatalf("%d values, %d matrices, flags %v: %v", len(got.Values), len(got.Matrices), got.Flags, err)
	}
	for k, text := range l.Modalities {
		matrix, reduced := plainMatrix(t, set, text, testdata.UpTo(300)), plainMatrix(t, set, text, fewer)
		want := testdata.Must(Measure(matrix, &reduced, Options{}))(t)
		testdata.Equal(t, fmt.Sprint(text), got.Values[k*Count:][:Count], want.Values[:])
		if m := got.Matrices[text]; m.N != 9 || !slices.Equal(m.Data, matrix.Data) {
			t.Errorf("%s: another matrix", text)
		}
		if want.Values[SSTY] == 0 {
			t.Errorf("%s: the sub-sample changes nothing", text)
		}
	}
}

func plainMatrix(t *testing.T, set *signal.Set, text string, images []int) variance.Matrix {
	t.Helper()
	modality := testdata.Must(signal.ParseModality(text))(t)
	if modality.Vector() {
		distances, _ := set.Distances(modality)
		return testdata.Must(variance.Vector(distances, set.Transformations, images))(t)
	}
	signals, _ := set.Signals(modality)
	return testdata.Must(variance.Scalar(signals, images))(t)
}

// The sub-sample is drawn over the whole suite before any filter: the reduced matrix of the
// correct images of a class is the one that variance.Images gives for them and the layout's
// share.
func TestVectorSharesBeforeFilters(t *testing.T) {
	const total = 200
	set, random := randomSet(7, total), rand.New(rand.NewPCG(3, 1))
	labels, predicted := make([]int, total), make([]int32, total)
	for k := range labels {
		labels[k], predicted[k] = random.IntN(3), int32(random.IntN(3))
	}
	for _, l := range []Layout{{Share: 0.5, Seed: 4}, {Share: 0.9, Seed: 1}, {Share: 0.9, Seed: 2}} {
		l.Modalities = []string{"max@CONF"}
		for _, filter := range []variance.Images{
			variance.AllImages(),
			{Which: variance.Correct, Class: variance.AnyClass, Share: 1},
			{Which: variance.Wrong, Class: 2, Share: 1},
		} {
			images := testdata.Must(filter.Choose(labels, predicted, nil))(t)
			filter.Share, filter.Seed = l.Share, l.Seed
			fewer, err := filter.Choose(labels, predicted, nil)
			if err != nil || len(fewer) == len(images) {
				t.Fatal(len(fewer), err)
			}
			got := testdata.Must(l.Vector(set, images))(t)
			reduced := plainMatrix(t, set, "max@CONF", fewer)
			want := testdata.Must(Measure(plainMatrix(t, set, "max@CONF", images), &reduced, Options{}))(t)
			testdata.Equal(t, fmt.Sprint(filter), got.Values, want.Values[:])
		}
	}
}

// Images that are a share drawn from the layout's own seed all lie in its share, and nothing
// would be left out of them.
func TestApart(t *testing.T) {
	set, l := randomSet(7, 200), DefaultLayout()
	half := variance.AllImages()
	half.Share, half.Seed = 0.5, l.Seed
	images := testdata.Must(half.Choose(make([]int, 200), nil, nil))(t)
	for k, layout := range []Layout{l, l.Apart(half.Seed), l.Apart(half.Seed + 1)} {
		got, err := layout.Vector(set, images)
		if err != nil || (got.Values[SSTY] == 0) != (k != 1) {
			t.Errorf("%d: ssty %v, %v", k, got.Values[SSTY], err)
		}
	}
}

func TestVectorOfOneImage(t *testing.T) {
	got, err := DefaultLayout().Vector(randomSet(5, 1), []int{0})
	if err != nil || len(got.Flags) != 5 || !slices.Contains(got.Flags["max@CONF"], NoReducedMatrix) {
		t.Errorf("flags %v, %v", got.Flags, err)
	}
}

// Several choices at once give the bits of one after the other.
func TestVectors(t *testing.T) {
	set, l := randomSet(7, 120), DefaultLayout()
	l.Modalities = append(l.Modalities, "L2@CONV-1")
	choices := [][]int{testdata.UpTo(120), {5}, testdata.UpTo(60), {1, 3, 5, 7, 119}}
	got, err := l.Vectors(set, choices)
	if err != nil || len(got) != len(choices) {
		t.Fatal(len(got), err)
	}
	for c, images := range choices {
		want, err := l.Vector(set, images)
		if err != nil || !slices.Equal(got[c].Values, want.Values) || len(got[c].Flags) != len(want.Flags) {
			t.Errorf("choice %d: %v, want %v: %v", c, got[c].Values, want.Values, err)
		}
	}
	testdata.Is(t, "no choices", len(testdata.Must(l.Vectors(set, nil))(t)), 0)
	testdata.ErrorIs(t, "an empty choice", testdata.Err(l.Vectors(set, [][]int{{1}, {}})), variance.ErrNoImages)
}

func TestVectorErrors(t *testing.T) {
	set := randomSet(5, 20)
	l := DefaultLayout()
	testdata.ErrorIs(t, "no images", testdata.Err(l.Vector(set, nil)), variance.ErrNoImages)
	broken := randomSet(5, 20)
	broken.Reduced[1][signal.Mean][2*20+7] = float32(math.NaN())
	var bad *variance.NotFiniteError
	if _, err := l.Vector(broken, testdata.UpTo(20)); !errors.As(err, &bad) || bad.Image != 7 ||
		!strings.HasPrefix(err.Error(), "mean@CONV-1: ") {
		t.Errorf("NaN signal: %v", err)
	}
	if _, err := l.Vector(broken, []int{0, 1, 2, 3}); err != nil {
		t.Errorf("NaN signal of an image that was not chosen: %v", err)
	}
	for modality, want := range map[string]error{
		"max@HEAD": signal.ErrAbsent, "L1@CONV-1": signal.ErrAbsent, "min@CONF": signal.ErrNotLoaded,
	} {
		l.Modalities = []string{"max@CONF", modality}
		if _, err := l.Vector(set, testdata.UpTo(20)); !errors.Is(err, want) ||
			!strings.Contains(err.Error(), modality) {
			t.Errorf("%s: %v", modality, err)
		}
	}
	l = DefaultLayout()
	if _, err := l.Vector(randomSet(1, 20), testdata.UpTo(20)); err == nil ||
		!strings.HasPrefix(err.Error(), "max@CONF: a variance matrix of 1 transformations") {
		t.Errorf("one transformation: %v", err)
	}
	l.Profile = Refcode
	testdata.Refused(t, "five transformations", testdata.Err(l.Vector(set, testdata.UpTo(20))), "profile refcode needs")
	l.Modalities = []string{"nonsense"}
	testdata.Refused(t, "a layout that is not valid was measured", testdata.Err(l.Vector(set, testdata.UpTo(20))))
}

func BenchmarkVector5x4000x31(b *testing.B) {
	set := randomSet(31, 4000)
	l := DefaultLayout()
	b.ReportAllocs()
	for b.Loop() {
		testdata.Must(l.Vector(set, testdata.UpTo(4000)))(b)
	}
}

func BenchmarkVectorsOf20Halves(b *testing.B) {
	set := randomSet(31, 4000)
	var choices [][]int
	for seed := range uint64(20) {
		half := variance.AllImages()
		half.Share, half.Seed = 0.5, seed
		images := testdata.Must(half.Choose(make([]int, 4000), nil, nil))(b)
		choices = append(choices, images)
	}
	l := DefaultLayout()
	b.Run("at once", func(b *testing.B) {
		for b.Loop() {
			testdata.Must(l.Vectors(set, choices))(b)
		}
	})
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			for _, images := range choices {
				testdata.Must(l.Vector(set, images))(b)
			}
		}
	})
}
