package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

// assembled is the whole set of a spec put together by the engine, to compare with.
func assembled(tb testing.TB, spec signal.Spec, classes int) *signal.Set {
	tb.Helper()
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		units = append(units, storetest.Unit(spec, chunk, 3, classes))
	}
	set, err := assembly.Set(spec, units)
	must(tb, err)
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
			if has, err := w.Has(key); has || err != nil {
				t.Error(has, err)
			}
			unit := storetest.Unit(spec, chunk, 3, c.classes)
			if !c.scores {
				unit.TrueScore = nil
			}
			must(t, w.Record(t.Context(), spec, unit))
			if has, err := w.Has(key); !has || err != nil {
				t.Error(has, err)
			}
		}
		w = reopened(t, w)
		got, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true})
		must(t, err)
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
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	want := assembled(t, spec, 3)
	vector, err := signal.ParseModality("L2@CONV-1")
	must(t, err)
	other, err := signal.ParseModality("std@SOMETHING")
	must(t, err)
	maxConf := signal.Modality{Position: model.CONF, Reducer: signal.Max}
	got, err := w.LoadSet(t.Context(), spec.Key(), Want{Modalities: []signal.Modality{maxConf, vector, other}})
	must(t, err)
	if got.Softmax != nil || got.Prediction != nil || got.Confidence != nil || got.Reduced[0][signal.Mean] != nil ||
		got.Reduced[1][signal.Max] != nil {
		t.Error("more was read than wanted")
	}
	for _, modality := range []signal.Modality{maxConf} {
		a, err1 := got.Signals(modality)
		b, err2 := want.Signals(modality)
		if err := errors.Join(err1, err2); err != nil || !cmp.Equal(a, b) {
			t.Error(modality, err)
		}
	}
	if a, err := got.Distances(vector); err != nil || !cmp.Equal(a[0], want.PairDistances[0][:300]) {
		t.Error(err)
	}
	if _, err := got.Signals(other); !errors.Is(err, signal.ErrAbsent) {
		t.Error(err)
	}
	got, err = w.LoadSet(t.Context(), spec.Key(), Want{Softmax: true, Predictions: true})
	if err != nil || !cmp.Equal(got.Softmax, want.Softmax) || !cmp.Equal(got.Prediction, want.Prediction) ||
		got.TrueScore != nil {
		t.Error(err)
	}
}

func TestLoadSetOfMissingUnits(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 600)
	spec := storetest.Spec(t, m, s)
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{}); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 1, 3, 3)))
	if err := w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 4)); err == nil ||
		!strings.Contains(err.Error(), "4 classes") {
		t.Errorf("a unit with another number of classes: %v", err)
	}
	_, err := w.LoadSet(t.Context(), spec.Key(), Want{})
	if !errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "2 of 3 chunks (0, 2)") {
		t.Error(err)
	}
	if err := w.Finish(t.Context(), engine.Task{ID: "m", Spec: spec}); !errors.Is(err, ErrIncomplete) {
		t.Error(err)
	}
	ctx := cancelled(t)
	if err := w.Record(ctx, spec, storetest.Unit(spec, 0, 3, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
		if has, err := w.Has(key); has || err != nil {
			t.Errorf("%s: Has %v %v", name, has, err)
		}
		if state, err := w.State(m, s.Hash, spec.Family); state != Partial || err != nil {
			t.Errorf("%s: state %s %v", name, state, err)
		}
		if _, ok, err := w.Summary(m, s.Hash, spec.Family); ok || err != nil {
			t.Errorf("%s: the summary is still there, %v", name, err)
		}
		must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 1, 3, 3)))
		if err := w.Finish(t.Context(), task); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if state, err := w.State(m, s.Hash, spec.Family); state != Ready || err != nil {
			t.Errorf("%s: state %s %v", name, state, err)
		}
	}
}

// TestVerifiedOncePerProcess: the hash is not computed again while a file keeps size and time.
func TestVerifiedOncePerProcess(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 10)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	key := spec.UnitKey(0)
	if _, ok := w.verified.Load(key); !ok {
		t.Error("a file that was just written is not known")
	}
	w = reopened(t, w)
	if _, ok := w.verified.Load(key); ok {
		t.Error("a new process trusts a file")
	}
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{}); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.verified.Load(key); !ok {
		t.Error("the file is hashed again on every load")
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
		if err := w.Record(t.Context(), spec, u); err == nil || !strings.Contains(err.Error(), m.Hash) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sets, err := w.Sets(m.Hash, "", ""); len(sets) != 0 || err != nil {
		t.Error(sets, err)
	}
}

func TestRecordFromManyGoroutines(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 2000)
	spec := storetest.Spec(t, m, s)
	var group sync.WaitGroup
	for range 2 { // the same units at the same time
		for chunk := range spec.Chunks() {
			group.Go(func() {
				if err := w.Record(t.Context(), spec, storetest.Unit(spec, chunk, 3, 3)); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	got, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true})
	must(t, err)
	if !cmp.Equal(assembled(t, spec, 3), got) {
		t.Error("sets differ")
	}
}

func TestSetsByModelSuiteFamily(t *testing.T) {
	w := fresh(t)
	a, b := storetest.AddModel(t, w, "a"), storetest.AddModel(t, w, "b")
	s1, s2 := storetest.AddSuite(t, w, "s1", 5), storetest.AddSuite(t, w, "s2", 5)
	for _, m := range []model.Model{a, b} {
		for _, s := range []string{s1.Hash, s2.Hash} {
			for _, family := range []string{"f1", "f2"} {
				spec := storetest.Spec(t, m, s1)
				spec.Source, spec.Family = s, family
				must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)))
			}
		}
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
				if _, err := w.LoadSet(context.Background(), spec.Key(), want); err != nil {
					b.Fatal(err)
				}
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
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); err != nil {
		t.Error(err)
	}
	content[len(content)/2] ^= 1
	must(t, errors.Join(w.Close(), os.WriteFile(w.unitFile(key), content, 0o644)))
	w = reopen(t, path)
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); err == nil ||
		!strings.Contains(err.Error(), "does not match its hash") {
		t.Error(err)
	}
}
