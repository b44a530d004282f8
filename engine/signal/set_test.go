package signal

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
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

func testUnit(spec Spec, chunk, transformations, classes int) *Unit {
	first, n := spec.ChunkImages(chunk)
	u := &Unit{Chunk: chunk, Transformations: transformations, Images: n, Classes: classes}
	for t := range transformations {
		for k := first; k < first+n; k++ {
			for c := range classes {
				u.Softmax = append(u.Softmax, value(1, t, k, c))
			}
			u.Prediction = append(u.Prediction, int32(100*t+k))
			u.Confidence = append(u.Confidence, value(2, t, k))
		}
	}
	for p := range spec.Positions {
		var reduced []float32
		for r := range Reducers {
			for t := range transformations {
				for k := first; k < first+n; k++ {
					reduced = append(reduced, value(p, r, t, k))
				}
			}
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	var distances []float32
	for p := range Pairs(transformations) {
		for k := first; k < first+n; k++ {
			distances = append(distances, value(3, p, k))
		}
	}
	u.Distances = [][]float32{distances}
	return u
}

func TestAssemblePutsEverythingInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images := rapid.IntRange(1, 3*ChunkSize).Draw(t, "images")
		transformations := rapid.IntRange(2, 4).Draw(t, "transformations")
		classes := rapid.IntRange(1, 3).Draw(t, "classes")
		spec := testSpec(images)
		var units []*Unit
		for c := range spec.Chunks() {
			units = append(units, testUnit(spec, c, transformations, classes))
		}
		units = rapid.Permutation(units).Draw(t, "units")
		s, err := Assemble(spec, units)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Softmax) != transformations*images*classes {
			t.Fatalf("%d softmax numbers", len(s.Softmax))
		}
		k := rapid.IntRange(0, images-1).Draw(t, "image")
		for tr := range transformations {
			for c := range classes {
				if got := s.Softmax[(tr*images+k)*classes+c]; got != value(1, tr, k, c) {
					t.Fatalf("softmax of %d, %d, %d is %v", tr, k, c, got)
				}
			}
			if s.Predictions()[tr][k] != int32(100*tr+k) || s.Confidence[tr*images+k] != value(2, tr, k) {
				t.Fatalf("prediction or confidence of %d, %d", tr, k)
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

func TestBuilderTakesWhatIsWanted(t *testing.T) {
	spec := testSpec(10)
	b := NewBuilder(spec, Want{Modalities: []Modality{{Position: model.Conv1, Reducer: Max}, {Position: "HEAD", Reducer: Max}}})
	if err := b.Add(testUnit(spec, 0, 3, 2)); err != nil {
		t.Fatal(err)
	}
	s, err := b.Set()
	if err != nil {
		t.Fatal(err)
	}
	if s.Softmax != nil || s.Prediction != nil || s.Predictions() != nil || s.Confidence != nil {
		t.Error("unwanted arrays are there")
	}
	rows, err := s.Signals(Modality{Position: model.Conv1, Reducer: Max})
	if err != nil || rows[2][7] != value(1, int(Max), 2, 7) {
		t.Errorf("wanted signals: %v, %v", rows, err)
	}
	for _, tt := range []struct {
		m    Modality
		want error
	}{
		{Modality{Position: model.Conv1, Reducer: Mean}, ErrNotLoaded},
		{Modality{Position: model.CONF, Reducer: Max}, ErrNotLoaded},
		{Modality{Position: "HEAD", Reducer: Max}, ErrAbsent},
	} {
		if _, err := s.Signals(tt.m); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.m, err, tt.want)
		}
	}
	if _, err := s.Distances(Modality{Position: model.Conv1, Order: 2}); !errors.Is(err, ErrNotLoaded) {
		t.Errorf("distances: %v", err)
	}
	if _, err := s.Distances(Modality{Position: model.Conv1, Order: 1}); !errors.Is(err, ErrAbsent) {
		t.Errorf("other distances: %v", err)
	}
	if _, err := s.Distances(Modality{Position: model.CONF}); err == nil {
		t.Error("scalar modality has distances")
	}
	if _, err := s.Signals(Modality{Position: model.CONF, Order: 2}); err == nil {
		t.Error("vector modality has signals")
	}
}

func TestAssembleRefuses(t *testing.T) {
	spec := testSpec(3 * ChunkSize)
	good := func(c int) *Unit { return testUnit(spec, c, 2, 2) }
	change := func(f func(u *Unit)) *Unit {
		u := good(1)
		f(u)
		return u
	}
	for name, tt := range map[string]struct {
		units []*Unit
		want  string
	}{
		"missing chunks":        {[]*Unit{good(1)}, "2 of 3 chunks are missing (0, 2)"},
		"no chunk":              {nil, "3 of 3 chunks"},
		"twice":                 {[]*Unit{good(0), good(0)}, "twice"},
		"outside":               {[]*Unit{change(func(u *Unit) { u.Chunk = 3 })}, "outside 0..2"},
		"wrong images":          {[]*Unit{change(func(u *Unit) { u.Images = 5 })}, "5 images in place of 256"},
		"other transformations": {[]*Unit{good(0), testUnit(spec, 1, 3, 2)}, "3 transformations"},
		"other classes":         {[]*Unit{good(0), testUnit(spec, 1, 2, 3)}, "3 classes"},
		"short softmax":         {[]*Unit{good(0), change(func(u *Unit) { u.Softmax = u.Softmax[1:] })}, "softmax has 1023"},
		"no confidence":         {[]*Unit{good(0), change(func(u *Unit) { u.Confidence = nil })}, "confidence has 0"},
		"short position":        {[]*Unit{good(0), change(func(u *Unit) { u.Reduced[1] = u.Reduced[1][1:] })}, "position CONV-1 has 4095"},
		"fewer positions":       {[]*Unit{good(0), change(func(u *Unit) { u.Reduced = u.Reduced[:1] })}, "1 positions"},
		"too many positions":    {[]*Unit{change(func(u *Unit) { u.Reduced = append(u.Reduced, nil) })}, "3 positions"},
		"short distances":       {[]*Unit{good(0), change(func(u *Unit) { u.Distances[0] = nil })}, "distances has 0"},
	} {
		_, err := Assemble(spec, tt.units)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestAssembleKeepsAbsentArraysAbsent(t *testing.T) {
	spec := testSpec(5)
	u := testUnit(spec, 0, 2, 2)
	u.Softmax, u.TrueScore = nil, make([]float32, 10)
	s, err := Assemble(spec, []*Unit{u})
	if err != nil || s.Softmax != nil || len(s.TrueScore) != 10 {
		t.Errorf("softmax %v, true score %v, %v", s.Softmax, s.TrueScore, err)
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
		func(s *Spec) { s.Output = "o" }, func(s *Spec) { s.Channels++ }, func(s *Spec) { s.Height++ }, func(s *Spec) { s.Width++ },
		func(s *Spec) { s.Positions = s.Positions[:1] }, func(s *Spec) { s.Vectors = nil }, func(s *Spec) { s.TrueClass = []int{1} },
		func(s *Spec) { s.Batch = 7 }, func(s *Spec) { s.Runtime = "2" }, func(s *Spec) { s.Arch = "x" }, func(s *Spec) { s.Level = "y" },
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
		if s.Chunks() != tt.chunks {
			t.Errorf("%d images are %d chunks", tt.images, s.Chunks())
		}
		if _, n := s.ChunkImages(tt.chunks - 1); n != tt.last {
			t.Errorf("last chunk of %d has %d images", tt.images, n)
		}
	}
}

func TestBuilderWithSoftmaxAndPredictions(t *testing.T) {
	spec := testSpec(300)
	b := NewBuilder(spec, Want{Softmax: true, Predictions: true})
	for _, chunk := range []int{1, 0} {
		if err := b.Add(testUnit(spec, chunk, 3, 2)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := b.Set()
	if err != nil {
		t.Fatal(err)
	}
	if s.Softmax[(2*300+299)*2+1] != value(1, 2, 299, 1) || s.Confidence[300+256] != value(2, 1, 256) || s.Predictions()[1][299] != 399 {
		t.Error("softmax, confidence or predictions are out of place")
	}
	for _, reduced := range s.Reduced {
		for _, have := range reduced {
			if have != nil {
				t.Fatal("signals that nobody wanted are there")
			}
		}
	}
}

// TestRowsAreApart: appending to a row never runs into the next one.
func TestRowsAreApart(t *testing.T) {
	spec := testSpec(5)
	s, err := Assemble(spec, []*Unit{testUnit(spec, 0, 2, 2)})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Signals(Modality{Position: model.CONF})
	if err != nil {
		t.Fatal(err)
	}
	before := rows[1][0]
	_ = append(rows[0], -1)
	if rows[1][0] != before {
		t.Error("row 1 was overwritten through row 0")
	}
}

func BenchmarkAssemble(b *testing.B) {
	spec := testSpec(10 * ChunkSize)
	var units []*Unit
	for c := range spec.Chunks() {
		units = append(units, testUnit(spec, c, 31, 10))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Assemble(spec, units); err != nil {
			b.Fatal(err)
		}
	}
}
