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
	for _, pattern := range []string{database.ModelsFolder + "/*", database.SignalsFolder + "/*/*"} {
		files := testdata.Must(filepath.Glob(filepath.Join(w.path, pattern)))(t)
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
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(1, 5).Draw(r, "steps") {
			switch step := rapid.IntRange(0, 4).Draw(r, "step"); {
			case step == 0 && len(models) < 6 || len(models) == 0:
				m := storetest.AddModel(t, w, fmt.Sprint("m", len(models)))
				if !slices.ContainsFunc(models, func(have model.Model) bool { return have.Hash == m.Hash }) {
					models = append(models, m)
				}
			case step == 1:
				m := rapid.SampledFrom(models).Draw(r, "run")
				storetest.RunModel(t, w, m, storetest.Spec(t, m, s))
			case step == 2:
				must(r, testdata.Err(w.RemoveUnusedFiles(t.Context())))
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
		must(r, testdata.Err(w.RemoveUnusedFiles(t.Context())))
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
	ctx, done := context.WithCancel(t.Context())
	var sweeps sync.WaitGroup
	sweeps.Go(func() {
		for ctx.Err() == nil {
			if _, err := w.RemoveUnusedFiles(context.Background()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for _, m := range models {
		storetest.RunModel(t, w, m, storetest.Spec(t, m, s)) // Finish reads every unit again
	}
	done()
	sweeps.Wait()
	if inDatabase, onDisk := named(t, w); !slices.Equal(inDatabase, onDisk) || len(onDisk) != 3*len(models) {
		t.Errorf("%d named, %d on disk", len(inDatabase), len(onDisk))
	}
}

// TestRemovalOfAMissingFile removes what somebody has deleted by hand already.
func TestRemovalOfAMissingFile(t *testing.T) {
	w, models, _ := three(t)
	must(t, os.Remove(w.ModelPath(models[0].Hash)))
	must(t, os.RemoveAll(filepath.Join(w.path, database.SignalsFolder)))
	must(t, testdata.Err(w.RemoveModels([]string{models[0].Hash}, nil)))
	testdata.Is(t, "unused", mustUsage(t, w).Loose, FileUse{})
}
