// Package database looks into the bbolt file of a workspace from outside, and makes it what an
// older program made, for tests.
package database

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// File is the database's name in a workspace.
const File = "workspace.db"

// Older takes out of a database what came after a schema.
func Older(tx *bbolt.Tx, schema int) error {
	for later := schema + 1; later <= store.SchemaVersion; later++ {
		for _, name := range database.BucketsSince(later) {
			if err := tx.DeleteBucket([]byte(name)); err != nil {
				return err
			}
		}
	}
	return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(strconv.Itoa(schema)))
}

// MakeOlder is Older for a workspace that nobody has open.
func MakeOlder(workspace string, schema int) error {
	return open(workspace, func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error { return Older(tx, schema) })
	})
}

// Schema checks the whole database of a workspace that nobody has open, as bbolt itself does, and
// reads its schema. The buckets must be those of the schema.
func Schema(workspace string) (schema int, err error) {
	err = open(workspace, func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			for problem := range tx.Check() {
				err = errors.Join(err, problem)
			}
			if err != nil {
				return err
			}
			schema, err = strconv.Atoi(string(tx.Bucket([]byte("meta")).Get([]byte("schema"))))
			for version := 2; version <= store.SchemaVersion; version++ {
				for _, name := range database.BucketsSince(version) {
					if there := tx.Bucket([]byte(name)) != nil; there != (version <= schema) {
						err = errors.Join(err, fmt.Errorf("schema %d, and bucket %s is there: %v", schema, name, there))
					}
				}
			}
			return err
		})
	})
	return schema, err
}

func open(workspace string, use func(*bbolt.DB) error) error {
	db, err := bbolt.Open(filepath.Join(workspace, File), 0o644,
		&bbolt.Options{Timeout: time.Second, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return err
	}
	return errors.Join(use(db), db.Close())
}
