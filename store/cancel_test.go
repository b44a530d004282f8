package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
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
	if _, err := w.Suite(pets.Hash); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
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

// TestHashingIsCancelled: where times were lost, images and masks are hashed, and a cancel ends
// that.
func TestHashingIsCancelled(t *testing.T) {
	w := fresh(t)
	in, err := suite.Scan(t.Context(), writeImages(t), suite.Options{}, engine.NoProgress{})
	must(t, err)
	m, err := w.CopySuite(t.Context(), in)
	must(t, err)
	must(t, os.RemoveAll(in.Root))
	inside := filepath.Join(w.Path(), database.SuitesFolder, m.Hash)
	later(t, inside)
	if _, err := w.OpenSuiteContext(cancelled(t), m.Hash); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if _, err := w.SuiteFolder(cancelled(t), m.Hash); !errors.Is(err, context.Canceled) {
		t.Errorf("folder: %v", err)
	}
	if err := w.RelocateSuite(cancelled(t), m.Hash, inside); !errors.Is(err, context.Canceled) {
		t.Errorf("locate: %v", err)
	}
	if err := w.RelocateSuite(t.Context(), m.Hash, inside); err != nil {
		t.Errorf("locate: %v", err)
	}
	pets := storetest.AddSuite(t, w, "pets", 5)
	root := storetest.WriteMasks(t, pets)
	set, err := w.AddMasks(t.Context(), pets.Hash, root, false, noProgress{})
	must(t, err)
	later(t, root)
	if _, err := w.MaskFolder(cancelled(t), set); !errors.Is(err, context.Canceled) {
		t.Errorf("masks: %v", err)
	}
	if at, err := w.MaskFolder(t.Context(), set); err != nil || at != root {
		t.Errorf("%s, %v", at, err)
	}
}

// TestNewRoundIsCancelled while the ranges of its matrices are read from the signals.
func TestNewRoundIsCancelled(t *testing.T) {
	w, models, suiteHash := three(t)
	r := label.Round{
		Name: "r", Suite: suiteHash, Family: storetest.Family(t), Filter: "correct",
		Modalities: []string{"mean@CONV-1"},
		Annotators: []string{"A"}, Models: []string{models[0].Hash},
	}
	if _, err := w.CreateRound(cancelled(t), r); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
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
	if got := number(t, reopen(t, w.Path())); got != 1 {
		t.Error(got)
	}
}

func TestHashFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	must(t, os.WriteFile(path, []byte("x"), 0o600))
	if sum, err := HashFile(t.Context(), path); err != nil || sum != storetest.HashOf("x") {
		t.Errorf("%s, %v", sum, err)
	}
	if _, err := HashFile(cancelled(t), path); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
