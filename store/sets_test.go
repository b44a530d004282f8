package store

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// setSpec is testSpec for a transformation set, and the number of its transformations.
func setSpec(tb testing.TB, m model.Model, s suite.Manifest, name string) (signal.Spec, int) {
	tb.Helper()
	family := testdata.Must(transform.ParseAny(name))(tb)
	spec := storetest.Spec(tb, m, s)
	spec.Family, spec.Vectors = family.String(), nil
	return spec, family.N()
}

// runSet records and finishes the signals of a model under a transformation set.
func runSet(tb testing.TB, w *Workspace, m model.Model, s suite.Manifest, name string) signal.Spec {
	tb.Helper()
	spec, transformations := setSpec(tb, m, s, name)
	for chunk := range spec.Chunks() {
		must(tb, w.Record(tb.Context(), spec, storetest.Unit(spec, chunk, transformations, 3)))
	}
	must(tb, w.Finish(tb.Context(), engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1, 2}, MappedBy: "by index"}))
	return spec
}

// TestASetHasNoMatrix: whoever asks for one is told so.
func TestASetHasNoMatrix(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	spec := runSet(t, w, m, s, transform.Rot90)
	modality := signal.DefaultModalities()[0]
	set := testdata.Must(w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}))(t)
	features := testdata.Err(w.FeatureSet(FeatureRequest{
		Model: m, Suite: s, Family: transform.Rot90, Layout: feature.Layout{Modalities: defaultNames()},
	}))
	for name, err := range map[string]error{
		"Matrix":   testdata.Err(w.Matrix(t.Context(), spec.Key(), modality, variance.AllImages())),
		"MatrixOf": testdata.Err(MatrixOf(set, modality, []int{0, 1})),
		"Matrices": testdata.Err(w.Matrices(t.Context(), MatrixRequest{
			Model: m, Suite: s.Hash, Family: transform.Rot90, Modalities: defaultNames(), Images: variance.AllImages(),
		})),
		"FeatureSet": features,
		"SetCurrent": w.SetCurrent(Current{Suite: s.Hash, Family: transform.Rot90}),
		"CreateRound": testdata.Err(w.CreateRound(t.Context(), label.Round{
			Name: "r", Suite: s.Hash, Family: transform.Rot90, Guideline: "look", Annotators: []string{"A", "B"},
			Models: []string{m.Hash},
		})),
	} {
		testdata.ErrorIs(t, name, err, transform.ErrSet)
		testdata.Refused(t, name, err, "rot90")
	}
	var lacks *NoFeaturesError
	testdata.Is(t, "the model is wrong, not the question", errors.As(features, &lacks), false)
}

// TestSetsAndFamiliesStayApart: a model that was run under a set alone has no state under a family.
func TestSetsAndFamiliesStayApart(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	runSet(t, w, m, s, transform.Plain)
	list := testdata.Must(w.Overview(s.Hash, storetest.Family(t)))(t)
	if len(list) != 1 || list[0].State != None || list[0].Summary.Key != "" {
		t.Errorf("%+v", list)
	}
	list = testdata.Must(w.Overview(s.Hash, transform.Plain))(t)
	if list[0].State != Ready || list[0].Summary.Accuracy[list[0].Summary.Identity()] != 1 {
		t.Errorf("%+v", list)
	}
}

// TestAssignedPositionsDoNotMakeSetsStale: predictions do not depend on them.
func TestAssignedPositionsDoNotMakeSetsStale(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	spec, transformations := setSpec(t, m, s, transform.Plain)
	spec.Positions = spec.Positions[:1]
	must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 0, transformations, 3)))
	must(t, w.Finish(t.Context(), engine.Task{ID: m.ID, Spec: spec}))
	for _, tt := range []struct {
		change func(m *model.Model)
		want   State
	}{
		{func(m *model.Model) { m.Correction.Positions = map[string]string{model.Conv2: "r1"} }, Ready},
		{func(m *model.Model) { m.Correction.OutputKind = model.Probabilities }, Stale},
	} {
		must(t, w.UpdateModel(m.Hash, func(m *model.Model) error { tt.change(m); return nil }))
		changed := testdata.Must(w.Model(m.Hash))(t)
		if state, err := w.State(changed, s.Hash, transform.Plain); err != nil || state != tt.want {
			t.Errorf("%+v: %s, %v", changed.Correction, state, err)
		}
	}
}

// TestEachChunk: the parts, joined, are the whole set.
func TestEachChunk(t *testing.T) {
	for _, images := range []int{1, 256, 600} {
		w := fresh(t)
		m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", images)
		spec := storetest.Spec(t, m, s)
		storetest.RunModel(t, w, m, spec)
		joined(t, w, spec.Key(), Want{Everything: true})
		for _, set := range []string{transform.Plain, "scenes:" + storetest.HashOf("selection") + ":5"} {
			key := runSet(t, w, m, s, set).Key()
			joined(t, w, key, Want{Everything: true})
			joined(t, w, key, Want{Predictions: true, Confidence: true})
			joined(t, w, key, Want{Softmax: true})
		}
	}
}

// joined compares every number of the chunks with the whole set.
func joined(t *testing.T, w *Workspace, key string, want Want) {
	t.Helper()
	whole, err := w.LoadSet(t.Context(), key, want)
	must(t, err)
	next := 0
	err = w.EachChunk(t.Context(), key, want, func(first int, part *signal.Set) error {
		if first != next {
			t.Errorf("a chunk begins with image %d in place of %d", first, next)
		}
		next = first + part.Images
		if diff := cmp.Diff(cut(whole, first, part.Images), part); diff != "" {
			t.Errorf("%s, images from %d: %s", whole.Spec.Family, first, diff)
		}
		alone, err := w.LoadChunk(t.Context(), key, want, first/signal.ChunkSize)
		if diff := cmp.Diff(part, alone); err != nil || diff != "" {
			t.Errorf("%s, the chunk of image %d alone: %v%s", whole.Spec.Family, first, err, diff)
		}
		return nil
	})
	if err != nil || next != whole.Images {
		t.Errorf("%d of %d images, %v", next, whole.Images, err)
	}
}

// cut is the part of a set that holds n images from first on.
func cut(s *signal.Set, first, n int) *signal.Set {
	out := *s
	out.Images = n
	c := s.Classes
	out.Softmax = columns(s.Softmax, s.Images*c, first*c, n*c)
	out.Prediction, out.Confidence = columns(s.Prediction, s.Images, first, n),
		columns(s.Confidence, s.Images, first, n)
	out.TrueScore = columns(s.TrueScore, s.Images, first, n)
	out.Reduced = slices.Clone(s.Reduced)
	for p := range out.Reduced {
		for r := range out.Reduced[p] {
			out.Reduced[p][r] = columns(s.Reduced[p][r], s.Images, first, n)
		}
	}
	out.PairDistances = slices.Clone(s.PairDistances)
	for v := range out.PairDistances {
		out.PairDistances[v] = columns(s.PairDistances[v], s.Images, first, n)
	}
	return &out
}

// columns are n columns from first on of rows of some length.
func columns[T any](data []T, length, first, n int) []T {
	if data == nil {
		return nil
	}
	var out []T
	for row := range slices.Chunk(data, length) {
		out = append(out, row[first:first+n]...)
	}
	return out
}

func TestEachChunkEnds(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 600)
	spec := runSet(t, w, m, s, transform.Plain)
	var enough error
	visits := 0
	each := func(ctx context.Context, key string) error {
		visits = 0
		return w.EachChunk(ctx, key, Want{Predictions: true}, func(int, *signal.Set) error {
			visits++
			return enough
		})
	}
	testdata.ErrorIs(t, "cancelled", each(cancelled(t), spec.Key()), context.Canceled)
	testdata.ErrorIs(t, "no set", each(t.Context(), "none"), database.ErrNotFound)
	testdata.Is(t, "visits", visits, 0)
	testdata.ErrorIs(t, "cancelled", testdata.Err(w.LoadChunk(cancelled(t), spec.Key(), Want{}, 0)), context.Canceled)
	for _, chunk := range []int{-1, 3} {
		testdata.Refused(t, "chunk", testdata.Err(w.LoadChunk(t.Context(), spec.Key(), Want{}, chunk)), "has no chunk")
	}
	must(t, os.Remove(w.unitFile(spec.UnitKey(1))))
	var damage *DamagedError
	if err := each(t.Context(), spec.Key()); !errors.As(err, &damage) || visits != 1 {
		t.Errorf("%d visits, %v", visits, err)
	}
	if err := testdata.Err(w.LoadChunk(t.Context(), spec.Key(), Want{}, 0)); !errors.As(err, &damage) {
		t.Error(err)
	}
	whole := runSet(t, w, m, s, transform.Grayscale)
	enough = errors.New("enough")
	testdata.ErrorIs(t, "an error of the visitor", each(t.Context(), whole.Key()), enough)
	testdata.Is(t, "visits", visits, 1)
}
