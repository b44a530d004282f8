package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// assembled is the whole set of a spec put together by the engine, to compare with.
func assembled(tb testing.TB, spec signal.Spec, classes int) *signal.Set {
	tb.Helper()
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		units = append(units, storetest.Unit(spec, chunk, 3, classes))
	}
	set := testdata.Must(assembly.Set(spec, units))(tb)
	return set
}

// A suite without labels has no true class whose score could be kept.
func TestSignalsRoundTrip(t *testing.T) {
	const many = signal.FullSoftmaxClasses + 1
	for _, c := range []struct {
		classes int
		scores  bool
	}{{3, true}, {many, true}, {many, false}} {
		w := fresh(t)
		m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 600)
		spec := storetest.Spec(t, m, s)
		for chunk := range spec.Chunks() {
			key := spec.UnitKey(chunk)
			testdata.Is(t, "has", testdata.Must(w.Has(key))(t), false)
			unit := storetest.Unit(spec, chunk, 3, c.classes)
			if !c.scores {
				unit.TrueScore = nil
			}
			must(t, w.Record(t.Context(), spec, unit))
			testdata.Is(t, "has", testdata.Must(w.Has(key))(t), true)
		}
		w = reopened(t, w)
		got := testdata.Must(w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}))(t)
		want := assembled(t, spec, c.classes)
		if !c.scores {
			want.TrueScore = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: %s", c, diff)
		}
	}
}

func TestLoadSetReadsWhatIsWanted(t *testing.T) {
	w, _, _, spec := ran(t, 300)
	vector := testdata.Must(signal.ParseModality("L2@CONV-1"))(t)
	other := testdata.Must(signal.ParseModality("std@SOMETHING"))(t)
	maxConf := signal.Modality{Position: model.CONF, Reducer: signal.Max}
	for _, c := range []struct {
		want Want
		keep func(got, all *signal.Set) // puts what is wanted into the set that has nothing else
	}{
		{Want{Modalities: []signal.Modality{maxConf, vector, other}}, func(got, all *signal.Set) {
			got.Reduced[0][signal.Max], got.PairDistances = all.Reduced[0][signal.Max], all.PairDistances
		}},
		{Want{Softmax: true}, func(got, all *signal.Set) { got.Softmax, got.Confidence = all.Softmax, all.Confidence }},
		{Want{Predictions: true}, func(got, all *signal.Set) { got.Prediction = all.Prediction }},
		{Want{Confidence: true}, func(got, all *signal.Set) { got.Confidence = all.Confidence }},
	} {
		all := assembled(t, spec, 3)
		want := *all
		want.Softmax, want.Prediction, want.Confidence = nil, nil, nil
		want.PairDistances = make([][]float32, len(all.PairDistances))
		want.Reduced = make([][signal.Reducers][]float32, len(all.Reduced))
		c.keep(&want, all)
		got := testdata.Must(w.LoadSet(t.Context(), spec.Key(), c.want))(t)
		testdata.NoDiff(t, fmt.Sprint(c.want), cmp.Diff(&want, got, cmpopts.EquateEmpty()))
		testdata.ErrorIs(t, "what no model has", testdata.Err(got.Signals(other)), signal.ErrAbsent)
	}
}

func TestLoadSetOfMissingUnits(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 600)
	spec := storetest.Spec(t, m, s)
	testdata.ErrorIs(t, "LoadSet", testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{})), database.ErrNotFound)
	must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 1, 3, 3)))
	testdata.Refused(t, "a unit with another number of classes",
		w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 4)), "4 classes")
	_, err := w.LoadSet(t.Context(), spec.Key(), Want{})
	if !errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "2 of 3 chunks (0, 2)") {
		t.Error(err)
	}
	testdata.ErrorIs(t, "Finish", w.Finish(t.Context(), engine.Task{ID: "m", Spec: spec}), ErrIncomplete)
	ctx := cancelled(t)
	testdata.ErrorIs(t, "Record", w.Record(ctx, spec, storetest.Unit(spec, 0, 3, 3)), context.Canceled)
}

// TestDamagedSignals: each kind of damage is found on loading in a new process, names the file, and
// makes the unit count as missing; recording it again heals.
func TestDamagedSignals(t *testing.T) {
	damage := map[string]func(path string) error{
		"a flipped bit": func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data[len(data)/2] ^= 1
			return os.WriteFile(path, data, 0o644)
		},
		"cut off":    func(path string) error { return os.Truncate(path, 100) },
		"gone":       os.Remove,
		"other file": func(path string) error { return os.WriteFile(path, []byte("hello"), 0o644) },
	}
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	task := storetest.RunModel(t, w, m, spec)
	key := spec.UnitKey(1)
	for name, harm := range damage {
		must(t, harm(w.unitFile(key)))
		// what has another size is seen at once
		if has, err := w.Has(key); err != nil || has && name != "a flipped bit" {
			t.Errorf("%s: Has %v %v before it is read", name, has, err)
		}
		_, err := w.LoadSet(t.Context(), spec.Key(), Want{Predictions: true})
		var damaged *DamagedError
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), database.UnitPath(key)) {
			t.Errorf("%s: %v", name, err)
		}
		testdata.Is(t, name, testdata.Must(w.Has(key))(t), false)
		testdata.Is(t, name, testdata.Must(w.State(m, s.Hash, spec.Family))(t), Partial)
		if _, ok, err := w.Summary(m, s.Hash, spec.Family); ok || err != nil {
			t.Errorf("%s: the summary is still there, %v", name, err)
		}
		must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 1, 3, 3)))
		must(t, w.Finish(t.Context(), task))
		testdata.Is(t, name, testdata.Must(w.State(m, s.Hash, spec.Family))(t), Ready)
	}
	// The hash is computed once per process, and not again while a file keeps size and time.
	w = reopened(t, w)
	_, before := w.verified.Load(key)
	must(t, testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{})))
	if _, ok := w.verified.Load(key); before || !ok {
		t.Errorf("a file is verified before it is read: %v, after it: %v", before, ok)
	}
}

func TestRecordRefusesWrongUnits(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	for name, spoil := range map[string]func(u *signal.Unit){
		"chunk":      func(u *signal.Unit) { u.Chunk = 2 },
		"images":     func(u *signal.Unit) { u.Images = 255 },
		"positions":  func(u *signal.Unit) { u.Reduced = u.Reduced[1:] },
		"vectors":    func(u *signal.Unit) { u.Distances = nil },
		"reduced":    func(u *signal.Unit) { u.Reduced[1] = u.Reduced[1][1:] },
		"softmax":    func(u *signal.Unit) { u.Softmax = u.Softmax[1:] },
		"prediction": func(u *signal.Unit) { u.Prediction = nil },
	} {
		u := storetest.Unit(spec, 0, 3, 3)
		spoil(u)
		testdata.Refused(t, name, w.Record(t.Context(), spec, u), m.Hash)
	}
	testdata.Is(t, "sets", len(testdata.Must(w.Sets(m.Hash, "", ""))(t)), 0)
}

func TestSetsByModelSuiteFamily(t *testing.T) {
	w := fresh(t)
	a, b := storetest.AddModel(t, w, "a"), storetest.AddModel(t, w, "b")
	s1, s2 := storetest.AddSuite(t, w, "s1", 5), storetest.AddSuite(t, w, "s2", 5)
	for i := range 8 {
		spec := storetest.Spec(t, []model.Model{a, b}[i%2], []suite.Manifest{s1, s2}[i/2%2])
		spec.Family = []string{"f1", "f2"}[i/4]
		must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)))
	}
	for _, c := range []struct {
		suite, family string
		want          int
	}{{"", "", 4}, {s1.Hash, "", 2}, {"", "f1", 2}, {s2.Hash, "f2", 1}, {s2.Hash, "f", 0}} {
		sets, err := w.Sets(a.Hash, c.suite, c.family)
		if err != nil || len(sets) != c.want {
			t.Errorf("%q %q: %d sets, %v", c.suite, c.family, len(sets), err)
		}
		for _, set := range sets {
			if set.Spec.Model != a.Hash || set.Recorded != 1 || set.Chunks != 1 || set.Finished ||
				set.Key != set.Spec.Key() {
				t.Errorf("%+v", set)
			}
		}
	}
}

// bigSpec is a spec of the size of the mnist zoo's suite: 31 transformations, 10 classes.
func bigSpec(tb testing.TB, m model.Model, images int) signal.Spec {
	tb.Helper()
	w := fresh(tb)
	spec := storetest.Spec(tb, m, storetest.AddSuite(tb, w, "s", 3))
	spec.Images, spec.Vectors = images, nil
	return spec
}

func BenchmarkRecord(b *testing.B) {
	w := fresh(b)
	spec := bigSpec(b, storetest.AddModel(b, w, "m"), 256)
	unit := storetest.Unit(spec, 0, 31, 10)
	for b.Loop() {
		must(b, w.Record(context.Background(), spec, unit))
	}
	if info, err := os.Stat(w.unitFile(spec.UnitKey(0))); err == nil {
		b.SetBytes(info.Size())
	}
}

func BenchmarkLoadSet(b *testing.B) {
	w := fresh(b)
	spec := bigSpec(b, storetest.AddModel(b, w, "m"), 10000)
	for chunk := range spec.Chunks() {
		must(b, w.Record(context.Background(), spec, storetest.Unit(spec, chunk, 31, 10)))
	}
	for _, first := range []bool{true, false} {
		b.Run(fmt.Sprintf("first=%v", first), func(b *testing.B) {
			for b.Loop() {
				if first {
					w.verified.Clear()
				}
				want := Want{Modalities: signal.DefaultModalities(), Predictions: true}
				must(b, testdata.Err(w.LoadSet(context.Background(), spec.Key(), want)))
			}
		})
	}
}

// TestUnitsBeforeSchema5: a unit whose record has a SHA-256 is read, and damage to it is found.
func TestUnitsBeforeSchema5(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 256)
	spec := storetest.Spec(t, m, s)
	key, path := spec.UnitKey(0), w.Path()
	storetest.RunModel(t, w, m, spec)
	content := storetest.Read(t, w.unitFile(key))
	older := database.UnitRecord{
		Set: spec.Key(), SHA256: fmt.Sprintf("%x", sha256.Sum256(content)), Size: int64(len(content)),
		Reducers: signal.Reducers,
	}
	must(t, w.Update(func(tx *bbolt.Tx) error {
		return errors.Join(database.Units.Put(tx, key, older), database.PutSchema(tx, 4))
	}))
	checkAndClose(t, w)
	w = reopen(t, path)
	must(t, testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{Everything: true})))
	content[len(content)/2] ^= 1
	must(t, errors.Join(w.Close(), os.WriteFile(w.unitFile(key), content, 0o644)))
	w = reopen(t, path)
	testdata.Refused(t, "LoadSet", testdata.Err(w.LoadSet(t.Context(), spec.Key(), Want{Everything: true})),
		"does not match its hash")
}
