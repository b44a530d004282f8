package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"go.etcd.io/bbolt"
)

// migration brings the database from schema from to from+1.
type migration struct {
	from int
	why  string
	run  func(tx *bbolt.Tx) error
}

// schema is the version that a program reads and how older ones get there. The migrations are in
// order and without gaps; all that are needed run in one transaction.
type schema struct {
	version    int
	migrations []migration
}

// migrations are the steps since schema 1, the first. A step is added here together with its test
// and the next SchemaVersion; an old step is never changed.
var migrations = []migration{
	{from: 1, why: "round packages bring matrices without signals", run: func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("round-evidence"))
		return err
	}},
	{
		from: 2, why: "suites may be derived; labels of images, tables of predictions and kept values are new",
		run: func(tx *bbolt.Tx) error {
			for _, name := range []string{"image-labels", "predictions", "kept"} {
				if _, err := tx.CreateBucket([]byte(name)); err != nil {
					return err
				}
			}
			return nil
		},
	},
	{
		from: 3, why: "masks, keyword tables, ontologies, selections of testing scenes and context vectors are new",
		run: func(tx *bbolt.Tx) error {
			for _, name := range []string{
				"masks", "mask-details", "keyword-tables", "keyword-details", "keyword-vectors", "ontologies",
				"selections", "selection-details", "context-vectors",
			} {
				if _, err := tx.CreateBucket([]byte(name)); err != nil {
					return err
				}
			}
			return nil
		},
	},
	{from: 4, why: "files of signals are known by XXH3 hashes", run: func(*bbolt.Tx) error { return nil }},
	{
		from: 5, why: "rounds have own words, an overlap and known answers, which older programs would pass over",
		run: func(*bbolt.Tx) error { return nil },
	},
	{
		from: 6, why: "labels stand in labels.jsonl, too, where older programs would not put them",
		run: func(*bbolt.Tx) error { return nil },
	},
}

func currentSchema() schema { return schema{version: SchemaVersion, migrations: migrations} }

// migrate checks the database's version and migrates an older one after saving a copy beside it.
func (w *Workspace) migrate(s schema) error {
	version, err := viewed(w, versionOf)
	if err != nil {
		return err
	}
	if version > s.version {
		return newerSchema(version)
	}
	if version == s.version {
		return nil
	}
	steps, err := s.steps(version)
	if err != nil {
		return err
	}
	if w.fixed == nil {
		if err := w.keepOlder(version); err != nil {
			return fmt.Errorf("save a copy before the migration from version %d: %w", version, err)
		}
	}
	return w.keep(func(tx *bbolt.Tx) error {
		for _, step := range steps {
			if err := step.run(tx); err != nil {
				return fmt.Errorf("migrate from version %d (%s): %w", step.from, step.why, err)
			}
		}
		return putSchema(tx, s.version)
	})
}

func newerSchema(version int) error {
	return fmt.Errorf("%w (its version is %d, this program reads up to %d)", ErrNewer, version, SchemaVersion)
}

// steps returns the migrations from version to the schema's.
func (s schema) steps(version int) ([]migration, error) {
	var steps []migration
	for _, m := range s.migrations {
		if m.from == version+len(steps) {
			steps = append(steps, m)
		}
	}
	if version+len(steps) != s.version {
		return nil, fmt.Errorf("no way from its version %d to version %d", version, s.version)
	}
	return steps, nil
}

// versionOf is the schema of a database; one that lacks what its schema has is damaged.
func versionOf(tx *bbolt.Tx) (int, error) {
	meta := bucketMeta.in(tx)
	if meta == nil {
		return 0, fmt.Errorf("%w (no schema)", ErrDamaged)
	}
	version, err := strconv.Atoi(string(meta.Get(keySchema)))
	if err != nil || version < 1 {
		return 0, fmt.Errorf("%w (schema %q)", ErrDamaged, meta.Get(keySchema))
	}
	if version != SchemaVersion {
		return version, nil // what it has is for its own version to know
	}
	for _, b := range allBuckets() {
		if b.in(tx) == nil {
			return version, fmt.Errorf("%w (no %s)", ErrDamaged, b.name)
		}
	}
	return version, nil
}

func putSchema(tx *bbolt.Tx, version int) error {
	return bucketMeta.in(tx).Put(keySchema, []byte(strconv.Itoa(version)))
}

// backupName is the file that holds the database as it was in an older version.
func backupName(version int) string { return fmt.Sprintf("%s.v%d.backup", databaseFile, version) }

// keepOlder copies the database beside itself before a migration; an older copy of the same
// version is kept under the next free number. These copies are none of Backups.
func (w *Workspace) keepOlder(version int) error {
	path := filepath.Join(w.path, backupName(version))
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
			break
		}
		path = filepath.Join(w.path, fmt.Sprintf("%s-%d", backupName(version), i))
	}
	return w.write(path, func(out io.Writer) error {
		return w.view(func(tx *bbolt.Tx) error {
			_, err := tx.WriteTo(out)
			return err
		})
	})
}
