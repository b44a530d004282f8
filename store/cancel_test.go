package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// cancelled is a context that has ended.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestCopiesAreCancelled in the middle: nothing is left of the images or masks.
func TestCopiesAreCancelled(t *testing.T) {
	w := fresh(t)
	pets, known := storetest.WriteSuite(t, "pets", 9), storetest.AddSuite(t, w, "known", 9)
	for folder, copies := range map[string]func(ctx context.Context) error{
		database.SuitesFolder: func(ctx context.Context) error { _, err := w.CopySuite(ctx, pets); return err },
		database.MasksFolder: func(ctx context.Context) error {
			_, err := w.AddMasks(ctx, known.Hash, storetest.WriteMasks(t, known), true, noProgress{})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		files := 0
		stop := durable.Watch(func(s durable.Step) error {
			if s.Op == durable.Create && strings.Contains(s.Path, folder) && strings.HasPrefix(s.Path, w.Path()) {
				if files++; files == 4 {
					cancel()
				}
			}
			return nil
		})
		err := copies(ctx)
		stop()
		if !errors.Is(err, context.Canceled) || files != 4 {
			t.Errorf("%s: %v, %d files were begun", folder, err, files)
		}
		if left, err := filepath.Glob(filepath.Join(w.Path(), folder, "*")); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
	testdata.ErrorIs(t, "Suite", testdata.Err(w.Suite(pets.Hash)), database.ErrNotFound)
}

// later gives all files below a folder another time, as a copy without times does.
func later(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chtimes(path, time.Unix(0, 0), time.Unix(9, 0))
	})
	must(t, err)
}

// TestHashingIsCancelled: where times were lost, as in a workspace that was copied without them,
// images and masks are hashed once, and a cancel ends that.
func TestHashingIsCancelled(t *testing.T) {
	w := fresh(t)
	in := testdata.Must(suite.Scan(t.Context(), writeImages(t), suite.Options{}, noProgress{}))(t)
	m := testdata.Must(w.CopySuite(t.Context(), in))(t)
	must(t, os.RemoveAll(in.Root))
	inside := filepath.Join(w.Path(), database.SuitesFolder, m.Hash)
	later(t, inside)
	for what, err := range map[string]error{
		"open":   testdata.Err(w.OpenSuiteContext(cancelled(t), m.Hash)),
		"folder": testdata.Err(w.SuiteFolder(cancelled(t), m.Hash)),
		"locate": w.RelocateSuite(cancelled(t), m.Hash, inside),
		"a file": testdata.Err(HashFile(cancelled(t), filepath.Join(inside, m.Files[0].Path))),
	} {
		testdata.ErrorIs(t, what, err, context.Canceled)
	}
	for range 2 {
		must(t, testdata.Must(w.OpenSuite(m.Hash))(t).Close())
		testdata.Is(t, "time noted", testdata.Must(w.Suite(m.Hash))(t).Files[0].Modified.Unix(), 9)
	}
	must(t, w.RelocateSuite(t.Context(), m.Hash, inside))
	must(t, os.Truncate(filepath.Join(inside, m.Files[0].Path), 3))
	testdata.ErrorIs(t, "a changed image", testdata.Err(w.OpenSuite(m.Hash)), suite.ErrChanged)
	pets := storetest.AddSuite(t, w, "pets", 5)
	root := storetest.WriteMasks(t, pets)
	set := testdata.Must(w.AddMasks(t.Context(), pets.Hash, root, false, noProgress{}))(t)
	later(t, root)
	testdata.ErrorIs(t, "masks", testdata.Err(w.MaskFolder(cancelled(t), set)), context.Canceled)
	testdata.Is(t, "masks lie in", testdata.Must(w.MaskFolder(t.Context(), set))(t), root)
}

// TestNewRoundIsCancelled while the ranges of its matrices are read from the signals.
func TestNewRoundIsCancelled(t *testing.T) {
	w, models, suiteHash := three(t)
	r := label.Round{
		Name: "r", Suite: suiteHash, Family: storetest.Family(t), Filter: "correct",
		Modalities: []string{"mean@CONV-1"},
		Annotators: []string{"A"}, Models: []string{models[0].Hash},
	}
	testdata.ErrorIs(t, "CreateRound", testdata.Err(w.CreateRound(cancelled(t), r)), context.Canceled)
	if rounds, err := w.Rounds(); err != nil || len(rounds) != 0 {
		t.Errorf("%d rounds, %v", len(rounds), err)
	}
	made, err := w.CreateRound(t.Context(), r)
	must(t, err)
	_, err = w.DuplicateRound(cancelled(t), made.ID, func(c *label.Round) { c.Ranges = nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestTwoRestoresOfAMissingDatabase: without a database there is no lock. The first that is done
// wins, and the other says so.
func TestTwoRestoresOfAMissingDatabase(t *testing.T) {
	w := fresh(t)
	change(t, w, 1)
	mustBackup(t, w)
	checkAndClose(t, w)
	must(t, os.Remove(filepath.Join(w.Path(), database.File)))
	begun := false
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Create && !begun {
			begun = true
			if _, err := backup.Restore(t.Context(), w.Path(), ""); err != nil {
				t.Errorf("the other one: %v", err)
			}
		}
		return nil
	})
	_, err := backup.Restore(t.Context(), w.Path(), "")
	stop()
	if err == nil || !strings.Contains(err.Error(), "another program has changed "+database.File) {
		t.Errorf("%v", err)
	}
	if left := storetest.Parts(t, w.Path()); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	testdata.Is(t, "number", number(t, reopen(t, w.Path())), 1)
}
