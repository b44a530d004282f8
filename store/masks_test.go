package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

type noProgress = engine.NoProgress

func TestMasksRoundTrip(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 5)
	root := storetest.WriteMasks(t, m)
	set, err := w.AddMasks(t.Context(), m.Hash, root, false, noProgress{})
	if err != nil || set.Made != "files" || set.Root != root || len(set.Files) != 5 ||
		set.Files[3].Path != "cat/3.png" {
		t.Fatalf("%+v, %v", set, err)
	}
	if at, err := w.MaskFolder(t.Context(), set); err != nil || at != root {
		t.Errorf("%s, %v", at, err)
	}
	list, err := w.MaskSets(m.Hash)
	if err != nil || cmp.Diff(list, []database.MaskSet{set}) != "" {
		t.Errorf("%v: %s", err, cmp.Diff(list, []database.MaskSet{set}))
	}
	if other, err := w.MaskSets(storetest.HashOf("other")); err != nil || len(other) != 0 {
		t.Errorf("%v, %v", other, err)
	}
	// one bit of one mask, or another suite, is another set
	must(t, os.WriteFile(filepath.Join(root, "cat", "0.png"), storetest.MaskPNG(t, 8, 8, 5), 0o644))
	changed, err := w.AddMasks(t.Context(), m.Hash, root, false, noProgress{})
	if err != nil || changed.Hash == set.Hash {
		t.Errorf("%+v, %v", changed, err)
	}
	if _, err := w.MaskFolder(t.Context(), set); !errors.Is(err, suite.ErrChanged) ||
		!strings.Contains(err.Error(), "cat/0.png") && !strings.Contains(err.Error(), "one of them") {
		t.Errorf("%v", err)
	}
}

func TestMasksOfImagesWithOtherEndings(t *testing.T) {
	for image, want := range map[string]string{
		"cat/0.jpeg": "cat/0.png", "a.b/c": "a.b/c.png", "17": "17.png",
		"x.PNG": "x.png",
	} {
		if got := database.MaskName(image); got != want {
			t.Errorf("the mask of %s is %s, want %s", image, got, want)
		}
	}
}

func TestMasksThatCannotBe(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 3)
	for want, data := range map[string][]byte{
		"mask dog/1.png is not in": nil,
		"mask dog/1.png: ":         []byte("no picture"),
		"9":                        storetest.MaskPNG(t, 9, 8, 1),
		"empty":                    storetest.MaskPNG(t, 8, 8, 0),
		"full":                     storetest.MaskPNG(t, 8, 8, 8),
	} {
		root := storetest.WriteMasks(t, m)
		at := filepath.Join(root, "dog", "1.png")
		err := os.Remove(at)
		if data != nil {
			err = os.WriteFile(at, data, 0o644)
		}
		must(t, err)
		_, err = w.AddMasks(t.Context(), m.Hash, root, true, noProgress{})
		if err == nil || !strings.Contains(err.Error(), "dog/1.png") || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "suite pets") {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if _, err := w.AddMasks(t.Context(), storetest.HashOf("none"), t.TempDir(), false, noProgress{}); !errors.Is(err,
		database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if list, err := w.MaskSets(m.Hash); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if u := mustUsage(t, w); u.Suites != 0 || u.Loose.Files != 0 {
		t.Errorf("refused masks left files: %+v", u)
	}
}

// TestMasksWhereTheyAreNow: gone, moved, copied inside, and in a copy of the workspace whose files
// lost their times.
func TestMasksWhereTheyAreNow(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 4)
	root := storetest.WriteMasks(t, m)
	set, err := w.AddMasks(t.Context(), m.Hash, root, false, noProgress{})
	must(t, err)
	moved := root + "2"
	must(t, os.Rename(root, moved))
	if _, err := w.MaskFolder(t.Context(), set); !errors.Is(err, ErrNoImages) ||
		!strings.Contains(err.Error(), "add the masks again") {
		t.Errorf("%v", err)
	}
	again, err := w.AddMasks(t.Context(), m.Hash, moved, true, noProgress{})
	if err != nil || again.Hash != set.Hash || !again.Copied() || !again.Added.Equal(set.Added) {
		t.Errorf("%+v, %v", again, err)
	}
	must(t, os.RemoveAll(moved))
	inside := filepath.Join(w.Path(), "masks", set.Hash)
	if at, err := w.MaskFolder(t.Context(), again); err != nil || at != inside {
		t.Errorf("%s, %v", at, err)
	}
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(inside, "cat", "0.png"), old, old))
	if _, err := w.MaskFolder(t.Context(), again); err != nil {
		t.Errorf("other times, same masks: %v", err)
	}
	if noted, err := w.MaskSet(set.Hash); err != nil || !noted.Files[0].Modified.Equal(old) {
		t.Errorf("%v, %v", noted.Files[0], err)
	}
	to := filepath.Join(t.TempDir(), "copy.variscope")
	if _, err := w.SaveCopy(t.Context(), to, noProgress{}); err != nil {
		t.Fatal(err)
	}
	c := reopen(t, to)
	there, err := c.MaskSet(set.Hash)
	must(t, err)
	if at, err := c.MaskFolder(t.Context(), there); err != nil || at != filepath.Join(to, "masks", set.Hash) {
		t.Errorf("%s, %v", at, err)
	}
}

// TestReferencedMasksInACopy: the path relative to the workspace is that of the copy's place.
func TestReferencedMasksInACopy(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 2)
	set, err := w.AddMasks(t.Context(), m.Hash, storetest.WriteMasks(t, m), false, noProgress{})
	must(t, err)
	to := filepath.Join(t.TempDir(), "deeper", "copy.variscope")
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	if _, err := w.SaveCopy(t.Context(), to, noProgress{}); err != nil {
		t.Fatal(err)
	}
	c := reopen(t, to)
	there, err := c.MaskSet(set.Hash)
	if err != nil || there.Inside != c.relative(set.Root) || there.Inside == set.Inside {
		t.Errorf("%+v, %v", there, err)
	}
}

func TestSweepAndUsageOfMasks(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 3)
	set, err := w.AddMasks(t.Context(), m.Hash, storetest.WriteMasks(t, m), true, noProgress{})
	must(t, err)
	leave(t, w, "masks/"+strings.Repeat("ab", 32)+"/cat/0.png", 40)
	leave(t, w, "masks/"+set.Hash+"/cat/0.png.part", 2)
	u := mustUsage(t, w)
	var bytes int64
	for _, f := range set.Files {
		bytes += f.Size
	}
	if u.Suites != bytes || u.Loose != (FileUse{2, 42}) {
		t.Errorf("%+v, want %d bytes of masks", u, bytes)
	}
	if freed, err := w.RemoveUnusedFiles(t.Context()); err != nil || freed != u.Loose {
		t.Errorf("%+v, %v", freed, err)
	}
	if _, err := w.MaskFolder(t.Context(), set); err != nil {
		t.Errorf("swept what is named: %v", err)
	}
	must(t, w.RemoveMasks(set.Hash))
	if u := mustUsage(t, w); u.Suites != 0 || u.Loose.Files != 0 {
		t.Errorf("%+v", u)
	}
	if _, err := os.Stat(filepath.Join(w.Path(), "masks", set.Hash)); err == nil {
		t.Error("the empty folder is left")
	}
}

// TestMadeMasksLieInside: masks that a network made need no folder.
func TestMadeMasksLieInside(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 3)
	set, err := w.AddMadeMasks(t.Context(), m.Hash, "seg.onnx: cat, dog",
		func(i int) ([]byte, error) { return storetest.MaskPNG(t, 8, 8, 1+i), nil }, noProgress{})
	if err != nil || set.Made != "seg.onnx: cat, dog" || set.Root != "" {
		t.Fatalf("%+v, %v", set, err)
	}
	at, err := w.MaskFolder(t.Context(), set)
	if err != nil || at != filepath.Join(w.Path(), "masks", set.Hash) {
		t.Errorf("%s, %v", at, err)
	}
	if _, err := w.AddMadeMasks(t.Context(), m.Hash, "x",
		func(int) ([]byte, error) { return nil, errors.New("no foreground") }, noProgress{}); err == nil ||
		!strings.Contains(err.Error(), "mask cat/0.png: no foreground") {
		t.Errorf("%v", err)
	}
}
