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

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestSuitesRoundTrip(t *testing.T) {
	w := fresh(t)
	in := storetest.WriteSuite(t, "s10", 700) // large enough to be packed
	in.Skipped = []suite.Skipped{{Path: "cat/bad.png", Reason: "cut off"}}
	m, err := w.AddSuite(in)
	must(t, err)
	in.Added, in.Inside = m.Added, m.Inside
	if diff := cmp.Diff(in, m); diff != "" {
		t.Error(diff)
	}
	storetest.AddSuite(t, w, "s2", 3)
	w = reopened(t, w)
	got, err := w.Suite(m.Hash)
	if diff := cmp.Diff(m, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	list, err := w.Suites()
	if err != nil || len(list) != 2 || list[0].Name != "s2" || list[1].Labels != nil || list[1].Images != 700 ||
		len(list[1].Skipped) != 1 {
		t.Error(list, err)
	}
	for _, name := range []string{"s10", m.Hash, m.Hash[:10]} {
		if got, err := w.FindSuite(name); err != nil || got.Hash != m.Hash || len(got.Labels) != 700 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.FindSuite("absent"); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.AddSuite(suite.Manifest{Name: "x"}); err == nil {
		t.Error("took a suite without hash")
	}
}

func TestFindSuiteTakesTheNewestOfAName(t *testing.T) {
	w := fresh(t)
	old := storetest.WriteSuite(t, "s", 3)
	old.Hash, old.Added = storetest.HashOf("old"), time.Now().Add(-time.Hour)
	if _, err := w.AddSuite(old); err != nil {
		t.Fatal(err)
	}
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
	if err := open(w); err != nil {
		t.Error(err)
	}
	checkAndClose(t, w)
	moved := filepath.Join(t.TempDir(), "moved")
	must(t, os.Rename(home, moved))
	w = reopen(t, filepath.Join(moved, filepath.Base(w.Path())))
	if err := open(w); err != nil {
		t.Errorf("moved together: %v", err)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.Rename(filepath.Join(moved, "images"), elsewhere))
	if err := open(w); !errors.Is(err, ErrNoImages) {
		t.Error(err)
	}
	if err := w.RelocateSuite(t.Context(), m.Hash, t.TempDir()); !errors.Is(err, suite.ErrMissing) {
		t.Error(err)
	}
	if err := w.RelocateSuite(t.Context(), m.Hash, elsewhere); err != nil {
		t.Error(err)
	}
	if err := open(w); err != nil {
		t.Errorf("located: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(elsewhere, "cat", "0.png"), []byte("other"), 0o644))
	if err := open(w); !errors.Is(err, suite.ErrChanged) {
		t.Error(err)
	}
	if err := w.RelocateSuite(t.Context(), "unknown", elsewhere); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

func TestCopyInside(t *testing.T) {
	w := fresh(t)
	in := storetest.WriteSuite(t, "s", 6)
	m, err := w.CopySuite(t.Context(), in)
	if err != nil || !m.Copied || m.Inside != "suites/"+m.Hash {
		t.Fatal(m.Copied, m.Inside, err)
	}
	must(t, os.RemoveAll(in.Root))
	s, err := w.OpenSuite(m.Hash)
	must(t, err)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	classes, err := os.ReadFile(filepath.Join(w.Path(), "suites", m.Hash, "classes.txt"))
	if err != nil || string(classes) != "cat\ndog\neel\n" {
		t.Errorf("%q %v", classes, err)
	}
	again, err := w.AddSuite(in) // the copy stays known
	if err != nil || !again.Copied || again.Inside != m.Inside {
		t.Error(again.Copied, err)
	}
}

// TestCopyInsideThatLostItsTimes: a workspace that was copied without times verifies the images
// once.
func TestCopyInsideThatLostItsTimes(t *testing.T) {
	w := fresh(t)
	in, err := suite.Scan(t.Context(), writeImages(t), suite.Options{}, engine.NoProgress{})
	must(t, err)
	m, err := w.CopySuite(t.Context(), in)
	must(t, err)
	must(t, os.RemoveAll(in.Root))
	inside := filepath.Join(w.Path(), "suites", m.Hash)
	later(t, inside)
	for range 2 {
		s, err := w.OpenSuite(m.Hash)
		must(t, err)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	got, err := w.Suite(m.Hash)
	if err != nil || !got.Files[0].Modified.Equal(time.Unix(9, 0)) {
		t.Error(got.Files[0].Modified, err)
	}
	must(t, os.Truncate(filepath.Join(inside, m.Files[0].Path), 3))
	if _, err := w.OpenSuite(m.Hash); !errors.Is(err, suite.ErrChanged) {
		t.Error(err)
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
		if _, err := w.Suite(m.Hash); !errors.Is(err, database.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
