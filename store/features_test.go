package store

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
)

// requested is a model with signals on a suite of 300 images, and the request for its features.
func requested(t *testing.T, w *Workspace) (FeatureRequest, signal.Spec) {
	t.Helper()
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	whole := testdata.Must(w.Suite(s.Hash))(t)
	return FeatureRequest{
		Model: m, Suite: whole, Family: spec.Family, Layout: feature.DefaultLayout(),
		Images: variance.AllImages(),
	}, spec
}

func mustFeatures(t *testing.T, w *Workspace, q FeatureRequest) []Features {
	t.Helper()
	info := testdata.Must(w.FeatureSet(q))(t)
	list := testdata.Must(w.Features(t.Context(), info, q))(t)
	return list
}

// Features are measured on the matrices that Matrices answers, with the accuracies that it counts.
func TestFeaturesGoWithMatrices(t *testing.T) {
	w := fresh(t)
	q, _ := requested(t, w)
	q.Layout.Modalities = append(q.Layout.Modalities, "L2@CONV-1")
	for _, text := range []string{"all", "correct", "correct;share=0.5;seed=3", "all;class=2;excluded=2,5"} {
		var err error
		if q.Images, err = variance.ParseImages(text); err != nil {
			t.Fatal(err)
		}
		got := mustFeatures(t, w, q)
		want, err := w.Matrices(t.Context(), MatrixRequest{
			Model: q.Model, Suite: q.Suite.Hash, Family: q.Family, Modalities: q.Layout.Modalities, Images: q.Images,
		})
		if err != nil || len(got) != 1 {
			t.Fatal(err)
		}
		f := got[0]
		testdata.Is(t, text, cmp.Diff(want.Matrices, f.Vector.Matrices), "")
		if f.Accuracy != want.Accuracy[1] || math.Abs(f.Scores.CorrectProduct-want.Robust) > 1e-15 ||
			f.Images != want.Chosen {
			t.Errorf("%s: accuracy %v, robust %v, %d images; want %v, %v, %d",
				text, f.Accuracy, f.Scores.CorrectProduct, f.Images, want.Accuracy, want.Robust, want.Chosen)
		}
		if len(f.Vector.Values) != 6*feature.Count {
			t.Errorf("%s: %d features", text, len(f.Vector.Values))
		}
	}
}

// Many subsets at once are what each is alone.
func TestFeaturesOfSubsets(t *testing.T) {
	w := fresh(t)
	q, _ := requested(t, w)
	for k := range 17 { // more than are measured between two looks at the context
		q.Subsets = append(q.Subsets, []int{k, k + 40, k + 100, 299})
	}
	all := q.Subsets
	got := mustFeatures(t, w, q)
	for k, images := range all {
		q.Subsets = [][]int{images}
		if diff := cmp.Diff(mustFeatures(t, w, q)[0], got[k]); diff != "" {
			t.Errorf("subset %d: %s", k, diff)
		}
	}
}

func TestFeatureSetSaysWhatIsLacking(t *testing.T) {
	w := fresh(t)
	q, _ := requested(t, w)
	modality := func(name string) func(q *FeatureRequest) {
		return func(q *FeatureRequest) { q.Layout.Modalities = []string{name} }
	}
	for _, c := range []struct {
		want   string
		err    error
		change func(q *FeatureRequest)
	}{
		{"run it first", ErrNoSignals, func(q *FeatureRequest) {
			q.Family = "rotation:-5:5:5;interpolation=bilinear;border=zero"
		}},
		{"run it first", ErrNoSignals, func(q *FeatureRequest) { q.Suite.Hash = storetest.HashOf("other") }},
		{"run it again", ErrNoSignals, func(q *FeatureRequest) {
			q.Model.Correction.Mean, q.Model.Correction.Std = []float64{0.5}, []float64{0.5}
		}},
		{"grey", nil, func(q *FeatureRequest) {
			q.Model.Record = []model.Field{{Name: "mean", Value: "grey"}, {Name: "std", Value: "grey"}}
		}},
		{"max@r1: " + NotAmongPositions, signal.ErrAbsent, modality("max@r1")},
		{"L3@CONV-1: " + NotAmongModalities, signal.ErrAbsent, modality("L3@CONV-1")},
		{"max@zz: no tensor zz", signal.ErrAbsent, modality("max@zz")},
	} {
		asked := q
		c.change(&asked)
		_, err := w.FeatureSet(asked)
		var lacks *NoFeaturesError
		if !errors.As(err, &lacks) || lacks.ID != "m" || !strings.Contains(lacks.Reason.Text, c.want) ||
			c.err != nil && !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "model m: ") {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

func TestFeaturesErrors(t *testing.T) {
	w := fresh(t)
	q, spec := requested(t, w)
	info := testdata.Must(w.FeatureSet(q))(t)
	ctx := cancelled(t)
	testdata.ErrorIs(t, "ended", testdata.Err(w.Features(ctx, info, q)), context.Canceled)
	var lacks *NoFeaturesError
	none := q
	none.Images.Class = 7
	if _, err := w.Features(t.Context(), info, none); !errors.As(err, &lacks) || !errors.Is(err, variance.ErrNoImages) {
		t.Errorf("no images: %v", err)
	}
	short := q
	short.Suite.Labels = short.Suite.Labels[:9]
	if _, err := w.Features(t.Context(), info, short); err == nil || errors.As(err, &lacks) && lacks.Err == err ||
		!strings.Contains(err.Error(), "labels for 9 images") {
		t.Errorf("labels of another suite: %v", err)
	}
	plain := q
	plain.Suite.Labels = nil
	if list, err := w.Features(t.Context(), info, plain); err != nil || !math.IsNaN(list[0].Accuracy) ||
		!math.IsNaN(list[0].Scores.CorrectMean) {
		t.Errorf("no labels: %v", err)
	}
	must(t, os.Remove(w.unitFile(spec.UnitKey(0))))
	var damaged *DamagedError
	if _, err := w.Features(t.Context(), info, q); !errors.As(err, &lacks) || !errors.As(err, &damaged) {
		t.Errorf("a file is gone: %v", err)
	}
	if _, err := w.FeatureSet(q); !errors.As(err, &lacks) ||
		!strings.Contains(err.Error(), "is gone; run the model again") {
		t.Errorf("after that: %v", err)
	}
}
