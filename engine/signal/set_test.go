package signal

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func testSpec(images int) Spec {
	return Spec{
		Model: "m", Source: "s", Images: images, Family: "rotation:-1:1:1",
		Positions: []Position{{model.CONF, "out"}, {model.Conv1, "c1"}},
		Vectors:   []string{"L2@CONV-1"},
	}
}

// value is a number that tells where it belongs.
func value(parts ...int) float32 {
	v := float32(0)
	for _, p := range parts {
		v = v*37 + float32(p)
	}
	return v
}

// testSet holds a number everywhere that tells where it belongs.
func testSet(spec Spec, transformations, classes int) *Set {
	s := &Set{Spec: spec, Transformations: transformations, Images: spec.Images, Classes: classes}
	s.Reduced = make([][Reducers][]float32, len(spec.Positions))
	for t := range transformations {
		for k := range spec.Images {
			for c := range classes {
				s.Softmax = append(s.Softmax, value(1, t, k, c))
			}
			s.Prediction = append(s.Prediction, int32(100*t+k))
			s.Confidence = append(s.Confidence, value(2, t, k))
			for p := range spec.Positions {
				for r := range Reducers {
					s.Reduced[p][r] = append(s.Reduced[p][r], value(p, r, t, k))
				}
			}
		}
	}
	var distances []float32
	for p := range Pairs(transformations) {
		for k := range spec.Images {
			distances = append(distances, value(3, p, k))
		}
	}
	s.PairDistances = [][]float32{distances}
	return s
}

func TestSetHandsOutRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images := rapid.IntRange(1, 3*ChunkSize).Draw(t, "images")
		transformations := rapid.IntRange(2, 4).Draw(t, "transformations")
		s := testSet(testSpec(images), transformations, rapid.IntRange(1, 3).Draw(t, "classes"))
		k := rapid.IntRange(0, images-1).Draw(t, "image")
		for tr := range transformations {
			if s.Predictions()[tr][k] != int32(100*tr+k) {
				t.Fatalf("prediction of %d, %d", tr, k)
			}
			for r := range Reducer(Reducers) {
				rows, err := s.Signals(Modality{Position: model.Conv1, Reducer: r})
				if err != nil || len(rows) != transformations || rows[tr][k] != value(1, int(r), tr, k) {
					t.Fatalf("%s of %d, %d: %v, %v", r, tr, k, rows[tr][k], err)
				}
			}
		}
		rows, err := s.Distances(Modality{Position: model.Conv1, Order: 2})
		if err != nil || len(rows) != Pairs(transformations) {
			t.Fatalf("%d rows of distances, %v", len(rows), err)
		}
		for p, row := range rows {
			if row[k] != value(3, p, k) {
				t.Fatalf("distance %d of %d is %v", p, k, row[k])
			}
		}
	})
}

func TestSetSaysWhatItDoesNotHold(t *testing.T) {
	s := testSet(testSpec(10), 3, 2)
	s.Softmax, s.Prediction, s.Confidence, s.PairDistances = nil, nil, nil, nil
	s.Reduced[0] = [Reducers][]float32{}
	s.Reduced[1] = [Reducers][]float32{Max: s.Reduced[1][Max]}
	if s.Predictions() != nil {
		t.Error("predictions are there")
	}
	testdata.Is(t, "signals",
		testdata.Must(s.Signals(Modality{Position: model.Conv1, Reducer: Max}))(t)[2][7], value(1, int(Max), 2, 7))
	s.Early = true
	for _, tt := range []struct {
		m    Modality
		want error
	}{
		{Modality{Position: model.Conv1, Reducer: MeanAbs}, ErrNoMeanAbs},
		{Modality{Position: model.Conv1, Reducer: MeanAbs}, ErrAbsent},
		{Modality{Position: model.Conv1, Reducer: Mean}, ErrNotLoaded},
		{Modality{Position: model.CONF, Reducer: Max}, ErrNotLoaded},
		{Modality{Position: "HEAD", Reducer: Max}, ErrAbsent},
	} {
		testdata.ErrorIs(t, fmt.Sprint(tt.m), testdata.Err(s.Signals(tt.m)), tt.want)
	}
	if _, err := s.Distances(Modality{Position: model.Conv1, Order: 2}); !errors.Is(err, ErrNotLoaded) {
		t.Errorf("distances: %v", err)
	}
	if _, err := s.Distances(Modality{Position: model.Conv1, Order: 1}); !errors.Is(err, ErrAbsent) {
		t.Errorf("other distances: %v", err)
	}
	testdata.Refused(t, "scalar modality has distances", testdata.Err(s.Distances(Modality{Position: model.CONF})))
	if _, err := s.Signals(Modality{Position: model.CONF, Order: 2}); err == nil {
		t.Error("vector modality has signals")
	}
}

func TestSpecKeys(t *testing.T) {
	a, b := testSpec(10), testSpec(10)
	if a.Key() != b.Key() || a.UnitKey(0) != b.UnitKey(0) {
		t.Error("equal specs have different keys")
	}
	keys := []string{a.Key(), a.UnitKey(0), a.UnitKey(1)}
	for _, change := range []func(s *Spec){
		func(s *Spec) { s.Model = "n" }, func(s *Spec) { s.Edit = "mask" }, func(s *Spec) { s.Source = "t" },
		func(s *Spec) { s.Images++ }, func(s *Spec) { s.Family = "rotation:-2:2:1" },
		func(s *Spec) { s.Preprocessing.Mean = []float64{1} }, func(s *Spec) { s.OutputKind = model.Logits },
		func(s *Spec) { s.Output = "o" }, func(s *Spec) { s.Channels++ }, func(s *Spec) { s.Height++ },
		func(s *Spec) { s.Width++ }, func(s *Spec) { s.Positions = s.Positions[:1] }, func(s *Spec) { s.Vectors = nil },
		func(s *Spec) { s.TrueClass = []int{1} }, func(s *Spec) { s.Batch = 7 }, func(s *Spec) { s.Runtime = "2" },
		func(s *Spec) { s.Arch = "x" }, func(s *Spec) { s.Level = "y" },
	} {
		s := testSpec(10)
		change(&s)
		keys = append(keys, s.Key())
	}
	slices.Sort(keys)
	if n := len(keys); len(slices.Compact(keys)) != n {
		t.Error("different specs have equal keys")
	}
}

func TestChunks(t *testing.T) {
	for _, tt := range []struct{ images, chunks, last int }{{1, 1, 1}, {256, 1, 256}, {257, 2, 1}, {10000, 40, 16}} {
		s := Spec{Images: tt.images}
		testdata.Is(t, fmt.Sprintf("%d images", tt.images), s.Chunks(), tt.chunks)
		if _, n := s.ChunkImages(tt.chunks - 1); n != tt.last {
			t.Errorf("last chunk of %d has %d images", tt.images, n)
		}
	}
}

// TestRowsAreApart: appending to a row never runs into the next one.
func TestRowsAreApart(t *testing.T) {
	s := testSet(testSpec(5), 2, 2)
	rows := testdata.Must(s.Signals(Modality{Position: model.CONF}))(t)
	before := rows[1][0]
	_ = append(rows[0], -1)
	testdata.Is(t, "row 1 was overwritten through row 0", rows[1][0], before)
}

// A set is the same whether its units come in order or not, and keeps nothing but what is wanted.
func TestSetIsMadeOfUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transformations, classes := rapid.IntRange(2, 4).Draw(t, "transformations"),
			rapid.IntRange(1, 3).Draw(t, "classes")
		whole := testSet(testSpec(rapid.IntRange(1, 3*ChunkSize).Draw(t, "images")), transformations, classes)
		made := NewSet(whole.Spec, transformations, whole.Images, classes, Want{Everything: true})
		some := NewSet(whole.Spec, transformations, whole.Images, classes,
			Want{Modalities: []Modality{{Position: model.Conv1, Reducer: Max}}})
		chunks := whole.Spec.Chunks()
		turn := rapid.IntRange(0, chunks-1).Draw(t, "first chunk")
		for k := range chunks {
			u := unitOf(whole, (turn+k)%chunks)
			if !reflect.DeepEqual(whole.Unit(u.Chunk), u) {
				t.Fatalf("chunk %d comes out as another unit", u.Chunk)
			}
			made.Put(u)
			some.Put(u)
		}
		if !reflect.DeepEqual(made, whole) {
			t.Fatal("the units make another set")
		}
		if !slices.Equal(some.Reduced[1][Max], whole.Reduced[1][Max]) || some.Reduced[1][Min] != nil ||
			some.Reduced[0][Max] != nil ||
			some.Softmax != nil || some.Prediction != nil || some.Confidence != nil || some.PairDistances[0] != nil {
			t.Fatal("more or less than the wanted modality is there")
		}
	})
}

// unitOf is a chunk of a set as a run computes it.
func unitOf(s *Set, chunk int) *Unit {
	first, n := s.Spec.ChunkImages(chunk)
	u := &Unit{Chunk: chunk, Transformations: s.Transformations, Images: n, Classes: s.Classes}
	for t := range s.Transformations {
		from, to := t*s.Images+first, t*s.Images+first+n
		u.Softmax = append(u.Softmax, s.Softmax[from*s.Classes:to*s.Classes]...)
		u.Prediction, u.Confidence = append(u.Prediction, s.Prediction[from:to]...),
			append(u.Confidence, s.Confidence[from:to]...)
	}
	for p := range s.Reduced {
		var reduced []float32
		for r := range s.Reduced[p] {
			for t := range s.Transformations {
				reduced = append(reduced, s.Reduced[p][r][t*s.Images+first:][:n]...)
			}
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	var distances []float32
	for p := range Pairs(s.Transformations) {
		distances = append(distances, s.PairDistances[0][p*s.Images+first:][:n]...)
	}
	u.Distances = [][]float32{distances}
	return u
}
