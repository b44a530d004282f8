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
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.Is(t, "folder", testdata.Must(w.MaskFolder(t.Context(), set))(t), root)
	testdata.NoDiff(t, "list", cmp.Diff(testdata.Must(w.MaskSets(m.Hash))(t), []database.MaskSet{set}))
	testdata.Is(t, "of another suite", len(testdata.Must(w.MaskSets(storetest.HashOf("other")))(t)), 0)
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
		"cat/0.jpeg": "cat/0.png", "a.b/c": "a.b/c.png", "17": "17.png", "x.PNG": "x.png",
	} {
		testdata.Is(t, image, database.MaskName(image), want)
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
		testdata.Refused(t, want, err, "dog/1.png", want, "suite pets")
	}
	_, err := w.AddMasks(t.Context(), storetest.HashOf("none"), t.TempDir(), false, noProgress{})
	testdata.ErrorIs(t, "of no suite", err, database.ErrNotFound)
	testdata.Is(t, "sets", len(testdata.Must(w.MaskSets(m.Hash))(t)), 0)
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
	set := testdata.Must(w.AddMasks(t.Context(), m.Hash, root, false, noProgress{}))(t)
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
	must(t, testdata.Err(w.MaskFolder(t.Context(), again)))
	if noted, err := w.MaskSet(set.Hash); err != nil || !noted.Files[0].Modified.Equal(old) {
		t.Errorf("%v, %v", noted.Files[0], err)
	}
	other := storetest.AddSuite(t, w, "others", 2)
	outside, err := w.AddMasks(t.Context(), other.Hash, storetest.WriteMasks(t, other), false, noProgress{})
	must(t, err)
	to := filepath.Join(t.TempDir(), "deeper", "copy.variscope")
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	must(t, testdata.Err(w.SaveCopy(t.Context(), to, noProgress{})))
	c := reopen(t, to)
	there := testdata.Must(c.MaskSet(set.Hash))(t)
	at := testdata.Must(c.MaskFolder(t.Context(), there))(t)
	testdata.Is(t, "folder in a copy", at, filepath.Join(to, "masks", set.Hash))
	if there, err := c.MaskSet(outside.Hash); err != nil || there.Inside != c.relative(outside.Root) ||
		there.Inside == outside.Inside {
		t.Errorf("a path relative to the copy: %+v, %v", there, err)
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
	at := testdata.Must(w.MaskFolder(t.Context(), set))(t)
	testdata.Is(t, "folder", at, filepath.Join(w.Path(), "masks", set.Hash))
	_, err = w.AddMadeMasks(t.Context(), m.Hash, "x",
		func(int) ([]byte, error) { return nil, errors.New("no foreground") }, noProgress{})
	testdata.Refused(t, "a mask that cannot be made", err, "mask cat/0.png: no foreground")
}
