package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func TestSuitesRoundTrip(t *testing.T) {
	w := fresh(t)
	in := storetest.WriteSuite(t, "s10", 700) // large enough to be packed
	in.Skipped = []suite.Skipped{{Path: "cat/bad.png", Reason: "cut off"}}
	m := testdata.Must(w.AddSuite(in))(t)
	in.Added, in.Inside = m.Added, m.Inside
	testdata.NoDiff(t, "the suite", cmp.Diff(in, m))
	storetest.AddSuite(t, w, "s2", 3)
	w = reopened(t, w)
	list, err := w.Suites()
	if err != nil || len(list) != 2 || list[0].Name != "s2" || list[1].Labels != nil || list[1].Images != 700 ||
		len(list[1].Skipped) != 1 {
		t.Error(list, err)
	}
	for _, name := range []string{"s10", m.Hash, m.Hash[:10]} {
		testdata.NoDiff(t, name, cmp.Diff(m, testdata.Must(w.FindSuite(name))(t)))
	}
	testdata.ErrorIs(t, "absent", testdata.Err(w.FindSuite("absent")), database.ErrNotFound)
	testdata.Refused(t, "took a suite without hash", testdata.Err(w.AddSuite(suite.Manifest{Name: "x"})))
}

func TestFindSuiteTakesTheNewestOfAName(t *testing.T) {
	w := fresh(t)
	old := storetest.WriteSuite(t, "s", 3)
	old.Hash, old.Added = storetest.HashOf("old"), time.Now().Add(-time.Hour)
	must(t, testdata.Err(w.AddSuite(old)))
	m := storetest.AddSuite(t, w, "s", 6)
	if got, err := w.FindSuite("s"); err != nil || got.Hash != m.Hash {
		t.Error(got.Hash, err)
	}
}

func TestOpenSuiteWhereItIsNow(t *testing.T) {
	w := fresh(t)
	home := filepath.Dir(w.Path())
	m := storetest.WriteSuite(t, "s", 6)
	beside := filepath.Join(home, "images") // moves with the workspace
	must(t, os.Rename(m.Root, beside))
	m.Root = beside
	m, err := w.AddSuite(m)
	if err != nil || m.Inside != "../images" || m.Copied {
		t.Fatal(m.Inside, m.Copied, err)
	}
	open := func(w *Workspace) error {
		s, err := w.OpenSuite(m.Hash)
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		if s.Len() != 6 || s.Label(4) != 1 {
			t.Error(s.Len(), s.Label(4))
		}
		return nil
	}
	must(t, open(w))
	checkAndClose(t, w)
	moved := filepath.Join(t.TempDir(), "moved")
	must(t, os.Rename(home, moved))
	w = reopen(t, filepath.Join(moved, filepath.Base(w.Path())))
	must(t, open(w))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.Rename(filepath.Join(moved, "images"), elsewhere))
	testdata.ErrorIs(t, "open", open(w), ErrNoImages)
	testdata.ErrorIs(t, "located", w.RelocateSuite(t.Context(), m.Hash, t.TempDir()), suite.ErrMissing)
	must(t, w.RelocateSuite(t.Context(), m.Hash, elsewhere))
	must(t, open(w))
	must(t, os.WriteFile(filepath.Join(elsewhere, "cat", "0.png"), []byte("other"), 0o644))
	testdata.ErrorIs(t, "open", open(w), suite.ErrChanged)
	testdata.ErrorIs(t, "located", w.RelocateSuite(t.Context(), "unknown", elsewhere), database.ErrNotFound)
}

func TestCopyInside(t *testing.T) {
	w := fresh(t)
	in := storetest.WriteSuite(t, "s", 6)
	m, err := w.CopySuite(t.Context(), in)
	if err != nil || !m.Copied || m.Inside != "suites/"+m.Hash {
		t.Fatal(m.Copied, m.Inside, err)
	}
	must(t, os.RemoveAll(in.Root))
	s := testdata.Must(w.OpenSuite(m.Hash))(t)
	must(t, s.Close())
	classes, err := os.ReadFile(filepath.Join(w.Path(), "suites", m.Hash, "classes.txt"))
	if err != nil || string(classes) != "cat\ndog\neel\n" {
		t.Errorf("%q %v", classes, err)
	}
	again, err := w.AddSuite(in) // the copy stays known
	if err != nil || !again.Copied || again.Inside != m.Inside {
		t.Error(again.Copied, err)
	}
}

// writeImages writes a folder suite of two classes with real images.
func writeImages(tb testing.TB) string {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), "pictures")
	for _, class := range []string{"a", "b"} {
		must(tb, os.MkdirAll(filepath.Join(root, class), 0o755))
		for i := range 2 {
			must(tb, os.WriteFile(filepath.Join(root, class, fmt.Sprintf("%d.gif", i)), gif(byte(i)), 0o644))
		}
	}
	return root
}

// gif is a GIF of one pixel with the given gray.
func gif(gray byte) []byte {
	return []byte{
		'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, gray, gray, gray, 0, 0, 0,
		0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
	}
}

func TestCopyInsideRefuses(t *testing.T) {
	w := fresh(t)
	for name, spoil := range map[string]func(*suite.Manifest){
		"outside": func(m *suite.Manifest) { m.Files = slices.Clone(m.Files); m.Files[2].Path = "../secret" },
		"gone":    func(m *suite.Manifest) { m.Files = slices.Clone(m.Files); m.Files[2].Path = "cat/gone.png" },
		"changed": func(m *suite.Manifest) { m.Files = slices.Clone(m.Files); m.Files[2].Size++ },
	} {
		m := storetest.WriteSuite(t, name, 6)
		spoil(&m)
		if _, err := w.CopySuite(t.Context(), m); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(filepath.Join(w.Path(), "suites", m.Hash)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: files are left", name)
		}
		testdata.ErrorIs(t, name, testdata.Err(w.Suite(m.Hash)), database.ErrNotFound)
	}
}
