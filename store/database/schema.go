package database

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Migration brings the database from schema from to from+1.
type Migration struct {
	From int
	Why  string
	Run  func(tx *Tx) error
}

// Schema is the version that a program reads and how older ones get there. The migrations are in
// order and without gaps; all that are needed run in one transaction.
type Schema struct {
	Version    int
	Migrations []Migration
}

// migrations are the steps since schema 1, the first. A step is added here together with its test
// and the next SchemaVersion; an old step is never changed.
var migrations = []Migration{
	{From: 1, Why: "round packages bring matrices without signals", Run: func(tx *Tx) error {
		_, err := tx.CreateBucket([]byte("round-evidence"))
		return err
	}},
	{
		From: 2, Why: "suites may be derived; labels of images, tables of predictions and kept values are new",
		Run: func(tx *Tx) error {
			for _, name := range []string{"image-labels", "predictions", "kept"} {
				if _, err := tx.CreateBucket([]byte(name)); err != nil {
					return err
				}
			}
			return nil
		},
	},
	{
		From: 3, Why: "masks, keyword tables, ontologies, selections of testing scenes and context vectors are new",
		Run: func(tx *Tx) error {
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
	{From: 4, Why: "files of signals are known by XXH3 hashes", Run: func(*Tx) error { return nil }},
	{
		From: 5, Why: "rounds have own words, an overlap and known answers, which older programs would pass over",
		Run: func(*Tx) error { return nil },
	},
	{
		From: 6, Why: "labels stand in labels.jsonl, too, where older programs would not put them",
		Run: func(*Tx) error { return nil },
	},
}

// CurrentSchema is the schema that this program writes.
func CurrentSchema() Schema { return Schema{Version: SchemaVersion, Migrations: migrations} }

// NewerSchema is ErrNewer for a database of this schema.
func NewerSchema(version int) error {
	return fmt.Errorf("%w (its version is %d, this program reads up to %d)", ErrNewer, version, SchemaVersion)
}

// Steps returns the migrations from version to the schema's.
func (s Schema) Steps(version int) ([]Migration, error) {
	var steps []Migration
	for _, m := range s.Migrations {
		if m.From == version+len(steps) {
			steps = append(steps, m)
		}
	}
	if version+len(steps) != s.Version {
		return nil, fmt.Errorf("no way from its version %d to version %d", version, s.Version)
	}
	return steps, nil
}

// Version is the schema of a database; one that lacks what its schema has is damaged.
func Version(tx *Tx) (int, error) {
	meta := Meta.In(tx)
	if meta == nil {
		return 0, fmt.Errorf("%w (no schema)", ErrDamaged)
	}
	version, err := strconv.Atoi(string(meta.Get(KeySchema)))
	if err != nil || version < 1 {
		return 0, fmt.Errorf("%w (schema %q)", ErrDamaged, meta.Get(KeySchema))
	}
	if version != SchemaVersion {
		return version, nil // what it has is for its own version to know
	}
	for _, b := range AllBuckets() {
		if b.In(tx) == nil {
			return version, fmt.Errorf("%w (no %s)", ErrDamaged, b.Name)
		}
	}
	return version, nil
}

// PutSchema stores the number of the schema.
func PutSchema(tx *Tx, version int) error {
	return Meta.In(tx).Put(KeySchema, []byte(strconv.Itoa(version)))
}

// Initialise makes what is in a new database: its buckets, a desk, the time, the schema.
func Initialise(tx *Tx) error {
	for _, b := range AllBuckets() {
		if _, err := tx.CreateBucket([]byte(b.Name)); err != nil {
			return err
		}
	}
	meta := Meta.In(tx)
	var ids IDs
	if err := meta.Put(KeyDesk, []byte(ids.Next().String())); err != nil {
		return err
	}
	if err := meta.Put(keyCreated, []byte(time.Now().UTC().Format(time.RFC3339))); err != nil {
		return err
	}
	return PutSchema(tx, SchemaVersion)
}

// Create makes a file with an empty database.
func Create(path string) error {
	db, err := OpenNew(path)
	if err != nil {
		return err
	}
	return errors.Join(db.Update(Initialise), db.Close())
}
