package store

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

// setSpec is testSpec for a transformation set, and the number of its transformations.
func setSpec(tb testing.TB, m model.Model, s suite.Manifest, name string) (signal.Spec, int) {
	tb.Helper()
	family, err := transform.ParseAny(name)
	must(tb, err)
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

// TestFinishOfASet: accuracies with the identity first, and no matrices. testUnit predicts
// image+t/2 and the label is image modulo 3, so t = 0 and 1 are right.
func TestFinishOfASet(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	for name, accuracy := range map[string][]float64{
		transform.Plain: {1}, transform.Grayscale: {1, 1}, transform.Rot90: {1, 1, 0, 0},
		"shift:2:5": {1, 1, 0, 0, 0}, "mask:2;layers=1": {1, 1, 0, 0, 0},
	} {
		spec := runSet(t, w, m, s, name)
		got, ok, err := w.Summary(m, s.Hash, name)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
		robust := accuracy[len(accuracy)-1]
		want := database.Summary{
			Key: spec.Key(), Matrices: map[string]variance.Matrix{}, Accuracy: accuracy, Robust: robust, Images: 300,
			Labelled: 300, Classes: []int{0, 1, 2}, MappedBy: "by index", Model: m.Hash, Suite: s.Hash, Family: name,
			Chance: &chance.Counts{Labelled: 300, Correct: 300, Classes: 3, Largest: 100, Top: 100, TopLabels: 100},
		}
		if diff := cmp.Diff(want, got); diff != "" || got.Identity() != 0 {
			t.Errorf("%s: identity %d, %s", name, got.Identity(), diff)
		}
		if state, err := w.State(m, s.Hash, name); err != nil || state != Ready {
			t.Errorf("%s: %s, %v", name, state, err)
		}
	}
	family := database.Summary{Family: storetest.Family(t), Accuracy: []float64{0.1, 0.9, 0.2}}
	if family.Identity() != 1 {
		t.Errorf("the identity of a family is transformation %d", family.Identity())
	}
}

// TestASetHasNoMatrix: whoever asks for one is told so.
func TestASetHasNoMatrix(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	spec := runSet(t, w, m, s, transform.Rot90)
	modality := signal.DefaultModalities()[0]
	set, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true})
	must(t, err)
	for name, ask := range map[string]func() error{
		"Matrix": func() error {
			_, err := w.Matrix(t.Context(), spec.Key(), modality, variance.AllImages())
			return err
		},
		"MatrixOf": func() error {
			_, err := MatrixOf(set, modality, []int{0, 1})
			return err
		},
		"Matrices": func() error {
			_, err := w.Matrices(t.Context(), MatrixRequest{
				Model: m, Suite: s.Hash, Family: transform.Rot90,
				Modalities: defaultNames(), Images: variance.AllImages(),
			})
			return err
		},
		"FeatureSet": func() error {
			_, err := w.FeatureSet(FeatureRequest{
				Model: m, Suite: s, Family: transform.Rot90,
				Layout: feature.Layout{Modalities: defaultNames()},
			})
			return err
		},
		"SetCurrent": func() error { return w.SetCurrent(Current{Suite: s.Hash, Family: transform.Rot90}) },
		"CreateRound": func() error {
			_, err := w.CreateRound(t.Context(), label.Round{
				Name: "r", Suite: s.Hash, Family: transform.Rot90, Guideline: "look", Annotators: []string{"A", "B"},
				Models: []string{m.Hash},
			})
			return err
		},
	} {
		if err := ask(); !errors.Is(err, transform.ErrSet) || !strings.Contains(err.Error(), "rot90") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var lacks *NoFeaturesError
	if _, err := w.FeatureSet(FeatureRequest{Model: m, Suite: s, Family: transform.Rot90}); errors.As(err, &lacks) {
		t.Errorf("it is the question that is wrong, not the model: %v", err)
	}
}

// TestSetsAndFamiliesStayApart: a model that was run under a set alone has no state under a family.
func TestSetsAndFamiliesStayApart(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	runSet(t, w, m, s, transform.Plain)
	list, err := w.Overview(s.Hash, storetest.Family(t))
	if err != nil || len(list) != 1 || list[0].State != None || list[0].Summary.Key != "" {
		t.Errorf("%+v, %v", list, err)
	}
	list, err = w.Overview(s.Hash, transform.Plain)
	if err != nil || list[0].State != Ready || list[0].Summary.Accuracy[list[0].Summary.Identity()] != 1 {
		t.Errorf("%+v, %v", list, err)
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
		changed, err := w.Model(m.Hash)
		must(t, err)
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
		for _, text := range usualSets() {
			spec := runSet(t, w, m, s, text)
			joined(t, w, spec.Key(), Want{Everything: true})
			joined(t, w, spec.Key(), Want{Predictions: true, Confidence: true})
			joined(t, w, spec.Key(), Want{Softmax: true})
		}
		spec := storetest.Spec(t, m, s)
		storetest.RunModel(t, w, m, spec)
		joined(t, w, spec.Key(), Want{Everything: true})
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
	enough, visits := errors.New("enough"), 0
	stop := func(int, *signal.Set) error {
		visits++
		return enough
	}
	if err := w.EachChunk(t.Context(), spec.Key(), Want{Predictions: true}, stop); !errors.Is(err, enough) ||
		visits != 1 {
		t.Errorf("%d visits, %v", visits, err)
	}
	ctx := cancelled(t)
	if err := w.EachChunk(ctx, spec.Key(), Want{Predictions: true}, stop); !errors.Is(err, context.Canceled) ||
		visits != 1 {
		t.Errorf("%d visits, %v", visits, err)
	}
	if err := w.EachChunk(t.Context(), "none", Want{}, stop); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := w.LoadChunk(ctx, spec.Key(), Want{}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for _, chunk := range []int{-1, 3} {
		if _, err := w.LoadChunk(t.Context(), spec.Key(), Want{}, chunk); err == nil ||
			!strings.Contains(err.Error(), "has no chunk") {
			t.Errorf("chunk %d: %v", chunk, err)
		}
	}
	must(t, os.Remove(w.unitFile(spec.UnitKey(1))))
	seen := 0
	var damage *DamagedError
	err := w.EachChunk(t.Context(), spec.Key(), Want{Predictions: true}, func(int, *signal.Set) error {
		seen++
		return nil
	})
	if !errors.As(err, &damage) || seen != 1 {
		t.Errorf("%d chunks, %v", seen, err)
	}
	if err := w.EachChunk(t.Context(), spec.Key(), Want{}, stop); !errors.As(err, &damage) {
		t.Errorf("%v", err)
	}
	if _, err := w.LoadChunk(t.Context(), spec.Key(), Want{}, 0); !errors.As(err, &damage) {
		t.Errorf("%v", err)
	}
}

// usualSets are all sets with their usual parameters, and the scenes of a selection.
func usualSets() []string {
	texts := transform.Sets()
	for k, name := range texts {
		texts[k], _ = transform.Default(name)
	}
	return append(texts, "scenes:"+storetest.HashOf("selection")+":5")
}
