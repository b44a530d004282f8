package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// future is a schema two versions on: its migrations rename a setting, then add a bucket.
func future() database.Schema {
	return database.Schema{Version: database.SchemaVersion + 2, Migrations: []database.Migration{
		{From: database.SchemaVersion, Why: "a setting has a new name", Run: func(tx *bbolt.Tx) error {
			b := database.Settings.In(tx)
			value := append([]byte{}, b.Get([]byte("old"))...)
			if err := b.Put([]byte("new"), value); err != nil {
				return err
			}
			return b.Delete([]byte("old"))
		}},
		{From: database.SchemaVersion + 1, Why: "assessors", Run: func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("assessors"))
			return err
		}},
	}}
}

func older(t *testing.T) string {
	t.Helper()
	w := fresh(t)
	must(t, w.SetSetting("old", "value"))
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	return w.Path()
}

func TestMigrationRunsInOrderAndKeepsACopy(t *testing.T) {
	path := older(t)
	w, err := openWith(path, future())
	must(t, err)
	var value string
	if found, err := w.Setting("new", &value); !found || err != nil || value != "value" {
		t.Error(found, err, value)
	}
	if version, err := viewed(w, database.Version); err != nil || version != database.SchemaVersion+2 {
		t.Error(version, err)
	}
	checkAndClose(t, w)
	// the copy opens as the workspace that it was
	old := filepath.Join(t.TempDir(), "old.variscope")
	must(t, os.Mkdir(old, 0o755))
	data := storetest.Read(t, filepath.Join(path, backupName(database.SchemaVersion)))
	must(t, os.WriteFile(filepath.Join(old, database.File), data, 0o644))
	back := reopen(t, old)
	if found, err := back.Setting("old", &value); !found || err != nil || value != "value" {
		t.Error(found, err, value)
	}
	// the migrated one is newer than this program
	before := storetest.Snapshot(t, path)
	if _, err := Open(path); !errors.Is(err, database.ErrNewer) ||
		!strings.Contains(err.Error(), fmt.Sprintf("version is %d, this program reads up to %d",
			database.SchemaVersion+2,
			database.SchemaVersion)) {
		t.Error(err)
	}
	if storetest.Snapshot(t, path) != before {
		t.Error("refusing a newer version changed the workspace")
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	path := older(t)
	s := future()
	s.Migrations[1].Run = func(*bbolt.Tx) error { return errors.New("cannot") }
	if _, err := openWith(path, s); err == nil || !strings.Contains(err.Error(), "assessors") {
		t.Error(err)
	}
	s.Migrations[1].Run = func(tx *bbolt.Tx) error { panic("a page is bad") }
	if _, err := openWith(path, s); !errors.Is(err, database.ErrDamaged) {
		t.Error(err)
	}
	w := reopen(t, path)
	var value string
	if found, err := w.Setting("old", &value); !found || err != nil {
		t.Error("the first step was kept", err)
	}
	copies, err := filepath.Glob(filepath.Join(path, "*.backup*"))
	if err != nil || len(copies) != 2 {
		t.Errorf("copies: %v, %v", copies, err)
	}
}

func TestNoMigrationWithoutACopy(t *testing.T) {
	path := older(t)
	d := faults.Watch(t, path)
	d.Refuse(durable.Create, errNoSpace)
	if _, err := openWith(path, future()); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	d.Refuse(durable.Create, nil)
	w := reopen(t, path)
	if version, err := viewed(w, database.Version); err != nil || version != database.SchemaVersion {
		t.Error(version, err)
	}
}

func TestMigrationWithAGap(t *testing.T) {
	path := older(t)
	s := future()
	s.Migrations = s.Migrations[1:]
	before := storetest.Snapshot(t, path)
	if _, err := openWith(path, s); err == nil || !strings.Contains(err.Error(), "no way from its version") {
		t.Error(err)
	}
	if storetest.Snapshot(t, path) != before {
		t.Error("changed")
	}
}

// TestMigrationsReachTheSchema: the table of this program has no gap.
func TestMigrationsReachTheSchema(t *testing.T) {
	s := database.CurrentSchema()
	for version := 1; version <= s.Version; version++ {
		if _, err := s.Steps(version); err != nil {
			t.Error(err)
		}
	}
}

// makeOlder takes out of a database what came after a schema.
func makeOlder(tx *bbolt.Tx, version int) error {
	for later := version + 1; later <= database.SchemaVersion; later++ {
		for _, name := range database.BucketsSince(later) {
			if err := tx.DeleteBucket([]byte(name)); err != nil {
				return err
			}
		}
	}
	return database.PutSchema(tx, version)
}

// TestMoveOfAnOlderWorkspace: a workspace that was not opened by this program yet can be moved,
// too.
func TestMoveOfAnOlderWorkspace(t *testing.T) {
	w := fresh(t)
	m := storetest.AddSuite(t, w, "pets", 3)
	must(t, w.Update(func(tx *bbolt.Tx) error { return makeOlder(tx, 3) }))
	checkAndClose(t, w)
	to, err := Move(t.Context(), w.Path(), filepath.Join(t.TempDir(), "moved"), noProgress{})
	must(t, err)
	if got, err := reopen(t, to).Suite(m.Hash); err != nil ||
		filepath.Join(to, filepath.FromSlash(got.Inside)) != m.Root {
		t.Errorf("%s, %v", got.Inside, err)
	}
}

// TestMigrationsOfOlderWorkspaces: what came with schemas 2, 3 and 4 can be stored, what was there
// stays, and so does a copy of the database as it was.
func TestMigrationsOfOlderWorkspaces(t *testing.T) {
	for version := 1; version < database.SchemaVersion; version++ {
		t.Run(fmt.Sprint("schema ", version), func(t *testing.T) {
			w := fresh(t)
			m := storetest.AddSuite(t, w, "pets", 3)
			err := w.Update(func(tx *bbolt.Tx) error {
				return makeOlder(tx, version)
			})
			must(t, err)
			checkAndClose(t, w)
			migrated(t, reopen(t, w.Path()), m, version)
		})
	}
}

// migrated checks a workspace that was of an older version.
func migrated(t *testing.T, back *Workspace, m suite.Manifest, from int) {
	t.Helper()
	if version, err := viewed(back, database.Version); version != database.SchemaVersion || err != nil {
		t.Errorf("version %d, %v", version, err)
	}
	if got, err := back.Suite(m.Hash); err != nil || cmp.Diff(m, got) != "" {
		t.Errorf("suite %v: %s", err, cmp.Diff(m, got))
	}
	if _, err := os.Stat(filepath.Join(back.Path(), backupName(from))); err != nil {
		t.Error(err)
	}
	if deriveFrom(t, back, m.Hash, brighter).Images != 3 {
		t.Error("a derived suite of an older one has other images")
	}
	if err := back.KeepValue("x", 5); err != nil {
		t.Error(err)
	}
	if err := back.SetImageLabel(m.Hash, database.ImageLabel{Image: 2, Class: 1}); err != nil {
		t.Error(err)
	}
	if tables, err := back.PredictionTables(); err != nil || len(tables) != 0 {
		t.Errorf("%v, %v", tables, err)
	}
	table, err := back.AddKeywords("kw", "file", storetest.Keywords(4))
	must(t, err)
	if _, err := back.PutOntology(database.OntologyRecord{
		Name: "o", Table: table.Hash, MinSupport: 0.05,
		MinConfidence: 0.3,
	}); err != nil {
		t.Error(err)
	}
	if err := back.PutContextVectors(map[string][]float64{"k": {1, 2}}); err != nil {
		t.Error(err)
	}
	if _, err := back.AddPackage(packaged(t, back)); err != nil {
		t.Error(err)
	}
	if sets, err := back.MaskSets(m.Hash); err != nil || len(sets) != 0 {
		t.Errorf("%v, %v", sets, err)
	}
}
