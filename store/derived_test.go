package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

var (
	brighter = corrupt.Setting{Name: "brightness", Severity: 2, Seed: 1}
	aside    = derive.Shift{N: 3, T: 2, Region: 7}
)

func deriveFrom(tb testing.TB, w *Workspace, of string, change derive.Change) suite.Manifest {
	tb.Helper()
	m := testdata.Must(w.DeriveSuite(of, change, ""))(tb)
	return m
}

// TestDeriveSuite adds a derived suite twice and reads it in the workspace that was closed between.
func TestDeriveSuite(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	must(t, testdata.Err(w.CopySuite(t.Context(), base)))
	size := mustUsage(t, w).Suites
	for change, name := range map[derive.Change]string{
		brighter: "pictures, brightness 2", aside: "pictures, shifted 3x3 t2 region 7",
	} {
		m := deriveFrom(t, w, base.Hash, change)
		want := base.Derive(change.String(), name)
		want.Added, want.Root, want.Inside, want.Copied = m.Added, m.Root, m.Inside, m.Copied
		testdata.NoDiff(t, name, cmp.Diff(want, m))
		again := testdata.Must(w.DeriveSuite(base.Hash, change, "another name"))(t)
		testdata.NoDiff(t, "derived twice", cmp.Diff(m, again))
		w = reopened(t, w)
		testdata.NoDiff(t, "reopened", cmp.Diff(m, testdata.Must(w.Suite(m.Hash))(t)))
		testdata.NoDiff(t, "found", cmp.Diff(m, testdata.Must(w.FindSuite(name))(t)))
		must(t, w.View(func(tx *bbolt.Tx) error {
			if n := len(database.Suites.Bytes(tx, m.Hash)) + len(database.SuiteDetails.Bytes(tx, m.Hash)); n > 1000 {
				t.Errorf("%s takes %d bytes: its base's labels and files are its own", name, n)
			}
			return nil
		}))
	}
	list, err := w.Suites()
	if err != nil || len(list) != 3 || list[1].Images != 6 || !slices.Equal(list[1].Counts, base.Counts) ||
		list[1].Labels != nil {
		t.Errorf("%+v, %v", list, err)
	}
	if u := mustUsage(t, w); u.Suites != size || size == 0 || u.Loose.Files != 0 {
		t.Errorf("derived suites take files: %+v, %d before", u, size)
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
		testdata.Refused(t, name, testdata.Err(w.DeriveSuite(tt.of, tt.change, "")), tt.want)
	}
	testdata.Refused(t, "added like an imported suite", testdata.Err(w.AddSuite(m)), "made from another one")
	testdata.Is(t, "suites", len(testdata.Must(w.Suites())(t)), 2)
}

// sameAsByHand opens a derived suite and compares its images with those of the base, changed one by
// one.
func sameAsByHand(t *testing.T, w *Workspace, m suite.Manifest) {
	t.Helper()
	s, base := testdata.Must(w.OpenSuite(m.Hash))(t), testdata.Must(w.OpenSuite(m.Derived.Of))(t)
	defer func() { must(t, errors.Join(s.Close(), base.Close())) }()
	apply := testdata.Must(testdata.Must(derive.Parse(m.Derived.Change))(t).Prepare())(t)
	for i := range base.Len() {
		plain := testdata.Must(base.Image(i))(t)
		want := testdata.Must(apply(i, plain))(t)
		for range 2 {
			got := testdata.Must(s.Image(i))(t)
			if !slices.Equal(got.Pix, want.Pix) || slices.Equal(got.Pix, plain.Pix) {
				t.Errorf("image %d: %v in place of %v", i, got.Pix, want.Pix)
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
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, corrupt.Setting{Name: "gaussian_noise", Severity: 3, Seed: 7})
	shifted := deriveFrom(t, w, base.Hash, aside)
	sameAsByHand(t, w, m)
	sameAsByHand(t, w, shifted)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.Rename(base.Root, elsewhere))
	err := testdata.Err(w.OpenSuite(m.Hash))
	testdata.ErrorIs(t, "the base is gone", err, ErrNoImages)
	testdata.Refused(t, "the base is gone", err, "suite pictures: ", base.Root)
	testdata.ErrorIs(t, "located in a folder without images", w.RelocateSuite(t.Context(), m.Hash, t.TempDir()),
		suite.ErrMissing)
	must(t, w.RelocateSuite(t.Context(), m.Hash, elsewhere))
	sameAsByHand(t, w, m)
	testdata.Is(t, "folder", testdata.Must(w.SuiteFolder(t.Context(), m.Hash))(t), elsewhere)
	for _, hash := range []string{base.Hash, m.Hash, shifted.Hash} {
		testdata.Is(t, "root", testdata.Must(w.Suite(hash))(t).Root, elsewhere)
	}
	base.Root = elsewhere
	must(t, testdata.Err(w.CopySuite(t.Context(), base)))
	must(t, os.RemoveAll(elsewhere))
	sameAsByHand(t, w, m)
	must(t, testdata.Err(w.RemoveUnusedFiles(t.Context())))
	sameAsByHand(t, w, shifted)
}

// TestDerivedSuitesFollowTheirBase: whoever shows one looks again when its base is located, a copy
// of the workspace opens it, wherever it lies, and a changed base is told.
func TestDerivedSuitesFollowTheirBase(t *testing.T) {
	w := fresh(t)
	base := storetest.AddPictures(t, w)
	m := deriveFrom(t, w, base.Hash, brighter)
	told := map[string]bool{}
	defer w.Subscribe(func(c Change) { told[c.ID] = c.Kind == SuiteChanged })()
	must(t, w.RelocateSuite(t.Context(), base.Hash, base.Root))
	if !told[base.Hash] || !told[m.Hash] || len(told) != 2 {
		t.Errorf("told of %v", told)
	}
	there := reopen(t, testdata.Must(w.SaveCopy(t.Context(), filepath.Join(t.TempDir(), "copy"), noProgress{}))(t))
	got := testdata.Must(there.Suite(m.Hash))(t)
	m.Inside = there.relative(base.Root)
	testdata.NoDiff(t, "in the copy", cmp.Diff(m, got))
	sameAsByHand(t, there, got)
	must(t, os.WriteFile(filepath.Join(base.Root, "a", "0.png"), []byte("other"), 0o644))
	plain, err := testdata.Err(w.OpenSuite(base.Hash)), testdata.Err(w.OpenSuite(m.Hash))
	testdata.ErrorIs(t, "a changed base", err, suite.ErrChanged)
	testdata.Refused(t, "a changed base", err, fmt.Sprint(plain))
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
	must(t, testdata.Err(w.AddSuite(changed)))
	again := deriveFrom(t, w, changed.Hash, brighter)
	if state, err := w.State(m, again.Hash, transform.Plain); err != nil || state != Stale {
		t.Errorf("%s of the changed suite: %s, %v", again.Name, state, err)
	}
	if s, ok, err := w.Summary(m, bright.Hash, transform.Plain); err != nil || !ok || s.Labelled != 6 {
		t.Errorf("%+v, %v, %v", s, ok, err)
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
		for what, err := range map[string]error{
			"Suite": testdata.Err(w.Suite(m.Hash)), "Suites": testdata.Err(w.Suites()),
			"OpenSuite": testdata.Err(w.OpenSuite(m.Hash)),
			"Relocate":  w.RelocateSuite(t.Context(), m.Hash, base.Root),
		} {
			testdata.ErrorIs(t, name+": "+what, err, database.ErrDamaged)
			testdata.Refused(t, name+": "+what, err, "pictures, brightness 2")
		}
	}
	bad := m
	bad.Derived = &suite.Derived{Of: base.Hash, Change: "corruption:rain:9"}
	must(t, w.Update(func(tx *bbolt.Tx) error { return database.PutSuite(tx, bad) }))
	testdata.Refused(t, "an unknown change", testdata.Err(w.OpenSuite(m.Hash)), "rain")
}

// TestDerivedSuitesTakeLabelsAndTables: labels of images and predictions from elsewhere are held to
// the number of images and the classes of the base.
func TestDerivedSuitesTakeLabelsAndTables(t *testing.T) {
	w := fresh(t)
	base := storetest.AddSuite(t, w, "s", 4)
	m := deriveFrom(t, w, base.Hash, brighter)
	must(t, w.SetImageLabel(m.Hash, database.ImageLabel{Image: 3, Class: 2}))
	testdata.Is(t, "label of image 3", mustLabels(t, w, m.Hash)[3], 2)
	testdata.Is(t, "labels of the base", len(mustLabels(t, w, base.Hash)), 0)
	testdata.Refused(t, "image 4", w.SetImageLabel(m.Hash, database.ImageLabel{Image: 4}),
		m.Name+" has no image 4; its images are 0 to 3")
	testdata.Refused(t, "class 3", w.SetImageLabel(m.Hash, database.ImageLabel{Image: 1, Class: 3}),
		m.Name+" has no class 3 (image 1); its classes are 0 to 2")
	testdata.Is(t, "suite", mustAdd(t, w, "t", m.Hash).Suite, m.Hash)
	record, numbers := testTable("short", deriveFrom(t, w, storetest.AddSuite(t, w, "five", 5).Hash, brighter).Hash)
	testdata.Refused(t, "a short table", testdata.Err(w.AddPredictions(record, numbers)),
		"suite five, brightness 2 has 5")
}
