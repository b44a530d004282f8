package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.Is(t, "schema version", testdata.Must(viewed(w, database.Version))(t), database.SchemaVersion+2)
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
	_, err = Open(path)
	testdata.ErrorIs(t, "a newer version", err, database.ErrNewer)
	testdata.Refused(t, "a newer version", err, fmt.Sprintf("version is %d, this program reads up to %d",
		database.SchemaVersion+2, database.SchemaVersion))
	testdata.Is(t, "the files of a newer version", storetest.Snapshot(t, path), before)
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	path := older(t)
	s := future()
	s.Migrations[1].Run = func(*bbolt.Tx) error { return errors.New("cannot") }
	testdata.Refused(t, "the migration", testdata.Err(openWith(path, s)), "assessors")
	s.Migrations[1].Run = func(tx *bbolt.Tx) error { panic("a page is bad") }
	testdata.ErrorIs(t, "the migration", testdata.Err(openWith(path, s)), database.ErrDamaged)
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
	testdata.ErrorIs(t, "the migration", testdata.Err(openWith(path, future())), ErrFull)
	d.Refuse(durable.Create, nil)
	w := reopen(t, path)
	testdata.Is(t, "schema version", testdata.Must(viewed(w, database.Version))(t), database.SchemaVersion)
}

func TestMigrationWithAGap(t *testing.T) {
	path := older(t)
	s := future()
	s.Migrations = s.Migrations[1:]
	before := storetest.Snapshot(t, path)
	testdata.Refused(t, "a gap", testdata.Err(openWith(path, s)), "no way from its version")
	testdata.Is(t, "the files", storetest.Snapshot(t, path), before)
}

// TestMigrationsReachTheSchema: the table of this program has no gap.
func TestMigrationsReachTheSchema(t *testing.T) {
	s := database.CurrentSchema()
	for version := 1; version <= s.Version; version++ {
		must(t, testdata.Err(s.Steps(version)))
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
	to := testdata.Must(Move(t.Context(), w.Path(), filepath.Join(t.TempDir(), "moved"), noProgress{}))(t)
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
			must(t, w.Update(func(tx *bbolt.Tx) error { return makeOlder(tx, version) }))
			checkAndClose(t, w)
			migrated(t, reopen(t, w.Path()), m, version)
		})
	}
}

// migrated checks a workspace that was of an older version.
func migrated(t *testing.T, back *Workspace, m suite.Manifest, from int) {
	t.Helper()
	testdata.Is(t, "version", testdata.Must(viewed(back, database.Version))(t), database.SchemaVersion)
	testdata.NoDiff(t, "suite", cmp.Diff(m, testdata.Must(back.Suite(m.Hash))(t)))
	must(t, testdata.Err(os.Stat(filepath.Join(back.Path(), backupName(from)))))
	testdata.Is(t, "images of a derived suite", deriveFrom(t, back, m.Hash, brighter).Images, 3)
	must(t, back.KeepValue("x", 5))
	must(t, back.SetImageLabel(m.Hash, database.ImageLabel{Image: 2, Class: 1}))
	testdata.Is(t, "tables", len(testdata.Must(back.PredictionTables())(t)), 0)
	table := testdata.Must(back.AddKeywords("kw", "file", storetest.Keywords(4)))(t)
	must(t, testdata.Err(back.PutOntology(database.OntologyRecord{
		Name: "o", Table: table.Hash, MinSupport: 0.05, MinConfidence: 0.3,
	})))
	must(t, back.PutContextVectors(map[string][]float64{"k": {1, 2}}))
	must(t, testdata.Err(back.AddPackage(packaged(t, back))))
	testdata.Is(t, "masks", len(testdata.Must(back.MaskSets(m.Hash))(t)), 0)
}
