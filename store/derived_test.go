package store

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

var (
	brighter = corrupt.Setting{Name: "brightness", Severity: 2, Seed: 1}
	aside    = derive.Shift{N: 3, T: 2, Region: 7}
)

func deriveFrom(tb testing.TB, w *Workspace, of string, change derive.Change) suite.Manifest {
	tb.Helper()
	m, err := w.DeriveSuite(of, change, "")
	must(tb, err)
	return m
}

func TestDeriveSuite(t *testing.T) {
	for name, change := range map[string]derive.Change{
		"pictures, brightness 2":            brighter,
		"pictures, shifted 3x3 t2 region 7": aside,
	} {
		t.Run(change.String(), func(t *testing.T) { derivedAndReopened(t, change, name) })
	}
}

// derivedAndReopened adds a derived suite twice and reads it in the workspace that was closed
// between.
func derivedAndReopened(t *testing.T, change derive.Change, name string) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, change)
	want := base.Derive(change.String(), name)
	want.Added = m.Added
	if diff := cmp.Diff(want, m); diff != "" || m.Added.IsZero() {
		t.Error(diff)
	}
	again, err := w.DeriveSuite(base.Hash, change, "another name")
	if diff := cmp.Diff(m, again); err != nil || diff != "" {
		t.Errorf("derived twice: %v %s", err, diff)
	}
	w = reopened(t, w)
	got, err := w.Suite(m.Hash)
	if diff := cmp.Diff(m, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	list, err := w.Suites()
	if err != nil || len(list) != 2 || list[1].Hash != m.Hash || list[1].Images != 6 ||
		!slices.Equal(list[1].Counts, base.Counts) || list[1].Labels != nil {
		t.Errorf("%+v, %v", list, err)
	}
	if got, err := w.FindSuite(name); err != nil || got.Hash != m.Hash || len(got.Labels) != 6 {
		t.Errorf("%+v, %v", got, err)
	}
	var stored int
	_ = w.View(func(tx *bbolt.Tx) error {
		stored = len(database.Suites.Bytes(tx, m.Hash)) + len(database.SuiteDetails.Bytes(tx, m.Hash))
		return nil
	})
	if stored > 1000 {
		t.Errorf("a derived suite takes %d bytes: its base's labels and files are its own", stored)
	}
}

func TestDeriveSuiteRefuses(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	for name, tt := range map[string]struct {
		of     string
		change derive.Change
		want   string
	}{
		"corrupted again":  {m.Hash, brighter, "is changed already (corruption:brightness:2"},
		"shifted again":    {m.Hash, aside, "is changed already (corruption:brightness:2"},
		"unknown region":   {base.Hash, derive.Shift{N: 2, T: 5, Region: 5}, "region 5 does not exist"},
		"no t":             {base.Hash, derive.Shift{N: 2, Region: 1}, "t is 0"},
		"no suite":         {storetest.HashOf("x"), brighter, "suite"},
		"unknown name":     {base.Hash, corrupt.Setting{Name: "rain", Severity: 1}, "rain"},
		"unknown severity": {base.Hash, corrupt.Setting{Name: "fog", Severity: 6}, "6"},
	} {
		if got, err := w.DeriveSuite(tt.of, tt.change, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := w.AddSuite(m); err == nil || !strings.Contains(err.Error(), "made from another one") {
		t.Errorf("added like an imported suite: %v", err)
	}
	if list, err := w.Suites(); err != nil || len(list) != 2 {
		t.Errorf("%d suites, %v", len(list), err)
	}
}

// sameAsByHand opens a derived suite and compares its images with those of the base, corrupted one
// by one.
func sameAsByHand(t *testing.T, w *Workspace, m suite.Manifest) {
	t.Helper()
	s, err := w.OpenSuite(m.Hash)
	must(t, err)
	defer func() { _ = s.Close() }()
	base, err := w.OpenSuite(m.Derived.Of)
	must(t, err)
	defer func() { _ = base.Close() }()
	change, err := derive.Parse(m.Derived.Change)
	must(t, err)
	apply, err := change.Prepare()
	must(t, err)
	for i := range base.Len() {
		plain, err := base.Image(i)
		must(t, err)
		want, err := apply(i, plain)
		must(t, err)
		for range 2 {
			got, err := s.Image(i)
			if err != nil || !slices.Equal(got.Pix, want.Pix) || slices.Equal(got.Pix, plain.Pix) {
				t.Errorf("image %d: %v in place of %v, %v", i, got.Pix, want.Pix, err)
			}
		}
	}
	if s.Len() != base.Len() || s.Label(3) != base.Label(3) || s.Name(3) != base.Name(3) ||
		s.Manifest().Hash != m.Hash || s.Manifest().Name != m.Name {
		t.Errorf("opened %+v", s.Manifest())
	}
}

// TestOpenADerivedSuiteWhereItsBaseIs: referenced, moved and located, copied inside.
func TestOpenADerivedSuiteWhereItsBaseIs(t *testing.T) {
	for _, change := range []derive.Change{corrupt.Setting{Name: "gaussian_noise", Severity: 3, Seed: 7}, aside} {
		t.Run(change.String(), func(t *testing.T) { openedWhereTheBaseIs(t, change) })
	}
}

func openedWhereTheBaseIs(t *testing.T, change derive.Change) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, change)
	sameAsByHand(t, w, m)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.Rename(base.Root, elsewhere))
	if _, err := w.OpenSuite(m.Hash); !errors.Is(err, ErrNoImages) ||
		!strings.Contains(err.Error(), "suite pictures: ") || !strings.Contains(err.Error(), base.Root) {
		t.Errorf("the base is gone: %v", err)
	}
	if err := w.RelocateSuite(t.Context(), m.Hash, t.TempDir()); !errors.Is(err, suite.ErrMissing) {
		t.Errorf("located in a folder without images: %v", err)
	}
	must(t, w.RelocateSuite(t.Context(), m.Hash, elsewhere))
	sameAsByHand(t, w, m)
	if folder, err := w.SuiteFolder(t.Context(), m.Hash); err != nil || folder != elsewhere {
		t.Errorf("folder %s, %v", folder, err)
	}
	for _, hash := range []string{base.Hash, m.Hash} {
		if got, err := w.Suite(hash); err != nil || got.Root != elsewhere {
			t.Errorf("%s lies in %s, %v", got.Name, got.Root, err)
		}
	}
	base.Root = elsewhere
	if _, err := w.CopySuite(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	must(t, os.RemoveAll(elsewhere))
	sameAsByHand(t, w, m)
	if _, err := w.RemoveUnusedFiles(t.Context()); err != nil {
		t.Fatal(err)
	}
	sameAsByHand(t, w, m)
}

func TestADerivedSuiteOfAChangedBase(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	must(t, os.WriteFile(filepath.Join(base.Root, "a", "0.png"), []byte("other"), 0o644))
	_, plain := w.OpenSuite(base.Hash)
	_, err := w.OpenSuite(m.Hash)
	if !errors.Is(err, suite.ErrChanged) || plain == nil || !strings.Contains(err.Error(), plain.Error()) {
		t.Errorf("%v; the base says %v", err, plain)
	}
}

// TestCopiesKeepDerivedSuites: a copy of the workspace opens them, wherever it lies.
func TestCopiesKeepDerivedSuites(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	to, err := w.SaveCopy(t.Context(), filepath.Join(t.TempDir(), "copy"), engine.NoProgress{})
	must(t, err)
	there := reopen(t, to)
	got, err := there.Suite(m.Hash)
	if m.Inside = there.relative(base.Root); err != nil || cmp.Diff(m, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(m, got))
	}
	sameAsByHand(t, there, got)
}

// TestChangesOfABaseAreToldOfBoth: whoever shows a derived suite looks again when its base is
// located.
func TestChangesOfABaseAreToldOfBoth(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	told := map[string]bool{}
	defer w.Subscribe(func(c Change) { told[c.ID] = c.Kind == SuiteChanged })()
	must(t, w.RelocateSuite(t.Context(), base.Hash, base.Root))
	if !told[base.Hash] || !told[m.Hash] || len(told) != 2 {
		t.Errorf("told of %v", told)
	}
}

// TestDerivedSuitesDoNotMakeEachOtherStale: signals of another corruption of the same images are
// not older signals of this one; those of the same corruption of the suite as it was are.
func TestDerivedSuitesDoNotMakeEachOtherStale(t *testing.T) {
	w := fresh(t)
	m, base := storetest.AddModel(t, w, "m"), storetest.AddPictures(t, w)
	bright := deriveFrom(t, w, base.Hash, brighter)
	foggy := deriveFrom(t, w, base.Hash, corrupt.Setting{Name: "fog", Severity: 2, Seed: 1})
	runSet(t, w, m, bright, transform.Plain)
	for _, s := range []suite.Manifest{base, foggy} {
		if state, err := w.State(m, s.Hash, transform.Plain); err != nil || state != None {
			t.Errorf("%s: %s, %v", s.Name, state, err)
		}
	}
	changed := base
	changed.Hash = storetest.HashOf("changed")
	if _, err := w.AddSuite(changed); err != nil {
		t.Fatal(err)
	}
	again := deriveFrom(t, w, changed.Hash, brighter)
	if state, err := w.State(m, again.Hash, transform.Plain); err != nil || state != Stale {
		t.Errorf("%s of the changed suite: %s, %v", again.Name, state, err)
	}
	if s, ok, err := w.Summary(m, bright.Hash, transform.Plain); err != nil || !ok || s.Labelled != 6 {
		t.Errorf("%+v, %v, %v", s, ok, err)
	}
}

// TestDerivedSuitesOnDisk: they take nothing but their line in the database.
func TestDerivedSuitesOnDisk(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	if _, err := w.CopySuite(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	before, err := w.Usage(t.Context())
	must(t, err)
	deriveFrom(t, w, base.Hash, brighter)
	after, err := w.Usage(t.Context())
	if err != nil || after.Suites != before.Suites || after.Suites == 0 || after.Loose.Files != 0 {
		t.Errorf("%+v, before %+v, %v", after, before, err)
	}
}

// TestDamagedDerivedSuites: a base that is gone, or derived itself, is damage, not an endless
// search.
func TestDamagedDerivedSuites(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	for name, of := range map[string]string{"gone": storetest.HashOf("gone"), "itself": m.Hash} {
		bad := m
		bad.Derived = &suite.Derived{Of: of, Change: m.Derived.Change}
		must(t, w.Update(func(tx *bbolt.Tx) error { return database.PutSuite(tx, bad) }))
		for what, read := range map[string]func() error{
			"Suite":     func() error { _, err := w.Suite(m.Hash); return err },
			"Suites":    func() error { _, err := w.Suites(); return err },
			"OpenSuite": func() error { _, err := w.OpenSuite(m.Hash); return err },
			"Relocate":  func() error { return w.RelocateSuite(t.Context(), m.Hash, base.Root) },
		} {
			if err := read(); !errors.Is(err, database.ErrDamaged) ||
				!strings.Contains(err.Error(), "pictures, brightness 2") {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
	}
	bad := m
	bad.Derived = &suite.Derived{Of: base.Hash, Change: "corruption:rain:9"}
	must(t, w.Update(func(tx *bbolt.Tx) error { return database.PutSuite(tx, bad) }))
	if _, err := w.OpenSuite(m.Hash); err == nil || !strings.Contains(err.Error(), "rain") {
		t.Errorf("an unknown change: %v", err)
	}
}

// TestDerivedSuitesTakeLabelsAndTables: labels of images and predictions from elsewhere are held to
// the number of images and the classes of the base.
func TestDerivedSuitesTakeLabelsAndTables(t *testing.T) {
	w := fresh(t)
	base := storetest.AddSuite(t, w, "s", 4)
	m := deriveFrom(t, w, base.Hash, brighter)
	must(t, w.SetImageLabel(m.Hash, database.ImageLabel{Image: 3, Class: 2}))
	if got := mustLabels(t, w, m.Hash); !maps.Equal(got, map[int]int{3: 2}) {
		t.Error(got)
	}
	if got := mustLabels(t, w, base.Hash); len(got) != 0 {
		t.Errorf("the base has the labels %v of what is made from it", got)
	}
	for _, c := range []struct {
		label database.ImageLabel
		want  string
	}{
		{database.ImageLabel{Image: 4}, m.Name + " has no image 4; its images are 0 to 3"},
		{database.ImageLabel{Image: 1, Class: 3}, m.Name + " has no class 3 (image 1); its classes are 0 to 2"},
	} {
		if err := w.SetImageLabel(m.Hash, c.label); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.label, err)
		}
	}
	if table := mustAdd(t, w, "t", m.Hash); table.Suite != m.Hash {
		t.Errorf("%+v", table)
	}
	record, numbers := testTable("short", deriveFrom(t, w, storetest.AddSuite(t, w, "five", 5).Hash, brighter).Hash)
	if _, err := w.AddPredictions(record, numbers); err == nil ||
		!strings.Contains(err.Error(), "suite five, brightness 2 has 5") {
		t.Error(err)
	}
}
