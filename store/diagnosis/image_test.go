package diagnosis

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// scoresAt are the scores of a class for an image under all transformations of a set.
func scoresAt(set *signal.Set, class, image int) (scores []float64, predicted []int) {
	for t := range set.Transformations {
		scores = append(scores, float64(set.Softmax[(t*set.Images+image)*set.Classes+class]))
		predicted = append(predicted, int(set.Prediction[t*set.Images+image]))
	}
	return scores, predicted
}

func TestOneImageEqualsSignalsInMemory(t *testing.T) {
	b := newFixture(t, 1)
	b.both(b.models[0], b.pets, 2, 5)
	list, _ := b.diagnose(Ask{})
	d := list[0]
	masked, shifted := b.sets[d.MaskKey], b.sets[d.ShiftKey]
	for _, index := range []int{0, 4, 5, 255, 256, 299} {
		got := testdata.Must(OneImage(t.Context(), b.Workspace, d, index))(t)
		want := Image{Index: index, Class: int(masked.Prediction[index]), Predicted: int(masked.Prediction[index])}
		if l := b.pets.Labels[index]; l >= 0 {
			want.Class, want.True = suiteClasses[l], true
		}
		scores, predicted := scoresAt(masked, want.Class, index)
		want.Original, want.Variants, want.PredictedVariants = scores[0], scores[1:], predicted[1:]
		scores, predicted = scoresAt(shifted, want.Class, index)
		want.Shifted, want.PredictedShifted = scores[1:], predicted[1:]
		want.Features, want.Attention = dscore.Single(want.Original, want.Variants, want.Shifted)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("image %d: %s", index, diff)
		}
		if want.True == (index == 5) {
			t.Errorf("image %d: its class is the true one: %v", index, want.True)
		}
	}
}

// Above 100 classes the true class's score is kept, and no other.
func TestOneImageOfManyClasses(t *testing.T) {
	b := newFixture(t, 0)
	big := b.addModel("big", 120)
	b.both(big, b.pets, 2, 5)
	list, left := b.diagnose(Ask{})
	if len(list) != 1 {
		t.Fatal(left)
	}
	got, err := OneImage(t.Context(), b.Workspace, list[0], 260)
	set := b.sets[list[0].MaskKey]
	var want []float64
	for k := range 5 {
		want = append(want, float64(set.TrueScore[k*pictures+260]))
	}
	if err != nil || !got.True || got.Class != suiteClasses[260%3] || got.Original != want[0] ||
		!slices.Equal(got.Variants, want[1:]) {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = OneImage(t.Context(), b.Workspace, list[0], 5)
	if !errors.Is(err, ErrNoScores) || !strings.Contains(err.Error(), "image 5 of pets, model big") ||
		!strings.Contains(err.Error(), "120 classes") {
		t.Error(err)
	}
}

func TestOneImageRefuses(t *testing.T) {
	b := newFixture(t, 1)
	b.both(b.models[0], b.pets, 2, 5)
	list, _ := b.diagnose(Ask{})
	d := list[0]
	for _, index := range []int{-1, pictures} {
		if _, err := OneImage(t.Context(), b.Workspace, d, index); err == nil ||
			!strings.Contains(err.Error(), "has 300 images") {
			t.Errorf("image %d: %v", index, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "error", testdata.Err(OneImage(ended, b.Workspace, d, 0)), context.Canceled)
	lost := d
	lost.Suite = sums.Hash("nowhere")
	testdata.ErrorIs(t, "error", testdata.Err(OneImage(t.Context(), b.Workspace, lost, 0)), store.ErrNotFound)
	b.removeSignals()
	var damaged *store.DamagedError
	if _, err := OneImage(t.Context(), b.Workspace, d, 0); !errors.As(err, &damaged) {
		t.Error(err)
	}
}
