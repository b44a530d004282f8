package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// named are the files that the database names, on disk those in the folders of models and signals,
// both relative.
func named(t testdata.TB, w *Workspace) (inDatabase, onDisk []string) {
	err := w.View(func(tx *bbolt.Tx) error {
		for bucket, path := range map[string]func(string) string{
			database.Models.Name: w.ModelPath,
			database.Units.Name:  w.unitFile,
		} {
			err := tx.Bucket([]byte(bucket)).ForEach(func(key, _ []byte) error {
				inDatabase = append(inDatabase, path(string(key)))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	for _, pattern := range []string{
		filepath.Join(database.ModelsFolder, "*"),
		filepath.Join(database.SignalsFolder, "*", "*"),
	} {
		files, err := filepath.Glob(filepath.Join(w.path, pattern))
		must(t, err)
		onDisk = append(onDisk, files...)
	}
	slices.Sort(inDatabase)
	slices.Sort(onDisk)
	return inDatabase, onDisk
}

// TestRemovalKeepsDatabaseAndFilesAlike adds, runs, removes and sweeps in random order, with
// removals whose files fail to go, as after a kill: the database never names a file that is gone,
// and after a sweep there is no other file.
func TestRemovalKeepsDatabaseAndFilesAlike(t *testing.T) {
	w := unsynced(fresh(t))
	s := storetest.AddSuite(t, w, "s", 300)
	d := faults.Watch(t, w.Path())
	var models []model.Model
	add := func() {
		m := storetest.AddModel(t, w, fmt.Sprint("m", len(models)))
		if !slices.ContainsFunc(models, func(have model.Model) bool { return have.Hash == m.Hash }) {
			models = append(models, m)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(1, 5).Draw(r, "steps") {
			switch step := rapid.IntRange(0, 4).Draw(r, "step"); {
			case step == 0 || len(models) == 0:
				if len(models) < 6 {
					add()
				}
			case step == 1:
				m := rapid.SampledFrom(models).Draw(r, "run")
				storetest.RunModel(t, w, m, storetest.Spec(t, m, s))
			case step == 2:
				if _, err := w.RemoveUnusedFiles(t.Context()); err != nil {
					r.Fatal(err)
				}
			default:
				if step == 4 {
					d.Refuse(durable.Remove, errors.New("killed"))
				}
				at := rapid.IntRange(0, len(models)-1).Draw(r, "gone")
				_, err := w.RemoveModels([]string{models[at].Hash}, nil)
				d.Refuse(durable.Remove, nil)
				if step == 3 && err != nil ||
					step == 4 && (err == nil || !strings.Contains(err.Error(), "the models are removed")) {
					r.Fatal(err)
				}
				models = slices.Delete(models, at, at+1)
			}
			inDatabase, onDisk := named(r, w)
			for _, path := range inDatabase {
				if !slices.Contains(onDisk, path) {
					r.Fatalf("the database names %s, which is gone", path)
				}
			}
		}
		if _, err := w.RemoveUnusedFiles(t.Context()); err != nil {
			r.Fatal(err)
		}
		if inDatabase, onDisk := named(r, w); !slices.Equal(inDatabase, onDisk) {
			r.Fatalf("named %v, on disk %v", inDatabase, onDisk)
		}
	})
}

// TestSweepSparesWhatIsBeingRecorded sweeps while units are written: a file stands for a moment
// before the database names it, and must not be taken in that moment.
func TestSweepSparesWhatIsBeingRecorded(t *testing.T) {
	w := unsynced(fresh(t))
	s := storetest.AddSuite(t, w, "s", 300)
	var models []model.Model
	for i := range 12 {
		models = append(models, storetest.AddModel(t, w, fmt.Sprint("m", i)))
	}
	done := make(chan struct{})
	var sweeps sync.WaitGroup
	sweeps.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := w.RemoveUnusedFiles(context.Background()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for _, m := range models {
		storetest.RunModel(t, w, m, storetest.Spec(t, m, s)) // Finish reads every unit again
	}
	close(done)
	sweeps.Wait()
	if inDatabase, onDisk := named(t, w); !slices.Equal(inDatabase, onDisk) || len(onDisk) != 3*len(models) {
		t.Errorf("%d named, %d on disk", len(inDatabase), len(onDisk))
	}
}

func TestThumbsFromManyGoroutines(t *testing.T) {
	w := fresh(t)
	w.thumbs.budget = 4000
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 30 {
				key := fmt.Sprint(i % 7)
				if err := w.PutThumb(key, storetest.Thumb(uint8(i%7))); err != nil {
					t.Error(err)
				}
				if picture, ok := w.Thumb(key); ok {
					if r, _, _, _ := picture.At(1, 2).RGBA(); r>>8 != uint32(i%7) {
						t.Errorf("picture %s has shade %d", key, r>>8)
					}
				}
				if g == 0 && i%10 == 9 {
					if _, err := w.RemoveThumbs(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if left := storetest.Parts(t, w.path); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestRecordsOfManyModelsChangePlaces gives ids a random permutation and takes it back.
func TestRecordsOfManyModelsChangePlaces(t *testing.T) {
	w := unsynced(fresh(t))
	for i := range 8 {
		storetest.AddModel(t, w, fmt.Sprint("m", i))
	}
	was := records(t, w)
	rapid.Check(t, func(r *rapid.T) {
		chosen := slices.Clone(was[:rapid.IntRange(1, len(was)).Draw(r, "count")])
		for i, other := range rapid.Permutation(slices.Clone(chosen)).Draw(r, "order") {
			chosen[i].ID = other.ID
		}
		before, err := w.PutRecords(chosen)
		must(r, err)
		for _, c := range chosen {
			if m, err := w.FindModel(c.ID); err != nil || m.Hash != c.Hash {
				r.Fatalf("%s is %s, %v", c.ID, m.Hash, err)
			}
		}
		if _, err := w.PutRecords(before); err != nil {
			r.Fatal(err)
		}
	})
	for i, now := range records(t, w) {
		if now.ID != was[i].ID || now.Hash != was[i].Hash {
			t.Errorf("%s became %s", was[i].ID, now.ID)
		}
	}
}

func TestOverviewNamesADamagedSummary(t *testing.T) {
	w, models, suiteHash := three(t)
	best, _, err := w.BestSet(models[0], suiteHash, storetest.Family(t))
	must(t, err)
	for name, damage := range map[string][]byte{
		"short": {1, 2}, "cut": {9, 0, 0, 0, '{', '}'},
		"no head": {2, 0, 0, 0, '{', '['},
	} {
		must(t, w.Update(func(tx *bbolt.Tx) error { return database.Summaries.PutBytes(tx, best.Key, damage) }))
		if _, err := w.Overview(suiteHash, storetest.Family(t)); !errors.Is(err, database.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRemovedModelComesBackNew imports, runs, removes and imports again: nothing of the old signals
// is left to be found.
func TestRemovedModelComesBackNew(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{Predictions: true}); err != nil { // its files are verified now
		t.Fatal(err)
	}
	if _, err := w.RemoveModels([]string{m.Hash}, nil); err != nil {
		t.Fatal(err)
	}
	again := storetest.AddModel(t, w, "m")
	state, err := w.State(again, s.Hash, spec.Family)
	if err != nil || state != None {
		t.Errorf("%s %v", state, err)
	}
	for chunk := range spec.Chunks() {
		if has, err := w.Has(spec.UnitKey(chunk)); err != nil || has {
			t.Errorf("chunk %d is still there, %v", chunk, err)
		}
	}
	if _, err := w.LoadSet(t.Context(), spec.Key(), Want{Predictions: true}); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("the set is still there: %v", err)
	}
	storetest.RunModel(t, w, again, spec)
	if _, ok, err := w.Summary(again, s.Hash, spec.Family); !ok || err != nil {
		t.Error(ok, err)
	}
}

// TestRemovalOfAMissingFile removes what somebody has deleted by hand already.
func TestRemovalOfAMissingFile(t *testing.T) {
	w, models, _ := three(t)
	must(t, os.Remove(w.ModelPath(models[0].Hash)))
	must(t, os.RemoveAll(filepath.Join(w.path, database.SignalsFolder)))
	if _, err := w.RemoveModels([]string{models[0].Hash}, nil); err != nil {
		t.Error(err)
	}
	if u := mustUsage(t, w); u.Loose.Files != 0 {
		t.Errorf("%+v", u.Loose)
	}
}

func TestFirstOfManyNames(t *testing.T) {
	var names []string
	for i := range 11 {
		names = append(names, fmt.Sprint(i))
	}
	if got := firstOf(names); got != "0, 1, 2, 3, 4, 5, 6, 7 and 3 more" {
		t.Error(got)
	}
	if got := firstOf(quoted(names[:2])); got != `"0", "1"` {
		t.Error(got)
	}
}

// BenchmarkOverview1000 reads the list of a thousand models with records, without signals.
func BenchmarkOverview1000(b *testing.B) {
	w := unsynced(fresh(b))
	s := storetest.AddSuite(b, w, "s", 30)
	for i := range 1000 {
		m := model.Model{ID: fmt.Sprint("s", i), Graph: storetest.Graph()}
		for k := range 15 {
			m.Record = append(m.Record, model.Field{Name: fmt.Sprint("field ", k), Value: fmt.Sprint(i * k)})
		}
		if _, _, err := w.AddModel(m, strings.NewReader(fmt.Sprint("model ", i))); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if list, err := w.Overview(s.Hash, storetest.Family(b)); err != nil || len(list) != 1000 {
			b.Fatal(len(list), err)
		}
	}
}
